"""`arena cache`: compiled code as a file for other machines, and the removal of old folders."""

import io
import json
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, UsageError, unknown
from arena.files import make_folder, write_whole
from arena.rules.compiler.digests import compiler_digest, kernels_digest
from arena.rules.compiler.numba_settings import versions
from arena.rules.compiler.place import LEVELS, cache_root, level_file
from arena.rules.compiler.store import CACHE_NAME

MANIFEST = "manifest.json"
_WORDS = {"python": "Python", "numba": "Numba", "llvmlite": "llvmlite", "numpy": "NumPy", "system": "the system"}


def require_level(level: str) -> None:
    """UsageError for a level that does not exist, or that this processor has not."""
    if level not in LEVELS:
        raise unknown("processor level", level, LEVELS)
    if missing := _missing(level):
        raise UsageError(f"this processor is below {level}: it has no {', '.join(missing)}")


def _missing(level: str) -> list[str]:
    """The instructions of a level that this processor does not have."""
    import llvmlite.binding

    here = llvmlite.binding.get_host_cpu_features()
    return [feature for feature in LEVELS[level].split() if not here.get(feature)]


def pack(root: Path, level: str | None, file: Path) -> int:
    """Write the code of a cache folder, which was compiled for a level or for this processor, to a file: its bytes.

    ArenaError, and no file, if it cannot be written.
    """
    fit = {**versions(), "cpu": level or versions()["cpu"], "rules": kernels_digest(), "compiler": compiler_digest()}
    text = json.dumps(fit, indent=2).encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        about = tarfile.TarInfo(MANIFEST)
        about.size = len(text)
        archive.addfile(about, io.BytesIO(text))
        for folder in _folders(root):
            for path in sorted(folder.iterdir()):
                if path.is_file() and path.suffix != ".lock":
                    archive.add(path, f"{folder.name}/{path.name}")
    write_whole(file, packed.getvalue())
    return len(packed.getvalue())


def unpack(file: Path) -> str:
    """Put the code of a file into the cache; for which processors it is. ArenaError if it does not fit here."""
    try:
        with tarfile.open(file, "r:gz") as archive:
            members = {member.name: member for member in archive.getmembers()}
            about = members.pop(MANIFEST, None)
            stream = about and archive.extractfile(about)
            if not stream:
                raise ArenaError(f"{file} holds no compiled code of the arena")
            manifest = json.loads(stream.read())
            _require_fit(file, manifest)
            root, level = cache_root(), manifest["cpu"] if manifest["cpu"] in LEVELS else None
            for name, member in members.items():
                folder, _, base = name.partition("/")
                content = archive.extractfile(member) if member.isfile() else None
                if content is None or not CACHE_NAME.fullmatch(folder) or not base or "/" in base or base[0] == ".":
                    raise ArenaError(f"{file} holds {name!r}, which is not compiled code")
                make_folder(root / folder)
                write_whole(root / folder / base, content.read())
            if level:
                write_whole(level_file(root), f"{level}\n".encode())
            else:
                level_file(root).unlink(missing_ok=True)
    except (tarfile.TarError, EOFError, ValueError, KeyError, TypeError) as error:
        raise ArenaError(f"{file} is damaged, or was not written by `arena cache export`: {error}") from None
    except OSError as error:
        raise ArenaError(f"cannot read or unpack {file}: {error.strerror or error}") from None
    return str(manifest["cpu"])


def _require_fit(file: Path, manifest: dict[str, Any]) -> None:
    """ArenaError that says what differs between there and here."""
    if manifest["rules"] != kernels_digest() or manifest["compiler"] != compiler_digest():
        raise ArenaError(f"{file} was made by another version of the arena: export it again with this one")
    for name, word in _WORDS.items():
        if manifest[name] != versions()[name]:
            raise ArenaError(f"{file} was made with {word} {manifest[name]}, here it is {versions()[name]}")
    if manifest["boundscheck"] != versions()["boundscheck"]:
        raise ArenaError(f"{file} was made with NUMBA_BOUNDSCHECK={manifest['boundscheck']}, which is not set so here")
    if manifest["cpu"] in LEVELS:
        if missing := _missing(manifest["cpu"]):
            raise ArenaError(f"{file} is for processors from {manifest['cpu']} on; this one has no {missing[0]}")
    elif manifest["cpu"] != versions()["cpu"]:
        raise ArenaError(
            f"{file} is for the processor {manifest['cpu']} only, this one is {versions()['cpu']}: "
            "export it with --cpu x86-64-v3"
        )


@dataclass(frozen=True)
class Folder:
    """A folder of compiled code."""

    path: Path
    modules: list[str]
    """The modules whose code it holds."""
    size: int
    """Bytes."""
    used: float
    """The time of its last use, in seconds since 1970."""


def _folders(root: Path) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir() and CACHE_NAME.fullmatch(path.name))


def contents() -> list[Folder]:
    """What lies in the cache, the folders used last first."""
    found = []
    for path in _folders(cache_root()):
        files = [file for file in path.rglob("*") if file.is_file()]
        code = [file for file in files if file.suffix in (".o", ".code")]
        names = {file.stem if file.suffix == ".o" else file.name.rpartition("-")[0].rpartition(".")[0] for file in code}
        size = sum(file.stat().st_size for file in files)
        found.append(Folder(path, sorted(names), size, path.stat().st_mtime))
    return sorted(found, key=lambda folder: -folder.used)


def clear() -> int:
    """Delete all compiled code; how many bytes that were."""
    freed = sum(folder.size for folder in contents())
    try:
        for path in _folders(cache_root()):
            shutil.rmtree(path)
        level_file(cache_root()).unlink(missing_ok=True)
    except OSError as error:
        raise ArenaError(f"cannot delete {error.filename}: {error.strerror or error}") from None
    return freed
