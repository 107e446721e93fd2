"""Ratings against a plain likelihood, an independent library and simulated pools."""

import math
import time
from functools import cache
from itertools import permutations

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from arena.stats.plackett_luce import aggregate, derivatives, log_likelihood, masks, scores, stage_weights
from arena.stats.ratings import ELO, LEAST_BLOCKS, RIDGE, SEAT_ELO, Ratings, fit, precision

Pool = tuple[np.ndarray, np.ndarray, np.ndarray]


def simulate(
    rng: np.random.Generator, blocks: int, strength: np.ndarray, seat: np.ndarray, spread: float = 0.0
) -> Pool:
    """Blocks of random line-ups in all rotations; `spread` is the deviation of a bot's luck common to a block."""
    seats = len(seat)
    line_up = rng.random((blocks, len(strength))).argsort(axis=1)[:, :seats]
    luck = rng.normal(0, spread, (blocks, seats))
    turn = (np.arange(seats) + np.arange(seats)[:, None]) % seats
    bots = line_up[:, turn].reshape(-1, seats)
    utility = strength[bots] + luck[:, turn].reshape(-1, seats) + seat + rng.gumbel(size=bots.shape)
    ranks = (-utility).argsort(axis=1).argsort(axis=1) + 1
    return bots, ranks.astype(np.int8), np.repeat(np.arange(blocks), seats)


def with_ties(rng: np.random.Generator, pool: Pool) -> Pool:
    """The same pool with some ranks shared, as in a competition: 1, 2, 2, 4."""
    bots, ranks, block = pool
    points = np.where(rng.random(ranks.shape) < 0.3, ranks, ranks - 1)
    return bots, (1 + (points[:, None, :] < points[:, :, None]).sum(axis=2)).astype(np.int8), block


def naive_value(strength: np.ndarray, entrants: int, pool: Pool) -> float:
    """The log likelihood from the definition: every order of those who share a place, each as likely."""
    bots, ranks, _ = pool
    total = 0.0
    for game, places in zip(bots, ranks, strict=True):
        logs = strength[game] + strength[entrants:]
        orders = orders_of(tuple(places.tolist()))
        for order in orders:
            for place in range(len(order)):
                total += (logs[order[place]] - np.logaddexp.reduce(logs[order[place:]])) / len(orders)
    return total


@cache
def orders_of(places: tuple[int, ...]) -> list[list[int]]:
    """Every order of the seats in which nobody comes before a better one."""
    return [list(order) for order in permutations(range(len(places))) if all(np.diff([places[i] for i in order]) >= 0)]


@pytest.mark.parametrize(
    "ranks", [(1, 2, 3, 4), (1, 1, 3, 4), (1, 2, 2, 2), (1, 1, 1, 1), (2, 1, 2), (1, 1), (3, 1, 0, 2)]
)
def test_stage_weights_are_the_mean_over_orders(ranks: tuple[int, ...]) -> None:
    counted = [seat for seat in range(len(ranks)) if ranks[seat]]
    orders = [order for order in permutations(counted) if all(np.diff([ranks[seat] for seat in order]) >= 0)]
    wanted = dict.fromkeys(masks(len(ranks)), 0.0)
    chosen = [0.0] * len(ranks)
    for order in orders:
        for place in range(len(order) - 1):
            wanted[tuple(sorted(order[place:]))] += 1 / len(orders)
            chosen[order[place]] += 1 / len(orders)
    assert stage_weights(ranks) == pytest.approx([*wanted.values(), *chosen])


def difference(ratings: Ratings, one: int, other: int) -> tuple[float, float]:
    """How much higher one is rated than the other, and the standard error of that."""
    cover = ratings.covariance
    error = math.sqrt(cover[one, one] + cover[other, other] - 2 * cover[one, other])
    return float(ratings.rating[one] - ratings.rating[other]), error


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_likelihood_and_derivatives_are_the_plain_ones(seats: int) -> None:
    rng = np.random.default_rng(seats)
    pool = with_ties(rng, simulate(rng, 12, rng.normal(0, 1, 5), rng.normal(0, 0.3, seats)))
    choices = aggregate(pool[0], pool[1], 5)
    strength = rng.normal(0, 1, 5 + seats)
    assert log_likelihood(choices, strength) == pytest.approx(naive_value(strength, 5, pool))
    gradient, information = derivatives(choices, strength)
    for one in range(5 + seats):
        step = np.zeros(5 + seats)
        step[one] = 1e-5
        ahead, behind = strength + step, strength - step
        slope = (log_likelihood(choices, ahead) - log_likelihood(choices, behind)) / 2e-5
        assert gradient[one] == pytest.approx(slope, abs=1e-5)
        bend = (derivatives(choices, behind)[0] - derivatives(choices, ahead)[0]) / 2e-5
        assert information[one] == pytest.approx(bend, abs=1e-5)
    added = scores(strength, 5, pool[0], pool[1])
    assert np.bincount(pool[0].ravel(), added.ravel(), minlength=5) == pytest.approx(gradient[:5])
    assert added.sum(axis=0) == pytest.approx(gradient[5:])


