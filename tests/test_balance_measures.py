"""Measures of balance, each counted again in plain Python from what the replay tells of the same games."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.experiments.balance.study import Cell
from arena.experiments.measures.colors import color_ratios, color_table
from arena.experiments.measures.course import COURSE, course_ratios, seat_ratios
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.networks import built_for_all
from arena.experiments.measures.routes import (
    city_ratios,
    city_table,
    loss_table,
    route_ratios,
    route_table,
    takers_of,
    twin_ratios,
    twin_table,
)
from arena.experiments.measures.tickets import ticket_ratios, ticket_table
from arena.rules.board import CARDS, COLORS
from arena.rules.game_log import RARE
from arena.stats.ratio_estimates import RatioSums, add_ratios
from arena.store.seat_tables import SOURCES
from arena.tournament.plan import Plan
from recounts import BOTS, Game, Played, play

FEW_BULLETS = {"bullet_trains": 4, "cards.red": 8}
"""After four of the bullet routes the others are ordinary ones (J5)."""
FIRST = [("usa", 2, {}), ("south_korea", 4, {}), ("japan", 3, FEW_BULLETS)]
REST = [cell for cell in product(catalog.map_names(), (2, 4), ({},)) if cell not in FIRST]
CELLS = [*FIRST, *(pytest.param(cell, marks=pytest.mark.full) for cell in REST)]


@pytest.fixture(scope="module", params=CELLS, ids=lambda cell: f"{cell[0]}-{cell[1]}{'-few' * bool(cell[2])}")
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(*request.param, tmp_path_factory.mktemp("measures") / "r")


def test_routes(played: Played) -> None:
    sums = played.measured(route_ratios)
    claimed, when, lift, contested, lost = played.recounts(len(played.spec.routes), 5)
    for game in played.games:
        taken = {event["route"] for _, event in game.claims}
        for route in range(len(played.spec.routes)):
            claimed.add(game, route, route in taken)
        for turn, event in game.claims:
            when.add(game, event["route"], turn / game.turns)
            lift.add(game, event["route"], game.win(event["seat"]) - 1 / played.players)
        for route, hit in game.hit_by_claims():
            contested.add(game, route, hit)
            lost.add(game, route, hit, 0)
        for route in range(len(played.spec.routes)):
            lost.add(game, route, 0)
    claimed.check(sums["claimed"])
    when.check(sums["when"])
    lift.check(sums["lift"])
    contested.check(sums["contested"])
    lost.check(sums["lost"])
    table = route_table(played.spec, sums).sort_values("route")
    claims = np.array([sum(row) for row in zip(*when.denominator, strict=True)])
    for name in ("when", "lift", "lift_low", "lift_high"):
        assert (table[name].isna() == (claims < LEAST)).all()
    assert not table["claimed"].isna().any()


@pytest.mark.parametrize("copies", [False, True])
def test_lost_routes(played: Played, copies: bool) -> None:
    """When, and to whom: bots, or seats if all of them are copies of one."""
    bots = (BOTS[0],) * played.players if copies else BOTS[: played.players]
    plan = replace(played.batches[0].plan, bots=bots)
    sums: dict[str, RatioSums] = {}
    for batch in played.batches:
        add_ratios(sums, route_ratios(replace(batch, plan=plan), played.spec))
    takers = takers_of(plan)
    assert takers == (tuple(f"seat {seat}" for seat in range(played.players)) if copies else bots)
    seatings = np.concatenate([batch.seatings for batch in played.batches])
    (lost_when,) = played.recounts(len(played.spec.routes), 1)
    (lost_to,) = played.recounts(len(played.spec.routes) * played.players, 1)
    for number, game in enumerate(played.games):
        for (turn, event), (route, hit) in zip(game.claims, game.hit_by_claims(), strict=True):
            if hit:
                lost_when.add(game, route, turn / game.turns)
                for place in range(played.players):
                    is_it = place == (event["seat"] if copies else seatings[number, event["seat"]])
                    lost_to.add(game, route * played.players + place, is_it)
    lost_when.check(sums["lost_when"])
    lost_to.check(sums["lost_to"])
    if played.spec.key == "usa":
        assert np.any(lost_to.numerator)
    losses = loss_table(played.spec, sums, takers).sort_values("route")
    assert (losses["lost_when"].isna() == (sums["lost"].numerator < LEAST)).all()
    sums["lost_to"].denominator[:] += LEAST  # so often that all are told
    told = loss_table(played.spec, sums, takers).sort_values("route")[[f"to_{taker}" for taker in takers]]
    assert np.array_equal(told.to_numpy().ravel(), sums["lost_to"].value)


def unplayed_routes(spec: MapSpec) -> pd.DataFrame:
    """The table of routes before any game."""
    plan = Plan.of_size(bots=("random",) * 2, names=("a", "b"), map=spec.key, players=2, games=2, seed=1)
    return route_table(spec, Cell.empty(spec, plan).sums["routes"]).sort_values("route")


def test_points_of_routes() -> None:
    """The first routes of the tables by hand: two cards a turn, and the turn of the claim."""
    table = unplayed_routes(catalog.load_map("usa"))
    by_length = {length: (points, turn) for length, points, turn in
                 zip(table["length"], table["points"], table["points_per_turn"], strict=True)}  # fmt: skip
    assert by_length == {1: (1, 1 / 1.5), 2: (2, 1), 3: (4, 1.6), 4: (7, 7 / 3), 5: (10, 10 / 3.5), 6: (15, 3.75)}
    spec = catalog.load_map("japan")
    bullets = [route.bullet for route in spec.routes]
    assert unplayed_routes(spec)["points"].isna().tolist() == bullets
    ordinary = catalog.load_map("japan", {"bullet_trains": 0})
    assert not unplayed_routes(ordinary)["points_per_turn"].isna().any()


def test_cities(played: Played) -> None:
    sums = played.measured(city_ratios)
    used, dead_ends = played.recounts(len(played.spec.cities), 2)
    for game in played.games:
        for seat in game.seats:
            own = [played.spec.routes[event["route"]] for _, event in game.claims if event["seat"] == seat]
            ends = Counter(city for route in own for city in route[:2])
            for index, city in enumerate(played.spec.cities):
                used.add(game, index, ends[city.name] > 0)
                if ends[city.name]:
                    dead_ends.add(game, index, ends[city.name] == 1)
    used.check(sums["used"])
    dead_ends.check(sums["dead_ends"])
    assert (
        city_table(played.spec, sums).set_index("city")["dead_ends"].isna()[[city.name for city in played.spec.cities]]
        == (sums["used"].numerator < LEAST)
    ).all()


def test_colors(played: Played) -> None:
    sums = played.measured(color_ratios)
    own, gray, paid, left, claimed = played.recounts(len(CARDS), 5)
    for game in played.games:
        counts = {"own": Counter[str](), "gray": Counter[str](), "left": Counter[str](), "claimed": Counter[str]()}
        for _, event in game.claims:
            color = played.spec.routes[event["route"]].color
            counts["gray" if color == "gray" else "own"].update(event["cards"])
            counts["claimed"][color] += 1
        for event in game.scores:
            counts["left"].update(event["cards"])
        for card, name in enumerate(CARDS):
            own.add(game, card, counts["own"][name])
            gray.add(game, card, counts["gray"][name])
            paid.add(game, card, counts["own"][name] + counts["gray"][name])
            left.add(game, card, counts["left"][name])
            there = sum(route.color == name for route in played.spec.routes)
            claimed.add(game, card, counts["claimed"][name] if there else 0, there)
    own.check(sums["paid_own"])
    gray.check(sums["paid_gray"])
    paid.check(sums["paid"])
    left.check(sums["left"])
    claimed.check(sums["claimed"])
    table = color_table(played.spec, sums, played.players).set_index("color")
    assert table["supply"].tolist() == list(played.spec.rules.supply)
    assert table["supply_share"].sum() == pytest.approx(1)
    for color in COLORS:
        routes = [index for index, route in enumerate(played.spec.routes) if route.color == color]
        halves = [played.players < 4 and played.spec.twins[index] >= 0 for index in routes]
        lengths = [played.spec.routes[index].length for index in routes]
        assert table["spaces"][color] == sum(lengths)
        assert table["open_spaces"][color] == sum(n / (1 + half) for n, half in zip(lengths, halves, strict=True))
    assert table["spaces"]["locomotive"] == table["open_spaces"]["locomotive"] == 0


def test_twins(played: Played) -> None:
    sums = played.measured(twin_ratios)
    pairs = [{route, twin} for route, twin in enumerate(played.spec.twins) if 0 <= route < twin]
    one, both, missed = played.recounts(len(pairs), 3)
    for game in played.games:
        for index, pair in enumerate(pairs):
            claims = [event for _, event in game.claims if event["route"] in pair]
            assert len({event["seat"] for event in claims}) == len(claims)  # B16
            one.add(game, index, len(claims) == 1)
            both.add(game, index, len(claims) == 2)
            missed.add(game, index, len(claims) == 1 and played.players < 4 and game.others_join(claims[0]))
    one.check(sums["one"])
    both.check(sums["both"])
    missed.check(sums["missed"])
    table = twin_table(played.spec, sums, played.players).sort_values("route")
    assert [{a, b} for a, b in zip(table["route"], table["twin"], strict=True)] == pairs
    assert ("both" in table) == (played.players >= 4)
    assert (sums["both"].value == 0).all() == (played.players < 4)


def test_tickets(played: Played) -> None:
    sums = played.measured(ticket_ratios)
    kept, completed, net, lift = played.recounts(len(played.spec.tickets), 4)
    for game in played.games:
        for event in (event for event in game.events if event["event"] == "keep"):
            for ticket in event["kept"] + event["returned"]:
                kept.add(game, ticket, ticket in event["kept"])
            for ticket in event["kept"]:
                done = ticket in game.scores[event["seat"]]["completed"]
                completed.add(game, ticket, done)
                net.add(game, ticket, played.spec.tickets[ticket].points * (1 if done else -1))
                lift.add(game, ticket, game.win(event["seat"]) - 1 / played.players)
    kept.check(sums["kept"])
    completed.check(sums["completed"])
    net.check(sums["net"])
    lift.check(sums["lift"])
    assert len(ticket_table(played.spec, sums, {})) == len(played.spec.tickets)


def test_seats(played: Played) -> None:
    sums = played.measured(seat_ratios)
    wins, scores = played.recounts(played.players, 2)
    for game in played.games:
        for seat in game.seats:
            wins.add(game, seat, game.win(seat))
            scores.add(game, seat, game.scores[seat]["total"])
    wins.check(sums["wins"])
    scores.check(sums["scores"])


def leads(game: Game) -> list[tuple[int, int]]:
    """Who alone had most points on the track, each time that it became another: turn and seat."""
    track, found = [0 for _ in game.seats], list[tuple[int, int]]()
    for turn, event in game.claims:
        track[event["seat"]] += event["points"]
        first = [seat for seat in game.seats if track[seat] == max(track)]
        if len(first) == 1 and [seat for _, seat in found[-1:]] != first:
            found.append((turn, first[0]))
    return found


def would_change(game: Game, source: str) -> bool:
    """Whether none of the winners would be first without a source of points."""
    left = [event["total"] - event[source] for event in game.scores]
    return not any(left[seat] == max(left) for seat in game.winners)


def test_course(played: Played) -> None:
    sums = played.measured(course_ratios)
    (course,) = played.recounts(len(COURSE), 1)
    (sources,) = played.recounts(len(SOURCES), 1)
    passes = 0
    for game in played.games:
        changes = leads(game)
        turn, leader = changes[-1] if changes else (0, -1)
        totals = sorted(event["total"] for event in game.scores)
        said = {
            "turns": game.turns,
            "turns_winner_leads": 1 - turn / game.turns,
            "lead_changes": max(len(changes) - 1, 0),
            "comebacks": leader not in game.winners,
            "margin": totals[-1] - totals[-2],
            "stalls": next(event["reason"] for event in game.events if event["event"] == "end") == "stall",
            "longest_path_decides": would_change(game, "longest_path"),
            "tickets_decide": would_change(game, "tickets"),
        }
        for index, name in enumerate(COURSE):
            course.add(game, index, said[name])
        for event in game.scores:
            for index, source in enumerate(SOURCES):
                sources.add(game, index, event[source])
        passes += any(event["event"] == "pass" for event in game.events)
    course.check(sums["course"])
    sources.check(sums["points"])
    assert sums["rare"].numerator[RARE.index("pass")] == passes
    rare = np.concatenate([batch.outcomes["rare"] for batch in played.batches])
    assert sums["rare"].numerator.tolist() == (rare > 0).sum(axis=0).tolist()
    turns = sorted(game.turns for game in played.games)
    cell = Cell.empty(played.spec, played.batches[0].plan)
    for batch in played.batches:
        cell.add(batch)
    assert cell.turn_quantile(0.5) == turns[(len(turns) - 1) // 2]
    assert cell.turn_quantile(1) == turns[-1]


def test_claims_for_everybody(played: Played) -> None:
    """Those of bullet routes, as long as there are bullet trains (J4, J5)."""
    found = np.concatenate([built_for_all(batch, played.spec) for batch in played.batches])
    assert found.tolist() == [event["bullet"] for game in played.games for _, event in game.claims]
    assert found.any() == (played.spec.rules.bullet_trains > 0)
    if played.spec.rules.bullet_trains == FEW_BULLETS["bullet_trains"]:
        bullets = sum(played.spec.routes[event["route"]].bullet for game in played.games for _, event in game.claims)
        assert found.sum() < bullets


def test_a_map_without_double_routes(played: Played) -> None:
    routes = tuple(route._replace(single=True) for route in played.spec.routes)
    spec = replace(played.spec, routes=routes)
    sums = twin_ratios(played.batches[0], spec)
    assert sums["one"][0].shape[1] == 0


def test_thin_samples_say_nothing() -> None:
    sums = RatioSums.zeros(3)
    sums.add(np.array([[1, 14, 15], [0, 15, 15]]), np.array([[1, 14, 15], [0, 15, 15]]))
    assert np.isnan(sums.columns("x", 30)["x"]).tolist() == [True, True, False]
    assert np.isnan(sums.columns("x", 30)["x_high"]).tolist() == [True, True, False]
    assert not np.isnan(sums.columns("x")["x"]).any()
