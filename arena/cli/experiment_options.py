"""The options that `arena balance`, `diff` and `sweep` share."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from arena.experiments.specification import Specification

OPTIONS = (
    click.option("--bots", default="planner", show_default=True, metavar="A,B,...", help="Bots that play; a single bot "
                 "plays against copies of itself."),
    click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="The same seed deals the same "
                 "games."),
    click.option("--jobs", type=click.IntRange(1, 1000), metavar="J",
                 help="Worker processes.  [default: one per core]"),
    click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Directory for the results; an "
                 "interrupted study continues there.  [default: results/...]"),
    click.option("--format", "form", type=click.Choice(["text", "md", "html", "csv", "json"]), default="text",
                 show_default=True, help="Output format, as in arena report."),
    click.option("-o", "--output", type=click.Path(path_type=Path), metavar="PATH",
                 help="Write to this file or folder."),
    click.option("--explain", is_flag=True, help="Explain each column in a plain sentence."),
)  # fmt: skip
NUMBERS = click.option(
    "--players", multiple=True, default=("2,4",), metavar="K", help="Numbers of players: 2, 2,4 or 2-5.  [default: 2,4]"
)


def study_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command all of them."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def given(options: Mapping[str, str]) -> str:
    """Which of some options, by the names of their parameters, stand on the command line; empty if none does."""
    context = click.get_current_context()
    return ", ".join(
        f"--{option}" for name, option in options.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    )  # fmt: skip


def played(specification: "Specification", jobs: int | None, out: Path | None) -> Path:
    """Play what is missing of a study and return its directory; exit if somebody interrupts it."""
    from arena.cli.finish import say
    from arena.experiments.specification import default_directory, play_study
    from arena.runs.progress import live_display

    directory = out.expanduser() if out else default_directory(specification)
    if not play_study(specification, directory, jobs, say, live_display):
        click.echo(f"Interrupted: the same command with --out {directory} goes on.", err=True)
        raise SystemExit(130)
    return directory
