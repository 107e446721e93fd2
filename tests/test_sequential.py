"""Intervals that hold at every look, and the sequential test: against known numbers, integrals and simulation."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gamma, gammainc, ndtri

from arena.stats import brownian
from arena.stats.brownian import passes_above
from arena.stats.confidence_sequence import TYPICAL_VARIANCE, ConfidenceSequence, best_rho, boundary, log_mixture
from arena.stats.intervals import share_interval
from arena.stats.sprt import OVERSHOOT, Sprt

PAIRED = np.array([-1, -0.5, 0, 0.5, 1])


def test_mixture_is_the_authors() -> None:
    """Numbers of the authors' own software, for scale 2: ours is for scale 1, and scales."""
    rho = best_rho(100, 0.05) / 4
    assert log_mixture(np.array(5.0), np.array(25.0), rho)[0] == pytest.approx(-0.2490165, abs=1e-6)
    assert 2 * boundary(np.array(25.0), 0.05, rho) == pytest.approx(33.02017, abs=1e-5)


@pytest.mark.parametrize(("total", "time", "rho"), [(0.0, 0.0, 3.0), (4.0, 10.0, 3.0), (20.0, 30.0, 0.7)])
def test_mixture_is_its_integral(total: float, time: float, rho: float) -> None:
    def integrand(tilt: float) -> float:
        density = rho**rho * math.exp(-rho * (1 - tilt)) * (1 - tilt) ** (rho - 1) / gamma(rho) / gammainc(rho, rho)
        return density * math.exp(tilt * total + (math.log(1 - tilt) + tilt) * time)

    value, slope = log_mixture(np.array(total), np.array(time), rho)
    assert value == pytest.approx(math.log(quad(integrand, 0, 1)[0]), abs=1e-6)
    ahead, behind = (log_mixture(np.array(total + step), np.array(time), rho)[0] for step in (1e-5, -1e-5))
    assert slope == pytest.approx((ahead - behind) / 2e-5, abs=1e-5)


def test_boundary_solves_the_mixture_at_any_time() -> None:
    time = np.array([0, 1e-9, 1, 1e3, 1e6, 1e8])
    found = boundary(time, 0.01, 7.0)
    assert np.all(np.diff(found[1:]) > 0)
    assert log_mixture(found, time, 7.0)[0] == pytest.approx(math.log(100), abs=1e-5)


def test_blocks_are_added_in_any_portions() -> None:
    rng = np.random.default_rng(1)
    bots, values = rng.integers(0, 3, 500), rng.random(500)
    whole, parts, plain = (ConfidenceSequence(4, 1000, guess=0.25) for _ in range(3))
    whole.add(bots, values)
    for first in range(0, 500, 37):
        parts.add(bots[first : first + 37], values[first : first + 37])
    for bot in range(3):
        mine = values[bots == bot]
        plain.add(bot, mine)
        means = [(0.25 + mine[:place].sum()) / (1 + place) for place in range(len(mine))]
        assert plain.squares[bot] == pytest.approx(((mine - means) ** 2).sum())
    for other in (parts, plain):
        assert other.squares == pytest.approx(whole.squares)
        assert np.array(other.interval()) == pytest.approx(np.array(whole.interval()))
    low, high = whole.interval()
    assert (low[3], high[3]) == (0, 1)
    assert np.all((low[:3] > 0.2) & (high[:3] < 0.8))


def test_the_error_is_shared_between_too_low_and_too_high() -> None:
    """Each end has half of it."""
    values = np.random.default_rng(6).random(400)
    sequence = ConfidenceSequence(1, 400, confidence=0.9)
    sequence.add(0, values)
    low, high = sequence.interval()
    half = boundary(sequence.squares, 0.05, best_rho(400 * TYPICAL_VARIANCE, 0.05))[0] / 400
    assert (low[0], high[0]) == pytest.approx((values.mean() - half, values.mean() + half))


def test_each_error_has_its_own_bound() -> None:
    """Wald's: a lost test that should be won costs beta, a won one that should be lost costs alpha."""
    assert Sprt(0, 0.1, alpha=0.1, beta=0.01).bounds == pytest.approx((math.log(0.01 / 0.9), math.log(0.99 / 0.1)))


