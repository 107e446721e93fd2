"""Plans are arithmetic: blocks of rotations, line-ups in turn, the same games however they are asked for."""

import json
import time
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any

import numpy as np
import pytest

from arena.errors import UsageError
from arena.rules.deal import SEEDS, make_deals
from arena.store.ranges import shards
from arena.tournament.designs import FORMATS, SEATINGS, combination
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan
from arena.tournament.schedule import game_deals


def plan(bots: int = 4, players: int = 2, games: int = 60, seed: int = 1, **fields: Any) -> Plan:
    names = tuple(f"bot{index}" for index in range(bots))
    return Plan.of_size(bots=names, names=names, map="m", players=players, games=games, seed=seed, **fields)


@pytest.mark.parametrize(("bots", "players"), [(2, 2), (4, 4), (5, 3), (6, 2), (7, 5), (5, 5)])
def test_blocks_are_rotations(bots: int, players: int) -> None:
    """In a block each member of the line-up sits once in each seat, and nobody else plays."""
    some = plan(bots, players, games=20 * players)
    for block in range(some.blocks):
        games = [some[block * players + rotation] for rotation in range(players)]
        assert {game.deal for game in games} == {block}
        for seat in range(players):
            assert sorted(game.seating[seat] for game in games) == sorted(games[0].seating)


