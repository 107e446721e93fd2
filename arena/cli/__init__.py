"""The command line: options in, calls out. Each command's file imports what it needs only when it runs."""

import atexit
import gc
import sys
from typing import Any

import click

from arena import __version__
from arena.cli.balance import balance
from arena.cli.bots import bots
from arena.cli.cache import cache
from arena.cli.diff import diff
from arena.cli.machine import bench, doctor
from arena.cli.maps import maps
from arena.cli.regress import regress
from arena.cli.replay import replay
from arena.cli.report import compare, report
from arena.cli.resume import extend, merge, resume
from arena.cli.run import run
from arena.cli.sweep import sweep
from arena.cli.verify import verify
from arena.errors import ArenaError

FEWER_COLLECTIONS = 20_000
"""New objects until garbage is looked for. Imports make 300,000, and all of them stay: 0.2 s of every start."""


class _Group(click.Group):
    """A mistyped command names the nearest one; our own errors are one sentence and an exit code."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.commands, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(sorted(self.commands))}."
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        gc.set_threshold(FEWER_COLLECTIONS)
        atexit.register(gc.freeze)  # else Python looks through all modules' objects at its end: 0.2 s
        try:
            return super().invoke(ctx)
        except ArenaError as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            sys.exit(130)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """A bot arena for the board game Ticket to Ride.

    Plays thousands of seeded games between bots in parallel processes and reports who is stronger, by how much,
    and how sure that is. Start with: arena run planner longroute tutorial greedy --games 4000
    """


for command in (
    run, resume, extend, merge, verify, report, replay, compare, regress, balance, diff, sweep, bots, maps, bench,
    doctor, cache,
):  # fmt: skip
    main.add_command(command)
