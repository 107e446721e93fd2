"""`arena verify`: a true run passes; one altered number, line or file does not, and the sentence names it."""

import json
import shutil
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import hypergeom

from arena import catalog
from arena.boards.spec import MapSpec
from arena.checks.run.possible_scores import NEVER, digits, facts_of
from arena.checks.run.rows import complaints_of, rows_of
from arena.checks.run.sample import Size, draw, fewest_shown, meaning
from arena.checks.run.verify import Verification, verify
from arena.engine.bots import is_repeatable
from arena.engine.limits import Limits
from arena.engine.loop import FAULTS
from arena.errors import UsageError
from arena.rules.state import ENDS
from arena.runs.runner import play_plan
from arena.runs.worker import play_range
from arena.store import detail_tables, run_directory
from arena.store.detail_tables import detail_path
from arena.store.reader import Recorded
from arena.store.seat_tables import COLUMNS, CONTENT, PLAN, content_digest, named_games, seat_table
from arena.tournament.plan import Plan
from conftest import Result, Shared
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


@pytest.fixture(scope="module")
def played(shared: Shared) -> Path:
    """A run of 1,200 games in three shards, without faults."""
    return shared("sound", lambda folder: play(folder, "random", "greedy", "racer", games=1200)) / "run"


@pytest.fixture(scope="module")
def shaken(shared: Shared) -> Path:
    """A run with faults of several kinds, processes that died among them, and with a bot on probation."""

    def make(folder: Path) -> None:
        (folder / "shaky.py").write_text(SHAKY)
        play(folder, f"{folder}/shaky.py:Shaky", "random", f"{folder}/shaky.py:Useless", games=60)

    return shared("shaken", make) / "run"


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    return copy(played, tmp_path)


@pytest.fixture
def faulty(shaken: Path, tmp_path: Path) -> Path:
    return copy(shaken, tmp_path)


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


# A true run


def test_a_true_run_passes(run: Path, arena: Callable[..., Result]) -> None:
    result = arena("verify", run, "--seed", 7)
    assert result.returncode == 0, result.stdout
    lines = result.stdout.splitlines()
    assert lines[-1] == "Verified: 1,200 games in 3 shards; 24 replayed, all fields equal."
    assert [line.split()[:2] for line in lines if line[:1].strip()][:4] == [
        ["digests", "ok"], ["games", "ok"], ["faults", "ok"], ["sample", "ok"],
    ]  # fmt: skip
    assert "Sample: seed 7." in result.stdout
    assert max(map(len, lines)) <= 80
    assert shards_of(run) == shards_of(run)


def test_nothing_is_written_into_the_run(run: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in sorted(run.rglob("*"))}
    assert check(run, "20").holds
    assert {path: path.stat().st_mtime_ns for path in sorted(run.rglob("*"))} == before


def test_every_game_of_a_run_with_faults_can_be_replayed(faulty: Path) -> None:
    """Also those in which a process died: its fault is booked, not provoked."""
    kinds = {json.loads(line)["kind"] for line in (faulty / "faults.jsonl").read_text().splitlines()}
    assert {"died", "wrong_type"} < kinds
    found = check(faulty, "100%")
    assert found.holds, found.sentence()
    assert found.sample.games == 60
    assert "faults" in found.findings[2].detail
    booked = found.to_json()["sample"]["faults_as_recorded"]
    assert booked == sum('"died"' in line for line in (faulty / "faults.jsonl").read_text().splitlines())
    assert f"({booked} of them with faults of the machine taken as recorded)" in found.sentence()
    rows = pq.read_table(shards_of(faulty)[0]).to_pandas()
    assert "probation" in set(rows["fault"])


