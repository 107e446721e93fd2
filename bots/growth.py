"""How the hungry bot joins cities: two sets grow from the two that lie farthest apart, the nearest city first."""

import numpy as np

from arena.bot import EMPTY, MAX_CITIES, ONE, add, has, kernel, lowest

FAR = 1 << 28
"""More than any distance of two cities that can still be connected."""


@kernel
def ways_of(view, board):
    """The distances of all cities (256 a space to be claimed, 1 a route), and the first route from each toward each."""
    distance = np.empty((MAX_CITIES, MAX_CITIES), np.int32)
    toward = np.empty((MAX_CITIES, MAX_CITIES), np.int16)
    cities = board.cities
    distance[:cities, :cities] = FAR
    for city in range(cities):
        distance[city, city] = 0
    for route in range(board.routes):
        free = has(view.routes_claimed[view.seat], route) or has(view.shared, route)
        if free or has(view.open[view.seat], route):
            a, b = board.a[route], board.b[route]
            length = 1 if free else 1 + 256 * board.length[route]
            if length < distance[a, b]:
                distance[a, b] = distance[b, a] = length
                toward[a, b] = toward[b, a] = route
    for middle in range(cities):
        for a in range(cities):
            first = distance[a, middle]
            if first < FAR and a != middle:
                for b in range(cities):
                    if first + distance[middle, b] < distance[a, b]:
                        distance[a, b] = first + distance[middle, b]
                        toward[a, b] = toward[a, middle]
    return distance, toward


@kernel
def walk(board, toward, a, b, routes):
    """Add the routes from one city to another to a set; the cities on the way."""
    cities = ONE << np.uint64(b)
    while a != b:
        route = toward[a, b]
        cities |= ONE << np.uint64(a)
        add(routes, route)
        a = board.a[route] + board.b[route] - a
    return cities


@kernel
def nearest(distance, cities, others):
    """The nearest two cities of two sets, as 64 * a + b."""
    best, least = 0, FAR + 1
    while cities != EMPTY:
        a = lowest(cities)
        cities &= cities - ONE
        left = others
        while left != EMPTY:
            b = lowest(left)
            left &= left - ONE
            if distance[a, b] < least:
                best, least = 64 * a + b, distance[a, b]
    return best


@kernel
def farthest(distance, cities):
    """The two cities of a set that lie farthest apart, as 64 * a + b."""
    best, most = 0, -1
    while cities != EMPTY:
        a = lowest(cities)
        cities &= cities - ONE
        left = cities
        while left != EMPTY:
            b = lowest(left)
            left &= left - ONE
            if distance[a, b] > most:
                best, most = 64 * a + b, distance[a, b]
    return best


@kernel
def grow(board, distance, toward, ends, routes):
    """Connect cities in one tree, from the two farthest on, the nearest first; whether that is possible."""
    pair = farthest(distance, ends)
    if distance[pair >> 6, pair & 63] >= FAR:
        return False
    left, right = ONE << np.uint64(pair >> 6), ONE << np.uint64(pair & 63)
    rest = ends & ~(left | right)
    while rest != EMPTY:
        one, other = nearest(distance, left, rest), nearest(distance, right, rest)
        if distance[one >> 6, one & 63] <= distance[other >> 6, other & 63]:
            left |= walk(board, toward, one >> 6, one & 63, routes)
        else:
            right |= walk(board, toward, other >> 6, other & 63, routes)
        rest &= ~(left | right)
    pair = nearest(distance, left, right)
    walk(board, toward, pair >> 6, pair & 63, routes)
    return True
