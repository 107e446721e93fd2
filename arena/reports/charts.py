"""What the charts of the HTML report look like: axes, dots, whiskers and areas as SVG.

Positions along the axis are percentages of a width that the page decides: a chart fits a phone and a desk, and its
letters stay as large as those of the page.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.boards.colors import multiples
from arena.reports.markup import Html, element, joined, typeset

STEPS = (1, 2, 5, 10)
MOST_TICKS = 6
MOST_ROWS = 12
"""Lines that a screen shows at once."""
DOT_ROW, BAR_ROW, SCALE, HISTOGRAM = 26, 34, 18, 40
"""Heights in pixels."""
SEATS_MIDDLE, SEATS_HALF, SEATS_HEIGHT = 48, 32, 110
"""The chart of a bot's seats: where its zero line lies, how far columns reach from there, and its height."""
LEAST_LABELLED = 0.2
"""A part of a bar of at least this share has room for its name."""


class Axis(NamedTuple):
    """A range of numbers, and those that are written."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> str:
        """Where a number lies, in percent of the width."""
        return percent((value - self.low) / (self.high - self.low))


class Dot(NamedTuple):
    """A number with its interval; NaN where it cannot be told."""

    name: str
    value: float
    low: float
    high: float
    text: str
    interval: str
    """Both in words."""


class Scores(NamedTuple):
    """How often a bot reached which scores."""

    name: str
    counts: Sequence[int]
    """Games in each bin."""
    start: float
    """The lower end of the first bin."""
    width: float
    """How wide a bin is."""
    quartiles: tuple[float, float, float]


def percent(share: float) -> str:
    """A share as a length in SVG."""
    return f"{round(100 * share, 2):g}%"


def axis(low: float, high: float, finest: float) -> Axis:
    """An axis from one number to the other, with some round ones between them written, by steps of `finest` or more."""
    spare = max(0.0, (MOST_TICKS - 1) * finest - (high - low)) / 2
    low, high = low - spare, high + spare
    least = (high - low) / (MOST_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(step * power for step in STEPS if step * power >= least * (1 - 1e-9))
    return Axis(low, high, tuple(multiples(low, high, step)))


def dots(dots: Sequence[Dot], along: Axis, write: Callable[[float], str], even: float | None = None) -> Html:
    """A line for each dot with its whiskers, and the axis below; even: a number marked by a dashed line."""
    rows = [
        _row(dot.name, _dot(dot, along, even), joined(element("b", dot.text), element("span", dot.interval)))
        for dot in dots
    ]
    return _rows("rows", rows, along, write)


def histograms(bots: Sequence[Scores], along: Axis, write: Callable[[float], str]) -> Html:
    """A line for each bot with its scores, and the axis below."""
    rows = []
    for bot in bots:
        low, middle, high = (write(value) for value in bot.quartiles)
        quartiles = joined(element("span", low), element("b", middle), element("span", high))
        title = f"{bot.name}: quartiles {low}, {middle}, {high}"
        rows.append(_row(bot.name, _histogram(bot, along, title), quartiles))
    return _rows("rows tall", rows, along, write)


def seats(values: Sequence[float], chance: Sequence[float], top: float, title: str) -> Html:
    """A column for each seat, up or down from a line; chance: half of the bands that chance explains, or NaN."""
    pixels = SEATS_HALF / top
    bands = [
        _band(number, len(values), min(half, top) * pixels) for number, half in enumerate(chance) if math.isfinite(half)
    ]
    columns = [_seat(number, len(values), value, value * pixels) for number, value in enumerate(values)]
    middle = str(SEATS_MIDDLE)
    zero = element("line", class_="zero", x1="0", x2="100%", y1=middle, y2=middle)
    return _svg(SEATS_HEIGHT, title, *bands, *columns, zero)


def stacked(parts: Sequence[tuple[str, float]]) -> Html:
    """One bar in parts that add up to 1."""
    pieces, start = [], 0.0
    for name, share in parts:
        pieces.append(element("rect", class_=name, x=percent(start), width=percent(share), y="0", height=str(BAR_ROW)))
        if share >= LEAST_LABELLED:
            middle = percent(start + share / 2)
            pieces.append(element("text", name, class_=f"on-{name}", x=middle, y="22", text_anchor="middle"))
        start += share
    return _svg(BAR_ROW, ", ".join(f"{name} {share:.1%}" for name, share in parts), *pieces)


def _svg(height: int, title: str, *children: Html) -> Html:
    return element(
        "svg", element("title", title), *children, class_="plot", role="img", width="100%", height=str(height)
    )


def _rows(kind: str, rows: list[Html], along: Axis, write: Callable[[float], str]) -> Html:
    """Lines and their axis, which stays in sight where they are many."""
    kind += " many" * (len(rows) > MOST_ROWS)
    return element("ul", *rows, _scale(along, write), class_=kind)


def _row(name: str, plot: Html, value: Html) -> Html:
    return element("li", element("span", name, class_="name"), plot, element("span", value, class_="value"))


def _scale(along: Axis, write: Callable[[float], str]) -> Html:
    """The numbers below the lines."""
    texts = [element("text", write(tick), x=along.at(tick), y="13", text_anchor="middle") for tick in along.ticks]
    svg = element("svg", *texts, class_="plot scale", width="100%", height=str(SCALE), aria_hidden="true")
    return element("li", element("span", class_="name"), svg, element("span", class_="value"), class_="axis")


def _grid(along: Axis, height: int) -> list[Html]:
    return [_upright("grid", along.at(tick), 0, height) for tick in along.ticks]


def _upright(kind: str, x: str, top: int, bottom: int) -> Html:
    return element("line", class_=kind, x1=x, x2=x, y1=str(top), y2=str(bottom))


def _dot(dot: Dot, along: Axis, even: float | None) -> Html:
    marks = _grid(along, DOT_ROW)
    middle = str(DOT_ROW // 2)
    if even is not None:
        marks.append(_upright("even", along.at(even), 0, DOT_ROW))
    if math.isfinite(dot.low) and math.isfinite(dot.high):
        ends = {"x1": along.at(dot.low), "x2": along.at(dot.high), "y1": middle, "y2": middle}
        marks.append(element("line", class_="whisker", **ends))
        marks += [_upright("whisker", along.at(end), 8, DOT_ROW - 8) for end in (dot.low, dot.high)]
    if math.isfinite(dot.value):
        marks.append(element("circle", class_="dot", cx=along.at(dot.value), cy=middle, r="4.5"))
    return _svg(DOT_ROW, f"{dot.name}: {dot.text} {dot.interval}", *marks)


def _histogram(bot: Scores, along: Axis, title: str) -> Html:
    """The columns as one path, stretched to the axis; below them the middle half, across all the median."""
    used = [number for number, count in enumerate(bot.counts) if count]
    counts = bot.counts[used[0] : used[-1] + 1]
    top = max(counts)
    path = "".join(f"V{100 - math.ceil(100 * count / top)}h1" for count in counts)
    start = bot.start + used[0] * bot.width
    area = element(
        "svg",
        element("path", class_="area", d=f"M0 100{path}V100z"),
        viewBox=f"0 0 {len(counts)} 100",
        preserveAspectRatio="none",
        x=along.at(start),
        width=percent(len(counts) * bot.width / (along.high - along.low)),
        y="4",
        height=str(HISTOGRAM - 4),
    )
    low, median, high = bot.quartiles
    base = str(HISTOGRAM + 5)
    half = element("line", class_="half", x1=along.at(low), x2=along.at(high), y1=base, y2=base)
    line = _upright("median", along.at(median), 2, HISTOGRAM + 9)
    return _svg(HISTOGRAM + 12, title, *_grid(along, HISTOGRAM + 12), area, half, line)


def _band(number: int, seats: int, half: float) -> Html:
    place = {"x": percent(number / seats), "width": percent(1 / seats)}
    return element("rect", class_="band", **place, y=_px(SEATS_MIDDLE - half), height=_px(2 * half))


def _seat(number: int, seats: int, value: float, height: float) -> Html:
    """A column with its value and the number of its seat."""
    top = SEATS_MIDDLE - max(height, 0.0)
    column = element(
        "rect",
        class_="up" if value > 0 else "down",
        x=percent((number + 0.22) / seats),
        width=percent(0.56 / seats),
        y=_px(top),
        height=_px(abs(height)),
    )
    middle = percent((number + 0.5) / seats)
    below = value < 0
    text = typeset(f"{100 * value:+.1f}")
    label = element(
        "text",
        "0" if text[1:] == "0.0" else text,
        x=middle,
        y=_px(SEATS_MIDDLE - height + (11 if below else -4)),
        text_anchor="middle",
    )
    seat = element("text", str(number), class_="seat", x=middle, y=str(SEATS_HEIGHT - 2), text_anchor="middle")
    return joined(column, label, seat)


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
