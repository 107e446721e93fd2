"""Which charts a report has: what is drawn on which axis, and the caption below."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from arena.reports import charts
from arena.reports.document import Document
from arena.reports.markup import Html, element, joined, typeset
from arena.reports.page_model import Column, Figure, Table
from arena.reports.tables import Z95

TEN = 10
"""Points of a column of `Summary.scores`."""
FINEST = 0.001
"""Step of an axis of shares: a tenth of a percent."""
STRONGEST = 0.6
"""How much color the heat map's extremes have: letters stay readable on it."""


def figures(document: Document) -> dict[str, Figure]:
    """The figures by the key of the table that they belong to; `scores` has no table."""
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
    return typeset(f"{round(value):+d}")


def plain(value: float) -> str:
    """A whole number, negative ones with a true minus."""
    return typeset(str(round(value)))


def _numbers(frame: pd.DataFrame, *columns: str) -> list[list[float]]:
    """These columns, row by row."""
    rows: list[list[float]] = frame[[*columns]].to_numpy(float).tolist()
    return rows


def interval_chart(
    names: Iterable[str], numbers: Iterable[Sequence[float]], even: float | None, finest: float,
    write: Callable[[float], str], interval: Callable[[float, float], str],
    on_axis: Callable[[float], str] | None = None, holds: Sequence[float] = (),
) -> Html:  # fmt: skip
    """Numbers and the ends of their intervals, on an axis that is as wide as they need.

    even: marked by a line; on_axis: how its numbers are written, by default as shares; holds: what else it holds.
    """
    rows = [charts.Dot(name, value, low, high, write(value), interval(low, high))
            for name, (value, low, high) in zip(names, numbers, strict=True)]  # fmt: skip
    ends = [*holds, *([] if even is None else [even]), *(end for row in rows for end in (row.value, row.low, row.high))]
    known = [end for end in ends if math.isfinite(end)]
    along = charts.axis(min(known), max(known), finest)
    return charts.dots(rows, along, on_axis or _percents(along), even)


def share_chart(names: Iterable[str], frame: pd.DataFrame, even: float, holds: Sequence[float] = ()) -> Html:
    """Win shares with their intervals (`win_share`, `low`, `high`); even: marked."""
    return interval_chart(names, _numbers(frame, "win_share", "low", "high"), even, FINEST, share, between, None, holds)


def _percents(along: charts.Axis) -> Callable[[float], str]:
    """As many digits as the steps of an axis need."""
    step = along.ticks[1] - along.ticks[0]
    return lambda value: share(value, max(0, -math.floor(math.log10(step * 100) + 1e-9)))


def _win_shares(document: Document) -> Figure:
    bots, even = document.summary.bots, 1 / document.plan.players
    return Figure(share_chart(map(str, bots.index), bots, even, [0.0]),
                  f"Share of its games that a bot won, with 95 % intervals {document.over_deals}. "
                  f"Dashed: {share(even)}, an equal share.")  # fmt: skip


def _ratings(document: Document) -> Figure:
    bots = document.summary.bots.sort_values("rating", ascending=False, na_position="last", kind="stable")
    if bots["rating"].notna().sum() < 2:
        return Figure(Html(), "")
    half = Z95 * bots["rating_error"]
    numbers = _numbers(bots.assign(low=bots["rating"] - half, high=bots["rating"] + half), "rating", "low", "high")
    chart = interval_chart(
        map(str, bots.index), numbers, None, 1,
        lambda value: signed(value) if math.isfinite(value) else "no rating",
        lambda low, high: f"± {(high - low) / 2:.0f}" if math.isfinite(high - low) else "", signed,
    )  # fmt: skip
    known = " with 95 % intervals" if bots["rating_error"].gt(0).any() else ""
    return Figure(chart, f"Elo points{known}; {document.anchor} is 0.")


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


def heat_columns(document: Document, crosstable: Table) -> tuple[Column, ...]:
    """The crosstable as a heat map, the bots of its columns by name: the more color, the farther from one half.

    Interval and games are said where the mouse rests.
    """
    details = _details(document)
    bot, *others = crosstable.columns
    return bot, *(_heat(column, details) for column in others)


def _details(document: Document) -> dict[tuple[str, str], str]:
    """What stands in the table of pairs, for each pair both ways round."""
    said = {}
    pairs = document.summary.pairs[["bot", "other", "games", "ahead", "low", "high"]]
    for bot, other, games, ahead, low, high in pairs.itertuples(index=False):
        turned = (1 - ahead, 1 - high, 1 - low)
        for one, two, (value, least, most) in ((bot, other, (ahead, low, high)), (other, bot, turned)):
            said[one, two] = f"{one} before {two}: {share(value)}, 95 %: {between(least, most)}, {games:,} games"
    return said


def _heat(column: Column, details: Mapping[tuple[str, str], str]) -> Column:
    """The column of a bot, its cells colored."""
    name = column.key

    def look(row: Any) -> dict[str, str | None]:
        value = float(row[name])
        if not math.isfinite(value):
            return {"class_": "same" if row["bot"] == name else None}
        kind = "ahead" if value > 0.5 else "behind"
        return {"class_": kind, "style": f"--a:{STRONGEST * abs(2 * value - 1):.2f}",
                "title": details.get((row["bot"], name))}  # fmt: skip

    return column._replace(head=name, write=lambda row: "" if row["bot"] == name else column.write(row), look=look)
