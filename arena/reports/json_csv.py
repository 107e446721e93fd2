"""The report for programs: one JSON object of a documented form, and CSV files, one a table."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from arena.files import make_folder, write_whole
from arena.reports.document import Document
from arena.reports.fault_cases import fault_rows, probations
from arena.reports.tables import rating_frame, tables

SCHEMA = 1
"""Of the JSON object; a new number where a key is renamed, removed or changes its meaning (docs/api.md)."""
DIGITS = 6
WHOLE = ("games_needed",)
"""Columns of whole numbers that cannot always be told."""


def to_object(document: Document) -> dict[str, Any]:
    """The report as one JSON object; numbers that cannot be told are left out."""
    summary, plan = document.summary, document.plan
    above = rating_frame(summary).set_index("bot")["above"]
    details = summary.bots.join(above).join(summary.details).join(summary.bot_seats.add_prefix("win_share_seat_"))
    bots = rows_of(details.reset_index())
    for row, (_, counts) in zip(bots, summary.scores.iterrows(), strict=True):
        row["scores_by_ten"] = {str(column): int(count) for column, count in counts.items()}
    return {
        "schema": SCHEMA,
        "run": str(document.run),
        "games": summary.games,
        "seconds": document.times.get("seconds"),
        "games_per_second": document.times.get("games_per_second"),
        "faults": document.faults,
        "fault_kinds": fault_rows(document),
        "probation": probations(document),
        "stalls": summary.stalls,
        "rare": [rare._asdict() for rare in document.rare],
        "map": plan.map,
        "settings": plan.settings,
        "label": document.label,
        "note": plan.note,
        "players": plan.players,
        "seed": plan.seed,
        "format": plan.format,
        "seating": plan.seating,
        "design": plan.design,
        "planned_games": plan.games,
        "deals": summary.deals,
        "command": document.command,
        "anchor": document.anchor,
        "bots": bots,
        "pairs": _with_superiority(document),
        "seats": rows_of(summary.seats.reset_index()),
        "components": [component._asdict() for component in summary.components],
        "contradictions": [
            {"bot": one, "other": other, "ahead": share} for one, other, share in summary.contradictions
        ],
        "pools": summary.pools,
        "notes": document.notes,
    }


def _with_superiority(document: Document) -> list[dict[str, Any]]:
    """The pairs, and how likely the first is really the stronger one."""
    pairs, matrix = document.summary.pairs, document.summary.superiority
    values = [matrix.loc[one, other] for one, other in zip(pairs["bot"], pairs["other"], strict=True)]
    return rows_of(pairs.assign(superiority=values))


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


def to_json(document: Document, explain: bool = False) -> str:
    """The object in lines; `explain` adds what the columns mean."""
    data = to_object(document)
    if explain:
        data["meanings"] = {
            table.key: {column.key: column.meaning for column in table.columns} for table in tables(document)
        }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def write_csv(document: Document, folder: Path) -> list[Path]:
    """Write a file for each table, `results.csv` and so on, and `scores.csv`; a number that cannot be told is empty."""
    frames = {table.key: table.frame for table in tables(document)}
    frames["scores"] = document.summary.scores.reset_index()
    frames["superiority"] = document.summary.superiority.reset_index()
    make_folder(folder)
    written = []
    for name, frame in frames.items():
        written.append(folder / f"{name}.csv")
        text = _with_whole_numbers(frame).to_csv(index=False, float_format=f"%.{DIGITS}g", lineterminator="\n")
        write_whole(written[-1], text.encode())
    return written
