"""The game loop: seats decide, the rules answer, faults are recorded. Compiled bots run inside it."""

import numpy as np

from arena.rules.actions import NO_ACTION
from arena.rules.board import BOARD, MAX_SEATS
from arena.rules.compiler import RAISED, call_policy, exported, kernel
from arena.rules.game_log import GAME_LOG, NOBODY, end_log, log_after, log_before
from arena.rules.invariants import broken
from arena.rules.rng import next_below
from arena.rules.scoring import SCORE, score_game
from arena.rules.state import END_FORFEIT, OVER, STATE
from arena.rules.turn import apply, is_legal, legal_actions, new_game
from arena.rules.view import VIEW, VIEW_BYTES, observe

FAULTS = (
    "none", "illegal", "exception", "wrong_type", "move_time", "game_time", "memory", "died", "probation",
)  # fmt: skip
"""What a bot can do wrong (docs/faults.md). `probation`: a bot that failed in all its warm-up games is suspended."""
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
"""The fields of OUTCOME that say how a game ended; the others are its log."""
OUTCOME = np.dtype((np.record, OUTCOME.descr + GAME_LOG))

DESK = np.dtype(
    (np.record, [
        ("state", STATE), ("board", BOARD),
        ("outcome", OUTCOME), ("logged", "i4"),  # whether what happens in the game is logged
        ("gap", "u1", (8 - (STATE.itemsize + BOARD.itemsize + OUTCOME.itemsize + 4) % 8,)),
        ("shown", VIEW),  # to the seat to move
        ("beyond", "u1", (VIEW_BYTES - VIEW.itemsize,)),
    ])
)  # fmt: skip
"""All that a game needs when it is played decision by decision, except the legal actions, which lie behind it."""
DESK_BYTES = DESK.itemsize


@exported(STATE, BOARD, "i8[]", OUTCOME)
def record_outcome(state, board, fault, outcome):
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
def play_games(table, policies, functions, starts, suspended, seatings, deals, games, outcomes, broken_invariants):
    """Play games between compiled bots, one row of `seatings` (an entrant per seat) and of `deals` each.

    policies: the addresses of compiled bots; functions: which of them each entrant is; starts: its memory at set-up;
    suspended: its fault at set-up, for one that is not asked; games: their numbers; outcomes: empty ones.
    broken_invariants: the one that each game breaks, int64 [games].
    """
    board, state, view, actions, memory, random_states, random_state, fault, where, logged = table
    for game in range(len(outcomes)):
        new_game(state, board, deals[game])
        if logged:
            outcomes[game].leader = NOBODY
        where[GAME] = games[game]
        where[DECISION] = 0
        for seat in range(board.seats):
            fault[seat] = suspended[seatings[game, seat]]
            random_states[seat] = deals[game].random_states[seat]
            for place in range(memory.shape[1]):  # as one assignment it takes Numba 1.6 s more to compile
                memory[seat, place] = starts[seatings[game, seat], place]
        while state.phase != OVER:
            seat = state.seat
            count = legal_actions(state, board, actions)
            action = NO_ACTION
            where[SEAT] = seat
            if fault[seat] == NO_FAULT:
                observe(state, board, seat, view)
                random_state[0] = random_states[seat]
                policy = policies[functions[seatings[game, seat]]]
                action = call_policy(policy, view, board, actions[:count], memory[seat], random_state)
                random_states[seat] = random_state[0]
                if action == RAISED:
                    fault[seat] = FAULT_EXCEPTION
                elif not is_legal(state, board, action):
                    fault[seat] = FAULT_ILLEGAL
            if fault[seat] != NO_FAULT:
                action = random_fallback(state, board, actions, random_states)
            if logged:
                play_logged(outcomes[game], state, board, action)
            else:
                apply(state, board, action)
            where[DECISION] += 1
        broken_invariants[game] = finish_game(state, board, fault, outcomes[game], logged)


@exported(OUTCOME, STATE, BOARD, "i8")
def play_logged(log, state, board, action):
    """Play an action and log what it is and what comes of it."""
    seat, phase = state.seat, state.phase
    log_before(log, state, board, action)
    apply(state, board, action)
    log_after(log, state, board, action, seat, phase)


@exported(STATE, BOARD, "i8[]", OUTCOME, "i8", returns="i8")
def finish_game(state, board, fault, outcome, logged):
    """Record how a game ended and, if it is logged, the end of its log; returns the invariant that it breaks."""
    record_outcome(state, board, fault, outcome)
    if logged:
        end_log(outcome, state, board)
    return broken(state, board)


@kernel
def random_fallback(state, board, actions, random_states):
    """A random legal action for a seat with a fault; listed anew, for the bot may have written over the list."""
    count = legal_actions(state, board, actions)
    return actions[next_below(random_states, state.seat, count)]


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
    """Play an action, and log it if the game is logged."""
    if desk.logged:
        play_logged(desk.outcome, desk.state, desk.board, action)
    else:
        apply(desk.state, desk.board, action)


# Called from Python, these take the memory of a game (`arena.engine.desk`) as plain bytes: Numba recognizes those in no
# time, while an array of records costs 0.1 us a call and a bare record 3 us.


@kernel
def start(memory, deal):
    """Set up the game of a deal, DEAL [1], and prepare its first decision."""
    desk, actions = memory[:DESK_BYTES].view(DESK)[0], memory[DESK_BYTES:].view(np.int32)
    if desk.logged:
        desk.outcome.leader = NOBODY
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
def step_randomly(memory, random_states):
    """Play a random legal action in place of a seat with a fault and prepare the next decision."""
    desk, actions = memory[:DESK_BYTES].view(DESK)[0], memory[DESK_BYTES:].view(np.int32)
    play_on(desk, random_fallback(desk.state, desk.board, actions, random_states))
    return prepare(desk, actions)


@kernel
def finish(memory, fault):
    """Record the outcome of the game, which is over; returns the invariant that it breaks."""
    desk = memory[:DESK_BYTES].view(DESK)[0]
    return finish_game(desk.state, desk.board, fault, desk.outcome, desk.logged)
