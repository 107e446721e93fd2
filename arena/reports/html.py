"""The report as one HTML page: its header, sections and tables."""

import math
from pathlib import Path

from arena.reports.document import Document
from arena.reports.fault_cases import cases, sentences
from arena.reports.figures import between, figures, share
from arena.reports.markup import Html, element, joined
from arena.reports.page import Section, figure, legend, page, raw, scroller, table_of, terms
from arena.reports.tables import Table, tables
from arena.texts import counted

MOST_NOTES = 8
"""Notes that stand open at the top; the others can be opened."""
STRONGEST = 0.6
"""How much color the heat map's extremes have: letters stay readable on it."""
CROSSTABLE = (
    "How often the bot of the line finished before the bot of the column: blue more often than not, orange less often, "
    "the paler the nearer to one half. Intervals and numbers of games stand in the table of pairs below."
)


def to_html(document: Document, explain: bool = False) -> str:
    """The page; `explain` opens what the columns mean."""
    return page(document.title, _header(document), _sections(document, explain))


def _sections(document: Document, explain: bool) -> list[Section]:
    drawn = figures(document)
    parts = []
    for table in tables(document):
        shown = _crosstable(document, table) if table.key == "crosstable" else table_of(table)
        more = _faults(document) if table.key == "faults" else Html()
        whole = joined(figure(drawn.get(table.key)), shown, legend(table, explain), more)
        parts.append(Section(table.key, table.title, whole))
        if table.key == "pairs":
            parts.append(Section("scores", "Scores", figure(drawn["scores"])))
    return [*parts, Section("run", "How it was played", _origin(document))]


def _header(document: Document) -> Html:
    plan = document.plan
    label = element("p", f"{Path(plan.map).stem}: {document.label}", class_="label") if document.label else Html()
    notes = [
        element("li", note.text, class_=note.kind if note.kind != "warning" else None) for note in document.marked_notes
    ]
    return element(
        "header",
        element("p", "Ticket to Ride, a tournament of bots", class_="kind"),
        element("h1", f"{Path(plan.map).stem}, {plan.players} players"),
        label,
        _facts(document),
        element("ul", *notes[:MOST_NOTES], class_="notes") if notes else Html(),
        _more_notes(notes[MOST_NOTES:]),
    )


def _more_notes(notes: list[Html]) -> Html:
    if not notes:
        return Html()
    return element("details", element("summary", f"{len(notes):,} more notes"), element("ul", *notes, class_="notes"))


def _facts(document: Document) -> Html:
    plan, summary = document.plan, document.summary
    games = f"{summary.games:,}" + (f" of {plan.games:,} planned" if summary.games < plan.games else "")
    facts = {
        "games": games,
        "deals": f"{summary.deals:,}",
        "bots": f"{len(summary.bots):,}",
        "seed": str(plan.seed),
        "faults": f"{document.faults:,}",
        **{name: str(value) for name, value in plan.settings.items()},
        **({"played": _moment(document)} if _moment(document) else {}),
    }
    return terms(facts.items(), "facts")


def _moment(document: Document) -> str:
    """When the run was started, as it is written in its folder."""
    return str(document.times.get("started") or "").replace("T", " ").replace("+00:00", " UTC")


def _crosstable(document: Document, table: Table) -> Html:
    """The heat map: the more color the farther from one half; interval and games are said where the mouse rests."""
    names = [column.key for column in table.columns[1:]]
    details = _details(document)
    rows = []
    for (_, row), texts in zip(table.frame.iterrows(), table.cells, strict=True):
        bot = str(row["bot"])
        cells = [element("th", bot, scope="row", class_="name")]
        for name, text in zip(names, texts[1:], strict=True):
            cells.append(_heat(float(row[name]), text, details.get((bot, name)), bot == name))
        rows.append(element("tr", *cells))
    return joined(scroller(table, rows), element("p", CROSSTABLE, class_="caption"))


def _details(document: Document) -> dict[tuple[str, str], str]:
    """Of each pair, both ways round: what stands in the table of pairs."""
    said = {}
    pairs = document.summary.pairs[["bot", "other", "games", "ahead", "low", "high"]]
    for bot, other, games, ahead, low, high in pairs.itertuples(index=False):
        turned = (1 - ahead, 1 - high, 1 - low)
        for one, two, (value, least, most) in ((bot, other, (ahead, low, high)), (other, bot, turned)):
            said[one, two] = f"{one} before {two}: {share(value)}, 95 %: {between(least, most)}, {games:,} games"
    return said


def _heat(value: float, text: str, said: str | None, same: bool) -> Html:
    if not math.isfinite(value):
        return element("td", "" if same else "\N{EN DASH}", class_="same" if same else None)
    strength = STRONGEST * abs(2 * value - 1)
    kind = "ahead" if value > 0.5 else "behind"
    return element("td", text, class_=kind, style=f"--a:{strength:.2f}", title=said, data_n=raw(value))


def _faults(document: Document) -> Html:
    """What followed, and the first fault of each bot."""
    parts = [element("p", sentence) for sentence in sentences(document)]
    for case in cases(document):
        parts += [element("h3", case.title), element("p", case.reason)]
        if case.traceback:
            parts.append(element("pre", "\n".join(case.traceback), tabindex="0"))
        if case.stderr:
            parts += [element("p", "It printed:"), element("pre", "\n".join(case.stderr), tabindex="0")]
        parts.append(element("pre", element("code", case.replay), tabindex="0"))
    return joined(*parts)


def _origin(document: Document) -> Html:
    """What a reader needs to play the same games again."""
    plan, times = document.plan, document.times
    facts = {
        "map": plan.map,
        "players": str(plan.players),
        "games": f"{plan.games:,}",
        "seed": str(plan.seed),
        "format": plan.format,
        "seating": plan.seating,
        "line-ups": f"{plan.lineups:,} ({plan.design})",
    }
    facts |= {name: str(value) for name, value in plan.settings.items()}
    if moment := _moment(document):
        facts["started"] = moment
    if all(math.isfinite(times.get(name, math.nan)) for name in ("seconds", "games_per_second")):
        jobs = f" with {counted(times['jobs'], 'process', 'processes')}" if times.get("jobs") else ""
        facts["time"] = f"{times['seconds']:,.1f} s{jobs}, {times['games_per_second']:,.0f} games a second"
    versions = {key: str(value) for key, value in plan.identity.items() if value and not isinstance(value, dict)}
    digests = plan.identity.get("bots")
    digests = digests if isinstance(digests, dict) else {}
    bots = {
        name: " ".join(part for part in (spec if spec != name else "", str(digests.get(name) or "")) if part) or "–"
        for name, spec in zip(plan.names, plan.bots, strict=True)
    }
    return joined(
        element("p", "The same games again, byte for byte where versions and digests are equal:"),
        element("pre", element("code", document.command), tabindex="0"),
        terms(facts.items(), "origin"),
        element("h3", "Versions and digests"),
        terms(versions.items(), "origin"),
        element("h3", "Bots, and the digests of their sources"),
        terms(bots.items(), "origin"),
    )
