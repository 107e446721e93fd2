"""Prints a digest of some games, state by state. Run compiled and interpreted, it must print the same.

python fingerprint_games.py GAMES
"""

import hashlib
import sys

import numpy as np

from arena import catalog
from arena.bot import Action, Bot, View
from arena.play import deal_words
from arena.rules.board import MAX_SEATS, MAX_TICKETS
from arena.rules.determinize import determinize, ticket_weights
from arena.rules.playout import random_action
from arena.rules.state import STATE
from arena.rules.view import VIEW, observe
from arena.table import Entrant, Table
from helpers import Stepper


class Chooser(Bot):
    """Looks at everything a view offers and plays at random."""

    def choose(self, view: View) -> Action:
        self.paths = [view.path(ticket.a, ticket.b) for ticket in view.tickets or view.offer]
        self.done = [view.is_complete(ticket) for ticket in view.tickets]
        assert view.claims == tuple(action for action in view.actions if action.kind == "claim")
        return view.actions[(self.rng.randrange(1000) + len(self.paths) + sum(self.done)) % len(view.actions)]


def main(games: int) -> None:
    """One line a map and seat count, then one for the game loop with bots of both kinds."""
    np.seterr(over="ignore")  # random words wrap around
    entrants = [Entrant("chooser", "chooser", Chooser, {}, ""), *catalog.load_entrants(["random", "greedy", "racer"])]
    for name in catalog.map_names():
        spec = catalog.load_map(name)
        for seats in (2, 3, 4, 5):
            digest = hashlib.sha256()
            for number in range(games):
                game = Stepper(spec, seats, deal_words(1, [number])[0])
                luck = np.arange(5, dtype=np.uint64)
                states, views = np.zeros(1, STATE), np.zeros(1, VIEW)
                weights, decisions = np.ones((MAX_SEATS, MAX_TICKETS)), 0
                while not game.is_over:
                    codes = game.actions()
                    observe(game.state, game.board, game.state["seat"], views[0])
                    states[0] = game.state
                    digest.update(states.tobytes() + views.tobytes() + np.array(codes, np.int32).tobytes())
                    if decisions < 2 * seats or decisions % 20 == 0:
                        ticket_weights(views[0], game.board, weights)
                        determinize(views[0], game.board, luck, states[0], weights)
                        digest.update(states.tobytes() + weights.tobytes())
                    decisions += 1
                    game.apply(int(random_action(game.state, game.board, luck)))
            print(name, seats, digest.hexdigest())
        table = Table(spec, 4, entrants)
        outcomes, faults = table.play(np.array([[0, 1, 2, 3], [3, 2, 1, 1]]), deal_words(2, [0, 1]))
        print(name, "loop", hashlib.sha256(outcomes.tobytes()).hexdigest(), faults)


if __name__ == "__main__":
    main(int(sys.argv[1]))
