"""The documentation is run: its Python, its commands, and the lists in it that must be complete.

How a page is run: its fenced blocks in their order, in one empty folder.
- A ```python or ```toml block whose first line is a comment with a file name (`# my_bot.py`) is appended to that
  file. Every such Python file is executed at the end of the page, used by a command or not.
- Any other ```python block is executed; those of one page share their names.
- Of a ```sh block every line that calls `arena` (settings may stand before it: `NUMBA_DISABLE_JIT=1 arena ...`) is
  executed. More than MOST_GAMES in `--games` are replaced by MOST_GAMES (MOST has a few others).
  Lines that install are not executed, and those that compile everything anew or take seconds wherever they stand (SLOW)
  only with `pytest -m long`.
- A ```text block whose last line is a command (`Again: arena ...`) is a report: what that command prints, but for times
  and folders. A line `...` in it stands for lines that are left out.
"""

import ast
import re
import runpy
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from arena.boards.spec import Rules
from arena.bot import Path as BotPath
from arena.bot import Player, View
from arena.catalog import GROUP
from arena.cli import main
from arena.engine.former_names import ATTRIBUTES
from arena.rules.actions import KINDS
from arena.rules.board import BOARD
from arena.rules.state import OVER, PHASES
from arena.rules.view import VIEW
from commands import arena
from helpers import load_benchmark

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
TEXTS = [*PAGES, *map(ROOT.joinpath, ("CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"))]
MOST_GAMES = 40
MOST = {"mcts": 4, "cmd:": 10, "bots check": 2, "extend": 2 * MOST_GAMES}
"""The most games of commands with such words in them."""
LONGEST_REPORT = 400
"""Games of a report that is played for each change; longer ones with `pytest -m long`."""
SLOW = ("NUMBA_BOUNDSCHECK", "arena doctor", "arena cache")
"""The second one is run in `test_doctor.py`; the third one is about a cache of its own."""

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# (\w+\.(?:py|toml))\n")
AGAIN = re.compile(r"(?:Again: )?(arena .*)")
CHANGING = re.compile(r"Results: |[\d.,]+ s with \d+ process")
"""Lines of a report that are others each time."""
COMMAND = re.compile(r"(?:\w+=\S* )*arena ")


class Block(NamedTuple):
    language: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        match = FILE_NAME.match(self.text)
        return match[1] if self.language in ("python", "toml") and match else None

    @property
    def commands(self) -> list[str]:
        lines = self.text.splitlines() if self.language == "sh" else []
        return [line for line in lines if COMMAND.match(line)]


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield Block(match[1], match[2], text.count("\n", 0, match.start()) + 2)


def save(block: Block) -> None:
    """Append a block to the file that it names; empty lines keep the lines of the pieces apart."""
    assert block.file
    path = Path(block.file)
    before = path.read_text(encoding="utf-8") + "\n" if path.exists() else ""
    path.write_text(before + FILE_NAME.sub("", block.text, count=1), encoding="utf-8")


def call(command: str, most: int | None = None) -> str:
    """What a command prints on stdout, with so many games at most."""
    most = most or next((games for words, games in MOST.items() if words in command), MOST_GAMES)
    words = shlex.split(command)
    environment = {}
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    if "--games" in words:
        place = words.index("--games") + 1
        words[place] = str(min(int(words[place]), most))
    run = arena(*words[1:], cwd=Path.cwd(), env=environment, timeout=300)
    assert run.returncode == 0, f"{command}\n{run.stdout}{run.stderr}"
    assert "\nFaults\n" not in run.stdout or "clumsy.py:" in command, f"{command}\n{run.stdout}"
    assert run.stdout, command
    return run.stdout


@pytest.mark.slow("the blocks of a page build on each other: it is run as a whole")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    files = set()
    blocks = [block for block in blocks_of(page) if page.name != "README.md" or block != first_sh_block()]
    for block in blocks:
        if block.file:
            save(block)
            files.add(block.file)
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), names)
        for command in block.commands:
            if not any(words in command for words in SLOW):
                call(command)
    for file in sorted(file for file in files if file.endswith(".py")):
        runpy.run_path(file)


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_slow_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    for block in blocks_of(page):
        if block.file:
            save(block)
        for command in block.commands:
            if any(words in command for words in SLOW):
                call(command)


def first_sh_block() -> Block:
    return next(block for block in blocks_of(ROOT / "README.md") if block.language == "sh")


