"""The course of a game: what is legal, passing, the last round, random play (B6, B18, B19)."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest
from scipy.stats import chisquare

from arena.checks.machine.playout import playout, random_action
from arena.rules.actions import KINDS
from arena.rules.actions import PASS as PASS_KIND
from arena.rules.turn import is_legal

from .table import BLIND, PASS, TICKETS, USA, Game, L, bare, claim, keep, random_games, small_map, take

SEATS = (2, 3, 4, 5)

# Some routes that a test may claim one after the other, without a common city.
SHORT = [("Dallas", "Houston"), ("Portland", "Seattle"), ("Kansas City", "Omaha"), ("Atlanta", "Nashville")]


# B6: one of three actions


def test_b06_a_turn_is_one_of_three_actions():
    """At the start of a turn: draw cards, claim a route or draw tickets; nothing else."""
    game = bare().lay_row("red").stack_deck("red").stack_tickets(1).give_hand(0, red=1)
    assert {action.kind for action in game.actions} == {"row", "blind", "tickets", "claim"}
    assert not game.allows(PASS)
    assert not game.allows(keep(0))


# What is legal


@pytest.mark.parametrize("seats", SEATS)
def test_b06_an_integer_is_legal_exactly_if_it_is_listed(seats):
    """Whatever a bot returns is judged as the list of legal actions says: any integer, of any size."""
    random = np.random.default_rng(600 + seats)
    phases = Counter[str]()
    positions = chain(random_games(seats, games=1, seed=60 + seats), small_games(seats))
    for number, game in enumerate(positions):
        if number % 5 and game.phase == "turn":
            continue
        listed = game.codes()
        assert len(set(listed)) == len(listed)
        legal = set(listed)
        # Any form of an action; neighbors of legal ones, a bit or a step away; anything; the ends of the range.
        candidates = np.concatenate(
            [
                random.integers(0, (PASS_KIND + 2) << 24, size=120),
                random.choice(listed or [0], 40) ^ (1 << random.integers(0, 20, size=40)),
                random.choice(listed or [0], 20) + random.integers(-3, 4, size=20),
                random.integers(-(2**63), 2**63 - 1, size=20),
                [-1, -(2**63), 2**63 - 1, 2**31, 2**32, -(2**32), PASS_KIND << 24, (PASS_KIND << 24) + 1, 0, 1],
            ]
        ).tolist()
        for code in candidates + listed:
            assert bool(is_legal(game.state, game.board, code)) == (code in legal), code
        phases[game.phase] += 1
    assert set(phases) == {"setup", "turn", "second_card", "keep", "over"}


def small_games(seats: int) -> Iterator[Game]:
    """Positions with few cards: empty slots, an empty deck, passes."""
    spec = small_map(
        [("A", "B", 3, "red"), ("B", "C", 4, "gray"), ("C", "D", 2, "blue")], cards_per_color=1, locomotives=10, hand=2
    )
    return random_games(seats, games=6, seed=66, spec=spec)


def test_b06_every_integer_below_the_largest_action_is_judged_right():
    """One position in full: exactly the listed integers are legal, of all that have the form of an action."""
    game = bare().lay_row("red", L).stack_deck("red").stack_tickets(1).give_hand(0, red=3, blue=2, locomotive=2)
    listed = set(game.codes())
    assert len(listed) > 100
    # Kinds other than claims have few bits that matter; of the claims all routes, cards and locomotives are tried.
    forms = [
        (kind << 24) + bits
        for kind in range(PASS_KIND + 1)
        for bits in range(0, 1 << 16, 1 if KINDS[kind] == "claim" else 16)
    ]
    assert {code for code in forms if is_legal(game.state, game.board, code)} == listed & set(forms)
    assert listed <= set(forms)


def test_b06_an_illegal_question_changes_nothing():
    """Asking whether an action is legal, or what is legal, does not touch the game."""
    game = Game(3).begin()
    before = game.state.tobytes()
    for code in (-5, 0, *game.codes(), 10**9):
        is_legal(game.state, game.board, code)
    assert game.state.tobytes() == before


# B18: passing


def test_b18_a_player_passes_only_when_nothing_else_can_be_done():
    """With no card, no ticket and no route that can be paid, passing is the only action."""
    assert bare().actions == [PASS]
    assert bare().allows(PASS)


@pytest.mark.parametrize(
    "something",
    [
        lambda game: game.lay_row("red"),
        lambda game: game.lay_row(L),
        lambda game: game.stack_deck("red"),
        lambda game: game.stack_tickets(3),
        lambda game: game.give_hand(0, red=1),
        lambda game: game.give_hand(0, locomotive=1),
    ],
)
def test_b18_whoever_can_do_anything_may_not_pass(something):
    """One card to draw, one ticket, or one route to claim: each alone forbids to pass."""
    game = something(bare())
    assert PASS not in game.actions
    assert not game.allows(PASS)


def test_b18_a_hand_that_pays_for_nothing_open_allows_to_pass():
    """Cards in hand alone are no action: too few trains, or no open route of that color."""
    game = bare().give_hand(0, red=9, locomotive=9).give_trains(0, 0)
    assert game.actions == [PASS]
    spec = small_map([("A", "B", 3, "blue")])
    assert bare(2, spec).give_hand(0, red=9, blue=2).actions == [PASS]


@pytest.mark.parametrize("seats", SEATS)
def test_b18_if_everyone_passes_in_a_row_the_game_ends_as_a_stall(seats):
    """If every player passes in a row the game ends there; the record says that it stalled."""
    game = bare(seats)
    for seat in range(seats):
        assert (game.phase, game.seat, game.end) == ("turn", seat, "none")
        game.play(PASS)
    assert (game.phase, game.end) == ("over", "stall")
    assert game.actions == []
    assert game.state.turns[:seats].tolist() == [1] * seats


def test_b18_passes_that_are_not_in_a_row_do_not_end_the_game():
    """An action between two passes begins the count anew."""
    spec = small_map([("A", "B", 2, "red"), ("B", "C", 3, "blue")])
    game = bare(2, spec).give_hand(1, red=2).play(PASS, claim(0, "red"))
    assert game.row == ["red", "red", None, None, None]
    game.play(take("red"), take("red"), PASS)
    assert game.phase == "turn"
    game.play(PASS)
    assert (game.phase, game.end) == ("over", "stall")


def test_b18_a_stalled_game_is_scored():
    """A game that stalled is scored as it stands."""
    spec = small_map([("A", "B", 2, "red"), ("B", "C", 3, "blue")], [("A", "B", 6), ("A", "C", 9)])
    game = bare(2, spec).give_hand(0, red=2).give_tickets(0, 0).give_tickets(1, 1)
    game.play(claim(0, "red"), take("red"), take("red"), PASS, PASS)
    assert game.end == "stall"
    assert game.score().score[:2].tolist() == [2 + 6 + 10, -9]


def test_b18_every_game_ends():
    """Trains, tickets and cards run down: random games on a map that cannot use up the trains stall, none goes on."""
    ends = Counter[str]()
    for game in (game for seats in SEATS for game in small_games(seats)):
        if game.phase == "over":
            ends[game.end] += 1
    assert ends == {"stall": 6 * len(SEATS)}


# B19: the last round


@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("trigger", [0, 1, -1])
def test_b19_with_two_trains_or_fewer_everyone_has_one_last_turn(seats, trigger, left):
    """With 0, 1 or 2 trains left at the end of a turn, every player, that one included, has one last turn."""
    trigger %= seats
    game = bare(seats).stack_deck(*["white"] * 40)
    for _ in range(trigger):
        game.play(BLIND, BLIND)
    game.give_hand(trigger, red=1).give_trains(trigger, left + 1)
    game.play(claim(game.track("Dallas", "Houston"), "red"))
    assert game.state.last_turns == seats
    order = []
    while game.phase != "over":
        assert game.end == "none"
        order.append(game.seat)
        game.play(BLIND, BLIND)
    assert order == [(trigger + 1 + turn) % seats for turn in range(seats)]
    assert order[-1] == trigger
    assert game.end == "trains"
    assert game.actions == []


@pytest.mark.parametrize("seats", SEATS)
def test_b19_three_trains_do_not_begin_the_last_round(seats):
    """A supply of three is not yet small enough."""
    game = bare(seats).stack_deck(*["white"] * 40).give_hand(0, red=1).give_trains(0, 4)
    game.play(claim(game.track("Dallas", "Houston"), "red"))
    for _ in range(3 * seats):
        assert game.state.last_turns == -1
        game.play(BLIND, BLIND)
    assert game.phase == "turn"


def test_b19_the_last_round_begins_at_the_end_of_the_turn_of_who_has_so_few_trains():
    """Only the player whose turn ends is looked at."""
    game = bare(3).stack_deck(*["white"] * 40).give_trains(1, 2).play(BLIND, BLIND)
    assert game.state.last_turns == -1
    game.play(BLIND)
    assert game.state.last_turns == -1
    game.play(BLIND)
    assert game.state.last_turns == 3


def test_b19_there_is_only_one_last_round():
    """Another player who runs out of trains in the last round does not prolong it."""
    game = bare(2).stack_deck("white", "white").give_trains(0, 1).give_trains(1, 2)
    game.give_hand(0, red=1, blue=2).give_hand(1, red=1)
    game.play(claim(game.track(*SHORT[0]), "red"), claim(game.track(*SHORT[1]), "red"))
    assert (game.seat, game.phase) == (0, "turn")
    assert game.play(BLIND, BLIND).end == "trains"


@pytest.mark.parametrize(
    "turn",
    [
        [BLIND, BLIND],
        [take("red"), BLIND],
        [take(L)],
        [TICKETS, keep(0, 1)],
        [claim(Game().track("Montreal", "Toronto"), "red")],
    ],
)
def test_b19_every_kind_of_turn_is_one_turn(turn):
    """The last turn is a whole turn, of one decision or of two, and anything may be done in it."""
    game = bare(2).stack_deck(*["white"] * 9).lay_row("red", L, "blue", "white", "white").stack_tickets(1, 2, 3)
    game.give_hand(0, red=1).give_trains(0, 1).give_hand(1, red=3)
    game.play(claim(game.track(*SHORT[0]), "red"))
    for decision in turn:
        assert (game.seat, game.phase == "over") == (1, False)
        game.play(decision)
    assert game.seat == 0
    assert game.state.last_turns == 1
    assert game.state.turns[:2].tolist() == [1, 1]


def test_b19_what_is_claimed_in_the_last_turn_counts():
    """Routes of the last round score, and complete tickets, like all others."""
    game = bare(2).stack_deck("white", "white", "white").give_trains(0, 3).give_tickets(0, 11)
    a, b = game.track(*SHORT[0]), game.track("Atlanta", "Nashville")
    game.give_hand(0, red=2).play(claim(a, "red")).play(BLIND, BLIND)
    assert game.seat == 0
    game.play(claim(b, "red"))
    assert game.end == "trains"
    assert game.routes(0) == {a, b}
    assert game.state.route_points[0] == 2
    assert game.score().points[0, 1] == -USA.tickets[11].points


def test_b19_nothing_is_legal_when_the_game_is_over():
    """After the last turn the game is over: no action is listed and none is legal."""
    *_, game = random_games(3, games=1, seed=19)
    assert game.phase == "over"
    assert game.codes() == []
    assert [code for code in range(0, (PASS_KIND + 1) << 24, 997) if is_legal(game.state, game.board, code)] == []
    assert not game.allows(PASS)


@pytest.mark.parametrize("seats", SEATS)
def test_b19_whole_games_end_one_round_after_the_first_small_supply(seats):
    """In whole games: as many turns follow the first end of a turn with two trains or fewer as there are players."""
    trigger, before = None, None
    for game in random_games(seats, games=2, seed=190):
        turns = game.state.turns[:seats].tolist()
        if before is None or sum(turns) < sum(before):
            trigger, before = None, turns
        for seat in range(seats):
            if trigger is None and turns[seat] > before[seat] and game.state.trains[seat] <= 2:
                trigger = (seat, sum(turns))
        before = turns
        if game.phase == "over":
            assert trigger is not None
            assert sum(turns) == trigger[1] + seats
            assert game.seat == trigger[0]
            assert game.end == "trains"


# Turns in order


@pytest.mark.parametrize("seats", SEATS)
def test_b04_turns_go_round_and_round(seats):
    """Play is clockwise to the end: finished turns differ by one at most, earlier seats being ahead."""
    for game in random_games(seats, games=1, seed=4):
        if game.phase != "over" and game.phase != "setup":
            turns = game.state.turns[:seats].tolist()
            assert turns == [turns[-1] + 1] * game.seat + [turns[-1]] * (seats - game.seat)


# Random play


@pytest.mark.parametrize("seats", SEATS)
def test_b06_random_play_is_made_of_legal_actions(seats):
    """A playout is nothing but legal actions chosen one by one: step by step it gives the same game."""
    game, stepped = Game(seats).deal((9, 8, seats)), Game(seats).deal((9, 8, seats))
    random_states, same_states = np.arange(5, dtype=np.uint64), np.arange(5, dtype=np.uint64)
    decisions = playout(game.state, game.board, random_states)
    for _ in range(decisions):
        assert stepped.phase != "over"
        code = int(random_action(stepped.state, stepped.board, same_states))
        assert code in stepped.codes()
        stepped.play_code(code)
    assert stepped.phase == "over"
    assert stepped.state.tobytes() == game.state.tobytes()
    assert random_states.tolist() == same_states.tolist()


def test_b18_random_play_passes_when_it_must():
    """A playout of a game that stalls passes and ends."""
    game = bare(3)
    assert playout(game.state, game.board, np.arange(5, dtype=np.uint64)) == 3
    assert game.end == "stall"


def test_b04_random_play_uses_the_luck_of_the_seat_to_move_only():
    """Each seat has a random stream of its own, which the others' decisions do not touch."""
    game = Game(3).begin().play(BLIND, BLIND)
    random_states = np.arange(5, dtype=np.uint64)
    random_action(game.state, game.board, random_states)
    assert np.flatnonzero(random_states != np.arange(5, dtype=np.uint64)).tolist() == [1]


@pytest.mark.parametrize(
    "game",
    [
        lambda: Game(2),
        lambda: bare().stack_tickets(1, 2, 3).play(TICKETS),
        lambda: bare().lay_row("red", "red", L, "blue", "white").stack_deck("red", "red").stack_tickets(1),
        lambda: bare().lay_row("red", "red", L, "blue", "white").stack_deck("red", "red").play(BLIND),
        lambda: bare().lay_row("red", L).stack_tickets(1).give_hand(0, red=3, black=2, locomotive=2),
        lambda: bare().give_hand(0, green=4, locomotive=1),
    ],
    ids=["setup", "keep", "draws", "second card", "draws and claims", "claims"],
)
def test_b06_random_play_chooses_every_legal_action_equally_often(game):
    """Each legal action is equally likely, however many ways there are to pay for one route."""
    table = game()
    listed = table.codes()
    random_states = np.full(5, 20240, np.uint64)
    chosen = Counter(random_action(table.state, table.board, random_states) for _ in range(40 * len(listed)))
    assert set(chosen) <= set(listed)
    assert chisquare([chosen[code] for code in listed]).pvalue > 0.001
