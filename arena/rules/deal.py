"""DEAL: what decides a game beside the players: the seeds of its random streams, in studies also a ticket."""

import numpy as np

from arena.rules.board import MAX_SEATS

DEAL = np.dtype(
    (np.record, [
        ("train_deck", "u8"), ("reshuffles", "u8"), ("tickets", "u8"),
        ("luck", "u8", (MAX_SEATS,)),  # the seat's random state when the game begins
        ("forced_seat", "i8"), ("forced_ticket", "i8"),  # a ticket that is put before a seat; -1: all is chance
    ])
)  # fmt: skip
SEEDS = 3 + MAX_SEATS
"""How many random words seed a deal: one for each stream, in the order of the fields."""


def deals_from_seeds(seeds: np.ndarray) -> np.ndarray:
    """The deals with these seeds, uint64 [deals, up to SEEDS], as DEAL [deals]; what no seed is given for is 0."""
    deals = np.zeros(len(seeds), DEAL)
    deals.view(np.uint64).reshape(len(seeds), -1)[:, : seeds.shape[1]] = seeds
    deals["forced_seat"] = deals["forced_ticket"] = -1
    return deals
