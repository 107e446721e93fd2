"""Games that cannot be: each invariant, broken on purpose, is seen, and a run in which one is broken stops."""

import pickle
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.bot import policy
from arena.engine import loop
from arena.engine.bots import Entrant
from arena.engine.faults import WROTE_STATE
from arena.engine.loop import DESK, DESK_BYTES
from arena.engine.table import Table
from arena.errors import ArenaError, BrokenGame
from arena.rules.compiler import INTERPRETED, kernel
from arena.rules.deal import make_deals
from arena.rules.invariants import INVARIANTS, broken
from arena.rules.state import END_FORFEIT, OVER, STATE
from arena.rules.view import VIEW
from helpers import SEAT_COUNTS, STYLES, Stepper, a_deal, choose, members

Call = Callable[..., Any]
SCARCE: dict[str, int | str] = {"cards.red": 5, "cards.green": 20, "extra_cards.1": 3, "tickets_keep": 0}

BOT = '''
import gc

from arena.bot import Bot


class Tampers(Bot):
    """Takes a card out of the game, in its fifth decision in seat 1."""

    decisions = 0

    def choose(self, view):
        from arena.engine.table import Table

        self.decisions += 1
        if self.decisions == 5 and view.seat == 1:
            for table in gc.get_objects():
                if isinstance(table, Table) and table.state["deck_count"] > 0:
                    table.states["deck_count"] -= 1
        return view.actions[0]
'''


@kernel
def broken_at(states, boards):
    return broken(states[0], boards[0])


def name_of(game: Stepper) -> str:
    """The invariant that the game breaks."""
    return list(INVARIANTS)[broken_at(game.states, game.boards)]


def games(spec: MapSpec, seats: int, number: int = len(STYLES)) -> Iterator[Stepper]:
    """Games in all styles; the caller may look at each decision."""
    for index in range(number):
        game = Stepper(spec, seats, a_deal(14, index))
        rng = np.random.default_rng(index)
        while not game.is_over:
            yield game
            game.apply(choose(game.actions(), STYLES[index % len(STYLES)], rng))
        yield game


@pytest.mark.parametrize("settings", [{}, SCARCE], ids=["plain", "scarce"])
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_every_game_is_sound(spec: MapSpec, seats: int, settings: dict[str, int | str]) -> None:
    """At its end, at each decision before it, and if it is broken off there."""
    if settings:
        spec = catalog.load_map(spec.key, settings)
    for game in games(spec, seats):
        assert name_of(game) == "none"
        phase, end = int(game.fields["phase"]), int(game.fields["end"])
        game.fields["phase"], game.fields["end"] = OVER, END_FORFEIT
        assert name_of(game) == "none"
        game.fields["phase"], game.fields["end"] = phase, end


def owner(game: Stepper) -> int:
    """A seat with a route."""
    return next(seat for seat in range(game.seats) if members(game.fields["routes_claimed"][seat]))


def swap_card(state: np.void) -> None:
    card = int(state["deck"][0])
    state["deck"][0] = (card + 1) % 9


def no_card(state: np.void) -> None:
    state["deck"][0] = 77


