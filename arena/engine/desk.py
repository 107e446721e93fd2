"""The memory of one game that is played decision by decision: its records and its legal actions."""

import numpy as np

from arena.boards.spec import MapSpec
from arena.engine.compile_board import compile_board, max_actions
from arena.engine.loop import DESK, DESK_BYTES
from arena.rules.view import VIEW_BYTES


class Desk:
    """A game's memory. What a seat is shown, a VIEW and its legal actions, lies in one piece: one copy takes both."""

    def __init__(self, spec: MapSpec, seats: int) -> None:
        self.memory = memory = np.zeros(DESK_BYTES + 4 * max_actions(spec), np.uint8)
        """A DESK and the legal actions as bytes: what `play.start`, `step`, `step_randomly` and `finish` take."""
        self.records = memory[:DESK_BYTES].view(DESK)
        """DESK [1]."""
        self.actions = memory[DESK_BYTES:].view(np.int32)
        """The legal actions of the seat to move, and whatever was there before beyond them."""
        self.states: np.ndarray = self.records["state"]
        """STATE [1]."""
        self.boards: np.ndarray = self.records["board"]
        """BOARD [1]."""
        self.views: np.ndarray = self.records["shown"]
        """VIEW [1]."""
        self.outcomes: np.ndarray = self.records["outcome"]
        """OUTCOME [1], with a log if `records["logged"]` is set."""
        self.shown = memory.data[DESK_BYTES - VIEW_BYTES :]
        """The bytes of what is shown, at most."""
        self.boards[0] = compile_board(spec, seats)
