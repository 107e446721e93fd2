"""Stepping the compiled engine from Python, its state in plain Python objects, and scripts as modules."""

import importlib.util
import sys
from bisect import bisect
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant
from arena.engine.compile_board import compile_board, max_actions
from arena.engine.limits import Limits
from arena.rules.actions import KINDS, decode
from arena.rules.board import BOARD, CARDS, LOCOMOTIVE
from arena.rules.compiler import kernel
from arena.rules.deal import make_deals
from arena.rules.state import OVER, PHASES, STATE
from arena.rules.turn import apply, legal_actions, new_game
from arena.runs import prepare
from arena.tournament.plan import Plan
from arena.tournament.request import Request, Settings

SEAT_COUNTS = (2, 3, 4, 5)
MAPS_AND_SEATS = [
    pytest.param(name, seats, marks=[] if seats % 3 == (index + 2) % 3 else [pytest.mark.full])
    for index, name in enumerate(catalog.map_names())
    for seats in SEAT_COUNTS
]
"""For each change every map and every number of seats, with `full` each map with each of them."""
STYLES = ("uniform", "hoard", "tickets", "claims", "kinds")
LIKES = {
    "hoard": {"row": 10.0, "blind": 10.0, "claim": 0.05, "tickets": 0.1, "express": 0.1},
    "tickets": {"tickets": 5.0, "claim": 2.0},
    "claims": {"claim": 50.0, "tickets": 0.05},
}
PLAIN = np.dtype(STATE.descr)  # as STATE, but no record: its fields are read many times faster


# Python hands an array to a kernel much faster than a record.


@kernel
def legal_actions_of(states, boards, actions):
    return legal_actions(states[0], boards[0], actions)


@kernel
def apply_to(states, boards, action):
    apply(states[0], boards[0], action)


def make_plan(
    bots: Sequence[str], map_name: str, players: int, games: int, seed: int, settings: Settings | None = None,
    limits: Limits | None = None, **options: Any,
) -> tuple[Plan, MapSpec, list[Entrant]]:  # fmt: skip
    """The plan of a run, its map and its bots, from what most tests ask for."""
    asked = {"map": map_name, "players": players, "games": games, "seed": seed, "settings": settings}
    return prepare.make_plan(Request(bots, **asked, **asdict(limits or Limits()), **options))


@cache
def boards_of(spec: MapSpec, seats: int) -> np.ndarray:
    """The compiled board, alone in an array; every game at it shares it."""
    return np.array([compile_board(spec, seats)], BOARD)


class Stepper:
    """One game, played decision by decision."""

    def __init__(self, spec: MapSpec, seats: int, deal: np.ndarray) -> None:
        self.spec, self.seats = spec, seats
        self.boards = boards_of(spec, seats)
        self.board: np.record = self.boards[0]
        self.lay(np.zeros(1, STATE))
        self.buffer = np.zeros(max_actions(spec), np.int32)
        self.deal = deal
        new_game(self.state, self.board, deal[0])

    def lay(self, states: np.ndarray) -> None:
        """Play on with the state that is alone in an array."""
        self.states = states
        self.state: np.record = states[0]
        self.fields: np.void = states.view(PLAIN)[0]  # the same memory

    @property
    def is_over(self) -> bool:
        return bool(self.fields["phase"] == OVER)

    @property
    def phase(self) -> str:
        return PHASES[self.fields["phase"]]

    def actions(self) -> list[int]:
        return self.buffer[: legal_actions_of(self.states, self.boards, self.buffer)].tolist()

    def apply(self, code: int) -> None:
        apply_to(self.states, self.boards, code)


def a_deal(seed: int, game: int = 0) -> np.ndarray:
    """One deal of a seed, DEAL [1]."""
    return make_deals(seed, [game])


def seeds_of(deal: np.ndarray) -> list[int]:
    """What seeds the train deck, the reshuffles and the tickets."""
    return [int(deal[name][0]) for name in ("train_deck", "reshuffles", "tickets")]


def bits(words: list[int]) -> int:
    """A set of two words as one number."""
    return words[0] | words[1] << 64


def members(bits: np.ndarray) -> list[int]:
    """The indices in a set of two words."""
    value = int(bits[0]) | int(bits[1]) << 64
    return [index for index, bit in enumerate(reversed(f"{value:b}")) if bit == "1"]


def ticket_deck(state: np.void) -> list[int]:
    """The ticket deck from the top."""
    ring, top = state["ticket_deck"].tolist(), int(state["ticket_top"])
    deck: list[int] = (ring[top:] + ring[:top])[: state["ticket_count"]]
    return deck


def trains_on_mat(state: np.void) -> dict[tuple[int, int], int]:
    """The province mat: (line, position) to seat."""
    return {
        (line, position): (word >> 4 * position - 4 & 15) - 1
        for line, word in enumerate(state["mat"].tolist())
        if word
        for position in range(1, 16)
        if word >> 4 * position - 4 & 15
    }


def choose(codes: list[int], style: str, rng: np.random.Generator) -> int:
    """A legal action in a style of play, so that games reach states that uniform play does not."""
    if style == "uniform":
        return codes[rng.integers(len(codes))]
    kinds = list(dict.fromkeys([code >> 24 for code in codes]))
    likes = LIKES.get(style, {})
    weights = list(accumulate(likes.get(KINDS[kind], 1.0) for kind in kinds))
    chosen = kinds[bisect(weights, rng.random() * weights[-1])]
    of_kind = [code for code in codes if code >> 24 == chosen]
    return of_kind[rng.integers(len(of_kind))]


@cache
def naive_action(code: int) -> tuple:
    """An action in the form of `tests/naive.py`."""
    action = decode(code)
    if action.kind == "keep":
        return ("keep", action.keep)
    if action.kind == "row":
        return ("row", CARDS.index(action.card))
    if action.kind == "claim":
        card = CARDS.index(action.card)
        return ("claim", action.route, card, action.locomotives)
    if action.kind == "draft":
        return ("draft", action.keep[0])
    if action.kind == "place":
        card = CARDS.index(action.card) if action.card else LOCOMOTIVE
        return ("place", CARDS.index(action.line), card, action.extra, action.locomotives, action.express)
    return (action.kind, action.express) if action.express else (action.kind,)


assert CARDS[LOCOMOTIVE] == "locomotive"


@cache
def load_benchmark(name: str) -> ModuleType:
    """A script of benchmarks/, which is in no package; what it imports from its folder is found."""
    file = Path(__file__).parent.parent / "benchmarks" / f"{name}.py"
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
