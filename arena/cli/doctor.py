"""`arena doctor` and its options: whether this machine is fit to play."""

import sys

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
def doctor(as_json: bool) -> None:
    """Say what is installed, what this machine offers, and play a self-test of about ten seconds.

    Paste what it prints into a report of a bug. Exit code 1 if there is a problem; warnings are none.
    """
    import json

    from arena.checks.machine.doctor import examine
    from arena.checks.machine.text import to_text
    from arena.cli.output import put, stdout_alone

    with stdout_alone() as stdout:
        examination = examine(lambda text: click.echo(text, err=True))
        put(json.dumps(examination.to_json(), indent=2) + "\n" if as_json else to_text(examination), stdout)
    if not examination.is_fit:
        sys.exit(1)
