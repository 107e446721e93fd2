"""A page in one of its formats: printed, or written to a file."""

import os
from collections.abc import Callable
from pathlib import Path

from arena.errors import UsageError
from arena.files import write_whole
from arena.reports.html import to_html
from arena.reports.json_csv import to_json, write_csv
from arena.reports.markdown import to_markdown
from arena.reports.page_model import Page
from arena.reports.text import to_text

TEXTS: dict[str, Callable[[Page, bool], str]] = {
    "text": to_text, "md": to_markdown, "json": to_json, "html": to_html,
}  # fmt: skip
FORMATS = (*TEXTS, "csv")


def deliver(page: Page, form: str, output: Path | None, explain: bool) -> str:
    """What is to be printed: the page in a format, or where it was written.

    HTML and CSV always go to files, by default to `page.file`, and to a file for each table in the folder `csv` beside
    it.
    """
    output = output.expanduser() if output else None
    if form == "csv":
        folder = output or page.file.with_name("csv")
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise UsageError(f"{folder} is a file; CSV is a file for each table, in a folder")
        return "".join(f"{path}\n" for path in write_csv(page, folder))
    written = TEXTS[form](page, explain)
    if form == "html":
        output = output or page.file
    if output is None:
        return written
    if os.path.isdir(output):
        raise UsageError(f"{output} is a folder; name a file")
    write_whole(output, written.encode())
    return f"{output}\n"
