"""`arena maps`: the maps that can be played."""

from pathlib import Path

import click


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
    from arena.mapnumbers import describe

    for line in describe(catalog.load_map(map_name)):
        click.echo(line)


@maps.command("draw")
@click.argument("map_name", metavar="MAP")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to.  [default: the map's name + .svg]"
)
def draw_map(map_name: str, out: Path | None) -> None:
    """Draw a map, a file (my.toml) or a name, as an SVG picture."""
    from arena import catalog
    from arena.drawing import draw
    from arena.files import write_whole

    out = (out or Path(f"{Path(map_name).stem}.svg")).expanduser()
    write_whole(out, draw(catalog.load_map(map_name)).encode())
    click.echo(f"drawn: {out}")
