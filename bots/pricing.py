"""What each action is worth to the planner, in points: claims, draws of cards, draws of tickets."""

import numpy as np

from arena.bot import (
    CLAIM,
    DRAW_BLIND,
    DRAW_EXTRA,
    DRAW_TICKETS,
    EMPTY,
    LOCOMOTIVE,
    MAX_OFFER,
    SECOND_CARD,
    TAKE_CARD,
    TURN,
    card_of,
    express_of,
    has,
    is_bullet,
    kernel,
    kind_of,
    locomotives_of,
    popcount,
    route_of,
)
from bots.placing import mat_worths
from bots.planning import odds, survey
from bots.plans import DETOUR, POINTS, PROSPECT, PROSPECT_KEY
from bots.steiner import cards_in, price_of, trains_in
from bots.weights import BLOCK, DRAW, EXPRESS, LEAST, LOST, MORE, NEEDED, SPARE, STAKE, WILD

TIE = 0.001  # points: of equal payments, that with the fewest locomotives


@kernel
def touching(view, board, route):
    """How many of the two cities of a route other seats have reached, all seats counted."""
    count = 0
    for other in range(view.seats):
        if other != view.seat:
            for city in (board.a[route], board.b[route]):
                low = view.routes_claimed[other, 0] & board.city_routes[city, 0]
                high = view.routes_claimed[other, 1] & board.city_routes[city, 1]
                count += low | high != EMPTY
    return count


@kernel
def claim_worth(view, board, memory, now, route):
    """What a route brings: its points, its share of the plan, and what others could do to it; without its payment."""
    length, others = int(board.length[route]), view.seats - 1
    bullet = is_bullet(view, board, route)
    worth = now.progress * length if bullet else float(board.route_points[length])
    if board.lines > 0:
        worth += now.mat[board.color[route], length]
    near = touching(view, board, route)
    if has(now.wanted, route):
        worth += now.rate * length
        if cards_in(now.planned) == length:
            worth += (1.0 - memory[STAKE]) * memory[POINTS]  # the plan's last route
        return worth + memory[LOST] * memory[DETOUR + route] * min(1.0, 0.25 + 0.375 * near)
    if not bullet:
        worth -= now.train * length
        if length > view.trains[view.seat] - trains_in(now.planned):
            worth -= memory[POINTS]
    # Of the mean opponent, and divided by their number once more: it serves all others for free.
    return worth + memory[BLOCK] * near / (others * others)


@kernel
def payment_price(view, board, memory, now, action):
    """What the cards of a claim are worth elsewhere."""
    route, color, locomotives = route_of(action), card_of(action), locomotives_of(action)
    price = memory[WILD] * locomotives
    if color < LOCOMOTIVE:
        length = int(board.length[route])
        needs = now.needs[color]
        if has(now.plan, route) and board.color[route] == color:
            needs -= length
        spare = max(0.0, view.hand[color] - needs)
        count = float(length - locomotives)
        price += memory[NEEDED] * max(0.0, count - spare) + memory[SPARE] * min(count, spare)
    return now.fade * price + TIE * locomotives


@kernel
def price_claims(view, board, actions, memory, now, values):
    """Fill the values of the claims."""
    if board.lines > 0:
        mat_worths(view, board, memory, now.fade, now.time, now.mat)
    worths = np.full(board.routes, np.nan)
    for index in range(len(actions)):
        if kind_of(actions[index]) == CLAIM:
            route = route_of(actions[index])
            if np.isnan(worths[route]):
                worths[route] = claim_worth(view, board, memory, now, route)
            values[index] = worths[route] - payment_price(view, board, memory, now, actions[index])


@kernel
def price_draws(view, actions, memory, now, values):
    """Fill the values of drawing cards: of the first one with the best that could follow it."""
    best, second = now.blind, now.blind
    for slot in range(len(view.row)):
        card = view.row[slot]
        if card >= 0 and card != LOCOMOTIVE:
            value = now.cards[card]
            if value > best:
                best, second = value, best
            elif value > second:
                second = value
    turn = memory[DRAW] if view.phase == TURN else 0.0
    for index in range(len(actions)):
        kind, card = kind_of(actions[index]), card_of(actions[index])
        if kind == TAKE_CARD or kind == DRAW_BLIND:  # noqa: SIM109  # Numba compiles `in` into a search
            value = now.blind if kind == DRAW_BLIND else now.cards[card]
            values[index] = turn + value
            if view.phase != SECOND_CARD and not (kind == TAKE_CARD and card == LOCOMOTIVE):
                values[index] += second if value == best else best
        elif kind == DRAW_EXTRA:
            more = now.blind - now.fade * memory[EXPRESS]
            values[index] = turn + best + second + more * express_of(actions[index])


@kernel
def price_tickets(view, board, actions, memory, now, values):
    """Fill the values of drawing tickets, as long as there are trains and turns for more than the plan."""
    if now.time <= 2.0 or view.trains[view.seat] - trains_in(now.planned) < memory[LEAST] * board.trains:
        return
    for index in range(len(actions)):
        if kind_of(actions[index]) == DRAW_TICKETS:
            express = express_of(actions[index])
            drawn = min(int(view.ticket_count), board.tickets_drawn + express)
            gain = prospect(view, board, memory, now, drawn)
            values[index] = memory[MORE] * gain - now.fade * memory[EXPRESS] * express


@kernel
def prospect(view, board, memory, now, drawn):
    """The expected gain of drawing so many tickets; looked up again only when own routes or tickets have changed."""
    seat = view.seat
    routes = popcount(view.routes_claimed[seat, 0]) + popcount(view.routes_claimed[seat, 1])
    key = 1 + routes + 128 * view.tickets_kept[seat]
    if memory[PROSPECT_KEY] != key:
        gains = np.empty(board.tickets)
        count = ticket_gains(view, board, memory, now, gains)
        for number in range(MAX_OFFER + 1):
            memory[PROSPECT + number] = best_of(gains, count, number)
        memory[PROSPECT_KEY] = key
    return memory[PROSPECT + drawn]


@kernel
def ticket_gains(view, board, memory, now, gains):
    """Fill what each unknown ticket would bring beside the plan, the best first; their number."""
    node, _, _, distance = survey(view, board, memory)
    before = memory[POINTS] * odds(now.planned, view, now.time, memory)
    count = 0
    for ticket in range(board.tickets):
        if has(view.tickets, ticket):
            continue
        cost = distance[node[board.ticket_a[ticket]], node[board.ticket_b[ticket]]]
        points = float(board.ticket_points[ticket])
        chance = odds(now.planned + cost, view, now.time - 1.0, memory)
        gain = max(0.0, chance * (memory[POINTS] + 2.0 * points) - price_of(cost) - before) - points
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
        chance = min(1.0, drawn / (count - place))
        expected += none_better * chance * gains[place]
        none_better *= 1.0 - chance
    return expected
