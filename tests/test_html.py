"""The report as a page: what is in it, that nothing can break it, and how it behaves in a real browser."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.reports import html
from arena.reports.charts import axis
from arena.reports.document import STOPPED, Document
from arena.reports.formats import deliver
from arena.reports.markup import Html, element
from arena.reports.report_page import report_page
from arena.reports.tables import tables
from arena.texts import plain
from made_runs import NASTY, REASON, made_document

VOID = {"meta", "link", "br", "img", "input", "hr"}
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
LABEL = "a layout <b>of ours</b>"
PLAIN = ("one", "two:depth=3", "three", "four")


def readable(text: str) -> str:
    """What a page shows in place of characters that it may not hold."""
    return plain(text, "\n")


def to_html(document: Document, explain: bool = False) -> str:
    """The report as a page."""
    return html.to_html(report_page(document), explain)


class Page(HTMLParser):
    """A page in parts; fails on an end that fits no start."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.rows: dict[str, list[list[str]]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"{tag} has an attribute twice"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.table = self.rows.setdefault(dict(attrs)["class"] or "", [])
        elif tag == "tr":
            self.table.append([])
        elif tag in ("td", "th"):
            self.table[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.texts.setdefault(tag, []).append(data)
        if "tbody" in self.open or "thead" in self.open:
            self.table[-1][-1] += data

    def text(self, tag: str) -> str:
        return "".join(self.texts.get(tag, [])).replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module", params=["plain", "nasty", "tiny"])
def document(request: pytest.FixtureRequest) -> Any:
    """An ordinary run; one of a bot without a rating, of odd names and with a fault; one in which nothing is known."""
    return {
        "plain": lambda: made_document(PLAIN),
        "nasty": lambda: made_document(NASTY, label=LABEL, fault=REASON, best=1),
        "tiny": lambda: made_document(("a", "b"), players=2, games=2),
    }[request.param]()


def test_the_page_is_well_formed_and_fetches_nothing(document: Any) -> None:
    page = Page(to_html(document))
    assert [tag for tag, _ in page.tags if tag in ("script", "style", "title", "h1", "main")].count("script") == 1
    assert page.tags[0] == ("html", {"lang": "en"})
    assert page.text("title").startswith(f"tiny{f' ({LABEL})' if document.label else ''}, trains=20, ")
    names = [attributes for tag, attributes in page.tags if tag == "meta"]
    assert any(attributes.get("name") == "viewport" for attributes in names)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "base", "use", "image", "form"), tag
        assert not {"src", "srcset", "xlink:href", "action"} & set(attributes), tag
        assert not any(name.startswith("on") for name in attributes), tag
        assert attributes.get("href", "#results").lstrip("#") in ids
    assert not re.search(r"@import|url\(", page.text("style"))


def test_headings_are_in_order(document: Any) -> None:
    levels = [int(tag[1]) for tag, _ in Page(to_html(document)).tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_is_whole_and_every_column_explained(document: Any) -> None:
    page = Page(to_html(document))
    for table in tables(document):
        heads, *rows = page.rows[table.key]
        assert len(heads) == len(table.columns)
        assert len(rows) == len(table.frame)
        for row, cells in zip(rows, table.cells, strict=True):
            for column, shown, cell in zip(table.columns, row, cells, strict=True):
                if column.is_name:
                    assert shown == readable(cell)
                else:
                    written = shown.replace("\N{EN DASH}", "-").replace("\N{MINUS SIGN}", "-")
                    assert written == cell or (table.key, written, cell) == ("crosstable", "", "-")
        for column in table.columns:
            assert readable(column.meaning) in page.text("dd")


def test_what_must_be_said_is_said(document: Any) -> None:
    page = Page(to_html(document))
    everything = page.text("html")
    for note in document.notes:
        assert readable(note) in everything
    assert readable(document.plan.command) in page.text("pre")
    assert document.label in page.text("header")
    assert "2026-01-02 03:04:05 UTC" in page.text("header")
    sections = {attributes["id"] for tag, attributes in page.tags if tag == "section"}
    assert sections == {table.key for table in tables(document)} | {"scores", "run"}


def test_names_and_reasons_cannot_break_the_page(tmp_path: Path) -> None:
    document = made_document(NASTY, label=LABEL, fault=REASON)
    assert deliver(report_page(document), "html", tmp_path / "page.html", False) == f"{tmp_path / 'page.html'}\n"
    text = (tmp_path / "page.html").read_bytes().decode()
    page = Page(text)
    assert not [attributes for tag, attributes in page.tags if tag in ("b", "img") and attributes]
    assert '<b>.py:"X"&' not in text
    assert "alert(1)" not in page.text("script")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)


