"""What was found, in one of its formats, printed or written: a study, a comparison, a sweep."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from arena.reports.formats import put_out
from arena.studies import data, difftext, html, sweeptext, text
from arena.studies.diff import Diff
from arena.studies.study import Study
from arena.studies.sweep import Swept

Found = TypeVar("Found", Study, Diff, Swept)


def deliver(study: Study, form: str, output: Path | None, explain: bool) -> str:
    """What is to be printed: the study, or where it was written."""
    texts = {"text": text.to_text, "md": text.to_markdown, "json": data.to_json, "html": html.to_html}
    return _put(study, texts, data.write_csv, study.directory / "balance.html", form, output, explain)


def deliver_diff(diff: Diff, form: str, output: Path | None, explain: bool) -> str:
    """The same of a comparison; one of two runs has no directory, and its files go where the user is."""
    texts = {"text": difftext.to_text, "md": difftext.to_markdown, "json": difftext.to_json, "html": difftext.to_html}
    page = (diff.directory or Path(".")) / "diff.html"
    return _put(diff, texts, difftext.write_csv, page, form, output, explain)


def deliver_sweep(swept: Swept, form: str, output: Path | None, explain: bool) -> str:
    """The same of a sweep."""
    texts = {
        "text": sweeptext.to_text, "md": sweeptext.to_markdown, "json": sweeptext.to_json, "html": sweeptext.to_html,
    }  # fmt: skip
    return _put(swept, texts, sweeptext.write_csv, swept.directory / "sweep.html", form, output, explain)


def _put(
    found: Found, texts: Mapping[str, Callable[[Found, bool], str]], write_csv: Callable[[Found, Path], list[Path]],
    page: Path, form: str, output: Path | None, explain: bool,
) -> str:  # fmt: skip
    output = output.expanduser() if output else None
    return put_out(form, output, page, lambda: texts[form](found, explain), lambda folder: write_csv(found, folder))
