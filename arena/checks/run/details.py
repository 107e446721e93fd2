"""Whether the details of games fit their results: claims and points, tickets, turns and cards."""

from collections.abc import Iterator

import numpy as np

from arena.boards.spec import MapSpec
from arena.checks.findings import Complaint
from arena.engine.loop import OUTCOME, RESULTS
from arena.replay.record import Rows
from arena.rules.game_log import BLIND, COLOR, MOST_OFFERS, WILD
from arena.rules.state import END_FORFEIT
from arena.store.detail_tables import shared_claims
from arena.tournament.plan import Plan

NOTED = [name for name in OUTCOME.names or () if name not in RESULTS]
"""The fields of OUTCOME that are details."""


def complaints_of_details(logs: np.ndarray, rows: Rows, plan: Plan, first: int, spec: MapSpec) -> Iterator[Complaint]:
    """The first game in which something does not fit, by what it is. logs: OUTCOME [games]."""
    seats = plan.players
    claimed = np.arange(logs["claim_route"].shape[1]) < logs["claims"][:, None]
    routes = np.where(claimed, logs["claim_route"], 0).astype(np.int64)
    unknown = np.any(claimed & (routes >= len(spec.routes)), axis=1)
    routes = np.minimum(routes, len(spec.routes) - 1)
    played = rows["turns"].sum(axis=1)
    turns = np.where(claimed, logs["claim_turn"], np.iinfo(np.int16).max)
    yield from _first(unknown, first, "a route is claimed that the map does not have")
    yield from _first(_repeated(np.where(claimed, routes, -1)), first, "a route is claimed twice")
    wrong = (np.diff(turns, axis=1) < 0).any(axis=1) | (np.where(claimed, turns, 0).max(axis=1) > played)
    yield from _first(wrong, first, "claims are not in turns of this game")
    lengths = np.array([route.length for route in spec.routes])[routes]
    bullets = np.array([index for index, route in enumerate(spec.routes) if route.bullet])
    scored = claimed & ~shared_claims(logs, bullets, spec.rules.bullet_trains)
    points = np.where(scored, np.array([0, *spec.rules.route_points])[lengths], 0)
    points = _by_seat(points, logs["claim_seat"], claimed, seats)
    yield from _first((points != rows["routes"]).any(axis=1), first, "the claimed routes do not add up to their points")
    offered = np.arange(MOST_OFFERS) < logs["offers"][:, None]
    # At set-up a choice takes effect when all have chosen (B3): a game may have been forfeited before.
    all_noted = (logs["offers"] <= MOST_OFFERS) & (rows["end"][:, 0] != END_FORFEIT)
    for field, name in (("tickets_kept", "offer_kept"), ("tickets_completed", "offer_completed")):
        counts = _by_seat(np.where(offered, logs[name], 0), logs["offer_seat"], offered, seats)
        wrong = all_noted & (counts != rows[field]).any(axis=1)
        yield from _first(wrong, first, f"the recorded tickets do not add up to {field}")
    paid = np.where(claimed, lengths, 0).sum(axis=1)
    yield from _complaints_of_cards(logs, paid, seats, first, spec)


def _complaints_of_cards(
    logs: np.ndarray, paid: np.ndarray, seats: int, first: int, spec: MapSpec
) -> Iterator[Complaint]:
    """Whether the cards left in hand fit. paid: how many were paid for routes, int64 [games]."""
    left = logs["cards_left"].astype(np.int64)
    wrong = np.asarray(((left < 0) | (left > spec.rules.supply)).any(axis=1))
    yield from _first(wrong, first, "more cards of a kind are left than exist")
    if spec.provinces or spec.rules.express:
        return  # what is drawn and played with these is not recorded
    dealt = seats * spec.rules.hand + sum(spec.rules.extras[:seats])
    drawn = logs["draws"][:, :, [BLIND, COLOR, WILD]].sum(axis=(1, 2), dtype=np.int64)
    wrong = np.asarray(left.sum(axis=1) != dealt + drawn - paid)
    yield from _first(wrong, first, "the cards left are not those dealt and drawn minus those paid")


def _first(wrong: np.ndarray, first: int, text: str) -> Iterator[Complaint]:
    """The first of some games."""
    if wrong.any():
        game = first + int(wrong.argmax())
        yield Complaint(f"game {game}: {text}", game)


def _by_seat(values: np.ndarray, seats: np.ndarray, there: np.ndarray, players: int) -> np.ndarray:
    """Sums by seat, int64 [games, players]."""
    sums = np.zeros((len(values), players), np.int64)
    games = np.broadcast_to(np.arange(len(values))[:, None], values.shape)
    known = there & (seats >= 0) & (seats < players)
    np.add.at(sums, (games[known], seats[known]), values[known])
    return sums


def _repeated(routes: np.ndarray) -> np.ndarray:
    """Whether a route stands twice in a row; -1 stands for no route."""
    ordered = np.sort(routes, axis=1)
    repeated: np.ndarray = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
    return repeated


def different_details(games: np.ndarray, recorded: np.ndarray, replayed: np.ndarray) -> Iterator[Complaint]:
    """The first field that differs, of each game that does; both OUTCOME [games]."""
    told = set[int]()
    for name in NOTED:
        differs = (recorded[name] != replayed[name]).reshape(len(games), -1).any(axis=1)
        for game in games[differs].tolist():
            if game not in told:
                told.add(game)
                yield Complaint(f"game {game}: {name} differs between record and replay", game)
