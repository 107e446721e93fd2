"""The frame of a stand-alone HTML page: style, script, contents, sortable tables and legends."""

import base64
import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, NamedTuple

from arena.reports.figures import Figure
from arena.reports.markup import Html, element
from arena.reports.tables import Column, Table
from arena.reports.text import shorten

MOST_ROWS = 30
"""A longer table scrolls in a window of its own."""
DIGITS = 6
"""Of the numbers that the script sorts by."""
RANGE = re.compile(r"(?<=[\d%])-(?=[-\d])")
MINUS = re.compile(r"(?<![\d%])-(?=\d)")


class Section(NamedTuple):
    """A part of a page."""

    key: str
    title: str
    body: Html


def page(title: str, header: Html, sections: Sequence[Section]) -> str:
    """The whole page: what stands at its top, and its sections after a list of them."""
    style, script = _asset("page.css"), _asset("page.js")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", style),
    )
    contents = [element("li", element("a", section.title, href=f"#{section.key}")) for section in sections]
    main = [
        element("section", element("h2", section.title, id=f"{section.key}-title"), section.body, id=section.key,
                aria_labelledby=f"{section.key}-title")
        for section in sections
    ]  # fmt: skip
    nav = element("nav", element("ul", *contents), aria_label="Contents")
    body = element("body", header, nav, element("main", *main), element("script", script))
    return "<!doctype html>\n" + element("html", head, body, lang="en") + "\n"


def _asset(name: str) -> Html:
    """A file of this package, newlines around it."""
    return Html("\n" + resources.files("arena.reports").joinpath(name).read_text(encoding="utf-8"))


def _policy(script: str) -> str:
    """Only this script may run and nothing be fetched, whatever the names of bots try."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def terms(facts: Iterable[tuple[str, str]], kind: str) -> Html:
    """Terms, and what is said of each."""
    rows = [element("div", element("dt", name), element("dd", value)) for name, value in facts]
    return element("dl", *rows, class_=kind)


def figure(drawn: Figure | None) -> Html:
    """A chart and the sentence below it."""
    if drawn is None:
        return Html()
    return element("figure", drawn.chart, element("figcaption", prose(drawn.caption)))


def legend(table: Table, explain: bool) -> Html:
    """What its columns mean; `explain` opens it."""
    summary = element("summary", "What the columns mean")
    meanings = [(head_of(table, column), prose(column.meaning)) for column in table.columns]
    return element("details", summary, terms(meanings, "meanings"), class_="legend", open=explain)


def table_of(table: Table) -> Html:
    """All its rows, which the script sorts."""
    rows = []
    for (_, row), texts in zip(table.frame.iterrows(), table.cells, strict=True):
        cells = [_cell(column, row, text, number == 0)
                 for number, (column, text) in enumerate(zip(table.columns, texts, strict=True))]  # fmt: skip
        rows.append(element("tr", *cells))
    return scroller(table, rows)


def scroller(table: Table, rows: list[Html]) -> Html:
    """Rows under the heads of a table, in a window that scrolls if there are many."""
    heads = [
        element("th", element("span", shorten(head_of(table, column))), scope="col", title=column.meaning,
                class_="name" if column.is_name else None)
        for column in table.columns
    ]  # fmt: skip
    parts = element("thead", element("tr", *heads)), element("tbody", *rows)
    whole = element("table", *parts, class_=table.key, style=f"--columns:{len(heads)}")
    kind = "scroll long" if len(rows) > MOST_ROWS else "scroll"
    return element("div", whole, class_=kind, tabindex="0", role="region", aria_labelledby=f"{table.key}-title")


def head_of(table: Table, column: Column) -> str:
    """The heat map names the bots of its columns, which text numbers."""
    if table.key == "crosstable" and not column.is_name:
        return column.key
    return "±" if column.head == "+-" else column.head


def _cell(column: Column, row: Any, text: str, is_head: bool) -> Html:
    """A cell; the first of a row is its head, and stays where the others scroll."""
    name, scope = ("th", "row") if is_head else ("td", None)
    if column.is_name:
        return element(name, text, scope=scope, class_="name")
    return element(name, typeset(text), scope=scope, data_n=raw(row[column.sort_by or column.key]))


def prose(text: str) -> str:
    """No line begins with a percent sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def raw(value: Any) -> str | None:
    """The number to sort by; nothing if it cannot be told."""
    return f"{float(value):.{DIGITS}g}" if math.isfinite(float(value)) else None


def typeset(text: str) -> str:
    """Hyphens as what they stand for: a minus, a range, or nothing to tell."""
    if text == "-":
        return "\N{EN DASH}"
    return MINUS.sub("\N{MINUS SIGN}", RANGE.sub("\N{EN DASH}", text))
