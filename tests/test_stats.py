"""Statistics against known numbers, plain recomputation and simulation."""

import numpy as np
import pandas as pd
import pytest

from arena.stats.intervals import mean_interval, share_interval, stratified_interval
from arena.stats.summary import MEANS, Tally, _quantile

SOURCES = ("routes", "tickets")


def interval_of(blocks: np.ndarray) -> tuple[float, float]:
    return share_interval(len(blocks), blocks.sum(), (blocks**2).sum())


def test_interval_is_agresti_coull_for_single_games() -> None:
    """Blocks of one game: 7 wins in 20 give the textbook interval 0.180 to 0.568 (Agresti and Coull)."""
    low, high = interval_of(np.array([1.0] * 7 + [0.0] * 13))
    assert (round(low, 3), round(high, 3)) == (0.18, 0.568)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_interval_never_degenerates(value: float) -> None:
    """Blocks that are all alike, even a single one, leave doubt."""
    for count in (1, 2, 50):
        low, high = interval_of(np.full(count, value))
        assert 0 <= low <= value <= high <= 1
        assert high - low > 0.01


@pytest.mark.parametrize("spread", [0.02, 0.2, 0.45])
@pytest.mark.parametrize("share", [0.03, 0.25, 0.5])
def test_interval_covers(share: float, spread: float) -> None:
    """Of 2,000 simulated runs of 200 blocks, 94 to 99.5 % hold the true share."""
    rng = np.random.default_rng(1)
    size = share * (1 - share) / (spread * min(share, 1 - share)) - 1
    covered = 0
    for _ in range(2000):
        blocks = rng.binomial(2, rng.beta(share * size, (1 - share) * size, 200)) / 2
        low, high = interval_of(blocks)
        covered += low <= share <= high
    assert 0.94 <= covered / 2000 <= 0.995


