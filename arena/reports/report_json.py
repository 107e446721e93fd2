"""The JSON object of a report (docs/api.md)."""

from typing import Any

from arena.reports.document import Document
from arena.reports.fault_cases import fault_rows, probations
from arena.reports.json_csv import rows_of
from arena.reports.tables import rating_frame

SCHEMA = 1
"""The version of the JSON object: a new number where a key is renamed, removed or changes its meaning (docs/api.md)."""


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
        "pools": summary.groups,
        "notes": document.notes,
    }


def _with_superiority(document: Document) -> list[dict[str, Any]]:
    """The pairs, and how likely the first is really the stronger one."""
    pairs, matrix = document.summary.pairs, document.summary.superiority
    values = [matrix.loc[one, other] for one, other in zip(pairs["bot"], pairs["other"], strict=True)]
    return rows_of(pairs.assign(superiority=values))
