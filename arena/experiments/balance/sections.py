"""What was found in a study, in the order in which it is shown: findings, and tables with sentences above them."""

from collections.abc import Iterator, Sequence

import pandas as pd

from arena.experiments.balance.questions import candidates
from arena.experiments.balance.study import Cell, Study
from arena.experiments.balance.tables import table_of
from arena.experiments.measures.colors import color_table
from arena.experiments.measures.course import bot_names, course_table, win_table
from arena.experiments.measures.findings import Candidate, found
from arena.experiments.measures.routes import city_table, loss_table, route_table, takers_of, twin_pairs, twin_table
from arena.experiments.measures.tickets import price_table, ticket_table
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
    yield "tickets", ticket_table(spec, sums["tickets"], cell.effects)
    yield "prices", price_table(spec, sums["tickets"])
    yield "routes", route_table(spec, sums["routes"])
    yield "lost", loss_table(spec, sums["routes"], takers_of(cell.plan))
    yield "cities", city_table(spec, sums["cities"])
    yield "colors", color_table(spec, sums["colors"], cell.players)
    if twin_pairs(spec):
        yield "twins", twin_table(spec, sums["twins"], cell.players)
    yield "course", course_table(spec, sums["course"])
    if cell.styles and cell.by_style:
        yield "styles", _styles(cell)
        if cell.styles.summary.components:
            yield "components", pd.DataFrame(cell.styles.summary.components)


def _styles(cell: Cell) -> pd.DataFrame:
    assert cell.styles
    frame = win_table("bot", bot_names(cell.styles.plan), cell.by_style)
    return frame.sort_values("win_share", ascending=False, kind="stable", ignore_index=True)
