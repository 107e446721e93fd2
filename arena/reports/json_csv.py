"""A page for programs: one JSON object of a documented form, and CSV files, one for each table."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from arena.files import make_folder, write_whole
from arena.reports.page_model import Page

DIGITS = 6
WHOLE = ("games_needed",)
"""Columns of whole numbers that cannot always be told."""


def to_json(page: Page, explain: bool = False) -> str:
    """The object in lines; `explain` adds what the columns mean."""
    data = page.data()
    if explain and (meanings := page.meanings()):
        data["meanings"] = meanings
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def write_csv(page: Page, folder: Path) -> list[Path]:
    """Write a file for each table, `results.csv` and so on; a number that cannot be told is empty."""
    make_folder(folder)
    written = []
    for name, frame in page.frames().items():
        written.append(folder / f"{name}.csv")
        text = _with_whole_numbers(frame).to_csv(index=False, float_format=f"%.{DIGITS}g", lineterminator="\n")
        write_whole(written[-1], text.encode())
    return written


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame as objects; whole numbers as such, numbers that cannot be told left out."""
    rows = json.loads(_with_whole_numbers(frame).to_json(orient="records", double_precision=DIGITS))
    return [{key: value for key, value in row.items() if value is not None} for row in rows]


def _with_whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype({name: "Int64" for name in WHOLE if name in frame})
