"""Tickets: how often they are kept and completed, what they bring, cause and should pay."""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from arena.boards.spec import MapSpec
from arena.boards.summary import shortest_path
from arena.experiments.measures.findings import LEAST, RATE, error_floor
from arena.experiments.measures.game_arrays import Batch
from arena.stats.ratio_estimates import Ratios, RatioSums, q_values


def ticket_names(spec: MapSpec) -> list[str]:
    """The names of the tickets, without their points."""
    return [f"{ticket.a}-{ticket.b}" for ticket in spec.tickets]


def ticket_points(spec: MapSpec) -> np.ndarray:
    """The points of each ticket, int64 [tickets]."""
    return np.array([ticket.points for ticket in spec.tickets])


def ways_of(spec: MapSpec) -> np.ndarray:
    """The spaces of the shortest way of each ticket, int64 [tickets]."""
    ways = [shortest_path(spec, ticket.a, ticket.b) or [] for ticket in spec.tickets]
    return np.array([sum(spec.routes[index].length for index in way) for way in ways], np.int64)


def ticket_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """How each ticket does.

    kept: share of the times that it was on offer. completed: share of the times that it was kept. net: points that it
    brought a player who kept it, failures subtracted. lift: excess win share of who kept it, over an equal share.
    """
    offers, count = batch.offers, len(spec.tickets)
    offered = batch.by_deal(offers.game, offers.ticket, count)
    held = offers[offers.kept == 1]
    each = batch.by_deal(held.game, held.ticket, count)
    values = {
        "completed": held.completed,
        "net": np.where(held.completed == 1, 1, -1) * ticket_points(spec)[held.ticket],
        "lift": batch.wins[held.game, held.seat] - 1 / batch.seats,
    }
    return {
        "kept": (batch.by_deal(offers.game, offers.ticket, count, offers.kept), offered),
        **{name: (batch.by_deal(held.game, held.ticket, count, value), each) for name, value in values.items()},
    }


def effect_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """By how much each ticket changes the win share (`wins`) and the score of the seat that it lies before.

    From deals in which every ticket is forced before a seat. Who keeps a good ticket may win for other reasons: that is
    an observation. Here all else is equal: the deck, the players, the other tickets as far as they can be. Only what
    lies first before one seat is another ticket, and the one that lay there is where the other would have been.

    Against the mean of all tickets on the same deal: what the deal does is the same for all of them, the two-way
    analysis of variance without replication (Scheffe, *The Analysis of Variance*, 1959, section 4.2).
    """
    tickets = len(spec.tickets)
    games, seats = np.arange(batch.games), batch.deals % batch.seats
    by_ticket = (
        values[games, seats].reshape(-1, batch.block // tickets, tickets).mean(axis=1)
        for values in (batch.wins, batch.scores)
    )
    wins, scores = (values - values.mean(axis=1, keepdims=True) for values in by_ticket)
    return {"wins": (wins, 1), "scores": (scores, 1)}


def ticket_table(spec: MapSpec, sums: dict[str, RatioSums], effects: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each ticket, the one that causes or brings most first; of what is rarely kept only how often.

    effects: what tickets cause; empty if no tickets were forced.
    """
    columns = {
        "ticket": range(len(spec.tickets)),
        "name": ticket_names(spec),
        "points": ticket_points(spec),
        "offered": sums["kept"].denominator.astype(int),
        **sums["kept"].columns("kept", share=True),
        **sums["completed"].columns("completed", LEAST, share=True),
        **sums["net"].columns("net", LEAST),
        **sums["lift"].columns("lift", LEAST),
        "spaces": ways_of(spec),
    }
    if effects:
        columns |= effects["wins"].columns("causes_wins", LEAST) | effects["scores"].columns("causes_points", LEAST)
    keys = ["causes_points", "net"] if effects else ["net"]
    return pd.DataFrame(columns).sort_values(keys, ascending=False, kind="stable", ignore_index=True)


def usual(net: RatioSums, ways: np.ndarray) -> np.ndarray:
    """The points that are usual for the way of each ticket: the median of points a space, times its spaces.

    float64 [tickets]; NaN if most tickets bring nothing, for then no price is usual. Those rarely kept do not count.
    """
    rates = (net.value / ways)[net.denominator >= LEAST]
    rate = float(np.median(rates)) if len(rates) else 0.0
    return ways * rate if rate > 0 else np.full(len(ways), np.nan)


def dominating(points: np.ndarray, ways: np.ndarray, completed: RatioSums) -> np.ndarray:
    """For each ticket another one that beats it in all respects, or -1, int64 [tickets].

    It pays at least as much, its way is no longer, and who keeps it completes it more often beyond chance: of all such
    statements about pairs of tickets at most RATE are due to chance. Of several it is the one completed most often.
    """
    known = completed.denominator >= LEAST
    asked = (points >= points[:, None]) & (ways <= ways[:, None]) & known & known[:, None]
    error = error_floor(completed)
    with np.errstate(invalid="ignore"):
        more = (completed.value - completed.value[:, None]) / np.hypot(error, error[:, None])
    better = q_values(np.where(asked, ndtr(-more), np.nan).ravel()).reshape(asked.shape) < RATE
    best = np.where(better, completed.value, -1.0).argmax(axis=1)
    return np.where(better.any(axis=1), best, -1)


def price_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each ticket, what is farthest from its usual price first."""
    ways, names, points = ways_of(spec), ticket_names(spec), ticket_points(spec)
    beaten = dominating(points, ways, sums["completed"])
    frame = pd.DataFrame({
        "ticket": range(len(names)),
        "name": names,
        "points": points,
        "spaces": ways,
        **sums["completed"].columns("completed", LEAST, share=True),
        **sums["net"].columns("net", LEAST),
        "usual": usual(sums["net"], ways),
        "dominated_by": [names[other] if other >= 0 else None for other in beaten],
    })  # fmt: skip
    frame["surplus"] = frame["net"] - frame["usual"]
    return frame.sort_values("surplus", key=abs, ascending=False, na_position="last", kind="stable", ignore_index=True)