def ever_left(runs: int, blocks: int, seed: int) -> tuple[float, float]:
    """The share of runs in which the sequence, and the plain interval, is ever left; a look every 20 blocks."""
    rng = np.random.default_rng(seed)
    values = rng.choice([0, 0.25, 0.5, 1], p=[0.6, 0.2, 0.1, 0.1], size=(runs, blocks))
    true = 0.2
    sequence = ConfidenceSequence(runs, blocks, guess=0.25)
    left, plain = np.zeros(runs, bool), np.zeros(runs, bool)
    for first in range(0, blocks, 20):
        part = values[:, first : first + 20]
        sequence.add(np.repeat(np.arange(runs), part.shape[1]), part.ravel())
        low, high = sequence.interval()
        left |= (low > true) | (high < true)
        seen = values[:, : first + 20]
        sums = seen.sum(axis=1), (seen**2).sum(axis=1)
        ends = np.array([share_interval(seen.shape[1], *pair) for pair in zip(*sums, strict=True)])
        plain |= (ends[:, 0] > true) | (ends[:, 1] < true)
    return float(left.mean()), float(plain.mean())


def test_the_sequence_may_be_looked_at_all_the_time() -> None:
    left, plain = ever_left(300, 1000, 2)
    assert left <= 0.04
    assert plain > 0.15


@pytest.mark.long
def test_the_sequence_holds_at_length() -> None:
    left, plain = ever_left(4000, 5000, 3)
    assert left <= 0.03
    assert plain > 0.25


def test_the_sequence_is_narrow_enough() -> None:
    """Around the blocks expected about twice as wide as an interval for one look."""
    values = np.random.default_rng(4).choice([0, 0.5, 1], p=[0.35, 0.3, 0.35], size=1000)
    sequence = ConfidenceSequence(1, 1000)
    sequence.add(0, values)
    low, high = sequence.interval()
    plain = share_interval(1000, values.sum(), (values**2).sum())
    assert 1.4 < (high[0] - low[0]) / (plain[1] - plain[0]) < 2


@pytest.mark.parametrize(
    ("drift", "time", "level"), [(0.5, 1.0, 0.7), (-1.0, 0.5, 0.7), (0.0, 3.0, 1.2), (3.0, 0.3, 1.0), (0.4, 1.0, 1.5)]
)
def test_passage_is_that_of_a_fine_walk(drift: float, time: float, level: float) -> None:
    """Of 10,000 walks between 0 and 1.5, their barriers moved inward by the mean overshoot."""
    rng = np.random.default_rng(5)
    step, start, width = 1 / 400, 0.4, 1.5
    place, left = np.full(10_000, start), np.zeros(10_000)
    reach = OVERSHOOT * math.sqrt(step)
    for _ in range(round(time / step)):
        inside = left == 0
        place[inside] += rng.normal(drift * step, math.sqrt(step), inside.sum())
        left[inside & (place >= width - reach)] = 1
        left[inside & (place <= reach)] = -1
    walked = ((left == 1) | ((left == 0) & (place >= level))).mean()
    assert passes_above(np.array([start]), width, drift, 1.0, time, level)[0] == pytest.approx(walked, abs=0.015)


def test_passage_late_is_passage_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    start = np.linspace(0, 1, 9)
    for drift in (-30.0, -1.0, 0.0, 1e-12, 2.0, 30.0):
        late = passes_above(start, 1.0, drift, 1.0, 4.001, 0.5)
        with monkeypatch.context() as patch:
            patch.setattr(brownian, "LATE", 5.0)
            assert passes_above(start, 1.0, drift, 1.0, 4.001, 0.5) == pytest.approx(late, abs=1e-7)
        assert np.all(np.diff(late) >= 0)
    assert passes_above(np.array([-1.0, 0, 1, 2]), 1.0, 0.0, 1.0, 0.1, 0.5).tolist() == [0, 0, 1, 1]


