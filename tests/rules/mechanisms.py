"""South Korea at the table of `table.py`: the draft, express cards and the province mat, in the words of the rules."""

from collections import Counter
from collections.abc import Iterable
from itertools import product

import numpy as np

from arena.boards.spec import MapSpec
from arena.catalog import load_map
from arena.rules.actions import Action
from arena.rules.board import COLORS
from arena.rules.view import VIEW, observe

from .table import CARDS, Game, L, keep

KOREA = load_map("south_korea")
SEATS = (2, 3, 4, 5)
SKIP = Action("skip")


def pick(position: int) -> Action:
    """Pick the ticket at this position of the pack."""
    return Action("draft", keep=(position,))


def extra(value: int) -> Action:
    """Draw extra cards with an express card."""
    return Action("express", express=value)


def tickets(value: int) -> Action:
    """Draw tickets with an express card."""
    return Action("tickets", express=value)


def place(line: str, cards: int = 0, card: str = "", locomotives: int = 0, express: int = 0) -> Action:
    """Place a train on a line, with so many more cards of a color and locomotives, and an express card."""
    return Action("place", card=card, locomotives=locomotives, line=line, extra=cards, express=express)


def korea(seats: int = 2) -> Game:
    """Seat 0's first turn on the shipped map: everyone has picked and kept the first tickets of what there was."""
    game = Game(seats, KOREA)
    while game.phase == "draft":
        game.play(pick(0))
    while game.phase == "setup":
        game.play(keep(0, 1, 2, 3))
    return game


def held(game: Game, seat: int) -> set[int]:
    """The express cards that a seat still has."""
    return {value for value in range(16) if game.state.express[seat] >> value & 1}


def lay_express(game: Game, seat: int, *values: int) -> Game:
    """The seat has exactly these express cards."""
    game.state.express[seat] = sum(1 << value for value in values)
    return game


def line_of(game: Game, color: str) -> dict[int, int]:
    """The trains on a line of the mat: the seat by position."""
    word = int(game.state.mat[COLORS.index(color)])
    taken = {position: (word >> 4 * position - 4) & 15 for position in range(1, 17)}
    return {position: owner - 1 for position, owner in taken.items() if owner}


def lay_line(game: Game, color: str, trains: dict[int, int]) -> Game:
    """The trains on a line are exactly these, the supplies being untouched."""
    word = sum(seat + 1 << 4 * position - 4 for position, seat in trains.items())
    game.state.mat[COLORS.index(color)] = word
    return game


def lay_sums(game: Game, color: str, positions: Iterable[Iterable[int]]) -> Game:
    """The positions of each seat on a line, seat by seat."""
    return lay_line(game, color, {place: seat for seat, places in enumerate(positions) for place in places})


def seen_by(game: Game, seat: int) -> np.record:
    """What a seat is shown."""
    view = np.zeros(1, VIEW)[0]
    observe(game.state, game.board, seat, view)
    return view


def all_views(game: Game) -> list[bytes]:
    """What each seat is shown, byte for byte."""
    return [seen_by(game, seat).tobytes() for seat in range(game.seats)]


def offers(game: Game) -> list[list[int]]:
    """What each seat chooses from."""
    return [game.offer(seat) for seat in range(game.seats)]


def by_the_words(game: Game, route: int, paid: str) -> set[Action]:
    """Seat 0's placements after a claim, by trying everything there could be (K3, K5-K7)."""
    length, color = game.spec.routes[route][2:4]
    hand, found = Counter(game.hand(0)), set()
    if game.state.trains[0] == 0:
        return found
    valid = {paid} if paid != L else set(COLORS) if color == "gray" else {color}
    express = (0, *held(game, 0))
    for (line, positions, _), n, more, locomotives in product(game.spec.provinces, express, COLORS, range(hand[L] + 1)):
        for cards in range(hand[more] + 1):
            played = length + cards + locomotives
            reached = range(1, min(played + n, positions) + 1)
            if (
                color in ("gray", line)
                and (cards == 0 or more in valid)
                and (cards + locomotives == 0 or played <= positions)
                and set(reached) - set(line_of(game, line))
            ):
                found.add(place(line, cards, more if cards else "", locomotives, n))
    return found


def random_claim(spec: MapSpec, random: np.random.Generator) -> tuple[Game, Action]:
    """A random table just before a claim, and the claim."""
    game = (korea(3) if spec is KOREA else Game(3, spec).begin()).clear()
    while not game.claims:
        game.give_hand(0, **{card: int(random.integers(random.choice([1, 4, 12]))) for card in CARDS})
    lay_express(game, 0, *(n for n in range(1, spec.rules.express + 1) if random.random() < 0.5))
    share = random.choice([0.3, 0.8, 1])
    for line, positions, _ in spec.provinces:
        at = [position for position in range(1, positions + 1) if random.random() < share]
        lay_line(game, line, {position: int(random.integers(3)) for position in at})
    action = game.claims[random.integers(len(game.claims))]
    length = spec.routes[action.route].length
    return game.give_trains(0, length + int(random.choice([0, 1, 30]))), action
