"""`arena doctor` and its options: whether this machine is fit to play."""

import sys

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
def doctor(as_json: bool) -> None:
    """Check this installation and machine, and play a self-test.

    Takes about ten seconds. Paste the output into bug reports. Exits with 1 if there is a problem; warnings do not
    count.
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