def test_passage_grows_with_drift_and_falls_with_level() -> None:
    for time in (0.001, 0.1, 1.0, 3.9):
        chances = [passes_above(np.array([0.5]), 1.0, drift, 1.0, time, 0.6)[0] for drift in np.linspace(-60, 60, 121)]
        assert np.all(np.diff(chances) >= -1e-9)
        assert 0 <= chances[0] <= chances[-1] <= 1
        levels = [passes_above(np.array([0.5]), 1.0, 0.3, 1.0, time, level)[0] for level in np.linspace(0, 1, 21)]
        assert np.all(np.diff(levels) <= 1e-9)


def test_the_test_stops_at_the_first_crossing_and_stays() -> None:
    rng = np.random.default_rng(6)
    values = rng.choice(PAIRED, size=3000, p=[0.05, 0.1, 0.55, 0.15, 0.15])
    test = Sprt(0, 0.05)
    whole = test.decide(values)
    assert whole.decision == "h1"
    llr = test.path(values)[0]
    assert whole.llr == llr[whole.blocks - 1] >= math.log(19)
    assert np.all(llr[test.least - 1 : whole.blocks - 1] < math.log(19))
    assert test.decide(values[: whole.blocks]) == whole
    assert test.decide(values[: whole.blocks - 1]).decision == ""
    assert whole.raw == pytest.approx(values[: whole.blocks].mean())
    assert whole.estimate is not None
    assert whole.estimate < whole.raw


def test_the_ratio_is_the_textbook_one_for_many_blocks() -> None:
    values = np.random.default_rng(7).permutation(np.repeat(PAIRED, 2000))
    llr, variance, moved = Sprt(0, 0.1).path(values)
    assert variance[-1] == pytest.approx(0.5, rel=1e-3)
    assert moved[-1] == pytest.approx(variance[-1], rel=1e-3)
    assert llr[-1] == pytest.approx(-10_000 * 0.1 * 0.05 / 0.5, rel=1e-3)


@pytest.mark.parametrize(
    "values",
    [
        np.zeros(5000), np.ones(5000), -np.ones(5000), np.array([1.0]), np.array([0.0, 0.0]), np.full(40, 0.5),
        np.tile([1.0, -1.0], 20_000), np.r_[np.ones(29), -np.ones(50)], np.r_[np.zeros(200), np.ones(5)],
        np.full(31, 0.05), np.full(100_000, 0.025),
    ],
)  # fmt: skip
@pytest.mark.parametrize("test", [Sprt(0, 0.05), Sprt(-0.02, 0, least=2), Sprt(0, 1e-3, 0.001, 0.3), Sprt(-1, 1)])
def test_extremes_give_numbers(values: np.ndarray, test: Sprt) -> None:
    found = test.decide(values)
    assert found.low is not None
    assert found.estimate is not None
    assert found.high is not None
    assert math.isfinite(found.llr)
    assert found.raw == pytest.approx(values[: found.blocks].mean())
    assert -1 <= found.low <= found.estimate <= found.high <= 1
    assert found.high > found.low
    assert found.blocks <= len(values)
    assert found.decision in ("", "h0", "h1")


def test_nothing_seen_nothing_said() -> None:
    found = Sprt(0, 0.05).decide(np.zeros(0))
    assert (found.decision, found.blocks, found.llr) == ("", 0, 0)
    assert (found.estimate, found.low, found.high, found.raw) == (None, None, None, None)


@pytest.mark.parametrize(
    "wrong", [(0.1, 0.1), (0.2, 0.1), (-2, 0), (0, 0.1, 0), (0, 0.1, 0.05, 0.6), (0, 0.1, 0.05, 0.05, 1)]
)
def test_wrong_tests_are_refused(wrong: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="a test needs"):
        Sprt(*wrong)  # type: ignore[arg-type]


def decisions(test: Sprt, values: np.ndarray) -> np.ndarray:
    """Of the rows: 1 for h1, -1 for h0, 0 while undecided."""
    llr = test.path(values)[0]
    low, high = test.bounds
    crossed = (llr <= low) | (llr >= high)
    crossed[:, : test.least - 1] = False
    end = np.take_along_axis(llr, crossed.argmax(axis=1)[:, None], axis=1)[:, 0]
    return np.where(crossed.any(axis=1), np.where(end >= high, 1, -1), 0)


