"""A study, a comparison or a sweep in one of its formats, printed or written."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from arena.experiments.balance import html, json_csv, text
from arena.experiments.balance.study import Study
from arena.experiments.variants import diff_report, sweep_report
from arena.experiments.variants.diff import Diff
from arena.experiments.variants.sweep import Swept
from arena.reports.formats import put_out

Found = TypeVar("Found", Study, Diff, Swept)


def deliver(study: Study, form: str, output: Path | None, explain: bool) -> str:
    """What is to be printed: the study, or where it was written."""
    texts = {"text": text.to_text, "md": text.to_markdown, "json": json_csv.to_json, "html": html.to_html}
    return _put(study, texts, json_csv.write_csv, study.directory / "balance.html", form, output, explain)


def deliver_diff(diff: Diff, form: str, output: Path | None, explain: bool) -> str:
    """The same of a comparison; one of two runs has no directory, and its files go where the user is."""
    texts = {
        "text": diff_report.to_text, "md": diff_report.to_markdown, "json": diff_report.to_json,
        "html": diff_report.to_html,
    }  # fmt: skip
    page = (diff.directory or Path(".")) / "diff.html"
    return _put(diff, texts, diff_report.write_csv, page, form, output, explain)


def deliver_sweep(swept: Swept, form: str, output: Path | None, explain: bool) -> str:
    """The same of a sweep."""
    texts = {
        "text": sweep_report.to_text, "md": sweep_report.to_markdown, "json": sweep_report.to_json,
        "html": sweep_report.to_html,
    }  # fmt: skip
    return _put(swept, texts, sweep_report.write_csv, swept.directory / "sweep.html", form, output, explain)


def _put(
    found: Found, texts: Mapping[str, Callable[[Found, bool], str]], write_csv: Callable[[Found, Path], list[Path]],
    page: Path, form: str, output: Path | None, explain: bool,
) -> str:  # fmt: skip
    output = output.expanduser() if output else None
    return put_out(form, output, page, lambda: texts[form](found, explain), lambda folder: write_csv(found, folder))
