"""Checks of packages, processor, disk, memory and the cache of compiled code.

It loads nothing of the arena at import: whatever is broken shall be found here, not at the first line.
"""

import importlib
import os
import platform
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from arena.checks.findings import PROBLEM, WARNING, Finding, joined
from arena.texts import counted, in_bytes

DISTRIBUTION = "ttr-arena"
NEEDS_PYTHON = (3, 11)
REQUIREMENT = re.compile(r"([\w.-]+)(?:>=([\d.]+))?")
TELLING = ("NUMBA_", "ARENA_", "PYTHON")
"""Environment variables with these beginnings change how the arena runs."""
WORKER_MEMORY = 300 << 20
"""About what a worker takes, with a bot or two."""
LEAST_DISK, LITTLE_DISK = 64 << 20, 1 << 30


def versions() -> Finding:
    """Python and all packages that the arena needs: there, importable, new enough."""
    import arena

    complaints, packages = [], {"arena": arena.__version__, "python": platform.python_version()}
    if sys.version_info < NEEDS_PYTHON:
        complaints.append((PROBLEM, f"Python {'.'.join(map(str, NEEDS_PYTHON))} or newer is needed."))
    try:
        installed = metadata.version(DISTRIBUTION)
        needed = [text for text in metadata.requires(DISTRIBUTION) or [] if "extra ==" not in text]
    except metadata.PackageNotFoundError:
        installed, needed = None, []
        text = f"{DISTRIBUTION} is not installed, only its folder is there: its bots have no names (pip install .)."
        complaints.append((PROBLEM, text))
    if installed and installed != arena.__version__:
        where = Path(arena.__file__).parent
        complaints.append((WARNING, f"{DISTRIBUTION} {installed} is installed, but what runs is {where}."))
    for text in needed:
        name, least = REQUIREMENT.match(text).groups()  # type: ignore[union-attr]  # they are our own
        version, complaint = _package(name, least)
        packages[name] = version
        if complaint:
            complaints.append((PROBLEM, complaint))
    return joined("versions", ", ".join(f"{name} {version}" for name, version in packages.items()) + ".", complaints,
                  packages=packages)  # fmt: skip


def _package(name: str, least: str | None) -> tuple[str, str]:
    """The version of a package, and what is wrong with it."""
    try:
        version = metadata.version(name)
        importlib.import_module(name.replace("-", "_"))
    except metadata.PackageNotFoundError:
        return "missing", f"{name} is not installed."
    except Exception as error:  # whatever a broken package raises
        return version, f"{name} does not import: {' '.join(f'{type(error).__name__}: {error}'.split())[:300]}."
    if least and _numbers(version) < _numbers(least):
        return version, f"{name} must be {least} or newer."
    return version, ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def machine() -> Finding:
    """System, processor, cores."""
    from arena.runs.processes import available_cores

    processor = platform.processor() or platform.machine()
    with suppress(Exception):  # the name is a courtesy
        import llvmlite.binding

        processor = f"{platform.machine()} ({llvmlite.binding.get_host_cpu_name()})"
    cores, there = available_cores(), os.cpu_count() or 1
    of = f" of {there}" if there != cores else ""
    detail = f"{platform.platform()}, {processor}, {cores}{of} {'core' if cores == 1 else 'cores'}."
    return Finding("machine", "ok", detail, {"platform": platform.platform(), "processor": processor, "cores": cores})


def settings() -> Finding:
    """The environment variables that change how the arena runs."""
    variables = {name: os.environ[name] for name in sorted(os.environ) if name.startswith(TELLING)}
    complaints = []
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        complaints.append((WARNING, "NUMBA_DISABLE_JIT: nothing is compiled: games take a hundred times as long."))
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") != "0":
        complaints.append((WARNING, "NUMBA_BOUNDSCHECK: every index is checked, which slows games down."))
    text = " ".join(f"{name}={value}" for name, value in variables.items()) or "No relevant variable is set"
    return joined("environment", f"{text}.", complaints, variables=variables)


