"""Rare events: how often states came up that the rulebook hardly mentions, and which game shows them."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import numpy as np

from arena.store.ranges import Range
from arena.store.reader import read_rare
from arena.texts import counted
from arena.tournament.plan import Plan

RARE = {
    "stall": "ended in a stall: nobody could move (B18)",
    "pass": "with a pass: somebody could not move (B18)",
    "one_card_turn": "with a turn of one card, for want of another (B13)",
    "row_of_locomotives": "with a row that kept too many locomotives after all flushes (B11)",
    "full_line": "with a full line of the province mat (K5)",
}
"""Each rare state in words. All but a stall, which is a result, are seen only by a run that keeps details."""


class Rare(NamedTuple):
    """A rare state that came up."""

    state: str
    """One of RARE."""
    games: int
    """The number of games with it."""
    first: int
    """The number of the first one."""


def rare_states(
    run: Path, plan: Plan, stalls: Sequence[np.ndarray], games: list[Range], problems: list[str]
) -> tuple[Rare, ...]:
    """The rare states that came up in some games of a run, in the order of RARE; stalls: the numbers of games."""
    seen: dict[str, list[np.ndarray]] = {"stall": list(stalls)}
    for numbers, counts in read_rare(run, plan, games, problems) if plan.detail else ():
        for state, count in counts.items():
            seen.setdefault(state, []).append(numbers[count > 0])
    known = {state: np.concatenate(seen[state]) for state in RARE if state in seen}
    return tuple(Rare(state, len(numbers), int(numbers.min())) for state, numbers in known.items() if len(numbers))


def rare_note(run: Path, rare: Rare) -> str:
    """A sentence for the report, with the command line that tells the first of these games."""
    replay = f"arena replay {quote(str(run))} {rare.first}"
    where = f"the first: {replay}" if rare.games > 1 else f"{replay} tells it"
    return f"{counted(rare.games, 'game')} {RARE[rare.state]}; {where}."
