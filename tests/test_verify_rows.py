"""`arena verify` on altered numbers: the digest, the arithmetic or the rules tell each of them."""

from itertools import product
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.checks.run.possible_scores import NEVER, digits, facts_of
from arena.checks.run.rows import complaints_of, rows_of
from arena.store import detail_tables, run_directory
from arena.store.ranges import named_games
from arena.store.reader import Recorded
from arena.store.seat_tables import COLUMNS
from conftest import Shared
from verified_runs import alter, check, copy, play, shards_of, sound_run


@pytest.fixture
def run(shared: Shared, tmp_path: Path) -> Path:
    return copy(sound_run(shared), tmp_path)


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
        ({"routes": 400, "score": 400}, "no routes add up to"),
        ({"longest": 0}, "make a longer path"),
        ({"longest": 45}, "more trains than are gone"),
        ({"tickets_kept": 40}, "nobody can keep"),
        ({"tickets_kept": 1}, "nobody can keep"),
        ({"tickets": 400}, "never add up to"),
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
    ("claim_route", "the claimed routes do not add up to their points"),
    ("claim_turn", "claims are not in turns of this game"),
    ("offer_kept", "the recorded tickets do not add up to tickets_kept"),
    ("offer_completed", "the recorded tickets do not add up to tickets_completed"),
    ("claim_card", "claim_card differs between record and replay"),
    ("lead_changes", "lead_changes differs between record and replay"),
    ("draws", "the cards left are not those dealt and drawn minus those paid"),
    ("cards_left", "the cards left are not those dealt and drawn minus those paid"),
    ("a kind", "more cards of a kind are left than exist"),
    ("another kind", "cards_left differs between record and replay"),
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