def toggle(words: np.ndarray, index: int) -> None:
    words[index // 64] ^= np.uint64(1 << index % 64)


def give_away(game: Stepper) -> None:
    """A second owner for a route."""
    seat = owner(game)
    toggle(game.fields["routes_claimed"][(seat + 1) % game.seats], members(game.fields["routes_claimed"][seat])[0])


def lose_ticket(game: Stepper) -> None:
    held = next(words for words in game.fields["tickets"][: game.seats] if members(words))
    toggle(held, members(held)[0])


def double_ticket(game: Stepper) -> None:
    """A ticket that one seat holds lies in the deck, too, instead of another one."""
    state = game.fields
    held = next(words for words in state["tickets"][: game.seats] if members(words))
    state["ticket_deck"][state["ticket_top"]] = members(held)[0]


SPOILED: list[tuple[str, str, Callable[[Stepper], Any]]] = [
    ("cards", "a card more in a hand", lambda game: bump(game, "hand", (0, 3), 1)),
    ("cards", "a card that is owed", lambda game: owe(game)),
    ("cards", "a card that became another", lambda game: swap_card(game.fields)),
    ("cards", "a card that is none", lambda game: no_card(game.fields)),
    ("cards", "a card less in the deck", lambda game: bump(game, "deck_count", (), -1)),
    ("cards", "a deck that is longer than it can be", lambda game: bump(game, "deck_count", (), 9000)),
    ("cards", "no card in the row", lambda game: put(game, "row", 0, -1)),
    ("cards", "a stranger in the row", lambda game: put(game, "row", 0, 9)),
    ("cards", "a discard more", lambda game: bump(game, "discards", (8,), 1)),
    ("cards", "discards counted wrong", lambda game: bump(game, "discard_count", (), 1)),
    ("cards", "an express card that the map does not have", lambda game: put(game, "express", 1, 1 << 5)),
    ("routes", "a route with two owners", give_away),
    ("routes", "a route that can be claimed again", lambda game: reopen(game)),
    ("routes", "a route that the map does not have", lambda game: toggle(game.fields["routes_claimed"][0], 127)),
    ("trains", "a train more", lambda game: bump(game, "trains", (0,), 1)),
    ("trains", "a bullet train more", lambda game: bump(game, "bullets_left", (), 1)),
    ("trains", "a train on a mat that the map does not have", lambda game: put(game, "mat", 7, 1 << 60)),
    ("points", "a point more", lambda game: bump(game, "route_points", (1,), 1)),
    ("points", "a point less", lambda game: bump(game, "route_points", (0,), -1)),
    ("points", "progress more", lambda game: bump(game, "progress", (0,), 1)),
    ("tickets", "a ticket less", lose_ticket),
    ("tickets", "a ticket in two places", double_ticket),
    ("tickets", "a ticket that is none", lambda game: put(game, "ticket_deck", int(game.fields["ticket_top"]), 95)),
    ("tickets", "a ticket deck that is shorter", lambda game: bump(game, "ticket_count", (), -1)),
    ("tickets", "tickets on offer that nobody has drawn", lambda game: bump(game, "offer_size", (0,), 1)),
    ("tickets", "more tickets on offer than can be", lambda game: bump(game, "offer_size", (1,), 900)),
]


def bump(game: Stepper, field: str, place: tuple[int, ...], by: int) -> None:
    if place:
        game.fields[field][place] += by
    else:
        game.fields[field] += by


def put(game: Stepper, field: str, place: int, value: int) -> None:
    game.fields[field][place] = value


def owe(game: Stepper) -> None:
    """The sum over all places is right, but one hand holds less than nothing."""
    hand = game.fields["hand"]
    hand[0, 2] += 1 + hand[1, 2]
    hand[1, 2] = -1


def reopen(game: Stepper) -> None:
    seat = owner(game)
    toggle(game.fields["open"][(seat + 1) % game.seats], members(game.fields["routes_claimed"][seat])[0])


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize(("name", "spoil"), [(name, spoil) for name, _, spoil in SPOILED], ids=[s[1] for s in SPOILED])
def test_what_is_broken_is_seen(spec: MapSpec, seats: int, name: str, spoil: Callable[[Stepper], Any]) -> None:
    """In a game in which every seat has something, and once in its middle."""
    game = next(
        game
        for game in games(spec, seats)
        if game.phase == "turn"
        and game.fields["deck_count"] > 0
        and sum(len(members(words)) for words in game.fields["routes_claimed"][:seats]) > 5
    )
    game.lay(game.states.copy())
    assert name_of(game) == "none"
    spoil(game)
    assert name_of(game) == name


@pytest.mark.parametrize("field", ["shared", "mat"])
def test_what_the_mechanisms_break_is_seen(field: str) -> None:
    """A bullet route that nobody has; a train on the mat that is nobody's, beyond its line, or in another's place."""
    specs = [catalog.load_map(name) for name in catalog.map_names()]
    spec = next(spec for spec in specs if (spec.provinces if field == "mat" else spec.rules.bullet_trains))
    *_, game = (game for game in games(spec, 3, 1) if game.fields[field].any() and game.phase == "turn")
    before = game.states.copy()
    spoils: list[tuple[str, Callable[[], None]]] = []
    if field == "shared":
        route = members(game.fields["shared"])[0]
        spoils.append(("trains", lambda: toggle(game.fields["shared"], route)))
    else:
        line = int(np.flatnonzero(game.fields["mat"])[0])
        word = int(game.fields["mat"][line])
        positions = int(game.boards["positions"][0, line])
        lowest = next(place for place in range(15) if word >> 4 * place & 15)
        for other in (0, 5, 15, (word >> 4 * lowest & 15) % 3 + 1):  # nobody's, or another seat's
            changed = word & ~(15 << 4 * lowest) | other << 4 * lowest
            spoils.append(("trains", lambda changed=changed: put(game, "mat", line, changed)))  # type: ignore[misc]
        spoils.append(("trains", lambda: put(game, "mat", line, word | 1 << 4 * positions)))
    for name, spoil in spoils:
        game.lay(before.copy())
        assert name_of(game) == "none"
        spoil()
        assert name_of(game) == name


@pytest.mark.parametrize("seats", [2, 4])
def test_a_broken_game_stops_a_run(seats: int, tmp_path: Path, arena: Call) -> None:
    """Exit code 1 and one sentence: what is wrong, in which game, what to do. The games before it are kept."""
    (tmp_path / "t.py").write_text(BOT)
    result = arena("run", "t.py:Tampers", *["greedy"] * (seats - 1), "--games", 4 * seats, "--out", "a run")
    assert result.returncode == 1
    line = result.stderr.splitlines()[-1]
    assert line.startswith("Error: game ")
    assert "is broken, invariant `cards`: deck, row, discards and hands do not hold the cards that there are;" in line
    assert line.count("Error") == line.count(" game ") == 1
    again = line.split("`")[-2]
    assert again.startswith("arena replay 'a run' ")
    told = arena(*shlex.split(again)[1:])  # the bot tampers again; what it played cannot be told
    assert told.returncode == 1
    assert told.stdout == ""
    assert line.startswith(told.stderr.splitlines()[-1].removesuffix("please report it"))


def test_an_arena_that_is_wrong_is_told(tmp_path: Path, arena: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the arena itself breaks an invariant in the same way again, a replay tells the game, then what is wrong."""
    warm = Stepper(catalog.load_map(catalog.default_map()), 2, a_deal(0)).fields["streams"][2]  # compiling plays a game
    finish = loop.finish

    def finish_wrongly(memory: np.ndarray, fault: np.ndarray) -> int:
        invariant = finish(memory, fault)
        return int(invariant) if memory[:DESK_BYTES].view(DESK)["state"]["streams"][0, 2] == warm else 4

    monkeypatch.setattr(loop, "finish", finish_wrongly)
    result = arena("run", "tutorial", "random", "--games", 4, "--jobs", 1, "--out", "r")
    assert result.returncode == 1
    assert "game 0 is broken, invariant `points`" in result.stderr
    told = arena("replay", "r", 0)
    assert told.returncode == 1
    assert "rank  bot" in told.stdout
    assert told.stderr.splitlines()[-1].startswith("Error: game 0 is broken, invariant `points`: the points of a seat")


def test_an_error_with_its_game_comes_from_a_worker() -> None:
    error = pickle.loads(pickle.dumps(BrokenGame("a card is missing", 7)))
    assert isinstance(error, ArenaError)
    assert (error.game, str(error)) == (7, str(BrokenGame("a card is missing", 7)))
    assert str(BrokenGame("it")).startswith("a game is broken, it;")


@policy(offset=0.0)
def oversteps(view, board, actions, memory, random_state):
    """Writes outside of the view, where it is told to, in its sixth decision; nothing at offset 0."""
    memory[1] += 1
    if memory[1] == 6 and memory[0] != 0:
        view.hand[int(memory[0])] += 1
    return actions[0]


def table_overstepped(table_class: type[Table] = Table) -> tuple[Table, Entrant]:
    """A table whose first bot puts a card on the discards, which it was not handed."""
    entrant = Entrant("oversteps", "", oversteps, {"offset": 0.0}, "")
    lineup = [entrant, *catalog.load_entrants(["greedy"])]
    at = table_class(catalog.load_map(catalog.default_map()), 2, lineup)
    discards = at.states.ctypes.data + (STATE.fields or {})["discards"][1]
    hand = at.views.ctypes.data + (VIEW.fields or {})["hand"][1]
    places, odd = divmod(discards - hand, 2)
    assert not odd
    entrant.parameters["offset"] = places if places >= 0 else places - 9  # an index below 0 counts from the end
    return at, entrant


UNSAFE = pytest.mark.skipif(INTERPRETED or bool(numba.config.BOUNDSCHECK), reason="such a write is caught")


@UNSAFE
def test_a_compiled_bot_that_writes_into_the_state_has_a_fault() -> None:
    """The compiled game breaks an invariant; decision by decision it turns out who wrote, and the state is mended."""
    at, entrant = table_overstepped()
    at.starts = np.stack([each.memory() for each in at.entrants])
    outcomes, faults = at.play(np.array([[0, 1], [1, 0], [1, 1]]), make_deals(1, range(3)))
    assert [(game, fault.seat, fault.kind, fault.reason) for game, found in faults.items() for fault in found] == [
        (0, 0, "illegal", WROTE_STATE), (1, 1, "illegal", WROTE_STATE),
    ]  # fmt: skip
    entrant.parameters["offset"] = 0.0
    at.starts = np.stack([each.memory() for each in at.entrants])
    harmless, none = at.play(np.array([[1, 1]]), make_deals(1, [2]))
    assert not none
    assert outcomes[2:].tobytes() == harmless.tobytes()


@UNSAFE
def test_a_compiled_game_that_is_broken_only_once_stops_the_run() -> None:
    """If nobody turns out to have written when it is played again, the compiled loop is not to be believed."""
    at, entrant = table_overstepped()
    at.starts = np.stack([each.memory() for each in at.entrants])
    entrant.parameters["offset"] = 0.0
    with pytest.raises(BrokenGame, match=r"^game 12 is broken, invariant `cards`"):
        at.play(np.array([[1, 1], [1, 1], [0, 1]]), make_deals(1, range(3)), first=10)
    with pytest.raises(BrokenGame, match=r"^a game is broken"):
        at.play(np.array([[0, 1]]), make_deals(1, [0]))
