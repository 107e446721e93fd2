"""Runs that `arena verify` is tried on: a sound one, one with faults, and how one number in them is altered."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from arena import catalog
from arena.checks.run.sample import Size
from arena.checks.run.verify import Verification, verify
from arena.engine.loop import FAULTS
from arena.rules.state import ENDS
from arena.runs.runner import play_plan
from arena.store import detail_tables, run_directory
from arena.store.arrow import CONTENT, PLAN
from arena.store.detail_tables import detail_path
from arena.store.seat_tables import COLUMNS, content_digest
from arena.tournament.plan import Plan
from conftest import Shared
from helpers import make_plan

SHAKY = '''
import os
from arena.bot import Bot


class Shaky(Bot):
    """Plays at random, and now and then does what it should not."""

    def choose(self, view):
        chance = self.rng.random()
        if chance < 0.001:
            raise RuntimeError("no idea")
        if chance < 0.002:
            return None
        if chance < 0.004:
            os._exit(3)
        return self.rng.choice(view.actions)


class Timed(Shaky):
    """Plays at random, by another chance each time."""

    def choose(self, view):
        return view.actions[os.urandom(1)[0] % len(view.actions)]

    @classmethod
    def repeatable(cls):
        return False


class Useless(Bot):
    def choose(self, view):
        return None


class Undecided(Shaky):
    @classmethod
    def repeatable(cls):
        raise KeyError("mode")
'''


def play(folder: Path, *bots: str, games: int, players: int = 2, **more: Any) -> Path:
    """A run of some bots, in `folder / run`."""
    plan, _, _ = make_plan(bots, more.pop("map", catalog.default_map()), players, games, 5, **more)
    run = run_directory.create(folder / "run", plan)
    play_plan(plan, run, 2, lambda chunk: None)
    return run


def sound_run(shared: Shared) -> Path:
    """A run of 1,200 games in three shards, without faults."""
    return shared("sound", lambda folder: play(folder, "random", "greedy", "racer", games=1200)) / "run"


def faulty_run(shared: Shared) -> Path:
    """A run with faults of several kinds, processes that died among them, and with a suspended bot."""

    def make(folder: Path) -> None:
        (folder / "shaky.py").write_text(SHAKY)
        play(folder, f"{folder}/shaky.py:Shaky", "random", f"{folder}/shaky.py:Useless", games=60)

    return shared("shaken", make) / "run"


def copy(run: Path, folder: Path) -> Path:
    shutil.copytree(run, folder / "copy")
    return folder / "copy"


def check(run: Path, sample: str = "0", seed: int = 1) -> Verification:
    return verify(run, Size.parse(sample), seed, 2, lambda text: None)


def shards_of(run: Path) -> list[Path]:
    return sorted((run / "seats").iterdir())


def rewrite(path: Path, change: Callable[[dict[str, list[Any]]], None], *, renew: bool = True) -> None:
    """Change the values of a shard, by column; with a digest that fits them, if told so."""
    run = path.parent.parent
    plan = run_directory.read_plan(run)
    table = pq.ParquetFile(path).read()
    values = {name: table.column(name).to_pylist() for name in COLUMNS}
    change(values)
    names = {"bot": list(plan.names), "end": list(ENDS), "fault": list(FAULTS)}
    arrays = []
    for field in table.schema:
        if field.name in names:
            places = pa.array([names[field.name].index(value) for value in values[field.name]], pa.int16())
            arrays.append(pa.DictionaryArray.from_arrays(places, pa.array(names[field.name])))
        else:
            arrays.append(pa.array(values[field.name], field.type))
    changed = pa.Table.from_arrays(arrays, names=list(COLUMNS))
    digests = dict(table.schema.metadata)
    if renew:
        digests = {CONTENT: content_digest(changed, plan).encode(), PLAN: plan.digest.encode()}
        if detail_path(path).exists():
            notes = pq.ParquetFile(detail_path(path)).read()
            metadata = {CONTENT: detail_tables.content_digest(notes).encode(), PLAN: plan.digest.encode()}
            pq.write_table(notes.replace_schema_metadata(metadata), detail_path(path))
    pq.write_table(changed.replace_schema_metadata(digests), path, compression="zstd")


def altered(plan: Plan, column: str, value: Any) -> Any:
    """Another value that the column can hold."""
    names = {"bot": plan.names, "end": ENDS, "fault": FAULTS}.get(column)
    if names:
        return names[(list(names).index(value) + 1) % len(names)]
    return value + 1


def alter(path: Path, column: str, row: int, *, renew: bool = True) -> None:
    plan = run_directory.read_plan(path.parent.parent)

    def change(values: dict[str, list[Any]]) -> None:
        values[column][row] = altered(plan, column, values[column][row])

    rewrite(path, change, renew=renew)
