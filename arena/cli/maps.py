"""`arena maps list`, `check` and `draw` with their options."""

from pathlib import Path

import click

from arena.cli.experiment_options import given
from arena.cli.options import PATH


@click.group()
def maps() -> None:
    """List, check and draw maps."""


@maps.command("list")
def list_maps() -> None:
    """List the maps with their size and description."""
    from arena import catalog

    for name in catalog.map_names():
        spec = catalog.load_map(name)
        label = f" [{spec.label}]" if spec.label else ""
        default = " (default)" if name == catalog.default_map() else ""
        click.echo(f"{name}{default}{label}: {spec.about}")


@maps.command("check")
@click.argument("map_name", metavar="MAP")
def check_map(map_name: str) -> None:
    """Check a map, given by name or as a file (my.toml).

    Lists every mistake with its line, or prints the map's numbers.
    """
    from arena import catalog
    from arena.boards.summary import describe

    for line in describe(catalog.load_map(map_name)):
        click.echo(line)


@maps.command("draw")
@click.argument("map_name", metavar="MAP")
@click.option("-o", "--out", type=PATH, metavar="FILE", help="File to write.  [default: named after what it shows]")
@click.option("--study", type=PATH, metavar="DIR", help="Color the board by the numbers of this study or run.")
@click.option("--measure", default="claimed", show_default=True, metavar="M",
              help="Number of --study to show: claimed, contested, when, lift or used.")  # fmt: skip
@click.option(
    "--players", type=int, metavar="K", help="Games of --study with this many players.  [default: its first number]"
)
def draw_map(map_name: str, out: Path | None, study: Path | None, measure: str, players: int | None) -> None:
    """Draw a map as an SVG picture, or as a heat map of a study."""
    from arena import catalog
    from arena.boards.drawing import draw
    from arena.errors import UsageError
    from arena.files import write_whole

    if study is None and (options := given({"measure": "measure", "players": "players"})):
        raise UsageError(f"{options}: only of a study, which --study DIR names")
    spec = catalog.load_map(map_name)
    name = Path(map_name).stem
    if study:
        from arena.experiments.balance.pictures import cell_of, picture
        from arena.experiments.balance.study import read_study

        read = read_study(study.expanduser())
        if Path(read.cells[0].plan.map).stem != name:
            raise UsageError(f"{study} is about {read.cells[0].plan.map}, not {map_name}")
        cell = cell_of(read, players)
        drawn, name = picture(cell, measure), f"{name}-{measure}-{cell.players}"
    else:
        drawn = draw(spec)
    out = (out or Path(f"{name}.svg")).expanduser()
    write_whole(out, drawn.encode())
    click.echo(f"drawn: {out}")
