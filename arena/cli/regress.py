"""`arena regress` and its options: whether a bot is stronger, or no weaker, than another."""

import sys
from pathlib import Path
from typing import Any

import click

from arena.cli.options import JOBS, PATH, SET
from arena.cli.output import in_json, own_stdout, put, say

BASELINE_NEEDS_NONE = ("gain", "no_loss", "alpha", "beta")


@click.command(
    context_settings={"allow_extra_args": True},  # for an error of our own
)
@click.argument("candidate", metavar="CANDIDATE")
@click.option("--against", metavar="BASELINE", help="Bot to compare with, or a file written by --save-baseline.")
@click.option("--save-baseline", type=PATH, metavar="FILE", help="Save how CANDIDATE plays, to compare with later.")
@click.option(
    "--field", multiple=True, metavar="BOT,...", help="Bots in the other seats.  [default: the baseline itself]"
)
@click.option("--map", "maps", multiple=True, metavar="MAP", help="Map; can be repeated.  [default: the base game's]")
@SET
@click.option("--players", multiple=True, type=int, metavar="K", help="Seats in a game; can be repeated.  [default: 2]")
@click.option("--gain", metavar="P0,P1", help="Test whether it gained P1 points of win share, or at most P0.")
@click.option(
    "--no-loss", type=float, metavar="P", help="Test whether it lost nothing, or P points of win share.  [default: 3]"
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Type I error: how often a worse bot may pass."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Type II error: how often a good bot may fail."
)
@click.option(
    "--max-games", type=int, default=20_000, show_default=True, metavar="N", help="Stop as undecided after N games."
)
@click.option(
    "--seating",
    type=click.Choice(["rotation", "ring", "all"]),
    help="Seatings of each deal, as in arena run.  [default: rotation]",
)
@click.option("--seed", type=int, metavar="S", help="Seed of the deals.  [default: 1]")
@JOBS
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON object on stdout.")
def regress(candidate: str, against: str | None, save_baseline: Path | None, settings: tuple[str, ...], as_json: bool,
            **options: Any) -> None:  # fmt: skip
    """Test whether a bot is better, no worse or worse than a baseline.

    The candidate takes the baseline's seat on the same deals against the same opponents until the answer is sure enough
    (a sequential test). Exits with 0 if it passed, 1 if it failed, 3 if it is undecided after all games.
    """
    from arena.experiments.regress import regress as experiment
    from arena.runs.progress import status_line
    from arena.tournament.request import parse_settings

    _check_use(click.get_current_context(), against, save_baseline)
    stdout = own_stdout() if as_json else sys.stdout
    options |= {"settings": parse_settings(settings), "say": say}
    try:
        with status_line() as progress:
            if save_baseline is not None:
                saved = experiment.save_baseline(candidate, save_baseline.expanduser(), progress=progress, **options)
                text = f"{saved.games:,} games of {saved.bot} are kept in {save_baseline}"
                data, code = saved.summary, 0
            else:
                verdict = experiment.regress(candidate, str(against), progress=progress, **options)
                text, data, code = str(verdict), verdict.to_json(), verdict.exit_code
    except KeyboardInterrupt as stopped:
        click.echo(f"Interrupted: {stopped}." if str(stopped) else "Interrupted.", err=True)
        sys.exit(130)
    put(in_json(data) if as_json else f"{text}\n", stdout)
    sys.exit(code)


def _check_use(context: click.Context, against: str | None, save_baseline: Path | None) -> None:
    """UsageError for options that do not go together."""
    from arena.errors import UsageError

    if context.args:
        raise UsageError(f"too many bots: name the one to compare with as --against {context.args[0]}")
    if (against is None) == (save_baseline is None):
        raise UsageError("name either --against BASELINE or --save-baseline FILE")
    given = [
        name for name in BASELINE_NEEDS_NONE
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
    ]  # fmt: skip
    if save_baseline is not None and given:
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} asks for a test, and --save-baseline makes none: leave it out until --against")
