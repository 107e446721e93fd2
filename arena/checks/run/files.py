"""Whether the files of a run can be read and match their digests: result tables and `faults.jsonl`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from arena.boards.spec import MapSpec
from arena.checks.findings import Complaint, Finding, judged
from arena.checks.run.details import complaints_of_details
from arena.checks.run.possible_scores import Facts, facts_of
from arena.checks.run.rows import complaints_of, rows_of
from arena.engine.faults import Fault
from arena.engine.loop import FAULT_SUSPENDED, FAULTS, NO_FAULT, OUTCOME
from arena.errors import ArenaError
from arena.replay.record import Rows
from arena.rules.state import END_FORFEIT
from arena.runs.suspension import WarmUp
from arena.store import run_directory
from arena.store.detail_tables import fill_log, load_details
from arena.store.fault_log import FILE, fault_of, read_line
from arena.store.ranges import Range, holds, named_games, size, union
from arena.store.reader import Recorded, Segment, read_games
from arena.store.seat_tables import COLUMNS, load_shard
from arena.texts import counted, plain
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

Key = tuple[int, int]
"""A game and a seat."""


@dataclass
class Contents:
    """The games of a run directory, as far as they are wanted in memory."""

    plan: Plan
    recorded: Recorded
    wanted: np.ndarray
    """Games whose rows are kept, ascending."""
    read: list[Range] = field(default_factory=list)
    """The games that could be read, and were checked."""
    kept: list[tuple[np.ndarray, Rows, np.ndarray]] = field(default_factory=list)
    """Some of these games, their rows, and OUTCOME [games] with their details, if they are recorded."""
    faults: dict[Key, int] = field(default_factory=dict)
    """Kinds of fault in the rows, without those of suspended bots."""
    complaints: list[Complaint] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many were read."""
        return size(self.read)

    def sample(self) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray]:
        """The wanted games that could be read, ascending, their rows and their details, OUTCOME [games]."""
        if not self.kept:
            return np.zeros(0, np.int64), {}, np.zeros(0, OUTCOME)
        games, rows, details = zip(*self.kept, strict=True)
        joined = {name: np.concatenate([some[name] for some in rows]) for name in COLUMNS}
        return np.concatenate(games), joined, np.concatenate(details)


def read_contents(
    run: Path, plan: Plan, recorded: Recorded, wanted: np.ndarray, spec: MapSpec | None, tell: Callable[[int], None]
) -> Contents:
    """Read and check every file; `tell` is called with the number of games that are done."""
    contents = Contents(plan, recorded, wanted)
    facts = facts_of(spec, plan.players) if spec else None
    warm_up = WarmUp(plan)
    for path in recorded.strangers:
        table = _load(path, plan)
        contents.complaints.append(Complaint(table if isinstance(table, str) else f"{path} is not a shard of this run"))
    tables = {}
    for segment in recorded.segments:
        table = _load(segment.path, plan)
        if isinstance(table, str):
            contents.complaints.append(Complaint(table, segment.first))
            continue
        begin, end = named_games(plan, segment.path) or (0, 0)
        if (begin, end) != (segment.first, segment.last):
            tables[segment.path] = table
        games = segment.last - segment.first
        rows = rows_of(table.slice((segment.first - begin) * plan.players, games * plan.players), plan)
        logs, problem = _logs(segment, plan)
        _take(contents, rows, logs, segment, facts)
        if problem:
            contents.complaints.append(Complaint(problem, segment.first))
        elif plan.detail and spec:
            contents.complaints += complaints_of_details(logs, rows, plan, segment.first, spec)
        contents.complaints += _suspensions(warm_up, rows, segment, plan)
        tell(games)
    contents.complaints += _doubles(plan, recorded, tables)
    contents.complaints += _missing(run, plan, recorded)
    return contents


def _load(path: Path, plan: Plan) -> "pa.Table | str":
    """The table of a file, or what is wrong with it; ArenaError if the file has just been deleted."""
    try:
        return load_shard(path, plan)
    except FileNotFoundError:
        text = f"{path.parent.parent} changes while it is being read: verify it once nobody is playing it"
        raise ArenaError(text) from None


def _logs(segment: Segment, plan: Plan) -> tuple[np.ndarray, str]:
    """The details of a segment, OUTCOME [games], empty if the run has none; and what is wrong with them."""
    logs, problem = np.zeros(segment.last - segment.first, OUTCOME), ""
    if plan.detail:
        try:
            details = read_games(segment.path, plan, segment.first, segment.last, load_details)
            fill_log(logs, details, plan.players)
        except ArenaError as error:
            problem = str(error)
    return logs, problem


def _take(contents: Contents, rows: Rows, logs: np.ndarray, segment: Segment, facts: Facts | None) -> None:
    first, last, path = segment
    contents.read.append((first, last))
    contents.complaints += [
        complaint._replace(text=f"{complaint.text} ({path.name})")
        for complaint in complaints_of(rows, contents.plan, first, facts)
    ]
    begin, end = np.searchsorted(contents.wanted, (first, last))
    if begin < end:
        games = contents.wanted[begin:end]
        there = games - first
        contents.kept.append((games, {name: rows[name][there] for name in rows}, logs[there]))
    faulty = np.argwhere((rows["fault"] != NO_FAULT) & (rows["fault"] != FAULT_SUSPENDED))
    for game, seat in faulty.tolist():
        contents.faults[first + game, seat] = int(rows["fault"][game, seat])


