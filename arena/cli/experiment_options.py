"""The options that `arena balance`, `diff` and `sweep` share."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from arena.cli.options import EXPLAIN, JOBS, PATH, SEED
from arena.cli.output import say

if TYPE_CHECKING:
    from arena.experiments.specification import Specification

OPTIONS = (
    click.option("--bots", default="planner", show_default=True, metavar="A,B,...", help="Bots that play; a single bot "
                 "plays against copies of itself."),
    SEED,
    JOBS,
    click.option("--out", type=PATH, metavar="DIR", help="Directory for the results; an "
                 "interrupted study continues there.  [default: results/...]"),
    click.option("--format", "form", type=click.Choice(["text", "md", "html", "csv", "json"]), default="text",
                 show_default=True, help="Output format, as in arena report."),
    click.option("-o", "--output", type=PATH, metavar="PATH", help="Write to this file or folder."),
    EXPLAIN,
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
    from arena.experiments.specification import default_directory, play_study
    from arena.runs.progress import live_display

    directory = out.expanduser() if out else default_directory(specification)
    if not play_study(specification, directory, jobs, say, live_display):
        say(f"Interrupted: the same command with --out {directory} goes on.")
        raise SystemExit(130)
    return directory
