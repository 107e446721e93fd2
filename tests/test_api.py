"""The arena from Python."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import regress, report, run
from arena.errors import UsageError
from commands import result_files


def test_run_and_report(tmp_path: Path) -> None:
    """Tables as DataFrames, the numbers of the report, the same bytes as the command line's."""
    found = run(["racer", "greedy", "random"], players=2, games=120, seed=3, jobs=2, out=tmp_path / "a")
    assert list(found.results.columns[:4]) == ["games", "win_share", "low", "high"]
    assert found.results["games"].sum() == 240
    assert len(found.games()) == 240
    assert found.games().groupby("bot", observed=True)["win_share"].mean().to_dict() == pytest.approx(
        found.results["win_share"].to_dict()
    )
    assert set(found.tables) >= {"results", "ratings", "crosstable", "pairs", "means", "bot_seats", "seats"}
    assert found.to_dict()["command"] == found.plan.command
    again = report(tmp_path / "a", anchor="greedy")
    assert again.document.anchor == "greedy"
    assert str(found).startswith("usa, 2 players, 120 games")
    assert "<table" in found._repr_html_()
    run(["racer", "greedy", "random"], players=2, games=120, seed=3, jobs=1, out=tmp_path / "b")
    assert result_files(tmp_path / "a") == result_files(tmp_path / "b")
    assert Path(found.write("html", tmp_path / "r.html").strip()).stat().st_size > 1000


def test_mistakes_are_usage_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean"):
        run(["gredy", "random"], out=tmp_path / "a")
    with pytest.raises(UsageError, match="not a run directory"):
        report(tmp_path)
    with pytest.raises(AttributeError, match="no attribute 'rune'"):
        arena.rune  # noqa: B018  # that it is asked for is the test
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("bots", "options", "says"),
    [
        ("racer", {}, "bots must be a list"),
        (["racer", 3], {}, "bots must be a list"),
        (["racer", "greedy"], {"games": "5"}, "games must be a whole number"),
        (["racer", "greedy"], {"seed": 1.5}, "seed must be a whole number"),
        (["racer", "greedy"], {"jobs": 0}, "jobs must be 1 or more"),
        (["racer", "greedy"], {"settings": [1]}, "settings must be a dictionary"),
    ],
)
def test_wrong_types_are_usage_errors(bots: Any, options: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=says):
        run(bots, out=tmp_path / "a", **options)
    assert not (tmp_path / "a").exists()


def test_titles_are_escaped_and_formats_known(tmp_path: Path) -> None:
    found = run(["racer", "greedy"], games=4, jobs=1, out=tmp_path / "a")
    found.document = replace(found.document, label="<b>ours</b>")
    assert "&lt;b&gt;" in found._repr_html_()
    with pytest.raises(UsageError, match="unknown format of a report 'xml'"):
        found.write("xml")


def test_regress() -> None:
    verdict = regress("racer", "greedy", jobs=1)
    assert (verdict.word, verdict.exit_code, verdict.passed) == ("better", 0, True)
