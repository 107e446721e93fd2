"""Games that are on disk already, handed to the collector as if they had just been played."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from arena.engine.faults import Fault
from arena.errors import ArenaError
from arena.runs.worker import Chunk
from arena.store.fault_log import FILE, read_faults
from arena.store.ranges import Range, shards, union
from arena.store.reader import Recorded
from arena.tournament.plan import Plan


def earlier_chunks(run: Path, plan: Plan, games: Range) -> Iterator[Chunk]:
    """The games of a range that are on disk, with their faults; no chunk crosses the end of a shard.

    ArenaError for a file that is not right.
    """
    recorded = Recorded.of(run, plan)
    faults = read_faults(run, recorded.ranges)
    fault = next(faults, None)
    for first, last in shards(plan, *games):
        begin, end = max(first, games[0]), min(last, games[1])
        outcomes, there = recorded.load(begin, end)
        for a, b in union((game, game + 1) for game in np.flatnonzero(there).tolist()):
            found: dict[int, list[Fault]] = {}
            while fault and fault["game"] < begin + b:
                if fault["game"] >= begin + a:
                    found.setdefault(fault["game"], []).append(fault_of(run, plan, fault))
                fault = next(faults, None)
            yield Chunk(begin + a, outcomes[a:b], found, 0.0)


def fault_of(run: Path, plan: Plan, line: dict[str, Any]) -> Fault:
    """The fault in a line of `faults.jsonl`; ArenaError if nobody sits there."""
    if not 0 <= line["seat"] < plan.players:
        raise ArenaError(f"{run / FILE} is damaged: game {line['game']} has no seat {line['seat']}")
    return Fault(**{name: line[name] for name in Fault._fields if name in line})
