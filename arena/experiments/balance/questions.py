"""The questions that a study asks of a map, and the sentences that answer them."""

from collections.abc import Iterator

import numpy as np

from arena.boards.spec import MapSpec
from arena.experiments.balance.study import Cell
from arena.experiments.measures.course import COURSE
from arena.experiments.measures.findings import LEAST, Candidate, Topic, apart, candidates_of
from arena.experiments.measures.prices import usual, ways_of
from arena.rules.board import CARDS
from arena.stats.ratio_estimates import RatioSums

SEAT_MARGIN = 0.02
"""Differences of a win share up to this matter to nobody."""
POINTS_MARGIN = 2.0
"""So do so many points."""
PRICE_MARGIN = 3.0
"""A ticket may bring so much more or less than others of its length."""
USE_MARGIN = 0.15
"""And so much of the share of games, or players, that use something."""
COLOR_MARGIN = 0.08
"""Of the share of the routes of a color that are claimed."""
STALL_MARGIN = 0.02
"""Of the share of the games that end in a stall, of which there should be none."""
LIFT_MARGIN = 0.08
"""What is only seen must be larger."""


def candidates(spec: MapSpec, cell: Cell) -> Iterator[Candidate]:
    """Everything that could be a finding about one number of players."""
    yield from _seats(cell)
    yield from _effects(spec, cell)
    yield from _prices(spec, cell)
    if not cell.effects or cell.effects.scores.deals < LEAST:
        keepers = [f"Who keeps the ticket {ticket}" for ticket in spec.tickets]
        yield from _lifts("tickets", keepers, cell.tickets.lift, cell)
    owners = [f"Who has {route_name(spec, index)}" for index in range(len(spec.routes))]
    yield from _lifts("routes", owners, cell.routes.lift, cell)
    yield from _cities(spec, cell)
    yield from _colors(spec, cell)
    yield from _stalls(cell)


def route_name(spec: MapSpec, index: int) -> str:
    """A route, told apart from those beside it."""
    route = spec.routes[index]
    return f"{route} ({'bullet' if route.bullet else route.color})"


def _interval(low: float, high: float) -> str:
    return f"{max(low, 0.0):.1%} to {min(high, 1.0):.1%}"


def _moved(value: float) -> str:
    return f"{abs(100 * value):.1f} percentage points {'above' if value > 0 else 'below'} an equal share"


def _seats(cell: Cell) -> list[Candidate]:
    wins = cell.seats.wins
    low, high = wins.share_interval()
    numbers = apart(wins, 1 / cell.players)
    texts = [
        f"Seat {seat} wins {wins.value[seat]:.1%} ({_interval(low[seat], high[seat])}) of the games with "
        f"{cell.players} players, {_moved(value)}."
        for seat, value in enumerate(numbers.values)
    ]
    return candidates_of(Topic("seats", cell.players), texts, numbers, SEAT_MARGIN)


def _effects(spec: MapSpec, cell: Cell) -> list[Candidate]:
    """What tickets cause: points, which are surer than wins."""
    if not cell.effects:
        return []
    effects, wins = cell.effects.scores, cell.effects.wins
    (low, high), (fewest, most) = effects.interval(), wins.interval()
    texts = [
        f"The ticket {ticket} before a seat causes {effects.value[i]:+.1f} points ({low[i]:+.1f} to {high[i]:+.1f}) "
        f"and {100 * wins.value[i]:+.1f} percentage points of wins ({100 * fewest[i]:+.1f} to {100 * most[i]:+.1f}) "
        f"with {cell.players} players, against the mean of all tickets on the same deals."
        for i, ticket in enumerate(spec.tickets)
    ]
    return candidates_of(Topic("tickets", cell.players), texts, apart(effects, 0.0, step=0.0), POINTS_MARGIN)


def _prices(spec: MapSpec, cell: Cell) -> list[Candidate]:
    """Tickets that bring more, or less, than is usual for their way: overpaid, or worthless."""
    net, ways = cell.tickets.net, ways_of(spec)
    prices = usual(net, ways)
    if np.isnan(prices).all():
        return []
    low, high = net.interval()
    texts = [
        f"The ticket {ticket} brings who keeps it {net.value[i]:+.1f} points ({low[i]:+.1f} to {high[i]:+.1f}) with "
        f"{cell.players} players; {prices[i]:+.1f} are usual for its way of {ways[i]} spaces."
        for i, ticket in enumerate(spec.tickets)
    ]
    numbers = apart(net, prices, step=2.0 * cell.tickets.points)  # from completed to failed
    return candidates_of(Topic("prices", cell.players), texts, numbers, PRICE_MARGIN)


def _lifts(table: str, whose: list[str], sums: RatioSums, cell: Cell) -> list[Candidate]:
    """Who keeps or has something wins more, or less: an observation, which says nothing of the cause."""
    low, high = sums.interval()
    numbers = apart(sums, 0.0)
    even = 1 / cell.players
    texts = [
        f"{who} wins {even + numbers.values[i]:.1%} ({_interval(even + low[i], even + high[i])}) of the games with "
        f"{cell.players} players, {_moved(numbers.values[i])}: seen, which says nothing of the cause."
        for i, who in enumerate(whose)
    ]
    return candidates_of(Topic(table, cell.players), texts, numbers, LIFT_MARGIN)


def _cities(spec: MapSpec, cell: Cell) -> list[Candidate]:
    used = cell.cities.used
    mean = float(used.over.sum() / used.under.sum())
    low, high = used.share_interval()
    numbers = apart(used, mean)
    texts = [
        f"{city.name} is used by {used.value[i]:.1%} ({_interval(low[i], high[i])}) of the players in games with "
        f"{cell.players} players, the average city by {mean:.1%}."
        for i, city in enumerate(spec.cities)
    ]
    return candidates_of(Topic("cities", cell.players), texts, numbers, USE_MARGIN)


def _colors(spec: MapSpec, cell: Cell) -> list[Candidate]:
    """Routes of a color that nobody can pay for, or everybody."""
    claimed, supply, spaces = cell.colors.claimed, spec.rules.supply, cell.colors.spaces
    mean = float(claimed.over.sum() / max(claimed.under.sum(), 1))
    low, high = claimed.share_interval()
    texts = [
        f"{color.capitalize()} routes are claimed in {claimed.value[i]:.1%} ({_interval(low[i], high[i])}) of the "
        f"games with {cell.players} players, those of all colors in {mean:.1%}; {color} has {supply[i]} cards and "
        f"{spaces[i]:.0f} spaces."
        for i, color in enumerate(CARDS)
    ]
    return candidates_of(Topic("colors", cell.players), texts, apart(claimed, mean), COLOR_MARGIN)


def _stalls(cell: Cell) -> list[Candidate]:
    """Games that end because nobody can move: the board is too small for so many trains, or the deck for the hands."""
    stalls = cell.course.course.of([COURSE.index("stalls")])
    (low,), (high,) = stalls.share_interval()
    text = (
        f"{stalls.value[0]:.1%} ({_interval(low, high)}) of the games with {cell.players} players end in a stall: "
        "nobody can move (B18)."
    )
    return candidates_of(Topic("course", cell.players), [text], apart(stalls, 0.0), STALL_MARGIN)
