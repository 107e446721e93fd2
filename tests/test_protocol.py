"""Bots in any language: what a program is told and what it may answer, held to the schema."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.external import json_lines
from arena.engine.external.json_answers import read_action, read_hello
from arena.engine.faults import BotFault
from arena.engine.former_names import ATTRIBUTES
from arena.engine.limits import Limits
from arena.engine.loop import COUNT_SHIFT, FAULT_ILLEGAL, FAULT_WRONG_TYPE, start, step
from arena.engine.table import Table
from arena.engine.view import View
from arena.rules.actions import Action, encode_action
from arena.rules.deal import make_deals
from programs import SCHEMA, validator


def check(name: str, line: bytes) -> Any:
    """The object in a line that must be what the schema says, and one line."""
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()
    validator(name).validate(found := json.loads(line))
    validator("to_bot").validate(found)
    return found


def views(spec: MapSpec, seats: int, games: int, draws: float) -> Iterator[View]:
    """The decisions of some games; `draws`: how often cards are drawn where they can be, so that hands are large."""
    table = Table(spec, seats, catalog.load_entrants(["random"]))
    rng = np.random.default_rng(seats)
    for deal in range(games):
        turn = int(start(table.desk.memory, make_deals(1, [deal])))
        while turn:
            view = table.view_of(turn >> COUNT_SHIFT)
            yield view
            codes = view.actions.codes.tolist()
            drawn = [encode_action(action) for action in view.actions if action.kind in ("row", "blind")]
            wanted = drawn if drawn and rng.random() < draws else codes
            turn = int(step(table.desk.memory, wanted[rng.integers(len(wanted))]))


class TestMessages:
    def test_schema_is_one(self) -> None:
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    @pytest.mark.parametrize("seats", [2, 5])
    def test_decisions_are_what_the_schema_says(self, spec: MapSpec, seats: int) -> None:
        """Every 20th one of two games, each action once: the validator takes a millisecond for it."""
        known: dict[str, Any] = {}
        phases = set()
        for number, view in enumerate([*views(spec, seats, 1, 0), *views(spec, seats, 1, 0.7)]):
            line = json_lines.decide_line(view)
            if number % 20 == 0:
                message = json.loads(line)
                known |= {json.dumps(action): action for action in message["actions"][:: 1 + number // 40]}
                check("decide", (json.dumps({**message, "actions": message["actions"][:1]}) + "\n").encode())
                phases.add(message["view"]["phase"])
        assert "turn" in phases
        assert len(known) > 30
        for action in known.values():
            validator("action").validate(action)

    def test_other_messages_are_what_the_schema_says(self, spec: MapSpec) -> None:
        check("hello", json_lines.hello_line(spec, Limits()))
        limits = check("hello", json_lines.hello_line(spec, Limits(0, 0.5, 0)))["limits"]
        assert limits == {"move_time": None, "game_time": 0.5, "memory": None}
        check("game", json_lines.game_line(4, 5, 0))
        check("game_over", json_lines.game_over_line([12, -3], [1, 2]))
        check("game_over", json_lines.game_over_line(None, None))

    def test_luck_is_a_whole_number_in_every_language(self) -> None:
        assert check("game", json_lines.game_line(0, 2, 2**64 - 1))["luck"] == 2**53 - 1
        assert (
            len({json_lines.game_line(0, 2, int(word)) for word in make_deals(1, range(100))["random_states"][:, 0]})
            == 100
        )

    def test_a_map_is_told_whole(self, spec: MapSpec) -> None:
        told = json.loads(json_lines.hello_line(spec, Limits()))["map"]
        cities = told["cities"]
        routes = [(cities[r["a"]], cities[r["b"]], r["length"], r["color"], r["bullet"]) for r in told["routes"]]
        assert routes == [route[:5] for route in spec.routes]
        assert [-1 if r["twin"] is None else r["twin"] for r in told["routes"]] == list(spec.twins)
        assert [r["points"] for r in told["routes"]] == [spec.points(route.length) for route in spec.routes]
        assert [(cities[t["a"]], cities[t["b"]], t["points"]) for t in told["tickets"]] == list(spec.tickets)
        assert [(line["color"], line["positions"], line["name"]) for line in told["provinces"]] == list(spec.provinces)
        assert {name: told["rules"][name] for name in ("trains", "hand")} == {
            "trains": spec.rules.trains, "hand": spec.rules.hand
        }  # fmt: skip
        assert set(told["rules"]) == set(spec.rules.names())
        assert told["label"] == spec.label

    def test_a_view_is_told_whole(self, spec: MapSpec) -> None:
        """Every property of a View; left out is what follows from the others, as docs/protocol.md says."""
        follows = {
            "map", "boards", "record", "actions", "claims", "draws", "me", "owner_of", "buildable_routes", "is_shared",
            "placement_gain", "path", "is_connected", "is_complete", "describe",
        }  # fmt: skip
        public = {name for name in dir(View) if not name.startswith("_")} - set(ATTRIBUTES)
        for view in views(spec, 3, 2, 0.3):
            told = json.loads(json_lines.decide_line(view))["view"]
            told["pending_route"] = told.pop("just_claimed")  # programs read the key that they always had
            assert set(told) == public - follows
            for name, value in told.items():
                known = getattr(view, name)
                if name in ("tickets", "offer", "picked"):
                    assert [spec.tickets[index] for index in value] == list(known)
                elif name == "players":
                    assert value == json.loads(json.dumps([player._asdict() for player in known]))
                else:
                    assert value == json.loads(json.dumps(known)), name

    def test_every_action_is_told_and_understood(self, spec: MapSpec) -> None:
        """The object of an action and its index both name it; all kinds of the map are met."""
        kinds = set()
        for view in [*views(spec, 4, 2, 0.2), *views(spec, 2, 2, 0.8)]:
            codes = view.actions.codes
            for index in {0, len(codes) // 2, len(codes) - 1}:
                told = json.loads(json_lines.decide_line(view))["actions"][index]
                kinds.add(told["kind"])
                for answer in (index, told):
                    assert read_action(json.dumps({"action": answer}).encode(), codes, view.phase) == codes[index]
        assert {"keep", "row", "blind", "claim", "tickets"} <= kinds


CODES = [
    encode_action(action)
    for action in (
        Action("keep", keep=(0, 2)), Action("row", card="red"), Action("blind"), Action("tickets"),
        Action("tickets", express=2), Action("express", express=1), Action("claim", 12, "red", 1),
        Action("claim", 3, "locomotive", 2), Action("skip"),
        Action("place", line="red", card="blue", extra=1, locomotives=1, express=2), Action("place", line="red"),
        Action("pass"), Action("draft", keep=(1,)),
    )
]  # fmt: skip
"""Legal actions of a decision that no game has: one of each kind."""
CLAIM = '{"kind": "claim", "route": 12, "card": "red", "locomotives": 1}'
GOOD = [
    ('{"action": 0}', 0),
    ('{"action": 12}', 12),
    ('{"action": 2.0}', 2),
    ('{"action": 2e0, "note": "anything", "type": "action"}', 2),
    (' {"action" :1}\t\r', 1),
    ('{"action": 3, "action": 1}', 1),
    ('{"action": {"kind": "keep", "keep": [0, 2]}}', 0),
    ('{"action": {"kind": "keep", "keep": [2.0, 0]}}', 0),
    ('{"action": {"kind": "tickets"}}', 3),
    ('{"action": {"kind": "tickets", "express": 0}}', 3),
    ('{"action": {"kind": "tickets", "express": 2}}', 4),
    ('{"action": {"kind": "express", "express": 1}}', 5),
    (f'{{"action": {CLAIM}}}', 6),
    ('{"action": {"card": "locomotive", "locomotives": 2, "route": 3, "kind": "claim"}}', 7),
    ('{"action": {"kind": "skip"}}', 8),
    ('{"action": {"kind": "place", "line": "red", "card": "blue", "extra": 1, "locomotives": 1, "express": 2}}', 9),
    ('{"action": {"kind": "place", "line": "red"}}', 10),
    ('{"action": {"kind": "pass"}}', 11),
    ('{"action": {"kind": "draft", "keep": [1]}}', 12),
]
ILLEGAL = [
    ('{"action": 13}', "action 13 does not exist: there are 13, from 0 to 12"),
    ('{"action": -1}', "action -1 does not exist"),
    ('{"action": 1e300}', "action of 997 bits does not exist"),
    (f'{{"action": {"9" * 4000}}}', "does not exist"),
    ('{"action": {"kind": "row", "card": "blue"}}', "take blue is illegal in phase turn"),
    ('{"action": {"kind": "draft", "keep": [0]}}', "draft 0 is illegal in phase turn"),
    ('{"action": {"kind": "keep", "keep": [9]}}', "is illegal"),
    ('{"action": {"kind": "keep", "keep": []}}', "is illegal"),
    ('{"action": {"kind": "claim", "route": 1000, "card": "red", "locomotives": 0}}', "is illegal"),
    ('{"action": {"kind": "claim", "route": -1, "card": "red", "locomotives": 0}}', "is illegal"),
    (f'{{"action": {{"kind": "express", "express": {"9" * 4000}}}}}', "is illegal"),
    ('{"action": {"kind": "place", "line": "red", "extra": 2}}', "is illegal"),
]
WRONG = [
    ("", "it is an empty line"),
    ("hello", "answered 'hello': it is not JSON"),
    ("{'action': 1}", "it is not JSON"),
    ('{"action": 1', "it is not JSON"),
    ('{"action": 1} {"action": 2}', "it is not JSON"),
    ('{"action": NaN}', "it is not JSON"),
    (f'{{"action": {"9" * 5000}}}', "it is not JSON"),
    ("[" * 60_000, "it is not JSON"),
    (b'\xff\xfe{"action": 1}', "it is not UTF-8"),
    (b'\xef\xbb\xbf{"action": 1}', "it is not JSON"),
    ('{"action": 1}'.encode("utf-16-le"), "it is not JSON"),
    (b'{"action": 1, "note": "\xe9"}', "it is not UTF-8"),
    (b"\x00\x01\x02\x7fELF", "it is not JSON"),
    ("1", "it is a number, not an object"),
    ("[1]", "it is a list, not an object"),
    ("null", "it is null, not an object"),
    ("{}", '"action" is missing: answer {"action": INDEX}'),
    ('{"type": "hello", "protocol": 1}', '"action" is missing'),
    (CLAIM, '"action" is missing'),
    ('{"action": null}', '"action" is null'),
    ('{"action": true}', '"action" is true or false'),
    ('{"action": "3"}', '"action" is a text: write the index of an action, or the action itself'),
    ('{"action": 1.5}', '"action" is a number'),
    ('{"action": 1e999}', '"action" is a number'),
    ('{"action": [1]}', '"action" is a list'),
    ('{"action": {}}', '"kind" is none of draft, keep, row, blind'),
    ('{"action": {"kind": "fly"}}', '"kind" is none of'),
    ('{"action": {"kind": ["claim"]}}', '"kind" is none of'),
    ('{"action": {"kind": "row"}}', 'a row needs "card"'),
    ('{"action": {"kind": "row", "card": "pink"}}', '"card" is none of purple, blue'),
    ('{"action": {"kind": "row", "card": 7}}', '"card" is none of purple, blue'),
    ('{"action": {"kind": "row", "card": "red", "slot": 1}}', 'a row has no "slot"'),
    ('{"action": {"kind": "claim", "route": 12, "card": "red"}}', 'a claim needs "locomotives"'),
    ('{"action": {"kind": "claim", "route": "12", "card": "red", "locomotives": 1}}', '"route" is not a whole number'),
    ('{"action": {"kind": "claim", "route": true, "card": "red", "locomotives": 1}}', '"route" is not a whole number'),
    ('{"action": {"kind": "keep", "keep": 1}}', '"keep" is not a list of positions'),
    ('{"action": {"kind": "keep", "keep": [0, null]}}', '"keep" is not a list of positions'),
    ('{"action": {"kind": "place", "line": "locomotive"}}', '"line" is none of'),
    ('{"action": {"kind": "place", "line": "red", "card": ""}}', '"card" is none of'),
    ('{"action": {"kind": "blind", "keep": []}}', 'a blind has no "keep"'),
]


def data(line: str | bytes) -> bytes:
    return (line if isinstance(line, bytes) else line.encode()) + b"\n"


def fits(line: str | bytes, name: str = "action_answer") -> bool | None:
    """Whether the schema accepts a line; None if it is not JSON."""

    def no_constant(text: str) -> None:
        raise ValueError(text)

    try:
        return bool(validator(name).is_valid(json.loads(data(line).decode(), parse_constant=no_constant)))
    except (ValueError, RecursionError):
        return None


class TestAnswers:
    @pytest.mark.parametrize(("line", "index"), GOOD)
    def test_good(self, line: str, index: int) -> None:
        assert read_action(data(line), CODES, "turn") == CODES[index]
        assert fits(line)

    @pytest.mark.parametrize(("line", "reason"), ILLEGAL)
    def test_illegal(self, line: str, reason: str) -> None:
        with pytest.raises(BotFault) as found:
            read_action(data(line), CODES, "turn")
        assert found.value.kind == FAULT_ILLEGAL
        assert reason in str(found.value)
        assert fits(line)

    @pytest.mark.parametrize(("line", "reason"), WRONG)
    def test_wrong_type(self, line: str | bytes, reason: str) -> None:
        with pytest.raises(BotFault) as found:
            read_action(data(line), CODES, "turn")
        assert found.value.kind == FAULT_WRONG_TYPE
        assert reason in str(found.value)
        assert len(str(found.value)) < 400
        assert not fits(line)

    @pytest.mark.parametrize(
        ("line", "name"),
        [
            ('{"type": "hello", "protocol": 1}', ""),
            ('{"type": "hello", "protocol": 1.0, "name": "bot \\ud800", "more": []}', "bot \ud800"),
        ],
    )
    def test_good_hello(self, line: str, name: str) -> None:
        assert read_hello(data(line)) == name
        assert fits(line, "hello_answer")

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ('{"action": 1}', 'the answer to hello is {"type": "hello", "protocol": 1}'),
            ('{"type": "hello"}', 'it has no number "protocol": write 1'),
            ('{"type": "hello", "protocol": "1"}', 'it has no number "protocol"'),
            ('{"type": "hello", "protocol": true}', 'it has no number "protocol"'),
            ('{"type": "hello", "protocol": 2}', "it speaks protocol 2; this arena speaks 1"),
            ('{"type": "hello", "protocol": 1, "name": 7}', '"name" is not a text'),
            ("Bot 1.0, copyright by its author", "it is not JSON"),
        ],
    )
    def test_bad_hello(self, line: str, reason: str) -> None:
        with pytest.raises(BotFault) as found:
            read_hello(data(line))
        assert found.value.kind == FAULT_WRONG_TYPE
        assert reason in str(found.value)
        assert not fits(line, "hello_answer")
