"""A page of HTML that stands alone: style and script inside, nothing that is fetched."""

import base64
import hashlib
import math
from collections.abc import Iterable
from importlib import resources
from typing import Any

from arena.reports.markup import Html, element, joined, typeset
from arena.reports.page_model import Block, Column, Figure, Page, Points, Table, Verbatim
from arena.reports.text import shorten

MOST_ROWS = 30
"""A longer table scrolls in a window of its own."""
MOST_NOTES = 8
"""Notes that stand open at the top; the others can be opened."""
DIGITS = 6
"""Significant digits of the numbers that the script sorts by."""


def to_html(page: Page, explain: bool = False) -> str:
    """The page; `explain` opens what the columns mean."""
    style, script = _asset("page.css"), _asset("page.js")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", page.title),
        element("style", style),
    )
    sections = list(page.sections(False))
    contents = [element("li", element("a", section.title, href=f"#{section.key}")) for section in sections]
    main = [
        element("section", element("h2", section.title, id=f"{section.key}-title"),
                *(_block(block, section.key, explain) for block in section.blocks), id=section.key,
                aria_labelledby=f"{section.key}-title")
        for section in sections
    ]  # fmt: skip
    nav = element("nav", element("ul", *contents), aria_label="Contents")
    body = element("body", _header(page), nav, element("main", *main), element("script", script))
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


def _header(page: Page) -> Html:
    """What stands above the contents; of many notes some can be opened."""
    notes = [
        element("li", prose(note.text), class_=note.kind if note.kind != "warning" else None)
        for note in page.notes
        if note.kind != "hint"
    ]
    header = [element("p", page.kind, class_="kind"), element("h1", page.heading)]
    header += [element("p", page.label, class_="label")] if page.label else []
    header += [terms(page.facts.items(), "facts")] if page.facts else []
    header += [element("ul", *notes[:MOST_NOTES], class_="notes")] if notes else []
    if more := notes[MOST_NOTES:]:
        summary = element("summary", f"{len(more):,} more notes")
        header.append(element("details", summary, element("ul", *more, class_="notes")))
    return element("header", *header)


def _block(block: Block, key: str, explain: bool) -> Html:
    """A block of the section with this key."""
    match block:
        case Html():
            return block
        case Table():
            caption = element("p", prose(block.caption), class_="caption") if block.caption else Html()
            return joined(_table(block, key), caption, _legend(block, explain))
        case Figure(chart, caption):
            return element("figure", chart, element("figcaption", prose(caption)))
        case Points(sentences):
            return element("ul", *(element("li", prose(text)) for text in sentences), class_="notes")
        case Verbatim(lines):
            return element("pre", element("code", "\n".join(lines)), tabindex="0")  # which keys can scroll, too
    return element("p", prose(block))


def _legend(table: Table, explain: bool) -> Html:
    """What its columns mean; `explain` opens it."""
    summary = element("summary", "What the columns mean")
    meanings = [(_head(column), prose(column.meaning)) for column in table.columns]
    return element("details", summary, terms(meanings, "meanings"), class_="legend", open=explain)


def _table(table: Table, key: str) -> Html:
    """All its rows, which the script sorts, in a window that scrolls if there are many; key: that of its section."""
    rows = [
        element("tr", *(_cell(column, row, text, number == 0)
                        for number, (column, text) in enumerate(zip(table.columns, texts, strict=True))))
        for (_, row), texts in zip(table.frame.iterrows(), table.cells, strict=True)
    ]  # fmt: skip
    heads = [
        element("th", element("span", shorten(_head(column))), scope="col", title=column.meaning,
                class_="name" if column.is_name else None)
        for column in table.columns
    ]  # fmt: skip
    parts = element("thead", element("tr", *heads)), element("tbody", *rows)
    whole = element("table", *parts, class_=table.key, style=f"--columns:{len(heads)}")
    kind = "scroll long" if len(rows) > MOST_ROWS else "scroll"
    return element("div", whole, class_=kind, tabindex="0", role="region", aria_labelledby=f"{key}-title")


def _head(column: Column) -> str:
    return "±" if column.head == "+-" else column.head


def _cell(column: Column, row: Any, text: str, is_head: bool) -> Html:
    """A cell; the first of a row is its head, and stays where the others scroll."""
    name, scope = ("th", "row") if is_head else ("td", None)
    if column.is_name:
        return element(name, text, scope=scope, class_="name")
    value = float(row[column.sort_by or column.key])
    number = f"{value:.{DIGITS}g}" if math.isfinite(value) else None
    return element(name, typeset(text), scope=scope, **column.look(row), data_n=number)


def prose(text: str) -> str:
    """No line begins with a percent sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")
