"""Plays a recorded game once more, keeps what the seats answered, and makes events of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant
from arena.engine.faults import Fault
from arena.engine.limits import Limits
from arena.engine.loop import DECISION, FAULTS, OUTCOME
from arena.engine.table import Table
from arena.errors import BrokenGame
from arena.replay.deck import TOLD_OTHERWISE, Event
from arena.replay.events import Telling
from arena.rules.state import STATE


class Replayed(NamedTuple):
    """A game that was played again."""

    events: list[Event]
    """The events from the deal on."""
    outcome: np.record
    """OUTCOME."""
    faults: list[Fault]
    broken: str
    """The invariant that does not hold in the game, in a sentence; mostly empty."""


class AnswersTable(Table):
    """A table that keeps what the seats answer."""

    def __init__(self, spec: MapSpec, seats: int, entrants: Sequence[Entrant], limits: Limits) -> None:
        super().__init__(spec, seats, entrants, limits)
        self.answers: dict[int, int] = {}
        """The answers by decision, also one that led to a fault; a seat with one legal action may not be asked."""
        self.broken: BrokenGame | None = None

    def seat_bot(self, seat: int, entrant: Entrant, seed: int) -> Callable[[int], int]:
        """An agent that notes each answer."""
        agent = super().seat_bot(seat, entrant, seed)

        def noting(count: int) -> int:
            code = agent(count)
            self.answers[int(self.where[DECISION])] = code
            return code

        return noting

    def check_invariants(self, invariant: int) -> None:
        """Remember an invariant that is broken: what happened is to be told first."""
        try:
            super().check_invariants(invariant)
        except BrokenGame as error:
            self.broken = error

    def play_again(self, deal: np.ndarray, forced: Sequence[Fault]) -> Replayed:
        """Play a deal (DEAL [1]); the entrants sit in their order. BrokenGame if it cannot be told."""
        self.answers = {}
        self.broken = None
        outcomes = np.zeros(1, OUTCOME)
        outcome: np.record = outcomes[0]
        self.states[0] = np.zeros(1, STATE)[0]  # nothing of an earlier game is left where this one does not reach
        faults = self.play_one(self.entrants, deal, outcomes, forced)
        telling = Telling(self.map, len(self.entrants))
        try:
            events = list(tell(telling, deal, self.answers, faults, self.limits.on_fault == "forfeit"))
        except ValueError as error:  # answers that were legal then
            raise self.broken or error from None
        if telling.state.tobytes() != self.state.tobytes() or telling.outcome().tobytes() != outcome.tobytes():
            raise self.broken or RuntimeError(TOLD_OTHERWISE)
        return Replayed(events, outcome, faults, str(self.broken or ""))


def tell(
    telling: Telling,
    deal: np.ndarray,
    answers: Mapping[int, int],
    faults: Sequence[Fault],
    forfeited: bool = False,
) -> Iterable[Event]:
    """The events of a game by the answers to its decisions.

    From a seat's fault on a random fallback plays for it, with the random state that the deal has for the seat.
    """
    random_states = deal["random_states"][0].copy()
    known = {fault.seat: fault for fault in faults}
    attributed = set[int]()
    decision = 0
    yield from telling.deal(deal)
    while not telling.is_over:
        seat = telling.seat
        fault = known.get(seat)
        if fault and seat not in attributed and decision >= fault.decision:
            attributed.add(seat)
            telling.attribute_fault(seat, FAULTS.index(fault.kind))
            yield {"event": "fault", "seat": seat, "kind": fault.kind, "reason": fault.reason}
            if forfeited:
                yield from telling.forfeit()
                return
        if seat in attributed:
            yield from telling.play_randomly(random_states)
        elif decision in answers:
            yield from telling.play(answers[decision])
        else:
            yield from telling.play_only_action()
        decision += 1
