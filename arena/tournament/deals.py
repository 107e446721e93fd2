"""The deals of a plan's games."""

import numpy as np

from arena.engine.loop import deal_words
from arena.tournament.plan import Plan


def game_words(plan: Plan, games: np.ndarray) -> np.ndarray:
    """The deals of some games of a plan, DEAL [games].

    Where tickets are forced, the games of a block are those of one deal with each ticket, and the seat that it is put
    before is, deal by deal, the next one.
    """
    numbers, distinct = np.unique(games // plan.block_games, return_inverse=True)
    deals: np.ndarray = deal_words(plan.seed, numbers.tolist())[distinct]
    if plan.forced:
        deals["forced_seat"] = numbers[distinct] % plan.players
        deals["forced_ticket"] = games % plan.forced
    return deals
