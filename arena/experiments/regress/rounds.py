"""The games of a comparison: both bots in the same seat, on the same deals, block by block until the test decides."""

import inspect
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from itertools import chain, count, cycle, islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Bot, Entrant, Policy
from arena.engine.external.command import is_command
from arena.engine.table import Table
from arena.errors import UsageError
from arena.experiments.regress.options import Setting
from arena.rules.deal import make_deals
from arena.runs.worker import keep_table, load_table
from arena.stats.win_shares import win_shares
from arena.tournament.identity import Identity
from arena.tournament.plan import MAX_GAMES, MAX_SEATS, Plan

AnyBot = str | Policy | type[Bot]

_arms = count()
ROUND_SECONDS = 0.5
"""Aim for rounds of this length: the test looks at what there is after each."""
GROWTH = 4


class Arm(NamedTuple):
    """What one of the two bots plays under a condition: a gauntlet, played as far as is needed."""

    plan: Plan
    entrants: tuple[Entrant, ...]


class Condition(NamedTuple):
    """A map with a number of players."""

    spec: MapSpec
    candidate: Arm
    baseline: Arm | None
    """None if the baseline need not play."""
    known: tuple[float, ...] = ()
    """The baseline's win share in each block, from a file. Empty, with no arm: 1 / players, all seats being its own."""

    @property
    def block_games(self) -> int:
        """The games of a deal under this condition, of both bots."""
        return self.candidate.plan.block_games * (2 if self.baseline else 1)


def entrant_of(bot: AnyBot, parameters: Mapping[str, Any] | None = None) -> Entrant:
    """The bot of a spec, or of a class or policy itself with its parameters; UsageError for anything else."""
    if isinstance(bot, str):
        if parameters:
            raise UsageError(f"bot {bot!r}: write its parameters behind a colon (key=value), not as arguments")
        return catalog.load_entrant(bot)
    name = getattr(bot, "__name__", type(bot).__name__)
    if inspect.isclass(bot):
        try:
            inspect.getfile(bot)
        except (OSError, TypeError):
            raise UsageError(f"bot {name!r} has no source file: write the class into a file and import it") from None
    return catalog.make_entrant(name, "", bot, dict(parameters or {}))


def code_name(spec: str) -> str:
    """A spec without folder and parameters; the spec of a program stays as it is."""
    if is_command(spec):
        return spec
    match = catalog.FILE_SPEC.fullmatch(spec)
    return f"{Path(match['file']).name}:{match['name']}" if match else spec.partition(":")[0]


def make_conditions(setting: Setting, candidate: Entrant, baseline: Entrant | None) -> list[Condition]:
    """Every map with every number of players. Without a baseline only the candidate plays, against named opponents.

    UsageError if a number of players or a name does not exist.
    """
    named = [catalog.load_entrant(spec) for spec in setting.field]
    opponents = named or ([baseline] if baseline else [])
    if not opponents:
        raise UsageError("name the bots to play against with --field")
    conditions = []
    for name, players in setting.conditions:
        if not 2 <= players <= MAX_SEATS:
            raise UsageError(f"--players {players} does not fit: a game has 2 to {MAX_SEATS} players")
        others = list(islice(cycle(opponents), max(players - 1, len(opponents))))
        first = _arm(candidate, others, name, players, setting)
        second = _arm(baseline, others, name, players, setting) if baseline and named else None
        conditions.append(Condition(catalog.load_map(name, setting.settings), first, second))
    return conditions


def deals_within(conditions: Sequence[Condition], games: int, least: int) -> int:
    """How many deals, each under all conditions, fit into so many games; UsageError for less than `least` deals."""
    size = sum(condition.block_games for condition in conditions)
    if games < least * size:
        raise UsageError(f"--max-games {games} is too few: a test needs {least} deals, here {least * size:,} games")
    return games // size


def _arm(bot: Entrant, others: Sequence[Entrant], map_name: str, players: int, setting: Setting) -> Arm:
    entrants = (bot, *others)
    plan = Plan.of_size(
        bots=tuple(entrant.spec for entrant in entrants),
        names=tuple(f"{number} {entrant.name}" for number, entrant in enumerate(entrants)),
        map=map_name, players=players, games=MAX_GAMES, seed=setting.seed, format="gauntlet",
        seating=setting.seating, design="all", settings=setting.settings,
        identity=Identity(bots={"arm": str(next(_arms))}),  # two classes of one name are two bots
    )  # fmt: skip
    return Arm(plan, entrants)


class Context(NamedTuple):
    """Where games are played, and who is told how it stands."""

    executor: Executor
    jobs: int
    progress: Callable[[str], None]


class Reason(NamedTuple):
    """A fault and who made it."""

    arm: int
    """0: the candidate, 1: the baseline."""
    block: int
    text: str


