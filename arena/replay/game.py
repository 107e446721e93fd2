"""A game of a run, played once more around a table; what the seats answered becomes its events."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena.faults import Fault
from arena.limits import Limits
from arena.mapspec import MapSpec
from arena.play import FAULTS, OUTCOME
from arena.replay.deck import Event
from arena.replay.events import Telling
from arena.rules.state import STATE
from arena.rules.turn import FORCED
from arena.table import Entrant, Table


class Replayed(NamedTuple):
    """A game that was played again."""

    events: list[Event]
    """From the deal on."""
    outcome: np.record
    """OUTCOME."""
    faults: list[Fault]


class AnswersTable(Table):
    """A table that keeps what the seats answer."""

    def __init__(self, spec: MapSpec, seats: int, entrants: Sequence[Entrant], limits: Limits) -> None:
        super().__init__(spec, seats, entrants, limits)
        self.answers: list[list[int]] = []
        """By seat, one that led to a fault included."""

    def sit(self, seat: int, entrant: Entrant, luck: int) -> Callable[[int], int]:
        """A decider that notes each answer."""
        decider = super().sit(seat, entrant, luck)

        def noting(count: int) -> int:
            code = decider(count)
            self.answers[seat].append(code)
            return code

        return noting

    def play_again(self, words: np.ndarray, forced: Sequence[Fault]) -> Replayed:
        """Play the deal with these words; the entrants sit in their order."""
        self.answers = [[] for _ in self.entrants]
        outcomes = np.zeros(1, OUTCOME)
        outcome: np.record = outcomes[0]
        self.states[0] = np.zeros(1, STATE)[0]  # nothing of an earlier game is left where this one does not reach
        faults = self.play_one(self.entrants, words, outcomes, forced)
        telling = Telling(self.spec, len(self.entrants))
        events = list(tell(telling, words, self.answers, faults, self.limits.on_fault == "forfeit"))
        if telling.state.tobytes() != self.state.tobytes() or telling.outcome().tobytes() != outcome.tobytes():
            raise RuntimeError("a game was told otherwise than it was played: this is a mistake in the arena")
        return Replayed(events, outcome, faults)


def tell(
    telling: Telling,
    words: np.ndarray,
    answers: Sequence[Sequence[int]],
    faults: Sequence[Fault],
    forfeited: bool = False,
) -> Iterable[Event]:
    """The events of a game by the answers of each seat; from its fault on a stand-in plays, with its luck anew."""
    queues = [iter(each) for each in answers]
    luck = words[3:FORCED].copy()
    known = {fault.seat: fault for fault in faults}
    booked = set[int]()
    decision = 0
    yield from telling.deal(words)
    while not telling.is_over:
        seat = telling.seat
        fault = known.get(seat)
        if fault and seat not in booked and decision >= fault.decision:
            booked.add(seat)
            telling.book_fault(seat, FAULTS.index(fault.kind))
            yield {"event": "fault", "seat": seat, "kind": fault.kind, "reason": fault.reason}
            if forfeited:
                yield from telling.forfeit()
                return
        yield from telling.play_randomly(luck) if seat in booked else telling.play(next(queues[seat]))
        decision += 1
