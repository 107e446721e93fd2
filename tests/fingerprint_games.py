"""Prints a digest of some games, state by state. Run compiled and interpreted, it must print the same.

python fingerprint_games.py GAMES SEATS [SEATS...]
"""

import hashlib
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from arena import catalog
from arena.bot import Action, Bot, View
from arena.checks.machine.playout import random_action
from arena.engine.bots import Entrant
from arena.engine.loop import COUNT_SHIFT, start, step
from arena.engine.table import Table
from arena.rules.board import MAX_SEATS, MAX_TICKETS
from arena.rules.deal import make_deals
from arena.rules.determinize import determinize, ticket_weights
from arena.rules.state import STATE


class Chooser(Bot):
    """Looks at everything a view offers and plays at random."""

    def choose(self, view: View) -> Action:
        wanted = self.rng.choice(view.tickets or view.offer)
        self.paths = [view.path(wanted.a, wanted.b)]  # of all tickets it is half of the time of an interpreted game
        self.done = [view.is_complete(ticket) for ticket in view.tickets]
        assert view.claims == tuple(action for action in view.actions if action.kind == "claim")
        return view.actions[(self.rng.randrange(1000) + len(self.paths) + sum(self.done)) % len(view.actions)]


def walk(table: Table, number: int, digest: Any) -> None:
    """Play a game at random; each state, view and list of actions goes into the digest, and some guessed states."""
    states, boards, views, actions = table.states, table.boards, table.views, table.actions
    random_states, guess = np.arange(MAX_SEATS, dtype=np.uint64), np.zeros(1, STATE)
    weights, decisions = np.ones((MAX_SEATS, MAX_TICKETS)), 0
    turn = int(start(table.desk.memory, make_deals(1, [number])))
    while turn:
        digest.update(states.tobytes() + views.tobytes() + actions[: turn >> COUNT_SHIFT].tobytes())
        if decisions < 2 * int(boards[0]["seats"]) or decisions % 20 == 0:
            ticket_weights(views[0], boards[0], weights)
            determinize(views[0], boards[0], random_states, guess[0], weights)
            digest.update(guess.tobytes() + weights.tobytes())
        decisions += 1
        turn = int(step(table.desk.memory, int(random_action(states[0], boards[0], random_states))))
    digest.update(states.tobytes())


def main(games: int, seat_counts: Sequence[int]) -> None:
    """One line a map and seat count, then one for the game loop with bots of both kinds."""
    np.seterr(over="ignore")  # random words wrap around
    entrants = [Entrant("chooser", "chooser", Chooser, {}, ""), *catalog.load_entrants(["random", "greedy", "racer"])]
    for name in catalog.map_names():
        spec = catalog.load_map(name)
        for seats in seat_counts:
            digest, table = hashlib.sha256(), Table(spec, seats, entrants)
            for number in range(games):
                walk(table, number, digest)
            print(name, seats, digest.hexdigest())
        table = Table(spec, 4, entrants)
        outcomes, faults = table.play(np.array([[0, 1, 2, 3], [3, 2, 1, 1]]), make_deals(2, [0, 1]))
        print(name, "loop", hashlib.sha256(outcomes.tobytes()).hexdigest(), faults)


if __name__ == "__main__":
    main(int(sys.argv[1]), [int(seats) for seats in sys.argv[2:]])
