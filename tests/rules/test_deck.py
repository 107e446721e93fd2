"""Drawing train cards: the deck, the row and the discards (B6-B13)."""

from collections import Counter

import pytest
from scipy.stats import chisquare

from .table import BLIND, PASS, TICKETS, Game, L, all_colors, bare, claim, random_games, small_map, take

FIVE = ("red", "blue", "green", "white", "black")


# B6: two cards


@pytest.mark.parametrize(
    ("first", "second", "hand"),
    [
        (take("red"), take("blue"), {"red": 1, "blue": 1}),
        (take("red"), BLIND, {"red": 1, "orange": 1}),
        (BLIND, take("red"), {"yellow": 1, "red": 1}),
        (BLIND, BLIND, {"yellow": 1, "orange": 1}),
    ],
)
def test_b06_a_draw_is_two_cards_each_face_up_or_blind(first, second, hand):
    """Two cards, each either a face-up card or the top of the deck; then it is the next player's turn."""
    game = bare().lay_row(*FIVE).stack_deck("yellow", "orange", "purple", "purple")
    game.play(first)
    assert (game.seat, game.phase) == (0, "second_card")
    game.play(second)
    assert (game.seat, game.phase) == (1, "turn")
    assert game.hand(0) == hand
    assert game.hand(1) == {}


def test_b06_every_kind_of_face_up_card_may_be_taken_and_no_other():
    """A player may take any of the face-up cards, and none that does not lie there."""
    game = bare().lay_row("red", "red", L, "white", "black").stack_deck("yellow")
    assert sorted(game.draws) == sorted([take("red"), take(L), take("white"), take("black"), BLIND])


def test_b06_a_card_taken_is_replaced_before_the_second_is_chosen():
    """A face-up card taken is replaced from the deck at once, so the replacement may be the second card."""
    game = bare().lay_row(*FIVE).stack_deck("yellow", "orange", "purple")
    game.play(take("red"))
    assert game.row == ["yellow", "blue", "green", "white", "black"]
    game.play(take("yellow"))
    assert game.row == ["orange", "blue", "green", "white", "black"]
    assert game.deck == ["purple"]


def test_b06_the_second_card_is_replaced_too():
    """The next player finds five face-up cards."""
    game = bare().lay_row(*FIVE).stack_deck("yellow", "orange", "purple").play(BLIND, take("black"))
    assert game.row == ["red", "blue", "green", "white", "orange"]


def test_b06_a_card_drawn_blind_is_the_top_of_the_deck_and_leaves_the_row_alone():
    """The other cards come from the top of the deck; the row stays."""
    game = bare().lay_row(*FIVE).stack_deck("yellow", "orange", "purple").play(BLIND)
    assert game.hand(0) == {"yellow": 1}
    assert game.row == [*FIVE]
    assert game.deck == ["orange", "purple"]


def test_b06_after_the_first_card_nothing_but_a_second_card_may_be_chosen():
    """A turn is exactly one action: who has drawn a card neither claims nor draws tickets nor passes."""
    game = bare().lay_row(*FIVE).stack_deck("yellow", "orange").stack_tickets(0, 1, 2).give_hand(0, red=6, locomotive=6)
    assert game.claims
    assert TICKETS in game.actions
    game.play(BLIND)
    assert {action.kind for action in game.actions} == {"row", "blind"}
    for action in (TICKETS, PASS, claim(game.track("Dallas", "Houston"), "red")):
        assert not game.allows(action)


# B7 and B8: locomotives


def test_b07_face_up_locomotive_is_the_only_card_of_its_turn():
    """Who takes a face-up locomotive takes no second card."""
    game = bare().lay_row(L, "red", "blue", "green", "white").stack_deck("yellow", "orange").play(take(L))
    assert game.hand(0) == {L: 1}
    assert (game.seat, game.phase) == (1, "turn")
    assert game.row == ["yellow", "red", "blue", "green", "white"]


