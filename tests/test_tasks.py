"""What is played next, as pure arithmetic: no worker is needed to see that no order of events changes a result."""

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest

from arena.engine.faults import Fault
from arena.engine.loop import FAULT_EXCEPTION, FAULT_SUSPENDED, OUTCOME
from arena.errors import ArenaError
from arena.runs.suspension import WARM_UP_GAMES, WarmUp
from arena.runs.tasks import MOST_DEATHS, MOST_IDLE_DEATHS, Death, Task, Tasks
from arena.runs.worker import Chunk
from arena.store.ranges import shard_size
from arena.tournament.plan import Plan

Fails = Callable[[int, int], bool]
"""Whether a bot has a fault in a game."""


def made_plan(bots: int = 5, players: int = 3, games: int = 240, **options: object) -> Plan:
    names = tuple(f"bot{number}" for number in range(bots))
    return Plan.of_size(bots=names, names=names, map="usa", players=players, games=games, seed=1, **options)  # type: ignore[arg-type]


def never(game: int, bot: int) -> bool:
    return False


class Workers:
    """Plays tasks on paper, a few at a time, and ends them in any order; now and then a worker dies."""

    def __init__(self, plan: Plan, fails: Fails, random: Random) -> None:
        self.plan, self.fails, self.random = plan, fails, random
        self.culprits: dict[int, list[tuple[int, int]]] = {}
        """By game: seats and decisions over which workers die."""
        self.accidents = 0.0
        """How often a worker is killed by somebody else."""
        self.faults = np.full((plan.games, plan.players), -1)
        self.attributed: dict[int, set[tuple[int, int]]] = {}

    def work(self, tasks: Tasks) -> None:
        """Play all."""
        running: list[Task] = []
        while True:
            while len(running) < 4 and (task := tasks.next_alone() or tasks.next()):
                running.append(task)
            if not running:
                return
            task = running.pop(self.random.randrange(len(running)))
            result = self.play(task)
            if isinstance(result, Death):
                tasks.died(task, result)
            elif whole := tasks.done(task, result):
                assert (self.faults[whole.first : whole.last] == -1).all()
                self.faults[whole.first : whole.last] = whole.outcomes["fault"][:, : self.plan.players]
                tasks.warm_up.add(whole.first, whole.outcomes["fault"])
                self.attributed |= {game: {(f.seat, f.decision) for f in found} for game, found in whole.faults.items()}

    def play(self, task: Task) -> Chunk | Death:
        if self.random.random() < self.accidents:
            game = self.random.choice([-1, *range(task.first, task.last)])
            return Death(game, self.random.choice([-1, 0, 1]), self.random.randrange(10**6), "died", "an accident")
        known = {fault.seat: fault.decision for fault in task.forced}
        outcomes = np.zeros(task.last - task.first, OUTCOME)
        _, seatings = self.plan.seatings(task.first, task.last)
        for game in range(task.first, task.last):
            for seat, decision in self.culprits.get(game, ()):
                if known.get(seat, decision + 1) > decision:
                    return Death(game, seat, decision, "died", "its own doing")
            for seat, bot in enumerate(seatings[game - task.first].tolist()):
                wrong = FAULT_EXCEPTION * (seat in known or self.fails(game, bot))
                outcomes[game - task.first]["fault"][seat] = FAULT_SUSPENDED if bot in task.suspended else wrong
        return Chunk(task.first, outcomes, {task.first: list(task.forced)} if task.forced else {}, 0.01)


def work(plan: Plan, fails: Fails, seed: int, ranges: Sequence[tuple[int, int]] = ()) -> np.ndarray:
    """The faults of all games, by game and seat, when tasks end in some order."""
    workers = Workers(plan, fails, Random(seed))
    workers.work(Tasks(plan, ranges or [(0, plan.games)], WarmUp(plan)))
    return workers.faults


