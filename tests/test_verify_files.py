"""`arena verify` on altered plans, faults, bots and files: each is found, and the sentence names it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from arena.store import run_directory
from arena.store.arrow import CONTENT, PLAN
from arena.store.seat_tables import COLUMNS, content_digest
from conftest import Result, Shared
from verified_runs import SHAKY, alter, check, copy, faulty_run, play, rewrite, shards_of, sound_run


@pytest.fixture
def run(shared: Shared, tmp_path: Path) -> Path:
    return copy(sound_run(shared), tmp_path)


@pytest.fixture
def faulty(shared: Shared, tmp_path: Path) -> Path:
    return copy(faulty_run(shared), tmp_path)


# Altered plans, faults, bots, files


def test_another_seed_in_the_plan(run: Path) -> None:
    """Every shard is of another plan; and if all digests are renewed, the replayed games are others."""
    text = (run / "plan.json").read_text()
    (run / "plan.json").write_text(text.replace('"seed": 5', '"seed": 6'))
    assert "is of another plan" in check(run).complaints[0].text
    for path in shards_of(run):
        rewrite(path, lambda values: None)
    assert check(run).holds
    assert " recorded " in check(run, "1%").sentence()


@pytest.mark.parametrize("part", ["engine", "rules", "map", "bots"])
def test_another_identity_in_the_plan(part: str, run: Path) -> None:
    data = json.loads((run / "plan.json").read_text())
    if part == "bots":
        data["identity"]["bots"]["greedy"] = "0" * 32
    else:
        data["identity"][part] = "0" * 16
    (run / "plan.json").write_text(json.dumps(data))
    for path in shards_of(run):
        rewrite(path, lambda values: None)
    found = check(run, "100%")
    assert not found.findings[0].holds
    named = {"bots": "greedy", "map": "usa"}.get(part, part)
    assert named in found.findings[0].complaints[0].text
    replayed = {"engine": 1200, "rules": 0, "map": 0, "bots": 400}[part]
    assert found.sample.games == replayed
    assert all(other.holds for other in found.findings[1:])


def test_a_damaged_plan_is_an_error(run: Path, arena: Callable[..., Result]) -> None:
    (run / "plan.json").write_text("{}")
    result = arena("verify", run)
    assert result.returncode == 1
    assert "is damaged" in result.stderr


def test_a_changed_bot_is_named_and_the_other_games_are_replayed(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(SHAKY.replace("0.00", "-"))
    run = play(tmp_path, f"{bot}:Shaky", "random", "greedy", games=60)
    assert check(run, "100%").sample.games == 60
    bot.write_text(bot.read_text() + "\n# otherwise the same\n")
    clear_sources()
    found = check(run, "100%")
    assert found.sentence().startswith("NOT verified: mine.py:Shaky has different code than in the run")
    assert (found.sample.games, found.sample.changed) == (20, 40)
    assert found.findings[-1].holds
    bot.unlink()
    found = check(run, "100%")
    assert "mine.py:Shaky cannot be loaded: bot file " in found.sentence()
    assert (found.sample.games, found.sample.changed) == (20, 40)


def clear_sources() -> None:
    """Sources are read once in a process."""
    from arena.engine.sources import sources_digest

    sources_digest.cache_clear()


FAULT_CHANGES = {
    "a line is missing": lambda lines: lines[1:],
    "a line stands twice": lambda lines: [lines[0], *lines],
    "another kind": lambda lines: [changed_fault(lines[0], kind="memory"), *lines[1:]],
    "another seat": lambda lines: [changed_fault(lines[0], seat=1 - json.loads(lines[0])["seat"]), *lines[1:]],
    "another game": lambda lines: [changed_fault(lines[0], game=59), *lines[1:]],
    "no such game": lambda lines: [*lines, changed_fault(lines[0], game=600)],
    "another bot": lambda lines: [changed_fault(lines[0], bot="random"), *lines[1:]],
    "no fault": lambda lines: [*lines, '{"game": 3}'],
    "no JSON": lambda lines: [*lines, "..."],
}  # fmt: skip


def changed_fault(line: str, **change: Any) -> str:
    return json.dumps({**json.loads(line), **change})


@pytest.mark.parametrize("how", FAULT_CHANGES)
def test_faults_on_file_must_be_those_in_the_rows(how: str, faulty: Path) -> None:
    file = faulty / "faults.jsonl"
    lines = file.read_text().splitlines()
    assert check(faulty).holds
    file.write_text("\n".join(FAULT_CHANGES[how](lines)) + "\n")
    found = check(faulty)
    assert not found.findings[2].holds
    assert "faults.jsonl" in found.complaints[0].text


def test_a_fault_at_another_decision_is_found_by_replaying(faulty: Path) -> None:
    file = faulty / "faults.jsonl"
    lines = file.read_text().splitlines()
    index = next(index for index, line in enumerate(lines) if '"died"' not in line)
    decision = json.loads(lines[index])["decision"]
    lines[index] = changed_fault(lines[index], decision=decision + 1)
    file.write_text("\n".join(lines) + "\n")
    assert check(faulty).holds
    assert f"recorded {decision + 1}, replayed {decision}" in check(faulty, "100%").sentence()


def removed(run: Path) -> None:
    shards_of(run)[1].unlink()


def renamed(run: Path) -> None:
    shards_of(run)[1].rename(run / "seats" / "0000000500-0000000900.parquet")


def renamed_away(run: Path) -> None:
    shards_of(run)[1].rename(run / "seats" / "second.parquet")


def doubled(run: Path) -> None:
    shutil.copy(shards_of(run)[0], run / "seats" / "0000001200-0000001700.parquet")


def doubled_under_any_name(run: Path) -> None:
    shutil.copy(shards_of(run)[0], run / "seats" / "copy.parquet")


def in_place_of_another(run: Path) -> None:
    shutil.copy(shards_of(run)[0], shards_of(run)[1])


def truncated(run: Path) -> None:
    content = shards_of(run)[1].read_bytes()
    shards_of(run)[1].write_bytes(content[: len(content) // 2])


def shorter(run: Path) -> None:
    rewrite(shards_of(run)[1], lambda values: [values[name].pop() for name in COLUMNS])


def longer(run: Path) -> None:
    rewrite(shards_of(run)[1], lambda values: [values[name].append(values[name][-1]) for name in COLUMNS])


DAMAGES = (
    removed,
    renamed,
    renamed_away,
    doubled,
    doubled_under_any_name,
    in_place_of_another,
    truncated,
    shorter,
    longer,
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_files_must_be_whole_and_in_their_place(damage: Callable[[Path], None], run: Path) -> None:
    damage(run)
    found = check(run)
    assert not found.findings[1].holds
    assert found.sentence().startswith("NOT verified: ")


def test_a_leftover_piece_must_say_the_same(run: Path) -> None:
    """A process that was killed may have left it: it is no double as long as it holds the same results."""
    plan = run_directory.read_plan(run)
    piece = run / "seats" / "0000000010-0000000020.parquet"
    table = pq.ParquetFile(shards_of(run)[0]).read().slice(20, 20)
    digests = {CONTENT: content_digest(table, plan).encode(), PLAN: plan.digest.encode()}
    pq.write_table(table.replace_schema_metadata(digests), piece)
    found = check(run)
    assert found.holds
    assert found.games == 1200
    alter(piece, "turns", 5)
    assert "holds different results for games 10 to 19" in check(run).sentence()
