"""Destination tickets: the first choice and the later ones (B3, B17)."""

import numpy as np
import pytest

from arena.rules.actions import encode_action
from arena.rules.turn import is_legal
from arena.rules.view import VIEW, observe

from .table import BLIND, PASS, TICKETS, Game, bare, keep, random_games, small_map, take

SEATS = (2, 3, 4, 5)


def seen_by(game: Game, seat: int) -> np.record:
    """What a seat is shown."""
    view = np.zeros(1, VIEW)[0]
    observe(game.state, game.board, seat, view)
    return view


# B3: the first choice


def test_b03_at_least_two_of_the_three_tickets_are_kept():
    """Each player keeps at least two and may keep all three."""
    game = Game(3)
    for _ in range(3):
        assert sorted(game.actions) == sorted([keep(0, 1), keep(0, 2), keep(1, 2), keep(0, 1, 2)])
        for too_few in (keep(), keep(0), keep(1), keep(2), keep(3), keep(0, 3)):
            assert not game.allows(too_few)
        game.play(keep(0, 2))
    assert game.phase == "turn"


def test_b03_nothing_else_may_be_done_before_all_have_chosen():
    """The first turn comes after the choice of tickets."""
    game = Game(2)
    for action in (BLIND, TICKETS, PASS, *(take(card) for card in game.row)):
        assert not game.allows(action)


def test_b03_the_kept_tickets_are_held():
    """Each seat holds what it kept, and nothing else."""
    game = Game(3)
    offers = [game.offer(seat) for seat in range(3)]
    game.play(keep(0, 1), keep(0, 1, 2), keep(1, 2))
    assert game.tickets(0) == {offers[0][0], offers[0][1]}
    assert game.tickets(1) == set(offers[1])
    assert game.tickets(2) == {offers[2][1], offers[2][2]}
    assert [game.offer(seat) for seat in range(3)] == [[]] * 3


def test_b03_returned_tickets_go_under_the_ticket_deck():
    """What is returned lies under the tickets that were not dealt."""
    game = Game(3)
    offers, deck = [game.offer(seat) for seat in range(3)], game.ticket_deck
    game.play(keep(0, 1), keep(0, 1, 2), keep(1, 2))
    assert game.ticket_deck == [*deck, offers[0][2], offers[2][0]]


@pytest.mark.parametrize("seats", SEATS)
def test_b03_no_choice_can_depend_on_another(seats):
    """Choices are simultaneous: whatever the others chose before, a seat sees and may do the same."""
    cautious, greedy = Game(seats), Game(seats)
    for seat in range(seats):
        assert seen_by(cautious, seat).tobytes() == seen_by(greedy, seat).tobytes()
        assert cautious.actions == greedy.actions
        assert cautious.offer(seat) == greedy.offer(seat)
        cautious.play(keep(0, 1))
        greedy.play(keep(0, 1, 2))
    assert [len(cautious.tickets(seat)) for seat in range(seats)] == [2] * seats
    assert [len(greedy.tickets(seat)) for seat in range(seats)] == [3] * seats


def test_b03_tickets_are_secret():
    """Other tickets in another's hand, in another's offer or in the deck change nothing that a player is shown."""
    game = Game(3).begin().clear()
    game.stack_tickets(10, 11, 12, 13).give_tickets(0, 1, 2).give_tickets(1, 3, 4).give_tickets(2, 5)
    before = [seen_by(game, seat).tobytes() for seat in range(3)]
    game.give_tickets(0, 20, 21).stack_tickets(14, 15, 16, 17)
    assert seen_by(game, 0).tobytes() != before[0]
    assert [seen_by(game, seat).tobytes() for seat in (1, 2)] == before[1:]
    game.play(TICKETS)
    offered = [seen_by(game, seat).tobytes() for seat in range(3)]
    game.state.offer[0, :3] = (27, 28, 29)
    assert seen_by(game, 0).tobytes() != offered[0]
    assert [seen_by(game, seat).tobytes() for seat in (1, 2)] == offered[1:]
    assert seen_by(game, 1).offer_size == 0
    assert seen_by(game, 1).offer.tolist() == [-1] * 6


# B17: a turn for tickets


def test_b17_the_top_three_tickets_are_drawn():
    """Take the top three of the ticket deck; then only a choice among them is open."""
    game = bare().stack_tickets(7, 3, 9, 1, 4).lay_row("red", "red").give_hand(0, red=6).play(TICKETS)
    assert (game.seat, game.phase) == (0, "keep")
    assert game.offer(0) == [7, 3, 9]
    assert game.ticket_deck == [1, 4]
    assert {action.kind for action in game.actions} == {"keep"}
    assert not game.allows(BLIND)
    assert not game.allows(TICKETS)
    assert not game.allows(take("red"))