@pytest.mark.parametrize("players", [2, 3, 4])
def test_probation_follows_from_the_plan_whatever_is_done_first(players: int) -> None:
    """Bot 1 fails always, bot 2 in its first games but one, bot 3 in all but its first ones."""
    plan = made_plan(6, players)
    _, seatings = plan.seatings(0, plan.games)
    games = [np.flatnonzero((seatings == bot).any(axis=1)).tolist() for bot in range(6)]
    warm_up = -(-WARM_UP_GAMES // plan.block_games) * plan.block_games

    def fails(game: int, bot: int) -> bool:
        nth = games[bot].index(game)
        return bot == 1 or (bot == 2 and nth != warm_up - 1) or (bot == 3 and nth > 0)

    found = work(plan, fails, 0)
    assert (found[seatings == 1][:warm_up] == FAULT_EXCEPTION).all()
    assert (found[seatings == 1][warm_up:] == FAULT_SUSPENDED).all()
    assert (found[seatings != 1] != FAULT_SUSPENDED).all()
    assert (found[seatings == 2][warm_up:] == FAULT_EXCEPTION).all()
    assert not found[np.isin(seatings, [0, 4, 5])].any()
    for seed in range(1, 12):
        assert (work(plan, fails, seed) == found).all()


def test_who_has_fewer_games_than_a_trial_is_not_judged() -> None:
    plan = made_plan(6, 3, 12)
    warm_up = WarmUp(plan)
    faults = np.full((plan.games, plan.players), FAULT_EXCEPTION)
    warm_up.add(0, faults)
    assert [warm_up.verdict(bot) for bot in range(6)] == [False] * 6
    whole = WarmUp(made_plan(3, 3, 12))
    assert [whole.verdict(bot) for bot in range(3)] == [None] * 3
    whole.add(0, faults)
    assert [whole.verdict(bot) for bot in range(3)] == [True] * 3


def test_a_trial_that_is_on_disk_counts() -> None:
    """Resumed behind the warm-up games: the verdicts are those of the first session."""
    plan = made_plan()
    whole = work(plan, lambda game, bot: bot == 1, 0)
    warm_up = WarmUp(plan)
    rest = (warm_up.last * plan.block_games, plan.games)
    assert warm_up.suspended(rest[0]) is None
    outcomes = np.zeros(rest[0], OUTCOME)
    outcomes["fault"][:, : plan.players] = whole[: rest[0]]
    warm_up.add(0, outcomes["fault"])
    assert warm_up.missing() == []
    workers = Workers(plan, lambda game, bot: bot == 1, Random(0))
    workers.work(Tasks(plan, [rest], warm_up))
    assert (workers.faults[rest[0] :] == whole[rest[0] :]).all()


def test_nothing_is_played_before_it_is_known_who_is_asked() -> None:
    plan = made_plan()
    warm_up = WarmUp(plan)
    tasks = Tasks(plan, [(0, plan.games)], warm_up)
    given = []
    while task := tasks.next():
        given.append(task)
    assert given[-1].last <= warm_up.last * plan.block_games < plan.games
    assert all(task.suspended == () for task in given)
    assert tasks.next() is None
    for task in reversed(given):
        outcomes = np.zeros(task.last - task.first, OUTCOME)
        tasks.warm_up.add(task.first, outcomes["fault"])
    assert tasks.next() is not None


def test_tasks_are_whole_blocks_within_shards() -> None:
    plan = made_plan(games=2000)
    tasks = Tasks(plan, [(0, plan.games)], WarmUp(plan))
    size, covered = shard_size(plan), 0
    while task := tasks.next():
        assert task.first == covered
        assert task.first % plan.block_games == task.last % plan.block_games == 0
        assert task.first // size == (task.last - 1) // size
        covered = task.last
        outcomes = np.zeros(task.last - task.first, OUTCOME)
        tasks.warm_up.add(task.first, outcomes["fault"])
        tasks.done(task, Chunk(task.first, outcomes, {}, 0.001))
    assert covered == plan.games
    assert tasks.size > plan.block_games  # games were fast


def test_the_guilty_are_found_whatever_dies_when() -> None:
    """Workers die over some games, in one over two seats; others are killed by accident; nobody else is attributed."""
    plan = made_plan()
    culprits = {7: [(0, 12)], 30: [(1, 3)], 31: [(1, 3), (2, 40)], 100: [(2, 0)], 239: [(0, 5), (1, 6), (2, 7)]}
    expected = {game: set(found) for game, found in culprits.items()}
    accidents = 0
    for seed in range(30):
        workers = Workers(plan, never, Random(seed))
        workers.culprits, workers.accidents = culprits, 0.03
        tasks = Tasks(plan, [(0, plan.games)], WarmUp(plan))
        workers.work(tasks)
        assert workers.attributed == expected
        assert (workers.faults > 0).sum() == sum(map(len, culprits.values()))
        accidents += tasks.idle_deaths
    assert accidents < MOST_IDLE_DEATHS


def death(game: int, decision: int, seat: int = 1) -> Death:
    return Death(game, seat, decision, "died", "gone", "its words")


def tasks_of(plan: Plan) -> tuple[Tasks, Task]:
    """Tasks, and the first of them, which is of more games than one."""
    tasks = Tasks(plan, [(0, plan.games)], WarmUp(plan))
    task = tasks.next()
    assert task
    assert task.last - task.first > 1
    return tasks, task


def test_a_death_splits_the_range() -> None:
    """The game alone, the others as before; they come back as one."""
    tasks, task = tasks_of(made_plan())
    tasks.died(task, death(task.first + 1, 9))
    alone = tasks.next_alone()
    before, after = tasks.next(), tasks.next()
    assert alone
    assert before
    assert after
    assert [(part.first, part.last) for part in (before, alone, after)] == [(0, 1), (1, 2), (2, 3)]
    assert (before.deaths, alone.deaths, after.deaths) == ((), (death(1, 9),), ())
    chunks = [Chunk(part.first, np.zeros(1, OUTCOME), {}, 1.0) for part in (after, before, alone)]
    assert tasks.done(after, chunks[0]) is None
    assert tasks.done(before, chunks[1]) is None
    whole = tasks.done(alone, chunks[2])
    assert whole
    assert (whole.first, whole.last, whole.seconds) == (0, 3, 3.0)


@pytest.mark.parametrize(
    ("deaths", "attributed"),
    [
        ([5], None),
        ([5, 5], 5),
        ([5, 6], None),
        ([5, 6, 5], 5),
        ([5, 6, 7], 7),
    ],
)
def test_who_is_booked(deaths: list[int], attributed: int | None) -> None:
    """Twice at the same decision, or three times."""
    assert MOST_DEATHS == 3
    tasks, task = tasks_of(made_plan())
    for decision in deaths:
        tasks.died(task, death(1, decision))
        again = tasks.next_alone()
        assert again
        assert (again.first, again.last) == (1, 2)
        task = again
    assert task.forced == (() if attributed is None else (Fault(1, "died", "gone", attributed, "", "its words"),))
    assert len(task.deaths) == (0 if task.forced else len(deaths))


def test_a_seat_is_booked_once() -> None:
    """Also if it ends the process earlier than it did before."""
    tasks, task = tasks_of(made_plan())
    for decision in (20, 20, 8, 8):
        tasks.died(task, death(1, decision))
        task = tasks.next_alone() or task
    assert [(fault.seat, fault.decision) for fault in task.forced] == [(1, 8)]


@pytest.mark.parametrize("where", [(-1, 0), (77, 0), (1, -1)])
def test_a_death_while_no_bot_is_asked_is_nobodys(where: tuple[int, int]) -> None:
    """Between games, over another task's game, or while a game is set up: as it was, but not for ever."""
    game, seat = where
    tasks, task = tasks_of(made_plan())
    for _ in range(tasks.most_idle_deaths):
        tasks.died(task, death(game, 0, seat))
        assert tasks.next() == task
    with pytest.raises(ArenaError, match="though no bot is being asked: gone"):
        tasks.died(task, death(game, 0, seat))
    tasks.done(task, Chunk(0, np.zeros(3, OUTCOME), {}, 1.0))
    tasks.died(task, death(game, 0, seat))  # games have been played since: from the beginning
