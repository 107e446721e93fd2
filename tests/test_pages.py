"""The page model: what each format makes of one page, and that a page of every kind can be read by all means."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from arena.experiments.balance.study import read_study
from arena.experiments.balance.study_page import study_page
from arena.experiments.variants.diff import compare_runs, diff_page
from arena.reports.formats import FORMATS, deliver
from arena.reports.html import to_html
from arena.reports.json_csv import to_json
from arena.reports.markdown import to_markdown
from arena.reports.markup import element
from arena.reports.page_model import (
    Block,
    Column,
    Figure,
    Note,
    Page,
    Points,
    Section,
    Table,
    Verbatim,
    meanings_of,
    name_column,
    number,
)
from arena.reports.text import to_text
from arena.texts import WIDTH
from commands import arena

TITLE = "A title of so many words that no terminal of eighty columns has room for all of them in one line"
FRAME = pd.DataFrame({"bot": ["a|b", "c"], "points": [3.25, float("nan")]})
COLUMNS = (name_column("bot", "The bot."), Column("points", "points", number("points"), "What it made."))
TABLE = Table("points", "Points", FRAME, COLUMNS, most_rows=1, caption="Below it.")


def page_of(*blocks: Block, notes: Sequence[Note] = ()) -> Page:
    """A page with one section of these blocks."""
    return Page(
        kind="A page", title=TITLE, heading="Heading", notes=notes, command="arena again", file=Path("page.html"),
        sections=lambda brief: [Section("one", "One section", blocks)], closing=["Results: there"],
        data=lambda: {"title": TITLE}, frames=lambda: {"points": FRAME}, meanings=lambda: meanings_of([TABLE]),
    )  # fmt: skip


def test_text_fits_a_terminal() -> None:
    lines = to_text(page_of("A sentence. " * 20, Points(["A point. " * 20]))).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(lines[:2]) == TITLE
    assert [line[:2] for line in lines if "A point" in line] == ["- ", "  ", "  "]
    assert lines[-2:] == ["Results: there", "Again: arena again"]


def test_text_cuts_long_tables_and_the_other_formats_do_not() -> None:
    page = page_of(TABLE)
    assert to_text(page).splitlines()[4:7] == ["bot  points", "a|b     3.2", "... 1 more row: --format md, html or csv"]
    assert to_markdown(page).splitlines()[4:8] == ["| bot | points |", "|---|--:|", "| a\\|b | 3.2 |", "| c | - |"]
    assert to_html(page).count("<tr>") == 3
    assert '<p class="caption">Below it.</p>' in to_html(page)


def test_lines_stand_as_they_are_and_figures_are_for_html() -> None:
    page = page_of(TABLE, Verbatim(["  |  x", "y  "]), Figure(element("svg"), "A caption."), element("i", "markup"))
    assert "more row: --format md, html or csv\n\n  |  x\ny\n\n" in to_text(page)
    assert "| c | - |\n\n```text\n  |  x\ny\n```\n" in to_markdown(page)
    assert "<code>  |  x\ny  </code>" in to_html(page)
    for text in (to_text(page), to_markdown(page)):
        assert "caption" not in text
        assert "markup" not in text
    assert "<figure><svg></svg><figcaption>A caption.</figcaption></figure><i>markup</i>" in to_html(page)


def test_explain_says_what_columns_mean_and_needs_no_hint() -> None:
    page = page_of(TABLE, notes=[Note("See --explain.", "hint"), Note("Half of it is missing.", "problem")])
    for write, meaning in ((to_text, "  points: What it made."), (to_markdown, "- **points**: What it made.")):
        for explain in (False, True):
            text = write(page, explain)
            assert (meaning in text) == explain
            assert ("See --explain." in text) != explain
            assert "Half of it is missing." in text
    assert "See --explain." not in to_html(page)
    assert '<li class="problem">Half of it is missing.</li>' in to_html(page)
    assert "meanings" not in json.loads(to_json(page))
    assert json.loads(to_json(page, True))["meanings"] == {"points": {"bot": "The bot.", "points": "What it made."}}


def test_notes_of_markdown_are_lines_of_their_own() -> None:
    """Two spaces end a line; what stands in the middle of a sentence would break it."""
    text = to_markdown(page_of(notes=[Note("A long note. " * 20), Note("Another.")]))
    assert [line.endswith("  ") for line in text.splitlines()[-4:]] == [True, True, True, False]


def test_every_format_is_delivered(tmp_path: Path) -> None:
    for form in FORMATS:
        said = deliver(page_of(TABLE), form, tmp_path / form, False)
        assert said == f"{tmp_path / form / 'points.csv' if form == 'csv' else tmp_path / form}\n"
    assert (tmp_path / "csv" / "points.csv").read_text() == "bot,points\na|b,3.25\nc,\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    done = arena("run", "racer", "greedy", "--games", 40, "--out", "r", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "r"


@pytest.mark.parametrize("kind", ["study", "comparison"])
def test_pages_of_experiments_hang_together(run: Path, kind: str) -> None:
    """Every reference finds what it names, which readers of screens depend on; the command is there, and no NaN."""
    page = study_page(read_study(run)) if kind == "study" else diff_page(compare_runs(run, run))
    text = to_html(page)
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r' (?:href="#|aria-labelledby=")([^"]+)"', text)) <= set(ids)
    assert '<pre tabindex="0"><code>arena ' in text
    assert not re.search(r"\b(nan|NaN|None)\b", re.sub("<(style|script)>.*?</", "", text, flags=re.DOTALL))
