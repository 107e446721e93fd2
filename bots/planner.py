"""The strongest heuristic here: an exact plan for the tickets, everything else priced in points against it."""

import numpy as np

from arena.bot import (
    CLAIM,
    DRAW_BLIND,
    DRAW_EXTRA,
    DRAW_TICKETS,
    EMPTY,
    LOCOMOTIVE,
    PLACE_TRAIN,
    SECOND_CARD,
    TAKE_CARD,
    TURN,
    card_of,
    express_of,
    extra_of,
    has,
    kernel,
    kind_of,
    locomotives_of,
    lowest,
    policy,
    popcount,
    route_of,
)
from bots.helpers import is_placement, is_ticket_choice
from bots.planning import (
    best_subset,
    lay_out,
    open_tickets,
    price_choices,
    search,
    survey,
    turns_left,
)
from bots.pricing import (
    DETOUR,
    POINTS,
    best_of,
    blind_price,
    card_prices,
    claim_value,
    colored_price,
    count_needs,
    life,
    placement_prospect,
    remember_routes,
    routes_left,
    ticket_prospects,
)
from bots.steiner import GROUP, NEVER, price_of, trains_in
from bots.weights import DRAW, EXPRESS, EXTRA, LEAST, MORE, SUPPLY, WEIGHTS, WILD

# In memory, between the weights and the plan (see pricing.py).
UNTHINKABLE = -1e9
TICKETS = 32  # held when the plan was made, plus one
SHARED = 33  # shared routes then
LATE_PLAN = 34  # whether the last round had begun
CHANCE = 35  # the plan's odds then
PROSPECT = 36  # expected gain of a draw of tickets, and of the routes and tickets it was computed for
PROSPECT_KEY = 37


@kernel
def is_plan_good(view, memory, plan):
    """Whether the plan still fits: the same tickets, its routes still open, time enough."""
    if memory[TICKETS] != view.tickets_kept[view.seat] + 1:
        return False
    if memory[SHARED] != popcount(view.shared[0]) + popcount(view.shared[1]):
        return False
    if memory[LATE_PLAN] != (view.last_turns >= 0):
        return False
    for word in range(2):
        if plan[word] & ~view.open[view.seat, word] != EMPTY:
            return False
    return True


@kernel
def detour(view, board, ground, route):
    """The points it takes to go around a route, at most 30."""
    node, cost, _, _ = ground
    start, goal = node[board.a[route]], node[board.b[route]]
    reached = np.full(len(cost), NEVER)
    done = np.zeros(len(cost), np.uint8)
    reached[start] = 0
    while True:
        here = -1
        for part in range(len(cost)):
            if done[part] == 0 and reached[part] < NEVER and (here < 0 or reached[part] < reached[here]):
                here = part
        if here < 0:
            return 30.0
        if here == goal:
            return min(30.0, max(0.0, price_of(reached[goal]) - price_of(cost[start, goal])))
        done[here] = 1
        for part in range(len(cost)):
            direct = (here == start and part == goal) or (here == goal and part == start)
            if not direct:
                reached[part] = min(reached[part], reached[here] + cost[here, part])


