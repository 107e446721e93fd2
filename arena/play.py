"""The one game loop: seats decide, the rules answer, faults are booked. Whole for policies, in steps for classes."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from arena.kernels import RAISED, call_policy, exported, inner, kernel
from arena.rules.actions import NO_ACTION
from arena.rules.board import BOARD, MAX_SEATS
from arena.rules.invariants import broken
from arena.rules.notes import NOTES, begin_notes, end_notes, note_after, note_before
from arena.rules.rng import next_below
from arena.rules.scoring import SCORE, score_game
from arena.rules.state import END_FORFEIT, OVER, STATE
from arena.rules.turn import apply, is_legal, legal_actions, new_game
from arena.rules.view import observe

FAULTS = (
    "none", "illegal", "exception", "wrong_type", "move_time", "game_time", "memory", "died", "probation",
)  # fmt: skip
"""What a bot can do wrong (docs/faults.md). After `probation`, a bot that always failed is not asked any more."""
(
    NO_FAULT, FAULT_ILLEGAL, FAULT_EXCEPTION, FAULT_WRONG_TYPE, FAULT_MOVE_TIME, FAULT_GAME_TIME, FAULT_MEMORY,
    FAULT_DIED, FAULT_PROBATION,
) = range(9)  # fmt: skip
WORDS = 3 + MAX_SEATS
"""Random words of a deal: train deck, reshuffles, tickets, then the luck of each seat."""

PID, GAME, SEAT, DECISION = range(4)
"""Where a process is, int64 [4]: itself, the game (-1: none), the seat that decides (-1: none yet), the decision.

