"""The tree of all modules and the table of imports in docs/modules.md, generated from the sources.

python benchmarks/module_tree.py            writes both into the page
python benchmarks/module_tree.py --check    changes nothing, and exits with 1 if the page says otherwise
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from pages import ROOT, renew

PAGE = ROOT / "docs" / "modules.md"
PACKAGES = ("arena", "bots", "maps")
EVERYWHERE = {"errors", "files", "texts"}
"""Loose modules that every room may import; the table leaves them out."""


def first_line(module: Path) -> str:
    """The first line of a module's docstring; nothing if there is no such file."""
    text = module.read_text(encoding="utf-8") if module.exists() else ""
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def tree(folder: Path, indent: str = "") -> Iterator[str]:
    """A folder and the first line of each module in it; the rooms of the arena come in the order of their floors."""
    yield f"{indent}{folder.name}/  {first_line(folder / '__init__.py')}".rstrip()
    modules = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    yield from (f"{indent}  {path.name}  {first_line(path)}" for path in modules)
    folders = {path.parent for path in folder.glob("*/*.py")} | {path.parent.parent for path in folder.glob("*/*/*.py")}
    for path in sorted(folders - {folder}, key=lambda path: (0 if indent else floor(path.name), path.name)):
        yield from tree(path, indent + "  ")


def owner(module: str) -> str:
    """What a module counts as in the table: its package, or within the arena its room, or itself if it lies loose."""
    package, _, inside = module.partition(".")
    return inside.partition(".")[0] if package == "arena" else package if package in PACKAGES else ""


@cache
def imports() -> dict[str, set[str]]:
    """For each room and each loose module the others that it imports, but for EVERYWHERE and the arena's two doors."""
    found: dict[str, set[str]] = {}
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        own = owner(".".join(path.relative_to(ROOT).with_suffix("").parts))
        if own.startswith("__") or own in EVERYWHERE or "template" in path.parts:
            continue
        others = found.setdefault(own, set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                others.update(owner(alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                others.update(owner(f"{node.module}.{alias.name}") for alias in node.names)
    return {own: others & set(found) - {own} for own, others in found.items()}


@cache
def floor(name: str) -> int:
    """How far above the ground a room stands: higher than all that it imports."""
    return max((floor(other) + 1 for other in imports().get(name, ())), default=0)


def table() -> Iterator[str]:
    """Who imports whom, from the ground up."""
    yield from ("| room or loose module | imports |", "|---|---|")
    for name in sorted(imports(), key=lambda name: (floor(name), name)):
        others = sorted(imports()[name], key=lambda name: (floor(name), name))
        yield f"| `{name}` | {', '.join(f'`{other}`' for other in others) or 'nothing'} |"


def page() -> str:
    """Both, as they stand in the page."""
    trees = "\n".join(line for package in PACKAGES for line in tree(ROOT / package))
    return f"\n```text\n{trees}\n```\n\n## Who imports whom\n\n" + "\n".join(table()) + "\n\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or check it."""
    renew(PAGE, "modules", page(), "module_tree.py", "--check" in (sys.argv if arguments is None else arguments))


if __name__ == "__main__":
    main()
