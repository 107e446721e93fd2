"""The report as text for the terminal, Markdown, CSV or JSON."""

import json
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from arena.reports.document import Document

BARS = " ▁▂▃▄▅▆▇█"
NAME_WIDTH = 18
WIDTH = 80
BARS_WIDTH = 44


def _shorten(name: str, width: int = NAME_WIDTH) -> str:
    """A name cut in its middle: what tells bots apart stands at the end as often as at the start."""
    return name if len(name) <= width else f"{name[: width // 2 - 2]}…{name[1 - width // 2 - 2 :]}"


def _rows(frame: pd.DataFrame) -> list[tuple[str, Any]]:
    return [(str(name), row) for name, row in frame.iterrows()]


def _cells(document: Document) -> list[tuple[str, list[str], list[list[str]]]]:
    """The tables as (heading, column heads, rows of text)."""
    summary = document.summary
    results = [
        [
            name,
            f"{row.games:,.0f}",
            f"{row.win_share:.1%}",
            f"{row.low:.1%}-{row.high:.1%}",
            f"{row.mean_score:.1f}",
            f"{row.sd_score:.1f}",
            f"{row.mean_rank:.2f}",
            f"{row.faults:,.0f}",
        ]
        for name, row in _rows(summary.bots)
    ]
    details = [[name, *(f"{value:.1f}" for value in row)] for name, row in _rows(document.details)]
    seats = [[name, *(f"{value:.1%}" for value in row)] for name, row in _rows(summary.seats)]
    return [
        ("Results", ["bot", "games", "wins", "interval", "score", "sd", "rank", "faults"], results),
        ("Means per game", ["bot", *map(_head, document.details.columns)], details),
        ("Win share by seat", ["bot", *(f"seat {seat}" for seat in summary.seats.columns)], seats),
    ]


def _head(column: str) -> str:
    return {
        "longest_path": "path", "provinces": "mat", "tickets_kept": "kept", "tickets_completed": "done",
        "trains_left": "trains",
    }.get(column, column)  # fmt: skip


def _distribution_lines(document: Document) -> list[str]:
    """For each bot the quartiles of its scores, and a bar for every ten points, or more where that is too wide."""
    scores, bots = document.summary.scores, document.summary.bots
    step = -(-len(scores.columns) // BARS_WIDTH)
    starts = [int(column) for column in scores.columns[::step]]
    quartiles = [f"{row.q25:.0f} {row.q50:.0f} {row.q75:.0f}" for _, row in _rows(bots)]
    width = max(map(len, quartiles))
    lines = [f"{'':{NAME_WIDTH}}  {'quartiles':>{width}}  games by {10 * step} points from {starts[0]} on"]
    for (name, counts), between in zip(_rows(scores), quartiles, strict=True):
        sums = [int(counts.iloc[first : first + step].sum()) for first in range(0, len(counts), step)]
        top = max(sums)
        bars = "".join(BARS[0 if count == 0 else 1 + count * (len(BARS) - 2) // top] for count in sums)
        lines.append(f"{_shorten(name):{NAME_WIDTH}}  {between:>{width}}  {bars}")
    return lines


def _align(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    table = [list(head), *([_shorten(row[0]), *row[1:]] for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])  # names left, numbers right
        for row in table
    ]


def _footer(document: Document) -> list[str]:
    lines = [line for note in document.notes for line in textwrap.wrap(note, WIDTH)]
    if document.times:
        times = document.times
        lines.append(
            f"{times['seconds']:,.1f} s with {times.get('jobs')} processes: "
            f"{times['games_per_second']:,.0f} games a second."
        )
    return [*lines, f"Results: {document.run}", f"Again: {document.plan.command}"]


def to_text(document: Document) -> str:
    """For a terminal of 80 columns."""
    lines = [document.title]
    for heading, head, rows in _cells(document):
        lines += ["", heading, *_align(head, rows)]
    lines += ["", "Scores", *_distribution_lines(document), "", *_footer(document)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def to_markdown(document: Document) -> str:
    """Tables in GitHub's Markdown."""
    lines = [f"# {document.title}"]
    for heading, head, rows in _cells(document):
        lines += ["", f"## {heading}", "", _markdown_row(head), "|---" + "|--:" * (len(head) - 1) + "|"]
        lines += [_markdown_row(row) for row in rows]
    lines += ["", "## Scores", "", "```text", *(line.rstrip() for line in _distribution_lines(document)), "```", ""]
    return "\n".join([*lines, *(f"{line}  " for line in _footer(document)[:-1]), f"`{document.plan.command}`"]) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _flat(document: Document) -> pd.DataFrame:
    """One row a bot with every number of the report."""
    seats = document.summary.seats.add_prefix("win_share_seat_")
    return document.summary.bots.join(document.summary.details).join(seats)


def to_csv(document: Document) -> str:
    """One row a bot, all columns."""
    text: str = _flat(document).to_csv(float_format="%.6g", lineterminator="\n")
    return text


def to_object(document: Document) -> dict[str, Any]:
    """The report as one JSON object; numbers that do not exist are left out."""
    bots = []
    scores = document.summary.scores
    for name, row in _rows(_flat(document)):
        values: dict[str, Any] = {key: round(float(value), 6) for key, value in row.items() if pd.notna(value)}
        values |= {key: int(values[key]) for key in ("games", "faults")}
        by_ten = dict(zip(map(str, scores.columns), scores.loc[[name]].to_numpy()[0].tolist(), strict=True))
        bots.append({"bot": name, **values, "scores_by_ten": by_ten})
    return {
        "run": str(document.run),
        "games": document.summary.games,
        "seconds": document.times.get("seconds"),
        "games_per_second": document.times.get("games_per_second"),
        "faults": document.faults,
        "stalls": document.summary.stalls,
        "map": document.plan.map,
        "settings": document.plan.settings,
        "label": document.label,
        "players": document.plan.players,
        "seed": document.plan.seed,
        "planned_games": document.plan.games,
        "deals": document.summary.deals,
        "command": document.plan.command,
        "bots": bots,
    }


def to_json(document: Document) -> str:
    """The report as one line-broken JSON object."""
    return json.dumps(to_object(document), indent=2, allow_nan=False) + "\n"


FORMATS: dict[str, Callable[[Document], str]] = {"text": to_text, "md": to_markdown, "csv": to_csv, "json": to_json}