def sums_of(strata: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    counts, totals, squares = (
        [f(blocks) for blocks in strata] for f in (len, np.sum, lambda blocks: (blocks**2).sum())
    )
    return np.array(counts), np.array(totals), np.array(squares)


def test_no_blocks_leave_everything_open() -> None:
    assert share_interval(0, 0, 0) == pytest.approx((0, 1))
    assert stratified_interval(*sums_of([])) == pytest.approx((0, 1))
    assert stratified_interval(*sums_of([np.zeros(0), np.zeros(0)])) == pytest.approx((0, 1))


def test_one_line_up_is_one_stratum() -> None:
    """But for n / (n - 1)."""
    blocks = np.random.default_rng(3).random(500)
    one = stratified_interval(*sums_of([blocks]))
    assert one == pytest.approx(interval_of(blocks), abs=1e-4)
    assert one[1] - one[0] > interval_of(blocks)[1] - interval_of(blocks)[0]
    with_empty = stratified_interval(*sums_of([np.zeros(0), blocks]))
    assert with_empty == one


def test_stratified_by_hand() -> None:
    """Two line-ups of two blocks, and z = 2 up to rounding: 0.9545 is its confidence."""
    low, high = stratified_interval(*sums_of([np.array([0.2, 0.4]), np.array([0.6, 1.0])]), 0.9544997361036416)
    center = (2.2 + 2) / 8
    spread = (0.02 + 0.08) * 4 / 2 + 4 * (0.55 - center) ** 2 + 2 * (center**2 + (1 - center) ** 2)
    half = 2 * np.sqrt(spread / 8 / 8)
    assert (low, high) == pytest.approx((center - half, center + half))


def test_few_blocks_a_line_up_are_not_stratified() -> None:
    strata = [np.array([0.1]), np.array([0.9]), np.array([0.5, 0.6])]
    assert stratified_interval(*sums_of(strata)) == pytest.approx(interval_of(np.concatenate(strata)))


@pytest.mark.parametrize("shares", [[0.02, 0.04], [0.1, 0.5, 0.9], [0.2] * 40 + [0.9] * 10])
def test_stratified_covers_and_is_shorter(shares: list[float]) -> None:
    """200 blocks of two games, divided among line-ups that differ: the plain interval holds far too often."""
    rng = np.random.default_rng(4)
    blocks = rng.binomial(2, np.array(shares)[:, None], (2000, len(shares), 200 // len(shares))) / 2
    covered = longer = 0.0
    for run in blocks:
        low, high = stratified_interval(*sums_of(list(run)))
        covered += low <= np.mean(shares) <= high
        plain = interval_of(run.ravel())
        longer += (plain[1] - plain[0]) / (high - low)
    assert 0.94 <= covered / 2000 <= 0.98
    assert longer / 2000 > (1.1 if np.std(shares) > 0.1 else 0.98)


def test_mean_interval_is_students() -> None:
    """His example of 1908 as textbooks have it: ten differences of hours of sleep, 0.70 to 2.46."""
    sleep = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    low, high = mean_interval(10, sleep.sum(), (sleep**2).sum()) or (0, 0)
    assert (round(low, 2), round(high, 2)) == (0.70, 2.46)
    assert mean_interval(1, 3, 9) is None
    assert mean_interval(0, 0, 0) is None
    assert mean_interval(3, 0.3, 0.03) == pytest.approx((0.1, 0.1), abs=1e-6)


def rows_of(games: list[list[tuple[str, int, float, int, str]]]) -> pd.DataFrame:
    """Seat rows of games of two, each seat as (bot, score, win share, rank, fault); two games a deal."""
    rows = [
        {"game": game, "deal": game // 2, "seat": seat, "bot": bot, "score": score, "win_share": share, "rank": rank,
         "fault": fault, "end": "trains", "routes": score - 1, "tickets": 1, **dict.fromkeys(MEANS, game)}
        for game, seats in enumerate(games) for seat, (bot, score, share, rank, fault) in enumerate(seats)
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    frame["bot"] = frame["bot"].astype("category")
    return frame


def test_summary_by_hand() -> None:
    """Four games on two deals, counted by hand."""
    rows = rows_of([
        [("a", 50, 1.0, 1, "none"), ("b", 40, 0.0, 2, "none")],
        [("b", 30, 0.0, 2, "illegal"), ("a", 20, 1.0, 1, "none")],
        [("a", 10, 0.5, 1, "none"), ("b", 10, 0.5, 1, "none")],
        [("b", 90, 1.0, 1, "none"), ("a", -5, 0.0, 2, "none")],
    ])  # fmt: skip
    tally = Tally(["a", "b", "absent"], 2, SOURCES)
    tally.add(rows[:4])
    tally.add(rows[4:])
    summary = tally.summary()
    assert (summary.games, summary.deals, summary.stalls) == (4, 2, 0)
    assert list(summary.bots.index) == ["a", "b"]
    a = summary.bots.loc["a"]
    assert (a["games"], a["win_share"], a["mean_score"], a["mean_rank"], a["faults"]) == (4, 0.625, 18.75, 1.25, 0)
    assert a[["q25", "q50", "q75"]].tolist() == np.quantile([50, 20, 10, -5], [0.25, 0.5, 0.75]).tolist()
    assert a["sd_score"] == pytest.approx(np.std([50, 20, 10, -5]))
    assert (a["low"], a["high"]) == interval_of(np.array([1.0, 0.25]))
    assert summary.bots.loc["b", "faults"] == 1
    assert summary.seats.loc["a"].tolist() == [0.75, 0.5]
    assert summary.details.loc["a", "turns"] == 1.5
    assert list(summary.scores.columns) == list(range(-10, 100, 10))
    assert summary.scores.loc["a"].tolist() == [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0]


def test_quantile_of_counts_is_numpys() -> None:
    rng = np.random.default_rng(2)
    for size in (1, 2, 7, 100):
        values = rng.integers(0, 30, size)
        for share in (0.0, 0.25, 0.5, 0.9, 1.0):
            assert _quantile(np.bincount(values, minlength=30), share) == pytest.approx(np.quantile(values, share))
