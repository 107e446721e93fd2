"""A study finds what was planted in a map, and nothing on a map on which everything is alike."""

from dataclasses import replace

import numpy as np
import pytest

from arena.experiments.balance.questions import candidates, leading
from arena.experiments.balance.study import Cell
from arena.experiments.measures.findings import found
from planted import (
    DEAD,
    OVERPAID,
    SHORT,
    WORTHLESS,
    even_map,
    measured,
    plan_of,
    planted_map,
    played,
    table_of,
)


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_planted_is_found(players: int) -> None:
    """All five are among the first findings, with their direction."""
    spec = planted_map()
    cell = measured(spec, "planner", players, 2400, seed=1)
    first = [finding.text for finding in leading(found(candidates(cell)))]
    said = "\n".join(first)
    effects, prices = cell.effects, cell.sums["tickets"]["net"]
    assert effects
    assert np.argmax(effects["scores"].value) == np.argmax(prices.value) == OVERPAID
    assert np.argmin(prices.value) == WORTHLESS
    for words in (
        "Seat 0 wins",
        f"The ticket {spec.tickets[WORTHLESS]} brings who keeps it",
        f"The ticket {spec.tickets[OVERPAID]}",
        f"{DEAD} is used by 0.0%",
        f"{SHORT.capitalize()} routes are claimed",
    ):
        assert words in said, said


def test_stalls_are_found() -> None:
    """A board that is too small for so many trains: all routes are claimed, and nobody can move."""
    spec = even_map()
    spec = replace(spec, rules=spec.rules.changed("trains", 60))
    cell = Cell.empty(spec, plan := plan_of(spec, "greedy", 2, 60, seed=1))
    cell.add(played(spec, plan))
    said = [finding.text for finding in found(candidates(cell)) if finding.topic.table == "course"]
    assert said == ["100.0% (95.0% to 100.0%) of the games with 2 players end in a stall: nobody can move (B18)."]


@pytest.mark.parametrize("studies", [50, pytest.param(200, marks=pytest.mark.full)])
def test_nothing_is_found_where_nothing_is(studies: int) -> None:
    """Random players on the even map: whatever is found is false, and at most 5 in 100 studies find anything."""
    spec = even_map()
    table = table_of(spec, plan_of(spec, "random", 2, 2, 0))
    false = 0
    for seed in range(studies):
        cell = measured(spec, "random", 2, 160, seed, table)
        false += bool(found(candidates(cell)))
    assert false <= 0.05 * studies + 2 * np.sqrt(0.05 * studies)