def test_no_number_is_missing_its_name_in_python(document: Any) -> None:
    page = Page(to_html(document))
    values = [value for _, attributes in page.tags for value in attributes.values() if value]
    for text in (page.text("main"), page.text("header"), *values):
        assert not re.search(r"\b(nan|inf|None|NaN)\b", text), text


def test_same_run_same_bytes(document: Any) -> None:
    assert to_html(document) == to_html(document)
    assert to_html(made_document(PLAIN)) == to_html(made_document(PLAIN))


def test_a_run_that_was_cut_off() -> None:
    """No times, a damaged shard, more notes than stand open, a clock that never ran."""
    problems = tuple(f"shard {number} is damaged: <no>" for number in range(20))
    whole = made_document(PLAIN)
    cut = replace(whole, times={}, problems=problems, plan=replace(whole.plan, games=1_000_000))
    page = Page(to_html(cut))
    assert "600 of 1,000,000 planned" in page.text("header")
    assert [attributes.get("class") for tag, attributes in page.tags if tag == "li"].count("problem") == 22
    assert STOPPED in page.text("header")
    assert "Not complete: 600 of 1,000,000 games are recorded" in page.text("header")
    assert all(problem in page.text("header") for problem in problems)
    assert " UTC" not in page.text("html")
    stopped = replace(whole, times={**whole.times, "seconds": 0.0, "games_per_second": float("inf")})
    assert "games a second" not in to_html(stopped)


def test_what_is_no_warning_does_not_look_like_one() -> None:
    tags = Page(to_html(made_document(PLAIN))).tags
    marked = [attributes["class"] for tag, attributes in tags if tag == "li" and "class" in attributes]
    assert marked[0] == "remark"
    assert "problem" not in marked


def test_intervals_are_promised_only_where_there_are_some() -> None:
    assert "Elo points with 95" in to_html(made_document(PLAIN))
    few = made_document(("a", "b"), players=2, games=8)
    assert few.summary.bots["rating"].notna().all()
    assert "Elo points; a is 0." in to_html(few)


def test_explain_opens_what_columns_mean() -> None:
    document = made_document(PLAIN)
    for explain in (False, True):
        tags = Page(to_html(document, explain)).tags
        legends = [attributes for tag, attributes in tags if attributes.get("class") == "legend"]
        assert len(legends) == len(list(tables(document)))
        assert all(("open" in attributes) == explain for attributes in legends)


def test_the_page_is_small() -> None:
    document = made_document(tuple(f"a_bot_with_a_name:depth={number}" for number in range(8)), games=1200, players=4)
    assert len(to_html(document).encode()) < 200_000


