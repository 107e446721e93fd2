"""Which charts a report has: what is drawn on which axis, and the caption below."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd

from arena.reports import charts
from arena.reports.document import Document
from arena.reports.markup import Html, element, joined
from arena.reports.tables import Z95

TEN = 10
"""Points of a column of `Summary.scores`."""
FINEST = 0.001
"""Step of an axis of shares: a tenth of a percent."""


class Figure(NamedTuple):
    """A chart and the sentence below it."""

    chart: Html
    caption: str


def figures(document: Document) -> dict[str, Figure]:
    """By the key of the table they stand with; `scores` has no table."""
    made = {
        "results": _win_shares(document),
        "ratings": _ratings(document),
        "scores": _scores(document),
        "bot_seats": _bot_seats(document),
        "seats": _seats(document),
    }
    if document.summary.components:
        made["components"] = _components(document)
    return {key: figure for key, figure in made.items() if figure.chart}


def share(value: float, digits: int = 1) -> str:
    """A share in percent; a dash if it cannot be told."""
    return f"{value:.{digits}%}" if math.isfinite(value) else "–"


def between(low: float, high: float) -> str:
    """An interval of a share."""
    return f"{100 * low:.1f}–{100 * high:.1f}%" if math.isfinite(low) and math.isfinite(high) else "–"


def signed(value: float) -> str:
    """A whole number with its sign."""
    return f"{round(value):+d}".replace("-", "\N{MINUS SIGN}")


def plain(value: float) -> str:
    """A whole number, negative ones with a true minus."""
    return f"{round(value)}".replace("-", "\N{MINUS SIGN}")


def _numbers(frame: pd.DataFrame, *columns: str) -> list[list[float]]:
    """These columns, row by row."""
    rows: list[list[float]] = frame[[*columns]].to_numpy(float).tolist()
    return rows


def _shares_of(names: Sequence[str], frame: pd.DataFrame) -> list[charts.Dot]:
    return [
        charts.Dot(name, value, low, high, share(value), between(low, high))
        for name, (value, low, high) in zip(names, _numbers(frame, "win_share", "low", "high"), strict=True)
    ]


def share_chart(names: Sequence[str], frame: pd.DataFrame, even: float) -> Html:
    """Win shares with their intervals (`win_share`, `low`, `high`), on an axis as wide as they need; even: marked."""
    along = charts.axis(min(even, frame["low"].min()), max(even, frame["high"].max()), FINEST)
    return charts.dots(_shares_of(names, frame), along, _percents(along), even)


def _percents(along: charts.Axis) -> Callable[[float], str]:
    """As many digits as the steps of an axis need."""
    step = along.ticks[1] - along.ticks[0]
    return lambda value: share(value, max(0, -math.floor(math.log10(step * 100) + 1e-9)))


def _win_shares(document: Document) -> Figure:
    bots, even = document.summary.bots, 1 / document.plan.players
    along = charts.axis(0.0, min(1.0, max(even, bots["high"].max(), bots["win_share"].max())), FINEST)
    chart = charts.dots(_shares_of([str(name) for name in bots.index], bots), along, _percents(along), even)
    return Figure(chart, f"Share of its games that a bot won, with 95 % intervals {document.over_deals}. "
                         f"Dashed: {share(even)}, an equal share.")  # fmt: skip


def _ratings(document: Document) -> Figure:
    bots = document.summary.bots.sort_values("rating", ascending=False, na_position="last", kind="stable")
    rated = bots["rating"].notna()
    if rated.sum() < 2:
        return Figure(Html(), "")
    rows = []
    for name, (rating, error) in zip(bots.index, _numbers(bots, "rating", "rating_error"), strict=True):
        error *= Z95
        text = signed(rating) if math.isfinite(rating) else "no rating"
        interval = f"± {error:.0f}" if math.isfinite(error) else ""
        rows.append(charts.Dot(str(name), rating, rating - error, rating + error, text, interval))
    ends = [end for row in rows for end in (row.value, row.low, row.high) if math.isfinite(end)]
    along = charts.axis(min(ends), max(ends), 1)
    known = bots["rating_error"].gt(0).any()
    said = f"Elo points{' with 95 % intervals' if known else ''}; {document.anchor} is 0."
    return Figure(charts.dots(rows, along, signed), said)


def _scores(document: Document) -> Figure:
    scores = document.summary.scores
    quartiles = _numbers(document.summary.bots, "q25", "q50", "q75")
    start = float(scores.columns[0])
    rows = [
        charts.Scores(str(name), [int(count) for count in counts], start, TEN, (low, middle, high))
        for (name, counts), (low, middle, high) in zip(scores.iterrows(), quartiles, strict=True)
    ]
    along = charts.axis(start, float(scores.columns[-1]) + TEN, 1)
    return Figure(charts.histograms(rows, along, plain),
                  "Games by ten points; each bot fills the height of its own line. The line across is the median, the "
                  "bar below the middle half of its games; the numbers are the three quartiles.")  # fmt: skip


def _bot_seats(document: Document) -> Figure:
    shares = document.summary.bot_seats.to_numpy(float)
    names, means = list(document.summary.bots.index), shares.mean(axis=1).tolist()
    chances = Z95 * document.summary.seat_errors.to_numpy(float)
    apart = shares - shares.mean(axis=1, keepdims=True)
    top = max(0.01, float(abs(apart).max()))
    panels = []
    for bot, name in enumerate(names):
        title = f"{name}: " + ", ".join(f"seat {seat} {share(value)}" for seat, value in enumerate(shares[bot]))
        head = element("h3", element("span", name, class_="name"), element("span", share(means[bot]), class_="value"))
        panels.append(element("li", head, charts.seats(apart[bot].tolist(), chances[bot].tolist(), top, title)))
    return Figure(element("ul", *panels, class_="panels"),
                  "How much more or less of its games a bot won in each seat (0 moves first) than in all of them, in "
                  "percentage points. Differences within the gray band (95 %, over deals) can be chance.")  # fmt: skip


def _seats(document: Document) -> Figure:
    seats, even = document.summary.seats, 1 / document.plan.players
    names = [f"seat {seat}" for seat in seats.index]
    return Figure(share_chart(names, seats, even),
                  f"Share of the games won from each seat, with 95 % intervals over deals. Dashed: {share(even)}, "
                  "no seat is better. The axis does not start at 0.")  # fmt: skip


def _components(document: Document) -> Figure:
    parts = document.summary.components
    keys = [
        element("li", element("i", class_=part.source), f"{part.source} ", element("b", share(part.share)),
                f" {between(part.low, part.high)}")
        for part in parts
    ]  # fmt: skip
    bar = charts.stacked([(part.source, part.share) for part in parts])
    return Figure(joined(bar, element("ul", *keys, class_="keys")),
                  "Parts of the variance of the points of single games, with 95 % intervals over deals.")  # fmt: skip
