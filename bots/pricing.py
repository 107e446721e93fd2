"""What a card, a route and a draw of tickets are worth to `planner`, in points."""

import numpy as np

from arena.bot import (
    EMPTY,
    GRAY,
    LOCOMOTIVE,
    ONE,
    has,
    is_bullet,
    kernel,
    lowest,
    within_trains,
)
from bots.planning import odds, survey
from bots.steiner import CARDS, ROUTES, price_of
from bots.weights import (
    BLOCK, BULLET, FAR, LATE, LOST, NEAR, NEEDED, REACH, SPARE, SPEND, STAKE, SUPPLY, WILD,
)  # fmt: skip

# Where a policy's memory keeps the plan, behind the weights.
POINTS = 40  # what its tickets bring
PLAN = 41  # its routes: four numbers of 32 bits
DETOUR = 64  # by route: what it would cost to go around it


@kernel
def routes_left(view, memory, routes):
    """Fill the set of the plan's routes that are still to be claimed."""
    for word in range(2):
        high = np.uint64(int(memory[PLAN + 2 * word + 1])) << np.uint64(32)
        planned = np.uint64(int(memory[PLAN + 2 * word])) | high
        routes[word] = planned & ~view.mine[view.seat, word] & ~view.shared[word]


@kernel
def remember_routes(memory, routes):
    """Keep the set of the plan's routes."""
    for word in range(2):
        memory[PLAN + 2 * word] = float(int(routes[word] & np.uint64(0xFFFFFFFF)))
        memory[PLAN + 2 * word + 1] = float(int(routes[word] >> np.uint64(32)))


@kernel
def count_needs(view, board, routes, needs):
    """The cards of each color that the routes of a set take, gray ones last; the cost of all, without its price."""
    needs[:] = 0.0
    cost = 0
    for word in range(2):
        left = routes[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left &= left - ONE
            length = int(board.length[route])
            needs[board.color[route]] += length
            cost += (1 << ROUTES) + (length << CARDS)
            if not is_bullet(view, board, route):
                cost += length
    return cost


@kernel
def life(time, memory):
    """How much of its value a card or a train has, the game's end being so near."""
    return min(1.0, (time - 1.0) / memory[LATE])


@kernel
def touching(view, board, route):
    """How many of the two cities of a route other seats have reached, all seats counted."""
    count = 0
    for other in range(view.seats):
        if other != view.seat:
            for city in (board.a[route], board.b[route]):
                reached = EMPTY
                for word in range(2):
                    reached |= view.mine[other, word] & board.city_routes[city, word]
                count += reached != EMPTY
    return count


@kernel
def route_worth(view, board, memory, route):
    """What a route brings by itself: points, or progress with bullet trains."""
    length = int(board.length[route])
    if is_bullet(view, board, route):
        return memory[BULLET] * length
    return float(board.route_points[length])


@kernel
def train_price(board, memory, time):
    """What a train is worth that is not needed by the plan."""
    return memory[SPEND] * memory[SUPPLY] / board.trains * life(time, memory)


@kernel
def claim_value(view, board, memory, plan, cards, trains, time, route):
    """What a claim brings: its points, its share of the plan, and how much others could harm; without its payment."""
    length = int(board.length[route])
    value = route_worth(view, board, memory, route)
    others = view.seats - 1
    near = touching(view, board, route)
    if has(plan, route):
        value += memory[STAKE] * memory[POINTS] * length / (cards + memory[NEAR])
        if cards == length:
            value += (1.0 - memory[STAKE]) * memory[POINTS]
        return value + memory[LOST] * memory[DETOUR + route] * min(1.0, 0.25 + 0.375 * near)
    if not is_bullet(view, board, route):
        value -= train_price(board, memory, time) * length
        if length > view.trains[view.seat] - trains:
            value -= memory[POINTS]
    return value + memory[BLOCK] * near / (others * others)


@kernel
def colored_price(view, memory, needs, color, count, own):
    """What `count` cards of a color are worth elsewhere; `own` of them the plan meant for this route."""
    spare = max(0.0, view.hand[color] - (needs[color] - own))
    return memory[NEEDED] * max(0.0, count - spare) + memory[SPARE] * min(float(count), spare)


@kernel
def bring_nearer(view, board, memory, needs, value, route, prices):
    """Raise the prices of the cards that a route of some value can be paid with and that are still missing."""
    length, own = int(board.length[route]), int(board.color[route])
    first, last = (0, 8) if own == GRAY else (own, own + 1)
    for color in range(first, last):
        held = float(view.hand[color])
        if own == GRAY:
            held = max(0.0, held - needs[color])
        missing = length - held - view.hand[LOCOMOTIVE]
        if missing > 0.0:
            gain = memory[REACH] * value / (missing + memory[FAR])
            prices[color] = max(prices[color], gain)


@kernel
def card_prices(view, board, memory, plan, needs, cards, trains, time, prices):
    """Fill what one more card of each kind is worth (float64[9])."""
    prices[:] = 0.0
    rate = memory[STAKE] * memory[POINTS] / (cards + memory[NEAR])
    free = view.trains[view.seat] - trains
    for word in range(2):
        routes = within_trains(view, board, view.seat, word)
        while routes != EMPTY:
            route = 64 * word + lowest(routes)
            routes &= routes - ONE
            length = int(board.length[route])
            value = route_worth(view, board, memory, route)
            if has(plan, route):
                value += rate * length
            elif length <= free or is_bullet(view, board, route):
                value -= train_price(board, memory, time) * length
            else:
                continue
            bring_nearer(view, board, memory, needs, value, route, prices)
    best = 0.0
    for color in range(8):
        best = max(best, prices[color])
        prices[color] += memory[NEEDED] if view.hand[color] < needs[color] else memory[SPARE]
    prices[LOCOMOTIVE] = best + memory[WILD]
    for card in range(9):
        prices[card] *= life(time, memory)


@kernel
def blind_price(view, board, prices):
    """What an unseen card is worth on average."""
    total, count = 0.0, 0
    for card in range(9):
        unseen = board.locomotives if card == LOCOMOTIVE else board.cards_per_color
        unseen -= view.hand[card] + view.discards[card]
        for other in range(view.seats):
            if other != view.seat:
                unseen -= view.known[other, card]
        for slot in range(len(view.row)):
            unseen -= view.row[slot] == card
        total += prices[card] * unseen
        count += unseen
    return total / count if count > 0 else 0.0


@kernel
def ticket_prospects(view, board, memory, planned, time, gains):
    """Fill what each unknown ticket would bring beside a plan of some cost, the best first; their number."""
    node, _, _, distance = survey(view, board, memory)
    count = 0
    before = memory[POINTS] * odds(planned, view, time, memory)
    for ticket in range(board.tickets):
        if has(view.tickets, ticket):
            continue
        cost = distance[node[board.ticket_a[ticket]], node[board.ticket_b[ticket]]]
        points = float(board.ticket_points[ticket])
        after = (memory[POINTS] + 2.0 * points) * odds(planned + cost, view, time - 1.0, memory) - price_of(cost)
        gain = max(0.0, after - before) - points
        place = count
        while place > 0 and gains[place - 1] < gain:
            gains[place] = gains[place - 1]
            place -= 1
        gains[place] = gain
        count += 1
    return count


@kernel
def best_of(gains, count, drawn):
    """The expected best of some gains (best first) drawn at random without replacement."""
    expected, none_better = 0.0, 1.0
    for place in range(count):
        left = count - place
        chance = min(1.0, drawn / left)
        expected += none_better * chance * gains[place]
        none_better *= 1.0 - chance
    return expected
