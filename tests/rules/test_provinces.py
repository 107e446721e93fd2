"""South Korea: a train goes on the province mat after a claim, and where it comes to stand (K5-K7)."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from arena.checks.machine.playout import random_action
from arena.rules.actions import Action, encode_action
from arena.rules.board import COLORS
from arena.rules.turn import is_legal

from .mechanisms import (
    KOREA,
    SKIP,
    by_the_words,
    held,
    korea,
    lay_express,
    lay_line,
    line_of,
    place,
    random_claim,
    seen_by,
)
from .table import BLIND, CARDS, PASS, Game, L, bare, claim, small_map

VALUES = (1, 2, 3)
LINES = (("red", 6), ("blue", 3), ("white", 10))
SPEC = small_map(
    [("A", "B", 2, "red"), ("B", "C", 3, "gray"), ("C", "D", 1, "red"), ("D", "E", 4, "white"), ("E", "F", 5, "blue"),
     ("F", "G", 2, "green")],
    provinces=LINES,
    express=3,
)  # fmt: skip
RED2, GRAY3, RED1, WHITE4, BLUE5, GREEN2 = range(6)


def table(seats: int = 2, **hand: int) -> Game:
    """Seat 0's first turn with these cards in hand, and nothing else but express cards."""
    return bare(seats, SPEC).give_hand(0, **hand)


def taken(*positions: int, seat: int = 1) -> dict[int, int]:
    """The trains of a seat on these positions."""
    return dict.fromkeys(positions, seat)


def placed(line: str, trains: dict[int, int], action: Action) -> int | None:
    """Where a train goes on a line with these trains, after a claim of four white cards; None if it cannot."""
    game = lay_line(table(white=20, locomotive=9), line, trains).play(claim(WHITE4, "white"))
    if not game.allows(action):
        return None
    game.play(action)
    new = line_of(game, line).items() - trains.items()
    assert len(new) == 1
    assert trains.items() < line_of(game, line).items()
    (position, seat), *_ = new
    assert seat == 0
    return position


# K5: one more train, for a province


def test_k05_after_a_claim_one_train_may_be_placed_on_the_line_of_its_color():
    """After a claim the player may place one train from the supply on the mat, on the line of the route's color."""
    game = lay_express(table(red=2), 0).play(claim(RED2, "red"))
    assert (game.seat, game.phase) == (0, "place")
    assert game.actions == [SKIP, place("red")]
    for other in (place("blue"), place("white"), place("green"), BLIND, claim(RED1, "red"), PASS):
        assert not game.allows(other)
    game.play(place("red"))
    assert {color: line_of(game, color) for color in COLORS} == {color: {} for color in COLORS} | {"red": {2: 0}}
    assert game.state.trains[0] == 45 - 2 - 1
    assert (game.seat, game.phase) == (1, "turn")
    assert game.state.turns[:2].tolist() == [1, 0]


def test_k05_no_train_need_be_placed():
    """The player may place a train; without one the turn ends as after any claim."""
    game = table(red=4, locomotive=2).play(claim(RED2, "red"), SKIP)
    assert line_of(game, "red") == {}
    assert game.hand(0) == {"red": 2, L: 2}
    assert (game.state.trains[0], held(game, 0)) == (43, {1, 2, 3})
    assert (game.seat, game.phase) == (1, "turn")
    assert game.state.turns[:2].tolist() == [1, 0]


@pytest.mark.parametrize("line", ["red", "blue", "white"])
def test_k05_after_a_gray_route_any_line_will_do(line):
    """For a gray route on any line: the color that it was paid with does not matter."""
    game = lay_express(table(green=3), 0).play(claim(GRAY3, "green"))
    assert sorted(game.actions) == sorted([SKIP, place("red"), place("blue"), place("white")])
    game.play(place(line))
    assert {color: line_of(game, color) for color, _ in LINES} == {"red": {}, "blue": {}, "white": {}} | {line: {3: 0}}


@pytest.mark.parametrize("left", [0, 1])
def test_k05_a_train_must_be_left_over_after_the_routes_own(left):
    """That train needs to be left over after the route's own."""
    game = table(red=6).give_trains(0, 2 + left).play(claim(RED2, "red"))
    assert game.phase == ("place" if left else "turn")
    if left:
        game.play(place("red"))
    assert game.state.trains[0] == 0


@pytest.mark.parametrize("value", [0, *VALUES])
@pytest.mark.parametrize(("cards", "locomotives"), [(0, 0), (1, 0), (0, 1), (2, 0), (3, 2)])
def test_k05_the_position_is_the_number_of_cards_played_plus_n(cards, locomotives, value):
    """The position has the number of cards played, plus n if an express card +n is used with the placement."""
    game = table(white=7, locomotive=2).play(claim(WHITE4, "white"))
    game.play(place("white", cards, "white" if cards else "", locomotives, value))
    assert line_of(game, "white") == {min(10, 4 + cards + locomotives + value): 0}
    assert held(game, 0) == {1, 2, 3} - {value}
    assert game.hand(0) == {card: n for card, n in (("white", 3 - cards), (L, 2 - locomotives)) if n}


