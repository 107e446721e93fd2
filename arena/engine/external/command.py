"""A bot in another language: the program that a spec `cmd:PROGRAM ARGUMENTS` starts (docs/protocol.md)."""

import os
import shlex
import shutil
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from arena.errors import UsageError

PREFIX = "cmd:"


@dataclass(frozen=True)
class Command:
    """A program and its arguments."""

    argv: tuple[str, ...]
    """Its command line, with whole paths for the program and for every word that names a file."""
    files: tuple[str, ...]
    """The files that the spec names: if their contents change, it is another bot."""


def is_command(spec: str) -> bool:
    """Whether a spec names a program."""
    return spec.startswith(PREFIX)


def find_program(spec: str) -> Command:
    """The program of a spec, sought in this folder and then among installed programs; UsageError if it is not found."""
    words = _words(spec)
    first = Path(words[0]).expanduser()
    if first.is_file():
        _check_runs(spec, first)
        program = str(first.absolute())
    else:
        program = _installed(spec, words[0])
    paths = [Path(word).expanduser() for word in words]
    files = [str(path.absolute()) if path.is_file() else "" for path in paths]
    if not any(files) and len(words) > 1 and _looks_like_a_file(words[1]):
        raise UsageError(f"bot {spec!r}: {words[0]} is there, but no file {words[1]}{_near(paths[1])}")
    arguments = [file or word for file, word in zip(files[1:], words[1:], strict=True)]
    return Command((program, *arguments), tuple(filter(None, files)) or (program,))


def beside(spec: str, folder: Path) -> str:
    """The spec with every word that names a file in this folder, or a program by a path, made to be found from here."""
    words = _words(spec)
    for index, word in enumerate(words):
        path = "/" in word and index == 0
        if not word.startswith("~") and (path or (folder / word).is_file()):
            words[index] = str(folder / word)
    return PREFIX + shlex.join(words)


def _words(spec: str) -> list[str]:
    try:
        words = shlex.split(spec.removeprefix(PREFIX))
    except ValueError as error:
        raise UsageError(f"bot {spec!r} is not a valid command line: {str(error)[0].lower()}{str(error)[1:]}") from None
    if not words or not words[0]:
        raise UsageError(f"bot {spec!r} names no program: write cmd:./my_bot, or cmd:'node my_bot.js'")
    if "\0" in spec:
        raise UsageError(f"bot {spec!r}: a command line has no character NUL")
    return words


def _installed(spec: str, word: str) -> str:
    path = Path(word).expanduser()
    if path.is_dir():
        raise UsageError(f"bot {spec!r}: {word} is a folder, not a program")
    found = None if "/" in word else shutil.which(word)
    if not found:
        where = "" if "/" in word else ", neither here nor among the installed ones"
        raise UsageError(f"bot {spec!r}: there is no program {word}{where}{_near(path)}")
    return os.path.abspath(found)


def _check_runs(spec: str, file: Path) -> None:
    """UsageError if a file cannot be started as it is."""
    python = " python3" if file.suffix == ".py" else " ..."
    other = f"or name what runs it: 'cmd:{python.strip()} {file}'"
    if not os.access(file, os.X_OK):
        raise UsageError(f"bot {spec!r}: {file} is not executable: chmod +x {file}, {other}")
    try:
        with file.open("rb") as opened:
            head = opened.read(256)
    except OSError:
        return  # what may be executed need not be readable
    first, newline, _ = head.partition(b"\n")
    if newline and first[:2] == b"#!" and first.endswith(b"\r"):
        raise UsageError(
            f"bot {spec!r}: no program has the name on the first line of {file}, because the line ends with CR LF: "
            "save the file with line ends of LF alone"
        )
    if head[:2] != b"#!" and head.isascii() and b"\0" not in head:
        raise UsageError(
            f"bot {spec!r}: {file} does not say what runs it: begin it with #!/usr/bin/env{python}, {other}"
        )


def _looks_like_a_file(word: str) -> bool:
    return not word.startswith("-") and ("/" in word or Path(word).suffix[1:].isalpha())


def _near(path: Path) -> str:
    """A hint to files of almost that name."""
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return ""
    near = [str(path.with_name(name)) for name in get_close_matches(path.name, names, n=3, cutoff=0.6)]
    return f": did you mean {' or '.join(near)}?" if near else ""
