"""The cheapest routes that complete some tickets: an exact Steiner forest (Dreyfus and Wagner, 1972).

Own and shared routes are contracted first, so they cost nothing. Costs are one integer each, so that sums, the time and
the trains they take are added up together: `price << 34 | routes << 24 | cards << 12 | trains`.
"""

import numpy as np

from arena.bot import EMPTY, MAX_CITIES, ONE, SET_WORDS, WORD_BITS, add, is_bullet, kernel, lowest, within_trains

PRICE_AT, ROUTES_AT, CARDS_AT = 34, 24, 12  # where the parts of a cost begin; trains are lowest
UNIT = 50.0  # a price of one point
NEVER = 1 << 60
TERMINALS = 9  # that one exact search takes; what is beyond is joined ticket by ticket
GROUP = 6  # tickets in one exact search


@kernel
def price_of(cost):
    """The points that a cost stands for."""
    return (cost >> PRICE_AT) / UNIT


@kernel
def routes_in(cost):
    """How many routes have to be claimed."""
    return (cost >> ROUTES_AT) & 0x3FF


@kernel
def cards_in(cost):
    """How many cards that takes."""
    return (cost >> CARDS_AT) & 0xFFF


@kernel
def trains_in(cost):
    """How many of the own trains it takes."""
    return cost & 0xFFF


@kernel
def route_cost(view, board, prices, route):
    """The cost of claiming a route: `prices` are points a card by length, those of bullet routes in the second row."""
    length = int(board.length[route])
    if is_bullet(view, board, route):
        return (int(prices[1, length] * UNIT) << PRICE_AT) | (1 << ROUTES_AT) | (length << CARDS_AT)
    return (int(prices[0, length] * UNIT) << PRICE_AT) | (1 << ROUTES_AT) | (length << CARDS_AT) | length


@kernel
def contract(view, board, node):
    """Number the parts that own and shared routes connect: `node` (int64 by city) is the number of a city's part."""
    for city in range(board.cities):
        node[city] = city
    for word in range(SET_WORDS):
        routes = view.routes_claimed[view.seat, word] | view.shared[word]
        while routes != EMPTY:
            route = WORD_BITS * word + lowest(routes)
            routes &= routes - ONE
            kept, joined = node[board.a[route]], node[board.b[route]]
            if kept != joined:
                for city in range(board.cities):
                    if node[city] == joined:
                        node[city] = kept
    number = np.full(MAX_CITIES, -1)
    count = 0
    for city in range(board.cities):
        part = node[city]
        if number[part] < 0:
            number[part] = count
            count += 1
        node[city] = number[part]
    return count


@kernel
def lay_tracks(view, board, prices, node, cost, via):
    """Fill the cost of the cheapest open route between any two parts, and which route that is."""
    cost[:] = NEVER
    via[:] = -1
    for word in range(SET_WORDS):
        routes = within_trains(view, board, view.seat, word)
        while routes != EMPTY:
            route = WORD_BITS * word + lowest(routes)
            routes &= routes - ONE
            a, b = node[board.a[route]], node[board.b[route]]
            price = route_cost(view, board, prices, route)
            if a != b and price < cost[a, b]:
                cost[a, b] = cost[b, a] = price
                via[a, b] = via[b, a] = route


@kernel
def measure(cost, distance):
    """The cheapest way between any two parts (Floyd and Warshall)."""
    count = len(cost)
    distance[:] = cost
    for part in range(count):
        distance[part, part] = 0
    for middle in range(count):
        for start in range(count):
            first = distance[start, middle]
            if first >= NEVER or start == middle:
                continue
            for end in range(start):
                way = first + distance[middle, end]
                if way < distance[start, end]:
                    distance[start, end] = distance[end, start] = way


@kernel
def grow_trees(distance, terminals, trees):
    """Fill `trees[subset, part]`: the cheapest tree over a subset (bits) of all terminals but the last, and a part."""
    count = len(distance)
    joined = np.empty(count, np.int64)
    for subset in range(1, len(trees)):
        first = subset & -subset
        if subset == first:
            trees[subset] = distance[terminals[lowest(np.uint64(subset))]]
            continue
        joined[:] = NEVER
        half = (subset - 1) & subset
        while half > 0:
            if half & first:
                other = subset ^ half
                for part in range(count):
                    joined[part] = min(joined[part], trees[half, part] + trees[other, part])
            half = (half - 1) & subset
        for part in range(count):
            best = joined[part]
            for middle in range(count):
                best = min(best, joined[middle] + distance[middle, part])
            trees[subset, part] = min(best, NEVER)


@kernel
def tree_cost(trees, terminals, subset):
    """The cost of the cheapest tree over a subset of the terminals."""
    last = 0
    while subset >> (last + 1):
        last += 1
    rest = subset ^ (1 << last)
    return trees[rest, terminals[last]] if rest else 0


@kernel
def add_path(distance, cost, via, start, end, routes):
    """Add the routes of the cheapest way between two parts to a set."""
    while start != end:
        step = 0
        while via[start, step] < 0 or cost[start, step] + distance[step, end] != distance[start, end]:
            step += 1
        add(routes, via[start, step])
        start = step


@kernel
def add_tree(distance, cost, via, trees, terminals, subset, routes):
    """Add the routes of the cheapest tree over a subset of the terminals to a set."""
    last = 0
    while subset >> (last + 1):
        last += 1
    stack = np.empty((2 * TERMINALS + 2, 2), np.int64)
    stack[0, 0], stack[0, 1] = subset ^ (1 << last), terminals[last]
    height = 1
    while height > 0:
        height -= 1
        subset, part = stack[height, 0], stack[height, 1]
        if subset == 0 or trees[subset, part] >= NEVER:
            continue
        if subset & (subset - 1) == 0:
            add_path(distance, cost, via, terminals[lowest(np.uint64(subset))], part, routes)
            continue
        middle, half = fork(distance, trees, subset, part)
        add_path(distance, cost, via, part, middle, routes)
        stack[height, 0], stack[height, 1] = half, middle
        stack[height + 1, 0], stack[height + 1, 1] = subset ^ half, middle
        height += 2


@kernel
def fork(distance, trees, subset, part):
    """Where the cheapest tree over a subset and a part forks, and one of the two halves of the subset there."""
    half = (subset - 1) & subset
    while half > 0:
        other = subset ^ half
        if half > other:
            for middle in range(len(distance)):
                if trees[half, middle] + trees[other, middle] + distance[middle, part] == trees[subset, part]:
                    return middle, half
        half = (half - 1) & subset
    return part, subset
