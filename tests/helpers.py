"""Stepping the compiled engine from Python, and its state in plain Python objects."""

from functools import cache

import numpy as np

from arena.compile import compile_board, max_actions
from arena.mapspec import MapSpec
from arena.play import deal_words
from arena.rules.actions import KINDS, decode
from arena.rules.board import CARDS, LOCOMOTIVE, MAX_TICKETS
from arena.rules.state import OVER, PHASES, STATE
from arena.rules.turn import apply, legal_actions, new_game

SEAT_COUNTS = (2, 3, 4, 5)
STYLES = ("uniform", "hoard", "tickets", "claims", "kinds")


class Stepper:
    """One game, played decision by decision."""

    def __init__(self, spec: MapSpec, seats: int, words: np.ndarray) -> None:
        self.spec, self.seats = spec, seats
        self.board = compile_board(spec, seats)
        self.state: np.record = np.zeros(1, STATE)[0]
        self.buffer = np.zeros(max_actions(spec), np.int32)
        self.words = words
        new_game(self.state, self.board, words)

    @property
    def is_over(self) -> bool:
        return bool(self.state["phase"] == OVER)

    @property
    def phase(self) -> str:
        return PHASES[self.state["phase"]]

    def actions(self) -> list[int]:
        return self.buffer[: legal_actions(self.state, self.board, self.buffer)].tolist()

    def apply(self, code: int) -> None:
        apply(self.state, self.board, code)


def words(seed: int, game: int = 0) -> np.ndarray:
    """The random words of one deal."""
    return deal_words(seed, [game])[0]


def bits(words: list[int]) -> int:
    """A set of two words as one number."""
    return words[0] | words[1] << 64


def members(bits: np.ndarray) -> list[int]:
    """The indices in a set of two words."""
    value = int(bits[0]) | int(bits[1]) << 64
    return [index for index in range(128) if value >> index & 1]


def ticket_deck(state: np.record) -> list[int]:
    """The ticket deck from the top."""
    top, count = int(state["ticket_top"]), int(state["ticket_count"])
    return [int(state["ticket_deck"][(top + i) % MAX_TICKETS]) for i in range(count)]


def trains_on_mat(state: np.record) -> dict[tuple[int, int], int]:
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
    kinds: dict[str, list[int]] = {}
    for code in codes:
        kinds.setdefault(KINDS[code >> 24], []).append(code)
    likes = {
        "hoard": {"row": 10.0, "blind": 10.0, "claim": 0.05, "tickets": 0.1, "express": 0.1},
        "tickets": {"tickets": 5.0, "claim": 2.0},
        "claims": {"claim": 50.0, "tickets": 0.05},
    }.get(style, {})
    weights = np.array([likes.get(kind, 1.0) for kind in kinds])
    kind = list(kinds)[rng.choice(len(kinds), p=weights / weights.sum())]
    return kinds[kind][rng.integers(len(kinds[kind]))]


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
