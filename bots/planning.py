"""Which tickets to complete, and by which routes: every subset of the open ones, priced as a Steiner forest."""

import numpy as np

from arena.bot import (
    EMPTY,
    MAX_CITIES,
    ONE,
    SET_WORDS,
    WORD_BITS,
    kept_of,
    kernel,
    lowest,
)
from bots.steiner import (
    GROUP,
    NEVER,
    TERMINALS,
    add_path,
    add_tree,
    cards_in,
    contract,
    grow_trees,
    lay_tracks,
    measure,
    price_of,
    routes_in,
    trains_in,
    tree_cost,
)
from bots.weights import BULLET, CARD, DOUBT, PACE, SUPPLY, SURE, TURN_PRICE, WORTH

RACE = 6.0  # cards of progress, added to how far others are ahead or behind
LEAST_PART = 0.001  # what parameters are divided by at least
DEAREST = 1000.0  # points that a route costs at most
PATIENCE = 10.0  # turns that the pace expected before the game weighs as much as


@kernel
def turns_left(view, board, memory):
    """How many turns the seat will still have, this one included."""
    if view.last_turns >= 0:
        return 1.0
    turns = 1000.0
    for seat in range(view.seats):
        trains = max(0, int(view.trains[seat]) - board.last_round_trains)
        laid = board.trains - view.trains[seat]
        pace = max(LEAST_PART, (laid + PATIENCE * memory[PACE]) / (view.turns[seat] + PATIENCE))
        turns = min(turns, trains / pace)
    bullets = max(0, view.bullets_left - board.last_round_bullets) if board.bullet_trains > 0 else 0
    return 2.0 + turns + 2.0 * bullets / view.seats


@kernel
def odds(cost, view, time, memory):
    """How likely routes of such a cost can be completed in the time that is left."""
    if cost == 0:
        return 1.0
    if cost >= NEVER or trains_in(cost) > view.trains[view.seat]:
        return 0.0
    turns = routes_in(cost) + 0.5 * max(0.0, cards_in(cost) - 0.7 * view.cards[view.seat])
    part = turns / time
    return min(1.0, max(0.0, 1.0 - (part - memory[SURE]) / max(LEAST_PART, memory[DOUBT])))


@kernel
def progress_price(view, board, memory):
    """Points that a card of progress with bullet trains is worth: most when the others are close."""
    price = 0.0
    stake = float(board.bullet_bonus[0] - board.bullet_bonus[view.seats - 1]) / (view.seats - 1)
    for other in range(view.seats):
        if other != view.seat:
            price += stake / (RACE + abs(int(view.progress[other]) - int(view.progress[view.seat])))
    return memory[BULLET] * price


@kernel
def route_prices(view, board, memory):
    """Points that a route costs by its length, and a bullet route: float64 [2, longest + 1]."""
    train = memory[SUPPLY] / board.trains
    progress = progress_price(view, board, memory) if board.bullet_trains > 0 else 0.0
    prices = np.zeros((2, board.longest_route + 1))
    for length in range(1, board.longest_route + 1):
        spaces = memory[CARD] * length + memory[TURN_PRICE]
        least = 0.1 * length
        own = spaces + train * length - memory[WORTH] * board.route_points[length]
        prices[0, length] = min(DEAREST, max(least, own))
        prices[1, length] = min(DEAREST, max(least, spaces - progress * length))
    return prices


@kernel
def survey(view, board, memory):
    """The parts of the seat's network (node by city) and cost, route and distance between any two of them."""
    node = np.empty(MAX_CITIES, np.int64)
    count = contract(view, board, node)
    cost = np.empty((count, count), np.int64)
    via = np.empty((count, count), np.int64)
    distance = np.empty((count, count), np.int64)
    lay_tracks(view, board, route_prices(view, board, memory), node, cost, via)
    measure(cost, distance)
    return node, cost, via, distance


@kernel
def choose_terminals(board, node, tickets, terminals, ends):
    """Write the parts that the tickets join, and each ticket's two as bits, 0 if they do not fit; their number."""
    count = 0
    for index in range(len(tickets)):
        bits, fresh = 0, count
        for city in (board.ticket_a[tickets[index]], board.ticket_b[tickets[index]]):
            place = 0
            while place < fresh and terminals[place] != node[city]:
                place += 1
            if place == fresh:
                if fresh == TERMINALS:
                    bits = -1
                    break
                terminals[fresh] = node[city]
                fresh += 1
            bits |= 1 << place
        ends[index] = max(bits, 0)
        if bits > 0:
            count = fresh
    return count


@kernel
def grow_forests(board, node, distance, tickets, terminals, ends, trees, forests, first):
    """The cost of the cheapest forest for each subset (bits) of some tickets, and the tickets of its first tree."""
    forests[0] = 0
    for subset in range(1, len(forests)):
        low = subset & -subset
        forests[subset] = NEVER
        part = subset
        while part > 0:
            if part & low:
                cost = tree_of(board, node, distance, tickets, terminals, ends, trees, part)
                if cost + forests[subset ^ part] < forests[subset]:
                    forests[subset] = cost + forests[subset ^ part]
                    first[subset] = part
            part = (part - 1) & subset