Decisions of all seats are counted.
"""

OUTCOME = np.dtype(
    [(name, SCORE[name]) for name in SCORE.names or ()]
    + [("trains_left", "i2", MAX_SEATS), ("turns", "i2", MAX_SEATS), ("fault", "i2", MAX_SEATS), ("end", "i2")]
)
RESULTS: tuple[str, ...] = OUTCOME.names or ()
"""The fields of OUTCOME that say how a game ended; the others are notes of what happened in it."""
OUTCOME = np.dtype((np.record, OUTCOME.descr + NOTES))
NO_NOTES = np.zeros(0, OUTCOME)


def deal_words(seed: int, deals: Sequence[int]) -> np.ndarray:
    """The random words of some deals, uint64 [deals, WORDS].

    A one-way hash of seed and deal: nothing follows from a bot's own luck for the cards, unless it tries out seeds.
    """
    digests = (blake2b(f"ttr-arena deal {seed} {deal}".encode(), digest_size=8 * WORDS).digest() for deal in deals)
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64).reshape(-1, WORDS)


@exported(STATE, BOARD, "i8[]", OUTCOME)
def book_outcome(state, board, fault, outcome):
    """The final score and how the game ended for each seat."""
    score_game(state, board, outcome)
    for seat in range(board.seats):
        outcome.trains_left[seat] = state.trains[seat]
        outcome.turns[seat] = state.turns[seat]
        outcome.fault[seat] = fault[seat]
    outcome.end = state.end
    rank_faulty_last(board, fault, outcome)


@inner
def rank_faulty_last(board, fault, outcome):
    """Seats with a fault share the last place; the others are ranked among themselves, or all win a forfeited game."""
    faultless = 0
    for seat in range(board.seats):
        faultless += fault[seat] == NO_FAULT
    if faultless == board.seats:
        return
    ranks = outcome.rank.copy()
    for seat in range(board.seats):
        better = 0
        for other in range(board.seats):
            better += fault[other] == NO_FAULT and ranks[other] < ranks[seat] and outcome.end != END_FORFEIT
        outcome.rank[seat] = 1 + (better if fault[seat] == NO_FAULT else faultless)


@kernel
def play_games(table, policies, functions, starts, benched, seatings, words, games, outcomes, unsound):
    """Play games between compiled bots, one row of `seatings` (an entrant per seat) and of `words` each.

    policies: the addresses of compiled bots; functions: which of them each entrant is; starts: its memory at set-up;
    benched: its fault at set-up, for one that is not asked; games: their numbers. Notes are taken if `noted`.
    unsound: the invariant that each game breaks, int64 [games].
    """
    board, state, view, actions, memory, luck, slot, fault, where, noted = table
    for game in range(len(outcomes)):
        new_game(state, board, words[game])
        if noted:
            begin_notes(outcomes[game])
        where[GAME] = games[game]
        where[DECISION] = 0
        for seat in range(board.seats):
            fault[seat] = benched[seatings[game, seat]]
            luck[seat] = words[game, 3 + seat]
            for place in range(memory.shape[1]):  # as one assignment it takes Numba 1.6 s more to compile
                memory[seat, place] = starts[seatings[game, seat], place]
        while state.phase != OVER:
            seat = state.seat
            count = legal_actions(state, board, actions)
            action = NO_ACTION
            where[SEAT] = seat
            if fault[seat] == NO_FAULT:
                observe(state, board, seat, view)
                slot[0] = luck[seat]
                policy = policies[functions[seatings[game, seat]]]
                action = call_policy(policy, view, board, actions[:count], memory[seat], slot)
                luck[seat] = slot[0]
                if action == RAISED:
                    fault[seat] = FAULT_EXCEPTION
                elif not is_legal(state, board, action):
                    fault[seat] = FAULT_ILLEGAL
            if fault[seat] != NO_FAULT:
                action = stand_in(state, board, actions, luck)
            if noted:
                play_noted(outcomes[game], state, board, action)
            else:
                apply(state, board, action)
            where[DECISION] += 1
        book_outcome(state, board, fault, outcomes[game])
        unsound[game] = broken(state, board)
        if noted:
            finish_notes(outcomes[game], state, board)


@exported(OUTCOME, STATE, BOARD, "i8")
def play_noted(notes, state, board, action):
    """Play an action and write down what it is and what comes of it."""
    seat, phase = state.seat, state.phase
    note_before(notes, state, board, action)
    apply(state, board, action)
    note_after(notes, state, board, action, seat, phase)


@exported(OUTCOME, STATE, BOARD)
def finish_notes(notes, state, board):
    """Write down what is known at the end of a game."""
    end_notes(notes, state, board)


@inner
def stand_in(state, board, actions, luck):
    """A random legal action for a seat with a fault; listed anew, for the bot may have written over the list."""
    count = legal_actions(state, board, actions)
    return actions[next_below(luck, state.seat, count)]


@inner
def prepare(state, board, view, actions):
    """Show the seat to move its view and legal actions: 8 * their number + seat, or 0 when the game is over."""
    if state.phase == OVER:
        return 0
    observe(state, board, state.seat, view)
    return 8 * legal_actions(state, board, actions) + state.seat


@inner
def play_on(state, board, action, notes):
    """Play an action, with notes if there is a page for them."""
    if len(notes):
        play_noted(notes[0], state, board, action)
    else:
        apply(state, board, action)


# Called from Python, these take arrays of one record: Numba needs 0.1 us to recognize one, but 3 us for a bare record.


@kernel
def start(states, boards, views, actions, words, notes):
    """Set up a game and prepare its first decision. notes: OUTCOME [1], or empty if nothing is to be noted."""
    if len(notes):
        begin_notes(notes[0])
    new_game(states[0], boards[0], words)
    return prepare(states[0], boards[0], views[0], actions)


@kernel
def step(states, boards, views, actions, action, notes):
    """Play an action and prepare the next decision; NO_ACTION, and nothing done, if it is illegal."""
    if not is_legal(states[0], boards[0], action):
        return NO_ACTION
    play_on(states[0], boards[0], action, notes)
    return prepare(states[0], boards[0], views[0], actions)


@kernel
def step_randomly(states, boards, views, actions, luck, notes):
    """Play a random legal action in place of a seat with a fault and prepare the next decision."""
    play_on(states[0], boards[0], stand_in(states[0], boards[0], actions, luck), notes)
    return prepare(states[0], boards[0], views[0], actions)