@pytest.mark.parametrize(("bot", "asked"), [("random", "was on"), ("Useless", "was not on")])
def test_who_is_on_probation_follows_from_the_faults(faulty: Path, bot: str, asked: str) -> None:
    """Else whoever wrote a false result could have had a random player sit down for any other bot."""
    (path,) = shards_of(faulty)

    def change(values: dict[str, list[Any]]) -> None:
        row = max(
            row
            for row, name in enumerate(values["bot"])
            if name.endswith(bot) and values["fault"][row] in ("none", "probation")
        )
        values["fault"][row] = "probation" if values["fault"][row] == "none" else "wrong_type"

    rewrite(path, change)
    found = check(faulty)
    told = [complaint.text for complaint in found.complaints]
    assert any(f"the bot {asked} probation, but not by the faults in the first games" in text for text in told), told


def test_a_line_that_is_no_fault_or_for_nobody(faulty: Path, tmp_path: Path, arena: Callable[..., Result]) -> None:
    """One sentence, whatever somebody has written there; and it does nothing to a terminal."""
    file = faulty / "faults.jsonl"
    line = json.loads(file.read_text().splitlines()[0])
    for wrong in ({"seat": 4}, {"decision": "x"}, {"reason": None}, {"bot": "\x1b[2J"}):
        file.write_text(json.dumps(line | wrong) + "\n")
        assert not check(faulty).holds
        assert "\x1b" not in check(faulty).to_text()
        merged = arena("merge", faulty, "-o", tmp_path / f"{next(iter(wrong))}")
        assert "Traceback" not in merged.stderr
        assert (merged.returncode, "is damaged" in merged.stderr) == (("bot" not in wrong) * 1, "bot" not in wrong)


