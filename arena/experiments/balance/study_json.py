"""The JSON object of a study."""

from collections.abc import Sequence
from typing import Any

from arena.experiments.balance.sections import findings, sentences, tables
from arena.experiments.balance.study import Study
from arena.experiments.balance.tables import TITLES
from arena.reports.json_csv import DIGITS, rows_of
from arena.reports.page_model import Note

SCHEMA = 1
"""The version of the JSON object: a new number where a key is renamed, removed or changes its meaning."""


def to_object(study: Study, title: str, notes: Sequence[Note]) -> dict[str, Any]:
    """The study as one JSON object; numbers that cannot be told are left out."""
    plan, said = study.cells[0].plan, findings(study)
    return {
        "schema": SCHEMA,
        "title": title,
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
        "notes": [note.text for note in notes],
    }
