"""`arena run` and its options: play a tournament and print its report."""

from pathlib import Path
from typing import Any

import click

from arena.cli.options import JOBS, JSON_REPORT, PATH, SEED, SET
from arena.cli.output import say


def _read_config(context: click.Context, parameter: click.Parameter, file: Path | None) -> None:
    """What the file says stands where the command line says nothing; rules of both are put together."""
    if file is None or context.resilient_parsing:
        return
    from arena.cli.config import read_config

    values: dict[str, Any] = read_config(file.expanduser())
    context.obj = values.pop("set", [])
    names = {p.opts[0].lstrip("-"): str(p.name) for p in context.command.params}
    context.default_map = {names[key]: value for key, value in values.items()}


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT...]")
@click.option("--map", metavar="MAP", help="A name (`arena maps list`) or a file.  [default: the base game's]")
@SET
@click.option(
    "--players", type=int, metavar="K", help="Seats in a game, 2 to 5.  [default: the number of bots, up to 5]"
)
@click.option(
    "--games",
    type=int,
    default=1000,
    show_default=True,
    metavar="N",
    help="Number of games, rounded up to whole deals.",
)
@click.option(
    "--format",
    type=click.Choice(["round-robin", "gauntlet", "lineup"]),
    default="round-robin",
    show_default=True,
    help="Who meets whom: all line-ups of K bots, the first bot against all fields of the "
    "others, or one line-up of exactly these.",
)
@click.option(
    "--seating",
    type=click.Choice(["rotation", "ring", "all", "once"]),
    default="rotation",
    show_default=True,
    help="Seatings of each deal: rotations, those that put everyone right after everyone, "
    "all orders, or a single random one (for copies of one bot).",
)
@click.option(
    "--design",
    type=click.Choice(["all", "balanced"]),
    help="All line-ups, or fewer in which all pairs meet equally often.  [default: all if the games are enough]",
)
@SEED
@JOBS
@click.option(
    "--move-time",
    type=float,
    default=30.0,
    show_default=True,
    metavar="S",
    help="Time limit per decision, in seconds (0 = none).",
)
@click.option(
    "--game-time",
    type=float,
    default=0.0,
    metavar="S",
    help="Time limit per seat and game, in seconds.  [default: none]",
)
@click.option(
    "--memory",
    default="2G",
    show_default=True,
    metavar="SIZE",
    help="Memory limit per bot, for example 512M (0 = none).",
)
@click.option(
    "--on-fault",
    type=click.Choice(["stand-in", "forfeit", "abort"]),
    default="stand-in",
    show_default=True,
    help="After a fault of a bot: let a random player continue, end the game, or end the run.",
)
@click.option("--isolate", is_flag=True, help="Run each Python bot in a separate, restricted process.")
@click.option("--detail/--no-detail", default=True, show_default=True, help="Also record claims, tickets and draws.")
@click.option(
    "--force-tickets", is_flag=True, help="Play each deal once per ticket, dealt to one seat, to measure its effect."
)
@click.option("--note", default="", metavar="TEXT", help="A sentence to keep with the run, which its report shows.")
@click.option("--shard", metavar="I/N", help="Play only part I of N, to be joined by `arena merge`.")
@click.option("--out", type=PATH, metavar="DIR", help="Directory for the results.  [default: results/...]")
@click.option(
    "--config",
    type=PATH,
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=_read_config,
    help="Read bots and options from a TOML file; options given here override it.",
)
@JSON_REPORT
def run(as_json: bool, **options: Any) -> None:
    """Play BOTs against each other and report.

    A BOT is a name (`arena bots list`), a name with parameters (racer:shortest=6), a class or policy in a file
    (my_bot.py:MyBot) or a program in any language (cmd:./my_bot). Each deal is played in several seatings
    (--seating). With more bots than seats line-ups of K bots play in turn; a bot named twice is two entrants.
    """
    from arena.cli.reporter import reported
    from arena.tournament.request import Request

    request = Request.of_options(of_file=click.get_current_context().obj or (), **options)
    with reported(as_json) as report:  # begun before anything is imported that only games need
        from arena.runs.progress import live_display
        from arena.runs.session import play_tournament

        report(play_tournament(request, say, live_display))