@pytest.mark.parametrize("on_fault", ["forfeit"])
def test_forfeited_games_are_true(on_fault: str, tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    bots = [f"{tmp_path}/shaky.py:Shaky", "random", "greedy"]
    run = play(tmp_path, *bots, games=24, players=3, limits=Limits(on_fault=on_fault))
    assert set(pq.read_table(shards_of(run)[0]).to_pandas()["end"]) > {"forfeit"}
    assert check(run, "100%").holds


def test_every_map_and_number_of_players(spec: MapSpec) -> None:
    """The arithmetic finds nothing in games that were just played."""
    for players in (2, 3, 4, 5):
        plan, _, _ = make_plan(["random", "greedy", "racer", "hungry", "path"], spec.key, players, 300, 3)
        rows = rows_of(seat_table(plan, 0, play_range(plan, 0, plan.games).outcomes), plan)
        assert complaints_of(rows, plan, 0, facts_of(spec, players)) == []


@pytest.mark.parametrize("settings", [{"trains": 12}, {"longest_path": 0}, {"tickets_keep": 3}], ids=str)
def test_other_rule_numbers(settings: dict[str, int]) -> None:
    plan, spec, _ = make_plan(["random", "greedy", "racer"], catalog.default_map(), 3, 300, 3, settings)
    rows = rows_of(seat_table(plan, 0, play_range(plan, 0, plan.games).outcomes), plan)
    assert complaints_of(rows, plan, 0, facts_of(spec, 3)) == []


# Altered numbers


@pytest.mark.parametrize("column", COLUMNS)
def test_any_altered_number_fails_by_its_digest(column: str, run: Path) -> None:
    alter(shards_of(run)[1], column, 77, renew=False)
    found = check(run)
    assert not found.holds
    assert shards_of(run)[1].name in found.complaints[0].text


def test_any_altered_number_fails_in_the_whole_sample(run: Path) -> None:
    """Another game for each column; whoever altered them renewed the digest too."""
    path = shards_of(run)[0]
    hidden = [column for column in COLUMNS if column not in ("game", "deal", "seat", "bot")]
    for game, column in enumerate(hidden):
        alter(path, column, 2 * game)
    found = check(run, "100%")
    assert found.sentence().startswith("NOT verified: game 0, seat 0: score is ")
    replay = found.findings[-1]
    assert [complaint.game for complaint in replay.complaints] == list(range(len(hidden)))
    for game, column in enumerate(hidden):
        assert f"game {game}, seat 0: {column} recorded " in replay.complaints[game].text


VISIBLE = [column for column in COLUMNS if column not in ("tickets_kept", "longest", "game")]


@pytest.mark.parametrize("column", VISIBLE)
def test_arithmetic_sees_what_it_can(column: str, run: Path) -> None:
    """Whatever follows from other columns or from the plan, though the digest was renewed and nothing is replayed."""
    path = shards_of(run)[1]
    rows = pq.read_table(path).to_pandas()
    row = 77
    if column == "tickets_completed":
        row = int(np.flatnonzero(rows["tickets_completed"] == rows["tickets_kept"])[0])
    if column == "trains_left":  # with one train more, only so many short routes bring the points
        row = int(rows["routes"].idxmax())
    alter(path, column, row)
    found = check(run)
    assert not found.holds
    assert any(complaint.game == 500 + row // 2 for complaint in found.complaints), found.complaints


def test_the_games_of_another_shard(run: Path) -> None:
    """The number of the game is looked at before anything else."""
    alter(shards_of(run)[1], "game", 77)
    assert "does not hold the games" in check(run).complaints[0].text


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"trains_left": -1}, "is not within 0 to 45"),
        ({"trains_left": 46}, "is not within 0 to 45"),
        ({"routes": 400, "score": 400}, "no routes come to"),
        ({"longest": 0}, "make a longer path"),
        ({"longest": 45}, "more trains than are gone"),
        ({"tickets_kept": 40}, "nobody can keep"),
        ({"tickets_kept": 1}, "nobody can keep"),
        ({"tickets": 400}, "never come to"),
        ({"bullet": 10}, "no bullet trains"),
        ({"provinces": 10}, "no ranks on the lines"),
        ({"turns": -1}, "in turn"),
        ({"end": 3}, "nobody forfeited"),
        ({"end": 0}, "not an end of a game"),
        ({"fault": -1}, "not a kind of fault"),
    ],
    ids=str,
)
def test_what_the_rules_never_allow(change: dict[str, int], complaint: str, run: Path) -> None:
    plan = run_directory.read_plan(run)
    rows = {name: values.copy() for name, values in rows_of(pq.ParquetFile(shards_of(run)[0]).read(), plan).items()}
    for column, value in change.items():
        rows[column][3] = value
    found = complaints_of(rows, plan, 0, facts_of(catalog.load_map(plan.map), 2))
    assert any(complaint in text for text, _ in found), found
    assert all(text.startswith("game 3, seat ") for text, _ in found)


def test_shared_bullet_bonuses_must_be_a_ranking() -> None:
    name = next(name for name in catalog.map_names() if catalog.load_map(name).rules.bullet_trains)
    facts = facts_of(catalog.load_map(name), 3)
    assert facts.bullet is not None
    for points, possible in (
        ((15, 5, -10), True), ((15, 15, -10), True), ((-20, 15, -20), True), ((15, 15, 5), False), ((5, 5, -10), False),
        ((15, 5, 5), True), ((0, 5, -10), False),
    ):  # fmt: skip
        assert (digits(np.array([points]))[0] in facts.bullet) is possible, points


def test_the_table_of_routes_against_all_choices() -> None:
    """On a map of seven routes, chosen one by one."""
    spec = catalog.load_map(catalog.default_map())
    few = spec.routes[:7]
    small = MapSpec(spec.key, spec.name, "", spec.cities, few, spec.tickets, spec.rules.changed("trains", 12))
    least: dict[tuple[int, int], int] = {}
    for chosen in product((False, True), repeat=len(few)):
        lengths = [route.length for route, taken in zip(few, chosen, strict=True) if taken]
        key = sum(lengths), sum(map(small.points, lengths))
        if key[0] <= 12:
            least[key] = min(least.get(key, NEVER), max(lengths, default=0))
    table = facts_of(small, 2).routes
    found = {(int(a), int(b)): int(table[a, b]) for a, b in np.argwhere(table < NEVER)}
    assert found == least


