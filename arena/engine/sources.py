"""Which source files decide games: those of the engine, and each bot's file with what it imports from beside it."""

import ast
from functools import cache, lru_cache
from pathlib import Path

from arena.rules.compiler.digests import digest_of

ARENA = Path(__file__).resolve().parent.parent
ENGINE = (
    "engine/*.py", "engine/external/*.py", "tournament/balanced_designs.py", "tournament/designs.py",
    "tournament/schedule.py", "runs/suspension.py",
)  # fmt: skip
"""The files that decide games besides the rules: what bots see, who is seated, who is suspended."""
SITE_FOLDERS = ("site-packages", "dist-packages")


@cache
def engine_digest() -> str:
    """The digest of the engine: two arenas that agree in it and in the rules play the same games of a plan."""
    return digest_of([file for pattern in ENGINE for file in ARENA.glob(pattern)])


@cache
def sources_digest(file: str) -> str:
    """The digest of a bot's sources: other digest, other bot."""
    return digest_of(sources_of(Path(file).resolve()))


def sources_of(file: Path) -> set[Path]:
    """A bot's file and what it imports, directly or not, from its own package, or from beside it if it lies alone.

    Installed packages are not followed: their versions say what they are; nor is the arena, which has its own digest.
    """
    if ARENA in file.parents:
        return {file}
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
        for level, name in _imports(path.read_bytes()):
            base = path.parents[level - 1] if level else None
            first = name.split(".")[0]
            if base or (first == package if package else first != "arena" and not alone):
                start = (base or root).joinpath(*name.split(".")) if name else base or root
                waiting += [start.with_suffix(".py"), start / "__init__.py"]
    return found


@lru_cache(maxsize=512)  # by content: the bots of a package share most of their files
def _imports(source: bytes) -> list[tuple[int, str]]:
    """What a file imports, as (how many folders up a relative import starts, 0 for an absolute one; dotted name)."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = f"{node.module}." if node.module else ""
            found.append((node.level, node.module or ""))
            found += [(node.level, module + alias.name) for alias in node.names]
    return found


def helpers_beside(file: Path) -> dict[str, Path]:
    """The modules that a lone file imports from beside it, by the name they are imported under."""
    return {path.stem: path for path in sources_of(file) if path.parent == file.parent and path != file}