def _suspensions(warm_up: WarmUp, rows: Rows, segment: Segment, plan: Plan) -> Iterator[Complaint]:
    """Whether those bots were not asked that failed in all of their warm-up games, and no others.

    A shard whose warm-up games were played elsewhere, or that lacks some of them, cannot tell.
    """
    first, last, path = segment
    warm_up.add(first, rows["fault"])
    inside = min(max(first, warm_up.last * plan.block_games), last)
    begins = [*range(first, inside, plan.block_games), *([inside] if inside < last else [])]
    for begin, end in pairwise([*begins, last]):
        suspended = warm_up.suspended(begin)
        if suspended is None:
            continue
        there = slice(begin - first, end - first)
        is_suspended = rows["fault"][there] == FAULT_SUSPENDED
        wrong = np.isin(rows["bot"][there], suspended) != is_suspended
        wrong &= is_suspended | (rows["end"][there] != END_FORFEIT)  # another one's fault had ended that game before
        if wrong.any():
            game, seat = np.argwhere(wrong)[0].tolist()
            asked = "was" if is_suspended[game, seat] else "was not"
            text = f"{asked} suspended, but not by the faults in the first games of this bot ({path.name})"
            yield Complaint(f"game {begin + game}, seat {seat}: the bot {text}", begin + game)


def _doubles(plan: Plan, recorded: Recorded, tables: "dict[Path, pa.Table]") -> Iterator[Complaint]:
    """Files that hold games which stand in others too: left by a process that was killed, if they say the same."""
    for path in (*recorded.leftovers, *tables):
        table = tables.get(path)
        loaded = _load(path, plan) if table is None else table
        if isinstance(loaded, str):
            yield Complaint(loaded)
            continue
        first, last = named_games(plan, path) or (0, 0)
        there = rows_of(loaded, plan)
        for segment in recorded.segments:
            a, b = max(first, segment.first), min(last, segment.last)
            if a >= b or segment.path == path:
                continue
            other = _load(segment.path, plan)
            if isinstance(other, str):
                continue  # said already
            begin = (named_games(plan, segment.path) or (0, 0))[0]
            here = rows_of(other, plan)
            if any((here[name][a - begin : b - begin] != there[name][a - first : b - first]).any() for name in COLUMNS):
                yield Complaint(f"{path} holds different results for games {a} to {b - 1} than {segment.path.name}", a)


def _missing(run: Path, plan: Plan, recorded: Recorded) -> Iterator[Complaint]:
    """Games that were on disk once."""
    before = int(run_directory.read_times(run).get("recorded", 0))
    gone = before - recorded.games
    if gone > 0:
        first = next(iter(recorded.missing(*run_directory.games_for(run, plan))), (None, None))[0]
        of = f": {before:,} were recorded when the run was last played"
        yield Complaint(f"{counted(gone, 'game')} of the run are missing in {run / 'seats'}{of}", first)


def check_faults(run: Path, contents: Contents) -> tuple[Finding, dict[int, list[Fault]]]:
    """Whether each fault in the rows has its line and each line its fault, and the lines by game."""
    plan, ranges = contents.plan, contents.recorded.ranges
    complaints: list[Complaint] = []
    lines: dict[Key, Fault] = {}
    try:
        texts = (run / FILE).read_text(encoding="utf-8").splitlines(keepends=True)
    except FileNotFoundError:
        texts = []
    except (OSError, UnicodeDecodeError) as error:
        texts = []
        complaints.append(Complaint(f"cannot read {run / FILE}: {error}"))
    is_whole = size(ranges) == plan.games
    for number, text in enumerate(texts, 1):
        read = _fault_of(text, plan)
        if isinstance(read, str):
            if is_whole or number < len(texts) or text.endswith("\n"):  # else a process was killed as it wrote this
                complaints.append(Complaint(f"line {number} of {run / FILE} {read}"))
            continue
        game, fault = read
        key = game, fault.seat
        if not holds(ranges, game):
            if is_whole:
                text = f"line {number} of {run / FILE} is about game {game}, which is not in the run"
                complaints.append(Complaint(text))
        elif key in lines and is_whole:
            complaints.append(Complaint(f"line {number} of {run / FILE}: game {game}, seat {fault.seat} again", game))
        else:
            lines[key] = fault
    complaints += _disagreements(contents, lines, run)
    by_game: dict[int, list[Fault]] = {}
    for (game, _), fault in sorted(lines.items()):
        by_game.setdefault(game, []).append(fault)
    text = f"{counted(len(contents.faults), 'fault')}, each with its line" if contents.faults else "none"
    return judged("faults", f"{text}.", complaints), by_game


def _disagreements(contents: Contents, lines: dict[Key, Fault], run: Path) -> Iterator[Complaint]:
    in_rows = {key: FAULTS[kind] for key, kind in contents.faults.items()}
    in_lines = {key: fault.kind for key, fault in lines.items()}
    read = union(contents.read)
    for game, seat in sorted(in_rows.keys() | in_lines.keys()):
        row, line = in_rows.get((game, seat), "none"), in_lines.get((game, seat), "none")
        if row != line and holds(read, game):
            yield Complaint(f"game {game}, seat {seat}: fault is {row}, but {line} in {run / FILE}", game)


def _fault_of(text: str, plan: Plan) -> tuple[int, Fault] | str:
    """Game and fault of a line, or what is wrong with it."""
    try:
        data = read_line(text)
    except ValueError:
        return "is not a fault"
    game, bot = data["game"], plain(data["bot"])
    fault = fault_of(data)
    if not 0 <= game < plan.games or not 0 <= fault.seat < plan.players or fault.kind not in FAULTS[1:]:
        return "is not a fault of this plan"
    seated = plan.names[plan[game].seating[fault.seat]]
    there = f"game {game}, seat {fault.seat}"
    return (game, fault) if data["bot"] == seated else f"names {bot} in {there}, where {seated} sat"


def all_games(recorded: Recorded) -> np.ndarray:
    """The numbers of all recorded games, ascending."""
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(*games) for games in union(recorded.ranges))])
