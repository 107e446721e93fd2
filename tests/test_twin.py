"""The naive twin beside the kernel: the same decisions, the same legal actions, the same state, the same points."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import naive
from arena import catalog
from arena.boards.check import with_rules
from arena.boards.rule_numbers import COLORS, PLAYERS
from arena.boards.spec import Line, MapSpec
from arena.rules.scoring import SCORE, SOURCES, score_game
from arena.rules.state import ENDS, PHASES
from helpers import (
    SEAT_COUNTS,
    STYLES,
    Stepper,
    a_deal,
    bits,
    choose,
    naive_action,
    seeds_of,
    ticket_deck,
    trains_on_mat,
)

PHASE_NAMES = {"first_card": "first", "second_card": "second"}  # where the twin has another name
ODD_RULES = {
    "few cards": {"cards_per_color": 3, "locomotives": 6},
    "many locomotives": {"cards_per_color": 4, "locomotives": 30},
    "few trains": {"trains": 12, "last_round_trains": 4, "longest_path": 0},
    "flush at two, once": {"cards_per_color": 3, "flush_at": 2, "flush_limit": 1},
    "both twins for all": {"twins_from": 2, "tickets_dealt": 5, "tickets_keep": 3, "tickets_drawn": 6},
    "twins for none": {"twins_from": 6, "tickets_drawn": 4, "tickets_drawn_keep": 2},
    "a color in short supply, extra cards": {
        "cards.red": 3,
        "cards.blue": 0,
        "cards.green": 21,
        "extra_cards.0": 1,
        "extra_cards.1": 7,
        "extra_cards.4": 2,
    },
    "few cards, more of one color": {"cards_per_color": 2, "cards.white": 8, "locomotives": 6, "extra_cards.1": 3},
}


def twin_of(spec: MapSpec, seats: int, deal: np.ndarray) -> naive.Game:
    rules = {name: getattr(spec.rules, name) for name in naive.Rules.__dataclass_fields__ if hasattr(spec.rules, name)}
    rules["route_points"] = (0, *spec.rules.route_points)
    rules["express"] = tuple(range(1, spec.rules.express + 1))
    rules["draft"] = bool(spec.rules.tickets_draft)
    rules["cards"] = {COLORS.index(color): count for color, count in spec.rules.cards}
    rules["extra_cards"] = {int(seat): count for seat, count in spec.rules.extra_cards}
    rules["provinces"] = {COLORS.index(line.color): line.positions for line in spec.provinces}
    for name in spec.rules.TABLES:
        rules[name] = dict(zip(PLAYERS, getattr(spec.rules, name), strict=True))
    return naive.Game(
        [naive.Route(**route._asdict()) for route in spec.routes],
        [naive.Ticket(*ticket) for ticket in spec.tickets],
        seats,
        [int(word) for word in deal[:3]],
        naive.Rules(**rules),
    )


def bit_set(members: Iterable[int]) -> int:
    return sum(map((1).__lshift__, members))


def assert_same_state(game: Stepper, twin: naive.Game) -> None:
    seats = game.seats
    state = game.fields
    phase = PHASES[state["phase"]]
    assert PHASE_NAMES.get(phase, phase) == twin.phase
    assert ENDS[state["end"]] == (twin.end or "none")
    if twin.phase != "over":
        assert state["seat"] == twin.seat
    assert state["hand"][:seats].tolist() == twin.hands
    assert state["known"][:seats].tolist() == twin.known
    assert [None if card < 0 else card for card in state["row"].tolist()] == twin.row
    assert state["deck"][: state["deck_count"]].tolist() == twin.deck
    assert state["discards"].tolist() == twin.discards
    assert ticket_deck(state) == twin.ticket_deck
    assert state["trains"][:seats].tolist() == twin.trains
    assert state["route_points"][:seats].tolist() == twin.route_points
    assert state["turns"][:seats].tolist() == twin.turns
    owned = [0] * (seats + 1)  # by seat, the last is everybody's; sets as bits
    for route, owner in enumerate(twin.owner):
        if owner is not None:
            owned[owner] |= 1 << route
    assert [bits(words) for words in state["routes_claimed"][:seats].tolist()] == owned[:-1]
    assert bits(state["shared"].tolist()) == owned[naive.SHARED]
    tickets = [bit_set(held) for held in twin.tickets]
    assert [bits(words) for words in state["tickets"][:seats].tolist()] == tickets
    offers = zip(state["offer"][:seats].tolist(), state["offer_size"].tolist(), strict=False)
    assert [offer[:count] for offer, count in offers] == twin.offer
    assert state["express"][:seats].tolist() == [bit_set(left) for left in twin.express_left]
    assert (state["bullets_left"], state["progress"][:seats].tolist()) == (twin.bullets_left, twin.progress)
    assert trains_on_mat(state) == twin.mat
    assert twin.claimed == ((state["pending_route"], state["paid"]) if phase == "place" else None)


def assert_same_score(game: Stepper, twin: naive.Game) -> None:
    score: np.record = np.zeros(1, SCORE)[0]
    score_game(game.state, game.board, score)
    for seat, points in enumerate(twin.points()):
        table = score["points"][seat]
        assert dict(zip(SOURCES, table.tolist(), strict=True)) == {source: points[source] for source in SOURCES}
        assert score["score"][seat] == points["score"]
        assert score["longest"][seat] == points["longest"]
        assert score["tickets_completed"][seat] == points["tickets_completed"]
    assert score["rank"][: game.seats].tolist() == twin.ranks()


def play_beside(spec: MapSpec, seats: int, seed: int, game_number: int, style: str) -> str:
    """Play one game on both engines, in a style, comparing at every decision; how it ended."""
    deal = a_deal(seed, game_number)
    game, twin = Stepper(spec, seats, deal), twin_of(spec, seats, seeds_of(deal))
    rng = np.random.default_rng([seed, game_number])
    while not game.is_over:
        assert_same_state(game, twin)
        codes = game.actions()
        actions = set(map(naive_action, codes))
        assert len(actions) == len(codes)
        assert actions == set(twin.legal_actions())
        code = choose(codes, style, rng)
        game.apply(code)
        twin.apply(naive_action(code))
    assert_same_state(game, twin)
    assert_same_score(game, twin)
    return str(twin.end)


@pytest.mark.parametrize("games", [range(15), pytest.param(range(15, 100), marks=pytest.mark.full)], ids=str)
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_twin_agrees(spec: MapSpec, seats: int, games: range) -> None:
    """In all styles of play; with `full` 100 games a map and seat count: 300 with so many seats."""
    for number in games:
        play_beside(spec, seats, 1, number, STYLES[number % len(STYLES)])


def ends_under(spec: MapSpec, name: str, games: Iterable[tuple[int, int]]) -> set[str]:
    """How games end under odd rules, each given by its seats and number."""
    rules = ODD_RULES[name]
    odd = with_rules(spec, rules | {"tickets_drawn": min(rules.get("tickets_drawn", 3), 6 - spec.rules.express)})
    return {play_beside(odd, seats, 2, number, STYLES[number % 5]) for seats, number in games}


@pytest.mark.parametrize("rules", ODD_RULES)
def test_twin_agrees_under_odd_rules(spec: MapSpec, rules: str) -> None:
    """Rare states made common: empty decks, flushes in a row, stalls, other rule numbers.

    Every seat count, each in a style of its own; another one on every map and under other rules.
    """
    first = catalog.map_names().index(spec.key) + list(ODD_RULES).index(rules)
    assert ends_under(spec, rules, [(seats, (first + seats) % 5) for seats in SEAT_COUNTS]) <= {"trains", "stall"}


@pytest.mark.full
@pytest.mark.parametrize("rules", ODD_RULES)
def test_twin_agrees_under_odd_rules_in_every_style(spec: MapSpec, rules: str) -> None:
    assert ends_under(spec, rules, product(SEAT_COUNTS, range(5))) <= {"trains", "stall"}


@pytest.mark.parametrize("games", [range(5), pytest.param(range(5, 20), marks=pytest.mark.full)], ids=str)
def test_twin_agrees_where_all_mechanisms_meet(games: range) -> None:
    """Bullet routes, a draft, express cards and provinces of unequal length on one map, with the longest path."""
    spec = catalog.load_map("japan")
    lines = tuple(Line(color, positions) for color, positions in zip(COLORS[:6], (1, 3, 5, 8, 12, 15), strict=True))
    rules = {"tickets_draft": 1, "tickets_returned": "reshuffled", "tickets_keep_most": 3, "express": 2,
             "longest_path": 10, "bullet_trains": 8, "last_round_bullets": 1}  # fmt: skip
    mixed = with_rules(replace(spec, provinces=lines), rules)
    for seats in SEAT_COUNTS:
        for number in games:
            play_beside(mixed, seats, 4, number, STYLES[number % 5])


@pytest.mark.long
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_twin_agrees_in_20000_games(spec: MapSpec, seats: int) -> None:
    """5,000 games a seat count: 20,000 on each map."""
    for number in range(5000):
        play_beside(spec, seats, 3, number, STYLES[number % len(STYLES)])