def test_fit_maximizes_the_plain_likelihood() -> None:
    rng = np.random.default_rng(7)
    pool = with_ties(rng, simulate(rng, 9, np.array([0.0, 0.5, 1.0, -0.5]), np.array([0.3, 0.0, -0.3])))
    best = minimize(lambda x: precision(4, 3) @ x**2 / 2 - naive_value(x, 4, pool), np.zeros(7), tol=1e-10).x
    found = fit(*pool, 4, 2)
    assert found.rating == pytest.approx(ELO * (best[:4] - best[2]), abs=0.05)
    assert found.seat == pytest.approx(ELO * best[4:], abs=0.05)
    assert found.seat.sum() == pytest.approx(0, abs=1e-6)


def test_fit_is_that_of_choix() -> None:
    """Its rankings know no seats; each game counted in every rotation of the seats has no seat effect."""
    rng = np.random.default_rng(8)
    bots, ranks, _ = simulate(rng, 40, rng.normal(0, 1, 6), np.zeros(4))
    turned = np.concatenate([np.roll(bots, turn, axis=1) for turn in range(4)])
    places = np.concatenate([np.roll(ranks, turn, axis=1) for turn in range(4)])
    found = fit(turned, places, np.tile(np.arange(len(bots)), 4), 6, 0)
    orders = [tuple(game[np.argsort(rank)].tolist()) for game, rank in zip(turned, places, strict=True)]
    theirs = choix.opt_rankings(6, orders, alpha=RIDGE / 2)
    assert found.rating == pytest.approx(ELO * (theirs - theirs[0]), abs=0.05)
    assert found.seat == pytest.approx([0] * 4, abs=1e-6)


def test_sandwich_is_the_plain_one() -> None:
    """Scores added up block by block in plain Python, also over the borders of chunks."""
    rng = np.random.default_rng(9)
    pool = simulate(rng, 60, np.array([0.0, 0.4, -0.4]), np.zeros(2), 1.0)
    found = fit(*pool, 3, 1)
    strength = np.array([*found.rating, *found.seat], float) / ELO
    strength[:3] -= strength[:3].mean()
    added = scores(strength, 3, pool[0], pool[1])
    products = np.zeros((5, 5))
    for block in range(60):
        score = np.zeros(5)
        for game in np.flatnonzero(pool[2] == block):
            for seat in range(2):
                score[pool[0][game, seat]] += added[game, seat]
                score[3 + seat] += added[game, seat]
        products += np.outer(score, score)
    seat = (ELO / SEAT_ELO) ** 2
    prior = np.diag([RIDGE] * 3 + [seat] * 2)
    inverse = np.linalg.inv(derivatives(aggregate(*pool[:2], 3), strength)[1] + prior)
    prior[:3, :3] -= RIDGE / 3
    prior[3:, 3:] -= seat / 2
    cover = ELO**2 * inverse @ (60 / 59 * products + prior) @ inverse
    for one, other in ((0, 1), (0, 2), (2, 1)):
        variance = cover[one, one] + cover[other, other] - 2 * cover[one, other]
        assert difference(found, one, other)[1] == pytest.approx(math.sqrt(variance), rel=1e-5)
    assert found.seat_error == pytest.approx(np.sqrt(np.diag(cover)[3:]), rel=1e-5)
    assert found.error[1] == 0


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(10)
    pool = with_ties(rng, simulate(rng, 300, rng.normal(0, 1, 5), np.zeros(3), 0.5))
    whole = fit(*pool, 5, 0)
    monkeypatch.setattr("arena.stats.plackett_luce.CHUNK", 100)
    monkeypatch.setattr("arena.stats.plackett_luce.FULL_TABLE", 10)
    monkeypatch.setattr("arena.stats.ratings.CHUNK", 100)
    parts = fit(*pool, 5, 0)
    assert parts.rating == pytest.approx(whole.rating)
    assert parts.error == pytest.approx(whole.error)


