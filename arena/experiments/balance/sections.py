"""The sections of a study in their order: findings in sentences, and tables."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.balance.questions import candidates, route_name
from arena.experiments.balance.study import Cell, Study
from arena.experiments.balance.tables import COURSE, table_of
from arena.experiments.measures.course import AMOUNTS
from arena.experiments.measures.findings import Candidate, found
from arena.experiments.measures.prices import price_table, ways_of
from arena.experiments.measures.seats import BotMeasures
from arena.reports.tables import Table
from arena.texts import counted, enumerated

MOST_FINDINGS = 12
MOST_OF_A_KIND = 4
"""At the top of a study, in all and about one kind of things."""
LEADING = 3
"""At the top of a section."""


class Section(NamedTuple):
    """A part of a study."""

    key: str
    title: str
    sentences: tuple[str, ...]
    table: Table


def findings(study: Study) -> list[Candidate]:
    """What matters most, over all numbers of players."""
    return found(candidate for cell in study.cells for candidate in candidates(study.spec, cell))


def leading(said: Sequence[Candidate]) -> list[Candidate]:
    """Those that stand at the top: from each kind of table the best, then the second best, and so on."""
    places = [
        sum(earlier.topic.table == each.topic.table for earlier in said[:index]) for index, each in enumerate(said)
    ]
    order = sorted((place, index) for index, place in enumerate(places) if place < MOST_OF_A_KIND)
    return [said[index] for _, index in order[:MOST_FINDINGS]]


def sections(study: Study) -> Iterator[Section]:
    """All of them."""
    said = findings(study)
    for cell in study.cells:
        for table in tables(study.spec, cell):
            title = f"{table.title}, {cell.players} players"
            yield Section(f"{table.key}-{cell.players}", title, tuple(sentences(said, cell, table.key)), table)


def sentences(said: Sequence[Candidate], cell: Cell, key: str) -> list[str]:
    """What stands above a table: mostly the first findings about it."""
    if key == "course":
        return [each.text for each in said if each.topic == (key, cell.players)] + [_length(cell)]
    if key == "styles" and cell.styles and cell.by_style:
        return [_favored(_styles(cell.by_style), cell.styles.summary.games)]
    return [each.text for each in said if each.topic == (key, cell.players)][:LEADING]


def _length(cell: Cell) -> str:
    course = cell.course
    return (
        f"Half of the games took {course.quantile(0.5)} turns or fewer, 95 of 100 {course.quantile(0.95)} or fewer: "
        f"{counted(cell.games, 'game')} on {counted(cell.deals, 'deal')}."
    )


def _favored(styles: pd.DataFrame, games: int) -> str:
    """Which style the map favors."""
    (best, *_), lowest, rest = styles["bot"], styles["low"].iloc[0], styles.iloc[1:]
    many = counted(games, "game")
    if lowest > rest["high"].max():
        return f"The map favors {best}: it wins more of its games than any other style, in {many}."
    rivals = [str(name) for name in rest["bot"][rest["high"] >= lowest]]
    if not rivals:
        return f"No style is surely the best: {many} are too few to tell."
    return f"No style is surely the best: the interval of {best} overlaps that of {enumerated(rivals)}, in {many}."


def tables(spec: MapSpec, cell: Cell) -> Iterator[Table]:
    """Those of one number of players."""
    for key, frame in _frames(spec, cell):
        yield table_of(key, frame)


def _frames(spec: MapSpec, cell: Cell) -> Iterator[tuple[str, pd.DataFrame]]:
    yield "seats", _seats(cell)
    yield "tickets", _tickets(spec, cell)
    yield "prices", price_table(spec, cell.tickets)
    yield "routes", _routes(spec, cell)
    yield "lost", _lost(spec, cell)
    yield "cities", _sorted(cell.cities.table(), "used")
    yield "colors", cell.colors.table()
    if cell.twins.pairs:
        yield "twins", _twins(cell)
    yield "course", _course(spec, cell)
    if cell.styles and cell.by_style:
        yield "styles", _styles(cell.by_style)
        if cell.styles.summary.components:
            yield "components", pd.DataFrame(cell.styles.summary.components)


def _sorted(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """The largest first, what is not known last."""
    return frame.sort_values(list(keys), ascending=False, na_position="last", kind="stable", ignore_index=True)


def _seats(cell: Cell) -> pd.DataFrame:
    low, high = cell.seats.wins.share_interval()
    return pd.DataFrame({
        "seat": range(cell.players), "win_share": cell.seats.wins.value, "low": low, "high": high,
        "mean_score": cell.seats.scores.value,
    })  # fmt: skip


def _styles(bots: BotMeasures) -> pd.DataFrame:
    low, high = bots.wins.share_interval()
    return _sorted(pd.DataFrame({
        "bot": bots.names, "win_share": bots.wins.value, "low": low, "high": high, "mean_score": bots.scores.value,
    }), "win_share")  # fmt: skip


def _tickets(spec: MapSpec, cell: Cell) -> pd.DataFrame:
    frame = cell.tickets.table()
    frame["spaces"] = ways_of(spec)
    if cell.effects:
        return _sorted(frame.merge(cell.effects.table(), on="ticket"), "causes_points", "net")
    return _sorted(frame, "net")


def _routes(spec: MapSpec, cell: Cell) -> pd.DataFrame:
    frame = cell.routes.table()
    frame.insert(0, "name", [route_name(spec, index) for index in frame["route"]])
    return _sorted(frame, "contested")


def _lost(spec: MapSpec, cell: Cell) -> pd.DataFrame:
    frame = cell.routes.losses()
    frame.insert(0, "name", [route_name(spec, index) for index in frame["route"]])
    shares = frame[[f"to_{taker}" for taker in cell.routes.takers]].to_numpy()
    frame["lost_to"] = [
        f"{cell.routes.takers[row.argmax()]} {row.max():.0%}" if not np.isnan(row).any() else None for row in shares
    ]
    return _sorted(frame, "lost")


def _twins(cell: Cell) -> pd.DataFrame:
    frame = cell.twins.table()
    names = frame["from"] + "-" + frame["to"] + " (" + frame["colors"] + ")"
    never = "missed" if cell.players >= cell.twins.spec.rules.twins_from else "both"  # (B16)
    return _sorted(
        frame.drop(columns=[never, f"{never}_low", f"{never}_high"]).assign(name=names), *{"both", "missed"} - {never}
    )


def _course(spec: MapSpec, cell: Cell) -> pd.DataFrame:
    frame = cell.course.table()
    frame = frame[(frame["mean"] != 0) | ~frame["part"].isin(["rare", "points"])]
    if not spec.rules.longest_path:
        frame = frame[frame["what"] != "longest_path_decides"]
    return frame.assign(
        text=[COURSE[what][1] for what in frame["what"]], is_share=~frame["what"].isin(AMOUNTS)
    ).reset_index(drop=True)
