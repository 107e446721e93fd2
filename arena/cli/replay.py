"""`arena replay` and its options: a game of a run, told event by event."""

import sys
from pathlib import Path

import click

from arena.cli.options import PATH, RUN
from arena.cli.output import leave, own_stderr, put, say, stdout_alone


@click.command()
@RUN
@click.argument("game", type=int, metavar="GAME")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per event and line.")
@click.option("--live", is_flag=True, help="Ask every bot instead of repeating recorded faults; show what bots print.")
@click.option("-o", "--output", type=PATH, metavar="PATH", help="Write to this file.  [default: print]")
def replay(directory: Path, game: int, as_json: bool, live: bool, output: Path | None) -> None:
    """Replay a recorded game and tell it event by event.

    Plays game number GAME (from 0) of the run in DIR again and shows everything, hidden cards and tickets included.
    Exits with 1 if the result differs from the record. Faults that need not happen again (a dead process, time or
    memory used up) are taken from the record unless --live is given.
    """
    from contextlib import nullcontext

    from arena.errors import UsageError
    from arena.files import write_whole
    from arena.replay.recorded_game import replay
    from arena.replay.text import to_json_lines, to_text

    if output is not None and output.expanduser().is_dir():
        raise UsageError(f"{output} is a folder; name a file")
    with stdout_alone() as stdout:
        with nullcontext(sys.stderr) if live else own_stderr() as stderr:
            played = replay(directory.expanduser(), game, lambda text: click.echo(text, file=stderr), live=live)
        text = to_json_lines(played.events) if as_json else to_text(played.events)
        if output is not None:
            write_whole(output.expanduser(), text.encode())
            text = f"{output}\n"
        put(text, stdout)
    for note in played.notes:
        say(f"Note: {note}.")
    for fault in played.faults if live else ():
        say(f"Seat {fault.seat}: {fault.kind}: {fault.reason}\n{fault.traceback}".rstrip())
    if played.difference:
        say(f"Error: {played.difference}")
    leave(1 if played.difference else 0)
