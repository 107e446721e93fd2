"""`arena run --note`: kept with the run and shown by its report, and nothing else."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import arena as library
from arena.errors import UsageError
from arena.reports.html import to_html
from arena.reports.markdown import to_markdown
from arena.reports.report_page import report_page
from arena.store import run_directory
from commands import result_files
from conftest import Result

NOTE = "New weights, <b>third</b> try."
PLAY = ("random", "greedy", "--games", 8, "--jobs", 1)


def test_a_note_is_kept_and_shown(arena: Callable[..., Result]) -> None:
    """In all formats, and in the command that plays the run again."""
    done = arena("run", *PLAY, "--note", NOTE, "--out", "r")
    assert done.returncode == 0, done.stderr
    assert f"\nNote: {NOTE}\n" in done.stdout
    assert f"--note '{NOTE}'" in done.stdout
    report = library.report("r")
    assert json.loads(Path("r/plan.json").read_text())["note"] == report.to_dict()["note"] == NOTE
    assert f"\nNote: {NOTE}" in to_markdown(report_page(report.document))
    assert "Note: New weights, &lt;b&gt;third&lt;/b&gt; try." in to_html(report_page(report.document))


def test_a_note_decides_nothing(arena: Callable[..., Result]) -> None:
    """The same tables byte for byte; a run without one is written, reported and read as ever, and both are one plan."""
    noted = library.run(["random", "greedy"], games=8, jobs=1, out="noted", note=NOTE)
    Path("t.toml").write_text('bots = ["random", "greedy"]\ngames = 8\njobs = 1\nnote = "Another."\n')
    assert arena("run", "--config", "t.toml", "--out", "other").returncode == 0
    bare = library.run(["random", "greedy"], games=8, jobs=1, out="bare")
    assert run_directory.read_plan(Path("other")).note == "Another."
    assert result_files(Path("noted")) == result_files(Path("bare")) == result_files(Path("other"))
    assert "note" not in json.loads(Path("bare/plan.json").read_text())
    assert (bare.notes, bare.to_dict()["note"]) == (noted.notes[1:], "")
    assert noted.plan.digest == bare.plan.digest
    assert library.merge(["noted", "bare"], "all").plan.note == NOTE
    assert library.compare("bare", "noted").changes == [f"note:  -> {NOTE}"]
    assert library.extend("noted", games=12, jobs=1).plan.note == NOTE


def test_a_note_is_one_line(arena: Callable[..., Result]) -> None:
    with pytest.raises(UsageError, match="has characters that cannot be printed: leave them out"):
        library.run(["random", "greedy"], note="one\ntwo")
