"""What is said while games are played: on a terminal something moves, in a log a line comes now and then."""

import io
import re
import sys
import time

import numpy as np
import pytest

from arena.engine.loop import OUTCOME
from arena.runs import progress
from arena.runs.worker import Chunk
from helpers import make_plan


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def chunk(first: int, games: int) -> Chunk:
    return Chunk(first, np.zeros(games, OUTCOME), {}, 0.0)


def redrawn(terminal: Terminal, times: int, shown: str) -> bool:
    """Whether something is drawn so many times, within a generous time."""
    until = time.monotonic() + 20
    while time.monotonic() < until and terminal.getvalue().count(shown) < times:
        time.sleep(0.01)
    return terminal.getvalue().count(shown) >= times


def test_a_bar_moves_although_no_game_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "REDRAWN", 0.01)
    plan, _, _ = make_plan(["random", "random"], "usa", 2, 20, 1)
    with progress.live_display(plan, (0, 20), []):
        assert redrawn(terminal, 5, "0/20 [")


def test_a_status_tells_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "REDRAWN", 0.01)
    with progress.status_line() as show:
        show("40 of at most 200 games")
        assert redrawn(terminal, 5, "40 of at most 200 games 00:0")


def test_said_lines_stay_and_count_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(progress, "REDRAWN", 0.01)
    with progress.said_lines(terminal) as say:
        say("playing against path ...")
        assert redrawn(terminal, 5, "playing against path ... 00:0")
        say("playing against mcts ...")
    first, second = terminal.getvalue().strip().split("\n")
    assert "path" in first
    assert re.search(r"playing against mcts \.\.\. 00:0\d", second)


def test_said_lines_of_a_log_are_plain() -> None:
    log = io.StringIO()
    with progress.said_lines(log) as say:
        say("one")
        say("two")
    assert log.getvalue() == "one\ntwo\n"


def test_a_log_gets_a_line_more_and_more_seldom(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, _, _ = make_plan(["random", "random"], "usa", 2, 400, 1)
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    told = []
    with progress.live_display(plan, (0, 400), [chunk(0, 100)]) as show:
        for first in range(100, 400):
            now += 1.0
            show(chunk(first, 1))
            if capsys_text := capsys.readouterr().err:
                told.append((now, capsys_text))
    assert [when for when, _ in told] == [10, 30, 70, 130, 190, 250]
    assert told[0][1] == "played 110 of 400 games, about 290 s left\n"
