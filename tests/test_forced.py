"""Deals with a ticket forced before a seat: nothing else changes, and it is the same in every command that plays."""

from pathlib import Path

import numpy as np
import pytest

from arena import catalog
from arena.api import run
from arena.engine.desk import Desk
from arena.engine.loop import start
from arena.replay.recorded_game import replay
from arena.rules.board import MAX_TICKETS
from arena.rules.state import STATE
from arena.store import run_directory
from arena.tournament.plan import Plan
from arena.tournament.schedule import game_deals


def tickets_of(state: np.record, seats: int) -> tuple[list[list[int]], list[int]]:
    """Those before each seat, and the deck from its top."""
    before = [state.offer[seat, : state.offer_size[seat]].tolist() for seat in range(seats)]
    places = (int(state.ticket_top) + np.arange(int(state.ticket_count))) % MAX_TICKETS
    return before, state.ticket_deck[places].tolist()


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("name", catalog.map_names())
def test_only_two_tickets_change_places(name: str, players: int) -> None:
    spec = catalog.load_map(name)
    desks = [Desk(spec, players), Desk(spec, players)]
    plan = Plan.of_size(
        bots=("a",) * players, names=tuple("abcde"[:players]), map=name, players=players, games=3 * len(spec.tickets),
        seed=9, seating="once", forced=len(spec.tickets),
    )  # fmt: skip
    deals = game_deals(plan, np.arange(plan.games))
    by_chance = deals.copy()
    by_chance["forced_seat"] = -1
    for game in range(plan.games):
        deal, ticket = divmod(game, plan.forced)
        for desk, dealt in zip(desks, (by_chance[game : game + 1], deals[game : game + 1]), strict=True):
            start(desk.memory, dealt)
        plain, forced = (desk.states[0] for desk in desks)
        seat = deal % players
        before, deck = tickets_of(plain, players)
        first = before[seat][0]
        swap = {first: ticket, ticket: first}
        expected = [[swap.get(each, each) for each in some] for some in before], [swap.get(each, each) for each in deck]
        assert tickets_of(forced, players) == expected
        assert expected[0][seat][0] == ticket
        for field in set(STATE.names or ()) - {"offer", "ticket_deck"}:
            assert np.array_equal(plain[field], forced[field]), field


def test_a_run_of_forced_deals(tmp_path: Path) -> None:
    """The k-th game of a deal begins with the k-th ticket; replay says so too."""
    folder = tmp_path / "r"
    run(["greedy", "random"], map="japan", games=100, seating="once", force_tickets=True, out=folder)
    plan = run_directory.read_plan(folder)
    tickets = len(catalog.load_map("japan").tickets)
    assert plan.forced == tickets
    assert plan.games % tickets == 0
    for game in (0, 7, tickets + 3):
        events = replay(folder, game, lambda text: None).events
        offers = [event for event in events if event["event"] == "offer" and event["seat"] == game // tickets % 2]
        assert offers[0]["tickets"][0] == game % tickets