def test_k05_the_worked_example_of_namwon_and_jinju():
    """Namwon-Jinju, 4 white cards, 1 locomotive and the express card +1: position 6 of the white line."""
    game = korea(2)
    route = game.track("Namwon", "Jinju")
    assert KOREA.routes[route][2:4] == (5, "white")
    game.give_hand(0, white=4, locomotive=1).play(claim(route, "white", 1), place("white", express=1))
    assert line_of(game, "white") == {6: 0}
    assert (held(game, 0), game.hand(0)) == ({2, 3}, {})
    assert game.state.trains[0] == 45 - 5 - 1


def test_k05_the_claim_is_complete_before_the_choice():
    """When the choice is asked for cards are discarded, trains placed, points scored; everybody sees what was paid."""
    game = table(3, blue=3, locomotive=2).play(claim(GRAY3, "blue", 1))
    assert game.phase == "place"
    assert (game.hand(0), game.discards) == ({"blue": 1, L: 1}, {"blue": 2, L: 1})
    assert (game.routes(0), game.state.trains[0], game.state.route_points[0]) == ({GRAY3}, 42, 4)
    for seat in range(3):
        view = seen_by(game, seat)
        assert (view.pending_route, view.paid, view.to_move) == (GRAY3, CARDS.index("blue"), 0)
    game.play(place("red", 1, "blue", 1))
    assert game.state.route_points[0] == 4
    for seat in range(3):
        view = seen_by(game, seat)
        assert (view.pending_route, view.mat[COLORS.index("red")]) == (-1, 1 << 16)


@pytest.mark.parametrize("decision", [SKIP, place("red"), place("red", 1, "red"), place("red", locomotives=1)])
def test_k05_deck_and_row_wait_for_the_extra_cards(decision):
    """Deck and row are replenished only when the extra cards have been discarded too."""
    game = table(red=3, locomotive=1).play(claim(RED2, "red"))
    assert (game.deck, game.row, game.discards) == ([], [None] * 5, {"red": 2})
    game.play(decision)
    on_table = ["red"] * (2 + decision.extra) + [L] * decision.locomotives
    assert sorted(card for card in game.row if card) == sorted(on_table)
    assert (game.discards, game.seat) == ({}, 1)


IMPOSSIBLE = {
    "no train": lambda game: game.give_trains(0, 2),
    "no line of the color": lambda game: game.give_hand(0, green=2),
    "a full line": lambda game: lay_line(game, "red", taken(*range(1, 7))).give_hand(0, red=6, locomotive=9),
    "too few cards": lambda game: lay_line(lay_express(game, 0), "red", taken(1, 2)),
    "too low a card": lambda game: lay_line(lay_express(game, 0, 1, 2), "red", taken(1, 2, 3, 4)),
    "cards of another color": lambda game: lay_line(lay_express(game, 0), "red", taken(1, 2)).give_hand(
        0, red=2, blue=3
    ),
}


@pytest.mark.parametrize("why", IMPOSSIBLE)
def test_k05_the_choice_is_not_asked_for_if_no_train_can_be_placed(why):
    """The choice is asked for only if a train can be placed; else the turn ends, and the row is replenished."""
    game = IMPOSSIBLE[why](table(red=2))
    route, card = (GREEN2, "green") if "green" in game.hand(0) else (RED2, "red")
    game.play(claim(route, card))
    assert (game.seat, game.phase, game.state.pending_route) == (1, "turn", -1)
    assert game.row == [card, card, None, None, None]


@pytest.mark.parametrize(
    ("lay", "only"),
    [
        (lambda game: lay_express(game, 0, 1), place("red", express=1)),
        (lambda game: lay_express(game, 0).give_hand(0, red=3), place("red", 1, "red")),
        (lambda game: lay_express(game, 0).give_hand(0, red=2, locomotive=1), place("red", locomotives=1)),
    ],
)
def test_k05_the_choice_is_asked_for_if_one_placement_is_possible(lay, only):
    """An express card, or a card more, that leads to a free position is enough to be asked."""
    game = lay(lay_line(table(red=2), "red", taken(1, 2))).play(claim(RED2, "red"))
    assert game.actions == [SKIP, only]
    game.play(only)
    assert line_of(game, "red") == taken(1, 2) | {3: 0}


