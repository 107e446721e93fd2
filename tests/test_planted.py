"""A study finds what was planted in a map, and nothing on a map on which everything is alike."""

import numpy as np
import pytest

from arena.balance.findings import found
from arena.balance.questions import candidates
from arena.balance.sections import leading
from planted import DEAD, OVERPAID, SHORT, WORTHLESS, even_map, measured, plan_of, planted_map, table_of

STUDIES = 200


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_planted_is_found(players: int) -> None:
    """All five are among the first findings, with their direction."""
    spec = planted_map()
    cell = measured(spec, "planner", players, 1500, seed=1)
    first = [finding.text for finding in leading(found(candidates(spec, cell)))]
    said = "\n".join(first)
    for words in (
        "Seat 0 wins",
        f"The ticket {spec.tickets[WORTHLESS]} before a seat causes -",
        f"The ticket {spec.tickets[OVERPAID]} before a seat causes +",
        f"{DEAD} is used by 0.0%",
        f"{SHORT.capitalize()} routes are claimed",
    ):
        assert words in said, said


def test_nothing_is_found_where_nothing_is() -> None:
    """Random players on the even map: whatever is found is false, and at most 5 in 100 studies find anything."""
    spec = even_map()
    table = table_of(spec, plan_of(spec, "random", 2, 2, 0))
    false = 0
    for seed in range(STUDIES):
        cell = measured(spec, "random", 2, 240, seed, table)
        false += bool(found(candidates(spec, cell)))
    assert false <= 0.05 * STUDIES + 2 * np.sqrt(0.05 * STUDIES)
