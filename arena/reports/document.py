"""What a report contains, read from a run directory: the run's story and its summary tables."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from arena import records
from arena.errors import ArenaError
from arena.plan import Plan
from arena.stats.summary import Summary, Tally

BONUSES = {
    "longest_path": "path: points for the longest path",
    "bullet": "bullet: points by progress with bullet trains",
    "provinces": "mat: points of the province mat",
}
"""Sources of points that not every map has, and what a report says of their columns."""


@dataclass(frozen=True)
class Document:
    """Everything that the formats print."""

    run: Path
    plan: Plan
    label: str
    """What must be said wherever the map is shown; mostly empty."""
    times: dict[str, Any]
    first_fault: dict[str, Any] | None
    summary: Summary

    @property
    def faults(self) -> int:
        """Seats with a fault, over all games."""
        return int(self.summary.bots["faults"].sum())

    @property
    def details(self) -> pd.DataFrame:
        """The means per game, without the bonuses that nobody got: most maps have not all of them."""
        details = self.summary.details
        return details.loc[:, [name not in BONUSES or name in self.summary.scored for name in details.columns]]

    @property
    def title(self) -> str:
        """What was played, in one line."""
        plan, summary = self.plan, self.summary
        label = f" ({self.label})" if self.label else ""
        unfinished = f" of {plan.games:,} planned" if summary.games < plan.games else ""
        games = f"{counted(summary.games, 'game')}{unfinished} on {counted(summary.deals, 'deal')}"
        settings = "".join(f", {name}={value}" for name, value in plan.settings.items())
        return f"{Path(plan.map).stem}{label}{settings}, {plan.players} players, {games}, seed {plan.seed}"

    @property
    def notes(self) -> list[str]:
        """What a reader must know to read the tables right, a sentence each."""
        bonuses = [meaning for source, meaning in BONUSES.items() if source in self.details.columns]
        notes = [
            "wins: share of the games, a shared win counted in parts; interval: 95 %, over deals, each of which is "
            "played in every rotation of the seats; rank: mean place.",
            "; ".join([*bonuses, "longest: spaces of the longest path", "kept, done: tickets kept and completed",
                       "trains: left at the end", "turns: of this bot."]),
        ]  # fmt: skip
        if self.plan.lineups > 1:
            notes.append(
                f"Line-ups of {self.plan.players} out of {len(self.plan.bots)} bots: {self.plan.lineups:,}. "
                "An interval covers the difference between opponents too."
            )
        if self.summary.stalls:
            notes.append(f"{self.summary.stalls:,} games ended in a stall: nobody could move (B18).")
        if self.faults:
            notes.append(f"{counted(self.faults, 'fault')}: the seat was played on at random and ranked last.")
        if first := self.first_fault:
            where = f"game {first['game']}, seat {first['seat']}, {first['bot']}"
            notes.append(f"The first fault: {where}: {_shortened(str(first['reason']))}.")
        return notes


def counted(number: int, thing: str) -> str:
    """`1 deal`, `1,200 deals`."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def _shortened(text: str, most: int = 240) -> str:
    """A text without its middle if it is long: an exception begins with its kind and ends with its place."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"


def read_document(run: Path) -> Document:
    """Read a run directory; UsageError or ArenaError if there is nothing to report."""
    plan = records.read_plan(run)
    label = str(plan.identity.get("map_label", ""))
    tally = Tally(plan.names, plan.players, records.SOURCES)
    for rows in records.read_shards(run, plan):
        tally.add(rows)
    if not tally.games:
        raise ArenaError(f"{run} holds no finished games")
    return Document(run, plan, label, records.read_times(run), records.first_fault(run), tally.summary())