def test_b07_a_face_up_locomotive_that_cannot_be_replaced_is_the_only_card_too():
    """The same when deck and discards are empty, whatever else lies face up."""
    game = bare().lay_row("red", L, "blue").play(take(L))
    assert (game.seat, game.phase) == (1, "turn")
    assert game.row == ["red", None, "blue", None, None]


@pytest.mark.parametrize("first", [take("red"), BLIND])
def test_b07_face_up_locomotive_may_not_be_the_second_card(first):
    """A face-up locomotive may be taken only as the first card."""
    game = bare().lay_row(L, "red", "blue", "green", "white").stack_deck("yellow", "orange", "purple").play(first)
    assert L in game.row
    assert take(L) not in game.actions
    assert not game.allows(take(L))


def test_b07_a_locomotive_that_replaces_the_first_card_may_not_be_taken():
    """A locomotive turned up after the first card cannot be the second."""
    game = bare().lay_row(*FIVE).stack_deck(L, "orange", "purple").play(take("red"))
    assert game.row[0] == L
    assert not game.allows(take(L))
    assert sorted(game.actions) == sorted([take("blue"), take("green"), take("white"), take("black"), BLIND])


def test_b07_the_next_player_may_take_that_locomotive():
    """The bar ends with the turn: as a first card the locomotive may be taken."""
    game = bare().lay_row(*FIVE).stack_deck(L, "orange", "purple").play(take("red"), BLIND)
    assert game.seat == 1
    assert take(L) in game.actions


def test_b08_a_locomotive_drawn_blind_as_the_first_card_is_an_ordinary_card():
    """After a blind locomotive the second card is free: face up or blind."""
    game = bare().lay_row(*FIVE).stack_deck(L, "orange", "purple").play(BLIND)
    assert (game.seat, game.phase) == (0, "second_card")
    assert sorted(game.actions) == sorted([*map(take, FIVE), BLIND])


@pytest.mark.parametrize("first", [take("red"), BLIND])
def test_b08_a_locomotive_may_be_drawn_blind_as_the_second_card(first):
    """Drawn blind, a locomotive may be the second card, after a locomotive too."""
    game = bare().lay_row(*FIVE).stack_deck(L, L, "purple")
    if first == take("red"):
        game.stack_deck("yellow", L, "purple")
    game.play(first, BLIND)
    assert game.hand(0)[L] == (1 if first == take("red") else 2)
    assert game.seat == 1


def test_b08_a_blind_locomotive_does_not_free_the_face_up_one():
    """As the second card a face-up locomotive is barred after a blind locomotive too (B7)."""
    game = bare().lay_row(L, "red", "blue", "green", "white").stack_deck(L, "orange").play(BLIND)
    assert not game.allows(take(L))


# B9 and B12: the hand, and the end of all cards


def test_b09_there_is_no_limit_to_a_hand():
    """Two players who only draw end up with all 110 cards in their hands; then no card can be drawn (B12)."""
    game = Game().begin()
    while game.draws:
        if game.deck:
            assert BLIND in game.actions
        game.play(game.draws[-1])
    assert sum(game.hand(0).values()) + sum(game.hand(1).values()) == 110
    assert game.all_cards() == all_colors() | {L: 14}
    assert game.row == [None] * 5


def test_b12_no_draw_if_no_card_can_be_taken():
    """If no cards at all can be taken, drawing is not available."""
    game = bare().give_hand(0, red=1).stack_tickets(4)
    assert game.draws == []
    assert not game.allows(BLIND)
    assert not game.allows(take("red"))
    assert {action.kind for action in game.actions} == {"tickets", "claim"}


@pytest.mark.parametrize(("row", "deck", "draws"), [([L], [], [take(L)]), ([None, "red"], [], [take("red")])])
def test_b12_one_face_up_card_is_enough_to_draw(row, deck, draws):
    """The draw is available as long as one card can be taken, a locomotive too."""
    assert bare().lay_row(*row).stack_deck(*deck).draws == draws


def test_b12_one_card_in_the_deck_is_enough_to_draw():
    """The draw is available as long as the deck holds a card."""
    assert bare().stack_deck("red").draws == [BLIND]


# B10: the deck runs out


