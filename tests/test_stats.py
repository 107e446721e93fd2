"""Statistics against known numbers, plain recomputation and simulation."""

import numpy as np
import pandas as pd
import pytest

from arena.stats.blocks import Blocks, Games
from arena.stats.head_to_head import PSEUDO_BLOCKS, blocks_needed, contradictions, crosstable, pair_table
from arena.stats.intervals import pseudo_moments, share_interval, stratified_interval
from arena.stats.paired_change import change_table, independent_interval
from arena.stats.seat_effects import seat_errors
from arena.stats.summary import MEANS, Accumulator
from arena.stats.variance_components import components, seat_share
from arena.stats.win_shares import win_shares

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
    found = Accumulator(["a", "b", "absent"], 2, SOURCES)
    found.add(rows[:4])
    found.add(rows[4:])
    summary = found.summary()
    assert summary.components == []  # two deals are too few
    assert (summary.games, summary.deals, summary.stalls) == (4, 2, 0)
    assert list(summary.bots.index) == ["a", "b"]
    a = summary.bots.loc["a"]
    assert (a["games"], a["win_share"], a["mean_score"], a["mean_rank"], a["faults"]) == (4, 0.625, 18.75, 1.25, 0)
    assert a[["q25", "q50", "q75"]].tolist() == np.quantile([50, 20, 10, -5], [0.25, 0.5, 0.75]).tolist()
    assert a["sd_score"] == pytest.approx(np.std([50, 20, 10, -5]))
    values = np.array([1.0, 0.25])
    expected = stratified_interval(np.array([2]), values.sum(keepdims=True), (values**2).sum(keepdims=True))
    assert (a["low"], a["high"]) == pytest.approx(expected)
    assert a["margin"] == (10 - 10 + 0 - 95) / 4
    assert summary.bots.loc["b", "faults"] == 1
    assert summary.bot_seats.loc["a"].tolist() == [0.75, 0.5]
    assert summary.seats["win_share"].tolist() == [0.625, 0.375]
    assert summary.crosstable.loc["a", "b"] == 0.625
    assert summary.pairs.loc[0, ["bot", "other", "games", "ahead"]].tolist() == ["a", "b", 4, 0.625]
    assert summary.details.loc["a", "turns"] == 1.5
    assert list(summary.scores.columns) == list(range(-10, 100, 10))
    assert summary.scores.loc["a"].tolist() == [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0]


def games_of(bots: list[list[int]], scores: list[list[int]], size: int) -> Games:
    """Games with the bots and scores by seat, `size` a deal; ranks follow from the scores."""
    points = np.array(scores)
    ranks = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
    deals = np.arange(len(bots)) // size
    return Games(np.array(bots, np.int16), ranks.astype(np.int8), points.astype(np.int16), deals.astype(np.int32))


def simulated(strengths: list[float], seats: float, deals: int, rng: np.random.Generator) -> Games:
    """Games of two in both seatings: score = strength + seat + noise with standard deviation 10."""
    bots = np.tile([[0, 1], [1, 0]], (deals, 1))
    scores = np.array(strengths)[bots] + np.array([seats, 0]) + rng.normal(0, 10, bots.shape)
    return games_of(bots.tolist(), np.round(scores).astype(int).tolist(), 2)


def test_blocks_by_hand() -> None:
    """Two deals of three bots at two seats, in both seatings; members stand in the order of their numbers."""
    games = games_of([[2, 0], [0, 2], [1, 2], [2, 1]], [[5, 3], [4, 4], [0, 9], [7, 8]], 2)
    blocks = Blocks.of_games(games)
    assert blocks.members.tolist() == [[0, 2], [1, 2]]
    assert blocks.shares.tolist() == [[0.25, 0.75], [0.5, 0.5]]
    assert blocks.scores.tolist() == [[3.5, 4.5], [4.0, 8.0]]
    assert blocks.ahead[0].tolist() == [[0.5, 0.25], [0.75, 0.5]]
    assert blocks.lineups[0] != blocks.lineups[1]


