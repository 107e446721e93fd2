"""Games of a run in two forms: the arrays that are measured, and the same counted in plain Python from the replay."""

from collections.abc import Iterator
from functools import cached_property
from heapq import heappop, heappush
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from arena import catalog
from arena.api import run
from arena.boards.spec import MapSpec, Route
from arena.experiments.balance.study import Measure
from arena.experiments.measures.game_arrays import Batch, read_batches
from arena.replay.recorded_game import replay
from arena.stats.ratio_estimates import RatioSums, add_ratios
from naive_parts import networks

Event = dict[str, Any]
BOTS = ("greedy", "longroute", "racer", "random")
GAMES = {2: 36, 3: 24, 4: 24}
"""By the number of players."""


class Game:
    """What happened in a game, by its events."""

    def __init__(self, events: list[Event], spec: MapSpec, deal: int) -> None:
        self.events, self.spec, self.deal = events, spec, deal
        self.scores = [event for event in events if event["event"] == "score"]
        self.seats = range(len(self.scores))
        self.turns = sum(event["event"] == "turn" for event in events)

    @cached_property
    def claims(self) -> list[tuple[int, Event]]:
        """With their turns."""
        turn, found = 0, []
        for event in self.events:
            turn = event["number"] if event["event"] == "turn" else turn
            if event["event"] == "claim":
                found.append((turn, event))
        return found

    @cached_property
    def winners(self) -> list[int]:
        return [seat for seat in self.seats if self.scores[seat]["rank"] == 1]

    def win(self, seat: int) -> float:
        """The share of the win."""
        return (seat in self.winners) / len(self.winners)

    @cached_property
    def networks(self) -> list[list[set[str]]]:
        """By seat, with the routes that belong to all."""
        tracks = [
            [self.spec.routes[e["route"]] for _, e in self.claims if e["bullet"] or e["seat"] == s] for s in self.seats
        ]
        return [networks(own) for own in tracks]  # type: ignore[arg-type]

    def others_join(self, claim: Event) -> bool:
        """Whether another seat has to go round: it connects the two cities of a claim at the end by other tracks."""
        a, b = self.spec.routes[claim["route"]][:2]
        beside = [e for _, e in self.claims if {*self.spec.routes[e["route"]][:2]} == {a, b}]
        direct = {seat for e in beside for seat in (self.seats if e["bullet"] else [e["seat"]])}
        others = [seat for seat in self.seats if seat != claim["seat"] and seat not in direct]
        return any({a, b} <= part for seat in others for part in self.networks[seat])

    def hit_by_claims(self) -> Iterator[tuple[int, bool]]:
        """For each claim its route, and whether a ticket of another seat takes more trains after it."""
        owners: dict[int, set[int]] = {}
        held: list[tuple[int, int]] = []
        before: list[float] = []
        open_twins = len(self.seats) >= self.spec.rules.twins_from
        shut: set[int] = set()
        for event in self.events:
            if event["event"] == "keep":
                held += [(event["seat"], ticket) for ticket in event["kept"]]
            if event["event"] == "claim":
                before += [self.trains_for(*each, owners, shut) for each in held[len(before) :]]
                route, twin = event["route"], self.spec.twins[event["route"]]
                owners[route] = set(self.seats) if event["bullet"] else {event["seat"]}
                if twin >= 0 and not open_twins:
                    shut.add(twin)
                after = [self.trains_for(*each, owners, shut) for each in held]
                more = [now > then for now, then in zip(after, before, strict=True)]
                before = after
                yield route, any(is_hit for (seat, _), is_hit in zip(held, more, strict=True) if seat != event["seat"])

    @cached_property
    def routes_at(self) -> dict[str, list[tuple[int, Route]]]:
        """The routes of each city."""
        routes = list(enumerate(self.spec.routes))
        return {city.name: [each for each in routes if city.name in each[1][:2]] for city in self.spec.cities}

    def trains_for(self, seat: int, ticket: int, owners: dict[int, set[int]], shut: set[int]) -> float:
        """The fewest trains that a ticket takes (Dijkstra)."""
        goal = self.spec.tickets[ticket]
        waiting: list[tuple[float, str]] = [(0, goal.a)]
        done: set[str] = set()
        while waiting:
            trains, city = heappop(waiting)
            if city == goal.b:
                return trains
            if city in done:
                continue
            done.add(city)
            for index, route in self.routes_at[city]:
                if seat in owners.get(index, ()) or (index not in owners and index not in shut):
                    other = route.a if city == route.b else route.b
                    heappush(waiting, (trains + route.length * (index not in owners), other))
        return inf


class Recount:
    """Numerators and denominators by deal and item."""

    def __init__(self, deals: int, items: int) -> None:
        self.numerator = [[0.0] * items for _ in range(deals)]
        self.denominator = [[0.0] * items for _ in range(deals)]

    def add(self, game: Game, item: int, numerator: float, denominator: float = 1.0) -> None:
        self.numerator[game.deal][item] += numerator
        self.denominator[game.deal][item] += denominator

    def check(self, sums: RatioSums) -> None:
        again = RatioSums.zeros(len(self.numerator[0]))
        again.add(np.array(self.numerator), np.array(self.denominator))
        assert sums.deals == again.deals
        assert np.allclose(sums.denominator, again.denominator)
        assert np.allclose(sums.value, again.value, equal_nan=True)
        # Of two sums that are equal but for their order the difference is not 0 to the last bit.
        assert np.allclose(sums.error, again.error, atol=1e-7, equal_nan=True)


class Played(NamedTuple):
    """Games in two forms."""

    spec: MapSpec
    players: int
    batches: list[Batch]
    games: list[Game]

    def measured(self, measure: Measure) -> dict[str, RatioSums]:
        """The sums of a measure over all batches."""
        sums: dict[str, RatioSums] = {}
        for batch in self.batches:
            add_ratios(sums, measure(batch, self.spec))
        return sums

    def recounts(self, items: int, count: int) -> Iterator[Recount]:
        return (Recount(self.games[-1].deal + 1, items) for _ in range(count))


def play(name: str, players: int, settings: dict[str, int], folder: Path) -> Played:
    """Some games on a shipped map, in batches that are not of one size."""
    run(BOTS[:players], map=name, players=players, settings=settings, games=GAMES[players], jobs=1, out=folder)
    plan, (batch,) = read_batches(folder)
    batches = [batch.part(0, 3), batch.part(3, plan.blocks)]
    spec = catalog.load_map(name, settings)
    games = [
        Game(replay(folder, game, lambda text: None).events, spec, game // batch.block) for game in range(batch.games)
    ]
    return Played(spec, players, batches, games)
