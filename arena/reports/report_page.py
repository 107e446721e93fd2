"""What a report on a run says: section by section, and as one JSON object (docs/api.md)."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from arena.reports.document import Document
from arena.reports.fault_cases import cases, fault_rows, sentences, suspensions
from arena.reports.figures import figures, heat_columns
from arena.reports.html import terms
from arena.reports.json_csv import rows_of
from arena.reports.markup import element, joined
from arena.reports.page_model import Block, Note, Page, Section, Table, Verbatim, meanings_of
from arena.reports.tables import rating_frame, tables
from arena.reports.text import NAME_WIDTH, shorten, wrapped
from arena.texts import WIDTH, counted

SCHEMA = 1
"""The version of the JSON object: a new number where a key is renamed, removed or changes its meaning."""
BARS = " ▁▂▃▄▅▆▇█"
BARS_WIDTH = 44
MOST_ACROSS = 7
"""Bots of which a crosstable fits 80 columns."""
MOST_PAIRS = 6
"""Pairs shown as text; of more, see `_fewer_pairs`."""
CROSSTABLE = (
    "How often the bot of the line finished before the bot of the column: blue more often than not, orange less often, "
    "the paler the nearer to one half. Intervals and numbers of games stand in the table of pairs below."
)


def report_page(document: Document) -> Page:
    """The page of a run."""
    name = Path(document.plan.map).stem
    hint = f"Intervals: 95 %, {document.over_deals}. What each column means: --explain."
    return Page(
        kind="Ticket to Ride, a tournament of bots",
        title=document.title,
        heading=f"{name}, {document.plan.players} players",
        label=f"{name}: {document.label}" if document.label else "",
        facts=_facts(document),
        notes=[Note(hint, "hint"), *document.marked_notes],
        sections=partial(_sections, document),
        closing=[*([f"{speed}."] if (speed := _speed(document)) else []), f"Results: {document.run}"],
        command=document.command,
        file=document.run / "report.html",
        data=partial(to_object, document),
        frames=lambda: {
            **{table.key: table.frame for table in tables(document)},
            "scores": document.summary.scores.reset_index(),
            "superiority": document.summary.superiority.reset_index(),
        },
        meanings=lambda: meanings_of(tables(document)),
    )


def _sections(document: Document, brief: bool) -> Iterator[Section]:
    if brief:
        for table in _brief_tables(document):
            faults = [Verbatim(_fault_lines(document))] if table.key == "faults" else []
            yield Section(table.key, table.title, [table, *faults])
        yield Section("scores", "Scores", [Verbatim(_score_bars(document))])
        return
    drawn = figures(document)
    for table in tables(document):
        if table.key == "crosstable":
            table = table._replace(columns=heat_columns(document, table), caption=CROSSTABLE)
        figure = [drawn[table.key]] if table.key in drawn else []
        yield Section(table.key, table.title, [*figure, table, *(_faults(document) if table.key == "faults" else ())])
        if table.key == "pairs":
            yield Section("scores", "Scores", [drawn["scores"]])
    yield Section("run", "How it was played", [*_origin(document)])


def _brief_tables(document: Document) -> Iterator[Table]:
    """The tables that fit a page of text."""
    for table in tables(document):
        if table.key == "crosstable" and len(table.frame) > MOST_ACROSS:
            continue
        if table.key == "pairs" and len(table.frame) > MOST_PAIRS:
            table = _fewer_pairs(document, table)
        yield table


def _fewer_pairs(document: Document, pairs: Table) -> Table:
    """Those of the first bot of a gauntlet; else those that stand one below the other in the results."""
    first = document.plan.names[0]
    rows = list(zip(pairs.frame["bot"], pairs.frame["other"], strict=True))
    if document.plan.format == "gauntlet":
        return pairs._replace(title=f"Pairs of {first}", frame=pairs.frame[[first in row for row in rows]])
    neighbors = set(pairwise(document.summary.bots.index))
    return pairs._replace(title="Neighbors in the results", frame=pairs.frame[[row in neighbors for row in rows]])


def _score_bars(document: Document) -> list[str]:
    """For each bot the quartiles of its scores, and a bar for every ten points, or more where that is too wide."""
    scores, bots = document.summary.scores, document.summary.bots
    step = -(-len(scores.columns) // BARS_WIDTH)
    starts = [int(column) for column in scores.columns[::step]]
    quartiles = [f"{row.q25:.0f} {row.q50:.0f} {row.q75:.0f}" for row in bots.itertuples()]
    width = max(map(len, quartiles))
    lines = [f"{'':{NAME_WIDTH}}  {'quartiles':>{width}}  games by {10 * step} points from {starts[0]} on"]
    for (name, counts), between in zip(scores.iterrows(), quartiles, strict=True):
        sums = [int(counts.iloc[first : first + step].sum()) for first in range(0, len(counts), step)]
        top = max(sums)
        bars = "".join(BARS[0 if count == 0 else 1 + count * (len(BARS) - 2) // top] for count in sums)
        lines.append(f"{shorten(str(name)):{NAME_WIDTH}}  {between:>{width}}  {bars}")
    return lines


def _fault_lines(document: Document) -> list[str]:
    """What followed, and the first fault of each bot; a command is one line, however long."""
    lines = [line for sentence in sentences(document) for line in wrapped(sentence)]
    for case in cases(document):
        lines += ["", *wrapped(case.title), *wrapped(case.reason, "  ", "  "), *_indented(case.traceback, "  | ")]
        if case.stderr:
            lines += ["  It printed:", *_indented(case.stderr, "  | ")]
        lines.append(f"Replay: {case.replay}")
    return lines


def _indented(lines: Sequence[str], before: str) -> list[str]:
    """Lines behind something; long ones are broken."""
    size = WIDTH - len(before)
    return [before + line[first : first + size] for line in lines for first in range(0, len(line), size)]


def _faults(document: Document) -> Iterator[Block]:
    """What followed, and the first fault of each bot."""
    yield from sentences(document)
    for case in cases(document):
        yield element("h3", case.title)
        yield case.reason
        if case.traceback:
            yield Verbatim(case.traceback)
        if case.stderr:
            yield "It printed:"
            yield Verbatim(case.stderr)
        yield Verbatim([case.replay])


def _facts(document: Document) -> dict[str, str]:
    plan, summary = document.plan, document.summary
    return {
        "games": f"{summary.games:,}" + (f" of {plan.games:,} planned" if summary.games < plan.games else ""),
        "deals": f"{summary.deals:,}",
        "bots": f"{len(summary.bots):,}",
        "seed": str(plan.seed),
        "faults": f"{document.faults:,}",
        **{name: str(value) for name, value in plan.settings.items()},
        **_started(document, "played"),
    }


def _started(document: Document, name: str) -> dict[str, str]:
    """When the run was started, as it is written in its folder."""
    moment = str(document.times.get("started") or "").replace("T", " ").replace("+00:00", " UTC")
    return {name: moment} if moment else {}


def _speed(document: Document) -> str:
    """How long the run took; empty if that is not known."""
    times = document.times
    if not all(math.isfinite(times.get(name, math.nan)) for name in ("seconds", "games_per_second")):
        return ""
    number = times.get("sessions", 1)  # more if it was stopped and resumed, or put together
    sessions = f" in {number} sessions" if number > 1 else ""
    processes = counted(times.get("jobs", 1), "process", "processes")
    return f"{times['seconds']:,.1f} s with {processes}{sessions}: {times['games_per_second']:,.0f} games a second"


def _origin(document: Document) -> Iterator[Block]:
    """What a reader needs to play the same games again."""
    plan = document.plan
    facts = {
        "map": plan.map,
        "players": str(plan.players),
        "games": f"{plan.games:,}",
        "seed": str(plan.seed),
        "format": plan.format,
        "seating": plan.seating,
        "line-ups": f"{plan.lineups:,} ({plan.design})",
        **{name: str(value) for name, value in plan.settings.items()},
        **_started(document, "started"),
        **({"time": speed} if (speed := _speed(document)) else {}),
    }
    versions = {key: str(value) for key, value in vars(plan.identity).items() if value and key != "bots"}
    digests = plan.identity.bots
    bots = {
        name: " ".join(part for part in (spec if spec != name else "", str(digests.get(name) or "")) if part) or "–"
        for name, spec in zip(plan.names, plan.bots, strict=True)
    }
    yield "The same games again, byte for byte where versions and digests are equal:"
    yield Verbatim([document.command])
    yield joined(
        terms(facts.items(), "origin"),
        element("h3", "Versions and digests"),
        terms(versions.items(), "origin"),
        element("h3", "Bots, and the digests of their sources"),
        terms(bots.items(), "origin"),
    )


def to_object(document: Document) -> dict[str, Any]:
    """The report as one JSON object; numbers that cannot be told are left out."""
    summary, plan = document.summary, document.plan
    above = rating_frame(summary).set_index("bot")["above"]
    details = summary.bots.join(above).join(summary.details).join(summary.bot_seats.add_prefix("win_share_seat_"))
    bots = rows_of(details.reset_index())
    for row, (_, counts) in zip(bots, summary.scores.iterrows(), strict=True):
        row["scores_by_ten"] = {str(column): int(count) for column, count in counts.items()}
    matrix, pairs = summary.superiority, zip(summary.pairs["bot"], summary.pairs["other"], strict=True)
    superiority = [matrix.loc[one, other] for one, other in pairs]
    return {
        "schema": SCHEMA,
        "run": str(document.run),
        "games": summary.games,
        "seconds": document.times.get("seconds"),
        "games_per_second": document.times.get("games_per_second"),
        "faults": document.faults,
        "fault_kinds": fault_rows(document),
        "probation": suspensions(document),
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
        "pairs": rows_of(summary.pairs.assign(superiority=superiority)),
        "seats": rows_of(summary.seats.reset_index()),
        "components": [component._asdict() for component in summary.components],
        "contradictions": [
            {"bot": one, "other": other, "ahead": share} for one, other, share in summary.contradictions
        ],
        "pools": summary.groups,
        "notes": document.notes,
    }