@pytest.mark.parametrize("deals", [[0, 0, 1], [0, 0, 0, 1], [0, 1, 1, 2]])
def test_games_must_come_in_whole_blocks(deals: list[int]) -> None:
    games = games_of([[0, 1]] * len(deals), [[1, 2]] * len(deals), 1)
    with pytest.raises(ValueError, match="whole blocks"):
        Blocks.of_games(games._replace(deals=np.array(deals, np.int32)))


def test_pairs_are_counted_in_blocks() -> None:
    games = games_of([[0, 1], [1, 0], [0, 1], [1, 0]], [[9, 1], [2, 8], [3, 7], [6, 4]], 2)
    row = pair_table(Blocks.of_games(games), ["a", "b"]).iloc[0]
    assert (row["games"], row["ahead"]) == (4, 0.5)
    assert (row["low"], row["high"]) == pytest.approx(interval_of(np.array([1.0, 0.0])))
    assert np.isnan(row["games_needed"])  # nobody is sure to lead
    assert np.isnan(crosstable(Blocks.of_games(games), ["a", "b", "absent"]).loc["a", "absent"])


def test_blocks_needed_is_what_it_takes() -> None:
    """Of simulated runs of so many blocks the better bot leads in 95 %."""
    needed = blocks_needed(0.1, 0.4)
    assert needed == 44
    means = np.random.default_rng(5).normal(0.1, 0.4, (20_000, needed)).mean(axis=1)
    assert (means > 0).mean() == pytest.approx(0.95, abs=0.006)
    assert blocks_needed(0.5, 0.0) == 1


