"""The fingerprint of a bot: a digest of its decisions in a fixed set of games."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant, prepares
from arena.engine.table import Table
from arena.engine.watch import ANY_NUMBER, WatchedTable
from arena.rules.board import MAX_SEATS
from arena.rules.deal import make_deals

SEED = 20_000
RULES_SEED = 2026
RULES_DEALS = 100
SAME_GAMES = 4
MOST = 60
"""Decisions of a game: about all of one. A bot that thinks for 20 ms takes a quarter of a minute for twelve games."""


def fingerprint(entrant: Entrant, maps: Sequence[str] | None = None, most: int = MOST) -> str:
    """The digest, 16 hexadecimal digits, of what a bot decides among random players: other digest, other behavior.

    One game for each map (by default all shipped ones) and number of seats, the bot in another seat each time, up to
    `most` of its decisions. Rules and maps have their part in it: they make the positions.
    """
    if isinstance(entrant.bot, type) and prepares(entrant.bot):
        with suppress(Exception):  # what is wrong with it shows in its first decision
            entrant.bot.prepare()  # else compiling would count as thinking, and on a slow machine as too long
    digest = blake2b(digest_size=8)
    combinations = [(name, seats) for seats in range(2, MAX_SEATS + 1) for name in maps or catalog.map_names()]
    for number, (name, seats) in enumerate(combinations):
        digest.update(repr(_decisions(entrant, catalog.load_map(name), seats, number, most)).encode())
    return digest.hexdigest()


def _decisions(
    entrant: Entrant, spec: MapSpec, seats: int, number: int, most: int
) -> tuple[list[tuple[int, ...]], str]:
    """What a bot decides in one game among random players, and its fault."""
    table = WatchedTable(spec, seats, [entrant])
    lineup = [entrant if seat == number % seats else None for seat in range(seats)]
    game = table.watch(lineup, make_deals(SEED, [number]), most)
    return [tuple(decision) for decision in game.decisions], f"{game.phase} {game.fault.kind}" if game.fault else ""


def fingerprint_of(bot: str | Entrant, maps: Sequence[str] | None = None) -> str:
    """The fingerprint of a bot by its spec, which another process can be asked for."""
    return fingerprint(catalog.load_entrant(bot) if isinstance(bot, str) else bot, maps)


def decide_alike(
    one: str | Entrant, other: str | Entrant, cells: Sequence[tuple[str, int]], settings: Mapping[str, int | str]
) -> bool:
    """Whether two bots decide alike in SAME_GAMES games among random players, in each of the cells in turn."""
    one, other = (catalog.load_entrant(bot) if isinstance(bot, str) else bot for bot in (one, other))
    for number in range(max(SAME_GAMES, len(cells))):
        name, seats = cells[number % len(cells)]
        spec = catalog.load_map(name, settings)
        if _decisions(one, spec, seats, number, ANY_NUMBER) != _decisions(other, spec, seats, number, ANY_NUMBER):
            return False
    return True


def rules_fingerprint(maps: Iterable[tuple[str, MapSpec]], players: Sequence[int]) -> str:
    """The rules and maps as one number: a digest of what games of random players come to, by source of points.

    Their sources have digests too, but those change with every comment.
    """
    digest = blake2b(digest_size=8)
    entrant = catalog.load_entrant("random")
    for name, spec in maps:
        for seats in players:
            deals = make_deals(RULES_SEED, range(RULES_DEALS))
            outcomes, _ = Table(spec, seats, [entrant]).play(np.zeros((RULES_DEALS, seats), np.int64), deals)
            for column in ("points", "rank", "turns", "trains_left", "tickets_completed", "end"):
                digest.update(f"{name} {seats} {column} {outcomes[column].tolist()}".encode())
    return digest.hexdigest()
