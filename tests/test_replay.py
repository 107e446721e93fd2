"""A game as events: they fit the schema; a referee who knows only the rules finds no foul, but any altered number."""

import ast
import copy
import itertools
import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from arena.boards.check import with_rules
from arena.boards.file import load_map_text
from arena.boards.spec import MapSpec
from arena.engine.loop import FAULTS
from arena.replay.deck import Cards
from arena.replay.events import Telling, setup_event
from arena.replay.text import to_text
from arena.rules.actions import Action, encode_action
from arena.rules.board import COLORS
from arena.rules.state import ENDS
from helpers import SEAT_COUNTS, STYLES, a_deal, choose, seeds_of
from referee import Referee
from referee_cards import Foul
from rules.table import BLIND, Game, L, claim, small_map, take

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((files("arena") / "schemas" / "replay.schema.json").read_text(encoding="utf-8"))
KINDS = set(SCHEMA["properties"]["event"]["enum"])
VALIDATORS = {
    kind: Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}) for kind in sorted(KINDS)
}
"""The whole schema takes many times as long: it looks for the name of an event among all."""

BAY = """
name = "Bay"
about = "Four cities, and a bit of everything."
cities = [
  { name = "Ash", x = 1, y = 1 }, { name = "Bay", x = 5, y = 1 }, { name = "Cove", x = 1, y = 4 },
  { name = "Dock", x = 9, y = 3 },
]
routes = [
  { between = ["Ash", "Bay"], length = 4, color = "red" },
  { between = ["Ash", "Bay"], length = 4, color = "gray" },
  { between = ["Ash", "Cove"], length = 3, color = "gray", bullet = true },
  { between = ["Ash", "Cove"], length = 2, color = "blue", single = true },
  { between = ["Bay", "Cove"], length = 5, color = "gray" },
  { between = ["Bay", "Dock"], length = 2, color = "red" },
  { between = ["Bay", "Dock"], length = 3, color = "gray", bullet = true },
]
tickets = [
  { between = ["Ash", "Bay"], points = 4 }, { between = ["Ash", "Cove"], points = 2 },
  { between = ["Ash", "Dock"], points = 6 }, { between = ["Bay", "Cove"], points = 5 },
  { between = ["Bay", "Dock"], points = 2 }, { between = ["Cove", "Dock"], points = 7 },
]
provinces = [{ color = "red", positions = 6, name = "Coast" }, { color = "blue", positions = 4 }]
[rules]
trains = 6
tickets_dealt = 1
tickets_keep = 1
tickets_draft = 1
tickets_returned = "reshuffled"
bullet_trains = 2
last_round_bullets = 1
bullet_bonus = { 2 = [5, 0], 3 = [5, 2, 0], 4 = [5, 3, 1, 0], 5 = [5, 3, 2, 1, 0] }
bullet_none = -3
express = 2
province_bonus = { 2 = [4], 3 = [4, 2], 4 = [4, 2], 5 = [4, 2, 1] }
"""
"""A map on which games soon come to a stall, an empty deck, a row of locomotives."""

ODD: list[dict[str, int | str]] = [
    {},
    {"cards_per_color": 1, "locomotives": 6, "hand": 1, "flush_at": 2},
    {"cards_per_color": 2, "locomotives": 30, "hand": 2},
    {"cards_per_color": 5, "locomotives": 0, "hand": 0, "trains": 60},
    {"flush_limit": 0, "locomotives": 30, "tickets_draft": 0, "tickets_returned": "shuffled"},
    {"flush_limit": 10, "locomotives": 30, "flush_at": 2, "tickets_draft": 0, "tickets_returned": "under"},
    {"cards_per_color": 1, "locomotives": 4, "hand": 0, "twins_from": 2, "longest_path": 7, "express": 3},
    {"trains": 9, "last_round_trains": 0, "last_round_bullets": 0, "route_points.4": 9, "province_bonus.2.1": -2},
    {"trains": 60, "cards_per_color": 2, "locomotives": 3, "hand": 2, "tickets_keep": 0, "bullet_trains": 0},
    {"cards_per_color": 3, "cards.red": 9, "cards.blue": 0, "hand": 1, "extra_cards.1": 3, "extra_cards.4": 1},
]
"""Rule numbers for odd games."""


