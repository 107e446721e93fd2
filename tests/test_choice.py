"""Who is asked: a bot in Python or a program only where there is a choice, a compiled bot always."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import numba
import numpy as np
import pytest

from arena import catalog
from arena.bot import Action, Bot, View, policy
from arena.engine.bots import Entrant
from arena.engine.limits import Limits
from arena.engine.loop import OUTCOME
from arena.engine.table import Table
from arena.engine.watch import WatchedTable
from arena.replay.answers import AnswersTable
from arena.rules.actions import decode
from arena.rules.deal import make_deals
from arena.rules.view import VIEW, VIEW_BYTES

DRAFT = "south_korea"
"""A map with a draft of tickets: the last one of each pack is no choice."""


class Asked(Bot):
    """Plays at random and remembers how many actions it had."""

    counts: ClassVar[list[int]] = []

    def choose(self, view: View) -> Action:
        """Any action."""
        self.counts.append(len(view.actions))
        return self.rng.choice(view.actions)


@policy
def counting(view, board, actions, memory, random_state):
    """The first action; a second decision with a single one is a fault."""
    memory[0] += len(actions) == 1
    return actions[0] if memory[0] < 2 else -1


def entrant_of(bot: object) -> Entrant:
    return Entrant("bot", "", bot, {}, "")  # type: ignore[arg-type]


@pytest.fixture
def deals() -> np.ndarray:
    return make_deals(3, range(4))


def test_a_class_is_asked_where_it_has_a_choice(deals: np.ndarray) -> None:
    Asked.counts.clear()
    table = AnswersTable(catalog.load_map(DRAFT), 3, [entrant_of(Asked)] * 3, Limits())
    replayed = table.play_again(deals[:1], [])
    assert not replayed.faults
    assert min(Asked.counts) == 2
    assert len(table.answers) == len(Asked.counts)
    drafts = [event for event in replayed.events if event["event"] == "draft"]
    told = [decision for decision in table.answers if decision < len(drafts)]
    assert len(told) == len(drafts) - 3  # the last pick of each seat is told, and nobody was asked for it


def test_a_policy_is_asked_always(deals: np.ndarray) -> None:
    """It may draw from its random state, or count: whole games in compiled code and step by step must be the same."""
    table = Table(catalog.load_map(DRAFT), 2, [entrant_of(counting), entrant_of(Asked)])
    for seating in ([0, 0], [0, 1]):
        _, faults = table.play(np.array([seating] * 4), deals)
        assert {fault.kind for found in faults.values() for fault in found} <= {"illegal"}
    assert faults


def test_a_policy_in_a_process_of_its_own_is_asked_always(deals: np.ndarray) -> None:
    spec = f"{Path(__file__).resolve()}:counting"
    tables = [
        Table(catalog.load_map(DRAFT), 2, catalog.load_entrants([spec, "random"], isolate=isolate), Limits())
        for isolate in (False, True)
    ]
    here, apart = (table.play(np.array([[0, 1]] * 4), deals) for table in tables)
    assert here[1] == apart[1]
    assert here[0].tobytes() == apart[0].tobytes()


def test_a_spectator_sees_what_nobody_was_asked_for(deals: np.ndarray) -> None:
    entrant = entrant_of(Asked)
    game = WatchedTable(catalog.load_map(DRAFT), 2, [entrant]).watch([entrant, entrant], deals[:1])
    assert len(game.seconds) < len(game.decisions)
    most = WatchedTable(catalog.load_map(DRAFT), 2, [entrant]).watch([entrant, None], deals[:1], 7)
    assert len(most.decisions) == 7
    assert not most.fault


def test_a_view_stays_as_it_was_shown(deals: np.ndarray) -> None:
    """It is a copy: what happens in the game afterwards is not seen in it, and nothing can be written into it."""
    shown: list[tuple[View, bytes]] = []

    class Keeps(Bot):
        def choose(self, view: View) -> Action:
            shown.append((view, bytes(view.shown)))
            return view.actions[-1]

    table = Table(catalog.load_map(DRAFT), 2, [entrant_of(Keeps)])
    table.play(np.zeros((1, 2), np.int64), deals[:1])
    assert len(shown) > 50
    for view, before in shown:
        assert view.shown == before
        assert len(before) == VIEW_BYTES + 4 * len(view.actions)
        view.hand["red"] += 100
        view.players[0].known["red"] += 100
    again = View(table.map, table.public_boards, shown[0][1])
    assert again.hand["red"] < 100
    assert again.players[0].known["red"] < 100
    with pytest.raises(TypeError):
        shown[0][0].actions.codes[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        shown[0][0].record.deck_count = 1


def test_a_view_answers_to_former_names(deals: np.ndarray) -> None:
    """With a warning at the line of the bot, and a record that kernels take like any VIEW."""
    table = Table(catalog.load_map("usa"), 2, [entrant_of(Asked)])
    table.play(np.zeros((1, 2), np.int64), deals[:1])
    view = table.view_of(0)
    record = view.record
    former: list[tuple[str, Callable[[], object], object]] = [
        ("View is now 'owner_of'", lambda: view.claimed, view.owner_of),  # type: ignore[attr-defined]
        ("View is now 'pending_route'", lambda: view.just_claimed, view.pending_route),  # type: ignore[attr-defined]
        ("ViewRecord is now 'routes_claimed'", lambda: record.mine.tolist(), record.routes_claimed.tolist()),
        ("ViewRecord is now 'offer_size'", lambda: record["offered"], record.offer_size),
        ("ViewRecord is now 'pending_route'", lambda: record.claimed, record["pending_route"]),
    ]
    assert view.owner_of
    for says, read, value in former:
        with pytest.warns(DeprecationWarning, match=says) as caught:
            assert read() == value
        assert caught[0].filename == __file__
    with pytest.raises(AttributeError, match="'View' object has no attribute 'nonsense'"):
        view.nonsense  # type: ignore[attr-defined]  # noqa: B018
    assert record.dtype == VIEW
    assert numba.typeof(record) == numba.from_dtype(VIEW)


def test_actions_are_a_sequence(deals: np.ndarray) -> None:
    """Whatever a tuple of them answers."""
    views: list[View] = []

    class Keeps(Bot):
        def choose(self, view: View) -> Action:
            views.append(view)
            return view.actions[-1]

    Table(catalog.load_map(DRAFT), 2, [entrant_of(Keeps)]).play(np.zeros((1, 2), np.int64), deals[:1])
    for view in views:
        listed, size = tuple(view.actions), len(view.actions)
        assert listed == tuple(map(decode, view.actions.codes)) == view.actions[:]
        for index in (0, 1, size - 1, -1, -size):
            assert view.actions[index] is listed[index] is view.actions[np.int8(index) if size < 100 else index]
        assert view.actions[1:-1] == listed[1:-1]
        assert view.claims == tuple(action for action in listed if action.kind == "claim")
        assert view.draws == tuple(a for a in listed if a.kind in ("row", "blind", "tickets", "express"))
        for index in (size, -size - 1, 10**6, -(10**6)):
            with pytest.raises(IndexError, match="there are"):
                view.actions[index]
        with pytest.raises(TypeError):
            view.actions["0"]  # type: ignore[call-overload]


def test_games_are_noted_alike(deals: np.ndarray) -> None:
    """Nothing of an earlier game is left in the notes of the next one."""
    table = Table(catalog.load_map(DRAFT), 2, [entrant_of(Asked)], logged=True)
    together, _ = table.play(np.zeros((4, 2), np.int64), deals)
    for game in range(4):
        fresh = Table(catalog.load_map(DRAFT), 2, [entrant_of(Asked)], logged=True)
        alone, _ = fresh.play(np.zeros((1, 2), np.int64), deals[game : game + 1])
        assert alone.dtype == OUTCOME
        assert alone[0].tobytes() == together[game].tobytes()
