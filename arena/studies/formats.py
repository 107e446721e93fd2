"""A study in one of its formats, printed or written."""

from collections.abc import Callable
from pathlib import Path

from arena.reports.formats import put_out
from arena.studies.data import to_json, write_csv
from arena.studies.html import to_html
from arena.studies.study import Study
from arena.studies.text import to_markdown, to_text

TEXTS: dict[str, Callable[[Study, bool], str]] = {
    "text": to_text, "md": to_markdown, "json": to_json, "html": to_html,
}  # fmt: skip


def deliver(study: Study, form: str, output: Path | None, explain: bool) -> str:
    """What is to be printed: the study, or where it was written."""
    return put_out(
        form, output, study.directory / "balance.html", lambda: TEXTS[form](study, explain),
        lambda folder: write_csv(study, folder),
    )  # fmt: skip