def test_the_anchor_changes_no_difference() -> None:
    rng = np.random.default_rng(11)
    pool = simulate(rng, 100, rng.normal(0, 1, 4), np.zeros(3), 0.5)
    one, other = fit(*pool, 4, 0), fit(*pool, 4, 3)
    assert difference(one, 1, 2) == pytest.approx(difference(other, 1, 2))
    assert one.superiority[1, 2] == pytest.approx(other.superiority[1, 2])
    assert other.rating[3] == 0


APART = "never met the anchor, not even through others"


def coverage(runs: int, blocks: int, seats: int, seed: int) -> tuple[float, float]:
    """The share of 95 % intervals that hold the true difference, and the mean bias in standard errors."""
    rng = np.random.default_rng(seed)
    true, held, bias = np.array([0.0, 0.3, -0.3, 0.8]), [], []
    for _ in range(runs):
        # The common luck of a block pulls the ratings of all toward each other; a mean-zero truth has no bias.
        equal = fit(*simulate(rng, blocks, 0 * true, np.linspace(0.2, -0.2, seats), 1.0), 4, 0)
        for bot in (1, 2, 3):
            rating, error = equal.rating[bot], equal.error[bot]
            held.append(abs(rating) < 1.96 * error)
            bias.append(rating / error)
    return float(np.mean(held)), float(np.mean(bias))


def test_errors_hold_for_correlated_games() -> None:
    """Games of a block share their luck: errors from single games would hold in about 80 % of the pools."""
    held, bias = coverage(200, 60, 4, 12)
    assert 0.92 <= held <= 0.97
    assert abs(bias) < 0.15


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_errors_hold_at_length(seats: int) -> None:
    held, bias = coverage(3000, 200, seats, 13)
    assert 0.94 <= held <= 0.96
    assert abs(bias) < 0.05


def test_superiority_by_hand() -> None:
    cover = np.array([[0.0, 0, 0], [0, 100.0, 50], [0, 50, 400]])
    cover[2], cover[:, 2] = np.nan, np.nan
    ratings = Ratings(np.array([0, 10, np.nan]), cover, np.zeros(0), np.zeros(0), {2: "played no game"}, "", ((0, 1),))
    table = ratings.superiority
    assert table[1][0] == pytest.approx(0.8413, abs=1e-4)
    assert table[0][1] == pytest.approx(0.1587, abs=1e-4)
    assert np.isnan(table[0, 0])
    assert np.isnan(table[2]).all()


def games(*orders: str, copies: int = 20) -> Pool:
    """Games from the names of the bots, best first: "ab" is a game of bots 0 and 1 that 0 won; in both seatings."""
    bots, ranks = [], []
    for order in orders:
        numbers = [ord(letter) - ord("a") for letter in order]
        for turn in range(len(order)):
            bots.append(numbers[turn:] + numbers[:turn])
            places = list(range(1, len(order) + 1))
            ranks.append(places[turn:] + places[:turn])
    size = len(orders[0])
    blocks = np.repeat(np.arange(copies * len(orders)), size)
    return np.tile(np.array(bots), (copies, 1)), np.tile(np.array(ranks, np.int8), (copies, 1)), blocks


@pytest.mark.parametrize(
    ("orders", "reasons"),
    [
        (["ab", "ba", "ac"], {2: "never finished ahead of a rated bot"}),
        (["ab", "ba", "ca"], {2: "never finished behind a rated bot"}),
        (["ab", "ba", "ac", "cd", "dc"], dict.fromkeys((2, 3), "never finished ahead of a rated bot")),
        (["ab", "ba", "cd", "dc"], dict.fromkeys((2, 3), APART)),
        (["ab", "ba", "ca", "cd"], {
            2: "never finished behind a rated bot",
            3: "met rated bots only through bots that have no rating themselves",
        }),
        (["ab", "ba", "ad"], {2: "played no game", 3: "never finished ahead of a rated bot"}),
    ],
)  # fmt: skip
def test_who_cannot_be_rated_is_told_why(orders: list[str], reasons: dict[int, str]) -> None:
    entrants = max(ord(letter) - ord("a") for order in orders for letter in order) + 1
    ratings = fit(*games(*orders), entrants, 0)
    assert ratings.unrated == reasons
    assert np.flatnonzero(np.isnan(ratings.rating)).tolist() == sorted(reasons)
    assert ratings.rating[1] == pytest.approx(0, abs=1e-6)
    assert not np.isnan(ratings.error[1])
    assert np.isnan(ratings.superiority[list(reasons), 1]).all()
    assert ratings.components[0][:2] == (0, 1)
    assert len(ratings.components) == (2 if APART in reasons.values() else 1)


