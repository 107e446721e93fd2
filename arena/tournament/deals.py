"""The deals of a plan's games: the random words from which the rules shuffle."""

import numpy as np

from arena.engine.loop import deal_words
from arena.tournament.plan import Plan


def game_words(plan: Plan, games: np.ndarray) -> np.ndarray:
    """The words of some games of a plan, uint64 [games, WORDS], and two more where tickets are forced.

    Then the games of a block are those of one deal with each ticket, and the seat that it is put before is, deal by
    deal, the next one.
    """
    deals, distinct = np.unique(games // plan.block_games, return_inverse=True)
    words = deal_words(plan.seed, deals.tolist())[distinct]
    if not plan.forced:
        return words
    seats = (deals[distinct] % plan.players).astype(np.uint64)
    return np.column_stack([words, seats, (games % plan.forced).astype(np.uint64)])
