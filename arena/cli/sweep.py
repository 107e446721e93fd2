"""`arena sweep` and its options: what each rule moves, and how far."""

from pathlib import Path

import click

from arena.cli.experiment_options import interrupted, study_options
from arena.cli.options import MAP
from arena.cli.output import put, say


@click.command()
@MAP
@click.option("--set", "values", multiple=True, metavar="RULE=VALUES", help="Rule to vary: trains=35..50:5 or "
              "longest_path=0,10. A single value applies to all points.")  # fmt: skip
@click.option("--one-at-a-time", is_flag=True, help="Vary one rule at a time instead of all combinations.")
@click.option(
    "--players", type=click.IntRange(2, 5), default=2, show_default=True, metavar="K", help="Seats in a game."
)
@click.option("--games", type=int, default=2000, show_default=True, metavar="N", help="Games per point.")
@study_options
def sweep(map_name: str | None, values: tuple[str, ...], one_at_a_time: bool, players: int, bots: str, games: int,
          seed: int, jobs: int | None, out: Path | None, form: str, output: Path | None,
          explain: bool) -> None:  # fmt: skip
    """Vary the rules of a map and show what each change moves.

    The same bots play the same deals at every point of a grid, or with one rule varied at a time, so that small changes
    show. An interrupted sweep continues when the same command is given again with the same --out.
    """
    from arena import catalog
    from arena.experiments.directory import default_directory, parse_bots
    from arena.experiments.variants.sweep import KIND, Sweep, conduct, parse_values, read_sweep
    from arena.experiments.variants.sweep_report import sweep_page
    from arena.reports.formats import deliver
    from arena.runs.progress import live_display

    map_name = map_name or catalog.default_map()
    parsed, names = parse_values(values), parse_bots(bots)
    words = ["arena", "sweep", "--map", map_name, *(word for value in values for word in ("--set", value))]
    words += ["--one-at-a-time"] * one_at_a_time
    words += ["--players", str(players), "--bots", ",".join(names), "--games", str(games), "--seed", str(seed)]
    asked = Sweep(
        map_name, {rule: some[0] for rule, some in parsed.items() if len(some) == 1},
        {rule: some for rule, some in parsed.items() if len(some) > 1}, one_at_a_time, players,
        names, games, seed, tuple(words),
    )  # fmt: skip
    directory = out.expanduser() if out else default_directory(KIND, map_name)
    if not conduct(asked, directory, jobs, say, live_display):
        interrupted(directory)
    put(deliver(sweep_page(read_sweep(asked, directory)), form, output, explain))
