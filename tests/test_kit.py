"""The kit for bot authors: the checks find what misbehaves, a new package is right, fingerprints tell bots apart."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import bad_bots
import commands
from arena import catalog
from arena.catalog import scaffold
from arena.catalog.fingerprint import fingerprint
from arena.checks.bot.check_bot import Report, check_all, duels, fast_checks, games_on
from arena.checks.bot.duels import duel, shipped_field
from arena.checks.bot.fresh_process import Fresh, play_afresh
from arena.checks.bot.games import EVERY_SEAT, Game, GameKey, Games, play
from arena.checks.bot.verdicts import in_bounds, in_units, memory, same
from arena.checks.findings import NOTE, OK, PROBLEM, Finding
from arena.engine.faults import Fault
from arena.engine.limits import Limits
from arena.engine.watch import Decision, Watched, WatchedTable
from arena.errors import UsageError
from arena.testing import check_bot
from conftest import Result

BAD = f"{bad_bots.__file__}:"
MAPS = catalog.map_names()

FOUND = {
    "IllegalInOnePhase": r"legal: .* games with a fault. First: .*, deal 0, .*\(phase second_card\): pass is illegal",
    "RaisesOnOneMap": r"legal: 12 of 36 games with a fault. First: japan, .*RuntimeError: no idea about bullet trains",
    "GlobalRandom": r"chance: .* used Python's random\n.*same seed: .* went differently the second time",
    "NumpyRandom": r"chance: .* used NumPy's random\n",
    "Seeded": r"chance: .* used Python's random$",
    "Clock": r"bot Clock\nsame seed: .*, the second time ",
    "WritesRecord": r"legal: .*read-only",
    "WritesHand": r"view: .* wrote into view.hand$",
    "Remembers": r"same seed: ",
    "writes_board": r"bot writes_board\nview: .* wrote into the board$",
    "writes_view": r"bot writes_view\nview: .* wrote into the record$",
    "writes_actions": r"view: .* wrote into the actions$",
    "compiled_random": r"chance: .* used NumPy's random in compiled code\n",
    "illegal_in_draft": r"legal: .*south_korea, .*\(phase draft\): returned 0, which is not in `actions`: return",
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_wrong_is_found(name: str) -> None:
    with pytest.raises(AssertionError, match=FOUND[name]):
        check_bot(getattr(bad_bots, name), seats=(2, 3, 4))


def test_dependence_on_the_order_of_sets_is_found() -> None:
    """By another process only."""
    check_bot(BAD + "HashOrder", maps=MAPS[:1], seats=(2,), own_process=False)
    with pytest.raises(AssertionError, match=r"own process: 1 of 1 games .* in another process"):
        check_bot(BAD + "HashOrder", maps=MAPS[:1], seats=(2,))


def test_a_process_that_dies_is_told() -> None:
    fresh = play_afresh("nobody.py:Nobody", [GameKey(MAPS[0], 2, EVERY_SEAT, 0)])
    assert "nobody.py does not exist" in fresh.died
    assert in_bounds(catalog.load_entrant("greedy"), fresh).status == PROBLEM


@pytest.mark.parametrize("bot", ["tutorial", "racer:shortest=4"])
def test_good_bots_pass(bot: str) -> None:
    check_bot(bot, seats=(2, 5), deals=2, own_process=False, stronger_than=["random"], games=20)


def test_weakness_is_told() -> None:
    with pytest.raises(AssertionError, match=r"stronger than greedy: \d+\.\d% of 20 games won, interval"):
        check_bot("random", maps=MAPS[:1], seats=(2,), own_process=False, stronger_than=["greedy"], games=20)


def test_arguments_of_check_bot() -> None:
    with pytest.raises(UsageError, match="unknown bot 'gredy': did you mean greedy"):
        check_bot("gredy")
    with pytest.raises(UsageError, match="behind a colon"):
        check_bot("racer", shortest=4)
    with pytest.raises(UsageError, match="takes no parameters"):
        check_bot(bad_bots.Clock, speed=4)
    with pytest.raises(UsageError, match="is an instance of Clock: give the class itself"):
        check_bot(bad_bots.Clock())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown map 'us': did you mean usa"):
        check_bot("greedy", maps="us")
    with pytest.raises(UsageError, match=r"seats=\[6\] does not fit: a game has 2 to 5 players"):
        check_bot("greedy", seats=6)
    with pytest.raises(UsageError, match="games=0 decides nothing: stronger_than needs at least one game"):
        check_bot("greedy", stronger_than="random", games=0)
    with pytest.raises(UsageError, match="deals=0 is too few"):
        check_bot("greedy", deals=0)
    check_bot("greedy", maps=MAPS[0], seats=2, own_process=False, stronger_than="random", games=19)
    with pytest.raises(UsageError, match=r"another process.* out_of_bounds itself: give it by name"):
        check_bot(bad_bots.out_of_bounds, bounds=True)


def game(*codes: int, fault: Fault | None = None) -> Game:
    return Game(GameKey("m", 2, 0, 0), Watched([Decision(0, 2, code) for code in codes], fault=fault, phase=2))


def test_verdicts() -> None:
    again = same("same seed", [game(3 << 24)], [game(2 << 24)], "the second time")
    assert "decision 0 (phase turn): draw blind, the second time take purple" in again.detail
    assert "ends differently" in same("x", [game(1)], [game()], "then").detail
    assert same("x", [game(1)], [game(1)], "then").status == OK
    fault = Fault(0, "exception", "IndexError: index is out of bounds", 4)
    greedy = catalog.load_entrant("greedy")
    assert "decision 4 (phase turn): IndexError" in in_bounds(greedy, Fresh([game(fault=fault)], 1, 1)).detail
    assert in_bounds(greedy, Fresh([game()], 1, 1)).status == OK
    assert memory(Fresh([], None, None)).status == NOTE
    assert [in_units(x) for x in (2.5, 0.0123, 0.25, 4e-7)] == ["2.5 s", "12.3 ms", "250 ms", "0.4 us"]


def test_games_are_told() -> None:
    assert str(Games(("m", "n"), (2, 3, 4))) == "m, n with 2 to 4 seats"
    assert str(Games(("m",), (2, 4))) == "m with 2, 4 seats"


def test_every_seat_is_taken() -> None:
    games = Games(("m",), (2, 3, 4), 2)
    assert len(games.keys()) == len(set(games.keys())) == 24
    assert [key[1:] for key in games.repeated()] == [(seats, EVERY_SEAT, deal) for seats in (2, 4) for deal in (0, 1)]
    played = play(catalog.load_entrant("greedy"), [GameKey(MAPS[0], 3, 2, 0), GameKey(MAPS[0], 3, EVERY_SEAT, 0)])
    assert [{decision.seat for decision in game.watched.decisions} for game in played] == [{2}, {0, 1, 2}]


def test_duels_are_even() -> None:
    spec = catalog.load_map(catalog.default_map())
    greedy, racer = catalog.load_entrants(["greedy", "racer"])
    there = duel(greedy, racer, spec, 60, 60)
    back = duel(racer, greedy, spec, 60, 60)
    assert there.games == back.games == 60
    assert there.share == pytest.approx(1 - back.share)
    assert duel(greedy, racer, spec, 60, 0).games == 2
    field = shipped_field(greedy)
    assert sorted([*(entrant.name for entrant in field), "greedy"]) == sorted(catalog.shipped_bots())
    told = list(duels(greedy, field[:2], catalog.default_map(), 2, 60, lambda text: None))
    assert [(duel.opponent, duel.games) for duel in told] == [(other.name, 2) for other in field[:2]]
    assert "racer" not in [entrant.name for entrant in shipped_field(racer)]
    assert "racer" in [entrant.name for entrant in shipped_field(catalog.load_entrant("racer:shortest=4"))]


def test_fingerprints() -> None:
    """Behavior counts: neither the name nor a parameter that changes nothing."""
    prints = [fingerprint(catalog.load_entrant(spec), most=40) for spec in ("greedy", "greedy", "racer", "tutorial")]
    assert len(set(prints)) == 3
    assert prints[0] == prints[1]
    racer = fingerprint(catalog.load_entrant("racer:shortest=5"), most=40)
    assert racer == prints[2]
    assert racer != fingerprint(catalog.load_entrant("racer:shortest=3"), most=40)
    assert len(fingerprint(catalog.load_entrant(BAD + "RaisesOnOneMap"), most=4)) == 16


def test_a_fingerprint_is_taken_of_a_prepared_bot(tmp_path: Path) -> None:
    """Once, for all games: what is compiled in the first decision would count as thinking, and might take too long."""
    file = tmp_path / "late.py"
    file.write_text(
        "from bots.tutorial import Tutorial\n\n\nclass Late(Tutorial):\n    prepared = 0\n\n    @classmethod\n"
        "    def prepare(cls):\n        cls.prepared += 1\n\n    def choose(self, view):\n"
        "        assert self.prepared == 1\n        return super().choose(view)\n"
    )
    late, tutorial = (catalog.load_entrant(spec) for spec in (f"{file}:Late", "tutorial"))
    assert fingerprint(late, ["usa"], most=10) == fingerprint(tutorial, ["usa"], most=10)


def test_report_fits_the_terminal() -> None:
    checks = (Finding("legal", PROBLEM, "word " * 50), Finding("own process", NOTE, "x"))
    values = {"least": 3.0, "much": 0.5, "long_name": "x" * 50}
    text = Report("b", "Python", values, "d", "", "m", ("m: a draft.",), checks, ()).to_text()
    assert "\nm: a draft.\n" in text
    assert text.splitlines()[0] == "b (Python): least=3, much=0.5,"
    assert max(map(len, text.splitlines())) <= 80
    assert text.endswith("Failed: legal.\n")


def test_check_command(tmp_path: Path) -> None:
    """Exit code 1 if a check fails; what the bot prints is nowhere, and what was not looked at is not called right."""
    (tmp_path / "chatty.py").write_text(
        "from arena.bot import Bot\n\n\nclass Chatty(Bot):\n    def choose(self, view):\n        print('hello')\n"
    )
    asked = ("bots", "check", "chatty.py:Chatty", "--map", MAPS[0], "--games", "0", "--json")
    result = commands.arena(*asked, cwd=tmp_path)  # a process of its own: what else is printed there is the matter
    assert result.returncode == 1, result.stderr
    report = json.loads(result.stdout)
    assert {check["name"]: check["passed"] for check in report["checks"]} == {
        "legal": False, "view": None, "chance": None, "same seed": None, "own process": None, "memory": None,
        "bounds": None, "time": None,
    }  # fmt: skip
    assert report["checks"][1]["detail"] == "Not checked: all 18 games ended in a fault."
    assert "returned None, which is not an Action" in report["checks"][0]["detail"]
    assert "hello" not in result.stderr
    assert f"{MAPS[0]}: games 1 to 20 of 20 ..." in result.stderr


def test_a_bot_that_ends_the_process_is_told(tmp_path: Path, arena: Callable[..., Result]) -> None:
    """In which game it did, and with what; the check goes on to its report. Code 0 is no better."""
    for code in (0, 7):
        (tmp_path / "leaves.py").write_text(
            "import os\nfrom arena.bot import Bot\n\n\nclass Leaves(Bot):\n    def choose(self, view):\n"
            f"        if view.seats == 3:\n            os._exit({code})\n        return view.actions[0]\n"
        )
        result = arena("bots", "check", "leaves.py:Leaves", "--map", MAPS[0], "--games", "20")
        assert result.returncode == 1, result.stderr
        text = " ".join(result.stdout.split())
        assert f"The process that played the bot ended: exit code {code} in the game {MAPS[0]}, 3 seats, deal 0" in text
        assert "same seed - Not checked: the process ended." in text
        assert "duels - Not checked: the process ended." in text
        assert "Failed: legal." in text


def test_a_program_that_never_answers_is_told_after_one_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after half a minute for each game of the check."""
    (tmp_path / "mute").write_text("#!/bin/sh\nwhile read -r line; do :; done\n")
    (tmp_path / "mute").chmod(0o755)
    entrant = replace(catalog.load_entrant(f"cmd:{tmp_path}/mute"), spec="")
    fast = replace(catalog.load_entrant("random"), spec="")
    table = partial(WatchedTable, limits=Limits(move_time=0.2))
    monkeypatch.setattr("arena.checks.bot.games.WatchedTable", table)
    keys = games_on([MAPS[0]]).keys()
    assert len(play(fast, keys[:3])) == 3
    (game,) = play(entrant, keys)
    assert game.late
    played, checks = fast_checks(entrant, games_on([MAPS[0]]), lambda text: None, apart=False)
    assert not played
    assert "1 of 1 games with a fault" in checks[0].detail
    assert "did not answer hello" in checks[0].detail
    assert {check.detail for check in checks[1:]} == {"Not checked: it took too long, and no other game was begun."}


