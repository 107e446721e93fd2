"""A run on disk: `plan.json`, `seats/`, `detail/`, `faults.jsonl`, `times.json` and `run.log`.

Every file is written under another name and renamed when complete: what carries its name is whole. Only the two
that grow line by line, `faults.jsonl` and `run.log`, are not. `part.json` is there if not all games are for this run.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import ArenaError, UsageError
from arena.files import MOST_LETTERS, write_whole
from arena.store.detail_tables import FOLDER
from arena.store.ranges import Range, shard_size
from arena.tournament.plan import Plan

LEAST_FILES = 4
"""A smaller one ends between two blocks, not where a file of results ends."""


@dataclass(frozen=True)
class PlanShard:
    """One of several shards of a plan (`--shard 2/8`), each for a machine of its own."""

    number: int
    """From 1 on."""
    of: int

    @classmethod
    def parse(cls, text: str) -> "PlanShard":
        """The shard that a text such as `2/8` means; UsageError for any other text."""
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(f"--shard {text!r} is not a valid part: write 1/8 to 8/8 for eight parts")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def games(self, plan: Plan) -> Range:
        """First game and last game + 1, in whole files or at least blocks; UsageError for more shards than blocks."""
        unit = shard_size(plan)
        if plan.games < LEAST_FILES * self.of * unit:
            unit = plan.block_games
        units = -(-plan.games // unit)
        if units < self.of:
            raise UsageError(
                f"--shard {self} does not fit: {plan.games:,} games are {units:,} deals, too few for {self.of:,} parts"
            )
        first, last = (units * number // self.of * unit for number in (self.number - 1, self.number))
        return first, min(last, plan.games)


def refuse_existing(out: Path | None) -> None:
    """UsageError if a run directory exists already."""
    if out is not None and os.path.lexists(out):
        raise UsageError(f"{out} exists already; a run directory is never overwritten")


def create(out: Path | None, plan: Plan, shard: PlanShard | None = None) -> Path:
    """A new run directory with its plan; UsageError if it exists already."""
    if out is None:
        stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
        name = f"{stamp}-{Path(plan.map).stem}-{plan.players}p"
        paths = (Path("results", name + end) for end in chain([""], map("-{}".format, count(2))))
        out = next(path for path in paths if not path.exists())
    refuse_existing(out)
    build = out.with_name(f".{out.name[:MOST_LETTERS]}.part")  # there is never a run directory without a plan
    try:
        shutil.rmtree(build, ignore_errors=True)
        (build / "seats").mkdir(parents=True)
        if plan.detail:
            (build / FOLDER).mkdir()
        if shard:
            write_whole(build / "part.json", (json.dumps({"part": shard.number, "of": shard.of}) + "\n").encode())
        write_plan(build, plan)
        build.rename(out)
    except OSError as error:
        raise ArenaError(f"cannot make the run directory {out}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(build, ignore_errors=True)
    return out


def write_plan(run: Path, plan: Plan) -> None:
    """Write `plan.json`, in place of another at once."""
    write_whole(run / "plan.json", plan.to_json().encode())


def read_plan(run: Path) -> Plan:
    """The plan of a run directory; UsageError for any other folder."""
    try:
        return Plan.from_json((run / "plan.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{run} is not a run directory: it has no plan.json") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ArenaError(f"cannot read {run / 'plan.json'}: {error}") from None
    except Exception as error:  # whatever a damaged document makes of itself
        if isinstance(error, TypeError) and "unexpected keyword" in str(error):
            raise ArenaError(
                f"{run / 'plan.json'} was written by another version of the arena: read it with that one"
            ) from None
        raise ArenaError(f"{run / 'plan.json'} is damaged: it does not hold a plan") from None


def read_plan_shard(run: Path, plan: Plan) -> PlanShard | None:
    """The shard of its plan that a run directory is for; None if it is for all of it."""
    file = run / "part.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        shard = PlanShard.parse(f"{data['part']}/{data['of']}")
        shard.games(plan)
        return shard
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, UsageError):
        raise ArenaError(f"{file} is damaged: it does not name a part of the plan") from None


def games_for(run: Path, plan: Plan) -> Range:
    """First game and last game + 1 that a run directory is for."""
    shard = read_plan_shard(run, plan)
    return shard.games(plan) if shard else (0, plan.games)


class Session(NamedTuple):
    """One stretch of playing, from the start of a command to its end."""

    started: str
    seconds: float = 0.0
    jobs: int = 1
    games: int = 0
    """How many were played in it."""
    recorded: int = 0
    """How many were on disk at its end."""

    @classmethod
    def now(cls) -> "Session":
        """A session that begins now."""
        return cls(datetime.now(UTC).isoformat(timespec="seconds"))


def add_session(run: Path, session: Session) -> None:
    """Add a session to `times.json`, where everything stands that differs from run to run of one plan."""
    write_sessions(run, [*read_sessions(run), session])


def write_sessions(run: Path, sessions: Sequence[Session]) -> None:
    """Write `times.json`."""
    content = {"sessions": [session._asdict() for session in sessions]}
    write_whole(run / "times.json", (json.dumps(content, indent=2) + "\n").encode())


def read_sessions(run: Path) -> list[Session]:
    """The sessions on file; one that was killed has left nothing there."""
    kinds = Session.__annotations__.items()
    try:
        sessions = json.loads((run / "times.json").read_text(encoding="utf-8"))["sessions"]
        return [Session(**{name: kind(session[name]) for name, kind in kinds}) for session in sessions]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def read_times(run: Path) -> dict[str, Any]:
    """What the sessions come to; empty if none reached its end.

    `started` is when the first one began; `sessions`, `seconds`, `games` and `games_per_second` are of all of them, and
    `jobs` and `recorded`, the number of games on disk, are of the last one.
    """
    sessions = read_sessions(run)
    if not sessions:
        return {}
    seconds, games = sum(session.seconds for session in sessions), sum(session.games for session in sessions)
    return {
        **sessions[-1]._asdict(),
        "started": min(session.started for session in sessions),
        "sessions": len(sessions),
        "seconds": seconds,
        "games": games,
        "games_per_second": round(games / max(seconds, 0.001), 1),
    }


@contextmanager
def one_writer(run: Path) -> Iterator[None]:
    """Nobody else writes into this run directory meanwhile; ArenaError if somebody does, or it cannot be written to."""
    from filelock import FileLock, Timeout

    lock = FileLock(run / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ArenaError(f"{run} is being played by another process: wait for it, or stop it first") from None
    except OSError as error:
        raise ArenaError(f"cannot write to {run}: {error.strerror or error}") from None
    try:
        yield
    finally:
        lock.release()
