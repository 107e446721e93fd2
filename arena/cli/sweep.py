"""`arena sweep` and its options: what each rule moves, and how far."""

from pathlib import Path

import click

from arena.cli.experiment_options import played, study_options
from arena.cli.options import MAP
from arena.cli.output import put


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
    from arena.experiments.specification import parse_bots
    from arena.experiments.variants.sweep import SweepSpecification, parse_values, read_sweep, sweep_page
    from arena.reports.formats import deliver

    map_name, parsed = map_name or catalog.default_map(), parse_values(values)
    words = ["--map", map_name, *(word for value in values for word in ("--set", value))]
    specification = SweepSpecification(
        map=map_name, settings={rule: some[0] for rule, some in parsed.items() if len(some) == 1},
        values={rule: some for rule, some in parsed.items() if len(some) > 1}, one_at_a_time=one_at_a_time,
        players=(players,), bots=parse_bots(bots), games=games, seed=seed,
        asked=(*words, *["--one-at-a-time"] * one_at_a_time),
    )  # fmt: skip
    directory = played(specification, jobs, out)
    put(deliver(sweep_page(read_sweep(specification, directory)), form, output, explain))