@pytest.mark.parametrize(("bots", "players"), [(4, 2), (6, 4), (5, 3), (20, 2)])
def test_every_lineup_plays_in_turn(bots: int, players: int) -> None:
    """As many blocks as line-ups: each plays once. Fewer: the bots play about equally often."""
    lineups = comb(bots, players)
    full = plan(bots, players, games=lineups * players)
    assert full.design == "all"
    assert full.unplayed_rest == 0
    assert {tuple(sorted(full.lineup(block))) for block in range(lineups)} == set(combinations(range(bots), players))
    half = plan(bots, players, games=(lineups // 2) * players, design="all")
    assert half.unplayed_rest == lineups - lineups // 2
    games = Counter(bot for block in range(half.blocks) for bot in half.lineup(block))
    assert max(games.values()) <= 3 * min(games[bot] for bot in range(bots))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_cyclic_orders_take_turns(players: int) -> None:
    """Over (players - 1)! deals everyone sits equally often upstream of everyone else."""
    orders = {3: 2, 4: 6, 5: 24}[players]
    some = plan(players, players, games=orders * players)
    upstream = Counter(
        (game.seating[seat], game.seating[(seat + 1) % players]) for game in some for seat in range(players)
    )
    assert len(upstream) == players * (players - 1)
    assert len(set(upstream.values())) == 1


@pytest.mark.parametrize("players", [3, 4, 5])
def test_cyclic_orders_take_turns_among_lineups(players: int) -> None:
    """With more bots than seats too: nobody sits always upstream of another because of the command line's order."""
    lineups, orders = comb(6, players), factorial(players - 1)
    for blocks in (2 * lineups, lineups * orders):
        some = plan(6, players, games=blocks * players)
        upstream = Counter(
            (game.seating[seat], game.seating[(seat + 1) % players]) for game in some for seat in range(players)
        )
        assert all(upstream[a, b] == upstream[b, a] > 0 for a, b in combinations(range(6), 2))


@pytest.mark.parametrize("design", ["all", "balanced"])
@pytest.mark.parametrize("seating", ["rotation", "ring", "all"])
@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_plan_closes(players: int, form: str, seating: str, design: str) -> None:
    """When each line-up has played twice: every bot as often in each seat, pairs meet and sit as often each way."""
    some = plan(10, players, games=1, format=form, seating=seating, design=design)
    some = plan(10, players, 2 * some.lineups * some.block_games, format=form, seating=seating, design=design)
    assert some.unplayed_rest == 0
    others = range(int(form == "gauntlet"), 10)
    deals, seatings = some.seatings(0, len(some))
    assert (deals == np.repeat(np.arange(some.blocks), some.block_games)).all()
    seats = Counter((int(bot), seat) for row in seatings for seat, bot in enumerate(row))
    assert len({seats[bot, seat] for bot in others for seat in range(players)}) == 1
    assert form == "round-robin" or {seats[0, seat] for seat in range(players)} == {len(some) // players}
    met = Counter(pair for row in seatings.tolist() for pair in combinations(sorted(row), 2))
    assert len({met[pair] for pair in combinations(others, 2)}) == 1
    upstream = Counter((row[seat - 1], row[seat]) for row in seatings.tolist() for seat in range(players))
    assert all(upstream[a, b] == upstream[b, a] for a, b in combinations(range(10), 2))
    if seating != "rotation":
        assert len({upstream[a, b] for a, b in permutations(others, 2)}) == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_deal_played_once(players: int) -> None:
    """The next deal is seated otherwise: after all orders each entrant was equally often in each seat."""
    some = plan(players, players, games=factorial(players), seating="once")
    assert [game.deal for game in some] == list(range(len(some)))
    assert len({game.seating for game in some}) == len(some)


@pytest.mark.parametrize("seating", SEATINGS)
def test_forced_tickets(seating: str) -> None:
    """Each seating of a deal is played with each ticket, before a seat that changes from deal to deal."""
    some, plain = (plan(3, 3, games=100, seating=seating, forced=forced) for forced in (7, 0))
    assert some.block_games == 7 * plain.block_games
    assert len(some) == -(-100 // some.block_games) * some.block_games
    deals = game_deals(some, np.arange(len(some)))
    for game in range(len(some)):
        deal, place = divmod(game, some.block_games)
        assert some[game] == (game, deal, plain[deal * plain.block_games + place // 7].seating)
        wanted = make_deals(some.seed, [deal])
        wanted["forced_seat"], wanted["forced_ticket"] = deal % 3, game % 7
        assert deals[game] == wanted[0]
    assert (some.seatings(0, len(some))[1] == [game.seating for game in some]).all()
    assert "--force-tickets" in some.command
    assert Plan.from_json(some.to_json()) == some


def test_pinned_games() -> None:
    """The same plan gives the same games for ever, as long as nothing says otherwise: these must never change."""
    some = plan(7, 4, games=1000)
    assert [some[game].seating for game in (0, 3, 4, 140, 999)] == [
        (0, 1, 2, 3), (3, 0, 1, 2), (1, 3, 2, 6), (0, 3, 2, 1), (5, 0, 6, 3),
    ]  # fmt: skip
    fields = {"format": "gauntlet", "seating": "ring", "design": "balanced"}
    assert [plan(8, 4, 200, **fields)[game].seating for game in (0, 30, 199)] == [
        (0, 1, 2, 6), (4, 2, 0, 5), (2, 0, 5, 4),
    ]  # fmt: skip


@pytest.mark.parametrize("fields", [{}, {"seating": "ring", "format": "gauntlet"}, {"design": "balanced"}], ids=str)
@pytest.mark.parametrize(("first", "last"), [(0, 60), (7, 8), (5, 23), (58, 60)])
def test_seatings_agree_with_single_games(first: int, last: int, fields: dict[str, str]) -> None:
    some = plan(6, 3, games=60, **fields)
    deals, seatings = some.seatings(first, last)
    assert [(int(deal), tuple(row)) for deal, row in zip(deals, seatings.tolist(), strict=True)] == [
        (some[game].deal, some[game].seating) for game in range(first, last)
    ]


def test_combination_is_the_lexicographic_one() -> None:
    assert [combination(7, 3, index) for index in range(comb(7, 3))] == list(combinations(range(7), 3))


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert len(plan(4, 4, games=1001)) == 1004


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("seating", SEATINGS)
def test_json_round_trip(form: str, seating: str) -> None:
    some = plan(4, 4, format=form, seating=seating)
    assert Plan.from_json(some.to_json()) == some


def test_plans_of_before_there_were_formats_are_read() -> None:
    """They were round-robins of all line-ups in rotations."""
    old = json.loads(plan(6, 3, games=30, design="all").to_json())
    for key in ("format", "seating", "design"):
        del old[key]
    read = Plan.from_json(json.dumps(old))
    assert (read.format, read.seating, read.design) == ("round-robin", "rotation", "all")


@pytest.mark.parametrize("change", [
    {"format": "cup"}, {"seating": "x"}, {"design": None}, {"design": 1}, {"seating": "ring"}, {"format": "lineup"},
    {"design": "balanced"},
], ids=str)  # fmt: skip
def test_parts_that_do_not_fit_are_refused(change: dict[str, object]) -> None:
    """Also games that are no whole blocks of the seating, and a balanced design where there is none."""
    good = json.loads(plan(6, 4, games=56).to_json())
    with pytest.raises((UsageError, ValueError, TypeError)):
        Plan.from_json(json.dumps({**good, **change}))


def test_what_has_changed_since() -> None:
    """What is not known now is not asked; versions of packages lead to the same games."""
    then = Identity(rules="r", engine="e", bots={"one": "1", "two": "2"}, python="3.11")
    assert then.differences(then) == ([], [])
    assert then.differences(Identity(map="m", bots={"one": "1", "two": "3", "new": "4"})) == (["map"], ["two"])
    now = replace(then, rules="R", python="3.13")
    assert then.differences(now).parts == ["rules", "python"]
    assert then.differences(now).sources == ["another version of the rules"]


def test_identities_of_other_versions_are_read() -> None:
    """Unknown keys are left out, missing ones are empty."""
    written = json.loads(plan(identity=Identity(rules="r", bots={"bot0": "1"})).to_json())["identity"]
    assert Identity.of_json({**written, "weather": "fine"}) == Identity(rules="r", bots={"bot0": "1"})
    assert Identity.of_json({"bots": None}) == Identity()
    assert list(written) == [
        "arena", "rules", "engine", "map", "map_label", "bots", "python", "numba", "numpy", "pyarrow",
    ]  # fmt: skip


def words(some: Plan) -> dict[str, str]:
    command = some.command.split()
    return {word: command[place + 1] for place, word in enumerate(command) if word.startswith("--")}


def test_command_says_what_is_not_usual() -> None:
    """A design only if another one would be chosen."""
    usual = {"--map", "--players", "--games", "--seed"}
    assert set(words(plan(10, 4, games=840))) == usual
    assert set(words(plan(10, 4, games=836))) == usual
    assert words(plan(10, 4, games=840, design="balanced"))["--design"] == "balanced"
    assert words(plan(10, 4, games=836, design="all"))["--design"] == "all"
    assert set(words(plan(6, 4, games=4, design="balanced"))) == usual  # there is none, so these are all
    some = words(plan(10, 4, format="gauntlet", seating="ring"))
    assert (some["--format"], some["--seating"]) == ("gauntlet", "ring")


@pytest.mark.parametrize(("seating", "players", "games"), [("ring", 5, 1000), ("all", 5, 1080), ("all", 4, 1008)])
def test_games_are_whole_blocks_of_any_seating(seating: str, players: int, games: int) -> None:
    some = plan(players, players, games=1000, seating=seating)
    assert len(some) == games
    assert all(last % some.block_games == 0 for _, last in shards(some))


def test_a_million_games_are_enumerated_quickly() -> None:
    """About 0.3 s; games are worked out where they are played, a chunk at a time."""
    some = plan(12, 5, games=1_000_000)
    begun = time.process_time()
    deals, seatings = some.seatings(0, len(some))
    assert time.process_time() - begun < 5
    assert len(deals) == len(seatings) == 1_000_000


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"bots": 1}, "at least two bots"),
        ({"players": 1}, "2 to 5 players"),
        ({"players": 6, "bots": 7}, "2 to 5 players"),
        ({"players": 5}, "use 2 to 4"),
        ({"players": 2, "format": "lineup"}, "seats all 4 bots: leave it out"),
        ({"bots": 6, "format": "lineup"}, "2 to 5 of them, not 6"),
        ({"format": "cup"}, "unknown format 'cup'"),
        ({"seating": "rings"}, "did you mean ring"),
        ({"design": "some"}, "unknown design 'some'"),
        ({"games": 0}, "at least one game"),
        ({"games": 10**400}, "at most 1,000,000,000"),
        ({"seed": -1}, "out of range"),
    ],
)
def test_numbers_that_do_not_fit(change: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        plan(**change)


def test_names_are_printable() -> None:
    with pytest.raises(UsageError, match=r"^usa\\x1b\[2J has characters that cannot be printed"):
        replace(plan(), map="usa\x1b[2J")


def test_deals_are_pinned() -> None:
    """The same seed deals the same games for ever: these seeds must never change."""
    seeds = make_deals(1, range(1000)).view(np.uint64).reshape(1000, -1)
    assert seeds[0, :2].tolist() == [10074613132006831021, 13054659144438348706]
    assert len(np.unique(seeds[:, :SEEDS])) == 8000
    assert (seeds[:, SEEDS:].astype(np.int64) == -1).all()
    assert (make_deals(1, [7]) == make_deals(1, range(10))[7]).all()