def test_who_is_not_rated_does_not_count() -> None:
    """The order of the others remains, and is what it would be without him."""
    whole = fit(*games("abc", "bac", "abc", "bac", "abc"), 3, 0)
    assert whole.unrated == {2: "never finished ahead of a rated bot"}
    assert whole.rating[1] < 0


def test_ties_connect() -> None:
    """Bots who only ever share places are equal; a fault puts both of them last."""
    bots, ranks, block = games("ab", "ba")
    equal = fit(bots, np.ones_like(ranks), block, 2, 0)
    assert equal.rating == pytest.approx((0, 0))
    assert not equal.unrated


def test_nobody_to_compare_with() -> None:
    alone = fit(*games("ab"), 2, 0)
    assert alone.rating == pytest.approx([0.0, np.nan], nan_ok=True)
    assert np.isnan([*alone.error, *alone.seat]).all()
    assert alone.doubt == "the anchor cannot be compared with another bot"
    assert np.isnan(alone.superiority).all()
    nothing = fit(np.zeros((0, 2), int), np.zeros((0, 2), np.int8), np.zeros(0, int), 2, 1)
    assert nothing.rating == pytest.approx([np.nan, 0.0], nan_ok=True)
    assert nothing.unrated == {0: "played no game"}
    with pytest.raises(ValueError, match="no entrant 5"):
        fit(*games("ab"), 2, 5)


def test_few_blocks_give_no_error() -> None:
    few = fit(*games("ab", "ba", copies=4), 2, 0)
    assert not np.isnan(few.rating[1])
    assert np.isnan(few.error).all()
    assert few.doubt == f"they need {LEAST_BLOCKS} deals, and there are only 8"
    parts = [games("ab", "ba"), games("ac", "ca", copies=2)]
    bots, ranks = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
    some = fit(bots, ranks, np.concatenate([parts[0][2], 1000 + parts[1][2]]), 3, 0)
    assert np.isnan(some.error).tolist() == [False, False, True]
    assert not np.isnan(some.rating[2])


def test_all_numbers_are_finite_where_one_seat_wins_everything() -> None:
    bots = np.tile([[0, 1], [1, 0]], (50, 1))
    ratings = fit(bots, np.tile(np.array([[1, 2]], np.int8), (100, 1)), np.repeat(np.arange(50), 2), 2, 0)
    assert ratings.rating == pytest.approx((0, 0), abs=1e-6)
    assert 200 < ratings.seat[0] < 2000
    assert not np.isnan(ratings.seat_error[0])


@pytest.mark.parametrize("lead", [3.0, 4.0, 5.0])
def test_rare_losses_do_not_feign_a_sure_rating(lead: float) -> None:
    """100 deals, 5 to 0.7 % of the games won by the weaker: without a prior of the seats 93, 68 and 30 % held."""
    rng = np.random.default_rng(15)
    strength, seat = np.array([0.0, -lead]), np.array([0.1, -0.1])
    held = []
    for _ in range(300):
        found = fit(*simulate(rng, 100, strength, seat), 2, 0)
        if not np.isnan(found.rating[1]):
            values = np.array([found.rating[1], found.seat[0]], float)
            errors = np.array([found.error[1], found.seat_error[0]], float)
            held.append(abs(values - ELO * np.array([-lead, seat[0]])) < 1.96 * errors)
    assert np.mean(held, axis=0) == pytest.approx([0.95, 0.95], abs=0.045)


def test_two_losses_in_one_seat_are_no_seat_effect() -> None:
    """As in a run of planner and longroute: -203 +- 63 and -957 +- 125 came out, +18 and -447 was the truth."""
    bots = np.tile([[0, 1], [1, 0]], (50, 1))
    ranks = np.where(bots == 0, 1, 2).astype(np.int8)
    ranks[[0, 2]] = [2, 1]
    found = fit(bots, ranks, np.repeat(np.arange(50), 2), 2, 0)
    rating, error, seat, seat_error = found.rating[1], found.error[1], found.seat[0], found.seat_error[0]
    assert -500 < rating + 1.96 * error < -300
    assert seat + 1.96 * seat_error > 18


@pytest.mark.long
def test_a_million_games_take_seconds() -> None:
    rng = np.random.default_rng(14)
    pool = simulate(rng, 250_000, rng.normal(0, 1, 20), np.zeros(4))
    start = time.process_time()
    ratings = fit(*pool, 20, 0)
    assert time.process_time() - start < 5
    assert ratings.error.max() < 2
