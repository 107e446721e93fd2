"""South Korea: the material, and the draft of the first tickets (K1, K2)."""

from itertools import combinations

import numpy as np
import pytest

from arena.rules.actions import encode_action
from arena.rules.board import COLORS
from arena.rules.turn import is_legal
from naive_parts import shuffle

from .mechanisms import KOREA, SEATS, all_views, held, lay_line, line_of, offers, pick, seen_by
from .table import BLIND, PASS, TICKETS, Game, L, all_colors, claim, keep, random_games, small_map, take


def drafted(seats: int, seed: int = 0) -> tuple[Game, list[list[int]]]:
    """A table after a draft of random picks, and the tickets that each seat picked, in order."""
    random, game = np.random.default_rng(seed), Game(seats, KOREA)
    picks: list[list[int]] = [[] for _ in range(seats)]
    while game.phase == "draft":
        position = int(random.integers(len(game.offer(game.seat))))
        picks[game.seat].append(game.offer(game.seat)[position])
        game.play(pick(position))
    return game, picks


# K1: material


@pytest.mark.parametrize("seats", SEATS)
def test_k01_everyone_has_45_trains_and_three_express_cards(seats):
    """45 trains each; three express cards (+1, +2, +3) per player."""
    game = Game(seats, KOREA)
    assert game.state.trains[:seats].tolist() == [45] * seats
    assert [held(game, seat) for seat in range(seats)] == [{1, 2, 3}] * seats


@pytest.mark.parametrize("seats", SEATS)
def test_k01_there_are_110_train_cards_and_44_tickets(seats):
    """110 train cards, 44 tickets: as many as in the base game, and those of the map."""
    game = Game(seats, KOREA)
    assert game.all_cards() == all_colors() | {L: 14}
    assert [sum(game.hand(seat).values()) for seat in range(seats)] == [4] * seats
    tickets = [ticket for offer in offers(game) for ticket in offer]
    assert sorted(tickets + game.ticket_deck) == list(range(44))


def test_k01_there_is_a_line_for_each_color_and_nobody_stands_on_it():
    """The province mat has a line for each color; at the start it is empty."""
    assert sorted(line.color for line in KOREA.provinces) == sorted(COLORS)
    assert len({line.name for line in KOREA.provinces}) == 8
    assert [line_of(Game(5, KOREA), color) for color in COLORS] == [{}] * 8


def test_k01_express_cards_lie_open_on_the_table():
    """Each player's express cards are open on the table: everybody sees who has which."""
    game = Game(3, KOREA)
    game.state.express[:3] = (0b1110, 0b0100, 0b1010)
    for seat in range(3):
        assert seen_by(game, seat).express[:3].tolist() == [0b1110, 0b0100, 0b1010]


@pytest.mark.parametrize("seats", SEATS)
def test_k01_no_card_ticket_or_train_is_ever_lost_or_made(seats):
    """110 train cards, 44 tickets, 45 trains a player and the express cards are all there is, to the last decision."""
    express = [{1, 2, 3}] * seats
    for game in random_games(seats, games=1, seed=seats, spec=KOREA):
        assert game.all_cards() == all_colors() | {L: 14}
        tickets = [ticket for seat in range(seats) for ticket in (*game.tickets(seat), *game.offer(seat))]
        if game.phase == "draft":  # what is picked lies behind what is left of the pack
            tickets = game.state.offer[:seats].ravel().tolist()
        assert sorted(tickets + game.ticket_deck) == list(range(44))
        for seat in range(seats):
            placed = sum(KOREA.routes[route].length for route in game.routes(seat))
            on_mat = sum(owner == seat for color in COLORS for owner in line_of(game, color).values())
            assert game.state.trains[seat] + placed + on_mat == 45
        left = [held(game, seat) for seat in range(seats)]
        assert all(now <= before for now, before in zip(left, express, strict=True))
        express = left
    assert game.phase == "over"


def test_k01_nothing_of_the_game_before_remains():
    """A new game in the record of a finished one begins with an empty mat, all express cards and a draft."""
    *_, used = random_games(3, games=1, seed=3, spec=KOREA)
    assert any(line_of(used, color) for color in COLORS)
    used.state.pending_route, used.state.paid = 5, 3
    used.deal((1, 2, 3))
    fresh = Game(3, KOREA)
    for field in set(used.state.dtype.names) - {"streams", "deck", "ticket_deck", "express", "offer"}:
        assert used.state[field].tolist() == fresh.state[field].tolist(), field
    assert [held(used, seat) for seat in range(3)] == [{1, 2, 3}] * 3
    assert (offers(used), used.deck, used.ticket_deck) == (offers(fresh), fresh.deck, fresh.ticket_deck)
    assert all_views(used) == all_views(fresh)
    lay_line(used, "red", {1: 1})
    used.board = Game(3).board  # another map in the same record
    used.deal((1, 2, 3))
    assert [held(used, seat) for seat in range(3)] == [set()] * 3
    assert (line_of(used, "red"), used.phase) == ({}, "setup")