@kernel
def make_plan(view, board, memory, plan, time):
    """Choose the tickets worth completing and the routes for them, and remember both."""
    ground = survey(view, board, memory)
    list_ = np.empty(GROUP, np.int64)
    count = open_tickets(view, board, ground[0], list_, 0)
    tickets = list_[:count]
    found = search(view, board, ground[0], ground[3], tickets)
    subset, _ = best_subset(view, board, memory, tickets, found[3], (1 << count) - 1, time)
    plan[:] = EMPTY
    lay_out(board, found, ground, tickets, subset, plan)
    points = 0.0
    for index in range(count):
        if (subset >> index) & 1:
            points += 2.0 * board.ticket_points[tickets[index]]
    for word in range(2):
        left = plan[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left &= left - np.uint64(1)
            memory[DETOUR + route] = detour(view, board, ground, route)
    memory[POINTS] = points
    memory[TICKETS] = view.tickets_kept[view.seat] + 1
    memory[SHARED] = popcount(view.shared[0]) + popcount(view.shared[1])
    memory[LATE_PLAN] = view.last_turns >= 0
    remember_routes(memory, plan)


@kernel
def prospect(view, board, memory, planned, time, drawn):
    """The expected gain of drawing so many tickets; looked up again when own routes or tickets have changed."""
    seat = view.seat
    key = 1 + popcount(view.mine[seat, 0]) + popcount(view.mine[seat, 1]) + 128 * view.tickets_kept[seat]
    if memory[PROSPECT_KEY] != key or drawn != board.tickets_drawn:
        gains = np.empty(board.tickets)
        count = ticket_prospects(view, board, memory, planned, time, gains)
        if drawn != board.tickets_drawn:
            return best_of(gains, count, drawn)
        memory[PROSPECT] = best_of(gains, count, drawn)
        memory[PROSPECT_KEY] = key
    return memory[PROSPECT]


@kernel
def price_claims(view, board, actions, memory, plan, needs, planned, time, values):
    """Fill the values of the claims: what the route brings, less what its cards are worth elsewhere."""
    worth = np.full(board.routes, np.nan)
    fade = life(time, memory)
    for index in range(len(actions)):
        action = actions[index]
        if kind_of(action) != CLAIM:
            continue
        route, color, locomotives = route_of(action), card_of(action), locomotives_of(action)
        if np.isnan(worth[route]):
            worth[route] = claim_value(view, board, memory, plan, planned, time, route)
        price = fade * memory[WILD] * locomotives + 0.001 * locomotives
        if color < LOCOMOTIVE:
            count = int(board.length[route]) - locomotives
            own = board.length[route] if has(plan, route) and board.color[route] == color else 0
            price += fade * colored_price(view, memory, needs, color, count, own)
        values[index] = worth[route] - price


@kernel
def price_draws(view, board, actions, memory, prices, values):
    """Fill the values of drawing cards: of the first one with the best that could follow it."""
    blind = blind_price(view, board, prices)
    best, second = blind, blind
    for slot in range(len(view.row)):
        card = view.row[slot]
        if card >= 0 and card != LOCOMOTIVE:
            value = prices[card]
            if value > best:
                best, second = value, best
            elif value > second:
                second = value
    turn = memory[DRAW] if view.phase == TURN else 0.0
    for index in range(len(actions)):
        action = actions[index]
        kind = kind_of(action)
        if kind == TAKE_CARD or kind == DRAW_BLIND:
            card = card_of(action)
            value = blind if kind == DRAW_BLIND else prices[card]
            values[index] = turn + value
            if view.phase != SECOND_CARD and not (kind == TAKE_CARD and card == LOCOMOTIVE):
                values[index] += second if value == best else best
        elif kind == DRAW_EXTRA:
            values[index] = turn + best + second + (blind - memory[EXPRESS]) * express_of(action)


@kernel
def price_tickets(view, board, actions, memory, planned, time, values):
    """Fill the values of drawing tickets."""
    if time <= 2.0 or view.trains[view.seat] - trains_in(planned) < memory[LEAST] * board.trains:
        return
    for index in range(len(actions)):
        if kind_of(actions[index]) == DRAW_TICKETS:
            used = express_of(actions[index])
            drawn = min(int(view.ticket_count), board.tickets_drawn + used)
            values[index] = memory[MORE] * prospect(view, board, memory, planned, time, drawn) - memory[EXPRESS] * used


@kernel
def price_placements(view, board, actions, memory, time, values):
    """Fill the values of trains for the province mat: what its line promises more, less what it takes."""
    fade = life(time, memory)
    train = memory[SUPPLY] / board.trains
    for index in range(len(actions)):
        action = actions[index]
        if kind_of(action) == PLACE_TRAIN:
            extra, locomotives, express = extra_of(action), locomotives_of(action), express_of(action)
            cost = train + memory[EXTRA] * extra + memory[WILD] * locomotives + memory[EXPRESS] * express
            target = board.length[view.claimed] + extra + locomotives + express
            gain = placement_prospect(view, board, memory, route_of(action), target, time)
            values[index] = gain - fade * cost
        else:
            values[index] = 0.0


@kernel
def price_actions(view, board, actions, memory, values):
    """Fill what each legal action is worth in points (float64, as long as actions); memory: the weights and the plan."""
    values[:] = UNTHINKABLE
    if is_ticket_choice(actions):
        price_choices(view, board, actions, memory, values)
        return
    time = turns_left(view, board, memory)
    if is_placement(actions):
        price_placements(view, board, actions, memory, time, values)
        return
    plan = np.zeros(2, np.uint64)
    routes_left(view, memory, plan)
    if view.phase == TURN and not is_plan_good(view, memory, plan):
        make_plan(view, board, memory, plan, time)
    needs, prices = np.empty(9), np.empty(9)
    planned = count_needs(view, board, plan, needs)
    card_prices(view, board, memory, plan, needs, planned, time, prices)
    price_draws(view, board, actions, memory, prices, values)
    if view.phase == TURN:
        price_claims(view, board, actions, memory, plan, needs, planned, time, values)
        price_tickets(view, board, actions, memory, planned, time, values)


@kernel
def make_ready(view, board, memory):
    """Make the plan that the first decision would make."""
    plan = np.zeros(2, np.uint64)
    make_plan(view, board, memory, plan, turns_left(view, board, memory))


@kernel
def decide(view, board, actions, memory):
    """The action of most value, the first of equal ones."""
    values = np.empty(len(actions))
    price_actions(view, board, actions, memory, values)
    best = 0
    for index in range(len(actions)):
        if values[index] > values[best]:
            best = index
    return actions[best]


@policy(**WEIGHTS)
def planner(view, board, actions, memory, luck):
    """Completes its tickets by an exact plan; claims, cards and more tickets are weighed in points."""
    return decide(view, board, actions, memory)
