"""`arena bots list`, `new` and `check` with their options."""

import shlex
import sys
from pathlib import Path

import click

from arena.cli.options import JSON, PATH
from arena.cli.output import in_json, own_stderr, put, say


@click.group()
def bots() -> None:
    """List, check and create bots."""


@bots.command("list")
@click.argument("spec", metavar="[BOT]", required=False)
def list_bots(spec: str | None) -> None:
    """List the installed bots, or describe one.

    With a BOT, prints its author's description and each of its parameters.
    """
    from arena.catalog.listing import describe_bot, describe_bots

    for line in describe_bot(spec) if spec else describe_bots():
        click.echo(line)


@bots.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "--dir",
    "folder",
    type=PATH,
    default=Path(),
    metavar="DIR",
    help="Folder to create the package in.  [default: here]",
)
def new_bot(name: str, folder: Path) -> None:
    """Create a package for your own bots.

    Creates the folder NAME with a bot as a class, a bot as a compiled function, their tests, and a pyproject.toml.
    """
    from arena.catalog.scaffold import write_package

    package = write_package(name, folder.expanduser())
    click.echo(f"written: {package}")
    click.echo(f"Next: pip install -e {shlex.quote(f'{package}[test]')} && arena bots check {name}")


@bots.command("check")
@click.argument("bot", metavar="BOT")
@click.option("--map", "maps", multiple=True, metavar="MAP", help="Check on this map only; can be repeated.")
@click.option("--games", type=click.IntRange(0, 1_000_000), default=200, show_default=True, metavar="N",
              help="Games against each shipped bot, rounded up to an even number.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0, 86_400), default=30.0, show_default=True, metavar="S",
              help="Time limit for the games against the shipped bots, in seconds.")  # fmt: skip
@JSON
def check_bot(bot: str, maps: tuple[str, ...], games: int, seconds: float, as_json: bool) -> None:
    """Check a bot on every map with 2 to 5 players.

    Every move must be legal; the view and the board must stay untouched; the bot may use no chance but its own; the
    same seed must give the same game, also in another process; compiled code must stay within its arrays. Also
    measures time and memory, and gives a first estimate of strength. Exits with 1 if a check fails.
    """
    from arena.catalog import load_entrant
    from arena.checks.bot.check_bot import check_all, compile_first, games_on
    from arena.runs.progress import said_lines

    entrant, wanted = load_entrant(bot), games_on(maps)
    compile_first(entrant, wanted, games, say)
    with own_stderr() as stderr, said_lines(stderr) as tell:  # what the bot prints is dropped
        report = check_all(entrant, wanted, games, seconds, tell)
    put(in_json(report.to_json()) if as_json else report.to_text())
    if report.failed:
        sys.exit(1)
