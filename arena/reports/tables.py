"""The tables of a report: their columns, how numbers are written, and what each column means."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pandas as pd

from arena.reports.document import BONUSES, Document
from arena.reports.fault_cases import fault_frame
from arena.reports.page_model import Column, Table, name_column, number, span
from arena.stats.summary import Summary

Z95 = 1.96

BOT = name_column("bot", "The bot, best win share first.")
INTERVAL = Column(
    "interval", "interval", span("low", "high"), "95 % interval of that share, over deals.", "low"
)  # fmt: skip


def _half_interval(key: str) -> Callable[[Any], str]:
    return lambda row: f"{Z95 * row[key]:.0f}" if pd.notna(row[key]) else "-"


def tables(document: Document) -> Iterator[Table]:
    """All tables of a report, the most important first."""
    yield _results(document)
    yield _ratings(document)
    yield _crosstable(document)
    yield _pairs(document)
    yield _means(document)
    yield _bot_seats(document)
    yield _seats(document)
    if document.summary.components:
        yield components_table(document.summary)
    if document.faults:
        yield _faults(document)


RESULTS = (
    "games", "win_share", "low", "high", "mean_score", "sd_score", "q25", "q50", "q75", "mean_rank", "faults",
)  # fmt: skip


def _results(document: Document) -> Table:
    return Table("results", "Results", document.summary.bots[[*RESULTS]].reset_index(), (
        BOT,
        Column("games", "games", number("games", ",.0f"), "Games it played."),
        Column("win_share", "wins", number("win_share", ".1%"),
               "Share of its games that it won; a win shared by two counts half for each."),
        INTERVAL._replace(meaning=f"95 % interval of that share, {document.over_deals}."),
        Column("mean_score", "score", number("mean_score"), "Mean points at the end."),
        Column("sd_score", "sd", number("sd_score"), "Standard deviation of the points of single games."),
        Column("mean_rank", "rank", number("mean_rank", ".2f"), "Mean place, 1 the first."),
        Column("faults", "faults", number("faults", ",.0f"), "Games in which it did something that is not allowed."),
    ))  # fmt: skip


def rating_frame(summary: Summary) -> pd.DataFrame:
    """bot, rating, rating_error, margin, mean_rank and above (the next one), best rating first."""
    frame = (
        summary.bots[["rating", "rating_error", "margin", "mean_rank"]]
        .reset_index()
        .sort_values("rating", ascending=False, na_position="last", kind="stable")
    )
    above = [float(summary.superiority.loc[one, other]) for one, other in pairwise(frame["bot"].tolist())]
    return frame.assign(above=[*above, float("nan")])


def _ratings(document: Document) -> Table:
    frame = rating_frame(document.summary)
    return Table("ratings", f"Ratings ({document.anchor} = 0)", frame, (
        name_column("bot", "The bot, best rating first."),
        Column("rating", "rating", number("rating", "+z.0f"),
               "Strength in Elo points from the places in all games (Plackett-Luce, seats allowed for): "
               "+100 finishes first in 64 % of games of two, +200 in 76 %."),
        Column("rating_error", "+-", _half_interval("rating_error"),
               "Half of the rating's 95 % interval, from the deals."),
        Column("above", "above next", number("above", ".1%"),
               "How likely it is really stronger than the bot in the next line."),
        Column("margin", "margin", number("margin", "+z.1f"), "Mean lead in points over the best of the others."),
        Column("mean_rank", "rank", number("mean_rank", ".2f"), "Mean place, 1 the first."),
    ))  # fmt: skip


def _crosstable(document: Document) -> Table:
    cross = document.summary.crosstable
    columns = [
        Column(name, str(place), number(name, ".1%"),
               f"How often it finished before {name}; a shared place counts half.")
        for place, name in enumerate(cross.index, 1)
    ]  # fmt: skip
    return Table("crosstable", "Who finishes before whom", cross.reset_index(), (BOT, *columns))


def _pairs(document: Document) -> Table:
    return Table("pairs", "Pairs", document.summary.pairs, (
        name_column("bot", "The bot of the better place in the results."),
        name_column("other", "The bot it is compared with."),
        Column("games", "games", number("games", ",.0f"), "Games that both played."),
        Column("ahead", "ahead", number("ahead", ".1%"),
               "How often the first of them finished before the other; a shared place counts half."),
        INTERVAL,
        Column("games_needed", "needed", number("games_needed", ",.0f"),
               "Games after which the better one leads with 95 % probability; a dash while it is unclear which it is."),
    ))  # fmt: skip


MEANINGS = {
    "routes": ("routes", "Points for claimed routes."),
    "tickets": ("tickets", "Points for tickets, failed ones subtracted."),
    "longest_path": ("path", "Points for the longest path."),
    "bullet": ("bullet", "Points by progress with bullet trains."),
    "provinces": ("mat", "Points of the province mat."),
    "tickets_kept": ("kept", "Tickets kept."),
    "tickets_completed": ("done", "Tickets completed."),
    "trains_left": ("trains", "Trains left at the end."),
    "longest": ("longest", "Spaces of the longest path."),
    "turns": ("turns", "Turns of this bot."),
}
"""The columns of the means: head and meaning."""


def _means(document: Document) -> Table:
    details = document.summary.details
    shown = [name for name in details.columns if name not in BONUSES or name in document.summary.scored]
    columns = [Column(name, MEANINGS[name][0], number(name), MEANINGS[name][1]) for name in shown]
    return Table("means", "Means per game", details[shown].reset_index(), (BOT, *columns))


def _bot_seats(document: Document) -> Table:
    seats = document.summary.bot_seats
    keys = [f"win_share_seat_{seat}" for seat in seats.columns]
    columns = [Column(key, f"seat {seat}", number(key, ".1%"), f"Its win share in seat {seat}.")
               for seat, key in zip(seats.columns, keys, strict=True)]  # fmt: skip
    return Table("bot_seats", "Win share by seat", seats.set_axis(keys, axis=1).reset_index(), (BOT, *columns))


def _seats(document: Document) -> Table:
    return Table("seats", "Seats, all bots together", document.summary.seats.reset_index(), (
        Column("seat", "seat", number("seat", ".0f"), "The seat; seat 0 moves first."),
        Column("win_share", "wins", number("win_share", ".1%"), "Share of the games won from this seat."),
        INTERVAL,
        Column("mean_score", "score", number("mean_score"), "Mean points in this seat."),
        Column("rating", "rating", number("rating", "+z.0f"), "What the seat is worth in Elo points."),
        Column("rating_error", "+-", _half_interval("rating_error"),
               "Half of the 95 % interval of that, from the deals."),
    ))  # fmt: skip


COMPONENTS = (
    name_column("source", "skill: differences between bots; seat: between seats; luck: the rest, mostly cards."),
    Column("share", "share", number("share", ".1%"), "Share of the variance of the points of single games."),
    INTERVAL,
)


def components_table(summary: Summary) -> Table:
    """What decides a score: a row each for skill, seat and luck."""
    return Table("components", "What decides a score", pd.DataFrame(summary.components), COMPONENTS)


def _faults(document: Document) -> Table:
    return Table("faults", "Faults", fault_frame(document), (
        name_column("bot", "The bot, the one whose fault came first in the first line."),
        name_column("kind", "What it did wrong: docs/faults.md says what each kind is; probation: it was not asked."),
        Column("games", "games", number("games", ",.0f"), "Its games with such a fault."),
        Column("share", "share", number("share", ".1%"), "Their share of all of its games."),
        Column("game", "first", number("game", ".0f"), "The first of these games."),
    ))  # fmt: skip
