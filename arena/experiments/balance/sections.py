"""What was found in a study, in the order in which it is shown: findings, and tables with sentences above them."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from arena.experiments.balance.questions import candidates, route_names
from arena.experiments.balance.study import Cell, Study
from arena.experiments.balance.tables import COURSE, table_of
from arena.experiments.measures.cities import city_table
from arena.experiments.measures.colors import color_table
from arena.experiments.measures.course import AMOUNTS, course_table
from arena.experiments.measures.effects import effect_table
from arena.experiments.measures.findings import Candidate, found
from arena.experiments.measures.prices import price_table, ways_of
from arena.experiments.measures.routes import loss_table, route_table, takers_of
from arena.experiments.measures.seats import bot_names, win_table
from arena.experiments.measures.tickets import ticket_table
from arena.experiments.measures.twins import twin_pairs, twin_table
from arena.reports.page_model import Table
from arena.texts import counted, enumerated

MOST_FINDINGS = 12
MOST_OF_A_KIND = 4
"""At the top of a study, in all and about one kind of things."""
LEADING = 3
"""At the top of a section."""


def findings(study: Study) -> list[Candidate]:
    """What matters most, over all numbers of players."""
    return found(candidate for cell in study.cells for candidate in candidates(cell))


def leading(said: Sequence[Candidate]) -> list[Candidate]:
    """Those that stand at the top: from each kind of table the best, then the second best, and so on."""
    places = [
        sum(earlier.topic.table == each.topic.table for earlier in said[:index]) for index, each in enumerate(said)
    ]
    order = sorted((place, index) for index, place in enumerate(places) if place < MOST_OF_A_KIND)
    return [said[index] for _, index in order[:MOST_FINDINGS]]


def sentences(said: Sequence[Candidate], cell: Cell, key: str) -> list[str]:
    """What stands above a table: mostly the first findings about it."""
    if key == "course":
        return [each.text for each in said if each.topic == (key, cell.players)] + [_length(cell)]
    if key == "styles" and cell.styles and cell.by_style:
        return [_favored(_styles(cell), cell.styles.summary.games)]
    return [each.text for each in said if each.topic == (key, cell.players)][:LEADING]


def _length(cell: Cell) -> str:
    return (
        f"Half of the games took {cell.turn_quantile(0.5)} turns or fewer, "
        f"95 of 100 {cell.turn_quantile(0.95)} or fewer: "
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


def tables(cell: Cell) -> Iterator[Table]:
    """The tables about one number of players."""
    for key, frame in _frames(cell):
        yield table_of(key, frame)


def _frames(cell: Cell) -> Iterator[tuple[str, pd.DataFrame]]:
    spec, sums = cell.spec, cell.sums
    yield "seats", win_table("seat", range(cell.players), sums["seats"])
    yield "tickets", _tickets(cell)
    yield "prices", price_table(spec, sums["tickets"])
    yield "routes", _sorted(_named(cell, route_table(spec, sums["routes"])), "contested")
    yield "lost", _lost(cell)
    yield "cities", _sorted(city_table(spec, sums["cities"]), "used")
    yield "colors", color_table(spec, sums["colors"], cell.players)
    if twin_pairs(spec):
        yield "twins", _twins(cell)
    yield "course", _course(cell)
    if cell.styles and cell.by_style:
        yield "styles", _styles(cell)
        if cell.styles.summary.components:
            yield "components", pd.DataFrame(cell.styles.summary.components)


def _sorted(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """The largest first, what is not known last."""
    return frame.sort_values(list(keys), ascending=False, na_position="last", kind="stable", ignore_index=True)


def _named(cell: Cell, frame: pd.DataFrame) -> pd.DataFrame:
    """A table of routes with their names."""
    frame.insert(0, "name", route_names(cell.spec))
    return frame


def _styles(cell: Cell) -> pd.DataFrame:
    assert cell.styles
    return _sorted(win_table("bot", bot_names(cell.styles.plan), cell.by_style), "win_share")


def _tickets(cell: Cell) -> pd.DataFrame:
    frame = ticket_table(cell.spec, cell.sums["tickets"])
    frame["spaces"] = ways_of(cell.spec)
    if cell.effects:
        return _sorted(frame.merge(effect_table(cell.spec, cell.effects), on="ticket"), "causes_points", "net")
    return _sorted(frame, "net")


def _lost(cell: Cell) -> pd.DataFrame:
    takers = takers_of(cell.plan)
    frame = _named(cell, loss_table(cell.sums["routes"], takers))
    shares = frame[[f"to_{taker}" for taker in takers]].to_numpy()
    frame["lost_to"] = [
        f"{takers[row.argmax()]} {row.max():.0%}" if not np.isnan(row).any() else None for row in shares
    ]
    return _sorted(frame, "lost")


def _twins(cell: Cell) -> pd.DataFrame:
    frame = twin_table(cell.spec, cell.sums["twins"])
    names = frame["from"] + "-" + frame["to"] + " (" + frame["colors"] + ")"
    never = "missed" if cell.players >= cell.spec.rules.twins_from else "both"  # (B16)
    return _sorted(
        frame.drop(columns=[never, f"{never}_low", f"{never}_high"]).assign(name=names), *{"both", "missed"} - {never}
    )


def _course(cell: Cell) -> pd.DataFrame:
    frame = course_table(cell.sums["course"])
    frame = frame[(frame["mean"] != 0) | ~frame["part"].isin(["rare", "points"])]
    if not cell.spec.rules.longest_path:
        frame = frame[frame["what"] != "longest_path_decides"]
    return frame.assign(
        text=[COURSE[what][1] for what in frame["what"]], is_share=~frame["what"].isin(AMOUNTS)
    ).reset_index(drop=True)