def test_no_duels_of_a_bot_that_always_fails() -> None:
    report = check_all(catalog.load_entrant(BAD + "WritesRecord"), games_on([MAPS[0]]), 20, 30.0, lambda text: None)
    assert not report.duels
    assert report.checks[-1].detail == "Not checked: all games ended in a fault."


@pytest.mark.parametrize("bot", ["RaisesOnOneMap", "illegal_in_draft", "Index"])
def test_a_fault_is_found_again(bot: str, tmp_path: Path, arena: Callable[..., Result]) -> None:
    """By the command that a failed check names: the players of any legal action are the bot `random`."""
    (tmp_path / "index.py").write_text(
        "from arena.bot import policy\n\n\n@policy\ndef Index(view, board, actions, memory, random_state):\n"
        "    return 1 if view.seat == 2 and view.turns[2] > 3 else actions[0]\n"
    )
    spec = f"{tmp_path}/index.py:Index" if bot == "Index" else BAD + bot
    with pytest.raises(AssertionError) as caught:
        check_bot(spec, own_process=False, seats=(3,), deals=2)
    fault, command = str(caught.value).splitlines()[1:3]
    arguments, _, number = command.removeprefix("again: arena ").partition("  # game ")
    result = arena(*arguments.split(), "--out", "r")
    assert result.returncode == 0, result.stderr
    found = [json.loads(line) for line in (tmp_path / "r/faults.jsonl").read_text().splitlines()]
    assert any(row["game"] == int(number) and fault.endswith(row["reason"]) for row in found)