def test_b17_at_least_one_of_the_tickets_is_kept():
    """Keep at least one: any of the seven choices that is not empty."""
    game = bare().stack_tickets(7, 3, 9).play(TICKETS)
    assert sorted(game.actions) == sorted(
        [keep(0), keep(1), keep(2), keep(0, 1), keep(0, 2), keep(1, 2), keep(0, 1, 2)]
    )
    for none in (keep(), keep(3), keep(0, 3)):
        assert not game.allows(none)


@pytest.mark.parametrize(
    ("kept", "held", "deck"),
    [
        (keep(0, 1, 2), {20, 7, 3, 9}, [1, 4]),
        (keep(1), {20, 3}, [1, 4, 7, 9]),
        (keep(2), {20, 9}, [1, 4, 7, 3]),
        (keep(0, 2), {20, 7, 9}, [1, 4, 3]),
    ],
)
def test_b17_returned_tickets_go_under_the_deck_in_the_order_drawn(kept, held, deck):
    """The kept tickets join those held; the returned ones go under the ticket deck in the order drawn."""
    game = bare().stack_tickets(7, 3, 9, 1, 4).give_tickets(0, 20).play(TICKETS, kept)
    assert game.tickets(0) == held
    assert game.ticket_deck == deck
    assert (game.seat, game.phase) == (1, "turn")


@pytest.mark.parametrize("left", [1, 2])
def test_b17_fewer_than_three_tickets_are_all_drawn(left):
    """With fewer than three tickets left as many as there are are drawn, and at least one is kept."""
    game = bare().stack_tickets(*(7, 3)[:left]).play(TICKETS)
    assert game.offer(0) == [7, 3][:left]
    assert game.ticket_deck == []
    assert len(game.actions) == 2**left - 1
    assert not game.allows(keep())
    game.play(keep(0))
    assert game.tickets(0) == {7}
    assert game.ticket_deck == [3][: left - 1]


def test_b17_without_tickets_left_none_can_be_drawn():
    """With an empty ticket deck the action is not available."""
    game = bare().lay_row("red")
    assert not game.allows(TICKETS)
    assert TICKETS not in game.actions


def test_b17_a_returned_ticket_can_be_drawn_again():
    """The ticket deck runs out only when every ticket is held."""
    game = bare().stack_tickets(7, 3).play(TICKETS, keep(0))
    assert game.seat == 1
    assert game.play(TICKETS).offer(1) == [3]
    game.play(keep(0))
    assert game.ticket_deck == []
    assert TICKETS not in game.actions


def test_b17_there_is_no_limit_to_the_tickets_held():
    """One player may come to hold all tickets, more than a word of bits can count."""
    spec = small_map(
        [("A", "B", 1, "gray"), ("B", "C", 1, "gray")], [("A", "C", n) for n in range(1, 97)], tickets_drawn=6
    )
    game = Game(2, spec).begin()
    mine = game.tickets(0)
    while game.ticket_deck:
        if game.seat == 0:
            game.play(TICKETS)
            mine |= set(game.offer(0))
            game.play(keep(*range(len(game.offer(0)))))
        else:
            game.play(BLIND, BLIND)
    assert game.tickets(0) == mine
    assert mine == set(range(96)) - game.tickets(1)
    assert game.score().tickets_kept[0] == 95


def test_b17_the_ticket_deck_keeps_its_order_through_whole_games():
    """Tickets are drawn from the top and returned to the bottom, however often the deck has gone round."""
    spec = small_map(
        [("A", "B", 6, "gray"), ("B", "C", 6, "gray")],
        [("A", "C", n) for n in range(1, 31)],
        tickets_dealt=3,
        tickets_keep=0,
    )
    game = Game(2, spec).begin()
    for seat in range(2):
        game.give_tickets(seat)
    game.stack_tickets(*range(30))
    expected, drawn = list(range(30)), 0
    while len(expected) >= 3:
        game.play(TICKETS)
        offer, expected = expected[:3], expected[3:]
        assert game.offer(game.seat) == offer
        kept = drawn % 3
        game.play(keep(kept))
        expected += [ticket for position, ticket in enumerate(offer) if position != kept]
        assert game.ticket_deck == expected
        drawn += 1
    assert drawn == 28  # each draw takes one ticket out; the last ones of 30 turn round the ring of 96 places


@pytest.mark.parametrize("seats", SEATS)
def test_b17_every_allowed_choice_is_legal_and_no_other(seats):
    """Over whole games: exactly the choices of enough of the offered tickets are legal."""
    choices = 0
    for game in random_games(seats, games=2, seed=17):
        if game.phase in ("setup", "keep"):
            choices += 1
            offered = len(game.offer(game.seat))
            least = min(2 if game.phase == "setup" else 1, offered)
            form = encode_action(keep())
            right = [form + kept for kept in range(1 << offered) if kept.bit_count() >= least]
            assert game.codes() == right
            tried = range(form - 20, form + (1 << 10))
            assert [code for code in tried if is_legal(game.state, game.board, code)] == right
    assert choices > 2 * seats