def test_k05_after_a_bullet_route_the_choice_is_as_after_a_gray_one():
    """On a map with both: any line, one own train; the extra cards are no progress."""
    spec = small_map([("A", "B", 2, "gray", True)] * 3, provinces=LINES, express=3, bullet_trains=3)
    game = lay_express(bare(2, spec), 0).give_hand(0, green=5).give_trains(0, 1).play(claim(0, "green"))
    assert {action.line for action in game.actions} == {"", "red", "blue", "white"}
    game.play(place("white", 3, "green"))
    assert line_of(game, "white") == {5: 0}
    assert (game.state.progress[0], game.state.bullets_left, game.state.trains[0]) == (2, 2, 0)
    assert game.give_hand(1, red=3).give_trains(1, 0).play(claim(1, "red")).seat == 0  # none left for the mat


# K6: more cards than the route needs


def test_k06_extra_cards_are_of_the_routes_color_or_locomotives():
    """More cards than the route needs may be played, all valid for it: its color or locomotives. They are discarded."""
    game = lay_express(table(red=4, blue=9, locomotive=2), 0).play(claim(RED2, "red"))
    payments = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    assert Counter((a.extra, a.locomotives) for a in game.actions if a.kind == "place") == Counter(payments)
    assert {action.card for action in game.actions} == {"", "red"}
    assert not game.allows(place("red", 1, "blue"))
    game.state.known[0] = game.state.hand[0]
    game.play(place("red", 2, "red", 1))
    assert game.hand(0) == {"blue": 9, L: 1}
    assert game.state.known[0].tolist() == game.state.hand[0].tolist()
    assert Counter(game.all_cards()) == Counter({"red": 4, "blue": 9, L: 2})


def test_k06_on_a_gray_route_they_are_of_the_color_paid_with():
    """On a gray route it is the color it was paid with, whatever line the train goes to."""
    game = lay_express(table(blue=5, white=9), 0).play(claim(GRAY3, "blue"))
    assert {(action.line, action.card, action.extra) for action in game.actions[1:]} == {
        *(("red", "blue" if extra else "", extra) for extra in range(3)),
        *(("white", "blue" if extra else "", extra) for extra in range(3)),
        ("blue", "", 0),  # it has three positions
    }
    assert not game.allows(place("white", 1, "white"))


def test_k06_after_locomotives_only_they_are_of_the_routes_color():
    """If a route was paid with locomotives only the extra cards are of the route's color."""
    game = lay_express(table(red=2, blue=2, locomotive=3), 0).play(claim(RED2, L, 2))
    assert {(a.card, a.extra, a.locomotives) for a in game.actions[1:]} == {
        ("", 0, 0), ("", 0, 1), ("red", 1, 0), ("red", 1, 1), ("red", 2, 0), ("red", 2, 1),
    }  # fmt: skip


def test_k06_after_locomotives_only_on_a_gray_route_they_are_of_any_one_color():
    """... and after a gray route of any one color."""
    game = lay_express(table(green=2, purple=1, locomotive=4), 0).play(claim(GRAY3, L, 3))
    more = [("", 0), ("green", 1), ("green", 2), ("purple", 1)]
    assert Counter((a.card, a.extra, a.locomotives) for a in game.actions if a.line == "white") == Counter(
        (card, extra, locomotives) for card, extra in more for locomotives in (0, 1)
    )


def test_k06_no_more_cards_are_played_than_the_line_has_positions():
    """Extra cards beyond the line's end are not allowed; an express card may lead further."""
    game = table(red=9, locomotive=9).play(claim(RED2, "red"))
    for express in (0, *VALUES):
        most = max(a.extra + a.locomotives for a in game.actions if a.kind == "place" and a.express == express)
        assert most == 4
        assert game.allows(place("red", 4, "red", 0, express))
        for cards, locomotives in ((5, 0), (4, 1), (0, 5)):
            assert not game.allows(place("red", cards, "red" if cards else "", locomotives, express))
    game.play(place("red", 4, "red", express=3))
    assert line_of(game, "red") == {6: 0}


def test_k06_a_route_longer_than_the_line_takes_no_extra_cards():
    """The line's end counts, not the route's: after five blue cards there is no room for more on three positions."""
    game = table(blue=9, locomotive=9).play(claim(BLUE5, "blue"))
    assert {(a.extra, a.locomotives) for a in game.actions[1:]} == {(0, 0)}
    assert line_of(game.play(place("blue")), "blue") == {3: 0}


def test_k06_extra_cards_are_played_with_a_placement_only():
    """Extra cards without a placement are not allowed: placing no train has one form."""
    game = table(red=9, locomotive=9).play(claim(RED2, "red"))
    assert game.actions[0] == SKIP
    assert [action.kind for action in game.actions].count("skip") == 1
    skip = encode_action(SKIP)
    others = [*range(skip, skip + 512), *(skip | bits << shift for bits in range(16) for shift in range(0, 24, 4))]
    assert {code for code in others if is_legal(game.state, game.board, code)} == {skip}


# K7: a taken position