class Told(NamedTuple):
    """The events of a game, and what a referee is given besides."""

    events: list[dict[str, Any]]
    table: dict[str, Any]
    """The map's file."""
    deal: np.ndarray

    def judge(self, events: list[dict[str, Any]] | None = None, *, chance: bool = False) -> None:
        """By the rules, or by the rules and the seeds of the deal; Foul if something is wrong."""
        facts, seeds = self.events[0], seeds_of(self.deal) if chance else None
        Referee(self.events if events is None else events, self.table, facts, seeds).check()

    def are_alike(self, route: int, other: int) -> bool:
        """Whether two routes are twins of one color: who claims the other one plays an equal game."""
        routes = self.table["routes"]
        return 0 <= other < len(routes) and routes[route] == routes[other]


def tell(spec: MapSpec, table: dict[str, Any], seats: int, game: int, style: str = "uniform", **rules: Any) -> Told:
    """A game in a style of play, under other rule numbers if told."""
    spec = with_rules(spec, rules) if rules else spec
    telling, deal, rng = Telling(spec, seats), a_deal(3, game), np.random.default_rng(game)
    setup = setup_event(
        game=game, deal=game, seed=3, names=[f"bot {seat}" for seat in range(seats)], map_name=spec.key, spec=spec,
        settings=rules,
    )  # fmt: skip
    events = [setup, *telling.deal(deal)]
    while not telling.is_over:
        events += telling.play(choose(telling.actions[: telling.legal].tolist(), style, rng))
    return Told(events, table, deal)


def table_of(spec: MapSpec) -> dict[str, Any]:
    """The file of a shipped map."""
    return tomllib.loads((ROOT / "maps" / f"{spec.key}.toml").read_text(encoding="utf-8"))


BAY_SPEC = load_map_text(BAY, "bay.toml")
BAY_TABLE = tomllib.loads(BAY)


def validate(events: list[dict[str, Any]]) -> None:
    """By what the schema says of an event of this name, as a reader of the lines has it."""
    for event in events:
        VALIDATORS[event["event"]].validate(json.loads(json.dumps(event)))


def check_games(spec: MapSpec, seats: int, games: int) -> None:
    for game in range(games):
        told = tell(spec, table_of(spec), seats, game, STYLES[game % len(STYLES)])
        validate(told.events)
        told.judge()
        told.judge(chance=True)
        assert len(to_text(told.events).splitlines()) > told.events[-1]["seat"]


def test_schema_as_a_whole() -> None:
    """It leads from an event's name to what must stand in it, and knows no other names and fields."""
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    shown = {event["event"]: event for told in odd_games(8) for event in told.events}
    assert len(shown) > len(KINDS) - 3
    for event in shown.values():
        assert validator.is_valid(event)
        for wrong in ({**event, "event": "deel"}, {**event, "more": 1}, {"event": event["event"]}):
            assert not validator.is_valid(wrong)
    assert SCHEMA["$defs"]["fault"]["properties"]["kind"]["enum"] == [*FAULTS[1:]]
    assert SCHEMA["$defs"]["end"]["properties"]["reason"]["enum"] == [*ENDS[1:]]
    assert {rule["then"]["$ref"] for rule in SCHEMA["allOf"]} == {f"#/$defs/{kind}" for kind in KINDS}


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_games_fit_schema_and_rules(spec: MapSpec, seats: int) -> None:
    check_games(spec, seats, 2)


@pytest.mark.long
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_many_games_fit_schema_and_rules(spec: MapSpec, seats: int) -> None:
    check_games(spec, seats, 50)