def test_markup_escapes_all_but_markup() -> None:
    assert element("p", "<&\"'", Html("<br>"), title='"', hidden=True, id=None) == (
        '<p title="&quot;" hidden>&lt;&amp;&quot;&#x27;<br></p>'
    )


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1.0)), (-280, 190, (-200, -100, 0, 100)), (5, 5, (3, 4, 5, 6, 7))],
)
def test_axis_has_round_numbers(low: float, high: float, ticks: tuple[float, ...]) -> None:
    along = axis(low, high, 1 if high > 1 else 0.001)
    assert along.ticks == ticks
    assert along.low <= min(low, ticks[0])
    assert along.high >= max(high, ticks[-1])


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium; Playwright's own would be a download of its own."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed (apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    names = (*NASTY, "a_bot_with_a_very_long_name_indeed:parameter=12345,other=67890", "two:depth=3")
    path.write_text(to_html(made_document(names, label=LABEL, fault=REASON, best=1, games=1680)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page on a desk; fails if it wrote to the console, raised an error or asked for anything but itself."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: said.append(request.url) if request.url != address else None)
    page.goto(address)
    yield page
    context.close()
    assert said == []


def column(page: Any, table: str, number: int) -> list[str]:
    texts: list[str] = page.locator(f"table.{table} tbody tr > :nth-child({number})").all_inner_texts()
    return texts


def test_heads_sort(page: Any) -> None:
    """Numbers from the largest, then from the smallest, then as they came; names from A; a dash is always last."""
    head = page.locator("table.results thead th").nth(4)
    scores = [float(text) for text in column(page, "results", 5)]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert [float(text) for text in column(page, "results", 5)] == sorted(scores, reverse=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert [float(text) for text in column(page, "results", 5)] == sorted(scores)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    assert [float(text) for text in column(page, "results", 5)] == scores

    rating = page.locator("table.ratings thead th").nth(1)
    for direction in ("descending", "ascending"):
        rating.get_by_role("button").click()
        assert rating.get_attribute("aria-sort") == direction
        assert column(page, "ratings", 2)[-1] == "\N{EN DASH}"

    name = page.locator("table.pairs thead th").first
    name.get_by_role("button").click()
    assert name.get_attribute("aria-sort") == "ascending"
    names = [text for text in column(page, "pairs", 1) if text[0].isalpha()]
    assert names == sorted(names)
    assert len(set(names)) > 1
    assert page.locator("table.pairs [aria-sort]").count() == 1


def test_heads_sort_by_keyboard(page: Any) -> None:
    head = page.locator("table.results thead th").nth(4)
    page.locator("table.results thead th").nth(3).get_by_role("button").focus()
    page.keyboard.press("Tab")
    for key, direction in (("Enter", "descending"), ("Space", "ascending")):
        page.keyboard.press(key)
        assert head.get_attribute("aria-sort") == direction
    scores = [float(text) for text in column(page, "results", 5)]
    assert scores == sorted(scores)


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_page_never_scrolls_sideways(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_names_stay_where_tables_scroll(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    name = page.locator("table.crosstable tbody th").first
    before = name.bounding_box()
    page.evaluate("document.querySelector('table.crosstable').parentElement.scrollLeft = 100")
    assert page.evaluate("document.querySelector('table.crosstable').parentElement.scrollLeft") == 100
    assert name.bounding_box()["x"] == before["x"]


def test_on_paper_all_is_open_and_nothing_cut(page: Any) -> None:
    legend = page.locator(".legend dl").first
    assert not legend.is_visible()
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 700, "height": 1000})
    assert legend.is_visible()
    assert not page.locator("nav").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in ("rgb(255, 255, 255)", "#fff")
    cut = "[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth).length"
    assert page.evaluate(cut) == 0


CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (...colors) => {
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
  const paper = getComputedStyle(document.body).backgroundColor;
  return Math.min(...[...document.querySelectorAll(".crosstable td, figcaption, .kind, .axis text, dt")].map((cell) => {
    const style = getComputedStyle(cell);
    const ink = cell instanceof SVGElement ? style.fill : style.color;
    const [one, other] = [light(paint(paper, ink)), light(paint(paper, style.backgroundColor))].sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05);
  }));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_can_be_read(page: Any, scheme: str) -> None:
    """The contrast that WCAG 2.2 asks of small letters, 4.5 to 1, on every color of the heat map too."""
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(CONTRAST) >= 4.5