def test_k07_a_taken_position_sends_the_train_lower():
    """If the target position is taken, the train goes to the first free lower position, whoever stands there."""
    for express, target in ((0, 4), (2, 6)):
        for seat in (0, 1):
            trains = taken(target, seat=seat)
            assert placed("white", trains, place("white", express=express)) == target - 1
            trains |= taken(target - 1, seat=1 - seat) | taken(target - 3)
            assert placed("white", trains, place("white", express=express)) == target - 2
    assert placed("white", taken(4, 3, 2, 5, 10), place("white")) == 1
    assert placed("white", taken(3, 5, 2, 10), place("white")) == 4


def test_k07_a_target_past_the_end_is_the_last_position():
    """A target past the line's end counts as the last position: from there on the first free one below is taken."""
    longest = place("white", 6, "white", express=3)
    assert placed("white", {}, longest) == 10
    assert placed("white", taken(10), longest) == 9
    assert placed("white", taken(10, 9, 8, 6), longest) == 7
    assert placed("white", taken(*range(2, 11)), longest) == 1


def test_k07_without_a_free_position_at_or_below_no_train_can_be_placed():
    """With no free position at or below the target no train may be placed, though higher ones are free."""
    low = taken(1, 2, 3, 4)
    assert placed("white", low, place("white")) is None
    assert placed("white", low, place("white", express=1)) == 5
    assert placed("white", low, place("white", 1, "white")) == 5
    assert placed("white", low | taken(5), place("white", 0, "", 1)) is None
    assert placed("white", low | taken(5), place("white", express=1)) is None
    assert placed("white", low | taken(5), place("white", 1, "white", 0, 1)) == 6
    for action in (place("white"), place("white", 6, "white", 0, 3)):
        assert placed("white", low | taken(5, 7, 8, 9, 10), action) == (None if action.extra == 0 else 6)
        assert placed("white", taken(*range(1, 11), seat=0) | {5: 1}, action) is None


# K5-K7: all placements


LONG = small_map(
    [("A", "B", 9, "gray"), ("B", "C", 7, "red"), ("C", "D", 1, "gray"), ("D", "E", 1, "blue"), ("E", "F", 3, "white")],
    provinces=[("red", 15), ("blue", 15), ("white", 1), ("green", 8)],
    express=2,
    route_points=(1,) * 9,
)


def neighbors(legal: list[int], random: np.random.Generator) -> list[int]:
    """Integers a bit or a step away from legal ones, and any others that say `skip` or `place`."""
    one_bit = random.choice(legal, 300) ^ (1 << random.integers(0, 28, size=300))
    beside = random.choice(legal, 60) + random.integers(-20, 21, size=60)
    form = encode_action(SKIP) + (random.integers(0, 2, size=600) << 24)
    anything = form[:300] | random.integers(0, 1 << 24, size=300)
    likely = form[300:]  # line, color and numbers within what there could be
    for shift, most in ((20, 4), (16, 4), (8, 9), (4, 9), (0, 4)):
        likely = likely | random.integers(0, most, size=300) << shift
    return [*np.concatenate([one_bit, beside, anything, likely]).tolist(), -1, 2**40]


@pytest.mark.parametrize("spec", [SPEC, LONG, KOREA], ids=["small", "long", "shipped"])
def test_k06_the_legal_placements_are_those_of_the_rules_words(spec):
    """In random positions what K3 and K5-K7 allow is listed, and any integer is judged as the list says."""
    random, asked = np.random.default_rng(6), Counter[bool]()
    for _ in range(80):
        game, action = random_claim(spec, random)
        expected = by_the_words(game.play(action), action.route, action.card)
        asked[bool(expected)] += 1
        assert (game.phase == "place") == bool(expected)
        if not expected:
            continue
        listed = game.codes()
        legal = set(listed)
        assert len(listed) == len(legal)
        assert set(game.actions) == expected | {SKIP}
        for code in [*listed, *neighbors(listed, random)]:
            assert bool(is_legal(game.state, game.board, code)) == (code in legal), code
    assert min(asked[True], asked[False]) > 3


def test_k06_random_play_chooses_every_placement_equally_often():
    """Each legal decision about a placement is equally likely, however many cards it plays."""
    tables = [table(green=3, purple=2, locomotive=4).play(claim(GRAY3, L, 3)), table(red=5, locomotive=2)]
    tables[1] = lay_line(lay_express(tables[1], 0, 1, 3), "red", taken(1, 2, 3, 5)).play(claim(RED2, "red", 1))
    for game in tables:
        listed, random_states = game.codes(), np.full(5, 6, np.uint64)
        chosen = Counter(random_action(game.state, game.board, random_states) for _ in range(40 * len(listed)))
        assert set(chosen) <= set(listed)
        assert chisquare([chosen[code] for code in listed]).pvalue > 0.001
