"""Collects the results of games in any order and writes them to disk as shards, and hands out those that are there.

A canonical shard is written when all of its games are there. Until then its games are put aside as pieces, now and
then, so that little is lost if this process is killed. Faults come before the games that they belong to.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from arena.engine.faults import Fault
from arena.engine.loop import OUTCOME
from arena.errors import ArenaError
from arena.runs.worker import Chunk
from arena.store.fault_log import FILE, append_faults, fault_of, read_faults, tidy_faults
from arena.store.ranges import Range, shard_of, shards, union
from arena.store.reader import Recorded
from arena.store.seat_tables import remove_shard, write_shard
from arena.tournament.plan import Plan

FLUSH_SECONDS = 20.0
"""Seconds of playing that are lost at most when the parent is killed."""
MISSING, WAITING, SAVED = range(3)


@dataclass
class _Open:
    """A shard whose games are not all there yet."""

    outcomes: np.ndarray
    state: np.ndarray
    """MISSING, WAITING for the disk or SAVED as a piece, a game each."""
    faults: dict[int, list[Fault]] = field(default_factory=dict)
    """The faults in the games that wait."""


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
                    if not 0 <= fault["seat"] < plan.players:
                        raise ArenaError(f"{run / FILE} is damaged: game {fault['game']} has no seat {fault['seat']}")
                    found.setdefault(fault["game"], []).append(fault_of(fault))
                fault = next(faults, None)
            yield Chunk(begin + a, outcomes[a:b], found, 0.0)


class Collector:
    """Collects the games of one run directory, of which it must be the only writer."""

    def __init__(self, run: Path, plan: Plan, games: Range | None = None) -> None:
        self.run, self.plan = run, plan
        self.games = games or (0, plan.games)
        self.played = 0
        """Games of this session that are on disk."""
        self.recorded = Recorded.of(run, plan)
        """The games that were on disk before this session."""
        self._open: dict[int, _Open] = {}
        self._pieces: dict[int, list[Path]] = {}
        for segment in self.recorded.pieces:
            for first, _ in shards(plan, segment.first, segment.last):
                self._pieces.setdefault(first, []).append(segment.path)
        self._needed = Counter(path for paths in self._pieces.values() for path in paths)
        self._flushed = time.monotonic()
        for first in sorted(self._pieces):  # cut otherwise before, or killed at the right moment
            if not self.recorded.missing(*shard_of(plan, first)):
                self._complete(first)

    def missing(self) -> list[Range]:
        """The games that are still to be played, in whole blocks; no range crosses the end of a shard."""
        return self.recorded.missing(*self.games)

    def add(self, chunk: Chunk) -> None:
        """Take a chunk, which lies within one shard; write the shard if it is complete now."""
        first = shard_of(self.plan, chunk.first)[0]
        shard = self._opened(first)
        place = slice(chunk.first - first, chunk.first - first + len(chunk.outcomes))
        shard.outcomes[place] = chunk.outcomes
        shard.state[place] = WAITING
        shard.faults.update(chunk.faults)
        if (shard.state != MISSING).all():
            self._complete(first)
        self.tick()

    def tick(self) -> None:
        """To be called now and then: puts aside what has waited for long. ArenaError if the run directory is gone."""
        if not self.run.exists():
            raise ArenaError(f"the folder {self.run} is gone")
        if time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write all whole blocks that wait to the disk."""
        for first in sorted(self._open):
            self._put_aside(first)
        self._flushed = time.monotonic()

    def finish(self) -> None:
        """The end of a session: everything is put on disk, the faults in order."""
        self.flush()
        tidy_faults(self.run, self.ranges())

    def ranges(self) -> list[Range]:
        """The games on disk now."""
        return Recorded.of(self.run, self.plan).ranges

    def _opened(self, first: int) -> _Open:
        if first not in self._open:
            begin, end = shard_of(self.plan, first)
            shard = _Open(np.zeros(end - begin, OUTCOME), np.full(end - begin, MISSING, np.int8))
            if first in self._pieces:
                shard.outcomes, there = self.recorded.load(begin, end)
                shard.state[there] = SAVED
            self._open[first] = shard
        return self._open[first]

    def _complete(self, first: int) -> None:
        """Write a shard whose games are all there, and delete the pieces that nobody needs any more."""
        shard = self._opened(first)
        append_faults(self.run, self.plan, shard.faults)
        write_shard(self.run, self.plan, first, shard.outcomes)
        self.played += int((shard.state == WAITING).sum())
        del self._open[first]
        for path in self._pieces.pop(first, []):
            self._needed[path] -= 1
            if not self._needed[path]:
                remove_shard(path)

    def _put_aside(self, first: int) -> None:
        """Write what waits of a shard as pieces."""
        shard = self._open[first]
        size = self.plan.block_games
        whole = (shard.state.reshape(-1, size) == WAITING).all(axis=1)
        blocks = np.flatnonzero(whole).tolist()
        stretches = union((size * block, size * block + size) for block in blocks)
        faults = {game: found for game, found in shard.faults.items() if whole[(game - first) // size]}
        append_faults(self.run, self.plan, faults)
        for begin, end in stretches:
            path = write_shard(self.run, self.plan, first + begin, shard.outcomes[begin:end])
            self._pieces.setdefault(first, []).append(path)
            self._needed[path] += 1
            shard.state[begin:end] = SAVED
            self.played += end - begin
        for game in faults:
            del shard.faults[game]
