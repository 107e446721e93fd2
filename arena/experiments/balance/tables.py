"""The tables of a study: their columns, how numbers are written, and what each column means."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from arena.reports.page_model import Column, Table, name_column, number, span
from arena.reports.tables import COMPONENTS

TITLES = {
    "seats": "Seats", "tickets": "Tickets", "prices": "Prices of tickets", "routes": "Routes", "lost": "Lost routes",
    "cities": "Cities", "colors": "Colors",
    "twins": "Double routes", "course": "Course of the games", "styles": "Styles of play",
    "components": "What decides a score",
}  # fmt: skip


def _to(low: str, high: str, form: str = ".1f") -> Callable[[Any], str]:
    """From one number with its sign to another."""
    return lambda row: f"{row[low]:+{form}} to {row[high]:+{form}}" if pd.notna(row[low]) else "-"


def _said(write: Callable[[str], Callable[[Any], str]]) -> Callable[[Any], str]:
    """What is said of a game, in percent if it is a share."""
    return lambda row: write(".1%" if row["is_share"] else ".1f")(row)


SEATS = (
    Column("seat", "seat", number("seat", ".0f"), "The seat; seat 0 moves first."),
    Column("win_share", "wins", number("win_share", ".1%"), "Share of the games won from this seat."),
    Column("interval", "interval", span("low", "high"), "95 % interval of that share, over deals.", "low"),
    Column("mean_score", "score", number("mean_score"), "Mean points in this seat."),
)
TICKETS = (
    name_column("name", "The ticket."),
    Column("points", "pts", number("points", ".0f"), "Its points."),
    Column("spaces", "way", number("spaces", ".0f"), "Spaces of the shortest way between its cities."),
    Column("kept", "kept", number("kept", ".0%"), "Share of the times that it was kept when it was on offer."),
    Column("completed", "done", number("completed", ".0%"), "Share of those who kept it that completed it."),
    Column("net", "net", number("net", "+z.1f"), "Points that it brought who kept it, failures subtracted."),
    Column("lift", "lift", number("lift", "+z.1%"), "Win share of who kept it, beyond an equal share: as seen, "
           "which says nothing of the cause."),
    Column("causes_points", "causes", number("causes_points", "+z.1f"), "Points that it causes when it lies "
           "before a seat, against the mean of all tickets on the same deals."),
    Column("causes_interval", "interval", _to("causes_points_low", "causes_points_high"),
           "95 % interval of that, over deals.", "causes_points_low"),
    Column("causes_wins", "wins", number("causes_wins", "+z.1%"), "Win share that it causes so."),
    Column("causes_wins_interval", "interval", _to("causes_wins_low", "causes_wins_high", ".1%"),
           "95 % interval of that, over deals.", "causes_wins_low"),
)  # fmt: skip
PRICES = (
    name_column("name", "The ticket, the one farthest from its usual price first."),
    Column("points", "pts", number("points", ".0f"), "Its points."),
    Column("spaces", "way", number("spaces", ".0f"), "Spaces of the shortest way between its cities."),
    Column("completed", "done", number("completed", ".0%"), "Share of those who kept it that completed it: how "
           "difficult it is, as measured."),
    Column("net", "net", number("net", "+z.1f"), "Points that it brought who kept it, failures subtracted."),
    Column("usual", "usual", number("usual", "+z.1f"), "What is usual for its way: the median of net points a space, "
           "times its spaces."),
    Column("surplus", "more", number("surplus", "+z.1f"), "What it brings more than usual; less: it is overpriced."),
    name_column("dominated_by", "A ticket that pays at least as much, whose way is no longer, and that is surely "
                "completed more often.", "dominated by"),
)  # fmt: skip
ROUTES = (
    name_column("name", "The route, the most contested first."),
    Column("length", "len", number("length", ".0f"), "Its spaces."),
    Column("points_per_turn", "p/turn", number("points_per_turn"), "Its points by the turns that it takes: one for "
           "the claim, and half of one for each card."),
    Column("claimed", "claimed", number("claimed", ".0%"), "Share of the games in which somebody has it."),
    Column("when", "when", number("when", ".0%"), "Part of the game that was over when it was claimed."),
    Column("contested", "contested", number("contested", ".1%"), "Share of its claims after which a ticket of "
           "another player needs more trains, or cannot be completed any more."),
    Column("contested_interval", "interval", span("contested_low", "contested_high"), "95 % interval of that, "
           "over deals.", "contested_low"),
    Column("lift", "lift", number("lift", "+z.1%"), "Win share of who has it, beyond an equal share: as seen."),
)  # fmt: skip
LOST = (
    name_column("name", "The route, the one that somebody loses most often first."),
    Column("lost", "lost", number("lost", ".1%"), "Share of the games in which a claim of it hits somebody: a ticket "
           "of another player needs more trains then, or cannot be completed any more."),
    Column("interval", "interval", span("lost_low", "lost_high"), "95 % interval of that, over deals.", "lost_low"),
    Column("lost_when", "when", number("lost_when", ".0%"), "Part of the game that was over then."),
    name_column("lost_to", "Who makes most of these claims, and its share of them: a bot, or a seat if copies of one "
                "bot play.", "mostly to"),
)  # fmt: skip
CITIES = (
    name_column("city", "The city, the most used first."),
    Column("used", "used", number("used", ".1%"), "Share of the players who have a route there."),
    Column("interval", "interval", span("used_low", "used_high"), "95 % interval of that, over deals.",
           "used_low"),
    Column("dead_ends", "dead ends", number("dead_ends", ".1%"), "Share of these for whom only one of their routes "
           "ends there."),
)  # fmt: skip
COLORS = (
    name_column("color", "The color of train cards."),
    Column("supply", "cards", number("supply", ".0f"), "Cards in the deck."),
    Column("spaces", "spaces", number("spaces", ".0f"), "Spaces of the routes of this color."),
    Column("claimed", "claimed", number("claimed", ".0%"), "Share of the routes of this color that somebody has."),
    Column("paid", "paid", number("paid"), "Cards paid a game, by all players together."),
    Column("paid_gray", "for gray", number("paid_gray"), "Those of them for gray routes."),
    Column("left", "left", number("left"), "Cards left in all hands at the end: wasted."),
    Column("interval", "interval", span("left_low", "left_high", ".1f"), "95 % interval of that, over deals.",
           "left_low"),
)  # fmt: skip
TWINS = (
    name_column("name", "The double route."),
    Column("one", "one", number("one", ".1%"), "Share of the games in which one track is claimed."),
    Column("both", "both", number("both", ".1%"), "Share in which both are, by two players."),
    Column("both_interval", "interval", span("both_low", "both_high"), "95 % interval of that, over deals.",
           "both_low"),
    Column("missed", "missed", number("missed", ".1%"), "Share in which the rule shuts the second track (B16) and "
           "another player still comes to connect the two cities, by other tracks."),
    Column("missed_interval", "interval", span("missed_low", "missed_high"), "95 % interval of that, over deals.",
           "missed_low"),
)  # fmt: skip
GAMES = (
    name_column("text", "What is said of a game; points are those of a player.", "what"),
    Column("mean", "mean", _said(lambda form: number("mean", form)), "Its mean, or the share of the games."),
    Column("interval", "interval", _said(lambda form: span("low", "high", form)), "95 % interval of that, over deals.",
           "low"),
)  # fmt: skip
STYLES = (
    name_column("bot", "The style (arena bots list), the best first."),
    Column("win_share", "wins", number("win_share", ".1%"), "Share of its games that it won against the others."),
    Column("interval", "interval", span("low", "high"), "95 % interval of that share, over deals.", "low"),
    Column("mean_score", "score", number("mean_score"), "Mean points at the end."),
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
