"""Reads the results of a run: which games are on disk, in whole shards and in pieces of unfinished ones."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arena.errors import ArenaError
from arena.store.detail_tables import fill_log, load_details, load_rare
from arena.store.ranges import Range, named_games, shard_of, shard_path, shards, size, union, without
from arena.store.seat_tables import load_shard, outcomes_of
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class Segment(NamedTuple):
    """Games first to last - 1, as far as they are read from a file, which may hold more."""

    first: int
    last: int
    path: Path


@dataclass(frozen=True)
class Recorded:
    """The games of a run directory, by the names of its files; what these hold is checked when it is read."""

    plan: Plan
    segments: tuple[Segment, ...]
    """In ascending order, each game once."""
    leftovers: tuple[Path, ...]
    """Files whose games all stand in others: what a process that was killed did not delete."""
    strangers: tuple[Path, ...]
    """Files that are no shards of this plan."""

    @classmethod
    def of(cls, run: Path, plan: Plan) -> "Recorded":
        """Look at a run directory; whole shards go before pieces."""
        found = [(named_games(plan, path), path) for path in sorted((run / "seats").glob("*.parquet"))]
        strangers = tuple(path for games, path in found if games is None)
        files = [Segment(*games, path) for games, path in found if games is not None]
        whole = [file for file in files if is_whole(plan, (file.first, file.last))]
        covered = union((file.first, file.last) for file in whole)
        segments, leftovers = list(whole), []
        end = 0
        for file in files:
            if is_whole(plan, (file.first, file.last)):
                continue
            left = without((max(file.first, end), file.last), covered) if end < file.last else []
            segments += [Segment(first, last, file.path) for first, last in left]
            if not left:
                leftovers.append(file.path)
            end = max(end, file.last)
        return cls(plan, tuple(sorted(segments)), tuple(leftovers), strangers)

    @property
    def ranges(self) -> list[Range]:
        """The games on disk."""
        return union((segment.first, segment.last) for segment in self.segments)

    @property
    def games(self) -> int:
        """How many games are on disk."""
        return size(self.ranges)

    @property
    def pieces(self) -> list[Segment]:
        """The segments that are not whole shards."""
        return [segment for segment in self.segments if not is_whole(self.plan, (segment.first, segment.last))]

    def missing(self, first: int = 0, last: int | None = None) -> list[Range]:
        """The games among first to last - 1, by default all, that are not on disk, cut where shards end."""
        gaps = without((first, self.plan.games if last is None else last), self.ranges)
        return [(max(a, gap[0]), min(b, gap[1])) for gap in gaps for a, b in shards(self.plan, *gap)]

    def load(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """OUTCOME and whether it is on disk (bool), both [last - first]; ArenaError for a file that is not right."""
        from arena.engine.loop import OUTCOME

        outcomes, there = np.zeros(last - first, OUTCOME), np.zeros(last - first, bool)
        begin = bisect_right(self.segments, first, key=lambda segment: segment.last)
        for segment in self.segments[begin:]:
            if segment.first >= last:
                break
            a, b = max(first, segment.first), min(last, segment.last)
            place = slice(a - first, b - first)
            outcomes[place] = outcomes_of(read_games(segment.path, self.plan, a, b), self.plan)
            if self.plan.detail:
                details = read_games(segment.path, self.plan, a, b, load_details)
                fill_log(outcomes[place], details, self.plan.players)
            there[place] = True
        return outcomes, there


def is_whole(plan: Plan, games: Range) -> bool:
    """Whether these games are a canonical shard."""
    return shard_of(plan, games[0]) == games


def read_games(
    path: Path,
    plan: Plan,
    first: int,
    last: int,
    load: "Callable[[Path, Plan], pa.Table | str]" = load_shard,
) -> "pa.Table":
    """The rows of the games first to last - 1 out of a file that holds them; ArenaError if something is wrong with it.

    A piece may have become part of whole shards since its name was read: then they are read from there. load: reads
    a shard, or its details.
    """
    import pyarrow as pa

    def rows_of(shard: Path, begin: int, end: int) -> "pa.Table":
        table = load(shard, plan)
        if isinstance(table, str):
            raise ArenaError(table)
        a, b = named_games(plan, shard) or (begin, end)
        rows = len(table) // (b - a)  # of each game
        return table.slice((begin - a) * rows, (end - begin) * rows)

    try:
        return rows_of(path, first, last)
    except FileNotFoundError as error:
        gone = error.filename
    run = path.parent.parent
    try:
        cuts = shards(plan, first, last)
        parts = [rows_of(shard_path(run, a, b), max(a, first), min(b, last)) for a, b in cuts]
    except FileNotFoundError:
        raise ArenaError(f"{gone} is gone") from None
    return pa.concat_tables(parts).unify_dictionaries()


def read_shards(run: Path, plan: Plan, problems: list[str]) -> Iterator["pd.DataFrame"]:
    """The seat rows of a run in the order of the games, in whole blocks; what is not right adds to `problems`."""
    recorded = Recorded.of(run, plan)
    problems += [problem for path in recorded.strangers if isinstance(problem := load_shard(path, plan), str)]
    for segment in recorded.segments:
        try:
            rows = read_games(segment.path, plan, segment.first, segment.last)
        except ArenaError as error:
            problems.append(str(error))
        else:
            yield rows.to_pandas()


def read_rare(
    run: Path, plan: Plan, games: Sequence[Range], problems: list[str]
) -> Iterator[tuple[np.ndarray, dict[str, np.ndarray]]]:
    """Numbers of games, and how often each rare state came up in them; what is not right adds to `problems`."""
    for segment in Recorded.of(run, plan).segments:
        for first, last in ((max(a, segment.first), min(b, segment.last)) for a, b in union(games)):
            if first >= last:
                continue
            try:
                table = read_games(segment.path, plan, first, last, load_rare)
            except ArenaError as error:
                problems.append(str(error))
            else:
                counts = {name: table.column(name).to_numpy() for name in table.column_names}
                yield np.arange(first, last), counts
