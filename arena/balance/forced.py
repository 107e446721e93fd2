"""What a ticket causes: the same deals with one ticket put before a seat, each ticket in turn (`Plan.forced`).

Who keeps a good ticket may win for other reasons: an observation. Here all else is equal: the deck, the players, the
other tickets as far as they can be. Only what lies first before one seat is another ticket, and the one that lay there
is where the other would have been.
"""

import numpy as np


def causal_effects(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By how much each ticket changes a value against the mean of all, and the standard errors, float64 [tickets] each.

    values: of each deal with each ticket, [deals, tickets]. All tickets are played on each deal, so that what the deal
    does is the same for all: the two-way analysis without replication.
    """
    deals, tickets = values.shape
    centered = values - values.mean(axis=1, keepdims=True)
    effect = centered.mean(axis=0)
    if deals < 2:
        return effect, np.full(tickets, np.nan)
    return effect, centered.std(axis=0, ddof=1) / np.sqrt(deals)
