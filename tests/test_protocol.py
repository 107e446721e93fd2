"""Bots in any language: messages and schema, answers good and bad, processes, the examples of the documentation."""

import json
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant, Outside
from arena.engine.external import json_lines, program
from arena.engine.external.json_answers import read_action, read_hello
from arena.engine.faults import BotFault, Fault
from arena.engine.limits import Limits
from arena.engine.loop import COUNT_SHIFT, FAULT_ILLEGAL, FAULT_WRONG_TYPE, FAULTS, SEAT, start, step
from arena.engine.table import Table
from arena.engine.view import View
from arena.errors import UsageError
from arena.rules.actions import Action, encode_action
from arena.rules.deal import make_deals
from arena.tournament.plan import Plan
from commands import result_files

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
SCHEMA = json.loads((ROOT / "arena" / "schemas" / "protocol.schema.json").read_text(encoding="utf-8"))
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@cache
def validator(name: str) -> Any:
    """Of one definition of the schema."""
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


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
        public = {name for name in dir(View) if not name.startswith("_")}
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


SCRIPT = """#!{python} -S
import json, os, sys, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def answer(action=0):
    say(json.dumps({{"action": action}}) + "\\n")

def hello():
    say('{{"type": "hello", "protocol": 1, "name": "scripted"}}\\n')

decisions = 0
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "decide":
        decisions += 1
{body}
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Writes a program that does something for each message, and gives its spec."""

    def write(body: str) -> str:
        file = tmp_path / "scripted.py"
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        file.write_text(SCRIPT.format(python=sys.executable, body=lines))
        file.chmod(0o755)
        return f"cmd:{shlex.quote(str(file))}"

    yield write
    program.end_idle()


def play(
    spec: str, games: int = 1, *, limits: Limits | None = None, seats: int = 2
) -> tuple[np.ndarray, dict[int, Any]]:
    """Games of a bot in seat 0 among random players."""
    entrants = catalog.load_entrants([spec, "random"])
    table = Table(catalog.load_map(catalog.default_map()), seats, entrants, limits or Limits())
    seating = [0] + [1] * (seats - 1)
    return table.play(np.array([seating] * games), make_deals(7, range(games)))


ANSWERS = """\
if kind == "hello": hello()
if kind == "decide": answer()
"""


class Looks(Outside):
    """A bot that notes when it is seated and what a watcher sees meanwhile."""

    def __init__(self) -> None:
        self.seated: list[tuple[int, int]] = []

    def seat_bot(self, table: Any, seat: int, seed: int) -> Callable[[int], int]:
        self.seated.append((seat, int(table.where[SEAT])))
        return lambda count: int(table.actions[0])


class TestSeats:
    def test_no_decision_is_slow_while_processes_start(self) -> None:
        bot = Looks()
        table = Table(catalog.load_map(catalog.default_map()), 2, [Entrant("looks", "", bot, {}, "")])
        table.play(np.zeros((1, 2), np.int64), make_deals(1, [0]), first=7)
        assert bot.seated == [(0, -1), (1, -1)]

    def test_who_is_not_asked_does_not_sit_down(self) -> None:
        bot = Looks()
        table = Table(catalog.load_map(catalog.default_map()), 2, [Entrant("looks", "", bot, {}, "")])
        forced = {0: [Fault(1, "died", "gone", 0)], 1: [Fault(0, "died", "gone", 9)]}
        table.play(np.zeros((2, 2), np.int64), make_deals(1, [0, 1]), forced=forced)
        assert [seat for seat, _ in bot.seated] == [0, 0, 1]


