"""`arena maps list`, `check` and `draw` with their options."""

from pathlib import Path

import click

from arena.cli.experiment_options import given


@click.group()
def maps() -> None:
    """The maps that can be played."""


@maps.command("list")
def list_maps() -> None:
    """List the maps: name, size, and what they are."""
    from arena import catalog

    for name in catalog.map_names():
        spec = catalog.load_map(name)
        label = f" [{spec.label}]" if spec.label else ""
        default = " (default)" if name == catalog.default_map() else ""
        click.echo(f"{name}{default}{label}: {spec.about}")


@maps.command("check")
@click.argument("map_name", metavar="MAP")
def check_map(map_name: str) -> None:
    """Check a map: a file (my.toml) or a name.

    Lists everything that is wrong, each with its line, or prints the map's numbers.
    """
    from arena import catalog
    from arena.boards.summary import describe

    for line in describe(catalog.load_map(map_name)):
        click.echo(line)


@maps.command("draw")
@click.argument("map_name", metavar="MAP")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), metavar="FILE",
    help="Where to.  [default: named after what it shows]",
)  # fmt: skip
@click.option("--study", type=click.Path(path_type=Path), metavar="DIR", help="A study or run whose numbers color it.")
@click.option("--measure", default="claimed", show_default=True, metavar="M", help="Of --study: claimed, contested, "
              "when, lift, used.")  # fmt: skip
@click.option("--players", type=int, metavar="K", help="Of --study: with so many players.  [default: its first number]")
def draw_map(map_name: str, out: Path | None, study: Path | None, measure: str, players: int | None) -> None:
    """Draw a map, a file (my.toml) or a name, as an SVG picture; as a heat map of what was measured in a study."""
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
        drawn, name = picture(read.spec, cell, measure), f"{name}-{measure}-{cell.players}"
    else:
        drawn = draw(spec)
    out = (out or Path(f"{name}.svg")).expanduser()
    write_whole(out, drawn.encode())
    click.echo(f"drawn: {out}")
