"""The strongest heuristic here: an exact plan for the tickets, everything else priced in points against it."""

import numpy as np

from arena.bot import (
    CLAIM,
    DRAW_BLIND,
    DRAW_EXTRA,
    DRAW_TICKETS,
    EMPTY,
    LOCOMOTIVE,
    TAKE_CARD,
    TURN,
    card_of,
    express_of,
    extra_of,
    has,
    is_bullet,
    kernel,
    kind_of,
    locomotives_of,
    lowest,
    PLACE_TRAIN,
    placement_gain,
    policy,
    popcount,
    route_of,
)
from bots.helpers import is_placement, is_ticket_choice
from bots.planning import (
    best_subset, choose_tickets, lay_out, odds, open_tickets, search, survey, turns_left,
)
from bots.pricing import (
    DETOUR, POINTS, best_of, blind_price, card_prices, claim_value, colored_price, count_needs, life, remember_routes,
    routes_left, ticket_prospects,
)
from bots.steiner import GROUP, NEVER, cards_in, price_of, trains_in
from bots.weights import DRAW, EXPRESS, EXTRA, LEAST, MORE, SUPPLY, WEIGHTS, WILD

# In memory, between the weights and the plan (see pricing.py).
TICKETS = 32  # held when the plan was made, plus one
SHARED = 33  # shared routes then
LATE_PLAN = 34  # whether the last round had begun
CHANCE = 35  # the plan's odds then
PROSPECT = 36  # expected gain of a draw of tickets, and of the routes and tickets it was computed for
PROSPECT_KEY = 37


@kernel
def is_plan_good(view, board, memory, plan, time):
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
def best_claim(view, board, actions, memory, plan, needs, cards, trains, time):
    """The claim of most value, its payment counted, and that value."""
    values = np.full(board.routes, np.nan)
    best, best_value = -1, -1e9
    fade = life(time, memory)
    for action in actions:
        if kind_of(action) != CLAIM:
            continue
        route, color, locomotives = route_of(action), card_of(action), locomotives_of(action)
        if np.isnan(values[route]):
            values[route] = claim_value(view, board, memory, plan, cards, trains, time, route)
        value = values[route] - fade * memory[WILD] * locomotives - 0.001 * locomotives
        if color < LOCOMOTIVE:
            count = int(board.length[route]) - locomotives
            own = board.length[route] if has(plan, route) and board.color[route] == color else 0
            value -= fade * colored_price(view, memory, needs, color, count, own)
        if value > best_value:
            best, best_value = action, value
    return best, best_value


@kernel
def best_draw(view, board, actions, memory, prices):
    """The first card to draw, and what the whole turn of drawing brings; a second card is drawn if there is a turn."""
    blind = blind_price(view, board, prices)
    best, first, second = actions[0], -1e9, -1e9
    alone, alone_value = -1, -1e9
    for action in actions:
        kind = kind_of(action)
        if kind == TAKE_CARD:
            card = card_of(action)
            if card == LOCOMOTIVE and view.phase == TURN:
                alone, alone_value = action, prices[LOCOMOTIVE]
                continue
            copies = 0
            for slot in range(len(view.row)):
                copies += view.row[slot] == card
            value = prices[card]
        elif kind == DRAW_BLIND:
            value, copies = blind, 2
        else:
            continue
        if value > first:
            best, second, first = action, value if copies > 1 else first, value
        elif value > second:
            second = value
    total = first + max(second, 0.0)
    if alone >= 0 and alone_value > total:
        return alone, alone_value
    return best, total


@kernel
def best_express(view, board, actions, memory, prices, draws):
    """An express card for more cards, and what that turn of drawing brings."""
    blind = blind_price(view, board, prices)
    best, best_value = -1, -1e9
    for action in actions:
        if kind_of(action) == DRAW_EXTRA:
            value = draws + (blind - memory[EXPRESS]) * express_of(action)
            if value > best_value:
                best, best_value = action, value
    return best, best_value


@kernel
def best_tickets(view, board, actions, memory, planned, time):
    """The draw of tickets of most value, and that value."""
    best, best_value = -1, -1e9
    if time <= 2.0 or view.trains[view.seat] - trains_in(planned) < memory[LEAST] * board.trains:
        return best, best_value
    for action in actions:
        if kind_of(action) == DRAW_TICKETS:
            used = express_of(action)
            drawn = min(int(view.ticket_count), board.tickets_drawn + used)
            value = memory[MORE] * prospect(view, board, memory, planned, time, drawn) - memory[EXPRESS] * used
            if value > best_value:
                best, best_value = action, value
    return best, best_value


@kernel
def best_placement(view, board, actions, memory, time):
    """The placement that raises the own bonus most for what it costs; none (the first action) if none pays."""
    best, best_value = actions[0], 0.0
    train = memory[SUPPLY] / board.trains * life(time, memory)
    for action in actions:
        if kind_of(action) == PLACE_TRAIN:
            cards = memory[EXTRA] * extra_of(action) + memory[WILD] * locomotives_of(action)
            cost = train + life(time, memory) * (cards + memory[EXPRESS] * express_of(action))
            value = placement_gain(view, board, action) - cost
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def decide(view, board, actions, memory):
    """The planner's decision; its memory holds the weights and its plan."""
    if is_ticket_choice(actions):
        return choose_tickets(view, board, actions, memory)
    time = turns_left(view, board, memory)
    if is_placement(actions):
        return best_placement(view, board, actions, memory, time)
    plan = np.zeros(2, np.uint64)
    routes_left(view, memory, plan)
    if view.phase == TURN and not is_plan_good(view, board, memory, plan, time):
        make_plan(view, board, memory, plan, time)
    needs, prices = np.empty(9), np.empty(9)
    planned = count_needs(view, board, plan, needs)
    cards, trains = cards_in(planned), trains_in(planned)
    card_prices(view, board, memory, plan, needs, cards, trains, time, prices)
    draw, draws = best_draw(view, board, actions, memory, prices)
    if view.phase != TURN:
        return draw
    draws += memory[DRAW]
    best, best_value = draw, draws
    claim, value = best_claim(view, board, actions, memory, plan, needs, cards, trains, time)
    if value > best_value:
        best, best_value = claim, value
    more, value = best_tickets(view, board, actions, memory, planned, time)
    if value > best_value:
        best, best_value = more, value
    extra, value = best_express(view, board, actions, memory, prices, draws)
    if value > best_value:
        best, best_value = extra, value
    return best


@policy(**WEIGHTS)
def planner(view, board, actions, memory, luck):
    """Completes its tickets by an exact plan; claims, cards and more tickets are weighed in points."""
    return decide(view, board, actions, memory)