def odd_games(games: int) -> Iterator[Told]:
    for game in range(games):
        rules = ODD[game % len(ODD)]
        yield tell(BAY_SPEC, BAY_TABLE, SEAT_COUNTS[game % 4], game, STYLES[game // 4 % len(STYLES)], **rules)


def oddities(events: list[dict[str, Any]]) -> Iterator[str]:
    """What seldom happens, by name."""
    flushes = 0
    for before, event in itertools.pairwise(events):
        kind = event["event"]
        flushes = flushes + 1 if kind == "flush" else flushes if kind in ("row", "reshuffle") else 0
        if flushes >= 3:
            yield "three flushes"
        if kind == "row" and None in event["cards"]:
            yield "slots stay empty" if before["event"] != "claim" else "some slots are filled again"
        if kind == before["event"] == "row":
            yield "a row twice"
        if kind == "reshuffle" and before["event"] in ("claim", "province", "flush", "row", "draw"):
            yield f"a new deck after {before['event']}"
        if kind == "draw" and event["source"] == "row" and event["replacement"] is None:
            yield "nothing follows"
        if kind == "turn" and before["event"] == "draw" and before["card"] != L:
            yield "a turn ends with a draw"
        if kind == "offer" and before["event"] in ("turn", "express") and len(event["tickets"]) < 3:
            yield "few tickets"
        if kind == "claim" and event["bullet"]:
            yield "a bullet train"
        if kind == "end":
            yield str(event["reason"])


def test_odd_games_fit_schema_and_rules() -> None:
    """On a small map with all mechanisms, under odd numbers; and all that seldom happens does happen in them."""
    found, kinds = Counter[str](), Counter[str]()
    for told in odd_games(54):
        told.judge()
        told.judge(chance=True)
        found.update(oddities(told.events))
        kinds.update(event["event"] for event in told.events)
        validate(told.events)
    wanted = {
        "three flushes", "slots stay empty", "a new deck after claim", "a new deck after flush",
        "a new deck after row", "a new deck after draw", "nothing follows", "few tickets", "a bullet train", "stall",
        "trains",
    }  # fmt: skip
    assert wanted <= set(found), wanted - set(found)
    assert set(kinds) == KINDS - {"fault"}


@pytest.mark.long
def test_many_odd_games_fit_schema_and_rules() -> None:
    for told in odd_games(4000):
        told.judge()
        told.judge(chance=True)


# Situations laid out by hand

SMALL = small_map([("a", "b", 2, "gray"), ("b", "c", 2, "gray"), ("c", "d", 3, "red")], [("a", "c", 5)])


def events_after(game: Game, action: Action) -> list[dict[str, Any]]:
    """What is told of an action, up to the next turn."""
    telling = Telling(game.spec, game.seats)
    telling.states[0] = game.state
    return telling.play(encode_action(action))


def laid() -> Game:
    return Game(2, SMALL).begin().clear()


def draw(card: str, slot: int | None = None, replacement: str | None = None) -> dict[str, Any]:
    source = "deck" if slot is None else "row"
    return {"event": "draw", "seat": 0, "source": source, "slot": slot, "card": card, "replacement": replacement}


def test_after_three_flushes_the_row_stays() -> None:
    stack = ["white", *[L, L, L, "red", "red"] * 3, "green"]
    events = events_after(laid().lay_row("red", L, L, "blue", "blue").stack_deck(L, *stack[1:], "green"), take("red"))
    row = [L, L, L, "red", "red"]
    assert events == [
        draw("red", 0, L),
        {"event": "flush", "cards": [L, L, L, "blue", "blue"]},
        *[{"event": "row", "cards": row}, {"event": "flush", "cards": row}] * 2,
        {"event": "row", "cards": row},
    ]


def test_deck_runs_out_while_the_row_is_turned_up() -> None:
    """The row is told as far as it came, then the new deck, then the whole row (B10)."""
    game = laid().lay_row("red", L, L, "blue", "blue").stack_deck(L, "green", "black").lay_discards(white=9)
    events = events_after(game, take("red"))
    assert [event["event"] for event in events] == ["draw", "flush", "row", "reshuffle", "row"]
    assert events[2]["cards"] == ["green", "black", None, None, None]
    assert events[3]["count"] == 14
    assert events[4]["cards"][:2] == ["green", "black"]
    assert None not in events[4]["cards"]


def test_last_card_makes_a_new_deck_at_once() -> None:
    events = events_after(laid().lay_row("red").stack_deck("green").lay_discards(white=3), BLIND)
    assert events == [draw("green"), {"event": "reshuffle", "count": 3}]


def test_what_is_paid_fills_an_empty_row() -> None:
    game = laid().give_hand(0, red=2, locomotive=1)
    events = events_after(game, claim(0, "red", 1))
    assert [event["event"] for event in events] == ["claim", "reshuffle", "row", "turn"]
    assert events[0]["cards"] == {"red": 1, L: 1}
    assert sorted(events[2]["cards"], key=str) == [None, None, None, L, "red"]
    assert events[3] == {"event": "turn", "number": 2, "seat": 1}


def test_telling_is_held_to_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a step forgotten in the telling, the first game in which it matters would say so."""
    for method in ("replenish", "_flush", "_renew_deck", "pay"):
        with monkeypatch.context() as patch:
            patch.setattr(Cards, method, lambda *_: None)
            with pytest.raises(RuntimeError, match="told otherwise than it was played"):
                list(odd_games(20))


# The referee


def test_referee_knows_nothing_of_the_arena() -> None:
    for name in ("referee", "referee_cards", "referee_parts", "naive_parts"):
        tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
        imported = {
            module.split(".")[0]
            for node in ast.walk(tree)
            for module in (
                [alias.name for alias in node.names] if isinstance(node, ast.Import)
                else [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            )
        }  # fmt: skip
        assert imported <= {
            "collections", "itertools", "typing", "dataclasses", "functools", "naive_parts", "referee_cards",
            "referee_parts",
        }  # fmt: skip


Place = tuple[str | int, ...]


def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value that is no list and no object, with the way to it."""
    if isinstance(value, (list, dict)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*place, key))
    else:
        yield place, value


def altered(events: list[dict[str, Any]], place: Place, value: Any) -> list[dict[str, Any]]:
    """The events with another value at a place."""
    number = int(place[0])
    changed = copy.deepcopy(events[number])
    inner: Any = changed
    for key in place[1:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return [*events[:number], changed, *events[number + 1 :]]


def another(value: Any, rng: np.random.Generator) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + int(rng.choice([-10, -2, -1, 1, 2, 10]))
    if value in (*COLORS, L, None):
        return rng.choice([card for card in (*COLORS, L) if card != value])
    return {"row": "deck", "deck": "row", "draw": "tickets", "tickets": "draw"}.get(value, f"{value}.")


def refused(told: Told, events: list[dict[str, Any]], *, chance: bool) -> bool:
    try:
        told.judge(events, chance=chance)
    except Foul:
        return True
    return False


def check_alterations(told: Told, count: int, seed: int) -> None:
    """One altered number is seen by the rules alone; any other altered value by who knows the deal besides."""
    rng = np.random.default_rng(seed)
    everything = list(leaves(told.events))
    numbers = [(place, value) for place, value in everything if type(value) is int]
    for places, chance in ((numbers, False), (everything, True)):
        for index in rng.integers(len(places), size=count):
            place, value = places[index]
            new = another(value, rng)
            if place[-1] == "route" and told.are_alike(value, new):
                continue
            assert refused(told, altered(told.events, place, new), chance=chance), (place, value, new)
    for number in rng.integers(1, len(told.events) - 1, size=count):
        one, two = told.events[number], told.events[number + 1]
        assert refused(told, [*told.events[:number], *told.events[number + 1 :]], chance=True), (number, one)
        assert refused(told, [*told.events[:number], one, *told.events[number:]], chance=True), (number, one)
        swapped = [*told.events[:number], two, one, *told.events[number + 2 :]]
        # Two draws, say, may well come in another order.
        assert one["event"] == two["event"] or refused(told, swapped, chance=True), (number, one, two)


@pytest.mark.parametrize("seats", [2, 5])
def test_one_altered_value_is_refused(spec: MapSpec, seats: int) -> None:
    check_alterations(tell(spec, table_of(spec), seats, 1, "claims"), 15, seats)


def test_one_altered_value_of_an_odd_game_is_refused() -> None:
    for number, told in enumerate(odd_games(18)):
        check_alterations(told, 8, number)


@pytest.mark.long
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_any_altered_number_is_refused(spec: MapSpec, seats: int) -> None:
    for game in range(5):
        check_alterations(tell(spec, table_of(spec), seats, game, STYLES[game]), 200, seats)
