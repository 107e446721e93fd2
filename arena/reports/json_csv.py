"""A page for programs: one JSON object of a documented form, and CSV files, one for each table."""

import json
from pathlib import Path
from typing import Any

import numpy as np
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
    frame = _with_whole_numbers(frame)
    return [
        {str(key): _plain(value) for key, value in zip(frame.columns, row, strict=True) if pd.notna(value)}
        for row in frame.itertuples(index=False)
    ]


def _with_whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype({name: "Int64" for name in WHOLE if name in frame})


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    number = float(value)
    return int(number) if number.is_integer() and not isinstance(value, float) else round(number, DIGITS)
