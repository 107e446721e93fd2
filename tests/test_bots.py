"""The shipped bots play every map sensibly, with every number of players."""

import numpy as np
import pytest

from arena import catalog
from arena.mapspec import MapSpec
from arena.play import deal_words
from arena.rules.scoring import PROVINCES
from arena.table import Table
from helpers import SEAT_COUNTS

BOTS = ["random", "greedy", "racer", "tutorial"]


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_all_bots_play_without_a_fault(spec: MapSpec, seats: int) -> None:
    table = Table(spec, seats, catalog.load_entrants(BOTS))
    seatings = np.array([[(seat + game) % len(BOTS) for seat in range(seats)] for game in range(12)])
    outcomes, faults = table.play(seatings, deal_words(5, range(12)))
    assert not faults
    assert (outcomes["end"] > 0).all()


@pytest.mark.parametrize("bot", BOTS[1:])
@pytest.mark.parametrize("map_name", ["usa", "japan", "south_korea"])
def test_bots_are_stronger_than_random(map_name: str, bot: str) -> None:
    table = Table(catalog.load_map(map_name), 2, catalog.load_entrants([bot, "random"]))
    outcomes, _ = table.play(np.array([[0, 1], [1, 0]] * 15), deal_words(6, np.repeat(range(15), 2).tolist()))
    ranks = outcomes["rank"][:, :2].copy()
    ranks[1::2] = ranks[1::2, ::-1]
    assert (ranks[:, 0] == 1).mean() > 0.8


def final_states(map_name: str, bot: str) -> list[np.record]:
    """The tables after some games of a bot against itself."""
    table = Table(catalog.load_map(map_name), 2, catalog.load_entrants([bot, bot]))
    states = []
    for game in range(10):
        table.play(np.array([[0, 1]]), deal_words(7, [game]))
        states.append(table.state.copy())
    return states


@pytest.mark.parametrize("bot", BOTS[1:])
def test_bots_build_with_bullet_trains(bot: str) -> None:
    assert np.mean([state["progress"][:2].sum() for state in final_states("japan", bot)]) > 5


@pytest.mark.parametrize("bot", BOTS[1:])
def test_bots_place_trains(bot: str) -> None:
    assert np.mean([np.count_nonzero(state["mat"]) for state in final_states("south_korea", bot)]) > 2


@pytest.mark.parametrize("bot", BOTS[1:])
def test_bots_spend_express_cards(bot: str) -> None:
    held = 0b1110
    assert np.mean([(state["express"][:2] != held).mean() for state in final_states("south_korea", bot)]) > 0.5


def test_province_bonus_is_fought_for() -> None:
    table = Table(catalog.load_map("south_korea"), 2, catalog.load_entrants(["racer", "greedy"]))
    outcomes, _ = table.play(np.array([[0, 1]] * 20), deal_words(8, range(20)))
    assert (outcomes["points"][:, :2, PROVINCES].mean(axis=0) > 10).all()
