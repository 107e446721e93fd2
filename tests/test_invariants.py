"""What must hold in every game on every map, whatever is played."""

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.checks.machine.playout import playout
from arena.engine.loop import OUTCOME, record_outcome
from arena.rules.board import MAX_TICKETS
from arena.rules.compiler import kernel
from arena.rules.scoring import SCORE, SOURCES, score_game
from arena.rules.view import VIEW, observe
from helpers import PLAIN, SEAT_COUNTS, STYLES, Stepper, a_deal, choose, members, ticket_deck, trains_on_mat

FEW = 10
MORE = (range(FEW), pytest.param(range(FEW, 25), marks=pytest.mark.full))
PLANTED: dict[str, int | str] = {"cards.red": 5, "cards.green": 20, "extra_cards.0": 1, "extra_cards.4": 3}
"""A color in short supply, and seats that are dealt more than others."""


@kernel
def observe_at(states, boards, seat, views):
    """As `observe`, but of arrays: Python hands them to a kernel much faster than records."""
    observe(states[0], boards[0], seat, views[0])


def laid_out(game: Stepper, seat: int) -> list[int]:
    """The tickets that a seat chooses from; in the draft with those that it has picked, which lie behind its pack."""
    count = game.spec.rules.tickets_dealt if game.phase == "draft" else game.fields["offer_size"][seat]
    tickets: list[int] = game.fields["offer"][seat][:count].tolist()
    return tickets


def assert_invariants(game: Stepper) -> None:
    state, rules, spec, seats = game.fields, game.spec.rules, game.spec, game.seats
    row = [card for card in state["row"].tolist() if card >= 0]
    cards = np.bincount([*row, *state["deck"][: state["deck_count"]].tolist()], minlength=9)
    cards += state["discards"] + state["hand"][:seats].sum(axis=0)
    assert cards.tolist() == list(rules.supply)
    assert state["discard_count"] == state["discards"].sum()
    assert (state["hand"] >= state["known"]).all()
    assert (state["known"] >= 0).all()
    if game.phase != "place":  # K5: before it is decided, nothing is replenished
        assert state["deck_count"] > 0 or state["discard_count"] == 0  # B10
        assert len(row) == 5 or state["deck_count"] == 0  # B11

    shared, mat = members(state["shared"]), trains_on_mat(state)
    assert state["bullets_left"] == rules.bullet_trains - len(shared) >= 0  # J3
    assert all(spec.routes[route].bullet for route in shared)
    assert state["progress"][:seats].sum() == sum(spec.routes[route].length for route in shared)
    positions = game.boards["positions"][0]
    assert all(position <= positions[line] for line, position in mat)
    assert set(mat.values()) <= set(range(seats))
    assert not (state["express"] & ~game.boards["express"]).any()

    owned = [members(words) for words in state["routes_claimed"][:seats]]
    claimed = set().union(shared, *owned)
    assert len(claimed) == sum(map(len, [shared, *owned]))
    assert all(claimed.isdisjoint(members(words)) for words in state["open"][:seats])
    trains, points, placed = state["trains"].tolist(), state["route_points"].tolist(), list(mat.values())
    for seat in range(seats):
        lengths = [spec.routes[route].length for route in owned[seat]]
        assert trains[seat] == rules.trains - sum(lengths) - placed.count(seat) >= 0  # K8
        assert points[seat] == sum(rules.route_points[length - 1] for length in lengths)
        assert not any(spec.twins[route] in owned[seat] for route in owned[seat])  # B16

    tickets = ticket_deck(state) + [ticket for words in state["tickets"][:seats] for ticket in members(words)]
    tickets += [ticket for seat in range(seats) for ticket in laid_out(game, seat)]
    assert sorted(tickets) == list(range(len(spec.tickets)))