@pytest.mark.parametrize("name", catalog.map_names())
def test_details_fit_under_other_rules(name: str, tmp_path: Path) -> None:
    """Fewer bullet trains than bullet routes (J5), a color in short supply, seats with extra cards."""
    settings: dict[str, int | str] = {"cards.red": 5, "extra_cards.1": 2, "extra_cards.4": 3}
    settings |= {"bullet_trains": 3} if catalog.load_map(name).rules.bullet_trains else {}
    run = play(tmp_path, "random", "greedy", games=60, map=name, settings=settings)
    assert check(run, "100%").complaints == []


@pytest.mark.parametrize(("field", "says"), [
    ("claim_route", "the routes claimed do not come to their points"),
    ("claim_turn", "claims are not in turns of this game"),
    ("offer_kept", "the tickets that are recorded do not come to tickets_kept"),
    ("offer_completed", "the tickets that are recorded do not come to tickets_completed"),
    ("claim_card", "claim_card is recorded otherwise than replayed"),
    ("lead_changes", "lead_changes is recorded otherwise than replayed"),
    ("draws", "the cards left are not those dealt and drawn without those paid"),
    ("cards_left", "the cards left are not those dealt and drawn without those paid"),
    ("a kind", "more cards of a kind are left than there are"),
    ("another kind", "cards_left is recorded otherwise than replayed"),
])  # fmt: skip
def test_altered_details(field: str, says: str, run: Path) -> None:
    """With a digest that fits them: some do not fit the results, others only playing again can tell."""
    plan, path = run_directory.read_plan(run), shards_of(run)[0]
    first, last = named_games(plan, path) or (0, 0)
    outcomes, _ = Recorded.of(run, plan).load(first, last)
    spec = catalog.load_map(catalog.default_map())
    if field == "claim_route":  # a longer one that nobody has claimed
        free = set(range(len(spec.routes))) - set(outcomes["claim_route"][3, : outcomes["claims"][3]].tolist())
        length = spec.routes[outcomes["claim_route"][3, 0]].length
        outcomes[field][3, 0] = next(route for route in free if spec.routes[route].length != length)
    elif field in ("offer_kept", "offer_completed"):
        outcomes[field][3, 0] ^= 1
    elif field == "a kind":
        outcomes["cards_left"][3, 1] = 13
    elif field == "another kind":
        kind = outcomes["cards_left"][3].argmax()
        outcomes["cards_left"][3, kind] -= 1
        outcomes["cards_left"][3, (kind + 1) % 8] += 1
    elif field == "claim_turn":
        outcomes[field][3, 0] += 2 * 90
    else:
        outcomes[field][3:4].flat[0] += 1
    detail_tables.write_details(path, plan, first, outcomes)
    found = check(run, "100%")
    assert f"game 3: {says}" in [complaint.text for complaint in found.complaints]
    assert {complaint.game for complaint in found.complaints} == {3}


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
    assert found.sentence().startswith("NOT verified: mine.py:Shaky has other code than in the run")
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
    assert "holds other results of games 10 to 19" in check(run).sentence()


# What is there only in part, or was put together


def test_parts_merged_extended_and_resumed(arena: Callable[..., Result]) -> None:
    """Each of them is true, and one altered number in what came of it all is not."""
    plan = ("random", "greedy", "racer", "--players", 2, "--seed", 3, "--games", 120)
    for number in (1, 2):
        assert arena("run", *plan, "--shard", f"{number}/2", "--out", f"part{number}").returncode == 0
    part = arena("verify", "part2", "--sample", "100%")
    assert part.stdout.splitlines()[-1] == "Verified: 60 games in 1 shard; 60 replayed, all fields equal."
    assert arena("merge", "part1", "part2", "-o", "all").returncode == 0
    assert arena("verify", "all").returncode == 0
    assert arena("extend", "all", "--games", 1320).returncode == 0
    shards_of(Path("all"))[1].unlink()
    assert "NOT verified: 500 games of the run are missing" in arena("verify", "all").stdout
    assert arena("resume", "all").returncode == 0
    whole = arena("verify", "all", "--sample", "100%")
    assert whole.stdout.splitlines()[-1] == "Verified: 1,320 games in 3 shards; 1,320 replayed, all fields equal."
    alter(shards_of(Path("all"))[2], "turns", 9)
    assert arena("verify", "all", "--sample", "100%").returncode == 1