def test_b10_when_the_deck_runs_out_the_discards_become_the_new_deck():
    """When the last card of the deck is drawn, the discards are the new deck."""
    game = bare().lay_row(*FIVE).stack_deck("yellow").lay_discards(red=3, locomotive=2, white=1).play(BLIND)
    assert game.hand(0) == {"yellow": 1}
    assert Counter(game.deck) == {"red": 3, L: 2, "white": 1}
    assert game.discards == {}
    assert BLIND in game.actions


def test_b10_the_last_card_may_go_to_the_row():
    """The deck runs out by a replacement too."""
    game = bare().lay_row(*FIVE).stack_deck("yellow").lay_discards(orange=2).play(take("red"))
    assert game.row[0] == "yellow"
    assert game.deck == ["orange", "orange"]
    assert game.discards == {}


def test_b10_the_new_deck_is_shuffled():
    """The discards are shuffled: each of the six orders of three cards is equally likely."""
    orders = Counter[tuple[str, ...]]()
    game = Game()
    for word in range(1200):
        game.deal((1, word, 3)).begin().clear().lay_row(*FIVE).stack_deck("yellow")
        orders[tuple(game.lay_discards(red=1, blue=1, green=1).play(BLIND).deck)] += 1
    assert len(orders) == 6
    assert chisquare(list(orders.values())).pvalue > 0.001


def test_b10_each_reshuffle_gives_another_order():
    """The second new deck is shuffled anew, it does not repeat the first."""
    cards = dict.fromkeys(FIVE, 4)
    game = bare().lay_row(*FIVE).stack_deck("yellow").lay_discards(**cards).play(BLIND)
    first = game.deck
    game.stack_deck("yellow").lay_discards(**cards).play(BLIND)
    assert Counter(game.deck) == Counter(first)
    assert game.deck != first


def test_b10_with_neither_deck_nor_discards_no_card_is_drawn_from_the_deck():
    """If there are no discards either, cards cannot be drawn from the deck."""
    game = bare().lay_row("red", "blue")
    assert not game.allows(BLIND)
    assert BLIND not in game.actions


def test_b10_the_face_up_cards_that_remain_may_still_be_taken():
    """With neither deck nor discards the row may still be taken, and its slots stay empty."""
    game = bare().lay_row("red", "blue", "green").play(take("blue"))
    assert game.row == ["red", None, "green", None, None]
    assert game.draws == [take("green"), take("red")]
    game.play(take("red"))
    assert game.row == [None, None, "green", None, None]
    assert game.hand(0) == {"red": 1, "blue": 1}


@pytest.mark.parametrize("seats", [2, 5])
def test_b10_the_deck_is_never_empty_while_there_are_discards(seats):
    """The new deck is made as soon as the old one runs out."""
    spec = small_map(
        [("A", "B", 2, "gray"), ("B", "C", 3, "gray"), ("C", "D", 2, "red"), ("D", "E", 4, "gray")],
        cards_per_color=4,
        locomotives=6,
    )
    reshuffles, before = 0, 0
    for game in random_games(seats, games=12, seed=10, spec=spec):
        assert game.deck or not game.discards
        reshuffles += len(game.deck) > before > 0
        before = len(game.deck)
    assert reshuffles > 5


# B11: too many locomotives


def test_b11_three_face_up_locomotives_clear_the_row():
    """Whenever three of the five face-up cards are locomotives, all five are discarded and five new ones turned."""
    game = bare().lay_row("red", L, "blue", L, "green")
    game.stack_deck(L, "white", "white", "black", "black", "yellow", "orange").play(take("red"))
    assert game.row == ["white", "white", "black", "black", "yellow"]
    assert game.discards == {L: 3, "blue": 1, "green": 1}
    assert game.deck == ["orange"]
    assert game.draws == [take("white"), take("yellow"), take("black"), BLIND]


def test_b11_two_face_up_locomotives_stay():
    """Two locomotives do not clear the row."""
    game = bare().lay_row("red", L, "blue", "white", "green").stack_deck(L, *FIVE, "orange").play(take("red"))
    assert game.row == [L, L, "blue", "white", "green"]
    assert game.discards == {}


