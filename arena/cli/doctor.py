"""`arena doctor` and its options: whether this machine is fit to play."""

import sys

import click

from arena.cli.options import JSON
from arena.cli.output import in_json, put, say, stdout_alone


@click.command()
@JSON
def doctor(as_json: bool) -> None:
    """Check this installation and machine, and play a self-test.

    Takes about ten seconds. Paste the output into bug reports. Exits with 1 if there is a problem; warnings do not
    count.
    """
    from arena.checks.machine.doctor import examine

    with stdout_alone() as stdout:
        examination = examine(say)
        put(in_json(examination.to_json()) if as_json else examination.to_text(), stdout)
    if not examination.is_fit:
        sys.exit(1)