def test_an_unfinished_run_is_verified_as_far_as_it_goes(run: Path) -> None:
    shards_of(run)[2].unlink()
    times = json.loads((run / "times.json").read_text())
    times["sessions"][-1]["recorded"] = 1000
    (run / "times.json").write_text(json.dumps(times))
    found = check(run, "20")
    assert found.sentence() == (
        "Verified: 1,000 of 1,200 games, the others are not played yet, in 2 shards; 20 replayed, all fields equal."
    )


def test_a_run_without_games(run: Path) -> None:
    shutil.rmtree(run / "seats")
    (run / "times.json").unlink()
    assert check(run, "20").sentence() == "Verified: there are no games yet."


def test_bots_that_play_by_the_clock_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    run = play(tmp_path, f"{tmp_path}/shaky.py:Timed", "random", "greedy", games=30)
    found = check(run, "100%")
    assert found.holds, found.sentence()
    assert (found.sample.games, found.sample.by_clock) == (10, 20)
    assert found.sentence() == (
        "Verified: 30 games in 1 shard; 10 replayed, all fields equal; 20 cannot be, as bots in them play by the clock."
    )


def test_a_run_of_clocks_alone(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    run = play(tmp_path, *[f"{tmp_path}/shaky.py:Timed"] * 2, games=2)
    found = check(run)
    assert found.sentence() == (
        "Verified by digests and arithmetic only: 2 games in 1 shard; none replayed, as all have bots that play by the "
        "clock."
    )
    assert found.holds


def test_which_bots_are_repeatable() -> None:
    entrants = [catalog.load_entrant(spec) for spec in ("mcts", "mcts:sims=9", "mcts:ms=5", "greedy")]
    assert [is_repeatable(entrant.bot, entrant.parameters) for entrant in entrants] == [True, True, False, True]


def test_a_bot_that_cannot_say_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    with pytest.raises(UsageError, match=r"Undecided: repeatable\({}\) raises KeyError"):
        is_repeatable(catalog.load_entrant(f"{tmp_path}/shaky.py:Undecided").bot, {})


def test_repeatable_is_asked_of_the_class(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY.replace("    @classmethod\n", ""))
    with pytest.raises(UsageError, match=r"Timed.repeatable must be a class method"):
        catalog.load_entrant(f"{tmp_path}/shaky.py:Timed")


@pytest.mark.skipif(sys.platform != "linux", reason="bots are isolated on Linux")
@pytest.mark.slow("each bot has a process of its own, in the run and when it is replayed")
def test_a_run_of_isolated_bots(tmp_path: Path) -> None:
    """Their faults too; nothing of them is loaded here, and they say by themselves whether they are repeatable."""
    (tmp_path / "shaky.py").write_text(SHAKY)
    bots = [f"{tmp_path}/shaky.py:{name}" for name in ("Shaky", "Timed")]
    run = play(tmp_path, *bots, "random", games=18, limits=Limits(isolate=True))
    found = check(run, "100%")
    assert found.holds, found.sentence()
    assert (found.sample.games, found.sample.by_clock) == (6, 12)
    (tmp_path / "shaky.py").write_text(SHAKY + "# changed")
    assert "shaky.py:Shaky has other code than in the run" in check(run).sentence()


# The sample


def test_sizes_of_a_sample() -> None:
    assert Size.parse("2%").of(10_000) == 200
    assert Size.parse("2%").of(1_000) == 20
    assert Size.parse("2%").of(100) == 20
    assert Size.parse("2%").of(7) == 7
    assert Size.parse("0.5%").of(10_001) == 51
    assert Size.parse("100%").of(333) == 333
    assert Size.parse("200").of(333) == 200
    assert Size.parse("200").of(33) == 33
    assert Size.parse("0").of(33) == 0
    assert Size.parse("0%").of(33) == 0
    for text in ("", "two", "-1", "101%", "1e3", "2 percent", "%"):
        with pytest.raises(UsageError, match="is not a valid sample size"):
            Size.parse(text)


def test_the_same_seed_draws_the_same_games() -> None:
    games = np.arange(0, 3000, 3)
    one, two, other = draw(games, 100, 4), draw(games, 100, 4), draw(games, 100, 5)
    assert one.tolist() == two.tolist() != other.tolist()
    assert sorted(set(one.tolist())) == one.tolist()
    assert set(one.tolist()) <= set(games.tolist())
    assert draw(games, 1000, 9).tolist() == games.tolist()


@pytest.mark.parametrize(("games", "size"), [(1000, 300), (1200, 24), (10, 1), (50, 49), (100_000, 20)])
def test_what_a_sample_shows(games: int, size: int) -> None:
    """The least number of wrong games that it shows with 95 %, against another hand's distribution."""
    wrong = fewest_shown(games, size)
    assert hypergeom.pmf(0, games, wrong, size) <= 0.05
    assert wrong == 1 or hypergeom.pmf(0, games, wrong - 1, size) > 0.05
    assert f"({wrong:,})" in meaning(games, size)


def test_a_sample_of_all_needs_no_words() -> None:
    assert meaning(80, 80) == ""


# The command


def test_as_json(run: Path, arena: Callable[..., Result]) -> None:
    alter(shards_of(run)[0], "score", 8)
    result = arena("verify", run, "--json", "--sample", "30", "--seed", "3", "--jobs", "1")
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert found["verified"] is False
    assert found["sentence"].startswith("NOT verified: game 4, seat 0: score is ")
    assert found["sample"]["seed"] == 3
    assert next(part["name"] for part in found["parts"] if not part["ok"]) == "games"
    assert found["parts"][1]["problems"][0]["game"] == 4


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(["nowhere"], "is not a run directory"), ([".", "--sample", "many"], "is not a valid sample size")],
)
def test_wrong_use(arguments: list[str], complaint: str, arena: Callable[..., Result]) -> None:
    result = arena("verify", *arguments)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_a_new_seed_each_time(run: Path) -> None:
    seeds = {verify(run, Size.parse("0"), None, 1, lambda text: None).sample.seed for _ in range(3)}
    assert len(seeds) == 3


def test_many_complaints_are_summed_up(run: Path) -> None:
    def change(values: dict[str, list[Any]]) -> None:
        values["score"] = [score + 1 for score in values["score"]]
        for name in ("rank", "turns", "routes", "win_share", "deal", "end"):
            values[name][9] = altered(run_directory.read_plan(run), name, values[name][9])

    rewrite(shards_of(run)[0], change)
    found = check(run, "20")
    text = found.to_text()
    assert max(map(len, text.splitlines())) <= 80
    assert "(and 998 rows more)" in " ".join(complaint.text for complaint in found.complaints)
    assert "  and " in text
    assert json.loads(json.dumps(found.to_json()))["verified"] is False


@pytest.mark.long
def test_a_million_rows_in_seconds() -> None:
    from time import process_time

    plan, spec, _ = make_plan(["random", "greedy"], catalog.default_map(), 2, 5000, 1)
    table = seat_table(plan, 0, play_range(plan, 0, 5000).outcomes)
    facts = facts_of(spec, 2)
    begun = process_time()
    for _ in range(100):
        assert complaints_of(rows_of(table, plan), plan, 0, facts) == []
    assert process_time() - begun < 30
