"""Programs in other languages as users meet them: the examples of the documentation, command lines, errors."""

import json
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Outside
from arena.engine.external import program
from arena.engine.table import Table
from arena.errors import UsageError
from arena.rules.deal import make_deals
from arena.tournament.plan import Plan
from commands import result_files
from programs import ANSWERS

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


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
