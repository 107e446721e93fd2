"""Programs in other languages at a table: processes, faults, limits, and the ends of games."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import catalog
from arena.engine.bots import Entrant, Outside
from arena.engine.external import json_lines, program
from arena.engine.faults import Fault
from arena.engine.limits import Limits
from arena.engine.loop import FAULTS, SEAT
from arena.engine.table import Table
from arena.rules.deal import make_deals
from programs import ANSWERS, play, validator


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