def cache() -> Finding:
    """Where compiled code is kept, how much of it there is, and whether the rules are compiled already."""
    import platformdirs

    from arena.rules.compiler import INTERPRETED
    from arena.rules.compiler.place import cache_root
    from arena.rules.compiler.store import cache_dir
    from arena.rules.compiler.travel import Folder, contents

    wanted = Path(os.environ.get("ARENA_CACHE_DIR") or platformdirs.user_cache_dir("ttr-arena"))
    root = cache_root()
    complaints = []
    if root != wanted:
        text = (
            f"{wanted} cannot be written{_why(wanted)}: compiled code lies in a temporary folder, which may be "
            "emptied. ARENA_CACHE_DIR names another one."
        )
        complaints.append((WARNING, text))
    kept: list[Folder] = []
    with suppress(OSError):  # another process may be tidying up
        kept = contents()
    size, folders = sum(folder.size for folder in kept), len(kept)
    warm = not INTERPRETED and (cache_dir() / "warm").exists()
    state = "warm" if warm else "not used" if INTERPRETED else "cold: the first game waits until the rules are compiled"
    detail = f"{root}, writable, {in_bytes(size)} in {counted(folders, 'folder')}, {state}."
    return joined("cache", detail, complaints, folder=str(root), bytes=size, folders=folders, warm=warm)


def _why(folder: Path) -> str:
    """Why nothing can be written into a folder, in brackets."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f" ({error.strerror or error})"


def disk() -> Finding:
    """Free space where runs, compiled code and temporary files go, and whether they can be written."""
    from arena.rules.compiler.place import cache_root

    here = Path.cwd()
    complaints, free = [], {}
    for what, folder in (("current folder", here), ("cache", cache_root()), ("temporary", Path(tempfile.gettempdir()))):
        free[what] = shutil.disk_usage(folder).free
        if reason := _why(folder):
            advice = ": name another one with --out" if folder == here else ""
            complaints.append((WARNING, f"{folder} cannot be written{reason}{advice}."))
        if free[what] < LITTLE_DISK:
            status = PROBLEM if free[what] < LEAST_DISK else WARNING
            complaints.append((status, f"{folder} is nearly full; a million games take about 30 MB."))
    detail = "Free: " + ", ".join(f"{what} {in_bytes(size)}" for what, size in free.items()) + "."
    return joined("disk", detail, complaints, free_bytes=free)


def memory() -> Finding:
    """Memory that is free for workers."""
    from arena.runs.processes import available_cores

    available, total = free_memory()
    if available is None or total is None:
        return Finding("memory", "ok", "This system does not say how much is free.")
    needed = WORKER_MEMORY * available_cores()
    complaints = []
    if available < needed:
        complaints.append((WARNING, f"{available_cores()} workers take about {in_bytes(needed)}: use fewer (--jobs)."))
    detail = f"{in_bytes(available)} of {in_bytes(total)} are free."
    return joined("memory", detail, complaints, available_bytes=available, total_bytes=total)


def isolation() -> Finding:
    """What `--isolate` can keep from a bot here."""
    try:
        from arena.engine.external.sandbox import available, in_words
    except ImportError as error:
        return Finding("isolation", WARNING, f"Not available on this system (--isolate): {error}.")
    guards = available()
    status = "ok" if all(guard.holds for guard in guards) else WARNING
    holding = {guard.what: guard.holds for guard in guards}
    return Finding("isolation", status, in_words(guards).replace("\n", " "), {"guards": holding})


def free_memory() -> tuple[int | None, int | None]:
    """Bytes available and bytes in all, by what the system and the limit of a container say; None for unknown."""
    available = total = None
    try:
        facts = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        available, total = (1024 * int(facts[name].split()[0]) for name in ("MemAvailable", "MemTotal"))
        group = Path("/sys/fs/cgroup")
        most = int((group / "memory.max").read_text())  # `max`, no number, where there is no limit
        total = min(total, most)
        available = min(available, most - int((group / "memory.current").read_text()))
    except (OSError, ValueError, KeyError, IndexError):
        pass
    return available, total
