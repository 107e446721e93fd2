"""Two runs on the same deals: the jackknife's interval holds, equal runs do not differ, pairing pays."""

from dataclasses import replace

import numpy as np
import pytest

from arena.errors import UsageError
from arena.experiments.variants.differences import differences, grouped
from planted import even_map, plan_of, played, table_of


def test_equal_runs_do_not_differ() -> None:
    spec = even_map()
    plan = plan_of(spec, "random", 2, 60, 1)
    batch = played(spec, plan)
    frame = differences(grouped(spec, plan, [batch]), grouped(spec, plan, [batch]))
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


def test_forced_deals_are_other_deals() -> None:
    spec = even_map()
    plan = plan_of(spec, "random", 2, 32, 1)
    side = grouped(spec, plan, [played(spec, plan)])
    with pytest.raises(UsageError, match="forced tickets"):
        differences(side, replace(side, plan=replace(plan, forced=16)))


def test_a_change_that_is_equal_in_all_deals_is_the_surest() -> None:
    """It has no spread, and so no error."""
    spec = even_map()
    plan = plan_of(spec, "random", 2, 60, 1)
    batch = played(spec, plan)
    sides = [grouped(spec, plan, [batch]) for _ in range(2)]
    for cell in sides[1].groups:
        cell.sums["seats"]["scores"].numerator[:] += [5 * cell.games, 0]
    frame = differences(*sides)
    first = frame.iloc[0]
    assert (first["thing"], first["measure"], first["q"]) == ("seat 0", "score", 0)
    assert first["difference"] == pytest.approx(5)
    assert (frame["q"] < 0.05).sum() == 1


def test_few_deals_say_nothing() -> None:
    """However many games each has: the spread of a few groups is no guide."""
    spec = even_map()
    plan = plan_of(spec, "random", 2, 58, 1)
    batch = played(spec, plan)
    both = replace(plan, seating="rotation")
    assert (both.blocks, both.block_games) == (29, 2)
    batch = replace(batch, plan=both, deals=batch.deals // 2)
    frame = differences(grouped(spec, both, [batch]), grouped(spec, both, [batch]))
    assert frame["p"].isna().all()


def test_copies_and_different_bots_can_be_compared() -> None:
    """In all that both have: the copies are one bot, of which nothing is told apart from the seats."""
    spec = even_map()
    plan = plan_of(spec, "random", 2, 60, 1)
    batch = played(spec, plan)
    mixed = replace(plan, bots=("random", "greedy"))
    frames = [
        differences(*(grouped(spec, side, [replace(batch, plan=side)]) for side in sides))
        for sides in ((plan, mixed), (mixed, plan), (mixed, mixed))
    ]
    assert [("bots" in set(frame["table"])) for frame in frames] == [False, False, True]
    assert (frames[0]["table"] == "seats").sum() == 4


def test_groups_are_the_whole() -> None:
    """However games are cut into batches and groups, the sums are those of all of them."""
    spec = even_map()
    plan = plan_of(spec, "random", 3, 90, 4)
    batch = played(spec, plan)
    parts = [batch.part(first, first + 25) for first in range(0, 90, 25)]
    one, other = grouped(spec, plan, [batch]), grouped(spec, plan, parts)
    assert one.games == other.games == sum(cell.games for cell in other.groups) == 90
    assert differences(one, other)["difference"].abs().max() == 0


@pytest.mark.parametrize(("pairs", "off"), [(8, 0.05), pytest.param(30, 0.025, marks=pytest.mark.full)])
def test_intervals_hold(pairs: int, off: float) -> None:
    """Random players on other deals of the same map: 95 of 100 intervals of a difference hold 0; seats are alike."""
    spec = even_map()
    table = table_of(spec, plan_of(spec, "random", 2, 2, 0))
    hits = []
    for seed in range(pairs):
        sides = []
        for half in (0, 1):
            plan = plan_of(spec, "random", 2, 60, 2 * seed + half)
            batch = played(spec, plan, table)
            same = plan_of(spec, "random", 2, 60, 0)  # deals that share nothing stand for runs that share theirs
            sides.append(grouped(spec, same, [batch]))
        frame = differences(*sides)
        frame = frame[frame["low"].notna() & (frame["high"] > frame["low"])]
        hits.append(((frame["low"] <= 0) & (frame["high"] >= 0)).mean())
    assert np.mean(hits) == pytest.approx(0.95, abs=off)
