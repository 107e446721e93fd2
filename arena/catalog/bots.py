"""Finds bots by name: entry points, files and programs. Only this module loads the package `bots`."""

import contextlib
import importlib.util
import inspect
import re
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from arena.catalog.maps import maps_package
from arena.engine.external.command import find_program, is_command
from arena.engine.parameters import check_parameters, parse_parameters
from arena.errors import UsageError, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from arena.engine.bots import Bot, Entrant

GROUP = "arena.bots"
FILE_SPEC = re.compile(r"(?P<file>.+\.py):(?P<name>\w+)(?::(?P<parameters>.*))?")


class LoadError(UsageError):
    """A bot is there, but its code cannot be loaded."""


@cache
def bot_entry_points() -> "dict[str, list[EntryPoint]]":
    """The installed bots by name; two distributions may claim the same one."""
    from importlib.metadata import entry_points  # with it comes all that reads mail: maps need none of it

    found: dict[str, list[EntryPoint]] = {}
    for entry in sorted(entry_points(group=GROUP)):
        same = found.setdefault(entry.name, [])
        if entry.value not in [other.value for other in same]:
            same.append(entry)
    return found


def shipped_bots() -> list[str]:
    """The names of the arena's own bots: those whose entry points lead into the package `bots`."""
    found = bot_entry_points().items()
    return [name for name, entries in found if any(entry.module.partition(".")[0] == "bots" for entry in entries)]


def load_entrants(specs: Sequence[str], *, isolate: bool = False) -> list["Entrant"]:
    """The bots of some specs; a spec named again is an entrant of its own (`random`, `random#2`).

    Bots of the same name in different files are told apart by the folders of these.
    isolate: only the arena's own compiled bots are loaded here; the others load in processes of their own.
    """
    from dataclasses import replace

    entrants = [_isolated(spec) if isolate else load_entrant(spec) for spec in specs]
    files: dict[str, set[str]] = {}
    for entrant in entrants:
        files.setdefault(entrant.name, set()).add(entrant.spec)
    entrants = [replace(e, name=_with_folder(e)) if len(files[e.name]) > 1 else e for e in entrants]
    seen: Counter[str] = Counter()
    for index, entrant in enumerate(entrants):
        seen[entrant.name] += 1
        if seen[entrant.name] > 1:
            entrants[index] = replace(entrant, name=f"{entrant.name}#{seen[entrant.name]}")
    return entrants


def _with_folder(entrant: "Entrant") -> str:
    file = None if is_command(entrant.spec) else _split(entrant.spec)[0]
    return f"{file.resolve().parent.name}/{entrant.name}" if file else entrant.name


def _split(spec: str) -> tuple[Path | None, str, str]:
    """What a spec names: the file, if there is one, the bot, and its parameters as they are written."""
    if match := FILE_SPEC.fullmatch(spec):
        return Path(match["file"]).expanduser(), match["name"], match["parameters"] or ""
    name, _, parameters = spec.partition(":")
    return None, name, parameters


def load_entrant(spec: str) -> "Entrant":
    """The bot of one spec: `name`, `path.py:Class`, both perhaps with `:key=value,...`, or `cmd:PROGRAM ARGUMENTS`."""
    if is_command(spec):
        return _of_program(spec)
    file, name, text = _split(spec)
    parameters = parse_parameters(spec, text)
    return make_entrant(_title(spec), spec, _from_file(file, name) if file else _from_entry_point(name), parameters)


def _title(spec: str) -> str:
    """The name of a bot in the tables."""
    file, name, parameters = _split(spec)
    return ":".join(filter(None, (file.name if file else "", name, parameters)))


def _isolated(spec: str) -> "Entrant":
    """The entrant of a spec; of a bot that is not a compiled one of ours no line is run here."""
    from arena.engine.bots import Entrant, Policy
    from arena.engine.external.isolated import Isolated
    from arena.engine.external.process import require_processes

    require_processes("--isolate")
    if is_command(spec):
        return _of_program(spec)
    file, name, text = _split(spec)
    there, source = spec, file and file.resolve()
    if file and source:
        if not source.is_file():
            raise UsageError(f"bot file {file} does not exist")
        there = ":".join(filter(None, (str(source), name, text)))
    elif (module := _entry_point(name).module).partition(".")[0] != "bots":
        source = _source_of(module)
    else:
        maps_package()  # the package of that name is ours
        entrant = load_entrant(spec)
        if isinstance(entrant.bot, Policy):
            return entrant
    return Entrant(_title(spec), spec, Isolated(there, source), parse_parameters(spec, text), "")


def _source_of(module: str) -> Path | None:
    """The file of a module, found without an import; None for a module without a file."""
    parts = module.split(".")
    folders, spec = None, None
    for index in range(len(parts)):
        spec = PathFinder.find_spec(".".join(parts[: index + 1]), folders)
        if spec is None:
            return None
        folders = spec.submodule_search_locations
    return Path(spec.origin).resolve() if spec and spec.origin else None


def _of_program(spec: str) -> "Entrant":
    """The entrant of a program, which is not started yet."""
    from arena.engine.bots import Entrant
    from arena.engine.external.process import require_processes
    from arena.engine.external.program import Program
    from arena.rules.compiler.digests import digest_of

    require_processes(f"bot {spec!r}")
    command = find_program(spec)
    try:
        digest = digest_of(map(Path, command.files))
    except OSError as error:
        raise UsageError(f"bot {spec!r}: {error.filename} cannot be read: {error.strerror}") from None
    return Entrant(spec, spec, Program(command.argv, command.files), {}, digest)