LAWS = {
    "paired": (PAIRED, [0.08, 0.12, 0.6, 0.12, 0.08]),
    "mostly zero": (PAIRED, [0.002, 0.008, 0.98, 0.008, 0.002]),
    "rare great wins": (np.array([-0.125, 0, 1]), [0.2, 0.78, 0.02]),
    "rare great losses": (np.array([-1, 0, 0.125]), [0.02, 0.78, 0.2]),
    "eighths": (np.arange(-2, 9) / 8, [0.1, 0.3, 0.35, 0.1, 0.04, 0.03, 0.02, 0.02, 0.02, 0.01, 0.01]),
}


def tilted(law: str, mean: float) -> tuple[np.ndarray, np.ndarray]:
    """The values of a law and their chances, moved to a mean as an exponential family moves."""
    values, chances = np.array(LAWS[law][0]), np.array(LAWS[law][1])
    low, high = -60.0, 60.0
    for _ in range(80):
        middle = (low + high) / 2
        moved = chances * np.exp(middle * values)
        moved /= moved.sum()
        low, high = (middle, high) if moved @ values < mean else (low, middle)
    return values, moved


def errors(law: str, runs: int, seed: int, blocks: int) -> tuple[float, float]:
    """The shares of false decisions with the mean at m0 and at m1."""
    rng = np.random.default_rng(seed)
    test, shares = Sprt(0, 0.05), []
    for mean, false in ((test.m0, 1), (test.m1, -1)):
        values, chances = tilted(law, mean)
        found = np.concatenate(
            [decisions(test, rng.choice(values, p=chances, size=(100, blocks))) for _ in range(runs // 100)]
        )
        assert np.mean(found == 0) < 0.02
        shares.append(float(np.mean(found == false)))
    return shares[0], shares[1]


@pytest.mark.parametrize("law", LAWS)
def test_false_decisions_are_rare(law: str) -> None:
    """At most 5 % of them, but for the chance in 1,000 runs: two standard errors."""
    assert max(errors(law, 1000, 8, 2000)) <= 0.064


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS)
def test_false_decisions_are_rare_at_length(law: str) -> None:
    assert max(errors(law, 40_000, 9, 4000)) <= 0.0522


def corrected(runs: int, seed: int) -> list[tuple[float, float, float]]:
    """By mean: coverage, the share of estimates below the mean, and that of plain means."""
    rng = np.random.default_rng(seed)
    test, found = Sprt(0, 0.08), []
    for mean in (-0.04, 0.0, 0.08):
        values, chances = tilted("paired", mean)
        outcomes = [test.decide(rng.choice(values, p=chances, size=1500)) for _ in range(runs)]
        ends = np.array([(one.low, one.estimate, one.high, one.raw) for one in outcomes], float)
        covered = np.mean((ends[:, 0] <= mean) & (mean <= ends[:, 2]))
        found.append((float(covered), float(np.mean(ends[:, 1] < mean)), float(np.mean(ends[:, 3] < mean))))
    return found


def test_the_estimate_is_corrected_for_stopping() -> None:
    """Plain means lie below a mean at H0 in two thirds of the tests, and above one at H1."""
    results = corrected(150, 10)
    assert all(covered >= 0.92 for covered, _, _ in results)
    assert all(0.42 <= below <= 0.6 for _, below, _ in results)
    assert results[1][2] > 0.58
    assert results[2][2] < 0.42


@pytest.mark.long
def test_the_estimate_is_corrected_at_length() -> None:
    results = corrected(4000, 11)
    assert all(0.94 <= covered <= 0.975 for covered, _, _ in results)
    assert all(0.45 <= below <= 0.56 for _, below, _ in results)


def test_one_look_is_the_normal_interval() -> None:
    """Before the least number of blocks nothing could have stopped the test: no correction."""
    values = np.random.default_rng(12).choice(PAIRED, size=30)
    found = Sprt(0, 0.05).decide(values)
    variance = Sprt(0, 0.05).path(values)[1][-1]
    half = float(ndtri(0.975)) * math.sqrt(variance / 30)
    assert (found.low, found.estimate, found.high) == pytest.approx(
        (values.mean() - half, values.mean(), values.mean() + half)
    )