def test_new_package(tmp_path: Path) -> None:
    """Its name is everywhere; installed and tested it is in `test_wheel.py`."""
    package = scaffold.write_package("alice", tmp_path / "new")
    text = "".join(path.read_text() for path in package.rglob("*") if path.is_file())
    assert scaffold.PLACEHOLDER not in text
    assert 'alice_compiled = "alice.compiled_bot:compiled_bot"' in text
    with pytest.raises(UsageError, match="exists already"):
        scaffold.write_package("alice", tmp_path / "new")


@pytest.mark.parametrize("least", [3, 5])
def test_bots_of_the_template_decide_alike(least: int) -> None:
    """The compiled one is what the other one is, decision by decision, on every map."""
    folder = scaffold.TEMPLATE / scaffold.PLACEHOLDER
    bots = [f"{folder}/{spec}:least={least}" for spec in ("python_bot.py:PythonBot", "compiled_bot.py:compiled_bot")]
    one, two = (fingerprint(catalog.load_entrant(bot)) for bot in bots)
    assert one == two


@pytest.mark.parametrize("spec", ["python_bot.py:PythonBot", "compiled_bot.py:compiled_bot"])
def test_bots_of_the_template_are_good_ones(spec: str) -> None:
    bot = f"{scaffold.TEMPLATE / scaffold.PLACEHOLDER}/{spec}"
    home = catalog.default_map()
    check_bot(bot, maps=[home], seats=(2,), own_process=False, stronger_than=["greedy"], games=40)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Alice", "is not a valid package name"),
        ("a-b", "is not a valid package name"),
        ("class", "means something else"),
        ("tests", "means something else"),
        ("random", "there is a bot 'random' already"),
        ("json", "there is a Python module 'json' already"),
        ("bots", "there is a Python module 'bots' already"),
    ],
)
def test_names_that_a_package_cannot_have(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=reason):
        scaffold.write_package(name, tmp_path)
    assert not any(tmp_path.iterdir())
