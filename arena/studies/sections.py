"""What a study shows, in its order: sections of findings in sentences and tables."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from arena.balance.findings import Candidate, found
from arena.mapspec import MapSpec, Ticket
from arena.reports.document import Document
from arena.reports.tables import Column, Table, components_table, name_column, number, span
from arena.studies.questions import candidates, route_name, ways_of
from arena.studies.study import Cell, Study
from arena.texts import counted

MOST_FINDINGS = 12
MOST_OF_A_KIND = 4
"""At the top of a study, in all and about one kind of things."""
LEADING = 3
"""At the top of a section."""

COURSE = {
    "turns": ("turns", "turns, all players together", 1),
    "turns_winner_leads": ("led to the end", "part of the game in which the last leader led", 100),
    "lead_changes": ("lead changes", "changes of the lead on the scoring track", 1),
    "comebacks": ("comebacks", "winner was not the last leader on the track", 100),
    "margin": ("winning margin", "points between first and second", 1),
    "stalls": ("stalls (B18)", "ended in a stall: nobody could move (B18)", 100),
    "longest_path_decides": ("longest path decides", "another would have won without the longest path", 100),
    "tickets_decide": ("tickets decide", "another would have won without tickets", 100),
    "pass": ("passes (B18)", "games with a pass (B18)", 100),
    "one_card_turn": ("one-card turns (B13)", "games with a turn of one card (B13)", 100),
    "row_of_locomotives": ("locomotive rows (B11)", "games in which a row kept its locomotives (B11)", 100),
    "full_line": ("full mat lines (K5)", "games with a full line of the mat (K5)", 100),
    "routes": ("points: routes", "points for routes", 1),
    "tickets": ("points: tickets", "points for tickets", 1),
    "longest_path": ("points: longest path", "points for the longest path", 1),
    "bullet": ("points: bullet trains", "points by bullet trains", 1),
    "provinces": ("points: mat", "points of the mat", 1),
}
"""A short name, what it is in words, and whether it is a share (100) or a number."""


class Section(NamedTuple):
    """A part of a study."""

    key: str
    title: str
    sentences: tuple[str, ...]
    table: Table


def ticket_name(ticket: Ticket) -> str:
    """A ticket without its points."""
    return f"{ticket.a}-{ticket.b}"


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
            own = (table.key, cell.players)
            sentences = [each.text for each in said if each.topic == own][:LEADING]
            if table.key == "course":
                sentences = [_length(cell)]
            if cell.styles and table.key == "styles":
                sentences = [_favored(cell.styles)]
            yield Section(
                f"{table.key}-{cell.players}", f"{table.title}, {cell.players} players", tuple(sentences), table
            )


def _length(cell: Cell) -> str:
    course = cell.course
    return (
        f"Half of the games took {course.quantile(0.5)} turns or fewer, 95 of 100 {course.quantile(0.95)} or fewer: "
        f"{counted(cell.games, 'game')} on {counted(cell.deals, 'deal')}."
    )


def _favored(styles: Document) -> str:
    """Which style the map favors."""
    bots = styles.summary.bots
    best, rest = bots.index[0], bots.iloc[1:]
    games = counted(styles.summary.games, "game")
    if bots["low"].iloc[0] > rest["high"].max():
        return f"The map favors {best}: it wins more of its games than any other style, in {games}."
    rivals = [str(name) for name in rest.index[rest["high"] >= bots["low"].iloc[0]]]
    return f"No style is surely the best: {best} is not told apart from {' and '.join(rivals)} in {games}."


def tables(spec: MapSpec, cell: Cell) -> Iterator[Table]:
    """Those of one number of players."""
    yield _seats(cell)
    yield _tickets(spec, cell)
    yield _routes(spec, cell)
    yield _cities(cell)
    yield _colors(cell)
    if cell.twins.pairs:
        yield _twins(cell)
    yield _course(cell)
    if cell.styles:
        yield _styles(cell)
        if cell.styles.summary.components:
            yield components_table(cell.styles.summary)


def _to(low: str, high: str) -> Callable[[Any], str]:
    """From one number with its sign to another."""
    return lambda row: f"{row[low]:+.1f} to {row[high]:+.1f}" if pd.notna(row[low]) else "-"


def _seats(cell: Cell) -> Table:
    low, high = cell.seats.wins.interval()
    frame = pd.DataFrame({
        "seat": range(cell.players), "win_share": cell.seats.wins.value, "low": low, "high": high,
        "mean_score": cell.seats.scores.value,
    })  # fmt: skip
    return Table("seats", "Seats", frame, (
        Column("seat", "seat", number("seat", ".0f"), "The seat; seat 0 moves first."),
        Column("win_share", "wins", number("win_share", ".1%"), "Share of the games won from this seat."),
        Column("interval", "interval", span("low", "high"), "95 % interval of that share, over deals.", "low"),
        Column("mean_score", "score", number("mean_score"), "Mean points in this seat."),
    ))  # fmt: skip


def _tickets(spec: MapSpec, cell: Cell) -> Table:
    frame = cell.tickets.table()
    frame["spaces"] = ways_of(spec)
    columns = [
        name_column("name", "The ticket."),
        Column("points", "pts", number("points", ".0f"), "Its points."),
        Column("spaces", "way", number("spaces", ".0f"), "Spaces of the shortest way between its cities."),
        Column("kept", "kept", number("kept", ".0%"), "Share of the times that it was kept when it was on offer."),
        Column("completed", "done", number("completed", ".0%"), "Share of those who kept it that completed it."),
        Column("net", "net", number("net", "+z.1f"), "Points that it brought who kept it, failures subtracted."),
        Column("lift", "lift", number("lift", "+z.1%"), "Win share of who kept it, beyond an equal share: as seen, "
               "which says nothing of the cause."),
    ]  # fmt: skip
    key = "net"
    if cell.effects:
        frame = frame.merge(cell.effects.table(), on="ticket")
        key = "causes_points"
        columns += [
            Column("causes_points", "causes", number("causes_points", "+z.1f"), "Points that it causes when it lies "
                   "before a seat, against the mean of all tickets on the same deals."),
            Column("causes_interval", "interval", _to("causes_points_low", "causes_points_high"),
                   "95 % interval of that, over deals.", "causes_points_low"),
            Column("causes_wins", "wins", number("causes_wins", "+z.1%"), "Win share that it causes so."),
        ]  # fmt: skip
    frame = frame.sort_values(key, ascending=False, na_position="last", kind="stable", ignore_index=True)
    return Table("tickets", "Tickets", frame, tuple(columns))


def _routes(spec: MapSpec, cell: Cell) -> Table:
    frame = cell.routes.table()
    frame.insert(0, "name", [route_name(spec, index) for index in frame["route"]])
    frame = frame.sort_values("contested", ascending=False, na_position="last", kind="stable", ignore_index=True)
    return Table("routes", "Routes", frame, (
        name_column("name", "The route, the most contested first."),
        Column("length", "len", number("length", ".0f"), "Its spaces."),
        Column("points_per_turn", "p/turn", number("points_per_turn"), "Its points by the turns that it takes: one for "
               "the claim, and half of one for each card."),
        Column("claimed", "claimed", number("claimed", ".0%"), "Share of the games in which somebody has it."),
        Column("when", "when", number("when", ".0%"), "Part of the game that was over when it was claimed."),
        Column("contested", "contested", number("contested", ".1%"), "Share of its claims after which a ticket of "
               "another player needs more trains, or cannot be completed any more."),
        Column("contested_interval", "interval", span("contested_low", "contested_high"), "95 % interval of that, over "
               "deals.", "contested_low"),
        Column("lift", "lift", number("lift", "+z.1%"), "Win share of who has it, beyond an equal share: as seen."),
    ))  # fmt: skip


def _cities(cell: Cell) -> Table:
    frame = cell.cities.table().sort_values("used", ascending=False, kind="stable", ignore_index=True)
    return Table("cities", "Cities", frame, (
        name_column("city", "The city, the most used first."),
        Column("used", "used", number("used", ".1%"), "Share of the players who have a route there."),
        Column("interval", "interval", span("used_low", "used_high"), "95 % interval of that, over deals.", "used_low"),
        Column("dead_ends", "dead ends", number("dead_ends", ".1%"), "Share of these for whom only one of their routes "
               "ends there."),
    ))  # fmt: skip


def _colors(cell: Cell) -> Table:
    return Table("colors", "Colors", cell.colors.table(), (
        name_column("color", "The color of train cards."),
        Column("supply", "cards", number("supply", ".0f"), "Cards in the deck."),
        Column("spaces", "spaces", number("spaces", ".0f"), "Spaces of the routes of this color."),
        Column("claimed", "claimed", number("claimed", ".0%"), "Share of the routes of this color that somebody has."),
        Column("paid", "paid", number("paid"), "Cards paid a game, by all players together."),
        Column("paid_gray", "for gray", number("paid_gray"), "Those of them for gray routes."),
        Column("left", "left", number("left"), "Cards left in all hands at the end: wasted."),
        Column("interval", "interval", span("left_low", "left_high", ".1f"), "95 % interval of that, over deals.",
               "left_low"),
    ))  # fmt: skip


def _twins(cell: Cell) -> Table:
    frame = cell.twins.table()
    names = frame["from"] + "-" + frame["to"] + " (" + frame["colors"] + ")"
    frame = frame.assign(name=names).sort_values(["both", "missed"], ascending=False, kind="stable", ignore_index=True)
    return Table("twins", "Double routes", frame, (
        name_column("name", "The double route."),
        Column("one", "one", number("one", ".1%"), "Share of the games in which one track is claimed."),
        Column("both", "both", number("both", ".1%"), "Share in which both are, by two players."),
        Column("missed", "missed", number("missed", ".1%"), "Share in which the rule shuts the second track (B16) and "
               "another player still comes to connect the two cities, by other tracks."),
        Column("interval", "interval", span("missed_low", "missed_high"), "95 % interval of that, over deals.",
               "missed_low"),
    ))  # fmt: skip


def _course(cell: Cell) -> Table:
    frame = cell.course.table()
    frame = frame[(frame["mean"] != 0) | ~frame["part"].isin(["rare", "points"])]
    words = [COURSE[what] for what in frame["what"]]
    frame = frame.assign(
        text=[text for _, text, _ in words],
        **{name: frame[name] * [scale for *_, scale in words] for name in ("mean", "low", "high")},
        unit=["%" if scale == 100 else "" for *_, scale in words],
    )
    return Table("course", "Course of the games", frame.reset_index(drop=True), (
        name_column("text", "What is said of a game; points are those of a player."),
        Column("mean", "mean", lambda row: f"{row['mean']:.1f}{row['unit']}", "Its mean, or the share of the games."),
        Column("interval", "interval", span("low", "high", ".1f"), "95 % interval of that, over deals.", "low"),
    ))  # fmt: skip


def _styles(cell: Cell) -> Table:
    assert cell.styles
    frame = cell.styles.summary.bots[["win_share", "low", "high", "mean_score"]].reset_index()
    return Table("styles", "Styles of play", frame, (
        name_column("bot", "The style (arena bots list), the best first."),
        Column("win_share", "wins", number("win_share", ".1%"), "Share of its games that it won against the others."),
        Column("interval", "interval", span("low", "high"), "95 % interval of that share, over deals.", "low"),
        Column("mean_score", "score", number("mean_score"), "Mean points at the end."),
    ))  # fmt: skip
