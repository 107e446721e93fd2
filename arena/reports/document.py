"""What a report contains, read from a run directory: the run's story and its summary tables."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena import records
from arena.errors import ArenaError, unknown
from arena.plan import Plan
from arena.stats.summary import Summary, Tally

BONUSES = ("longest_path", "bullet", "provinces")
"""Sources of points that not every map has."""

SEATINGS = {
    "rotation": "every rotation of the seats",
    "ring": "seatings that put everyone right after everyone else equally often",
    "all": "every order of the seats",
}
"""What a report says of the seatings of a deal."""


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
    anchor: str
    """The bot of rating 0."""
    problems: tuple[str, ...] = ()
    """What of the run could not be read, a sentence each."""

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
    def over_deals(self) -> str:
        """How the intervals come about."""
        return f"over deals, each of which is played in {SEATINGS[self.plan.seating]}"

    @property
    def notes(self) -> list[str]:
        """What a reader must know to read the tables right, a sentence each."""
        return [*self.problems, *self._rating_notes(), *self._game_notes()]

    def _rating_notes(self) -> list[str]:
        summary = self.summary
        notes = [
            f"{one} is rated above {other}, but finishes before it in only {share:.1%} of their games: who is stronger "
            "depends on who plays (rock, paper, scissors)."
            for one, other, share in summary.contradictions
        ]
        if len(summary.pools) > 1:
            pools = "; ".join(", ".join(pool) for pool in summary.pools)
            notes.append(f"The pool falls apart into bots that never met: {pools}.")
        notes += [f"{bot} has no rating: {why}." for bot, why in summary.unrated.items()]
        if summary.doubt:
            notes.append(f"The ratings have no errors: {summary.doubt}.")
        if not summary.components:
            notes.append("Too few deals to tell skill, seat and luck apart.")
        return notes

    def _game_notes(self) -> list[str]:
        notes = []
        if self.plan.lineups > 1:
            notes.append(f"Line-ups of {self.plan.players} out of {len(self.plan.bots)} bots: {self.plan.lineups:,}.")
        if self.summary.stalls:
            notes.append(f"{counted(self.summary.stalls, 'game')} ended in a stall: nobody could move (B18).")
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


def read_document(run: Path, anchor: str | None = None) -> Document:
    """Read a run directory; UsageError or ArenaError if there is nothing to report.

    anchor: the bot of rating 0, by default the first one of the plan.
    """
    plan = records.read_plan(run)
    if anchor is not None and anchor not in plan.names:
        raise unknown("bot of this run", anchor, plan.names)
    label = str(plan.identity.get("map_label", ""))
    tally = Tally(plan.names, plan.players, records.SOURCES)
    problems: list[str] = []
    for rows in records.read_shards(run, plan, problems):
        tally.add(rows)
    if not tally.parts:
        raise ArenaError(problems[0] if problems else f"{run} holds no finished games")
    try:
        summary = tally.summary(anchor)
    except ValueError as error:
        raise ArenaError(f"the shards of {run} do not fit together: {error}") from None
    first = anchor or next(name for name in plan.names if name in summary.bots.index)
    return Document(
        run, plan, label, records.read_times(run), records.first_fault(run), summary, first, tuple(problems)
    )
