"""A bot's behavior as one number: a digest of its decisions on a fixed set of positions."""

from collections.abc import Sequence
from hashlib import blake2b

from arena import catalog
from arena.play import deal_words
from arena.rules.board import MAX_SEATS
from arena.table import Entrant
from arena.watch import WatchedTable

SEED = 20_000
MOST = 60
"""Decisions of a game: about all of one. A bot that thinks for 20 ms takes a quarter of a minute for twelve games."""


def fingerprint(entrant: Entrant, maps: Sequence[str] | None = None, most: int = MOST) -> str:
    """The digest, 16 hexadecimal digits, of what a bot decides among random players: other digest, other behavior.

    One game for each map (by default all shipped ones) and number of seats, the bot in another seat each time, up to
    `most` of its decisions. Rules and maps have their part in it: they make the positions.
    """
    digest = blake2b(digest_size=8)
    combinations = [(name, seats) for seats in range(2, MAX_SEATS + 1) for name in maps or catalog.map_names()]
    for number, (name, seats) in enumerate(combinations):
        table = WatchedTable(catalog.load_map(name), seats, [entrant])
        lineup = [entrant if seat == number % seats else None for seat in range(seats)]
        game = table.watch(lineup, deal_words(SEED, [number])[0], most)
        fault = f"{game.phase} {game.fault.kind}" if game.fault else ""
        digest.update(repr(([tuple(decision) for decision in game.decisions], fault)).encode())
    return digest.hexdigest()