class TestProcess:
    def test_a_game(self, scripted: Callable[[str], str]) -> None:
        outcomes, faults = play(scripted(ANSWERS), 3)
        assert not faults
        assert (outcomes["turns"][:, 0] > 5).all()

    def test_one_process_plays_many_games_and_hears_their_ends(
        self, scripted: Callable[[str], str], tmp_path: Path
    ) -> None:
        log = tmp_path / "log"
        spec = scripted(f"if kind != 'decide': open({str(log)!r}, 'a').write(line)\n{ANSWERS}")
        outcomes, faults = play(spec, 4)
        assert not faults
        program.end_idle()
        heard = [json.loads(line) for line in log.read_text().splitlines()]
        assert [each["type"] for each in heard] == ["hello", *["game", "game_over"] * 4]
        luck = make_deals(7, range(4))["random_states"][:, 0].tolist()
        assert [each["luck"] for each in heard[1::2]] == [state >> 11 for state in luck]
        for end, outcome in zip(heard[2::2], outcomes, strict=True):
            assert end["scores"] == outcome.score[:2].tolist()
            assert end["ranks"] == outcome.rank[:2].tolist()
        for each in heard:
            validator("to_bot").validate(each)

    def test_nothing_in_a_game_tells_which_deal_it_is(self) -> None:
        told = json.loads(json_lines.game_line(1, 3, 2**63))
        assert set(told) == {"type", "seat", "seats", "luck"}

    def test_a_program_sits_in_every_seat(self, scripted: Callable[[str], str]) -> None:
        entrants = catalog.load_entrants([scripted(ANSWERS)])
        table = Table(catalog.load_map(catalog.default_map()), 3, entrants)
        _, faults = table.play(np.zeros((2, 3), np.int64), make_deals(1, [0, 1]))
        assert not faults
        assert len(program._idle) == 3

    def test_a_fault_costs_the_process_and_the_next_game_has_another(
        self, scripted: Callable[[str], str], tmp_path: Path
    ) -> None:
        log = tmp_path / "log"
        spec = scripted(
            f"if kind == 'hello': hello(); open({str(log)!r}, 'a').write('hello\\n')\n"
            "if kind == 'decide': answer(0 if decisions < 5 else 9999)"
        )
        outcomes, faults = play(spec, 3)
        assert {game: [(f.seat, f.kind) for f in found] for game, found in faults.items()} == {
            game: [(0, "illegal")] for game in range(3)
        }
        assert outcomes["rank"][:, 0].tolist() == [2, 2, 2]
        assert log.read_text() == "hello\n" * 3

    @pytest.mark.parametrize(
        ("body", "kind", "reason"),
        [
            (
                "if kind == 'hello': hello()\nif kind == 'decide': say('ouch\\n')",
                "wrong_type",
                "'ouch': it is not JSON",
            ),
            ("if kind == 'hello': hello()\nif kind == 'decide': say('{\"action\": []}\\n')", "wrong_type", "is a list"),
            ("if kind == 'hello': hello()\nif kind == 'decide': answer(5000)", "illegal", "action 5000 does not exist"),
            (
                "if kind == 'hello': hello()\nif kind == 'decide': answer({'kind': 'pass'})",
                "illegal",
                "pass is illegal in phase setup",
            ),
            (
                "if kind == 'hello': hello()\nif kind == 'decide': os.write(1, bytes(range(256)) * 4 + b'\\n')",
                "wrong_type",
                "answered '\\x00\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08': it is not JSON",
            ),
            (
                "if kind == 'hello': hello()\nif kind == 'decide': say('{\"action\": 0}\\n{\"action\": 0}\\n')",
                "wrong_type",
                "before it was asked: its output is one line for each decision",
            ),
            (
                'if kind == \'hello\': say(\'{"type": "hello", "protocol": 1}\\n\' + \'{"action": 0}\\n\')\n'
                "if kind == 'decide': answer()",
                "wrong_type",
                'wrote \'{"action": 0}',
            ),
            (
                "if kind == 'hello': hello()\nif kind == 'decide': say('x' * 70000)",
                "wrong_type",
                "a line of more than 65,536 bytes",
            ),
            ("if kind == 'hello': hello()\nif kind == 'decide': sys.exit(3)", "died", "it had decided: exit code 3"),
            ("if kind == 'hello': hello()\nif kind == 'decide': os.abort()", "died", "killed by signal 6"),
            ("if kind == 'hello': hello()\nif kind == 'decide': os.close(1)", "died", "it ended before it had decided"),
            ("sys.exit('no licence')", "died", "it ended before it had answered hello: exit code 1"),
            ('say(\'{"type": "hello", "protocol": 2}\\n\')', "wrong_type", "it speaks protocol 2"),
            ("say('Welcome!\\n')", "wrong_type", "answered 'Welcome!': it is not JSON"),
        ],
    )
    def test_bad_answers_are_faults(self, scripted: Callable[[str], str], body: str, kind: str, reason: str) -> None:
        outcomes, faults = play(scripted("print('about to answer', file=sys.stderr, flush=True)\n" + body))
        (fault,) = faults[0]
        assert (fault.seat, fault.kind) == (0, kind)
        assert reason in fault.reason
        assert "about to answer" in fault.stderr
        assert FAULTS[outcomes[0].fault[0]] == kind
        assert outcomes[0].rank[:2].tolist() == [2, 1]

    @pytest.mark.parametrize(
        ("body", "limits", "kind", "reason"),
        [
            (
                "if kind == 'hello': time.sleep(99)",
                Limits(1),
                "move_time",
                "it did not answer hello within 1 s (a line must end with a newline and be flushed)",
            ),
            (
                "if kind == 'hello': hello()\nif kind == 'decide': say('{\"action\": 0}')",
                Limits(1.5),
                "move_time",
                "a decision took longer than 1.5 s; it has written '{\"action\": 0}' without an end of line",
            ),
            (
                "if kind == 'hello': hello()\nif kind == 'decide': time.sleep(0.6); answer()",
                Limits(0, 1),
                "game_time",
                "its decisions in this game took longer than 1 s",
            ),
            (
                "if kind == 'hello': hello()\nif kind == 'decide': kept = bytearray(1 << 29); answer()",
                Limits(memory=1 << 28),
                "died",
                "exit code 1",
            ),
        ],
    )
    def test_limits(self, scripted: Callable[[str], str], body: str, limits: Limits, kind: str, reason: str) -> None:
        _, faults = play(scripted(body), limits=limits)
        (fault,) = faults[0]
        assert fault.kind == kind
        assert reason in fault.reason

    def test_a_slow_start_is_no_slow_decision(self, scripted: Callable[[str], str]) -> None:
        body = "if kind == 'hello': time.sleep(1.2); hello()\nif kind == 'decide': answer()"
        _, faults = play(scripted(body), limits=Limits(30, 1.1))
        assert [fault.reason for fault in faults.get(0, ()) if "hello" in fault.reason] == []

    def test_what_another_game_printed_is_forgotten(self, scripted: Callable[[str], str]) -> None:
        body = "if kind == 'decide': print('game', games, file=sys.stderr, flush=True)\nif kind == 'game': games += 1\n"
        script = scripted(
            "if kind == 'hello': games = 0\n" + body + ANSWERS + "if kind == 'decide' and games == 3: sys.exit()"
        )
        _, faults = play(script, 3)
        assert "game 3" in faults[2][0].stderr
        assert "game 2" not in faults[2][0].stderr

    def test_isolated(self, scripted: Callable[[str], str], tmp_path: Path) -> None:
        """It plays, and learns nothing of the arena's environment."""
        spec = scripted(f"if 'PYTHONPATH' in os.environ or os.getcwd() == {str(Path.cwd())!r}: sys.exit(9)\n{ANSWERS}")
        _, faults = play(spec, 2, limits=Limits(isolate=True))
        assert not faults


