"""The reference of all commands and options in docs/commands.md, generated from the command line itself.

python benchmarks/command_reference.py            writes it into the page
python benchmarks/command_reference.py --check    changes nothing, and exits with 1 if the page says otherwise
"""

import inspect
import sys
from collections.abc import Iterator, Sequence

import click
from pages import ROOT, renew

from arena.cli import main as arena

PAGE = ROOT / "docs" / "commands.md"


def commands_of(group: click.Group, prefix: str = "arena") -> Iterator[tuple[str, click.Command]]:
    """Each command that can be called, with its full name."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands_of(command, f"{prefix} {name}")
        else:
            yield f"{prefix} {name}", command


def reference() -> str:
    """A list of all commands, then a section for each of them."""
    commands = list(commands_of(arena))
    lines = ["", ",\n".join(f"[{name.removeprefix('arena ')}](#{name.replace(' ', '-')})" for name, _ in commands)]
    for name, command in commands:
        lines += ["", *section(name, command)]
    return "\n".join(lines) + "\n\n"


def section(name: str, command: click.Command) -> Iterator[str]:
    """How a command is called, what it does, and its options."""
    context = click.Context(command, info_name=name)
    yield from (f"## {name}", "", f"`{name} {' '.join(command.collect_usage_pieces(context))}`", "")
    yield inspect.cleandoc(command.help or "")
    options = [option.get_help_record(context) for option in command.params if isinstance(option, click.Option)]
    if options:
        yield from ("", "| option | what it does |", "|---|---|")
        yield from (f"| `{cell(words)}` | {cell(text)} |" for words, text in filter(None, options))


def cell(text: str) -> str:
    """A text in one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or check it."""
    renew(
        PAGE,
        "commands",
        reference(),
        "command_reference.py",
        "--check" in (sys.argv if arguments is None else arguments),
    )


if __name__ == "__main__":
    main()
