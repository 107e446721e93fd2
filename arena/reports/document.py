"""What a report contains, read from a run directory: the plan, the notes and the summary tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np

from arena.errors import ArenaError, UsageError, unknown
from arena.reports.page_model import Note
from arena.reports.rare_events import Rare, rare_note, rare_states
from arena.stats.summary import Accumulator, Summary
from arena.store import run_directory
from arena.store.fault_log import read_faults
from arena.store.ranges import Range
from arena.store.reader import Recorded, read_shards
from arena.store.run_directory import PlanShard
from arena.store.seat_tables import SOURCES
from arena.texts import counted
from arena.tournament.plan import Plan

BONUSES = ("longest_path", "bullet", "provinces")
"""Sources of points that not every map has."""

SEATINGS = {
    "rotation": "every rotation of the seats",
    "ring": "seatings that put everyone right after everyone else equally often",
    "all": "every order of the seats",
    "once": "one order of the seats",
}
"""What a report says of the seatings of a deal."""


STOPPED = "Stopped before its plan: if what was seen decided that, these intervals are too short."


@dataclass(frozen=True)
class Document:
    """Everything that the formats print."""

    run: Path
    plan: Plan
    label: str
    """A sentence that must stand wherever the map is shown; mostly empty."""
    times: dict[str, Any]
    first_faults: dict[tuple[str, str], dict[str, Any]]
    """The first line of `faults.jsonl` for each bot and kind of fault."""
    summary: Summary
    anchor: str
    """The bot of rating 0."""
    problems: tuple[str, ...] = ()
    """What of the run could not be read, a sentence each."""
    rare: tuple[Rare, ...] = ()
    """States that hardly come up, as far as they did."""
    part: PlanShard | None = None
    """The part of the plan that the run is for, if not all of it."""

    @property
    def faults(self) -> int:
        """Seats with a fault, over all games."""
        return int(self.summary.bots["faults"].sum())

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
    def command(self) -> str:
        """The command line that plays the same games again."""
        return self.plan.command + (f" --shard {self.part}" if self.part else "")

    @property
    def over_deals(self) -> str:
        """How the intervals come about."""
        forced = " with each ticket before a seat" if self.plan.forced else ""
        return f"over deals, each of which is played in {SEATINGS[self.plan.seating]}{forced}"

    @property
    def expected(self) -> int:
        """How many games there are when the run is complete."""
        first, last = self.part.games(self.plan) if self.part else (0, self.plan.games)
        return last - first

    @property
    def stopped(self) -> bool:
        """Whether the run was ended before what it is for was played."""
        return int(self.times.get("recorded", self.summary.games)) < self.expected

    @property
    def notes(self) -> list[str]:
        """What a reader must know to read the tables right, a sentence each."""
        return [note.text for note in self.marked_notes]

    @property
    def marked_notes(self) -> list[Note]:
        """The notes, and how much they matter."""
        own = [Note(f"Note: {self.plan.note}", "remark")] if self.plan.note else []
        kinds = {"problem": self._problems(), "warning": self._warnings(), "remark": self._remarks()}
        return own + [Note(text, kind) for kind, texts in kinds.items() for text in texts]

    def _problems(self) -> Iterator[str]:
        yield from self.problems
        if self.stopped:
            yield STOPPED
        if self.summary.games != self.expected:
            again = f"arena resume {quote(str(self.run))} plays the rest"
            yield f"Not complete: {self.summary.games:,} of {self.expected:,} games are recorded; {again}."

    def _warnings(self) -> Iterator[str]:
        plan, summary = self.plan, self.summary
        for one, other, share in summary.contradictions:
            yield (
                f"{one} is rated above {other}, but finishes before it in only {share:.1%} of their games: who is "
                "stronger depends on who plays (rock, paper, scissors)."
            )
        if len(summary.groups) > 1:
            groups = "; ".join(", ".join(group) for group in summary.groups)
            yield f"The bots form groups that never met: {groups}."
        for bot, why in summary.unrated.items():
            yield f"{bot} has no rating: {why}."
        if summary.doubt:
            yield f"The ratings have no error bars: {summary.doubt}."
        if idle := [name for name in plan.names if name not in summary.bots.index]:
            yield f"No game was played by: {', '.join(idle)}."
        if missing := plan.lineups - len(set(summary.blocks.lineups.tolist())):
            yield f"Not all line-ups were played: {missing:,} of {plan.lineups:,} are missing."

    def _remarks(self) -> Iterator[str]:
        plan = self.plan
        if self.part:
            yield f"Part {self.part.number} of {self.part.of} of the plan: arena merge joins the parts."
        if plan.lineups > 1:
            yield f"Line-ups of {plan.players} out of {len(plan.bots)} bots: {plan.lineups:,}."
        yield from (rare_note(self.run, rare) for rare in self.rare)
        if not self.summary.components:
            yield "Too few deals to tell skill, seat and luck apart."


def read_document(run: Path, anchor: str | None = None) -> Document:
    """Read a run directory; UsageError or ArenaError if there is nothing to report.

    anchor: the bot of rating 0, by default the first one of the plan.
    """
    plan = run_directory.read_plan(run)
    if anchor is not None and anchor not in plan.names:
        raise unknown("bot of this run", anchor, plan.names)
    label = plan.identity.map_label
    found = Accumulator(plan.names, plan.players, SOURCES)
    problems: list[str] = []
    stalls: list[np.ndarray] = []
    games: list[Range] = []
    for rows in read_shards(run, plan, problems):
        found.add(rows)
        stalls.append(rows["game"].to_numpy()[rows["end"] == "stall"][:: plan.players])
        games.append((int(rows["game"].iloc[0]), int(rows["game"].iloc[-1]) + 1))
    rare = rare_states(run, plan, stalls, games, problems) if games else ()
    times = run_directory.read_times(run)
    if (lost := times.get("recorded", 0) - sum(len(part.deals) for part in found.parts)) > 0:
        problems.append(f"{counted(lost, 'game')} of the run {'is' if lost == 1 else 'are'} missing in {run / 'seats'}")
    if not found.parts:
        raise ArenaError(problems[0] if problems else f"{run} holds no finished games")
    if anchor is not None and not found.rows[plan.names.index(anchor)].any():
        raise UsageError(f"{anchor} played no game of this run: it cannot be the bot of rating 0")
    try:
        summary = found.summary(anchor)
    except ValueError as error:
        raise ArenaError(f"the shards of {run} do not fit together: {error}") from None
    first = anchor or next(name for name in plan.names if name in summary.bots.index)
    if times.get("games", summary.games) != summary.games:  # no speed where it counted other games
        del times["seconds"], times["games_per_second"]
    faults: dict[tuple[str, str], dict[str, Any]] = {}
    for fault in read_faults(run, Recorded.of(run, plan).ranges):
        faults.setdefault((str(fault.get("bot")), str(fault.get("kind"))), fault)
    part = run_directory.read_plan_shard(run, plan)
    return Document(run, plan, label, times, faults, summary, first, tuple(problems), rare, part)
