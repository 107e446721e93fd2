"""States sampled to fit a view: the view again, every invariant, a game played on, nothing hidden, fair samples."""

from collections.abc import Iterator
from copy import copy

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.checks.machine.playout import playout, random_action
from arena.rules.board import MAX_SEATS, MAX_TICKETS
from arena.rules.determinize import BLOCKED, BOTH_CITIES, CONNECTED, ONE_CITY, UNTOUCHED, determinize, ticket_weights
from arena.rules.network import are_connected
from arena.rules.state import STATE
from arena.rules.view import VIEW, observe
from helpers import MAPS_AND_SEATS, STYLES, Stepper, a_deal, choose, members, ticket_deck
from test_invariants import PLANTED, assert_invariants, hide_and_permute

EVEN = np.ones((MAX_SEATS, MAX_TICKETS))


def stream(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


def view_of(game: Stepper) -> np.record:
    """What the seat to move knows."""
    view: np.record = np.zeros(1, VIEW)[0]
    observe(game.state, game.board, game.state["seat"], view)
    return view


def sample(view: np.record, game: Stepper, seed: int, weights: np.ndarray = EVEN) -> Stepper:
    """The same table with a state that fits the view."""
    other = copy(game)
    other.lay(np.zeros(1, STATE))
    determinize(view, game.board, stream(seed), other.state, weights)
    return other


def decisions(spec: MapSpec, seats: int, seed: int, styles: tuple[str, ...] = STYLES) -> Iterator[Stepper]:
    """A game in each style, at every decision."""
    for number, style in enumerate(styles):
        game = Stepper(spec, seats, a_deal(seed, number))
        rng = np.random.default_rng(number)
        while not game.is_over:
            yield game
            game.apply(choose(game.actions(), style, rng))


def at_phase(spec: MapSpec, seats: int, phase: str, skip: int = 0) -> Stepper:
    """A game at a decision of a phase, the first one or a later one."""
    for game in decisions(spec, seats, 21, ("uniform",)):
        if game.phase == phase:
            skip -= 1
            if skip < 0:
                return game
    raise AssertionError(f"no decision {phase}")


@pytest.mark.parametrize(("name", "seats"), MAPS_AND_SEATS)
def test_fits_the_view(name: str, seats: int) -> None:
    """At every decision: the same view, the same legal actions and every invariant, whatever the state held before."""
    assert_fits_the_view(catalog.load_map(name), seats)


def assert_fits_the_view(spec: MapSpec, seats: int) -> None:
    seen, again = np.zeros(1, VIEW), np.zeros(1, VIEW)
    clean, dirty = np.zeros(1, STATE), np.zeros(1, STATE)
    weights = np.random.default_rng(1).integers(0, 3, (MAX_SEATS, MAX_TICKETS)).astype(float)
    phases = set()
    for number, game in enumerate(decisions(spec, seats, 20, ("uniform", "hoard", "kinds"))):
        phases.add(game.phase)
        seat = game.state["seat"]
        observe(game.state, game.board, seat, seen[0])
        clean[:], dirty.view(np.uint8)[:] = 0, 1 + number % 255
        determinize(seen[0], game.board, stream(number), clean[0], weights)
        determinize(seen[0], game.board, stream(number), dirty[0], weights)
        assert clean.tobytes() == dirty.tobytes()
        observe(clean[0], game.board, seat, again[0])
        assert seen.tobytes() == again.tobytes()
        other = copy(game)
        other.lay(clean)
        assert_invariants(other)
        assert other.actions() == game.actions()
    expected = {"setup", "turn", "second_card", "keep"}
    assert phases == (expected | {"draft", "first_card", "place"} if spec.rules.tickets_draft else expected)


@pytest.mark.parametrize(("name", "seats"), MAPS_AND_SEATS)
def test_can_be_played_on(name: str, seats: int) -> None:
    """From sampled states the game goes on to its end, from some with the invariants at every decision."""
    spec = catalog.load_map(name)
    for number, game in enumerate(decisions(spec, seats, 22, ("kinds",))):
        other = sample(view_of(game), game, number)
        random_states = np.arange(5, dtype=np.uint64) + np.uint64(number)
        while number % 60 == 0 and not other.is_over:
            other.apply(random_action(other.state, other.board, random_states))
            assert_invariants(other)
        playout(other.state, other.board, random_states)
        assert other.is_over
        assert_invariants(other)


def test_fits_the_view_with_a_color_in_short_supply_and_extra_cards() -> None:
    spec = catalog.load_map("usa", PLANTED)
    for seats in (2, 5):
        assert_fits_the_view(spec, seats)
    test_unseen_cards_are_dealt_fairly(spec)


def test_hidden_things_change_nothing(spec: MapSpec) -> None:
    """Two states that a seat cannot tell apart give the same samples; another stream gives another one."""
    rng = np.random.default_rng(2)
    for number, game in enumerate(decisions(spec, 3, 23, ("kinds",))):
        view, other_view = view_of(game), np.zeros(1, VIEW)[0]
        observe(hide_and_permute(game, game.state["seat"], rng)[0], game.board, game.state["seat"], other_view)
        one = sample(view, game, number).state.tobytes()
        assert one == sample(other_view, game, number).state.tobytes()
        assert one != sample(view, game, number + 1).state.tobytes()


def test_initial_choices_and_offers(spec: MapSpec) -> None:
    """At set-up earlier seats have chosen something legal, later ones have an offer; all legal choices occur (B3)."""
    drafted = bool(spec.rules.tickets_draft)
    game = at_phase(spec, 3, "setup", 1)
    view = view_of(game)
    assert view["seat"] == 1
    legal = {code & 0xFFFF for code in at_phase(spec, 3, "setup").actions()}
    chosen = set()
    for seed in range(40 * len(legal)):
        other = sample(view, game, seed)
        assert (other.state["offer_size"][:3] == spec.rules.tickets_dealt).all()
        assert (other.state["choice_mask"][1:] == 0).all()
        chosen.add(int(other.state["choice_mask"][0]))
    assert chosen == legal
    if drafted:
        game = at_phase(spec, 3, "draft", 4)
        picks = {int(sample(view_of(game), game, seed).state["choice_mask"][0]) for seed in range(200)}
        assert picks == {1 << position for position in range(spec.rules.tickets_dealt - 1)}


def test_unseen_cards_are_dealt_fairly(spec: MapSpec) -> None:
    """A card kind's share of an opponent's unknown cards is its share of the unseen cards (hypergeometric)."""
    samples = 4000
    for seats in (2, 4):
        game = at_phase(spec, seats, "turn", 12 * seats)
        view = view_of(game)
        seat = int(view["seat"])
        hidden = np.array(spec.rules.supply)
        hidden -= view["hand"] + view["discards"] + np.bincount(view["row"][view["row"] >= 0], minlength=9)
        hidden -= view["known"].sum(axis=0) - view["known"][seat]
        total = hidden.sum()
        held = np.zeros((samples, MAX_SEATS, 9))
        for seed in range(samples):
            held[seed] = sample(view, game, 7919 * seed).state["hand"] - view["known"]
        for other in set(range(seats)) - {seat}:
            unknown = int(view["cards"][other] - view["known"][other].sum())
            mean = unknown * hidden / total
            variance = mean * (1 - hidden / total) * (total - unknown) / (total - 1)
            assert (np.abs(held[:, other].mean(axis=0) - mean) <= 4.5 * np.sqrt(variance / samples)).all()
            assert held[:, other].var(axis=0) == pytest.approx(variance, rel=0.2, abs=0.01)


def test_tickets_follow_the_weights(spec: MapSpec) -> None:
    """The first ticket goes by weight among those unseen, those of weight 0 only when nothing else is left."""
    samples = 4000
    game = at_phase(spec, 2, "turn")
    view = view_of(game)
    view["ticket_count"] += view["tickets_kept"][1] - 1
    view["tickets_kept"][1] = 1
    own = members(view["tickets"])
    unseen = [ticket for ticket in range(len(spec.tickets)) if ticket not in own]
    weights = np.zeros((MAX_SEATS, MAX_TICKETS))
    weights[1, unseen] = np.arange(len(unseen)) % 4
    weights[1, own] = 50.0
    counts, on_top = np.zeros(MAX_TICKETS), np.zeros(MAX_TICKETS)
    for seed in range(samples):
        state = sample(view, game, 31 * seed, weights).state
        counts[members(state["tickets"][1])] += 1
        on_top[ticket_deck(state)[0]] += 1
    share = np.zeros(MAX_TICKETS)
    share[unseen] = weights[1, unseen] / weights[1, unseen].sum()
    assert (np.abs(counts - samples * share) <= 4.5 * np.sqrt(samples * share * (1 - share))).all()
    assert on_top[own].sum() == 0
    left = (1 - share[unseen]) / (len(unseen) - 1)
    assert (np.abs(on_top[unseen] - samples * left) <= 4.5 * np.sqrt(samples * left)).all()

    view["tickets_kept"][1] = 3
    weights[1] = 0.0
    weights[1, unseen[:2]] = 1e-300, 1e300
    drawn = [members(sample(view, game, seed, weights).state["tickets"][1]) for seed in range(200)]
    assert all(set(unseen[:2]) < set(tickets) for tickets in drawn)
    assert len({tickets[2] for tickets in drawn}) > len(unseen) / 2


@pytest.mark.parametrize("seats", [2, 5])
def test_ticket_weights(spec: MapSpec, seats: int) -> None:
    """Against the words of the docstrings: connected, both cities, one, none; less if it cannot be connected."""
    met = set()
    for number, game in enumerate(decisions(spec, seats, 24)):
        if number % 20:
            continue
        board, view, weights = game.board, view_of(game), np.full((MAX_SEATS, MAX_TICKETS), -1.0)
        if number % 40:
            view["open"] = 0  # nobody can connect anything any more
        ticket_weights(view, board, weights)
        assert (weights[view["seat"]] == -1.0).all()
        for seat in set(range(seats)) - {int(view["seat"])}:
            network = view["routes_claimed"][seat] | view["shared"]
            touched = {city for route in members(network) for city in (board["a"][route], board["b"][route])}
            reach = [network[word] | open_routes(game, view, seat)[word] for word in range(2)]
            for ticket in range(len(spec.tickets)):
                a, b = board["ticket_a"][ticket], board["ticket_b"][ticket]
                weight = (UNTOUCHED, ONE_CITY, BOTH_CITIES)[(a in touched) + (b in touched)]
                weight = CONNECTED if are_connected(board, *network, a, b) else weight
                weight *= 1.0 if are_connected(board, *reach, a, b) else BLOCKED
                assert weights[seat, ticket] == weight
                met.add(weight)
        if number == 0:
            assert np.unique(weights[:seats]).tolist() == [-1.0, UNTOUCHED]
    assert {UNTOUCHED, ONE_CITY, BOTH_CITIES, CONNECTED, BLOCKED} <= met


def open_routes(game: Stepper, view: np.record, seat: int) -> list[np.uint64]:
    """The open routes that a seat has trains for, or bullet trains (B15, J3)."""
    found = [np.uint64(0), np.uint64(0)]
    for route in members(view["open"][seat]):
        bullet = game.spec.routes[route].bullet and view["bullets_left"] > 0
        if bullet or game.spec.routes[route].length <= view["trains"][seat]:
            found[route // 64] |= np.uint64(1 << route % 64)
    return found
