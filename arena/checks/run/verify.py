"""`arena verify`: everything that is checked in a run, in order."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena.checks.findings import OK, PROBLEM, Complaint, Finding, judged, lines_of
from arena.checks.run.files import all_games, check_faults, read_contents
from arena.checks.run.installed import Installed, installed_for
from arena.checks.run.replayed import replay_sample
from arena.checks.run.sample import Size, draw, meaning, new_seed
from arena.store import run_directory
from arena.store.reader import Recorded
from arena.texts import Say, counted, wrapped
from arena.tournament.plan import Plan

SIGNS = {OK: "ok", PROBLEM: "WRONG"}
TELL_SECONDS = 5.0
"""How often it is said how much is done."""


@dataclass(frozen=True)
class Sample:
    """The games that were to be played again."""

    seed: int
    eligible: int
    """Games that can be played again."""
    by_clock: int
    """Games that cannot, as they have bots that play by the clock."""
    changed: int
    """Games that cannot, as they have bots that are not those of the run."""
    games: int
    """Games that were played again."""
    believed: int
    """Games of these with faults that are taken as recorded: of time, memory, a dead process."""

    @property
    def meaning(self) -> str:
        """What it says of the games that were not drawn."""
        return meaning(self.eligible, self.games)


@dataclass(frozen=True)
class Verification:
    """What the checks of a run have found."""

    run: Path
    plan: Plan
    wanted: int
    """Games that the run directory is for."""
    games: int
    """Games that were read."""
    files: int
    findings: tuple[Finding, ...]
    sample: Sample

    @property
    def complaints(self) -> list[Complaint]:
        """Everything that is wrong."""
        return [complaint for finding in self.findings for complaint in finding.complaints]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.complaints

    def to_text(self) -> str:
        """Each finding in a line or some, then what the sample means, then the verdict in a sentence."""
        lines = [*lines_of(self.findings, SIGNS)]
        sample = self.sample
        about = [f"Sample: seed {sample.seed}." if sample.games else "", sample.meaning, *self._left_out()]
        if any(about):
            lines += ["", *wrapped(" ".join(filter(None, about)))]
        return "\n".join([*lines, "", *wrapped(self.sentence())]) + "\n"

    def _left_out(self) -> list[str]:
        """Games that could not be drawn, and why."""
        sample = self.sample
        sentences = []
        if sample.by_clock:
            sentences.append(f"{counted(sample.by_clock, 'game')} with bots that play by the clock cannot be replayed.")
        if sample.changed:
            sentences.append(f"{counted(sample.changed, 'game')} with bots that are not the run's cannot be replayed.")
        return sentences

    def sentence(self) -> str:
        """The verdict in a sentence."""
        if self.complaints:
            first, others = self.complaints[0], len(self.complaints) - 1
            more = f" (and {counted(others, 'more problem')})" if others else ""
            return f"NOT verified: {first.text}{more}."
        games, sample = counted(self.games, "game"), self.sample
        if self.games < self.wanted:
            games = f"{self.games:,} of {self.wanted:,} games, the others are not played yet,"
        where = f"{games} in {counted(self.files, 'shard')}"
        if not self.games:
            return "Verified: there are no games yet."
        if not sample.games:
            why = ", as all have bots that play by the clock" if sample.by_clock else ""
            return f"Verified by digests and arithmetic only: {where}; none replayed{why}."
        replayed = f"{sample.games:,} replayed, all fields equal"
        if sample.believed:
            replayed += f" ({sample.believed:,} of them with faults of the machine taken as recorded)"
        if sample.by_clock:
            replayed += f"; {sample.by_clock:,} cannot be, as bots in them play by the clock"
        return f"Verified: {where}; {replayed}."

    def to_json(self) -> dict[str, Any]:
        """All of it as an object for programs."""
        sample = self.sample
        return {
            "schema": 1,
            "verified": self.holds,
            "sentence": self.sentence(),
            "run": str(self.run),
            "games": self.games,
            "games_planned": self.wanted,
            "shards": self.files,
            "parts": [
                {"name": finding.name, "ok": finding.holds, "detail": finding.detail.removesuffix("."),
                 "problems": [{"game": complaint.game, "text": complaint.text} for complaint in finding.complaints]}
                for finding in self.findings
            ],
            "sample": {
                "seed": sample.seed, "replayed": sample.games, "eligible": sample.eligible,
                "by_the_clock": sample.by_clock, "bots_changed": sample.changed, "faults_as_recorded": sample.believed,
                "meaning": sample.meaning,
            },
        }  # fmt: skip


def verify(run: Path, size: Size, seed: int | None, jobs: int, say: Say) -> Verification:
    """Check a run directory; UsageError if it is not one, ArenaError if its plan cannot be read."""
    plan = run_directory.read_plan(run)
    first, last = run_directory.games_for(run, plan)
    recorded = Recorded.of(run, plan)
    installed = installed_for(plan)
    seed = new_seed() if seed is None else seed
    eligible, by_clock, changed = _eligible(plan, recorded, installed)
    drawn = draw(eligible, size.of(len(eligible)), seed)
    contents = read_contents(run, plan, recorded, drawn, installed.spec, _teller(say, "read", recorded.games))
    about = "digests, plan, sums, ranks" + (", what the rules of the map allow" if installed.spec else "")
    about += ", details" if plan.detail else ""
    text = f"{counted(contents.games, 'game')} in {counted(len(contents.read), 'shard')}: {about}."
    shards = judged("games", text, contents.complaints)
    faults, attributed = check_faults(run, contents)
    games, rows, logs = contents.sample()
    replayed, believed = replay_sample(
        run, plan, installed, games, rows, logs, attributed, jobs, say, _teller(say, "replayed", len(games))
    )
    sample = Sample(seed, len(eligible), by_clock, changed, len(games), believed)
    return Verification(run, plan, last - first, contents.games, len(contents.read),
                        (installed.finding, shards, faults, replayed), sample)  # fmt: skip


def _eligible(plan: Plan, recorded: Recorded, installed: Installed) -> tuple[np.ndarray, int, int]:
    """The games that can be played again, and how many cannot for their bots: by the clock; changed."""
    games = all_games(recorded)
    if not len(games) or not installed.plays_alike:
        return games[:0], 0, 0
    seatings = np.concatenate([plan.seatings(*games)[1] for games in recorded.ranges])
    known = np.isin(seatings, list(installed.entrants)).all(axis=1)
    timed = np.isin(seatings, installed.by_clock).any(axis=1)
    return games[known & ~timed], int((known & timed).sum()), int((~known).sum())


def _teller(say: Say, what: str, games: int) -> Callable[[int], None]:
    """Counts games that are done, and says it now and then where that takes long."""
    done, said = 0, time.monotonic()

    def tell(more: int) -> None:
        nonlocal done, said
        done += more
        if time.monotonic() - said > TELL_SECONDS:
            said = time.monotonic()
            say(f"{what} {done:,} of {counted(games, 'game')} ...")

    return tell