@pytest.mark.parametrize("games", MORE, ids=str)
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_invariants(spec: MapSpec, seats: int, games: range) -> None:
    """110 cards, the trains, every ticket somewhere, points from scratch: at every decision of games in all styles."""
    for number in games:
        game = Stepper(spec, seats, a_deal(4, number))
        rng = np.random.default_rng(number)
        while not game.is_over:
            assert_invariants(game)
            game.apply(choose(game.actions(), STYLES[number % len(STYLES)], rng))
        assert_invariants(game)


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_invariants_with_a_color_in_short_supply_and_extra_cards(seats: int) -> None:
    """Of each color as many cards as the rules say, wherever they lie; each seat begins with those it is given."""
    spec = catalog.load_map("usa", PLANTED)
    game = Stepper(spec, seats, a_deal(4))
    assert game.fields["hand"].sum(axis=1).tolist() == [5, 4, 4, 4, 7][:seats] + [0] * (5 - seats)
    test_invariants(spec, seats, range(FEW))
    assert_invariants(game)
    test_view_shows_nothing_hidden(spec, seats, range(3))


def test_extra_cards_leave_hands_and_tickets_as_they_are() -> None:
    """All extra cards are dealt after the hands: the row is what comes then."""
    plain, planted = (
        Stepper(catalog.load_map("usa", settings), 5, a_deal(4)).fields for settings in ({}, {"extra_cards.2": 2})
    )
    assert planted["deck_count"] == plain["deck_count"] - 2
    assert (planted["offer"] == plain["offer"]).all()
    more = planted["hand"] - plain["hand"]
    assert more[[0, 1, 3, 4]].sum() == 0
    assert more[2].tolist() == np.bincount(plain["row"][:2], minlength=9).tolist()


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_score_is_the_sum_of_its_sources(spec: MapSpec, seats: int) -> None:
    game = Stepper(spec, seats, a_deal(5))
    playout(game.state, game.board, np.arange(5, dtype=np.uint64))
    score: np.record = np.zeros(1, SCORE)[0]
    score_game(game.state, game.board, score)
    assert score["points"].shape[1] == len(SOURCES)
    assert (score["score"][:seats] == score["points"][:seats].sum(axis=1)).all()
    assert score["rank"][:seats].min() == 1


def cards_in_order(game: Stepper, style: str, seed: int) -> list[int]:
    """Every card that left the deck, in order, until the first reshuffle: what a seat drew blind or saw turned up."""
    rng = np.random.default_rng(seed)
    left: list[int] = []
    while not game.is_over:
        state = game.state
        before = state["deck"][: state["deck_count"]].tolist()
        game.apply(choose(game.actions(), style, rng))
        count = int(state["deck_count"])
        if count > len(before) or state["deck"][:count].tolist() != before[:count]:
            break
        left += before[count:][::-1]
    return left


def test_kth_card_of_a_deal_does_not_depend_on_play(spec: MapSpec) -> None:
    """Two games of a deal with other bots see the same k-th card, until the first reshuffle; other deals do not."""
    one, two = (cards_in_order(Stepper(spec, 2, a_deal(6)), style, 7) for style in ("uniform", "claims"))
    other = cards_in_order(Stepper(spec, 2, a_deal(6, 1)), "uniform", 7)
    shortest = min(len(one), len(two), len(other))
    assert shortest > 20
    assert one[:shortest] == two[:shortest] != other[:shortest]


def hide_and_permute(game: Stepper, seat: int, rng: np.random.Generator) -> np.ndarray:
    """A state that differs in everything a seat cannot know: deck, other hands, other tickets, streams."""
    states = game.states.copy()
    state: np.void = states.view(PLAIN)[0]
    others = [other for other in range(game.seats) if other != seat]
    state["streams"] = rng.integers(0, 2**63, 4, dtype=np.uint64)
    permute_cards(state, others, rng)
    permute_tickets(game, state, others, rng)
    return states