@pytest.mark.parametrize("share", [0.75, 0.89, 0.97])
@pytest.mark.parametrize("spread", [0.1, 0.5])
def test_games_needed_do_lead(share: float, spread: float) -> None:
    """Deals of two games of one chance, beta distributed: after so many deals 92 % lead, after half of them less."""
    rng = np.random.default_rng(21)
    size = 1 / spread - 1

    def blocks(*shape: int) -> np.ndarray:
        return rng.binomial(2, rng.beta(share * size, (1 - share) * size, shape)) / 2

    many = blocks(100_000)
    needed = blocks_needed(share - 0.5, float(many.std()), 0.5)
    assert (blocks(50_000, needed).mean(axis=1) > 0.5).mean() >= 0.92
    assert needed <= 2 or (blocks(50_000, needed // 2).mean(axis=1) > 0.5).mean() < 0.95


def test_one_deal_does_not_say_that_one_deal_is_enough() -> None:
    assert blocks_needed(0.5, np.sqrt(pseudo_moments(1, 1.0, 1.0, PSEUDO_BLOCKS)[1]), 0.5) > 1
    assert pseudo_moments(10_000, 8000.0, 8000.0, PSEUDO_BLOCKS)[1] == pytest.approx(0.16, abs=1e-3)


def test_a_circle_is_flagged_and_a_ladder_is_not() -> None:
    """Rock, paper, scissors: each wins three quarters against the next; then ranks that are right."""
    rng = np.random.default_rng(6)
    pairs = [(0, 1), (1, 2), (2, 0)]
    for strength, expected in ((0.75, 1), (0.5, 0)):
        bots, scores = [], []
        for one, other in pairs * 200:
            won = rng.random() < strength
            for seating in ([one, other], [other, one]):
                bots.append(seating)
                scores.append([1, 0] if (seating[0] == one) == won else [0, 1])
        found = contradictions(Blocks.of_games(games_of(bots, scores, 2)), ["r", "p", "s"], np.array([2.0, 1.0, 0.0]))
        assert len(found) == expected
        if found:
            assert found[0][:2] == ("r", "s")
            assert found[0][2] < 0.35


def test_components_find_what_was_put_in() -> None:
    """Strengths 0 and 10 and a seat worth 6: variances 25, 9 and 100."""
    rng = np.random.default_rng(7)
    held, means = 0, np.zeros(3)
    for _ in range(60):
        games = simulated([0, 10], 6, 100, rng)
        found = components(games, Blocks.of_games(games), 2)
        assert [part.source for part in found] == ["skill", "seat", "luck"]
        truth = np.array([25, 9, 100 + 1 / 12]) / (134 + 1 / 12)
        held += sum(part.low <= true <= part.high for part, true in zip(found, truth, strict=True))
        means += [part.share / 60 for part in found]
    assert means == pytest.approx(truth, abs=0.012)
    assert held >= 0.88 * 180


@pytest.mark.parametrize("deals", [50, 300, 2000])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_seat_share_is_held(seats: int, deals: int) -> None:
    """Deals in rotation, each with its own hands; a jackknife of these squares holds 78 to 83 % at two seats.

    Seat effects from far below the error of a mean to far above. None at all is held more often: nothing lies below 0.
    """
    rng = np.random.default_rng(seats + deals)
    runs = 600 if deals < 2000 else 150
    held = []
    for effect in (0.0, 1.0, 2.0, 8.0):
        worth = np.linspace(-effect, effect, seats)
        truth = worth.var() / (worth.var() + 12**2 + 20**2 + 1 / 12)
        for _ in range(runs // 4):
            hands = rng.normal(0, 12, (deals, 1, seats))
            scores = np.round(60 + worth + hands + rng.normal(0, 20, (deals, seats, seats)))
            share, low, high = seat_share(scores.reshape(-1, seats), seats)
            assert 0 <= low <= high
            assert share >= 0
            held.append(low <= truth <= high)
    assert 0.93 - 0.01 * (deals == 2000) <= np.mean(held) <= 0.985


def test_seats_that_never_differ() -> None:
    assert seat_share(np.array([[30, 40], [30, 40], [30, 40], [30, 40]]), 2) == (1.0, 1.0, 1.0)


def test_components_count_games_not_bots() -> None:
    """A gauntlet: a bot of 20 points plays all games, three of 0 points a third each; skill has the variance 100."""
    rng = np.random.default_rng(22)
    bots = np.array([[0, 1 + deal // 2 % 3][:: 1 if deal % 2 else -1] for deal in range(3000)])
    scores = np.where(bots == 0, 20, 0) + rng.normal(0, 10, bots.shape)
    games = games_of(bots.tolist(), np.round(scores).astype(int).tolist(), 2)
    skill, seat, luck = components(games, Blocks.of_games(games), 4)
    assert skill.share == pytest.approx(0.5, abs=0.02)
    assert luck.low <= 0.5 <= luck.high
    assert round(1000 * (skill.share + seat.share + luck.share)) == 1000


def test_shares_add_up_as_printed() -> None:
    for number in range(30):
        games = simulated([0, number / 10], 0, 25, np.random.default_rng(number))
        shares = [f"{part.share:.1%}" for part in components(games, Blocks.of_games(games), 2)]
        assert sum(float(share[:-1]) for share in shares) == pytest.approx(100)


def test_components_of_equal_bots_are_luck() -> None:
    games = simulated([0, 0], 0, 300, np.random.default_rng(8))
    skill, seat, luck = components(games, Blocks.of_games(games), 2)
    assert (skill.low, seat.low) == (0, 0)
    assert luck.share > 0.98


def test_change_over_shared_deals_is_paired() -> None:
    """The same deals, the same luck: the interval is that of the differences; other deals: that of two means."""
    rng = np.random.default_rng(9)
    luck = rng.normal(0, 30, 200)
    runs = []
    for strength in (0, 8):
        scores = np.stack([luck + strength, np.zeros(200)], axis=1) + rng.normal(0, 5, (200, 2))
        runs.append(Blocks.of_games(games_of([[0, 1]] * 200, np.round(scores).astype(int).tolist(), 1)))
    bots = {"a": (0, 0), "b": (1, 1)}
    paired = change_table(*runs, bots, same_deals=True).iloc[0]
    apart = change_table(*runs, bots, same_deals=False).iloc[0]
    assert (paired["paired"], apart["paired"], paired["deals"]) == (True, False, 200)
    assert paired["difference"] == pytest.approx(apart["difference"])
    assert paired["high"] - paired["low"] < 0.7 * (apart["high"] - apart["low"])
    assert paired["score_difference"] == pytest.approx(8, abs=1.5)
    same = change_table(runs[0], runs[0], bots, same_deals=True).iloc[0]
    assert same["low"] < 0 == same["difference"] < same["high"] < 0.02


def blocks_of(lineups: list[list[int]], first_wins: list[bool]) -> Blocks:
    """Blocks of one game, one a deal."""
    return Blocks.of_games(games_of(lineups, [[won, not won] for won in first_wins], 1))


def test_other_opponents_are_never_paired() -> None:
    """Bot 0 wins against 1 and loses to 2; that it meets 2 more often is no change deal by deal."""
    before = blocks_of([[0, 1]] * 40, [True] * 40)
    after = blocks_of([[0, 1], [0, 2]] * 20, [True, False] * 20)
    row = change_table(before, after, {"a": (0, 0), "b": (1, 1)}, same_deals=True).iloc[0]
    assert (row["paired"], row["before"], row["after"]) == (False, 1, 0.5)
    replaced = change_table(before, blocks_of([[0, 2]] * 30, [True] * 30), {"a": (0, 0), "b -> c": (1, 2)}, True)
    assert replaced["paired"].tolist() == [True, True]
    assert replaced["deals"].tolist() == [30, 30]
    turned = change_table(after, blocks_of([[0, 2], [0, 1]] * 20, [False, True] * 20), {"a": (0, 0), "b": (1, 1)}, True)
    assert not turned["paired"].any()


@pytest.mark.parametrize("same_deals", [True, False])
@pytest.mark.parametrize("deals", [1, 2, 50])
def test_a_change_is_never_without_doubt(same_deals: bool, deals: int) -> None:
    """All deals alike: an interval, and one with a length."""
    lost, won = (blocks_of([[0, 1]] * deals, [wins] * deals) for wins in (False, True))
    for after, difference in ((lost, 0), (won, 1)):
        row = change_table(lost, after, {"a": (0, 0), "b": (1, 1)}, same_deals).iloc[0]
        assert row["difference"] == difference
        assert -1 <= row["low"] <= difference <= row["high"] <= 1
        assert row["high"] - row["low"] > 0.01


def test_interval_of_two_runs_covers() -> None:
    rng = np.random.default_rng(20)
    for first, second in ((100, 100), (100, 300)):
        runs = [(rng.binomial(2, rng.beta(3 * p, 3 - 3 * p, (2000, blocks))) / 2)
                for p, blocks in ((0.1, first), (0.2, second))]  # fmt: skip
        intervals = [independent_interval(*pair) for pair in zip(*runs, strict=True)]
        assert 0.94 <= np.mean([low <= 0.1 <= high for low, high in intervals]) <= 0.98


def test_independent_means_by_hand() -> None:
    """Agresti and Caffo: 7 wins of 10 against 2 of 10, each with z² / 2 more games, of which half are won."""
    first, second = np.array([1.0] * 2 + [0.0] * 8), np.array([1.0] * 7 + [0.0] * 3)
    more = 1.959964**2 / 2
    one, other = (2 + more / 2) / (10 + more), (7 + more / 2) / (10 + more)
    half = 1.959964 * np.sqrt((one * (1 - one) + other * (1 - other)) / (10 + more))
    assert independent_interval(first, second) == pytest.approx((other - one - half, other - one + half), abs=1e-5)


def test_seat_errors_are_those_of_seat_shares() -> None:
    """Cards of a deal decide for a seat, so that a bot wins in one seat and loses in the other: against 300 runs."""
    rng = np.random.default_rng(23)
    deviations, errors = [], []
    for _ in range(300):
        cards = np.repeat(rng.normal(0, 10, (100, 2)), 2, axis=0)
        bots = np.tile([[0, 1], [1, 0]], (100, 1))
        scores = 10 * (cards + rng.normal(0, 5, bots.shape) + np.where(bots == 0, 3, 0))
        games = games_of(bots.tolist(), np.round(scores).astype(int).tolist(), 2)
        won = win_shares(games.ranks)
        shares = [won[bots[:, seat] == 0, seat].mean() for seat in (0, 1)]
        deviations.append(shares[0] - np.mean(shares))
        errors.append(seat_errors(games, Blocks.of_games(games), 3))
    assert np.mean(errors, axis=0)[0] == pytest.approx([np.std(deviations)] * 2, rel=0.1)
    assert np.std(deviations) > 1.2 * np.sqrt(0.25 / 100 / 2)  # games taken as independent
    assert np.isnan(errors[0][2]).all()