def test_readme_begins_with_its_two_command_lines() -> None:
    """The shape that `.ci/run` and whoever tries the project rely on: one line runs, one line tests."""
    first, *others = [block for block in blocks_of(ROOT / "README.md") if block.language in ("sh", "python")]
    assert others
    assert first == first_sh_block()
    environment = "python3 -m venv .venv && . .venv/bin/activate && "
    assert first.text.splitlines() == [
        f"{environment}pip install . && arena run planner longroute tutorial greedy --games 4000",
        f"{environment}pip install '.[test]' && pytest",
    ]


def shown_reports() -> Iterator[Any]:
    """Reports on the pages: blocks that end with the command that prints them again."""
    for page in PAGES:
        for block in blocks_of(page):
            *lines, last = block.text.splitlines() or [""]
            if (
                block.language == "text"
                and lines[:1]
                and not AGAIN.match(lines[0])
                and (found := AGAIN.fullmatch(last))
            ):
                games = re.search(r"--games (\d+)", last)
                marks = [pytest.mark.long] * bool(games and int(games[1]) > LONGEST_REPORT)
                marks += [pytest.mark.full] * ("arena sweep" in last)  # a run for each of its points
                yield pytest.param(lines, found[1], marks=marks, id=f"{page.name}:{block.line}")


@pytest.mark.slow("what a page shows is of as many games as it says")
@pytest.mark.parametrize(("lines", "command"), list(shown_reports()))
def test_reports_on_the_pages_are_real(
    lines: list[str], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them but times and folders; where a line says `...` some are left out."""
    monkeypatch.chdir(tmp_path)
    printed, parts = same(call(command, most=4000).splitlines()), [[]]
    for line in same(lines):
        parts.append([]) if line == "..." else parts[-1].append(line)
    assert printed[: len(parts[0])] == parts[0]
    if len(parts) == 1:
        assert printed[len(parts[0]) : -1] == []
    for part in parts[1:]:
        assert any(printed[first : first + len(part)] == part for first in range(len(printed))), part


def same(lines: list[str]) -> list[str]:
    """What is the same each time."""
    return [line for line in lines if not CHANGING.match(line)]


def test_readme_says_whose_game_it_is() -> None:
    text = " ".join(read("README.md").split())
    assert "not affiliated with or endorsed by" in text
    assert "Ticket to Ride is a trademark of Days of Wonder" in text


def test_tutorial_in_the_guide_is_the_shipped_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks_of(ROOT / "docs" / "bots.md"):
        if block.file == "tutorial.py":
            save(block)
    shown = ast.parse(Path("tutorial.py").read_text(encoding="utf-8"))
    assert ast.dump(shown) == ast.dump(ast.parse(read("bots/tutorial.py")))


def test_packaging_snippet_names_our_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry points of the guide, as an installed distribution has them, are found by `arena bots list`."""
    import tomllib

    page = ROOT / "docs" / "bots.md"
    snippet = tomllib.loads(next(block.text for block in blocks_of(page) if block.language == "toml"))
    entries = snippet["project"]["entry-points"][GROUP]
    monkeypatch.chdir(tmp_path)
    for block in blocks_of(page):
        if block.file:
            save(block)
    package = tmp_path / "my_bots"
    package.mkdir()
    (package / "__init__.py").touch()
    for target in entries.values():
        module = target.removeprefix("my_bots.").partition(":")[0]
        Path(f"{module}.py").rename(package / f"{module}.py")
    installed = tmp_path / "my_bots-0.1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-bots\nVersion: 0.1.0\n")
    lines = [f"{name} = {target}" for name, target in entries.items()]
    (installed / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]) + "\n")
    listed = call(f"PYTHONPATH={tmp_path} arena bots list")
    for name in entries:
        assert re.search(rf"^{name}\b.*\((compiled|Python)\): \w", listed, re.MULTILINE), listed


def test_every_rule_has_its_number() -> None:
    text = read("docs/rules.md")
    for rule in (*(f"B{n}" for n in range(1, 23)), *(f"{section}{n}" for section in "JK" for n in range(1, 12))):
        assert re.search(rf"^\*\*{rule}\.", text, re.MULTILINE), rule
    assert "**[ruling]**" in text


