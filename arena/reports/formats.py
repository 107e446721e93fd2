"""A report in the format that is asked for, printed or written to a file."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from arena.errors import UsageError
from arena.files import write_whole
from arena.reports.document import Document
from arena.reports.html import to_html
from arena.reports.json_csv import to_json, write_csv
from arena.reports.text import to_markdown, to_text

TEXTS: dict[str, Callable[[Document, bool], str]] = {
    "text": to_text, "md": to_markdown, "json": to_json, "html": to_html,
}  # fmt: skip
FORMATS = (*TEXTS, "csv")


def deliver(document: Document, form: str, output: Path | None, explain: bool) -> str:
    """What is to be printed: the report, or where it was written."""
    return put_out(
        form, output, document.run / "report.html", lambda: TEXTS[form](document, explain),
        lambda folder: write_csv(document, folder),
    )  # fmt: skip


def put_out(
    form: str, output: Path | None, page: Path, text: Callable[[], str], write_tables: Callable[[Path], Iterable[Path]]
) -> str:
    """What is to be printed: the text in a form, or where it was written.

    HTML and CSV always go to files, by default to `page`, and to a file a table in the folder `csv` beside it.
    """
    if form == "csv":
        folder = output or page.with_name("csv")
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise UsageError(f"{folder} is a file; CSV is a file for each table, in a folder")
        return "".join(f"{path}\n" for path in write_tables(folder))
    written = text()
    if form == "html":
        output = output or page
    if output is None:
        return written
    if os.path.isdir(output):
        raise UsageError(f"{output} is a folder; name a file")
    write_whole(output, written.encode())
    return f"{output}\n"
