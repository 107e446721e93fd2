"""Which source files a bot is made of: its file and, of what that imports, all that is the bot author's own."""

import ast
from functools import cache
from pathlib import Path

from arena.rules.jit import digest_of

SITE_FOLDERS = ("site-packages", "dist-packages")


@cache
def sources_digest(file: str) -> str:
    """The digest of a bot's sources: other digest, other bot."""
    return digest_of(sources_of(Path(file).resolve()))


def sources_of(file: Path) -> set[Path]:
    """A bot's file and what it imports, directly or not, from its own package, or from beside it if it lies alone.

    Installed packages are not followed: their versions say what they are; nor is the arena, which has its own digest.
    """
    root = file.parent
    while (root / "__init__.py").exists():
        root = root.parent
    package = file.relative_to(root).parts[0] if root != file.parent else None
    alone = package is None and file.parent.name in SITE_FOLDERS
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        for base, name in _imports(path):
            first = name.split(".")[0]
            if base or (first == package if package else first != "arena" and not alone):
                start = (base or root).joinpath(*name.split(".")) if name else base or root
                waiting += [start.with_suffix(".py"), start / "__init__.py"]
    return found


def _imports(file: Path) -> list[tuple[Path | None, str]]:
    """What a file imports, as (folder that a relative import starts from, or None; dotted name)."""
    found: list[tuple[Path | None, str]] = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found += [(None, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = file.parents[node.level - 1] if node.level else None
            found.append((base, node.module or ""))
            found += [(base, f"{node.module}.{alias.name}" if node.module else alias.name) for alias in node.names]
    return found


def helpers_beside(file: Path) -> dict[str, Path]:
    """The modules that a lone file imports from beside it, by the name they are imported under."""
    return {path.stem: path for path in sources_of(file) if path.parent == file.parent and path != file}
