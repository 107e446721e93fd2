"""States that hardly come up: a report counts them, and names a game of each kind that shows it."""

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.replay.recorded_game import replay
from arena.reports.document import read_document
from arena.reports.rare_events import RARE, Rare, rare_note
from arena.reports.text import wrapped
from arena.rules.game_log import RARE as NOTED
from arena.rules.state import ENDS
from arena.store.reader import Recorded
from arena.store.run_directory import read_plan
from arena.store.seat_tables import write_shard
from arena.texts import WIDTH
from commands import arena as arena_process

Call = Callable[..., Any]
SCARCE = ("--set", "cards_per_color=2", "--set", "locomotives=6", "--set", "trains=60")
"""Rules that make common what is rare."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three shards, and details of all games."""
    out = tmp_path_factory.mktemp("rare") / "r"
    result = arena_process("run", "random", "greedy", "random", *SCARCE, "--games", 1200, "--out", out, cwd=out.parent)
    assert result.returncode == 0, result.stderr
    return out


def counted_again(run: Path) -> list[Rare]:
    """From all that is on record of each game."""
    plan = read_plan(run)
    outcomes, there = Recorded.of(run, plan).load(0, plan.games)
    assert there.all()
    seen = {"stall": outcomes["end"] == ENDS.index("stall")}
    seen |= {name: outcomes["rare"][:, index] > 0 for index, name in enumerate(NOTED)}
    return [Rare(name, int(games.sum()), int(np.argmax(games))) for name, games in seen.items() if games.any()]


def test_rare_states_are_those_of_the_games(run: Path) -> None:
    document = read_document(run)
    assert list(document.rare) == counted_again(run)
    assert {rare.state for rare in document.rare} == set(RARE) - {"full_line"}
    assert not document.problems


def test_each_kind_is_looked_for(run: Path, tmp_path: Path) -> None:
    """Whatever is on record: here each kind in games of its own, once or more often."""
    plan = read_plan(run)
    outcomes, _ = Recorded.of(run, plan).load(0, plan.games)
    outcomes["rare"] = 0
    for index in range(len(NOTED)):
        outcomes["rare"][[100 * index + 7, 100 * index + 9, 900], index] = 1, 30, 2
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    for path in (copy / "seats").iterdir():
        first, last = map(int, path.stem.split("-"))
        write_shard(copy, plan, first, outcomes[first:last])
    assert list(read_document(copy).rare)[1:] == [
        Rare(name, 3, 100 * index + 7) for index, name in enumerate(NOTED)
    ]  # fmt: skip


def test_first_game_shows_it(run: Path) -> None:
    """Its replay has the event, and no game before it has."""
    document = read_document(run)
    assert document.summary.stalls == document.rare[0].games
    for rare in document.rare:
        if rare.state not in ("stall", "pass"):
            continue
        for game in range(rare.first + 1):
            events = replay(run, game, lambda text: None).events
            kinds = {event["event"] for event in events} | {event.get("reason") for event in events}
            assert (rare.state in kinds) == (game == rare.first)


@pytest.mark.parametrize("form", ["text", "md", "html", "json"])
def test_every_format_says_so(form: str, run: Path, tmp_path: Path, arena: Call) -> None:
    assert arena("report", run, "--format", form, "-o", "out").returncode == 0
    text = (tmp_path / "out").read_text()
    rares = read_document(run).rare
    if form == "json":
        data = json.loads(text)
        assert data["rare"] == [rare._asdict() for rare in rares]
        text = " ".join(data["notes"])
    for rare in rares:
        told = " ".join(text.split()).replace("&#x27;", "'")
        assert rare_note(run, rare) in told
    if form == "text":
        assert all(f"arena replay {run} {rare.first}." in text.splitlines() for rare in rares)


def test_the_line_of_a_note_replays_it(run: Path, tmp_path: Path, arena: Call) -> None:
    (tmp_path / "a run").symlink_to(run)
    for rare in read_document(Path("a run")).rare:
        note = rare_note(Path("a run"), rare)
        command = re.search(r"arena (replay .*?)(\.| tells it\.)$", note)
        assert command
        assert arena(*shlex.split(command[1])).returncode == 0


def test_words_for_one_game_and_for_many() -> None:
    one = rare_note(Path("r"), Rare("one_card_turn", 1, 17))
    assert one == "1 game with a turn of one card, for want of another (B13); arena replay r 17 tells it."
    many = rare_note(Path("a b"), Rare("stall", 1200, 3))
    assert many == "1,200 games ended in a stall: nobody could move (B18); the first: arena replay 'a b' 3."


def test_a_command_in_a_note_is_not_broken() -> None:
    """As far as it fits the page; what comes of it is the note again."""
    for size, fits in ((1, True), (20, True), (31, True), (32, False), (200, False)):
        note = rare_note(Path("x-" * size), Rare("row_of_locomotives", 12, 345))
        rows = wrapped(note)
        assert max(map(len, rows)) <= WIDTH
        assert (" ".join(rows) == note) == fits
        assert any(f"arena replay {'x-' * size} 345." in row for row in rows) == fits


def test_without_details_only_stalls_are_known(run: Path, arena: Call) -> None:
    bots = ("random", "greedy", "random")
    assert arena("run", *bots, *SCARCE, "--games", 60, "--no-detail", "--out", "plain").returncode == 0
    rares = read_document(Path("plain")).rare
    assert [rare.state for rare in rares] == ["stall"]
    assert rares[0].first == read_document(run).rare[0].first


def test_nothing_rare_nothing_said(arena: Call) -> None:
    result = arena("run", "racer", "greedy", "--games", 8, "--out", "r")
    assert read_document(Path("r")).rare == ()
    assert "replay" not in result.stdout


def test_only_games_of_the_report_are_counted(run: Path, tmp_path: Path, arena: Call) -> None:
    """Pieces, a shard that is damaged, and details that are gone or of another run: the others are counted."""
    plan = read_plan(run)
    outcomes, _ = Recorded.of(run, plan).load(0, plan.games)
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    shards = sorted((copy / "seats").iterdir())
    assert len(shards) == 3
    details = sorted((copy / "detail").iterdir())
    ends = [int(path.stem.split("-")[1]) for path in shards]
    for path in (shards[0], details[0]):
        path.unlink()
    write_shard(copy, plan, 30, outcomes[30:60])  # a piece
    shards[1].write_bytes(b"none")
    details[2].write_bytes(details[1].read_bytes())
    document = read_document(copy)
    assert len(document.problems) == 3
    assert any(
        f"{details[2]} does not hold the details that its name and the plan say" in text for text in document.problems
    )
    assert document.summary.games == 30 + ends[2] - ends[1]
    seen = np.flatnonzero(outcomes["rare"][30:60, NOTED.index("pass")]) + 30
    assert next(rare for rare in document.rare if rare.state == "pass") == Rare("pass", len(seen), int(seen[0]))
    stalls = [
        game for game in (*range(30, 60), *range(ends[1], ends[2])) if outcomes["end"][game] == ENDS.index("stall")
    ]
    assert document.rare[0] == Rare("stall", len(stalls), stalls[0])
    details[2].unlink()
    assert any("is gone" in text for text in read_document(copy).problems)
    result = arena("report", copy)
    assert result.returncode == 1
