"""A study for programs: one JSON object, or one CSV file for each table."""

import json
from pathlib import Path
from typing import Any

from arena.experiments.balance.sections import findings, sentences, tables
from arena.experiments.balance.study import Study
from arena.experiments.balance.tables import TITLES
from arena.experiments.balance.text import notes, title
from arena.files import make_folder, write_whole
from arena.reports.json_csv import DIGITS, rows_of

SCHEMA = 1
"""Of the JSON object; a new number where a key is renamed, removed or changes its meaning."""


def to_object(study: Study) -> dict[str, Any]:
    """The study as one JSON object; numbers that cannot be told are left out."""
    plan, said = study.cells[0].plan, findings(study)
    return {
        "schema": SCHEMA,
        "title": title(study),
        "directory": str(study.directory),
        "map": plan.map,
        "map_digest": study.spec.digest,
        "label": study.spec.label,
        "settings": plan.settings,
        "seed": plan.seed,
        "games": study.games,
        "command": study.command,
        "findings": [
            {
                **each.topic._asdict(),
                "text": each.text,
                "margins": round(each.effect, DIGITS),
                "sure": round(each.sure, DIGITS),
                "p": float(f"{each.p:.{DIGITS}g}"),
                "sample": each.sample,
            }
            for each in said
        ],
        "cells": [
            {
                "players": cell.players,
                "bots": list(cell.plan.names),
                "games": cell.games,
                "deals": cell.deals,
                "effect_games": cell.effect_games,
                "sentences": {key: above for key in TITLES if (above := sentences(said, cell, key))},
                "tables": {table.key: rows_of(table.frame) for table in tables(study.spec, cell)},
            }
            for cell in study.cells
        ],
        "notes": notes(study),
    }


def to_json(study: Study, explain: bool = False) -> str:
    """The object in lines; `explain` adds what the columns mean."""
    data = to_object(study)
    if explain:
        data["meanings"] = {
            table.key: {column.key: column.meaning for column in table.columns}
            for table in tables(study.spec, study.cells[0])
        }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def write_csv(study: Study, folder: Path) -> list[Path]:
    """Write a file for each table, `seats-2.csv` and so on; a number that cannot be told is empty."""
    make_folder(folder)
    written = []
    for cell in study.cells:
        for table in tables(study.spec, cell):
            written.append(folder / f"{table.key}-{cell.players}.csv")
            text = table.frame.to_csv(index=False, float_format=f"%.{DIGITS}g", lineterminator="\n")
            write_whole(written[-1], text.encode())
    return written
