"""The arena from Python: play, report, compare, resume; results as pandas DataFrames (docs/api.md).

>>> import arena
>>> found = arena.run(["greedy", "random"], games=20, jobs=1, out="first")
>>> found.results["win_share"].to_dict()
{'greedy': 1.0, 'random': 0.0}
>>> arena.report("first").results.equals(found.results)
True
>>> second = arena.run(["greedy", "random"], games=20, seed=2, jobs=1, out="second")
>>> arena.compare("first", "second").changes
['seed: 1 -> 2']
>>> arena.regress("greedy", "random", max_games=400, jobs=1).passed
True
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec

import pandas as pd

from arena.errors import ArenaError, unknown
from arena.reports.comparison import Comparison, compare_runs
from arena.reports.document import read_document
from arena.reports.formats import FORMATS, deliver
from arena.reports.report_page import report_page, to_object
from arena.reports.tables import tables
from arena.reports.text import to_text
from arena.runs.merge import merge_runs
from arena.runs.resume import extend_run, resume_run
from arena.runs.session import Played, no_display, play_tournament
from arena.store.reader import read_shards
from arena.tournament.plan import Plan
from arena.tournament.request import Request

__all__ = ["Report", "compare", "extend", "merge", "report", "resume", "run"]


class Report:
    """What a run found: each table as a DataFrame, and the report in all formats."""

    def __init__(self, directory: Path, anchor: str | None = None) -> None:
        self.document = read_document(directory, anchor)

    def __repr__(self) -> str:
        return f"<Report: {self.document.title}>"

    def __str__(self) -> str:
        return to_text(report_page(self.document))

    def _repr_html_(self) -> str:
        """In a notebook: the results."""
        return f"<p>{escape(self.document.title)}</p>{self.results._repr_html_()}"  # type: ignore[operator]

    @property
    def directory(self) -> Path:
        """The run directory."""
        return self.document.run

    @property
    def plan(self) -> Plan:
        """The plan of the run."""
        return self.document.plan

    @property
    def notes(self) -> list[str]:
        """Sentences that a reader of the numbers must know."""
        return self.document.notes

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name: results, ratings, crosstable, pairs, means, bot_seats, seats, components."""
        return {table.key: table.frame.set_index(table.frame.columns[0]) for table in tables(self.document)}

    @property
    def results(self) -> pd.DataFrame:
        """One row per bot: games, win_share with low and high, scores, mean_rank, faults."""
        return self.tables["results"]

    @property
    def ratings(self) -> pd.DataFrame:
        """One row per bot: rating and rating_error in Elo points, likelihood to be above the next, margin."""
        return self.tables["ratings"]

    @property
    def pairs(self) -> pd.DataFrame:
        """One row per pair of bots that met: how often the first finished before the other, and more."""
        return self.document.summary.pairs

    @property
    def crosstable(self) -> pd.DataFrame:
        """How often the bot of the row finished before the bot of the column."""
        return self.document.summary.crosstable

    @property
    def superiority(self) -> pd.DataFrame:
        """How likely the bot of the row is stronger than the bot of the column."""
        return self.document.summary.superiority

    @property
    def scores(self) -> pd.DataFrame:
        """Numbers of games by score, in columns of ten points that are named by their lower ends."""
        return self.document.summary.scores

    def games(self) -> pd.DataFrame:
        """The seat rows: one for each game and seat (docs/results.md)."""
        problems: list[str] = []
        rows = list(read_shards(self.directory, self.plan, problems))
        if problems:
            raise ArenaError(problems[0])
        return pd.concat(rows, ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """The object that `arena report --format json` prints."""
        return to_object(self.document)

    def write(self, form: str, path: str | Path | None = None, *, explain: bool = False) -> str:
        """As `arena report --format`: the text, or where the files went."""
        if form not in FORMATS:
            raise unknown("format of a report", str(form), FORMATS)
        return deliver(report_page(self.document), form, Path(path) if path else None, explain)


P = ParamSpec("P")


def _with_options_of(function: Callable[P, object]) -> Callable[[Callable[..., Report]], Callable[P, Report]]:
    """Say, to type checkers and to `help`, that a function takes what another one does."""

    def with_options(played: Callable[..., Report]) -> Callable[P, Report]:
        played.__signature__ = signature(function).replace(return_annotation=Report)  # type: ignore[attr-defined]
        return played

    return with_options


@_with_options_of(Request)
def run(*bots: Any, **options: Any) -> Report:
    """Play a tournament, as `arena run` does with the options of the same names, and report on it.

    UsageError for what does not fit; ArenaError if a disk or a worker fails, or the run was interrupted.
    """
    return _report(play_tournament(Request(*bots, **options), _silent, no_display))


def resume(directory: str | Path, *, jobs: int | None = None) -> Report:
    """Play what is missing in a run directory, as `arena resume` does, and report on it.

    UsageError if a bot, the map or the arena has changed since the run was begun; else errors as of `run`.
    """
    return _report(resume_run(Path(directory), jobs, _silent, no_display))


def extend(directory: str | Path, *, games: int, jobs: int | None = None) -> Report:
    """Enlarge a run to so many games in all, as `arena extend` does, and report on it; errors as of `resume`."""
    return _report(extend_run(Path(directory), games, jobs, _silent, no_display))


def merge(directories: Sequence[str | Path], out: str | Path) -> Report:
    """Join run directories of one plan in a new one, as `arena merge` does, and report on it.

    UsageError for other plans; ArenaError for damaged files, and for games that came out differently.
    """
    return Report(merge_runs([Path(directory) for directory in directories], Path(out), _silent).run)


def _silent(text: str) -> None:
    """Say nothing."""


def _report(played: Played) -> Report:
    if not played.is_complete:
        raise ArenaError(f"interrupted: {played.recorded:,} of {played.games:,} games are kept in {played.run}")
    return Report(played.run)


def report(directory: str | Path, *, anchor: str | None = None) -> Report:
    """The report of a run directory. anchor: the bot of rating 0, by default the first of the run."""
    return Report(Path(directory), anchor)


def compare(before: str | Path, after: str | Path) -> Comparison:
    """Two runs side by side; UsageError if they are not of one game."""
    return compare_runs(Path(before), Path(after))
