#!/usr/bin/env python3
"""A bot in plain Python that knows nothing but the protocol: it joins the cities of its tickets."""

import json
import random
import sys
from heapq import heappop, heappush


def missing(view, routes, ticket):
    """The routes still to be claimed on the shortest way between the cities of a ticket; none if there is no way."""
    own = {*view["players"][view["seat"]]["routes"], *view["shared"]}
    queue, seen = [(0, ticket["a"], [])], set()
    while queue:
        spaces, city, way = heappop(queue)
        if city == ticket["b"]:
            return way
        if city not in seen:
            seen.add(city)
            for index in own | {*view["open_routes"]}:
                a, b, length = (routes[index][key] for key in ("a", "b", "length"))
                if city in (a, b):
                    more = (0, []) if index in own else (length, [index])
                    heappush(queue, (spaces + more[0], a + b - city, way + more[1]))
    return []


def choose(view, actions, the_map, rng):
    """The index of the action that is worth most; of equal ones, any."""
    routes, tickets = the_map["routes"], the_map["tickets"]
    wanted = {route for ticket in view["tickets"] for route in missing(view, routes, tickets[ticket])}
    colors = {"locomotive", *(routes[route]["color"] for route in wanted)}

    def worth(action):
        if action["kind"] == "claim" and (action["route"] in wanted or not wanted):
            return 10 + routes[action["route"]]["points"] - action["locomotives"]
        if action["kind"] == "row" and action["card"] in colors:
            return 3
        return {"blind": 2, "row": 1, "place": 1}.get(action["kind"], 0)

    return max(range(len(actions)), key=lambda index: (worth(actions[index]), rng.random()))


def main():
    """Answer each line, and write nothing else."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            the_map = message["map"]
            print('{"type": "hello", "protocol": 1, "name": "joiner"}', flush=True)
        elif message["type"] == "game":
            rng = random.Random(message["luck"])
        elif message["type"] == "decide":
            print(json.dumps({"action": choose(message["view"], message["actions"], the_map, rng)}), flush=True)


if __name__ == "__main__":
    main()
