"""The prices of tickets: what is usual for their length, and which tickets are better in all respects."""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from arena.boards.spec import MapSpec
from arena.boards.summary import shortest_path
from arena.experiments.measures.findings import LEAST, RATE, error_floor
from arena.experiments.measures.tickets import ticket_names, ticket_points
from arena.stats.ratio_estimates import RatioSums, q_values


def ways_of(spec: MapSpec) -> np.ndarray:
    """The spaces of the shortest way of each ticket, int64 [tickets]."""
    ways = [shortest_path(spec, ticket.a, ticket.b) or [] for ticket in spec.tickets]
    return np.array([sum(spec.routes[index].length for index in way) for way in ways], np.int64)


def usual(net: RatioSums, ways: np.ndarray) -> np.ndarray:
    """The points that are usual for the way of each ticket: the median of points a space, times its spaces.

    float64 [tickets]; NaN if most tickets bring nothing, for then no price is usual. Those rarely kept do not count.
    """
    rates = (net.value / ways)[net.denominator >= LEAST]
    rate = float(np.median(rates)) if len(rates) else 0.0
    return ways * rate if rate > 0 else np.full(len(ways), np.nan)


def dominating(points: np.ndarray, ways: np.ndarray, completed: RatioSums) -> np.ndarray:
    """For each ticket another one that beats it in all respects, int64 [tickets]; -1 if there is none.

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
