"""Scripted bots that misbehave."""

import os
import sys
import threading
import time

from arena.bot import Bot, next_below, policy


class Raises(Bot):
    def choose(self, view):
        if view.me.turns == 5:
            raise RuntimeError("five turns are enough")
        return view.actions[0]


class RaisesAtOnce(Bot):
    def __init__(self):
        raise ValueError("no game today")

    def choose(self, view):
        return view.actions[0]


class Foreign(Bot):
    """Answers with an action of an earlier decision."""

    def choose(self, view):
        self.first = getattr(self, "first", view.actions[0])
        return self.first


class ReturnsNone(Bot):
    def choose(self, view):
        return None


class ReturnsView(Bot):
    def choose(self, view):
        return view


class RaisesInHelper(Bot):
    def choose(self, view):
        return self.helper(view)

    def helper(self, view):
        return view.hand["map"]


class Leaves(Bot):
    def choose(self, view):
        sys.exit(7)


class Talks(Bot):
    def choose(self, view):
        print("{" * 80)
        os.write(1, b"[not json]")
        sys.stderr.write("aside")
        return view.actions[0]


class First(Bot):
    def choose(self, view):
        return view.actions[0]


class Dies(Bot):
    def choose(self, view):
        os._exit(9)


class Gambler(Bot):
    """Draws a random number in its constructor and faults with what it drew."""

    def __init__(self):
        self.first = self.rng.random()

    def choose(self, view):
        raise RuntimeError(f"{self.first} {self.rng.random()}")


class Sleeps(Bot):
    def choose(self, view):
        time.sleep(300)
        return view.actions[0]


class Threads(Bot):
    """Leaves a thread behind that never ends."""

    def choose(self, view):
        if view.phase == "setup":
            threading.Thread(target=threading.Event().wait).start()
        return view.actions[0]


class Interrupts(Bot):
    def choose(self, view):
        raise KeyboardInterrupt


class Unprintable(Bot):
    def choose(self, view):
        class Odd(Exception):
            def __str__(self):
                raise ValueError

        raise Odd


class Surrogate(Bot):
    def choose(self, view):
        raise ValueError("half \ud800 a character")


class LongText(Bot):
    def choose(self, view):
        raise ValueError("x" * 1000)


class Slips(Bot):
    def choose(self, view):
        return view.claims[0]._replace(card="gray") if view.claims else view.actions[0]


@policy
def cheats(view, board, actions, memory, random_state):
    """Makes short routes worth fifty points, for everyone and for ever."""
    board.route_points[1] = 50
    return actions[next_below(random_state, 0, len(actions))]


@policy
def divides(view, board, actions, memory, random_state):
    return actions[0] // memory[0]


@policy
def raises_compiled(view, board, actions, memory, random_state):
    if view.turns[view.seat] == 3:
        raise ValueError("compiled trouble")
    return actions[0]


@policy
def index(view, board, actions, memory, random_state):
    return 1


@policy
def huge(view, board, actions, memory, random_state):
    return 1 << 60


@policy
def scribbles(view, board, actions, memory, random_state):
    """Writes over the list of actions and then answers nonsense."""
    actions[:] = -5
    return -5


@policy(weight=2.0)
def counts(view, board, actions, memory, random_state):
    """Uses its memory: it must be its own, and new for each game."""
    if memory[0] != 2.0 or (memory[1] != view.turns[view.seat] and view.phase == 1):
        return -1
    if view.phase == 1:
        memory[1] += 1
    return actions[next_below(random_state, 0, len(actions))]