def make_entrant(name: str, spec: str, bot: Any, parameters: dict[str, Any]) -> "Entrant":
    """The entrant of a class or policy at hand; UsageError if it is no bot, or takes other parameters."""
    from arena.engine.bots import Entrant, Policy
    from arena.engine.sources import sources_digest

    _check(spec or name, bot, parameters)
    file = bot.file if isinstance(bot, Policy) else inspect.getfile(bot)
    return Entrant(name, spec, bot, parameters, sources_digest(file))


def _entry_point(name: str) -> "EntryPoint":
    entries = bot_entry_points()
    if name not in entries:
        if name.endswith(".py"):
            raise UsageError(f"bot {name!r} names a file but no class in it: write {name}:MyBot")
        if Path(name, "pyproject.toml").is_file():
            raise UsageError(f"unknown bot {name!r}: there is a package {name} here; is it installed (pip install -e)?")
        raise unknown("bot", name, entries)
    if len(entries[name]) > 1:
        owners = " and by ".join(f"{entry.dist.name if entry.dist else '?'} ({entry.value})" for entry in entries[name])
        raise UsageError(f"bot {name!r} is declared by {owners}: uninstall one of them")
    return entries[name][0]


def _from_entry_point(name: str) -> Any:
    entry = _entry_point(name)
    value = entry.value
    with _import_guard(f"bot {name!r} ({value})"):
        bot = entry.load()
    if inspect.ismodule(bot):
        raise UsageError(f"bot {name!r} ({value}) names a module but no bot in it: write {value}:MyBot as entry point")
    return bot


class _FromSource(SourceFileLoader):
    """Compiles what the file holds now: Python takes one of the same size and second for what it compiled before."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the module."""
        return self.source_to_code(self.get_data(self.path), self.path)


def _from_file(file: Path, name: str) -> Any:
    if not file.is_file():
        raise UsageError(f"bot file {file} does not exist")
    # The same name in every process: compiled code remembers the module it came from.
    module_name = f"arena_bot_{file.stem}_{blake2b(bytes(file.resolve()), digest_size=8).hexdigest()}"
    module = sys.modules.get(module_name)
    if module is None:
        path = file.resolve()
        spec = importlib.util.spec_from_file_location(module_name, path, loader=_FromSource(module_name, str(path)))
        if spec is None or spec.loader is None:
            raise UsageError(f"bot file {file} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        folder = str(file.resolve().parent)
        sys.path.insert(0, folder)  # helpers beside the file are imported first, as from a script
        try:
            with _import_guard(f"bot file {file}"):
                spec.loader.exec_module(module)
                _check_helpers(file)
        except UsageError:
            del sys.modules[module_name]
            raise
        finally:
            sys.path.remove(folder)
            sys.path.append(folder)  # for what a bot imports while it plays
    if not hasattr(module, name):
        from arena.engine.bots import Bot, Policy

        found = [
            key for key, value in vars(module).items()
            if isinstance(value, Policy) or (inspect.isclass(value) and issubclass(value, Bot) and value is not Bot)
        ]  # fmt: skip
        if not found:
            raise UsageError(f"bot file {file} has neither a bot {name!r} nor any other")
        raise UsageError(f"bot file {file}: {unknown('bot', name, found)}")
    return getattr(module, name)


def _check_helpers(file: Path) -> None:
    """Two files cannot bring different helpers of one name: the second would silently play with the first one's."""
    from arena.engine.sources import helpers_beside

    for name, path in helpers_beside(file.resolve()).items():
        loaded = getattr(sys.modules.get(name), "__file__", None)
        if loaded and Path(loaded).resolve() != path:
            raise UsageError(
                f"bot file {file} brings a module {name!r}, but {loaded} has that name already: "
                "rename one of them, or make each bot a package"
            )


@contextlib.contextmanager
def _import_guard(what: str) -> Any:
    """Run a bot's module: what it prints goes to stderr, and any exception becomes one sentence."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise LoadError(f"{what} does not import: {reason}") from error


def _check(spec: str, bot: Any, parameters: dict[str, Any]) -> None:
    """Everything about a bot that can be found wrong before a game: UsageError says what."""
    from arena.engine.bots import Bot, Policy

    if isinstance(bot, Policy):
        bot.check()
    elif inspect.isclass(bot) and issubclass(bot, Bot):
        _check_class(spec, bot)
    elif isinstance(bot, Bot):
        raise UsageError(f"bot {spec!r} is an instance of {type(bot).__name__}: give the class itself")
    else:
        raise UsageError(f"bot {spec!r} is neither a class derived from arena.bot.Bot nor a function marked @policy")
    check_parameters(spec, bot, parameters)


def _check_class(spec: str, bot: type["Bot"]) -> None:
    from arena.engine.bots import Bot

    name = bot.__name__
    if bot.choose is Bot.choose or not callable(bot.choose):
        raise UsageError(f"bot {spec!r}: class {name} does not define choose(self, view)")
    try:
        inspect.signature(bot.choose).bind(None, None)
    except TypeError:
        takes = inspect.signature(bot.choose)
        raise UsageError(f"bot {spec!r}: {name}.choose takes {takes}; it must take (self, view)") from None
    for method in ("prepare", "repeatable"):
        if inspect.isfunction(inspect.getattr_static(bot, method)):
            raise UsageError(f"bot {spec!r}: {name}.{method} must be a class method: write @classmethod above it")
