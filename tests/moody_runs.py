"""Runs with a bot that fails now and then, for tests of resuming, extending and merging; conftest has the fixtures."""

from collections.abc import Callable
from pathlib import Path

from arena.store import run_directory
from arena.store.ranges import shard_path, shards
from arena.store.reader import Recorded
from arena.store.seat_tables import write_shard
from commands import result_files

BOTS = ["random", "random", "greedy", "racer", "moody.py:Moody"]
Play = Callable[..., Path]


def tables(run: Path) -> dict[str, bytes]:
    """All that must be equal, byte for byte."""
    others = {name: (run / name).read_bytes() for name in ("plan.json", "faults.jsonl")}
    assert b"not today" in others["faults.jsonl"]
    return result_files(run) | others


def cut_into_pieces(run: Path) -> None:
    """As a process leaves a run that is killed: pieces of shards, a gap, a torn line and a file half written."""
    plan = run_directory.read_plan(run)
    first, last = list(shards(plan))[-2:][0]
    outcomes, _ = Recorded.of(run, plan).load(first, last)
    shard_path(run, first, last).unlink()
    write_shard(run, plan, first, outcomes[:10])
    write_shard(run, plan, first + 30, outcomes[30:42])
    (run / "seats/.0000000500-0000001000.parquet.part").write_bytes(b"half")
    with (run / "faults.jsonl").open("a") as file:
        file.write('{"game": 1, "bot": "gree')
    (run / "times.json").unlink()