def permute_cards(state: np.void, others: list[int], rng: np.random.Generator) -> None:
    """Exchange cards among the deck and what is not known of the other hands."""
    hand, known, deck = state["hand"], state["known"], state["deck"][: state["deck_count"]]
    unseen = {other: np.repeat(np.arange(9), hand[other] - known[other]) for other in others}
    pool = rng.permutation(np.concatenate([deck, *unseen.values()]))
    deck[:], dealt = pool[: len(deck)], len(deck)
    for other in others:
        count = len(unseen[other])
        hand[other] = known[other] + np.bincount(pool[dealt : dealt + count], minlength=9)
        dealt += count


def permute_tickets(game: Stepper, state: np.void, others: list[int], rng: np.random.Generator) -> None:
    """Exchange tickets among the ticket deck, the other seats' own and those that they choose from."""
    kept, offer, deck = state["tickets"], state["offer"], ticket_deck(state)
    held = {other: members(kept[other]) for other in others}
    offers = {other: laid_out(game, other) for other in others}
    hidden = deck + [ticket for tickets in (*held.values(), *offers.values()) for ticket in tickets]
    hidden = rng.permutation(hidden).tolist()
    for other in others:
        value = sum(1 << hidden.pop() for _ in held[other])
        kept[other] = value & 2**64 - 1, value >> 64
        offer[other, : len(offers[other])] = [hidden.pop() for _ in offers[other]]
        state["choice_mask"][other] = rng.integers(0, 64)
    places = np.arange(state["ticket_top"], state["ticket_top"] + len(deck))
    state["ticket_deck"][places % MAX_TICKETS] = hidden


@pytest.mark.parametrize("games", [range(3), pytest.param(range(3, 8), marks=pytest.mark.full)], ids=str)
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_view_shows_nothing_hidden(spec: MapSpec, seats: int, games: range) -> None:
    """Permuting everything a seat cannot know leaves its view the same, byte for byte."""
    seen, other_view = np.zeros(1, VIEW), np.zeros(1, VIEW)
    rng = np.random.default_rng(8)
    for number in games:
        game = Stepper(spec, seats, a_deal(9, number))
        while not game.is_over:
            for seat in range(seats):
                observe_at(game.states, game.boards, seat, seen)
                observe_at(hide_and_permute(game, seat, rng), game.boards, seat, other_view)
                assert seen.tobytes() == other_view.tobytes()
            game.apply(choose(game.actions(), STYLES[number % len(STYLES)], rng))


def test_initial_choices_are_secret(spec: MapSpec) -> None:
    """B3: nobody's view changes with what the others have chosen, until all have."""
    views = []
    for index in (0, -1):
        game = Stepper(spec, 3, a_deal(10))
        game.apply(game.actions()[index])
        game.apply(game.actions()[-1 - index])
        view = np.zeros(1, VIEW)
        observe(game.state, game.board, 2, view[0])
        views.append(view.tobytes())
    assert views[0] == views[1]


def test_faulty_seats_are_ranked_last(spec: MapSpec) -> None:
    """Seats with a fault share the last place; the others keep their order among themselves."""
    for number in range(40):
        game = Stepper(spec, 4, a_deal(11, number))
        playout(game.state, game.board, np.arange(5, dtype=np.uint64) + np.uint64(number))
        plain, faulty = np.zeros(2, OUTCOME)
        record_outcome(game.state, game.board, np.zeros(5, np.int64), plain)
        fault = np.array([0, 1, 0, 2, 0])
        record_outcome(game.state, game.board, fault, faulty)
        assert faulty["rank"][[1, 3]].tolist() == [3, 3]
        everyone = np.zeros(1, OUTCOME)[0]
        record_outcome(game.state, game.board, np.ones(5, np.int64), everyone)
        assert everyone["rank"][:4].tolist() == [1, 1, 1, 1]
        before, after = plain["rank"][[0, 2]], faulty["rank"][[0, 2]]
        assert np.sign(before[0] - before[1]) == np.sign(after[0] - after[1])
        assert after.min() == 1
