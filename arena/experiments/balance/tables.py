"""The tables of a study: their columns, how numbers are written, and what each column means."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from arena.experiments.balance.study import Cell
from arena.experiments.measures.colors import color_table
from arena.experiments.measures.course import bot_names, course_table, win_table
from arena.experiments.measures.routes import city_table, loss_table, route_table, takers_of, twin_pairs, twin_table
from arena.experiments.measures.tickets import price_table, ticket_table
from arena.reports.page_model import Column, Table, name_column, number, span
from arena.reports.tables import COMPONENTS

TITLES = {
    "seats": "Seats", "tickets": "Tickets", "prices": "Prices of tickets", "routes": "Routes", "lost": "Lost routes",
    "cities": "Cities", "colors": "Colors",
    "twins": "Double routes", "course": "Course of the games", "styles": "Styles of play",
    "components": "What decides a score",
}  # fmt: skip


def _to(low: str, high: str, form: str = ".1f") -> Callable[[Any], str]:
    """Writes an interval whose ends have signs."""
    return lambda row: f"{row[low]:+{form}} to {row[high]:+{form}}" if pd.notna(row[low]) else "-"


def _said(write: Callable[[str], Callable[[Any], str]]) -> Callable[[Any], str]:
    """Writes a number of a game, in percent if it is a share."""
    return lambda row: write(".1%" if row["is_share"] else ".1f")(row)


def _number(key: str, head: str, form: str, meaning: str) -> Column:
    return Column(key, head, number(key, form), meaning)


def _interval(measure: str, key: str = "interval", form: str = ".1%") -> Column:
    low, high = f"{measure}_low", f"{measure}_high"
    return Column(key, "interval", span(low, high, form), "95 % interval of that, over deals.", low)


SEATS = (
    _number("seat", "seat", ".0f", "The seat; seat 0 moves first."),
    _number("win_share", "wins", ".1%", "Share of the games won from this seat."),
    Column("interval", "interval", span("low", "high"), "95 % interval of that share, over deals.", "low"),
    _number("mean_score", "score", "z.1f", "Mean points in this seat."),
)
TICKETS = (
    name_column("name", "The ticket."),
    _number("points", "pts", ".0f", "Its points."),
    _number("spaces", "way", ".0f", "Spaces of the shortest way between its cities."),
    _number("kept", "kept", ".0%", "Share of the times that it was kept when it was on offer."),
    _number("completed", "done", ".0%", "Share of those who kept it that completed it."),
    _number("net", "net", "+z.1f", "Points that it brought the player who kept it, failures subtracted."),
    _number("lift", "excess", "+z.1%", "Excess win share of those who kept it, over an equal share: an observation, "
            "which says nothing of the cause."),
    _number("causes_points", "causes", "+z.1f", "Points that it causes when it lies before a seat, against the mean of "
            "all tickets on the same deals."),
    Column("causes_interval", "interval", _to("causes_points_low", "causes_points_high"),
           "95 % interval of that, over deals.", "causes_points_low"),
    _number("causes_wins", "wins", "+z.1%", "Win share that it causes in the same way."),
    Column("causes_wins_interval", "interval", _to("causes_wins_low", "causes_wins_high", ".1%"),
           "95 % interval of that, over deals.", "causes_wins_low"),
)  # fmt: skip
PRICES = (
    name_column("name", "The ticket, the one farthest from its usual price first."),
    *TICKETS[1:3],
    _number("completed", "done", ".0%", "Share of those who kept it that completed it: how difficult it is in play."),
    TICKETS[5],
    _number("usual", "usual", "+z.1f", "The usual price of its way: the median of net points per space, times its "
            "spaces."),
    _number("surplus", "more", "+z.1f", "What it brings above the usual price; a negative number: it is overpriced."),
    name_column("dominated_by", "A ticket that pays at least as much, whose way is no longer, and that is completed "
                "more often beyond chance.", "dominated by"),
)  # fmt: skip
ROUTES = (
    name_column("name", "The route, the most contested first."),
    _number("length", "len", ".0f", "Its spaces."),
    _number("points_per_turn", "p/turn", "z.1f", "Its points divided by the turns that it takes: one for the claim, "
            "and half of one for each card."),
    _number("claimed", "claimed", ".0%", "Share of the games in which somebody has it."),
    _number("when", "when", ".0%", "Part of the game that was over when it was claimed."),
    _number("contested", "contested", ".1%", "Share of its claims after which a ticket of another player needs more "
            "trains, or can no longer be completed."),
    _interval("contested", "contested_interval"),
    _number("lift", "excess", "+z.1%", "Excess win share of those who have it, over an equal share: an observation."),
)  # fmt: skip
LOST = (
    name_column("name", "The route, the one that is lost most often first."),
    _number("lost", "lost", ".1%", "Share of the games in which a claim of it hits somebody: a ticket of another "
            "player then needs more trains, or can no longer be completed."),
    _interval("lost"),
    _number("lost_when", "when", ".0%", "Part of the game that was over then."),
    name_column("lost_to", "Who makes most of these claims, and its share of them: a bot, or a seat if copies of one "
                "bot play.", "mostly to"),
)  # fmt: skip
CITIES = (
    name_column("city", "The city, the most used first."),
    _number("used", "used", ".1%", "Share of the players who have a route there."),
    _interval("used"),
    _number("dead_ends", "dead ends", ".1%", "Share of these players with only one route that ends there."),
)
COLORS = (
    name_column("color", "The color of train cards."),
    _number("supply", "cards", ".0f", "Cards in the deck."),
    _number("spaces", "spaces", ".0f", "Spaces of the routes of this color."),
    _number("claimed", "claimed", ".0%", "Share of the routes of this color that somebody has."),
    _number("paid", "paid", "z.1f", "Cards paid per game, by all players together."),
    _number("paid_gray", "for gray", "z.1f", "Those of them that paid for gray routes."),
    _number("left", "left", "z.1f", "Cards left in all hands at the end, which were wasted."),
    _interval("left", form=".1f"),
)
TWINS = (
    name_column("name", "The double route."),
    _number("one", "one", ".1%", "Share of the games in which one track is claimed."),
    _number("both", "both", ".1%", "Share of the games in which both tracks are claimed, by two players."),
    _interval("both", "both_interval"),
    _number("missed", "missed", ".1%", "Share of the games in which the rule closes the second track (B16) and another "
            "player still comes to connect the two cities by other tracks."),
    _interval("missed", "missed_interval"),
)  # fmt: skip
GAMES = (
    name_column("text", "What is measured in a game; points are those of a player.", "what"),
    Column("mean", "mean", _said(lambda form: number("mean", form)), "Its mean, or the share of the games."),
    Column("interval", "interval", _said(lambda form: span("low", "high", form)), "95 % interval of that, over deals.",
           "low"),
)  # fmt: skip
STYLES = (
    name_column("bot", "The style (arena bots list), the best first."),
    _number("win_share", "wins", ".1%", "Share of its games that it won against the others."),
    SEATS[2],
    _number("mean_score", "score", "z.1f", "Mean points at the end."),
)


COLUMNS = {
    "seats": SEATS, "tickets": TICKETS, "prices": PRICES, "routes": ROUTES, "lost": LOST, "cities": CITIES,
    "colors": COLORS, "twins": TWINS, "course": GAMES, "styles": STYLES, "components": COMPONENTS,
}  # fmt: skip


def table_of(key: str, frame: pd.DataFrame) -> Table:
    """A table of a study, from its numbers alone: the columns in which anything is known."""
    known = frame.columns[frame.notna().any()]
    shown = tuple(column for column in COLUMNS[key] if (column.sort_by or column.key) in known)
    return Table(key, TITLES[key], frame, shown)


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
        yield "styles", style_table(cell)
        if cell.styles.summary.components:
            yield "components", pd.DataFrame(cell.styles.summary.components)


def style_table(cell: Cell) -> pd.DataFrame:
    """A row for each style, the best first."""
    assert cell.styles
    frame = win_table("bot", bot_names(cell.styles.plan), cell.by_style)
    return frame.sort_values("win_share", ascending=False, kind="stable", ignore_index=True)
