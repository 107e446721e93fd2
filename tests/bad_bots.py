"""Bots that misbehave, each in one way: `tests/test_kit.py` has them found."""

import random
import time

import numpy as np

from arena.bot import CLAIM, DRAFT_TICKET, Action, Bot, View, kind_of, policy

WORDS = [f"word {number}" for number in range(40)]


class IllegalInOnePhase(Bot):
    def choose(self, view: View) -> Action:
        return Action("pass") if view.phase == "second_card" else view.actions[0]


class RaisesOnOneMap(Bot):
    def choose(self, view: View) -> Action:
        if view.bullets_left:
            raise RuntimeError("no idea about bullet trains")
        return view.actions[0]


class GlobalRandom(Bot):
    def choose(self, view: View) -> Action:
        return random.choice(view.actions)


class NumpyRandom(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[np.random.randint(len(view.actions))]  # noqa: NPY002  # that is what is wrong with it


class Seeded(Bot):
    """Decides alike each time, but what else uses the module is disturbed."""

    def choose(self, view: View) -> Action:
        random.seed(1)
        return view.actions[0]


class Clock(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[time.perf_counter_ns() % len(view.actions)]


class HashOrder(Bot):
    def choose(self, view: View) -> Action:
        word = list(set(WORDS))[view.me.turns % len(WORDS)]  # by turns: two orders that begin alike differ later
        return view.actions[WORDS.index(word) % len(view.actions)]


class WritesRecord(Bot):
    def choose(self, view: View) -> Action:
        view.record.hand[0] = 12
        return view.actions[0]


class WritesHand(Bot):
    def choose(self, view: View) -> Action:
        view.hand["red"] += 1
        return view.actions[0]


class Remembers(Bot):
    """Carries something over from game to game."""

    games = 0

    def __init__(self) -> None:
        type(self).games += 1

    def choose(self, view: View) -> Action:
        return view.actions[self.games % len(view.actions)]


@policy
def writes_board(view, board, actions, memory, random_state):
    board.trains = 3
    return actions[0]


@policy
def writes_view(view, board, actions, memory, random_state):
    view.hand[0] = 12
    return actions[0]


@policy
def writes_actions(view, board, actions, memory, random_state):
    answer = actions[0]
    actions[0] = -1
    return answer


@policy
def compiled_random(view, board, actions, memory, random_state):
    return actions[np.random.randint(0, len(actions))]  # noqa: NPY002  # that is what is wrong with it


@policy
def illegal_in_draft(view, board, actions, memory, random_state):
    return 0 if kind_of(actions[0]) == DRAFT_TICKET else actions[0]


@policy
def out_of_bounds(view, board, actions, memory, random_state):
    last = actions[len(actions) - 1]
    if kind_of(last) == CLAIM:
        memory[0] = memory[len(memory) + len(actions)]  # reads what lies behind: no sign of it without bounds checks
    return actions[0]


MOODY = """
from arena.bot import Bot


class Moody(Bot):
    def choose(self, view):
        if self.rng.random() < 0.01:
            raise RuntimeError("not today")
        return view.actions[0]
"""
"""The source of a bot that fails now and then: one that always fails would be suspended."""
