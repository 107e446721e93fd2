"""`arena maps`: the maps that can be played."""

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
