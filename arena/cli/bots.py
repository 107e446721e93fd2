"""`arena bots`: the bots that can be named."""

import click


@click.group()
def bots() -> None:
    """The bots that can be named in a run."""


@bots.command("list")
def list_bots() -> None:
    """List the installed bots: name, kind, parameters, what they do."""
    from arena.catalog import describe_bots

    for line in describe_bots():
        click.echo(line)
