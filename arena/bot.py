"""All that a bot's author imports: `Bot` (a class), `policy` (a compiled function), and what they are handed.

A class gets a `View` with friendly names; a policy gets the same facts as records (see `arena.rules.view`).
"""

from arena.boards.spec import Ticket
from arena.engine.bots import MEMORY, Bot, Policy, exported, kernel, policy
from arena.engine.compile_board import max_actions
from arena.engine.view import View
from arena.engine.view_parts import Path, Player
from arena.rules.actions import (
    CLAIM,
    DRAFT_TICKET,
    DRAW_BLIND,
    DRAW_EXTRA,
    DRAW_TICKETS,
    KEEP_TICKETS,
    PASS,
    PLACE_TRAIN,
    SKIP,
    TAKE_CARD,
    Action,
    card_of,
    express_of,
    extra_of,
    kept_of,
    kind_of,
    locomotives_of,
    route_of,
)  # fmt: skip
from arena.rules.board import (
    CARD_KINDS,
    CARDS,
    COLOR_COUNT,
    COLORS,
    GRAY,
    LOCOMOTIVE,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_OFFER,
    SET_WORDS,
    WORD_BITS,
)
from arena.rules.claims import within_trains
from arena.rules.network import are_connected
from arena.rules.paths import NO_PATH, cheapest_path
from arena.rules.provinces import line_strength, placement_gain, with_train
from arena.rules.rng import next_below
from arena.rules.sets import EMPTY, ONE, add, has, lowest, popcount
from arena.rules.shared import is_bullet
from arena.rules.state import DRAFT, FIRST_CARD, KEEP, PLACE, SECOND_CARD, SETUP, TURN
from arena.rules.tickets import count_bits

__all__ = [
    "CARDS", "CARD_KINDS", "CLAIM", "COLORS", "COLOR_COUNT",
    "DRAFT", "DRAFT_TICKET", "DRAW_BLIND", "DRAW_EXTRA", "DRAW_TICKETS", "EMPTY",
    "FIRST_CARD", "GRAY", "KEEP", "KEEP_TICKETS", "LOCOMOTIVE", "MAX_CITIES", "MAX_LENGTH", "MAX_OFFER", "MEMORY",
    "NO_PATH", "ONE", "PASS", "PLACE", "PLACE_TRAIN", "SECOND_CARD", "SETUP", "SET_WORDS", "SKIP", "TAKE_CARD",
    "TURN", "WORD_BITS",
    "Action", "Bot", "Path", "Player", "Policy", "Ticket", "View",
    "add", "are_connected", "card_of", "cheapest_path", "count_bits", "exported", "express_of", "extra_of", "has",
    "is_bullet", "kept_of", "kernel", "kind_of", "line_strength", "locomotives_of", "lowest", "max_actions",
    "next_below", "placement_gain", "policy", "popcount", "route_of", "with_train", "within_trains",
]  # fmt: skip