@kernel
def tree_of(board, node, distance, tickets, terminals, ends, trees, part):
    """The cost of one tree for some of the tickets; one that did not fit among the terminals has a path of its own."""
    joined = 0
    for index in range(len(tickets)):
        if (part >> index) & 1:
            if ends[index] == 0:
                ticket = tickets[index]
                alone = part == 1 << index
                return distance[node[board.ticket_a[ticket]], node[board.ticket_b[ticket]]] if alone else NEVER
            joined |= ends[index]
    return tree_cost(trees, terminals, joined)


@kernel
def open_tickets(view, board, node, tickets, count):
    """Append the held tickets that are still open, those of most points first, to a list of up to GROUP; its length."""
    low, high = view.tickets[0], view.tickets[1]
    while count < GROUP:
        best, best_points = -1, -1
        for word in range(SET_WORDS):
            left = high if word else low
            while left != EMPTY:
                ticket = WORD_BITS * word + lowest(left)
                left &= left - ONE
                closed = node[board.ticket_a[ticket]] == node[board.ticket_b[ticket]]
                if not closed and board.ticket_points[ticket] > best_points:
                    best, best_points = ticket, int(board.ticket_points[ticket])
        if best < 0:
            break
        tickets[count] = best
        count += 1
        if best < WORD_BITS:
            low &= ~(ONE << np.uint64(best))
        else:
            high &= ~(ONE << np.uint64(best - WORD_BITS))
    return count


@kernel
def weigh(view, board, memory, tickets, forests, subset, time):
    """What completing a subset of the tickets would bring against failing them all."""
    chance = odds(forests[subset], view, time, memory)
    points = 0.0
    for index in range(len(tickets)):
        if (subset >> index) & 1:
            points += 2.0 * board.ticket_points[tickets[index]]
    return chance * points - price_of(forests[subset]) if chance > 0.0 else -1.0


@kernel
def find_forests(board, node, distance, tickets):
    """The forests of all subsets of some tickets, and all that is needed to lay out the routes of one."""
    terminals = np.empty(TERMINALS, np.int64)
    ends = np.empty(len(tickets), np.int64)
    count = choose_terminals(board, node, tickets, terminals, ends)
    trees = np.empty((1 << max(count - 1, 0), len(distance)), np.int64)
    grow_trees(distance, terminals, trees)
    forests = np.empty(1 << len(tickets), np.int64)
    first = np.zeros(1 << len(tickets), np.int64)
    grow_forests(board, node, distance, tickets, terminals, ends, trees, forests, first)
    return terminals, ends, trees, forests, first


@kernel
def best_subset(view, board, memory, tickets, forests, among, time):
    """The subset of most value among the subsets of some bits; its value."""
    best, best_value = 0, 0.0
    subset = among
    while subset > 0:
        value = weigh(view, board, memory, tickets, forests, subset, time)
        if value > best_value:
            best, best_value = subset, value
        subset = (subset - 1) & among
    return best, best_value


@kernel
def lay_out(board, found, ground, tickets, subset, routes):
    """Add the routes of the cheapest forest for a subset of the tickets to a set."""
    terminals, ends, trees, _, first = found
    node, cost, via, distance = ground
    while subset > 0:
        part = first[subset]
        subset ^= part
        joined = 0
        for index in range(len(tickets)):
            if (part >> index) & 1:
                joined |= ends[index]
                if ends[index] == 0:
                    a, b = board.ticket_a[tickets[index]], board.ticket_b[tickets[index]]
                    add_path(distance, cost, via, node[a], node[b], routes)
        if joined & (joined - 1):
            add_tree(distance, cost, via, trees, terminals, joined, routes)


@kernel
def price_choices(view, board, actions, memory, values):
    """Fill the values of choices of tickets: what these and the held ones bring together, less their own points."""
    node, _, _, distance = survey(view, board, memory)
    tickets = np.empty(GROUP, np.int64)
    count = int(view.offer_size)
    for position in range(count):
        tickets[position] = view.offer[position]
    for position in range(len(view.picked)):
        if view.picked[position] >= 0 and count < GROUP:
            tickets[count] = view.picked[position]
            count += 1
    count = open_tickets(view, board, node, tickets, count)
    held = ((1 << count) - 1) ^ ((1 << view.offer_size) - 1)
    tickets = tickets[:count]
    forests = find_forests(board, node, distance, tickets)[3]
    time = turns_left(view, board, memory)
    for index in range(len(actions)):
        kept = kept_of(actions[index])
        _, values[index] = best_subset(view, board, memory, tickets, forests, kept | held, time)
        for position in range(view.offer_size):
            if (kept >> position) & 1:
                values[index] -= board.ticket_points[tickets[position]]
