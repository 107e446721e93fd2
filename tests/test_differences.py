"""Two runs on the same deals: the jackknife's interval holds, equal runs do not differ, pairing pays."""

import numpy as np
import pytest

from arena.errors import UsageError
from arena.studies.differences import differences, grouped
from planted import even_map, plan_of, played, table_of


def test_equal_runs_do_not_differ() -> None:
    spec = even_map()
    plan = plan_of(spec, "random", 2, 60, 1)
    lot = played(spec, plan)
    frame = differences(grouped(spec, plan, [lot]), grouped(spec, plan, [lot]))
    assert len(frame) > 100
    assert (frame["difference"].dropna() == 0).all()
    assert not (frame["q"] < 0.05).any()


def test_differences_of_other_deals_are_refused() -> None:
    spec = even_map()
    sides = []
    for seed in (1, 2):
        plan = plan_of(spec, "random", 2, 60, seed)
        sides.append(grouped(spec, plan, [played(spec, plan)]))
    with pytest.raises(UsageError, match="do not share their deals"):
        differences(*sides)


def test_groups_are_the_whole() -> None:
    """However games are cut into lots and groups, the sums are those of all of them."""
    spec = even_map()
    plan = plan_of(spec, "random", 3, 90, 4)
    lot = played(spec, plan)
    parts = [part for first in range(0, 90, 25) if (part := lot.part(first, first + 25))]
    one, other = grouped(spec, plan, [lot]), grouped(spec, plan, parts)
    assert one.games == other.games == sum(cell.games for cell in other.groups) == 90
    assert differences(one, other)["difference"].abs().max() == 0


def test_intervals_hold() -> None:
    """Random players on other deals of the same map: 95 of 100 intervals of a difference hold 0; seats are alike."""
    spec = even_map()
    table = table_of(spec, plan_of(spec, "random", 2, 2, 0))
    hits = []
    for seed in range(30):
        sides = []
        for half in (0, 1):
            plan = plan_of(spec, "random", 2, 60, 2 * seed + half)
            lot = played(spec, plan, table)
            same = plan_of(spec, "random", 2, 60, 0)  # deals that share nothing stand for runs that share theirs
            sides.append(grouped(spec, same, [lot]))
        frame = differences(*sides)
        frame = frame[frame["low"].notna() & (frame["high"] > frame["low"])]
        hits.append(((frame["low"] <= 0) & (frame["high"] >= 0)).mean())
    assert np.mean(hits) == pytest.approx(0.95, abs=0.025)
