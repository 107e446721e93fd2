"""A run on disk: `plan.json`, immutable Parquet shards in `seats/`, `faults.jsonl`, `times.json` and `run.log`.

Every file is written under another name and renamed when complete: what carries its name is whole. Only the two
that grow line by line, `faults.jsonl` and `run.log`, are not.
"""

import contextlib
import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.errors import ArenaError, UsageError
from arena.plan import Plan
from arena.stats.shares import win_shares

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from arena.faults import Fault

SOURCES = ("routes", "tickets", "longest_path", "bullet", "provinces")
"""Where points come from; their sum is the score."""


COLUMNS = (
    "game", "deal", "seat", "bot", "score", *SOURCES, "rank", "win_share", "tickets_kept", "tickets_completed",
    "trains_left", "longest", "turns", "end", "fault",
)  # fmt: skip
"""Of a seat row."""

MOST_LETTERS = 50
"""Of its name in that of a file that is not yet complete: file systems take 255 bytes."""
SHARD_NAME = re.compile(r"(\d{10})-(\d{10})\.parquet")


def shard_size(plan: Plan) -> int:
    """Games in a shard, in whole blocks: about 64 shards a run, of 500 to 20,000 games. It depends on the plan only."""
    wanted = min(max(plan.games // 64, 500), 20_000)
    return -(-wanted // plan.block_games) * plan.block_games


def shards(plan: Plan) -> Iterator[tuple[int, int]]:
    """First game and last game + 1 of each shard."""
    size = shard_size(plan)
    for first in range(0, plan.games, size):
        yield first, min(first + size, plan.games)


def refuse_existing(out: Path | None) -> None:
    """UsageError if a run directory exists already."""
    if out is not None and os.path.lexists(out):
        raise UsageError(f"{out} exists already; a run directory is never overwritten")


def make_folder(folder: Path, what: str = "folder") -> None:
    """Make a folder and those above it, unless it is there; ArenaError if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(f"cannot make the {what} {folder}: {error.strerror or error}") from None


def create(out: Path | None, plan: Plan) -> Path:
    """A new run directory with its plan; UsageError if it exists already."""
    if out is None:
        stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
        out = _unused(Path("results") / f"{stamp}-{Path(plan.map).stem}-{plan.players}p")
    refuse_existing(out)
    make_folder(out, "run directory")
    make_folder(out / "seats")
    write_whole(out / "plan.json", plan.to_json().encode())
    return out


def _unused(wanted: Path) -> Path:
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = wanted.with_name(f"{wanted.name}-{number}")
    return path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that appears under its name only when it is complete and on the disk; ArenaError if it cannot.

    What is no file of its own, but a link, a pipe or a device, stays what it is: it is written through.
    """
    part = path.with_name(f".{path.name[:MOST_LETTERS]}.part")
    try:
        if not _is_own_file(path):
            path.write_bytes(content)
            return
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise ArenaError(f"cannot write {path}: {error.strerror or error}") from None


def _is_own_file(path: Path) -> bool:
    """Whether a file can take this name: there is none yet, or a plain one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return True


def seat_table(plan: Plan, first: int, outcomes: np.ndarray) -> "pa.Table":
    """The outcomes of successive games (OUTCOME [games]) from game `first` on as a table, one row a game and seat."""
    import pyarrow as pa

    from arena.play import FAULTS
    from arena.rules.state import ENDS

    players, games = plan.players, len(outcomes)
    deals, seatings = plan.seatings(first, first + games)

    def of_game(values: Any, kind: type) -> Any:
        return pa.array(np.repeat(np.asarray(values, kind), players))

    def of_seat(name: str, kind: type = np.int16) -> Any:
        return pa.array(outcomes[name][:, :players].ravel().astype(kind))

    def named(codes: np.ndarray, names: Sequence[str]) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array(codes.ravel().astype(np.int16)), pa.array(list(names)))

    columns = {
        "game": of_game(np.arange(first, first + games), np.int32),
        "deal": of_game(deals, np.int32),
        "seat": pa.array(np.tile(np.arange(players, dtype=np.int8), games)),
        "bot": named(seatings, plan.names),
        "score": of_seat("score"),
        **{source: pa.array(outcomes["points"][:, :players, i].ravel()) for i, source in enumerate(SOURCES)},
        "rank": of_seat("rank", np.int8),
        "win_share": pa.array(win_shares(outcomes["rank"][:, :players]).ravel()),
        "tickets_kept": of_seat("tickets_kept", np.int8),
        "tickets_completed": of_seat("tickets_completed", np.int8),
        "trains_left": of_seat("trains_left", np.int8),
        "longest": of_seat("longest"),
        "turns": of_seat("turns"),
        "end": named(np.repeat(outcomes["end"], players), ENDS),
        "fault": named(outcomes["fault"][:, :players], FAULTS),
    }
    return pa.table(columns)


def write_shard(run: Path, plan: Plan, first: int, outcomes: np.ndarray) -> None:
    """Write the outcomes of successive games from game `first` on as one shard."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(seat_table(plan, first, outcomes), sink, compression="zstd")
    name = f"{first:010d}-{first + len(outcomes):010d}.parquet"
    write_whole(run / "seats" / name, sink.getvalue())


def append_faults(run: Path, plan: Plan, faults: dict[int, list["Fault"]]) -> None:
    """Add the faults of a shard's games to `faults.jsonl`, one object a line; no file as long as there is none."""
    lines = [
        json.dumps({"game": game, "bot": plan.names[plan[game].seating[fault.seat]], **fault._asdict()}) + "\n"
        for game in sorted(faults)
        for fault in faults[game]
    ]
    if lines:
        try:
            with (run / "faults.jsonl").open("a", encoding="utf-8") as file:
                file.write("".join(lines))
        except OSError as error:
            raise ArenaError(f"cannot write {run / 'faults.jsonl'}: {error.strerror or error}") from None


def write_times(run: Path, times: dict[str, Any]) -> None:
    """Write `times.json`: what differs from run to run of one plan (seconds, processes, date)."""
    write_whole(run / "times.json", (json.dumps(times, indent=2) + "\n").encode())


def read_plan(run: Path) -> Plan:
    """The plan of a run directory; UsageError if it is none."""
    try:
        return Plan.from_json((run / "plan.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{run} is no run directory: it has no plan.json") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ArenaError(f"cannot read {run / 'plan.json'}: {error}") from None
    except Exception as error:  # whatever a damaged document makes of itself
        if isinstance(error, TypeError) and "unexpected keyword" in str(error):
            raise ArenaError(f"{run / 'plan.json'} is of another version of the arena: report with that one") from None
        raise ArenaError(f"{run / 'plan.json'} is damaged: it holds no plan") from None


def read_times(run: Path) -> dict[str, Any]:
    """What `write_times` wrote; empty for a run that was cut off."""
    try:
        times = json.loads((run / "times.json").read_text(encoding="utf-8"))
        numbers = {"seconds": float(times["seconds"]), "games_per_second": float(times["games_per_second"])}
        return {**times, **numbers, "games": int(times["games"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def first_fault(run: Path) -> dict[str, Any] | None:
    """The first recorded fault, if any; counts are in the seat rows."""
    try:
        with (run / "faults.jsonl").open(encoding="utf-8") as file:
            fault: dict[str, Any] = json.loads(file.readline())
            return {name: fault[name] for name in ("game", "seat", "bot", "reason")}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise ArenaError(f"{run / 'faults.jsonl'} is damaged: its first line is no fault") from None


def read_shards(run: Path, plan: Plan, problems: list[str]) -> Iterator["pd.DataFrame"]:
    """The seat rows of each shard, in the order of the games; one that is not what it should be adds to `problems`."""
    end = found = 0
    for shard in sorted((run / "seats").glob("*.parquet")):
        match = SHARD_NAME.fullmatch(shard.name)
        if not match:
            problems.append(f"{shard} is no shard of this run")
            continue
        first, last = int(match[1]), int(match[2])
        if first < end:
            problems.append(f"shard {shard} repeats games before {end}")
            continue
        end = last
        found += last - first
        rows = _read_shard(shard, plan, last - first)
        if isinstance(rows, str):
            problems.append(rows)
        else:
            yield rows
    missing = read_times(run).get("games", end) - found  # an interrupted run may have gaps: what was in flight
    if missing > 0:
        problems.append(f"{missing:,} {'game' if missing == 1 else 'games'} of the run are missing in {run / 'seats'}")


def _read_shard(shard: Path, plan: Plan, games: int) -> "pd.DataFrame | str":
    """The seat rows of a shard, or what is wrong with it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows: pd.DataFrame = pq.read_table(shard.absolute()).to_pandas()
    except (OSError, pa.ArrowException) as error:
        return f"shard {shard} is damaged: {str(error).splitlines()[0]}"
    complete = len(rows) == games * plan.players
    if not complete or not set(COLUMNS) <= set(rows) or not set(rows["bot"].cat.categories) <= set(plan.names):
        return f"shard {shard} does not hold the games that its name and the plan say"
    return rows
