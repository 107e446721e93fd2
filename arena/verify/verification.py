"""Everything that is looked at in a run, in order, and what came of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena import records
from arena.faults import Fault
from arena.plan import Plan
from arena.recorded import Recorded
from arena.runs.start import warm_up
from arena.shards import COLUMNS, SOURCES
from arena.stats.shares import win_shares
from arena.verify.again import Again, must_be_booked, play_again
from arena.verify.arithmetic import Rows, names_of, shown
from arena.verify.complaints import Complaint, Part, counted
from arena.verify.contents import all_games, check_faults, read_contents
from arena.verify.digests import Installed, installed_for
from arena.verify.facts import facts_of
from arena.verify.sample import Size, draw, meaning, new_seed

Say = Callable[[str], None]


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

    @property
    def meaning(self) -> str:
        """What it says of the games that were not drawn."""
        return meaning(self.eligible, self.games)


@dataclass(frozen=True)
class Verification:
    """What came of it."""

    run: Path
    plan: Plan
    wanted: int
    """Games that the run directory is for."""
    games: int
    """Games that were read."""
    files: int
    parts: tuple[Part, ...]
    sample: Sample

    @property
    def complaints(self) -> list[Complaint]:
        """All that is wrong."""
        return [complaint for part in self.parts for complaint in part.complaints]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.complaints


def verify(run: Path, size: Size, seed: int | None, jobs: int, say: Say) -> Verification:
    """Check a run directory; UsageError if it is none, ArenaError if its plan cannot be read."""
    plan = records.read_plan(run)
    first, last = records.games_for(run, plan)
    recorded = Recorded.of(run, plan)
    installed = installed_for(plan)
    seed = new_seed() if seed is None else seed
    eligible, by_clock, changed = _eligible(plan, recorded, installed)
    drawn = draw(eligible, size.of(len(eligible)), seed)
    facts = facts_of(installed.spec, plan.players) if installed.spec else None
    say(f"reading {counted(recorded.games, 'game')} ...")
    contents = read_contents(run, plan, recorded, drawn, facts, lambda games: None)
    about = "digests, plan, sums, ranks" + (", what the rules of the map allow" if facts else "")
    shards = Part("games", f"{counted(contents.games, 'game')} in {counted(len(contents.read), 'shard')}: {about}",
                  tuple(contents.complaints))  # fmt: skip
    faults, booked = check_faults(run, contents)
    games, rows = contents.sample()
    part = _replay(plan, installed, games, rows, booked, jobs, say)
    sample = Sample(seed, len(eligible), by_clock, changed, len(games))
    return Verification(run, plan, last - first, contents.games, len(contents.read),
                        (installed.part, shards, faults, part), sample)  # fmt: skip


def _eligible(plan: Plan, recorded: Recorded, installed: Installed) -> tuple[np.ndarray, int, int]:
    """The games that can be played again, and how many cannot for their bots: by the clock; changed."""
    games = all_games(recorded)
    if not len(games) or not installed.plays_alike:
        return games[:0], 0, 0
    seatings = np.concatenate([plan.seatings(*games)[1] for games in recorded.ranges])
    known = np.isin(seatings, list(installed.entrants)).all(axis=1)
    timed = np.isin(seatings, installed.by_clock).any(axis=1)
    return games[known & ~timed], int((known & timed).sum()), int((~known).sum())


def _replay(
    plan: Plan, installed: Installed, games: np.ndarray, rows: Rows, booked: Mapping[int, Sequence[Fault]], jobs: int,
    say: Say,
) -> Part:  # fmt: skip
    """Play the sample again and hold it against its rows."""
    if not len(games) or installed.spec is None:
        return Part("sample", "none replayed")
    bots = [index for index in sorted(installed.entrants) if index not in installed.by_clock]
    warm_up([installed.entrants[index] for index in bots], installed.spec, plan.players, say)
    say(f"replaying {counted(len(games), 'game')} ...")
    known = _known_faults(plan, games, rows, booked)
    again = play_again(plan, bots, games, known, jobs, lambda done: None)
    lost = [Complaint(f"game {game} cannot be played again: {why}", game) for game, why in sorted(again.lost.items())]
    found = [*compared(plan, games, rows, again), *_faults_compared(again, booked), *lost]
    text = f"{counted(len(games), 'game')} replayed, all fields equal"
    return Part("sample", text if not found else f"{counted(len(games), 'game')} replayed", tuple(found))


def _known_faults(
    plan: Plan, games: np.ndarray, rows: Rows, booked: Mapping[int, Sequence[Fault]]
) -> dict[int, list[Fault]]:
    """The faults of the sample that must be booked beforehand."""
    names = names_of(plan)["fault"]
    known = {}
    for index, game in enumerate(games.tolist()):
        kinds = {seat: names[kind] for seat, kind in enumerate(rows["fault"][index].tolist()) if kind > 0}
        lines = {fault.seat: fault for fault in booked.get(game, ())}
        found = [
            lines.get(seat, Fault(seat, kind, "", 0))._replace(kind=kind)
            for seat, kind in kinds.items()
            if must_be_booked(kind)
        ]
        if found:
            known[game] = found
    return known


def compared(plan: Plan, games: np.ndarray, rows: Rows, again: Again) -> list[Complaint]:
    """The first field that differs, of each game that does."""
    there = np.isin(games, again.games)
    games, recorded = games[there], {name: rows[name][there] for name in rows}
    replayed = _rows_again(plan, games, again.outcomes)
    names = names_of(plan)
    found: dict[int, Complaint] = {}
    for field in COLUMNS:
        for index, seat in np.argwhere(recorded[field] != replayed[field]).tolist():
            game = int(games[index])
            was, now = (shown(field, rows[field][index, seat], names) for rows in (recorded, replayed))
            text = f"game {game}, seat {seat}: {field} recorded {was}, replayed {now}"
            found.setdefault(game, Complaint(text, game))
    return [found[game] for game in sorted(found)]


def _rows_again(plan: Plan, games: np.ndarray, outcomes: np.ndarray) -> dict[str, np.ndarray]:
    """The rows of games that were played again."""
    shape = len(games), plan.players
    seatings = np.array([plan[game].seating for game in games.tolist()], np.int64).reshape(shape)
    deals = np.array([plan[game].deal for game in games.tolist()], np.int64)

    def spread(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, shape)

    ranks = outcomes["rank"][:, : plan.players]
    given = {
        "game": spread(games[:, None]),
        "deal": spread(deals[:, None]),
        "seat": spread(np.arange(plan.players)),
        "bot": seatings,
        "end": spread(outcomes["end"][:, None]),
        "win_share": win_shares(ranks),
        **{source: outcomes["points"][:, : plan.players, index] for index, source in enumerate(SOURCES)},
    }
    return {name: given[name] if name in given else outcomes[name][:, : plan.players] for name in COLUMNS}


def _faults_compared(again: Again, booked: Mapping[int, Sequence[Fault]]) -> list[Complaint]:
    """Games whose faults come at another decision than their lines say."""
    found = []
    for game in again.games.tolist():
        lines = {fault.seat: fault for fault in booked.get(game, ())}
        for fault in again.faults.get(game, ()):
            line = lines.get(fault.seat)
            if line and line.kind == fault.kind and line.decision != fault.decision:
                text = f"game {game}, seat {fault.seat}: decision of the fault recorded {line.decision}, "
                found.append(Complaint(f"{text}replayed {fault.decision}", game))
    return found


def to_json(verification: Verification) -> dict[str, Any]:
    """All of it as an object for programs."""
    from arena.verify.text import sentence

    sample = verification.sample
    return {
        "schema": 1,
        "verified": verification.holds,
        "sentence": sentence(verification),
        "run": str(verification.run),
        "games": verification.games,
        "games_planned": verification.wanted,
        "shards": verification.files,
        "parts": [
            {"name": part.name, "ok": part.holds, "detail": part.detail,
             "problems": [{"game": complaint.game, "text": complaint.text} for complaint in part.complaints]}
            for part in verification.parts
        ],
        "sample": {
            "seed": sample.seed, "replayed": sample.games, "eligible": sample.eligible,
            "by_the_clock": sample.by_clock, "bots_changed": sample.changed, "meaning": sample.meaning,
        },
    }  # fmt: skip
