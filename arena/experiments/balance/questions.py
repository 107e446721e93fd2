"""What a study finds: the questions that it asks of a map, and the sentences that answer them."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from arena.experiments.balance.study import Cell, Study
from arena.experiments.balance.tables import style_table
from arena.experiments.measures.colors import spaces_of
from arena.experiments.measures.course import COURSE
from arena.experiments.measures.findings import LEAST, Candidate, Topic, candidates_of, found
from arena.experiments.measures.routes import route_names
from arena.experiments.measures.tickets import ticket_points, usual, ways_of
from arena.rules.board import CARDS
from arena.texts import counted, enumerated

SEAT_MARGIN = 0.02
"""A win share must differ by more than this to matter to anybody."""
POINTS_MARGIN = 2.0
"""Points must differ by more than this to matter to anybody."""
PRICE_MARGIN = 3.0
"""A ticket may bring so many points more or less than others of its length."""
USE_MARGIN = 0.15
"""How much the use of a city may differ, as a share of the players."""
COLOR_MARGIN = 0.08
"""How much the share of the routes of a color that are claimed may differ."""
STALL_MARGIN = 0.02
"""The share of the games that may end in a stall, of which there should be none."""
EXCESS_MARGIN = 0.08
"""How large an excess win share may be that is only observed."""
MOST_FINDINGS = 12
MOST_OF_A_KIND = 4
"""At the top of a study, in all and about one kind of things."""
LEADING = 3
"""At the top of a section."""


def candidates(cell: Cell) -> Iterator[Candidate]:
    """Everything that could be a finding about one number of players."""
    spec = cell.spec
    yield from _seats(cell)
    yield from _effects(cell)
    yield from _prices(cell)
    if not cell.effects or cell.effects["scores"].deals < LEAST:
        yield from _excess_shares("tickets", [f"Who keeps the ticket {ticket}" for ticket in spec.tickets], cell)
    yield from _excess_shares("routes", [f"Who has {name}" for name in route_names(spec)], cell)
    yield from _cities(cell)
    yield from _colors(cell)
    yield from _stalls(cell)


def _interval(low: float, high: float) -> str:
    return f"{max(low, 0.0):.1%} to {min(high, 1.0):.1%}"


def _moved(value: float) -> str:
    return f"{abs(100 * value):.1f} percentage points {'above' if value > 0 else 'below'} an equal share"


def _seats(cell: Cell) -> list[Candidate]:
    wins, even = cell.sums["seats"]["wins"], 1 / cell.players
    low, high = wins.share_interval()
    texts = [
        f"Seat {seat} wins {value:.1%} ({_interval(low[seat], high[seat])}) of the games with {cell.players} players, "
        f"{_moved(value - even)}."
        for seat, value in enumerate(wins.value)
    ]
    return candidates_of(Topic("seats", cell.players), texts, wins, even, SEAT_MARGIN)


def _effects(cell: Cell) -> list[Candidate]:
    """What tickets cause: points, whose errors are smaller than those of wins."""
    if not cell.effects:
        return []
    effects, wins = cell.effects["scores"], cell.effects["wins"]
    (low, high), (fewest, most) = effects.interval(), wins.interval()
    texts = [
        f"The ticket {ticket} before a seat causes {effects.value[i]:+.1f} points ({low[i]:+.1f} to {high[i]:+.1f}) "
        f"and {100 * wins.value[i]:+.1f} percentage points of wins ({100 * fewest[i]:+.1f} to {100 * most[i]:+.1f}) "
        f"with {cell.players} players, against the mean of all tickets on the same deals."
        for i, ticket in enumerate(cell.spec.tickets)
    ]
    return candidates_of(Topic("tickets", cell.players), texts, effects, 0.0, POINTS_MARGIN, step=0.0)


def _prices(cell: Cell) -> list[Candidate]:
    """Tickets that bring more, or less, than is usual for their way: overpaid, or worthless."""
    net, ways = cell.sums["tickets"]["net"], ways_of(cell.spec)
    prices = usual(net, ways)
    if np.isnan(prices).all():
        return []
    low, high = net.interval()
    texts = [
        f"The ticket {ticket} brings who keeps it {net.value[i]:+.1f} points ({low[i]:+.1f} to {high[i]:+.1f}) with "
        f"{cell.players} players; {prices[i]:+.1f} are usual for its way of {ways[i]} spaces."
        for i, ticket in enumerate(cell.spec.tickets)
    ]
    step = 2.0 * ticket_points(cell.spec)  # from completed to failed
    return candidates_of(Topic("prices", cell.players), texts, net, prices, PRICE_MARGIN, step)


def _excess_shares(table: str, who: Sequence[str], cell: Cell) -> list[Candidate]:
    """Who keeps or has something wins more, or less: an observation, which says nothing of the cause."""
    excess, even = cell.sums[table]["lift"], 1 / cell.players
    low, high = excess.interval()
    texts = [
        f"{each} wins {even + excess.value[i]:.1%} ({_interval(even + low[i], even + high[i])}) of the games with "
        f"{cell.players} players, {_moved(excess.value[i])}: seen, which says nothing of the cause."
        for i, each in enumerate(who)
    ]
    return candidates_of(Topic(table, cell.players), texts, excess, 0.0, EXCESS_MARGIN)


def _cities(cell: Cell) -> list[Candidate]:
    used = cell.sums["cities"]["used"]
    mean = float(used.numerator.sum() / used.denominator.sum())
    low, high = used.share_interval()
    texts = [
        f"{city.name} is used by {used.value[i]:.1%} ({_interval(low[i], high[i])}) of the players in games with "
        f"{cell.players} players, the average city by {mean:.1%}."
        for i, city in enumerate(cell.spec.cities)
    ]
    return candidates_of(Topic("cities", cell.players), texts, used, mean, USE_MARGIN)


def _colors(cell: Cell) -> list[Candidate]:
    """Routes of a color that nobody can pay for, or everybody."""
    claimed, supply, spaces = cell.sums["colors"]["claimed"], cell.spec.rules.supply, spaces_of(cell.spec)
    mean = float(claimed.numerator.sum() / max(claimed.denominator.sum(), 1))
    low, high = claimed.share_interval()
    texts = [
        f"{color.capitalize()} routes are claimed in {claimed.value[i]:.1%} ({_interval(low[i], high[i])}) of the "
        f"games with {cell.players} players, those of all colors in {mean:.1%}; {color} has {supply[i]} cards and "
        f"{spaces[i]:.0f} spaces."
        for i, color in enumerate(CARDS)
    ]
    return candidates_of(Topic("colors", cell.players), texts, claimed, mean, COLOR_MARGIN)


def _stalls(cell: Cell) -> list[Candidate]:
    """Games that end because nobody can move: the board is too small for so many trains, or the deck for the hands."""
    stalls = cell.sums["course"]["course"].of([list(COURSE).index("stalls")])
    (low,), (high,) = stalls.share_interval()
    text = (
        f"{stalls.value[0]:.1%} ({_interval(low, high)}) of the games with {cell.players} players end in a stall: "
        "nobody can move (B18)."
    )
    return candidates_of(Topic("course", cell.players), [text], stalls, 0.0, STALL_MARGIN)


def findings(study: Study) -> list[Candidate]:
    """The findings about all numbers of players, the largest confidence bound first."""
    return found(candidate for cell in study.cells for candidate in candidates(cell))


def leading(said: Sequence[Candidate]) -> list[Candidate]:
    """The findings at the top: from each kind of table the best, then the second best, and so on."""
    places = [
        sum(earlier.topic.table == each.topic.table for earlier in said[:index]) for index, each in enumerate(said)
    ]
    order = sorted((place, index) for index, place in enumerate(places) if place < MOST_OF_A_KIND)
    return [said[index] for _, index in order[:MOST_FINDINGS]]


def sentences(said: Sequence[Candidate], cell: Cell, key: str) -> list[str]:
    """The sentences above a table: mostly the first findings about it."""
    if key == "course":
        return [each.text for each in said if each.topic == (key, cell.players)] + [_length(cell)]
    if key == "styles" and cell.styles and cell.by_style:
        return [_favored(style_table(cell), cell.styles.summary.games)]
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
        return f"No style is clearly the best: {many} are too few to tell."
    return f"No style is clearly the best: the interval of {best} overlaps that of {enumerated(rivals)}, in {many}."
