"""Prices of tickets: what is usual for their way, and which one another ticket beats in all respects."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec, Ticket
from arena.experiments.measures.findings import Topic, candidates_of, error_floor
from arena.experiments.measures.tickets import dominating, price_table, usual, ways_of
from arena.stats.ratio_estimates import RatioSums

DEALS = 400


def ratios(values: Sequence[float]) -> RatioSums:
    """Of each ticket the share of the deals in which it is done, in steps of a quarter; it is kept in all."""
    sums = RatioSums.zeros(len(values))
    over = np.arange(DEALS)[:, None] % 4 < 4 * np.array(values)
    sums.add(over, np.ones(over.shape))
    return sums


def net(values: Sequence[float]) -> RatioSums:
    sums = RatioSums.zeros(len(values))
    sums.add(np.tile(values, (DEALS, 1)), np.ones((DEALS, len(values))))
    return sums


def test_usual_is_the_median_rate() -> None:
    ways = np.array([2, 4, 6, 8])
    assert usual(net([2.0, 2.0, 3.0, 16.0]), ways) == pytest.approx(ways * 0.75)  # of rates 1, 0.5, 0.5, 2


def test_nothing_is_usual_where_most_tickets_fail() -> None:
    assert np.isnan(usual(net([-2.0, -1.0, 3.0]), np.array([2, 4, 6]))).all()
    assert np.isnan(usual(RatioSums.zeros(2), np.array([2, 4]))).all()


def test_a_ticket_that_nobody_would_choose() -> None:
    points, ways = np.array([10, 10, 11, 9, 10]), np.array([5, 5, 4, 5, 6])
    # The second is done more often than the first for the same; the third is better still; the fourth pays less than
    # all of these; the last has a longer way than any.
    found = dominating(points, ways, ratios([0.25, 0.5, 0.75, 0.0, 0.25]))
    assert found.tolist() == [2, 2, -1, 2, 2]
    assert dominating(points, ways, ratios([0.5] * 5)).tolist() == [-1] * 5  # none is done more often
    assert dominating(points[:2], ways[:2], ratios([0.25, 0.5])).tolist() == [1, -1]
    assert dominating(np.array([11, 10]), ways[:2], ratios([0.25, 0.5])).tolist() == [-1, -1]  # it pays more
    assert dominating(points[:2], np.array([4, 5]), ratios([0.25, 0.5])).tolist() == [-1, -1]  # its way is shorter


def test_too_few_say_nothing() -> None:
    sums = ratios([0.25, 0.75])
    sums.denominator[:] = [29, 400]
    assert dominating(np.array([5, 5]), np.array([3, 3]), sums).tolist() == [-1, -1]
    rates = net([2.0, 4.0, 4.0])
    assert usual(rates, np.ones(3)) == pytest.approx([4, 4, 4])
    rates.denominator[:] *= [0.07, 1, 0.07]  # 28 of 400
    rates.numerator[:] *= [0.07, 0.5, 0.07]
    assert usual(rates, np.ones(3)) == pytest.approx([2, 2, 2])


def test_a_ticket_that_is_always_completed_is_asked_for() -> None:
    """Its points have no spread: the error is that of two which fail."""
    sums = net([14.0])
    assert sums.error[0] == 0
    assert error_floor(sums, 2 * 14.0) == pytest.approx([2 * 28 / DEALS])
    (found,) = candidates_of(Topic("prices", 2), ["so it is"], sums, 5.0, 3.0, step=2 * 14.0)
    assert found.p < 1e-9


def two_tickets() -> MapSpec:
    spec = catalog.load_map("usa")
    return replace(spec, tickets=(Ticket("Dallas", "Houston", 3), Ticket("Seattle", "Vancouver", 3)))


def test_the_table() -> None:
    """Both ways have one space; the second ticket brings more than the median of both, the first less."""
    spec = two_tickets()
    assert ways_of(spec).tolist() == [1, 1]
    table = price_table(spec, {"completed": ratios([0.25, 0.75]), "net": net([1.0, 2.0])}).set_index("ticket")
    assert table["surplus"].to_dict() == pytest.approx({0: -0.5, 1: 0.5})
    assert table["usual"].tolist() == pytest.approx([1.5, 1.5])
    assert table["dominated_by"][0] == "Seattle-Vancouver"
    assert table["dominated_by"].isna()[1]
