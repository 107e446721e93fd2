"""What a seat's routes connect, and its longest path (B20, B21).

The longest trail is searched only where it must be: a part with at most two odd cities is walked whole (Euler);
otherwise a longest trail starts at an odd city, and the search stops at a bound from the odd cities.
"""

import numpy as np

from arena.rules.board import MAX_ROUTES, SET_WORDS, WORD_BITS
from arena.rules.compiler import kernel
from arena.rules.sets import EMPTY, ONE, bit, lowest, popcount


@kernel
def far_end(board, route, city):
    """The city at the other end of a route."""
    return board.a[route] + board.b[route] - city


@kernel
def part_of(board, city, low, high):
    """The cities (one word) that the routes of a set (two words) connect with a city, itself included."""
    reached = bit(city)
    fresh = reached
    while fresh != EMPTY:
        here = lowest(fresh)
        fresh &= fresh - ONE
        for word in range(SET_WORDS):
            routes = (low, high)[word] & board.city_routes[here, word]
            while routes != EMPTY:
                there = bit(far_end(board, WORD_BITS * word + lowest(routes), here))
                fresh |= there & ~reached
                reached |= there
                routes &= routes - ONE
    return reached


@kernel
def cities_of(board, low, high):
    """The cities (one word) at which the routes of a set end."""
    cities = EMPTY
    for word in range(SET_WORDS):
        routes = (low, high)[word]
        while routes != EMPTY:
            route = WORD_BITS * word + lowest(routes)
            cities |= bit(board.a[route]) | bit(board.b[route])
            routes &= routes - ONE
    return cities


@kernel
def are_connected(board, low, high, a, b):
    """Whether the routes of a set connect two cities (B20)."""
    return part_of(board, a, low, high) & bit(b) != EMPTY


@kernel
def tickets_within(board, tickets, word, cities):
    """Those of a word of tickets whose two cities lie in one connected part (B20)."""
    done = EMPTY
    while tickets != EMPTY:
        ticket = lowest(tickets)
        number = WORD_BITS * word + ticket
        ends = bit(board.ticket_a[number]) | bit(board.ticket_b[number])
        if cities & ends == ends:
            done |= bit(ticket)
        tickets &= tickets - ONE
    return done


@kernel
def shortest_at(board, city, low, high):
    """The length of the shortest route of a set that ends in a city where one does."""
    least = 127
    for word in range(SET_WORDS):
        routes = (low, high)[word] & board.city_routes[city, word]
        while routes != EMPTY:
            least = min(least, board.length[WORD_BITS * word + lowest(routes)])
            routes &= routes - ONE
    return least


@kernel
def spaces_of(board, low, high):
    """The spaces of all routes of a set."""
    spaces = 0
    for word in range(SET_WORDS):
        routes = (low, high)[word]
        while routes != EMPTY:
            spaces += board.length[WORD_BITS * word + lowest(routes)]
            routes &= routes - ONE
    return spaces


@kernel
def longest_in_part(board, cities, low, high, best):
    """The longest trail within a connected part, or `best` if that is longer (B21)."""
    spaces = 0  # counted at both ends
    odd = EMPTY
    here = cities
    while here != EMPTY:
        city = lowest(here)
        here &= here - ONE
        at_low = low & board.city_routes[city, 0]
        at_high = high & board.city_routes[city, 1]
        spaces += spaces_of(board, at_low, at_high)
        if (popcount(at_low) + popcount(at_high)) & 1:
            odd |= bit(city)
    spaces >>= 1
    if spaces <= best:
        return best
    if popcount(odd) <= 2:
        return spaces
    # Every odd city but the trail's two ends leaves a route unused; a route left unused serves two cities at most.
    unused, most, second = 0, 0, 0
    here = odd
    while here != EMPTY:
        least = shortest_at(board, lowest(here), low, high)
        here &= here - ONE
        unused += least
        if least > most:
            second = most
            most = least
        elif least > second:
            second = least
    bound = spaces - ((unused - most - second + 1) >> 1)
    untried = np.empty((MAX_ROUTES + 1, SET_WORDS), np.uint64)
    trail = np.empty(MAX_ROUTES + 1, np.int64)
    while odd != EMPTY and best < bound:
        best = longest_from(board, lowest(odd), low, high, bound, best, untried, trail)
        odd &= odd - ONE
    return best


@kernel
def longest_path(board, low, high):
    """The longest trail over the routes of a set (B21)."""
    longest = 0
    cities = cities_of(board, low, high)
    while cities != EMPTY:
        part = part_of(board, lowest(cities), low, high)
        cities &= ~part
        longest = longest_in_part(board, part, low, high, longest)
    return longest


@kernel
def longest_from(board, city, low, high, bound, best, untried, trail):
    """The longest trail from a city over the routes of a set, or `best` if that is longer; it stops at the bound.

    Depth first. `untried` and `trail` are its stack: with recursion Numba's cached code crashes (0.68).
    """
    depth = 0
    length = 0
    untried[0, 0] = low & board.city_routes[city, 0]
    untried[0, 1] = high & board.city_routes[city, 1]
    while best < bound:
        if untried[depth, 0] | untried[depth, 1] == EMPTY:  # back one route, which is free again
            if depth == 0:
                break
            depth -= 1
            route = trail[depth]
            length -= board.length[route]
            city = far_end(board, route, city)
            if route < WORD_BITS:
                low |= bit(route)
            else:
                high |= bit(route - WORD_BITS)
            continue
        word = 0 if untried[depth, 0] != EMPTY else 1
        route = WORD_BITS * word + lowest(untried[depth, word])
        untried[depth, word] &= untried[depth, word] - ONE
        trail[depth] = route
        depth += 1
        length += board.length[route]
        best = max(best, length)
        city = far_end(board, route, city)
        if route < WORD_BITS:
            low &= ~bit(route)
        else:
            high &= ~bit(route - WORD_BITS)
        untried[depth, 0] = low & board.city_routes[city, 0]
        untried[depth, 1] = high & board.city_routes[city, 1]
    return best


@kernel
def is_connected_in(views, boards, a, b):
    """`are_connected` by the own routes of a view and those of all, for callers in Python."""
    own, shared = views[0].routes_claimed[views[0].seat], views[0].shared
    return are_connected(boards[0], own[0] | shared[0], own[1] | shared[1], a, b)
