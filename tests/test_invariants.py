"""What must hold in every game on every map, whatever is played."""

import numpy as np
import pytest

from arena.mapspec import MapSpec
from arena.play import OUTCOME, book_outcome
from arena.rules.playout import playout
from arena.rules.scoring import SCORE, SOURCES, score_game
from arena.rules.view import VIEW, observe
from helpers import SEAT_COUNTS, STYLES, Stepper, choose, members, ticket_deck, trains_on_mat, words

GAMES = 25


def laid_out(game: Stepper, seat: int) -> list[int]:
    """The tickets that a seat chooses from; in the draft with those that it has picked, which lie behind its pack."""
    count = game.spec.rules.tickets_dealt if game.phase == "draft" else int(game.state["offered"][seat])
    tickets: list[int] = game.state["offer"][seat][:count].tolist()
    return tickets


def assert_invariants(game: Stepper) -> None:
    state, rules, spec, seats = game.state, game.spec.rules, game.spec, game.seats
    row = [card for card in state["row"].tolist() if card >= 0]
    cards = np.bincount([*row, *state["deck"][: state["deck_count"]].tolist()], minlength=9)
    cards += state["discards"] + state["hand"][:seats].sum(axis=0)
    assert cards.tolist() == [rules.cards_per_color] * 8 + [rules.locomotives]
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
    assert all(position <= game.board["positions"][line] for line, position in mat)
    assert set(mat.values()) <= set(range(seats))
    assert not (state["express"] & ~game.board["express"]).any()

    owned = [shared, *(members(state["mine"][seat]) for seat in range(seats))]
    claimed = set().union(*owned)
    assert len(claimed) == sum(map(len, owned))
    assert all(claimed.isdisjoint(members(state["open"][seat])) for seat in range(seats))
    owned = owned[1:]
    for seat in range(seats):
        lengths = [spec.routes[route].length for route in owned[seat]]
        assert state["trains"][seat] == rules.trains - sum(lengths) - list(mat.values()).count(seat) >= 0  # K8
        assert state["route_points"][seat] == sum(rules.route_points[length - 1] for length in lengths)
        assert not any(spec.twins[route] in owned[seat] for route in owned[seat])  # B16

    tickets = ticket_deck(state) + [ticket for seat in range(seats) for ticket in members(state["tickets"][seat])]
    tickets += [ticket for seat in range(seats) for ticket in laid_out(game, seat)]
    assert sorted(tickets) == list(range(len(spec.tickets)))


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_invariants(spec: MapSpec, seats: int) -> None:
    """110 cards, the trains, every ticket somewhere, points from scratch: at every decision of games in all styles."""
    for number in range(GAMES):
        game = Stepper(spec, seats, words(4, number))
        rng = np.random.default_rng(number)
        while not game.is_over:
            assert_invariants(game)
            game.apply(choose(game.actions(), STYLES[number % len(STYLES)], rng))
        assert_invariants(game)


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_score_is_the_sum_of_its_sources(spec: MapSpec, seats: int) -> None:
    game = Stepper(spec, seats, words(5))
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
    one, two = (cards_in_order(Stepper(spec, 2, words(6)), style, 7) for style in ("uniform", "claims"))
    other = cards_in_order(Stepper(spec, 2, words(6, 1)), "uniform", 7)
    shortest = min(len(one), len(two), len(other))
    assert shortest > 20
    assert one[:shortest] == two[:shortest] != other[:shortest]


def hide_and_permute(game: Stepper, seat: int, rng: np.random.Generator) -> np.record:
    """A state that differs in everything a seat cannot know: deck, other hands, other tickets, streams."""
    state: np.record = game.state.copy()
    seats = game.seats
    others = [other for other in range(seats) if other != seat]
    pool = state["deck"][: state["deck_count"]].tolist()
    for other in others:
        unseen = state["hand"][other] - state["known"][other]
        pool += np.repeat(np.arange(9), unseen).tolist()
    rng.shuffle(pool)
    for other in others:
        count = int((state["hand"][other] - state["known"][other]).sum())
        state["hand"][other] = state["known"][other]
        for _ in range(count):
            state["hand"][other][pool.pop()] += 1
    state["deck"][: state["deck_count"]] = pool
    state["streams"] = rng.integers(0, 2**63, 4, dtype=np.uint64)
    hidden = ticket_deck(state)
    kept = {other: members(state["tickets"][other]) for other in others}
    offers = {other: laid_out(game, other) for other in others}
    hidden += [ticket for tickets in (*kept.values(), *offers.values()) for ticket in tickets]
    rng.shuffle(hidden)
    for other in others:
        state["tickets"][other] = 0
        for _ in kept[other]:
            ticket = hidden.pop()
            state["tickets"][other][ticket // 64] |= np.uint64(1 << ticket % 64)
        for position in range(len(offers[other])):
            state["offer"][other][position] = hidden.pop()
        state["chosen"][other] = rng.integers(0, 64)
    for position, ticket in enumerate(hidden):
        state["ticket_deck"][(int(state["ticket_top"]) + position) % 96] = ticket
    return state


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_view_shows_nothing_hidden(spec: MapSpec, seats: int) -> None:
    """Permuting everything a seat cannot know leaves its view the same, byte for byte."""
    seen, other_view = np.zeros(1, VIEW), np.zeros(1, VIEW)
    rng = np.random.default_rng(8)
    for number in range(8):
        game = Stepper(spec, seats, words(9, number))
        while not game.is_over:
            for seat in range(seats):
                observe(game.state, game.board, seat, seen[0])
                observe(hide_and_permute(game, seat, rng), game.board, seat, other_view[0])
                assert seen.tobytes() == other_view.tobytes()
            game.apply(choose(game.actions(), STYLES[number % len(STYLES)], rng))


def test_initial_choices_are_secret(spec: MapSpec) -> None:
    """B3: nobody's view changes with what the others have chosen, until all have."""
    views = []
    for index in (0, -1):
        game = Stepper(spec, 3, words(10))
        game.apply(game.actions()[index])
        game.apply(game.actions()[-1 - index])
        view = np.zeros(1, VIEW)
        observe(game.state, game.board, 2, view[0])
        views.append(view.tobytes())
    assert views[0] == views[1]


def test_faulty_seats_are_ranked_last(spec: MapSpec) -> None:
    """Seats with a fault share the last place; the others keep their order among themselves."""
    for number in range(40):
        game = Stepper(spec, 4, words(11, number))
        playout(game.state, game.board, np.arange(5, dtype=np.uint64) + np.uint64(number))
        plain, faulty = np.zeros(2, OUTCOME)
        book_outcome(game.state, game.board, np.zeros(5, np.int64), plain)
        fault = np.array([0, 1, 0, 2, 0])
        book_outcome(game.state, game.board, fault, faulty)
        assert faulty["rank"][[1, 3]].tolist() == [3, 3]
        everyone = np.zeros(1, OUTCOME)[0]
        book_outcome(game.state, game.board, np.ones(5, np.int64), everyone)
        assert everyone["rank"][:4].tolist() == [1, 1, 1, 1]
        before, after = plain["rank"][[0, 2]], faulty["rank"][[0, 2]]
        assert np.sign(before[0] - before[1]) == np.sign(after[0] - after[1])
        assert after.min() == 1