@cache
def built(folder: Path) -> str:
    """The example in C, compiled."""
    assert COMPILER
    program = folder / "claimer"
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    subprocess.run([COMPILER, *flags, "-o", program, EXAMPLES / "claimer.c"], check=True)
    return f"cmd:{shlex.quote(str(program))}"


@pytest.fixture(scope="session", params=["joiner.py", "claimer.c"])
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The spec of each bot of docs/protocol.md."""
    if request.param == "joiner.py":
        return f"cmd:{shlex.join([sys.executable, str(EXAMPLES / request.param)])}"
    if not COMPILER:
        pytest.skip("there is no C compiler here (cc, gcc or clang)")
    return built(tmp_path_factory.getbasetemp())


def play_example(spec: MapSpec, example: str, games: int) -> None:
    entrants = catalog.load_entrants([example, "random"])
    wins = 0
    for seats in (2, 4):
        table = Table(spec, seats, entrants)
        seatings = np.ones((games // 2, seats), np.int64)
        seatings[np.arange(games // 2), np.arange(games // 2) % seats] = 0
        outcomes, faults = table.play(seatings, make_deals(11, range(games // 2)))
        assert not faults
        wins += int((outcomes["rank"][:, :seats][seatings == 0] == 1).sum())
    program.end_idle()
    assert wins > games / 2  # one seat in two or four: it plays, and not at random


class TestExamples:
    def test_plays_every_map(self, spec: MapSpec, example: str) -> None:
        play_example(spec, example, 12)

    @pytest.mark.long
    def test_plays_200_games_on_every_map(self, spec: MapSpec, example: str) -> None:
        play_example(spec, example, 200)

    def test_same_bytes_however_many_processes(self, example: str, arena: Callable[..., Any]) -> None:
        for jobs in (1, 3):
            arguments = ["--games", 9, "--jobs", jobs, "--seed", 5, "--out", f"r{jobs}"]
            ran = arena("run", example, "greedy", "random", *arguments)
            assert ran.returncode == 0, ran.stderr
        assert result_files(Path("r1")) == result_files(Path("r3"))
        assert not Path("r1", "faults.jsonl").exists()

    @pytest.mark.parametrize("name", ["joiner.py", "claimer.c"])
    def test_stands_in_the_documentation(self, name: str) -> None:
        page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
        assert (EXAMPLES / name).read_text(encoding="utf-8") in page

    def test_knows_nothing_of_the_arena(self) -> None:
        assert "import arena" not in (EXAMPLES / "joiner.py").read_text(encoding="utf-8")
        assert "from arena" not in (EXAMPLES / "joiner.py").read_text(encoding="utf-8")


class TestSpec:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        for name, mode, text in (
            ("bot", 0o755, "#!/bin/sh\n"), ("plain.py", 0o644, "print()\n"), ("bare.py", 0o755, "print()\n"),
            ("my bot", 0o755, "#!/bin/sh\n"), ("data.json", 0o644, "{}"), ("dos", 0o755, "#!/bin/sh\r\n"),
        ):  # fmt: skip
            Path(name).write_bytes(text.encode())
            Path(name).chmod(mode)
        Path("folder").mkdir()

    @pytest.mark.parametrize(
        ("spec", "error"),
        [
            ("cmd:", "names no program: write cmd:./my_bot, or cmd:'node my_bot.js'"),
            ("cmd:   ", "names no program"),
            ("cmd:''", "names no program"),
            ("cmd:'bot", "is not a valid command line: no closing quotation"),
            ("cmd:./bto", "there is no program ./bto: did you mean bot?"),
            ("cmd:bto", "there is no program bto, neither here nor among the installed ones: did you mean bot?"),
            ("cmd:folder", "folder is a folder, not a program"),
            (
                "cmd:plain.py",
                "plain.py is not executable: chmod +x plain.py, or name what runs it: 'cmd:python3 plain.py'",
            ),
            ("cmd:data.json", "data.json is not executable"),
            ("cmd:bare.py", "bare.py does not say what runs it: begin it with #!/usr/bin/env python3"),
            ("cmd:./dos", "the first line of dos, because the line ends with CR LF"),
            ("cmd:sh plian.py", "sh is there, but no file plian.py: did you mean plain.py?"),
            ("cmd:sh ./nothing", "sh is there, but no file ./nothing"),
        ],
    )
    def test_errors(self, spec: str, error: str) -> None:
        with pytest.raises(UsageError) as found:
            catalog.load_entrant(spec)
        assert error in str(found.value)
        assert repr(spec) in str(found.value)

    @pytest.mark.parametrize(
        ("spec", "argv", "files"),
        [
            ("cmd:bot", ["{here}/bot"], ["bot"]),
            ("cmd:./bot --level 3", ["{here}/bot", "--level", "3"], ["bot"]),
            ("cmd:'my bot' data.json", ["{here}/my bot", "{here}/data.json"], ["my bot", "data.json"]),
            ("cmd:sh plain.py x", [shutil.which("sh"), "{here}/plain.py", "x"], ["plain.py"]),
            ("cmd:sh -c exit", [shutil.which("sh"), "-c", "exit"], [shutil.which("sh")]),
        ],
    )
    def test_found(self, spec: str, argv: list[str], files: list[str], tmp_path: Path) -> None:
        entrant = catalog.load_entrant(spec)
        found = entrant.bot
        assert isinstance(found, program.Program)
        assert isinstance(found, Outside)
        assert list(found.argv) == [word.format(here=tmp_path) for word in argv]
        assert list(found.files) == [str(tmp_path / file) for file in files]
        assert (entrant.name, entrant.spec, entrant.parameters) == (spec, spec, {})

    def test_digest_is_that_of_every_file(self) -> None:
        before = catalog.load_entrant("cmd:bot data.json").digest
        assert before == catalog.load_entrant("cmd:./bot data.json --more").digest
        Path("data.json").write_text("[]")
        assert before != catalog.load_entrant("cmd:bot data.json").digest

    def test_named_twice(self) -> None:
        names = [entrant.name for entrant in catalog.load_entrants(["cmd:bot", "cmd:bot", "cmd:./bot"])]
        assert names == ["cmd:bot", "cmd:bot#2", "cmd:./bot"]

    def test_a_plan_names_it_so_that_a_shell_finds_it(self) -> None:
        bots = ("cmd:'my bot' data.json", "cmd:sh plain.py:Name")
        plan = Plan.of_size(bots=bots, names=bots, map="usa", players=2, games=2, seed=1)
        assert shlex.split(plan.command)[2:4] == list(bots)
        assert Plan.from_json(plan.to_json()).bots == bots
        assert catalog.load_entrant("cmd:sh data.json plain.py:Name").name == "cmd:sh data.json plain.py:Name"

    def test_beside_a_config_file(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        from arena.cli.config import read_config

        config = Path("t.toml")
        config.write_text("""bots = ["cmd:bot", "cmd:./new x", "cmd:'my bot' data.json", "cmd:sh -c exit", "random"]""")
        monkeypatch.chdir(tmp_path / "folder")
        assert read_config(Path("../t.toml"))["bots"] == [
            "cmd:../bot", "cmd:../new x", "cmd:'../my bot' ../data.json", "cmd:sh -c exit", "random"
        ]  # fmt: skip
        config = tmp_path / "bad.toml"
        config.write_text("""bots = ["cmd:'bot"]""")
        with pytest.raises(UsageError, match="no closing quotation"):
            read_config(config)


class TestCommands:
    """No command fails in a way that only a programmer understands."""

    @pytest.fixture
    def bot(self) -> str:
        return f"cmd:{shlex.join([sys.executable, str(EXAMPLES / 'joiner.py')])}"

    def test_list(self, bot: str, arena: Callable[..., Any]) -> None:
        shown = arena("bots", "list", bot)
        assert shown.returncode == 0
        assert shown.stdout.startswith(f"{bot} (program)\n")
        assert str(EXAMPLES / "joiner.py") in shown.stdout

    @pytest.mark.slow("all checks of a bot that is a program in Python")
    def test_check(self, scripted: Callable[[str], str], arena: Callable[..., Any]) -> None:
        checked = arena("bots", "check", scripted(ANSWERS), "--map", "japan", "--games", 0, "--json")
        report = json.loads(checked.stdout)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert report["kind"] == "program"
        verdicts = {check["name"]: check["passed"] for check in report["checks"]}
        assert verdicts["legal"] is verdicts["same seed"] is verdicts["own process"] is True
        assert {name for name, passed in verdicts.items() if passed is None} >= {"view", "chance", "memory", "bounds"}

    def test_regress(self, scripted: Callable[[str], str], arena: Callable[..., Any]) -> None:
        bot = scripted(ANSWERS)
        same = arena("regress", bot, "--against", bot, "--max-games", 60)
        assert (same.returncode, "UNCHANGED" in same.stdout) == (0, True), same.stderr
        other = arena("regress", bot, "--against", "random", "--max-games", 60, "--jobs", 1)
        assert other.returncode in (0, 1, 3), other.stderr
        assert other.stdout.startswith(f"{bot} against random: ")
        assert "Traceback" not in same.stderr + other.stderr

    def test_an_unknown_program_is_a_usage_error(self, arena: Callable[..., Any]) -> None:
        for command in (
            ["run", "cmd:./none", "random"],
            ["bots", "check", "cmd:./none"],
            ["bots", "list", "cmd:./none"],
        ):
            ran = arena(*command)
            assert ran.returncode == 2
            assert "bot 'cmd:./none': there is no program ./none" in ran.stderr
            assert "Traceback" not in ran.stderr

    def test_the_end_of_a_run_is_the_end_of_the_input(
        self, arena: Callable[..., Any], scripted: Callable[[str], str], tmp_path: Path
    ) -> None:
        log = tmp_path / "log"
        note = f"lambda: open({str(log)!r}, 'a').write('done\\n')"
        bot = scripted(f"import atexit\nif kind == 'hello': atexit.register({note})\n{ANSWERS}")
        assert arena("run", bot, bot, "--games", 4, "--jobs", 1).returncode == 0
        assert log.read_text() == "done\n" * 2

    def test_a_program_that_cannot_start(self, arena: Callable[..., Any], tmp_path: Path) -> None:
        file = tmp_path / "lost"
        file.write_text("#!/nowhere/interpreter\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        ran = arena("run", "cmd:./lost", "random", "--games", 20, "--jobs", 1, "--out", "r")
        assert ran.returncode == 0, ran.stderr
        faults = [json.loads(line) for line in Path("r", "faults.jsonl").read_text().splitlines()]
        assert {(fault["kind"], fault["bot"]) for fault in faults} == {("died", "cmd:./lost")}
        assert "cannot be started" in faults[0]["reason"]

    def test_a_run_in_which_programs_die(self, arena: Callable[..., Any], scripted: Callable[[str], str]) -> None:
        bot = scripted(
            "if kind == 'hello': hello()\nif kind == 'game': decisions = 0; dies = message['luck'] % 3 == 0\n"
            "if kind == 'decide': sys.exit(5) if dies and decisions > 9 else answer()"
        )
        for jobs in (1, 2):
            ran = arena("run", bot, "random", "--games", 12, "--jobs", jobs, "--out", f"r{jobs}")
            assert ran.returncode == 0, ran.stderr
        assert result_files(Path("r1")) == result_files(Path("r2"))
        faults = [json.loads(line) for line in Path("r1", "faults.jsonl").read_text().splitlines()]
        assert 2 < len(faults) < 10
        assert {fault["reason"] for fault in faults} == {"it ended before it had decided: exit code 5"}
