"""DEAL: what decides a game beside its players: the seeds of its random streams and, in studies, a ticket."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from arena.rules.board import MAX_SEATS

DEAL = np.dtype(
    (np.record, [
        ("train_deck", "u8"), ("reshuffles", "u8"), ("tickets", "u8"),
        ("random_states", "u8", (MAX_SEATS,)),  # each seat's random state when the game begins
        ("forced_seat", "i8"), ("forced_ticket", "i8"),  # a ticket that is put before a seat; -1: all is chance
    ])
)  # fmt: skip
SEEDS = 3 + MAX_SEATS
"""How many seeds a deal has: one for each stream, in the order of the fields."""


def make_deals(seed: int, deals: Sequence[int]) -> np.ndarray:
    """The deals of a seed with these numbers, as DEAL [deals].

    The seeds of a deal are a one-way hash of seed and number, so that a bot cannot tell the cards from its own random
    state, unless it tries out seeds.
    """
    digests = (blake2b(f"ttr-arena deal {seed} {deal}".encode(), digest_size=8 * SEEDS).digest() for deal in deals)
    return deals_from_seeds(np.frombuffer(b"".join(digests), "<u8").reshape(-1, SEEDS))


def deals_from_seeds(seeds: np.ndarray) -> np.ndarray:
    """The deals with these seeds, uint64 [deals, up to SEEDS], as DEAL [deals]; a seed that is not given is 0."""
    deals = np.zeros(len(seeds), DEAL)
    deals.view(np.uint64).reshape(len(seeds), -1)[:, : seeds.shape[1]] = seeds
    deals["forced_seat"] = deals["forced_ticket"] = -1
    return deals
