"""Which games are played next: ranges of a quarter of a second, and those over which a worker died again."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from arena.engine.faults import Fault
from arena.errors import ArenaError
from arena.runs.suspension import WarmUp
from arena.runs.worker import Chunk
from arena.store.ranges import shard_size
from arena.tournament.plan import Plan

CHUNK_SECONDS = 0.25
"""Aim for chunks of this length: long enough to cost nothing, short enough to stop soon."""
MOST_DEATHS = 3
"""How often workers may die over a game before the seat that decides is held guilty."""
MOST_IDLE_DEATHS = 20
"""How often in a row workers may die while no bot is asked; all die together when somebody kills all."""


class Death(NamedTuple):
    """The end of a worker, and what it was doing."""

    game: int
    """The number of the game, or -1 between two games."""
    seat: int
    decision: int
    kind: str
    reason: str
    stderr: str = ""


@dataclass(frozen=True, eq=False)
class Task:
    """A range of games for a worker."""

    first: int
    last: int
    suspended: tuple[int, ...] = ()
    """The bots that are not asked."""
    forced: tuple[Fault, ...] = ()
    """The faults that have been attributed, for a game that is played alone."""
    deaths: tuple[Death, ...] = ()
    """The deaths of workers over it since then."""
    chunk: "list[Chunk] | None" = None
    """The results of the pieces so far, if it is a piece of a larger range."""
    whole: tuple[int, int] = (0, 0)
    """The range that it is a piece of."""

    @property
    def is_alone(self) -> bool:
        """Whether it is a single game over which a worker has died, so that it needs a new process of its own."""
        return bool(self.forced or self.deaths)


class Tasks:
    """Cuts ranges of games into tasks, in whole blocks that never cross the end of a shard."""

    def __init__(self, plan: Plan, ranges: Sequence[tuple[int, int]], warm_up: WarmUp, workers: int = 1) -> None:
        self.plan = plan
        self.warm_up = warm_up
        self.size = plan.block_games
        self.idle_deaths = 0
        self.most_idle_deaths = MOST_IDLE_DEATHS * workers
        self._ranges = deque(_cut(plan, ranges, warm_up.last * plan.block_games))
        self._again: deque[Task] = deque()
        self._alone: deque[Task] = deque()

    def next_alone(self) -> Task | None:
        """The next game to be played in a new process; None if no game needs that."""
        return self._alone.popleft() if self._alone else None

    def next(self) -> Task | None:
        """The next task; None if nothing can be played, or not yet."""
        if self._again:
            return self._again.popleft()
        suspended = self.warm_up.suspended(self._ranges[0][0]) if self._ranges else None
        if suspended is None:
            return None
        first, end = self._ranges.popleft()
        is_warm_up = first < self.warm_up.last * self.plan.block_games
        last = min(first + (self.plan.block_games if is_warm_up else self.size), end)
        if last < end:
            self._ranges.appendleft((last, end))
        return Task(first, last, tuple(suspended))

    def done(self, task: Task, chunk: Chunk) -> Chunk | None:
        """The results of a whole range: those of a task, or of all pieces of a range once the last one is there."""
        self.idle_deaths = 0
        if task.chunk is None:
            games = len(chunk.outcomes)
            wanted = min(games * CHUNK_SECONDS / max(chunk.seconds, 1e-6), 4 * games)  # by the speed of this task
            self.size = max(1, int(wanted / self.plan.block_games)) * self.plan.block_games
            return chunk
        task.chunk.append(chunk)
        if sum(len(piece.outcomes) for piece in task.chunk) < task.whole[1] - task.whole[0]:
            return None
        return Chunk.joined(sorted(task.chunk, key=lambda piece: piece.first))

    def died(self, task: Task, death: Death) -> None:
        """Have a task played again: as it was if the worker died over something else, else its game alone.

        A game over which a worker has died twice at the same decision, or often, has a culprit: the seat that decided.
        ArenaError if workers die without playing.
        """
        if not task.first <= death.game < task.last or death.seat < 0:  # no bot was asked just then
            self.idle_deaths += 1
            if self.idle_deaths > self.most_idle_deaths:
                raise ArenaError(f"worker processes end though no bot is being asked: {death.reason}")
            self._put_back(task)
            return
        self.idle_deaths = 0
        if task.last - task.first > 1:
            pieces = task.chunk if task.chunk is not None else []
            whole = task.whole if task.chunk is not None else (task.first, task.last)
            cuts = (task.first, death.game, death.game + 1, task.last)
            for first, last in pairwise(cuts):
                if first < last:
                    alone = (death,) if first == death.game else ()
                    self._put_back(Task(first, last, task.suspended, (), alone, pieces, whole))
            return
        self._put_back(judged(task, death))

    def _put_back(self, task: Task) -> None:
        (self._alone if task.is_alone else self._again).append(task)


def judged(task: Task, death: Death) -> Task:
    """What becomes of a game that is played alone after one more death."""
    same = any((other.seat, other.decision) == (death.seat, death.decision) for other in task.deaths)
    if not same and len(task.deaths) + 1 < MOST_DEATHS:
        return replace(task, deaths=(*task.deaths, death))
    fault = Fault(death.seat, death.kind, death.reason, death.decision, "", death.stderr)
    others = tuple(known for known in task.forced if known.seat != death.seat)  # it may have come earlier this time
    return replace(task, forced=(*others, fault), deaths=())


def _cut(plan: Plan, ranges: Sequence[tuple[int, int]], after: int) -> list[tuple[int, int]]:
    """Cut ranges where the warm-up games end and where a shard does."""
    size = shard_size(plan)
    found = []
    for first, last in ranges:
        inner = [cut for cut in (after, *range(first - first % size, last, size)) if first < cut < last]
        cuts = [first, *sorted(set(inner)), last]
        found += list(pairwise(cuts))
    return sorted(found)
