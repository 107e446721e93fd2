"""Ratios over deals: the plain formula, intervals that hold, false discoveries in bounds."""

import numpy as np
import pytest

from arena.stats.ratio_estimates import RatioSums, joined, p_beyond, q_values

MANY = np.array(10**6)
"""Degrees of freedom."""


def made(rng: np.random.Generator, deals: int, items: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Wins of those who have something, and how many have it: alike within a deal, true ratio one half."""
    have = rng.integers(0, 5, (deals, items))
    luck = rng.beta(2, 2, (deals, items))
    return rng.binomial(have, luck), have


def test_error_is_that_of_the_residuals() -> None:
    over, under = made(np.random.default_rng(1), 400)
    sums = RatioSums.zeros(3)
    for part in np.array_split(np.arange(400), 7):
        sums.add(over[part], under[part])
    for item in range(3):
        ratio = over[:, item].sum() / under[:, item].sum()
        residuals = over[:, item] - ratio * under[:, item]
        assert sums.value[item] == pytest.approx(ratio)
        error = np.sqrt(400 * residuals.var(ddof=0) * 400 / 399) / under[:, item].sum()
        assert sums.error[item] == pytest.approx(error)
    halves = [RatioSums.zeros(3), RatioSums.zeros(3)]
    for half, part in zip(halves, np.array_split(np.arange(400), 2), strict=True):
        half.add(over[part], under[part])
    assert np.allclose(joined(halves).error, sums.error)


def test_interval_holds_in_95_of_100() -> None:
    """Deals whose games are alike: an interval over games would be too narrow."""
    rng = np.random.default_rng(2)
    hits = np.zeros(3)
    for _ in range(600):
        sums = RatioSums.zeros(3)
        sums.add(*made(rng, 60))
        low, high = sums.interval()
        hits += (low <= 0.5) & (high >= 0.5)
    assert np.all((hits / 600 > 0.92) & (hits / 600 < 0.975))


def test_shares_stay_within_their_bounds() -> None:
    """What was not seen once in n deals may be 3/n, and of fewer things than deals the things count."""
    sums = RatioSums.zeros(5)
    over, under = np.zeros((100, 5)), np.ones((100, 5))
    over[:, 1] = 1  # always
    over[0, 2] = 1  # once: the plain interval would begin below 0
    under[:40, 3] = 0  # never, in 60 things
    under[:, 4] = 0  # nothing is known
    sums.add(over, under)
    low, high = sums.share_interval()
    assert low[:4] == pytest.approx([0, 0.97, 0, 0])
    assert high[[0, 1, 3]] == pytest.approx([0.03, 1, 0.05])
    assert high[2] == sums.interval()[1][2] < 0.04
    assert np.isnan([low[4], high[4]]).all()
    one = RatioSums.zeros(1)
    one.add(np.zeros((1, 1)), np.ones((1, 1)))
    assert np.isnan(one.share_interval()).all()  # of a single deal


def test_of_nothing() -> None:
    sums = RatioSums.zeros(2)
    assert np.isnan(sums.value).all()
    sums.add(np.array([[1, 0]]), np.array([[2, 0]]))
    assert sums.value[0] == 0.5
    assert np.isnan(sums.value[1])
    assert np.isnan(sums.error).all()


def test_false_discoveries_are_held() -> None:
    """200 studies of 100 things of which none is anything: at q < 0.05 about one study in twenty finds something."""
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(200):
        value = rng.normal(size=100)
        found += bool((q_values(p_beyond(value, np.ones(100), 0.0, MANY)) < 0.05).any())
    assert found <= 20
    value = rng.normal(size=100) + 8 * (np.arange(100) < 5)
    q = q_values(p_beyond(value, np.ones(100), 0.0, MANY))
    assert (q[:5] < 0.05).all()


def test_what_is_not_known_is_no_finding() -> None:
    q = q_values(np.array([0.001, np.nan, 0.5]))
    assert q[0] == pytest.approx(0.002)
    assert np.isnan(q[1])


def test_a_margin_is_no_finding() -> None:
    """At the edge of the margin it is one half and a little more, within it more; without an error nothing is known."""
    p = p_beyond(np.array([0.0, 1.0, 2.96, 1.0]), np.array([1.0, 1.0, 1.0, 0.0]), 1.0, MANY)
    assert p[1] == pytest.approx(0.5228, abs=1e-4)
    assert p[0] > p[1] > 0.05 > p[2]
    assert np.isnan(p[3])
    few = p_beyond(np.array([2.96]), np.array([1.0]), 1.0, np.array([9]))
    assert few[0] == pytest.approx(0.0409 + 0.0017, abs=2e-4)  # Student's t beyond 1.96 and 3.96
