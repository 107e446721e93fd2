"""South Korea: express cards, drawing train cards and tickets with them (K3, K4, K9)."""

from itertools import combinations

import pytest

from arena.rules.actions import encode_action
from arena.rules.turn import is_legal

from .mechanisms import KOREA, SKIP, all_views, extra, held, korea, lay_express, place, seen_by, tickets
from .table import BLIND, PASS, TICKETS, Game, L, bare, claim, keep, random_games, small_map, take

VALUES = (1, 2, 3)
SPEC = small_map(
    [("A", "B", 2, "red"), ("B", "C", 3, "gray"), ("C", "D", 1, "red")],
    [("A", "C", points) for points in range(1, 31)],
    provinces=[("red", 6)],
    express=3,
)
AB, BC, CD = range(3)


def table(seats: int = 2) -> Game:
    """Seat 0's first turn, with nothing but express cards."""
    return bare(seats, SPEC)


def express_actions(game: Game) -> set[tuple[str, int]]:
    """What may be done with which express card."""
    return {(action.kind, action.express) for action in game.actions if action.express}


# K3: express cards


@pytest.mark.parametrize("mine", [some for count in range(4) for some in combinations(VALUES, count)])
def test_k03_any_express_card_still_held_may_strengthen_a_draw(mine):
    """Drawing cards and drawing tickets may be strengthened by each express card that the player still has."""
    game = lay_express(table(), 0, *mine).stack_deck("red").stack_tickets(1)
    assert express_actions(game) == {(kind, value) for kind in ("express", "tickets") for value in mine}
    assert BLIND in game.actions
    assert TICKETS in game.actions