@pytest.mark.parametrize("locomotives", [3, 4])
def test_b11_more_than_three_clear_the_row_too(locomotives):
    """Three or more: a row that was left full of locomotives is cleared when the next card is turned."""
    row = ["red", *[L] * locomotives, "blue"][:5]
    game = bare().lay_row(*row).stack_deck("white", *FIVE, "orange").play(take("red"))
    assert game.row == [*FIVE]
    assert game.discards == Counter(["white", *row[1:]])


def test_b11_a_new_row_with_three_locomotives_is_cleared_again():
    """The five new cards are looked at again."""
    game = bare().lay_row("red", L, "blue", L, "green")
    game.stack_deck(L, L, "white", L, "white", L, *FIVE, "orange").play(take("red"))
    assert game.row == [*FIVE]
    assert game.discards == {L: 6, "blue": 1, "green": 1, "white": 2}


def test_b11_the_row_is_cleared_at_most_three_times_in_a_row():
    """After three flushes the row stays as it is, whatever it shows."""
    game = bare().lay_row("red", L, "blue", L, "green")
    game.stack_deck(L, *[L, L, L, "white", "white"] * 3, "orange", "orange").play(take("red"))
    assert game.row == [L, L, L, "white", "white"]
    assert game.discards == {L: 9, "white": 4, "blue": 1, "green": 1}
    assert game.deck == ["orange", "orange"]


def test_b11_a_row_that_stayed_is_left_until_the_next_card_is_turned():
    """A card drawn blind turns none: the row still stays; the next card turned clears it."""
    game = bare().lay_row(L, L, L, "white", "white").stack_deck("orange", "orange", "red", *FIVE, "purple")
    game.play(BLIND, BLIND)
    assert game.row == [L, L, L, "white", "white"]
    game.play(take("white"))
    assert game.row == [*FIVE]
    assert game.discards == {L: 3, "white": 1, "red": 1}


def test_b11_a_locomotive_taken_from_a_row_that_stayed_is_a_card_turned():
    """With two locomotives left after the replacement the row is in order again."""
    game = bare().lay_row(L, L, L, "white", "white").stack_deck("orange", "red").play(take(L))
    assert game.row == ["orange", L, L, "white", "white"]
    assert game.discards == {}


def test_b11_without_a_card_to_turn_the_row_stays():
    """With neither deck nor discards nothing is turned, so nothing is cleared."""
    game = bare().lay_row("red", L, L, L, "white").play(take("red"))
    assert game.row == [None, L, L, L, "white"]
    assert game.discards == {}
    assert game.deck == []


def test_b11_the_discarded_row_may_be_the_new_deck():
    """If the deck runs out during a flush, the five cards just discarded are part of the new deck (B10)."""
    game = bare().lay_row("red", L, "blue", L, "green").stack_deck(L, "white", "white").lay_discards(orange=9)
    game.play(take("red"))
    assert game.row[:2] == ["white", "white"]
    assert None not in game.row
    assert Counter(game.row[2:]) + Counter(game.deck) == {"orange": 9, L: 3, "blue": 1, "green": 1}
    assert game.discards == {}


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ([None, "red", None, "blue", None], ["green", "red", "green", "blue", None]),
        ([None, None, None, None, None], ["green", "green", None, None, None]),
        (["red", "red", "red", "red", None], ["red", "red", "red", "red", "green"]),
    ],
)
def test_b11_empty_slots_are_filled_lowest_first_as_soon_as_a_claim_brings_discards(row, after):
    """A slot that could not be refilled is filled, the lowest first, as soon as there are discards again."""
    game = bare().lay_row(*row).give_hand(0, green=2)
    game.play(claim(game.track("Denver", "Santa Fe"), "green"))
    assert game.row == after
    assert game.deck == ["green"] * (2 - after.count("green"))
    assert game.discards == {}
    assert game.seat == 1


