"""The game loop: seats decide, the rules answer, faults are recorded. Compiled bots run inside it."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from arena.rules.actions import NO_ACTION
from arena.rules.board import BOARD, MAX_SEATS
from arena.rules.compiler import RAISED, call_policy, exported, kernel
from arena.rules.deal import SEEDS, deals_from_seeds
from arena.rules.invariants import broken
from arena.rules.notes import NOTES, begin_notes, end_notes, note_after, note_before
from arena.rules.rng import next_below
from arena.rules.scoring import SCORE, score_game
from arena.rules.state import END_FORFEIT, OVER, STATE
from arena.rules.turn import apply, is_legal, legal_actions, new_game
from arena.rules.view import VIEW, VIEW_BYTES, observe

FAULTS = (
    "none", "illegal", "exception", "wrong_type", "move_time", "game_time", "memory", "died", "probation",
)  # fmt: skip
"""What a bot can do wrong (docs/faults.md). After `probation`, a bot that always failed is not asked any more."""
(
    NO_FAULT, FAULT_ILLEGAL, FAULT_EXCEPTION, FAULT_WRONG_TYPE, FAULT_MOVE_TIME, FAULT_GAME_TIME, FAULT_MEMORY,
    FAULT_DIED, FAULT_SUSPENDED,
) = range(9)  # fmt: skip
SEAT_MASK, COUNT_SHIFT = 7, 3
"""How `start` and `step` say what is next: the seat that decides, above it the number of its actions; 0: game over."""

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

DESK = np.dtype(
    (np.record, [
        ("state", STATE), ("board", BOARD),
        ("notes", OUTCOME), ("noted", "i4"),  # what happens in the game, if it is to be noted
        ("gap", "u1", (8 - (STATE.itemsize + BOARD.itemsize + OUTCOME.itemsize + 4) % 8,)),
        ("shown", VIEW),  # to the seat to move
        ("beyond", "u1", (VIEW_BYTES - VIEW.itemsize,)),
    ])
)  # fmt: skip
"""All that a game needs which is played decision by decision, but for the legal actions, which lie behind it."""
DESK_BYTES = DESK.itemsize


def deal_words(seed: int, deals: Sequence[int]) -> np.ndarray:
    """Some deals of a seed, DEAL [deals].

    A one-way hash of seed and deal: nothing follows from a bot's own luck for the cards, unless it tries out seeds.
    """
    digests = (blake2b(f"ttr-arena deal {seed} {deal}".encode(), digest_size=8 * SEEDS).digest() for deal in deals)
    return deals_from_seeds(np.frombuffer(b"".join(digests), "<u8").reshape(-1, SEEDS))


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


@kernel
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
def play_games(table, policies, functions, starts, suspended, seatings, deals, games, outcomes, unsound):
    """Play games between compiled bots, one row of `seatings` (an entrant per seat) and of `deals` each.

    policies: the addresses of compiled bots; functions: which of them each entrant is; starts: its memory at set-up;
    suspended: its fault at set-up, for one that is not asked; games: their numbers. Notes are taken if `noted`.
    unsound: the invariant that each game breaks, int64 [games].
    """
    board, state, view, actions, memory, luck, slot, fault, where, noted = table
    for game in range(len(outcomes)):
        new_game(state, board, deals[game])
        if noted:
            begin_notes(outcomes[game])
        where[GAME] = games[game]
        where[DECISION] = 0
        for seat in range(board.seats):
            fault[seat] = suspended[seatings[game, seat]]
            luck[seat] = deals[game].luck[seat]
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


@kernel
def stand_in(state, board, actions, luck):
    """A random legal action for a seat with a fault; listed anew, for the bot may have written over the list."""
    count = legal_actions(state, board, actions)
    return actions[next_below(luck, state.seat, count)]


@kernel
def prepare(desk, actions):
    """Show the seat to move its view and legal actions; who that is and how many these are, see SEAT_MASK."""
    state = desk.state
    if state.phase == OVER:
        return 0
    observe(state, desk.board, state.seat, desk.shown)
    return (legal_actions(state, desk.board, actions) << COUNT_SHIFT) + int(state.seat)


@kernel
def play_on(desk, action):
    """Play an action, with notes if they are to be taken."""
    if desk.noted:
        play_noted(desk.notes, desk.state, desk.board, action)
    else:
        apply(desk.state, desk.board, action)


# Called from Python, these take the memory of a game (`arena.engine.desk`) as plain bytes: Numba recognizes those in no
# time, while an array of records costs 0.1 us a call and a bare record 3 us.


@kernel
def start(memory, deal):
    """Set up the game of a deal, DEAL [1], and prepare its first decision."""
    desk, actions = memory[:DESK_BYTES].view(DESK)[0], memory[DESK_BYTES:].view(np.int32)
    if desk.noted:
        begin_notes(desk.notes)
    new_game(desk.state, desk.board, deal[0])
    return prepare(desk, actions)


@kernel
def step(memory, action):
    """Play an action and prepare the next decision; NO_ACTION, and nothing done, if it is illegal."""
    desk, actions = memory[:DESK_BYTES].view(DESK)[0], memory[DESK_BYTES:].view(np.int32)
    if not is_legal(desk.state, desk.board, action):
        return NO_ACTION
    play_on(desk, action)
    return prepare(desk, actions)


@kernel
def step_randomly(memory, luck):
    """Play a random legal action in place of a seat with a fault and prepare the next decision."""
    desk, actions = memory[:DESK_BYTES].view(DESK)[0], memory[DESK_BYTES:].view(np.int32)
    play_on(desk, stand_in(desk.state, desk.board, actions, luck))
    return prepare(desk, actions)


@kernel
def finish(memory, fault):
    """Write down what the game that is over has come to; the invariant that it breaks."""
    desk = memory[:DESK_BYTES].view(DESK)[0]
    book_outcome(desk.state, desk.board, fault, desk.notes)
    if desk.noted:
        finish_notes(desk.notes, desk.state, desk.board)
    return broken(desk.state, desk.board)