def test_k01_the_base_game_has_none_of_it():
    """On another map there is no draft, no express card and no mat."""
    game = Game(2)
    assert game.phase == "setup"
    assert [held(game, seat) for seat in range(2)] == [set()] * 2
    game.begin().give_hand(0, red=1)
    assert all(action.express == 0 and action.kind != "express" for action in game.actions)
    game.play(claim(game.track("Dallas", "Houston"), "red"))
    assert (game.phase, game.seat) == ("turn", 1)


# K2: the draft


@pytest.mark.parametrize("seats", SEATS)
def test_k02_six_tickets_are_dealt_to_each_player(seats):
    """Tickets at set-up are drafted: 6 dealt to each player."""
    game = Game(seats, KOREA)
    assert (game.phase, game.seat) == ("draft", 0)
    assert [len(offer) for offer in offers(game)] == [6] * seats
    order = list(range(44))
    shuffle(order, seed=3)  # the third word of the deal
    assert [ticket for offer in offers(game) for ticket in offer] + game.ticket_deck == order


def test_k02_one_ticket_is_picked_and_nothing_else_may_be_done():
    """Each picks one: not none, not two, and no card, ticket or claim before the draft is over."""
    game = Game(2, KOREA).give_hand(0, red=6, locomotive=6)
    for left in range(6, 0, -1):
        for _ in range(2):
            assert game.actions == [pick(position) for position in range(left)]
            form = encode_action(pick(0)) - 1
            judged = [bits for bits in range(1 << 7) if is_legal(game.state, game.board, form + bits)]
            assert judged == [1 << position for position in range(left)]
            for other in (keep(0), keep(0, 1, 2, 3), BLIND, TICKETS, PASS, take("red"), claim(0, L, 2)):
                assert not game.allows(other)
            game.play(pick(left - 1))
    assert game.phase == "setup"


@pytest.mark.parametrize("seats", SEATS)
def test_k02_packs_go_to_the_next_higher_seat_in_order(seats):
    """Each picks one and passes the rest to the left, until all are picked; a pack keeps its order."""
    random, game = np.random.default_rng(seats), Game(seats, KOREA)
    packs = offers(game)
    for _ in range(6):
        for seat in range(seats):
            assert game.seat == seat
            position = int(random.integers(len(packs[seat])))
            game.play(pick(position))
            del packs[seat][position]
        packs = [packs[seat - 1] for seat in range(seats)]  # seat 0 gets the last seat's
        if game.phase == "draft":
            assert offers(game) == packs
    assert game.phase == "setup"
    assert packs == [[]] * seats


def test_k02_picks_take_effect_when_the_last_one_is_made():
    """Picks are simultaneous: asked for in the order of the seats, nothing moves before the last one is made."""
    game = Game(4, KOREA)
    for _ in range(6):
        before = game.state.offer.tolist(), game.state.offer_size.tolist(), game.ticket_deck
        for seat in range(4):
            assert (game.phase, game.seat) == ("draft", seat)
            assert (game.state.offer.tolist(), game.state.offer_size.tolist(), game.ticket_deck) == before
            game.play(pick(0))


@pytest.mark.parametrize("seats", SEATS)
def test_k02_nobody_sees_a_pick_of_the_same_round(seats):
    """Nobody sees the others' picks of the same round: every view is the same, whatever was picked before."""
    for rounds in range(6):
        one, other = Game(seats, KOREA), Game(seats, KOREA)
        one.play(*[pick(0)] * rounds * seats)
        other.play(*[pick(0)] * rounds * seats)
        for seat in range(seats):
            assert one.seat == other.seat == seat
            assert all_views(one) == all_views(other)
            assert one.codes() == other.codes()
            one.play(pick(0))
            other.play(pick(5 - rounds))
        if rounds < 5:  # what is passed on tells the neighbors
            assert all(a != b for a, b in zip(all_views(one), all_views(other), strict=True))


def turn_secrets_round(game: Game) -> None:
    """Seat 1's tickets, those picked and those of its pack, and the undealt ones in the opposite order."""
    for tickets in (game.state.offer[1], game.state.ticket_deck):
        tickets[:] = tickets[::-1].copy()


def test_k02_only_the_own_picks_are_seen():
    """Everyone sees the own picks, in the order they were made, and of the others' tickets nothing."""
    game = Game(3, KOREA)
    mine: list[list[int]] = [[], [], []]
    for rounds in range(6):
        for seat in range(3):
            view = seen_by(game, seat)
            assert view.picked.tolist() == mine[seat] + [-1] * (6 - rounds)
            assert view.offer.tolist() == game.offer(seat) + [-1] * rounds
            assert (view.offer_size, view.ticket_count) == (6 - rounds, 44 - 18)
            assert view.tickets_kept[:3].tolist() == [0, 0, 0]
        before = all_views(game)
        turn_secrets_round(game)
        now = all_views(game)
        assert (now[0], now[2]) == (before[0], before[2])
        assert now[1] != before[1]
        turn_secrets_round(game)
        for seat in range(3):
            position = (rounds + seat) % (6 - rounds)
            mine[seat].append(game.offer(seat)[position])
            game.play(pick(position))
    for seat in range(3):
        assert seen_by(game, seat).picked.tolist() == [-1] * 6
        assert seen_by(game, seat).offer.tolist() == mine[seat][::-1]
    game.play(*[keep(2, 3, 4, 5)] * 3)
    assert [seen_by(game, seat).picked.tolist() for seat in range(3)] == [[-1] * 6] * 3