USES = {
    "cards": lambda game, n: game.play(extra(n), BLIND, BLIND),
    "tickets": lambda game, n: game.play(tickets(n), keep(0)),
    "placement": lambda game, n: game.play(claim(AB, "red"), place("red", express=n)),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("value", VALUES)
def test_k03_an_express_card_is_spent_once_and_leaves_the_game(value, use):
    """It is usable once: it leaves the game, and only that one, and only its owner's."""
    game = table(3).stack_deck(*["blue"] * 20).stack_tickets(*range(20)).give_hand(0, red=3)
    USES[use](game, value)
    left = {1, 2, 3} - {value}
    assert [held(game, seat) for seat in range(3)] == [left, {1, 2, 3}, {1, 2, 3}]
    for seat in range(3):
        assert seen_by(game, seat).express[0] == sum(1 << n for n in left)
    for _ in range(2):
        assert len(express_actions(game)) == 6
        game.play(BLIND, BLIND)
    assert game.seat == 0
    assert express_actions(game) == {(kind, n) for kind in ("express", "tickets") for n in left}
    assert not game.allows(extra(value))
    assert not game.allows(tickets(value))
    game.play(claim(CD, "red"))
    assert express_actions(game) == {("place", n) for n in left}
    assert not game.allows(place("red", express=value))


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("value", VALUES)
def test_k03_at_most_one_express_card_is_played_in_a_turn(value, use):
    """At most one express card per turn: once it is played no decision of the turn offers another."""
    game = table().stack_deck(*["blue"] * 20).stack_tickets(*range(20)).give_hand(0, red=3)
    first = {"cards": [extra(value)], "tickets": [tickets(value)], "placement": [claim(AB, "red")]}[use]
    game.play(*first)
    if use == "placement":
        game.play(place("red", express=value))
    while game.seat == 0:
        assert express_actions(game) == set()
        for n in VALUES:
            assert not any(game.allows(action) for action in (extra(n), tickets(n), place("red", express=n)))
        game.play(game.actions[-1])
    assert held(game, 0) == {1, 2, 3} - {value}
    assert game.state.turns[:2].tolist() == [1, 0]


def test_k03_a_turn_without_an_express_card_spends_none():
    """An express card is played by choice."""
    game = table().stack_deck(*["blue"] * 20).stack_tickets(*range(20)).give_hand(0, red=4).lay_row("red", L)
    turns = [[BLIND, take("red")], [TICKETS, keep(1)], [claim(AB, "red"), place("red")], [claim(CD, "red"), SKIP]]
    for turn in turns:
        game.play(*turn, BLIND, BLIND)
        assert [held(game, seat) for seat in range(2)] == [{1, 2, 3}] * 2


def test_k03_nothing_else_takes_an_express_card():
    """A claim, an ordinary draw, a choice of tickets, no placement, a pass: none has a form with an express card."""
    full = table().lay_row("red", L).stack_deck("red", "red").stack_tickets(1, 2, 3).give_hand(0, red=4, locomotive=3)
    assert {action.kind for action in full.actions} == {"row", "blind", "tickets", "express", "claim"}
    assert_the_list_is_right(full)
    full.play(claim(AB, "red"))
    assert_the_list_is_right(full)
    assert_the_list_is_right(table())  # a pass
    for value in VALUES:
        assert not full.allows(extra(value))
        assert not full.allows(tickets(value))
        assert not is_legal(full.state, full.board, encode_action(SKIP) | value << 20)
    second = table().lay_row("red", L).stack_deck("red", "red").stack_tickets(1).play(BLIND)
    assert_the_list_is_right(second)
    assert_the_list_is_right(table().stack_tickets(1, 2, 3).play(TICKETS))


def assert_the_list_is_right(game: Game) -> None:
    """Of the legal actions with any express card, or as any other kind of action, those that are listed are legal."""
    legal = set(game.codes())
    assert len(legal) == len(game.codes())
    bits = {code & ~(15 << 20) & 0xFFFFFF for code in legal} | {0}
    for code in [kind << 24 | express << 20 | low for kind in range(11) for express in range(16) for low in bits]:
        assert bool(is_legal(game.state, game.board, code)) == (code in legal), code


@pytest.mark.parametrize("seats", [2, 5])
def test_k03_in_whole_games_no_turn_spends_two(seats):
    """From the start of a turn to its end a player loses at most one express card, and the others none."""
    start, at_start, spent = None, [set()], 0
    for game in random_games(seats, games=2, seed=33, spec=KOREA):
        if game.phase in ("draft", "setup"):
            start = None
            continue
        turns = game.state.turns[:seats].tolist()
        if turns != start:
            start, mover, at_start = turns, game.seat, [held(game, seat) for seat in range(seats)]
        for seat in range(seats):
            lost = at_start[seat] - held(game, seat)
            assert len(lost) <= (seat == mover)
            spent += len(lost)
    assert spent > 0


# K4: drawing train cards with an express card

CARDS = ("blue", "white", L, "green", "black", "yellow", "orange")


@pytest.mark.parametrize("value", VALUES)
def test_k04_extra_cards_are_drawn_before_the_first_card(value):
    """With +n, before the first card, draw n extra cards blind from the deck; then draw as usual."""
    game = table().stack_deck(*CARDS).lay_row("red", "purple", L).stack_tickets(1, 2, 3)
    game.give_hand(0, red=6).play(extra(value))
    assert (game.seat, game.phase) == (0, "first_card")
    assert game.hand(0) == dict.fromkeys(CARDS[:value], 1) | {"red": 6}
    assert game.deck == [*CARDS[value:]]
    assert game.row == ["red", "purple", L, None, None]
    assert sorted(game.actions) == sorted([take("red"), take("purple"), take(L), BLIND])
    for other in (TICKETS, PASS, claim(AB, "red"), keep(0), SKIP, place("red")):
        assert not game.allows(other)
    assert game.state.turns[0] == 0


@pytest.mark.parametrize("value", VALUES)
def test_k04_after_the_extra_cards_two_cards_are_drawn_as_usual(value):
    """Then draw as usual: two cards, from the row, which is refilled at once, or blind."""
    game = table().stack_deck(*CARDS).lay_row("red", "red", "purple", "white", "white")
    game.play(extra(value), take("purple"))
    assert game.phase == "second_card"
    assert game.row == ["red", "red", CARDS[value], "white", "white"]
    game.play(BLIND)
    assert game.hand(0) == dict.fromkeys([*CARDS[:value], CARDS[value + 1], "purple"], 1)
    assert (game.seat, game.phase) == (1, "turn")
    assert game.state.turns[:2].tolist() == [1, 0]


def test_k04_a_face_up_locomotive_is_the_only_card_after_the_extra_ones():
    """B7 holds after the extra cards: a face-up locomotive can be the first card, and then it is the only one."""
    game = table().stack_deck(*CARDS).lay_row(L, "red").play(extra(2), take(L))
    assert game.seat == 1
    assert game.hand(0) == {"blue": 1, "white": 1, L: 1}
    game = table().stack_deck(*CARDS).lay_row(L, "red", "red", "red", "red").play(extra(2), take("red"))
    assert game.row == [L, L, "red", "red", "red"]
    assert not game.allows(take(L))
    assert game.draws == [take("red"), BLIND]


def test_k04_a_locomotive_among_the_extra_cards_is_a_card_like_any_other():
    """B8 holds for the extra cards: a locomotive drawn blind does not end anything."""
    game = table().stack_deck(L, L, L, L, "red", "blue").play(extra(3), BLIND, BLIND)
    assert game.hand(0) == {L: 4, "red": 1}
    assert game.seat == 1


@pytest.mark.parametrize(("value", "cards"), [(2, 1), (3, 1), (3, 2), (3, 3)])
def test_k04_as_many_extra_cards_are_drawn_as_there_are(value, cards):
    """With fewer cards than n as many are drawn as there are; the express card is spent all the same."""
    game = table().stack_deck(*CARDS[:cards]).lay_row("red", "purple").play(extra(value))
    assert game.hand(0) == dict.fromkeys(CARDS[:cards], 1)
    assert held(game, 0) == {1, 2, 3} - {value}
    assert (game.seat, game.phase, game.deck) == (0, "first_card", [])
    assert sorted(game.actions) == sorted([take("red"), take("purple")])
    game.play(take("red"), take("purple"))
    assert game.seat == 1


def test_k04_the_discards_become_the_deck_for_the_extra_cards():
    """As many as there are: the discards are shuffled into a new deck between two extra cards (B10)."""
    game = table().stack_deck("blue").lay_discards(red=5).lay_row("white").play(extra(3))
    assert game.hand(0) == {"blue": 1, "red": 2}
    assert (game.deck, game.discards) == (["red"] * 3, {})


def test_k04_without_a_card_in_the_deck_no_express_card_can_be_played():
    """The deck must hold a card when the express card is played, whatever lies in the row."""
    game = table().lay_row("red", "red").stack_tickets(1)
    assert not any(game.allows(extra(value)) for value in VALUES)
    assert express_actions(game) == {("tickets", value) for value in VALUES}
    game.stack_deck("red")
    assert all(game.allows(extra(value)) for value in VALUES)


def test_k04_nobody_else_knows_the_extra_cards():
    """They are drawn blind: the others see how many cards a player has, and of the extra ones no color."""
    views = []
    for order in (CARDS, ("orange", "red", "purple", *CARDS[3:])):
        game = table(3).stack_deck(*order).lay_row("red", L).give_hand(0, blue=1).give_hand(1, red=2).play(extra(3))
        assert game.state.known.sum() == 0
        assert [seen_by(game, seat).cards[0] for seat in range(3)] == [4] * 3
        views.append(all_views(game))
    assert views[0][1:] == views[1][1:]
    assert views[0][0] != views[1][0]
    game.play(take("red"))
    assert game.state.known[0].sum() == 1


@pytest.mark.parametrize(("value", "cards"), [(1, 1), (2, 2), (3, 1), (3, 3)])
def test_k04_if_nothing_is_left_to_take_the_turn_ends(value, cards):
    """If after the extra cards nothing is left to take the turn ends; it was a turn, no pass."""
    game = table().stack_deck(*CARDS[:cards]).give_trains(0, 2).play(extra(value))
    assert (game.seat, game.phase) == (1, "turn")
    assert game.hand(0) == dict.fromkeys(CARDS[:cards], 1)
    assert game.state.turns[:2].tolist() == [1, 0]
    assert game.state.passes == 0
    assert game.state.last_turns == 2  # B19 is asked at the end of every turn


def test_k04_after_the_extra_cards_one_must_draw():
    """After the extra cards one must draw, be it the one face-up locomotive that there is, or a single card (B13)."""
    game = table().stack_deck("blue").lay_row(L).play(extra(1))
    assert game.actions == [take(L)]
    assert game.play(take(L)).seat == 1
    game = table().stack_deck("blue", "white").lay_row(None, L).play(extra(1), BLIND)
    assert game.seat == 1
    assert game.hand(0) == {"blue": 1, "white": 1}


# K9: drawing tickets with an express card


@pytest.mark.parametrize("value", VALUES)
def test_k09_three_and_n_tickets_are_drawn(value):
    """Draw tickets with +n: draw 3 + n tickets, keep at least 1; the others go under the deck in the order drawn."""
    game = table().stack_tickets(*range(10, 20)).give_tickets(0, 5).stack_deck("red").play(tickets(value))
    assert (game.seat, game.phase) == (0, "keep")
    assert game.offer(0) == [*range(10, 13 + value)]
    assert game.ticket_deck == [*range(13 + value, 20)]
    assert len(game.actions) == 2 ** (3 + value) - 1
    form = encode_action(keep())
    judged = [bits for bits in range(1 << 7) if is_legal(game.state, game.board, form + bits)]
    assert judged == [*range(1, 1 << 3 + value)]
    game.play(keep(1, 2 + value))
    assert game.tickets(0) == {5, 11, 12 + value}
    assert game.ticket_deck == [*range(13 + value, 20), 10, *range(12, 12 + value)]
    assert (game.seat, game.phase) == (1, "turn")


def test_k09_all_six_may_be_kept():
    """The rulebook: at least one must be kept, and at most all 6."""
    game = table().stack_tickets(*range(10, 20)).play(tickets(3), keep(*range(6)))
    assert game.tickets(0) == set(range(10, 16))


def test_k09_without_an_express_card_three_are_drawn():
    """Without an express card it is B17 as ever."""
    assert table().stack_tickets(*range(10, 20)).play(TICKETS).offer(0) == [10, 11, 12]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("left", range(1, 7))
def test_k09_as_many_tickets_are_drawn_as_there_are(left, value):
    """As many as there are; an express card may be played for more than the deck holds, and it is spent."""
    game = table().stack_tickets(*range(10, 10 + left)).play(tickets(value))
    assert game.offer(0) == [*range(10, 10 + min(left, 3 + value))]
    assert held(game, 0) == {1, 2, 3} - {value}
    assert not game.allows(keep())
    game.play(keep(0))
    assert game.tickets(0) == {10}


def test_k09_without_a_ticket_in_the_deck_no_express_card_can_be_played():
    """There must be a ticket in the deck."""
    game = table().stack_deck("red", "red")
    assert express_actions(game) == {("express", value) for value in VALUES}
    assert not any(game.allows(tickets(value)) for value in VALUES)


def test_k09_the_number_is_added_to_what_the_map_draws():
    """A map that draws 2 tickets and keeps 2 of them draws 2 + n, and 2 of those must be kept."""
    spec = small_map([("A", "B", 1, "red")], express=2, tickets_drawn=2, tickets_drawn_keep=2)
    game = bare(2, spec).stack_tickets(*range(5))
    assert express_actions(game) == {("tickets", 1), ("tickets", 2)}
    game.play(tickets(2))
    assert game.offer(0) == [0, 1, 2, 3]
    assert not game.allows(keep(0))
    assert game.allows(keep(0, 3))


def test_k09_on_the_shipped_map_six_tickets_can_be_drawn():
    """With +3 six tickets are drawn on the map of South Korea too."""
    game = korea(4)
    top = game.ticket_deck[:6]
    assert game.play(tickets(3)).offer(0) == top