def test_every_rule_number_of_a_map_is_explained() -> None:
    rows = [line for line in read("docs/rules.md").splitlines() if line.startswith("| `")]
    defaults = Rules()
    for field in fields(Rules):
        row = next((row for row in rows if row.startswith(f"| `{field.name}` |")), None)
        assert row, field.name
        cells = [cell.strip() for cell in row.split("|")]
        default = getattr(defaults, field.name)
        if field.name in Rules.SINGLE:
            assert default == ()
        elif field.name in Rules.TABLES:
            assert cells[2] == "; ".join(", ".join(map(str, points)) for points in default), row
        else:
            assert cells[2] == (", ".join(map(str, default)) if isinstance(default, tuple) else str(default)), row
        if field.name in Rules.RANGES or field.name in Rules.SINGLE:
            low, high = Rules.RANGES.get(field.name) or Rules.SINGLE[field.name][1]
            assert cells[3] == (f"{low}-{high}" if low >= 0 else f"{low} to {high}"), row


@pytest.mark.parametrize("name", ["command_reference", "module_tree"])
def test_generated_pages_are_up_to_date(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = load_benchmark(name)
    script.main(["--check"])
    text = script.PAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(script, "PAGE", tmp_path / "page.md")
    script.PAGE.write_text(text.replace(" what ", " that "), encoding="utf-8")
    with pytest.raises(SystemExit, match=f"python benchmarks/{name}.py writes it anew"):
        script.main(["--check"])
    script.main([])
    script.main(["--check"])


@pytest.mark.long
def test_the_picture_of_a_report_is_up_to_date() -> None:
    load_benchmark("report_picture").main(["--check"])


@pytest.mark.parametrize(
    ("page", "kilobytes"), [("README.md", 9), ("CONTRIBUTING.md", 6), ("docs/architecture.md", 12)]
)
def test_what_everybody_reads_first_stays_short(page: str, kilobytes: int) -> None:
    assert len(read(page).encode()) <= 1024 * kilobytes


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/decisions.md"])
def test_modules_that_are_named_exist(page: str) -> None:
    """With their room, `engine/loop.py`, or with the package before it."""
    for name in re.findall(r"`([\w/]+/\w+\.py)\b", read(page)):
        assert (ROOT / name).exists() or (ROOT / "arena" / name).exists(), name


def test_every_module_has_its_line() -> None:
    """A package is described by the line of its folder."""
    shown = re.findall(r"^ *(\w+\.py)  +\S", read("docs/modules.md"), re.MULTILINE)
    files = [path for package in ("arena", "bots") for path in (ROOT / package).rglob("*.py")]
    assert sorted(shown) == sorted(path.name for path in files if path.name != "__init__.py")


def test_every_command_and_option_is_in_the_reference() -> None:
    reference = read("docs/commands.md").partition("<!-- commands: begin -->")[2]
    _, *sections = re.split(r"^## ", reference, flags=re.MULTILINE)
    shown = {section.partition("\n")[0]: section for section in sections}
    commands = dict(load_benchmark("command_reference").commands_of(main))
    assert shown.keys() == commands.keys()
    for name, command in commands.items():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert re.search(rf"^\| `[^`]*{parameter.opts[0]}\b", shown[name], re.MULTILINE), parameter.opts


def keys_of(page: str, *headings: str) -> set[str]:
    """Everything in code type in the first cells of the tables of some sections of a page."""
    sections = re.split(r"^#+ (.*)$", BLOCK.sub("", read(page)), flags=re.MULTILINE)
    found = dict(zip(sections[1::2], sections[2::2], strict=True))
    rows = [line for heading in headings for line in found[heading].splitlines() if line.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`(\w+)(?:\(.*?\))?`", row.split(" | ")[0])}


def test_everything_that_a_bot_sees_is_in_the_guide() -> None:
    public = {name for name in vars(View) if not name.startswith("_")} - set(ATTRIBUTES) | {"map", "actions"}
    assert keys_of("docs/bots.md", "The view") == public
    text = read("docs/bots.md")
    for name in (*Player._fields, *BotPath._fields):
        assert f"`{name}`" in text, name


def test_every_field_of_the_records_is_in_the_guide() -> None:
    assert keys_of("docs/bots.md", "The view record") == set(VIEW.names or ())
    numbers = {*Rules.RANGES, "tickets_returned"}
    assert keys_of("docs/bots.md", "The board record") == set(BOARD.names or ()) - numbers
    for name in numbers:
        assert f"`{name}`" in read("docs/bots.md").partition("### The board record")[2], name


def test_every_phase_and_kind_of_action_is_in_the_guide() -> None:
    assert keys_of("docs/bots.md", "Part 1: a bot in Python") == {*PHASES[:OVER], *KINDS}


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)]*)\)", page.read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        linked = page.parent / file if file else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in slugs, target


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_fences_are_closed(page: Path) -> None:
    fences = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("```")]
    assert len(fences) == 2 * len(list(blocks_of(page)))
