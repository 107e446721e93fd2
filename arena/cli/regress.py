"""`arena regress`: whether a bot is still as strong as it was, or stronger than another one."""

import sys
from pathlib import Path

import click


@click.command(short_help="Whether a bot is better, no worse or worse than another.")
@click.argument("candidate", metavar="CANDIDATE")
@click.option("--against", metavar="BASELINE", help="A bot, or a file that --save-baseline wrote.")
@click.option(
    "--save-baseline", type=click.Path(path_type=Path), metavar="FILE", help="Pin CANDIDATE, to compare later."
)
@click.option("--field", multiple=True, metavar="BOT,...", help="The other bots.  [default: the baseline itself]")
@click.option("--map", "maps", multiple=True, metavar="MAP", help="Where; may be repeated.  [default: the base game's]")
@click.option("--set", "settings", multiple=True, metavar="RULE=N", help="Another rule number.")
@click.option("--players", multiple=True, type=int, metavar="K", help="Seats; may be repeated.  [default: 2]")
@click.option("--gain", metavar="P0,P1", help="Did it gain P1 points of win share, or no more than P0?")
@click.option("--no-loss", type=float, metavar="P", help="Did it lose nothing, or P points?  [default: 3]")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often a failure may pass.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often a success may fail.")
@click.option("--max-games", type=int, default=20_000, show_default=True, metavar="N", help="Then it is undecided.")
@click.option("--seating", type=click.Choice(["rotation", "ring", "all"]), help="As in arena run.  [default: rotation]")
@click.option("--seed", type=int, metavar="S", help="Of the deals.  [default: 1]")
@click.option("--jobs", type=click.IntRange(1, 1000), metavar="J", help="Worker processes.  [default: one a core]")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON object.")
def regress(candidate: str, against: str | None, save_baseline: Path | None, field: tuple[str, ...],
            maps: tuple[str, ...], settings: tuple[str, ...], players: tuple[int, ...], gain: str | None,
            no_loss: float | None, alpha: float, beta: float, max_games: int, seating: str | None, seed: int | None,
            jobs: int | None, as_json: bool) -> None:  # fmt: skip
    """Compare CANDIDATE with a baseline: better, no worse, worse or undecided.

    The candidate takes the baseline's chair on the same deals against the same field, until the answer is sure enough
    (a sequential test). Exit code 0: passed, 1: failed, 3: undecided after all games.
    """
    import json

    from arena.cli.output import own_stdout, put
    from arena.errors import UsageError
    from arena.regression.options import parse_gain, split_bots
    from arena.regression.run import regress as compare
    from arena.regression.run import save_baseline as save
    from arena.runs.progress import status_line
    from arena.runs.start import parse_settings

    if (against is None) == (save_baseline is None):
        raise UsageError("name either --against BASELINE or --save-baseline FILE")
    stdout = own_stdout() if as_json else sys.stdout
    others, rules = split_bots(field), parse_settings(settings)

    def say(text: str) -> None:
        click.echo(text, err=True)

    with status_line() as progress:
        if save_baseline is not None:
            saved = save(
                candidate, save_baseline.expanduser(), field=others, maps=maps, players=players, settings=rules,
                max_games=max_games, seed=seed, seating=seating, jobs=jobs, say=say, progress=progress,
            )  # fmt: skip
            text, data, code = f"{saved.games:,} games of {saved.bot} are kept in {save_baseline}\n", saved.summary, 0
        elif against is not None:
            verdict = compare(
                candidate, against, field=others, maps=maps, players=players, settings=rules, gain=parse_gain(gain),
                no_loss=no_loss, alpha=alpha, beta=beta, max_games=max_games, seed=seed, seating=seating, jobs=jobs,
                say=say, progress=progress,
            )  # fmt: skip
            text, data, code = "\n".join([*verdict.lines, ""]), verdict.to_json(), verdict.exit_code
    put(json.dumps(data, indent=2) + "\n" if as_json else text, stdout)
    sys.exit(code)