def test_b11_what_the_row_does_not_need_is_the_new_deck():
    """A claim that brings more cards than there are empty slots leaves the rest in the deck."""
    game = bare().lay_row("red", "red", None, "red", "red").give_hand(0, green=2, locomotive=2)
    game.play(claim(game.track("Denver", "Helena"), "green", 2))
    assert len(game.deck) == 3
    assert Counter([*game.deck, game.row[2]]) == {"green": 2, L: 2}
    assert game.discards == {}


def test_b11_the_row_filled_after_a_claim_is_flushed_as_well():
    """Slots filled after a claim count as cards turned; with nothing else in the game the flushes end after three."""
    game = bare().lay_row(None, L, "red", L, None).give_hand(0, locomotive=1)
    game.play(claim(game.track("Dallas", "Houston"), L, 1))
    # Three flushes shuffled the same four cards; turned up lowest slot first they leave the last slot empty.
    assert game.row[4] is None
    assert Counter(game.row[:4]) == {L: 3, "red": 1}
    assert (game.deck, game.discards) == ([], {})
    assert game.row[:4] != [L, L, "red", L]  # the seed: had no flush happened, this is how the row would lie


def test_b11_a_claim_while_the_deck_lasts_turns_no_card():
    """As long as the deck holds cards the discards wait, and a row that stayed stays."""
    game = bare().lay_row(L, L, L, "red", "red").stack_deck("white").give_hand(0, green=2)
    game.play(claim(game.track("Denver", "Santa Fe"), "green"))
    assert game.row == [L, L, L, "red", "red"]
    assert game.deck == ["white"]
    assert game.discards == {"green": 2}


@pytest.mark.parametrize("seats", [2, 5])
def test_b11_no_slot_is_empty_while_there_are_cards_to_fill_it(seats):
    """A slot is empty only when neither deck nor discards hold a card."""
    spec = small_map(
        [("A", "B", 2, "gray"), ("B", "C", 3, "gray"), ("C", "D", 2, "red"), ("D", "E", 1, "gray")],
        cards_per_color=2,
        locomotives=8,
        hand=1,
    )
    empty = 0
    for game in random_games(seats, games=12, seed=11, spec=spec):
        if None in game.row:
            empty += 1
            assert (game.deck, game.discards) == ([], {})
    assert empty > 5


def test_b11_whole_games_never_offer_a_row_of_three_locomotives():
    """On the real board, where three flushes have always been enough, no decision sees three face-up locomotives."""
    flushes, before = 0, Counter[str]()
    for game in random_games(5, games=4, seed=5):
        assert game.row.count(L) < 3
        flushes += sum((Counter(game.discards) - before).values()) >= 5
        before = Counter(game.discards)
    assert flushes > 0


# B13: no second card


def test_b13_the_turn_ends_after_one_card_if_only_locomotives_are_left():
    """If only face-up locomotives are left and deck and discards are empty, the turn ends with one card."""
    game = bare().lay_row("red", L, L).play(take("red"))
    assert (game.seat, game.phase) == (1, "turn")
    assert game.hand(0) == {"red": 1}
    assert game.actions == [take(L)]


def test_b13_the_turn_ends_after_one_card_if_it_was_the_last():
    """The last card of all, face up or blind, is the only one of its turn."""
    assert bare().lay_row("red").play(take("red")).seat == 1
    assert bare().stack_deck("red").play(BLIND).seat == 1


def test_b13_a_blind_first_card_can_leave_nothing_but_locomotives():
    """The same after the last card of the deck, drawn blind."""
    game = bare().lay_row(L).stack_deck("red").play(BLIND)
    assert (game.seat, game.phase) == (1, "turn")


@pytest.mark.parametrize(
    ("row", "deck", "discards"),
    [
        (["red", L, "blue"], [], {}),
        (["red", L], ["white", "white"], {}),
        (["red", L], ["white"], {"white": 1}),
    ],
)
def test_b13_the_turn_goes_on_if_there_is_a_second_card(row, deck, discards):
    """A colored face-up card or one in deck or discards is a second card, and it must be drawn."""
    game = bare().lay_row(*row).stack_deck(*deck).lay_discards(**discards).play(take("red"))
    assert (game.seat, game.phase) == (0, "second_card")
    assert game.draws
    assert PASS not in game.actions