class Played(NamedTuple):
    """Blocks in their order: a block is a deal under every condition."""

    results: np.ndarray
    """The mean win share and the games with a fault of both arms, float64 [blocks, arms, conditions, 2]."""
    block_games: int
    """Games that were played for a block."""
    reasons: tuple[Reason, ...] = ()
    """The first fault of each arm is among them."""

    @classmethod
    def joined(cls, parts: "Sequence[Played]") -> "Played":
        """The blocks of several rounds in a row."""
        results = np.concatenate([part.results for part in parts])
        return cls(results, parts[0].block_games, tuple(chain(*(part.reasons for part in parts))))

    def first(self, blocks: int) -> "Played":
        """Only so many blocks: how many more have been played depends on the machine."""
        reasons = tuple(reason for reason in self.reasons if reason.block < blocks)
        return Played(self.results[:blocks], self.block_games, reasons)

    @property
    def shares(self) -> np.ndarray:
        """The candidate's win share, float64 [blocks, conditions]."""
        return np.asarray(self.results[:, 0, :, 0])

    @property
    def differences(self) -> np.ndarray:
        """The candidate's win share less the baseline's, float64 [blocks, conditions]."""
        return np.asarray(self.shares - self.results[:, 1, :, 0])

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.results) * self.block_games

    @property
    def faults(self) -> tuple[int, int]:
        """Games with a fault of the candidate, of the baseline."""
        own, other = self.results[..., 1].sum(axis=(0, 2)).astype(int).tolist()
        return own, other

    @property
    def values(self) -> np.ndarray:
        """What the test is about, float64 [blocks]: means over conditions, as these share a deal's luck."""
        return np.asarray(self.differences.mean(axis=1))

    @property
    def is_even(self) -> bool:
        """Whether both did as well on each deal under each condition."""
        return bool(np.allclose(self.differences, 0, atol=1e-9))


def play_rounds(conditions: Sequence[Condition], most: int, executor: Executor, jobs: int) -> Iterator[Played]:
    """Up to `most` blocks under each condition, in rounds of a length that suits the speed."""
    for (
        condition
    ) in conditions:  # for an executor that plays here, and for workers that are forked; others load them by name
        for arm in (condition.candidate, condition.baseline):
            if arm:
                keep_table(arm.plan, Table(condition.spec, arm.plan.players, arm.entrants))
    first, size = 0, max(1, jobs)
    while first < most:
        last = min(first + size, most)
        begun = time.perf_counter()
        yield _play(conditions, first, last, executor, jobs)
        seconds = max(1e-3, time.perf_counter() - begun)
        size = max(1, int(min(GROWTH, ROUND_SECONDS / seconds) * (last - first)))
        first = last


def _play(conditions: Sequence[Condition], first: int, last: int, executor: Executor, jobs: int) -> Played:
    """The blocks first to last - 1, each under all conditions."""
    cuts = np.unique(np.linspace(first, last, jobs + 1).astype(int)).tolist()

    def submit(plan: Plan) -> list[Future[Any]]:
        return [executor.submit(play_shares, plan, a, b) for a, b in pairwise(cuts)]

    tasks = [[submit(arm.plan) if arm else None for arm in (each.candidate, each.baseline)] for each in conditions]
    results = np.empty((last - first, 2, len(conditions), 2))
    reasons = []
    for number, (condition, arms) in enumerate(zip(conditions, tasks, strict=True)):
        for arm, futures in enumerate(arms):
            parts = [future.result() for future in futures] if futures else [(_known(condition, first, last), None)]
            results[:, arm, number] = np.concatenate([values for values, _ in parts])
            reasons += [Reason(arm, *fault) for _, fault in parts if fault]
    return Played(results, sum(condition.block_games for condition in conditions), tuple(reasons))


def _known(condition: Condition, first: int, last: int) -> np.ndarray:
    """The results of a baseline that need not play."""
    shares = condition.known[first:last] or [1 / condition.candidate.plan.players] * (last - first)
    return np.column_stack([shares, np.zeros(last - first)])


def play_shares(plan: Plan, first: int, last: int) -> tuple[np.ndarray, tuple[int, str] | None]:
    """The first bot's mean win share and its games with a fault, float64 [blocks, 2], in the blocks first to last - 1.

    With the block and the words of its first fault.
    """
    size = plan.block_games
    deals, seatings = plan.seatings(first * size, last * size)
    distinct, index = np.unique(deals, return_inverse=True)
    outcomes, found = load_table(plan).play(seatings, make_deals(plan.seed, distinct.tolist())[index])
    games, seats = np.nonzero(seatings == 0)
    own = win_shares(outcomes["rank"][:, : plan.players])[games, seats]
    faults = outcomes["fault"][games, seats] != 0
    values = np.stack([own.reshape(-1, size).mean(axis=1), faults.reshape(-1, size).sum(axis=1)], axis=1)
    faulty = (
        (first + game // size, " ".join(f"{fault.kind}: {fault.reason}".split()))
        for game in sorted(found)
        for fault in found[game]
        if fault.seat == seats[game]
    )
    return values, next(faulty, None)


class InlineExecutor(Executor):
    """Plays at once, in this process: for tests, and for bots that no other process can load."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
