"""Compiled code on disk: one specialization a kernel, one folder a digest, old folders forgotten."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.rules import jit

OLD, RECENT = "0123456789abcdef", "1123456789abcdef"


def test_old_code_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders unused for a month go; used ones and whatever is not ours stay."""
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    for name, days in ((OLD, 40), (RECENT, 2), ("thesis", 90)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.nbi").touch()
        os.utime(tmp_path / name, (time.time() - 86_400 * days,) * 2)
    jit.forget_old_code()
    assert sorted(path.name for path in tmp_path.iterdir()) == [RECENT, "thesis"]


def test_use_makes_a_folder_recent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    for folder in (jit.cache_dir.__wrapped__("one"), jit.cache_dir.__wrapped__("two")):
        os.utime(folder, (0, 0))
    used = jit.cache_dir.__wrapped__("one")
    jit.forget_old_code()
    assert list(tmp_path.iterdir()) == [used]


def test_unwritable_cache_folder_falls_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert jit.cache_root().is_dir()
    assert tmp_path not in jit.cache_root().parents


def test_digest_follows_names_and_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("a"), two.write_text("b")
    before = jit.digest_of([one, two])
    assert before == jit.digest_of([two, one])
    one.write_text("ab")
    two.write_text("")
    assert before != jit.digest_of([one, two])


HELPER = """
from arena.bot import kernel


@kernel
def second(actions):
    return actions[1 % len(actions)]
"""
BOT = """
from arena.bot import kernel, policy
from helper_both_ways import second


@kernel
def pick(actions):
    return second(actions)


@policy
def bot(view, board, actions, memory, luck):
    return pick(actions)
"""


@pytest.mark.skipif(jit.INTERPRETED, reason="nothing is compiled")
def test_a_bot_by_its_file_and_by_its_module(tmp_path: Path) -> None:
    """Code cached under one name of the bot's module is no hindrance under another one."""
    (tmp_path / "helper_both_ways.py").write_text(HELPER)
    (tmp_path / "bot_both_ways.py").write_text(BOT)
    by_file = "from arena.catalog import load_entrant; load_entrant('bot_both_ways.py:bot').bot.compile()"
    by_module = "from bot_both_ways import bot; bot.compile()"
    for way in (by_file, by_module, by_file):
        run = subprocess.run([sys.executable, "-c", way], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
