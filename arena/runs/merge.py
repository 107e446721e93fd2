"""`arena merge`: joins run directories of one plan that were played apart."""

from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from itertools import groupby
from pathlib import Path
from shlex import quote

import numpy as np

from arena.engine.faults import Fault
from arena.engine.loop import OUTCOME
from arena.errors import ArenaError, UsageError
from arena.runs.collector import Collector, earlier_chunks
from arena.runs.session import Played, played_in
from arena.runs.worker import Chunk
from arena.store import run_directory
from arena.store.ranges import Range, shard_of, union
from arena.store.reader import Recorded
from arena.texts import enumerated
from arena.tournament.plan import Plan

MOST_RANGES = 5


def merge_runs(runs: Sequence[Path], out: Path, say: Callable[[str], None]) -> Played:
    """Join the games of some run directories in a new one; what is missing then can be played there.

    UsageError for directories that are not of one plan, ArenaError for damaged files and games that differ.
    """
    plan = _common_plan(runs)
    run_directory.refuse_existing(out)
    chunks = _joined(plan, runs)
    first = next(chunks, None)
    if first is None:
        raise ArenaError(f"no games were found in {', '.join(map(str, runs))}")
    run_directory.create(out, plan)
    with run_directory.one_writer(out):
        collector = Collector(out, plan)
        collector.add(first)
        for chunk in chunks:
            collector.add(chunk)
        collector.finish()
        sessions = [session for run in dict.fromkeys(runs) for session in run_directory.read_sessions(run)]
        *others, last = sorted(sessions) or [run_directory.Session.now()]  # all were killed
        run_directory.write_sessions(out, [*others, last._replace(recorded=collector.played)])
    played = played_in(out, plan)
    if not played.is_complete:
        missing = union(Recorded.of(out, plan).missing())
        again = f"arena resume {quote(str(out))} plays them"
        say(f"{played.recorded:,} of {played.games:,} games; {_named(missing)} missing: {again}.")
    return played


def _named(ranges: list[Range]) -> str:
    """`games 4 to 7 and 10 to 13 are`."""
    texts = [f"{first:,} to {last - 1:,}" for first, last in ranges[:MOST_RANGES]]
    if len(ranges) > MOST_RANGES:
        texts.append(f"{len(ranges) - MOST_RANGES:,} further stretches")
    return f"games {enumerated(texts)} are"


def _common_plan(runs: Sequence[Path]) -> Plan:
    plan = run_directory.read_plan(runs[0])
    for run in runs[1:]:
        other = run_directory.read_plan(run)
        found = plan.differences(other)
        if other.games != plan.games:
            found.append(f"{other.games:,} games instead of {plan.games:,}")
        if found:
            raise UsageError(f"{run} is not of the same plan as {runs[0]}: {'; '.join(found)}")
    return plan


def _joined(plan: Plan, runs: Sequence[Path]) -> Iterator[Chunk]:
    """All games of the runs in ascending order, each once; ArenaError if two runs have different results of one."""
    everything = (0, plan.games)
    sources = [((chunk, run) for chunk in earlier_chunks(run, plan, everything)) for run in runs]
    found = merge(*sources, key=lambda source: source[0].first)
    for (begin, end), group in groupby(found, key=lambda source: shard_of(plan, source[0].first)):
        outcomes, there = np.zeros(end - begin, OUTCOME), np.zeros(end - begin, bool)
        faults: dict[int, list[Fault]] = {}
        for chunk, run in group:
            place = slice(chunk.first - begin, chunk.first - begin + len(chunk.outcomes))
            known = there[place].copy()
            for game in np.flatnonzero(known).tolist():
                if outcomes[place][game].tobytes() != chunk.outcomes[game].tobytes():
                    raise ArenaError(f"{run} and an earlier run have different results of game {chunk.first + game}")
            faults |= {game: of for game, of in chunk.faults.items() if not there[game - begin]}
            outcomes[place], there[place] = chunk.outcomes, True
        for a, b in union((game, game + 1) for game in np.flatnonzero(there).tolist()):
            own = {game: of for game, of in faults.items() if a <= game - begin < b}
            yield Chunk(begin + a, outcomes[a:b], own, 0.0)
