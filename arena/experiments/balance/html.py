"""A study as one HTML page: findings, pictures of the board, charts and tables."""

from pathlib import Path

import pandas as pd

from arena.experiments.balance.pictures import MEASURES, picture
from arena.experiments.balance.sections import Section, sections
from arena.experiments.balance.study import Study
from arena.experiments.balance.text import notes, title, what_matters
from arena.reports import charts
from arena.reports.figures import Figure, share, share_chart
from arena.reports.markup import Html, element, joined
from arena.reports.page import Section as Part
from arena.reports.page import figure, legend, page, prose, table_of, terms

FINEST_POINTS = 1.0


def to_html(study: Study, explain: bool = False) -> str:
    """The page; `explain` opens what the columns mean."""
    parts = [Part("findings", "What matters", _findings(study))]
    parts += _pictures(study)
    parts += [_part(section, study, explain) for section in sections(study)]
    return page(title(study), _header(study), [*parts, Part("run", "How it was played", _origin(study))])


def _header(study: Study) -> Html:
    plan = study.cells[0].plan
    label = element("p", f"{Path(plan.map).stem}: {study.spec.label}", class_="label") if study.spec.label else Html()
    facts = {
        "games": f"{study.games:,}",
        "players": ", ".join(str(cell.players) for cell in study.cells),
        "bots": ", ".join(dict.fromkeys(plan.bots)),
        "seed": str(plan.seed),
        **{name: str(value) for name, value in plan.settings.items()},
    }
    return element(
        "header", element("p", "Ticket to Ride, the balance of a map", class_="kind"),
        element("h1", Path(plan.map).stem), label, terms(facts.items(), "facts"),
    )  # fmt: skip


def _findings(study: Study) -> Html:
    said = element("ul", *(element("li", prose(text)) for text in what_matters(study)), class_="notes")
    return joined(said, *(element("p", prose(note), class_="caption") for note in notes(study)))


def _pictures(study: Study) -> list[Part]:
    """A section for each measure, with a board for each number of players beside each other."""
    parts = []
    for measure, shown in MEASURES.items():
        boards = [element("li", Html(picture(study.spec, cell, measure, small=True))) for cell in study.cells]
        larger = f"arena maps draw {study.cells[0].plan.map} --study {study.directory} --measure {measure}"
        whole = joined(
            element("ul", *boards, class_="boards"), element("p", "Larger: ", element("code", larger), class_="caption")
        )
        parts.append(Part(f"board-{measure}", shown.title, whole))
    return parts


def _part(section: Section, study: Study, explain: bool) -> Part:
    sentences = [element("p", prose(text)) for text in section.sentences]
    chart = figure(_chart(section, study))
    return Part(section.key, section.title,
                joined(*sentences, chart, table_of(section.table), legend(section.table, explain)))  # fmt: skip


def _chart(section: Section, study: Study) -> Figure | None:
    """The chart of a section, if it has one."""
    frame = section.table.frame
    if section.table.key == "seats":
        names = [f"seat {seat}" for seat in frame["seat"]]
        return _shares(names, frame, 1 / len(frame), "Share of the games won from each seat, with 95 % intervals over "
                       f"deals. Dashed: {share(1 / len(frame))}, an equal share.")  # fmt: skip
    if section.table.key == "styles":
        cell = next(cell for cell in study.cells if section.key.endswith(f"-{cell.players}"))
        return _shares(frame["bot"].tolist(), frame, 1 / cell.players, "Share of its games that each style won against "
                       f"the others, with 95 % intervals. Dashed: {share(1 / cell.players)}.")  # fmt: skip
    if section.table.key == "tickets" and "causes_points" in frame:
        return _effects(frame)
    return None


def _shares(names: list[str], frame: pd.DataFrame, even: float, caption: str) -> Figure:
    return Figure(
        share_chart(names, frame.fillna({"low": frame["win_share"], "high": frame["win_share"]}), even), caption
    )


def _effects(frame: pd.DataFrame) -> Figure | None:
    """What each ticket causes, in points."""
    known = frame.dropna(subset=["causes_points_low"])
    if known.empty:
        return None
    along = charts.axis(min(0.0, known["causes_points_low"].min()), max(0.0, known["causes_points_high"].max()),
                        FINEST_POINTS)  # fmt: skip
    dots = [
        charts.Dot(name, value, low, high, f"{value:+.1f}", f"{low:+.1f} to {high:+.1f}")
        for name, value, low, high in known[
            ["name", "causes_points", "causes_points_low", "causes_points_high"]
        ].itertuples(index=False)
    ]  # fmt: skip
    return Figure(charts.dots(dots, along, lambda value: f"{value:+.0f}", 0.0),
                  "Points that each ticket causes when it lies before a seat, against the mean of all tickets on the "
                  "same deals, with 95 % intervals.")  # fmt: skip


def _origin(study: Study) -> Html:
    """What a reader needs to play the same games again."""
    runs = [cell.plan for cell in study.cells] + [cell.styles.plan for cell in study.cells if cell.styles]
    return joined(
        element("p", "The same study again:"),
        element("pre", element("code", study.command), tabindex="0"),
        element("p", "Its runs, each of which can be looked at by itself (arena report, verify, replay):"),
        *(element("pre", element("code", plan.command), tabindex="0") for plan in runs),
    )