@pytest.mark.parametrize("seats", SEATS)
def test_k02_a_pick_is_final_and_the_last_is_laid_out_first(seats):
    """A pick is final: everybody ends with the 6 picked; they are laid out with the last pick first."""
    for seed in range(5):
        game, picks = drafted(seats, seed)
        assert (game.phase, game.seat) == ("setup", 0)
        assert offers(game) == [tickets[::-1] for tickets in picks]


@pytest.mark.parametrize("seats", SEATS)
def test_k02_exactly_four_are_kept(seats):
    """Then each keeps exactly 4: any 4 of the 6, not fewer, not more."""
    game, _ = drafted(seats)
    laid_out = offers(game)
    form = encode_action(keep())
    fours = [keep(*four) for four in combinations(range(6), 4)]
    chosen = [keep(0, 2, 3, 5), keep(2, 3, 4, 5), keep(0, 1, 2, 3), keep(0, 1, 4, 5), keep(1, 2, 3, 4)]
    for seat in range(seats):
        assert sorted(game.actions) == sorted(fours)
        judged = [bits for bits in range(1 << 8) if is_legal(game.state, game.board, form + bits)]
        assert judged == [bits for bits in range(1 << 6) if bits.bit_count() == 4]
        for other in (pick(0), BLIND, TICKETS, PASS):
            assert not game.allows(other)
        game.play(chosen[seat])
    assert (game.phase, game.seat) == ("turn", 0)
    for seat in range(seats):
        assert game.tickets(seat) == {laid_out[seat][position] for position in chosen[seat].keep}
    assert offers(game) == [[]] * seats


def test_k02_nobody_sees_what_another_keeps():
    """The choice of four is simultaneous and secret like any first choice (B3)."""
    one, other = drafted(4)[0], drafted(4)[0]
    for _ in range(4):
        assert all_views(one) == all_views(other)
        assert one.codes() == other.codes()
        one.play(keep(0, 1, 2, 3))
        other.play(keep(2, 3, 4, 5))


@pytest.mark.parametrize("seats", SEATS)
def test_k02_the_rejected_are_shuffled_together_with_the_undealt(seats):
    """The 2 rejected ones of every player are shuffled with the undealt tickets into the deck, by the same stream."""
    kept = [keep(0, 1, 2, 3), keep(2, 3, 4, 5), keep(0, 2, 3, 5), keep(1, 2, 4, 5), keep(0, 1, 4, 5)]
    game, _ = drafted(seats, seed=8)
    expected = game.ticket_deck
    for seat in range(seats):
        expected += [ticket for at, ticket in enumerate(game.offer(seat)) if at not in kept[seat].keep]
    in_order = list(expected)
    assert len(expected) == 44 - 4 * seats
    shuffle(expected, seed=3, used=43)  # the stream goes on where the first shuffle of 44 tickets left it
    game.play(*kept[:seats])
    assert game.ticket_deck == expected != in_order
    everything = [ticket for seat in range(seats) for ticket in game.tickets(seat)] + game.ticket_deck
    assert sorted(everything) == list(range(44))


def test_k02_the_shuffle_is_part_of_the_deal():
    """The same picks and choices give the same deck, whatever the cards are: only the third word seeds it."""
    decks = []
    for seeds in ((1, 2, 3), (7, 8, 3), (1, 2, 4)):
        game = Game(3, KOREA).deal(seeds)
        first = offers(game), game.ticket_deck
        game.play(*[pick(0)] * 18, *[keep(0, 1, 2, 3)] * 3)
        decks.append((first, game.ticket_deck))
    assert decks[0] == decks[1] != decks[2]


def test_k02_a_rejected_ticket_may_be_drawn_first():
    """What is rejected does not go under the deck: in many deals some of it comes to lie in its upper half."""
    game, upper = Game(2, KOREA), 0
    for deal in range(40):
        game.deal((0, 0, deal)).play(*[pick(0)] * 12)
        rejected = {ticket for offer in offers(game) for ticket in offer[4:]}
        game.play(*[keep(0, 1, 2, 3)] * 2)
        upper += len(rejected & set(game.ticket_deck[:18]))
    assert 50 < upper < 110  # 4 rejected tickets a deal, half of them on average


def test_k02_a_map_may_deal_another_number():
    """With 3 tickets dealt there are three rounds; with 1, one, and what is kept follows the map's numbers."""
    for dealt in (1, 3):
        spec = small_map([("A", "B", 1, "gray")], tickets_dealt=dealt, tickets_keep=1, tickets_draft=1)
        game = Game(3, spec)
        game.play(*[pick(0)] * 3 * dealt)
        assert (game.phase, game.seat) == ("setup", 0)
        assert [len(offer) for offer in offers(game)] == [dealt] * 3
        assert len(game.actions) == 2**dealt - 1
