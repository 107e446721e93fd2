"""Whole games as text, one for every map and seat count; a test replays them.

cd tests && python -m playthroughs.write      writes them anew, after a change of the rules that is meant
"""

from pathlib import Path

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.rules.actions import decode
from arena.rules.board import CARDS, COLORS
from arena.rules.scoring import SCORE, SOURCES, score_game
from arena.rules.state import ENDS
from helpers import SEAT_COUNTS, Stepper, a_deal, choose, members, ticket_deck, trains_on_mat

HERE = Path(__file__).parent


def describe(game: Stepper, code: int) -> str:
    """An action with the names of its route or tickets."""
    action, seat = decode(code), game.state["seat"]
    if action.kind == "claim":
        return str(action).replace(f"route {action.route}", f"{action.route} {game.spec.routes[action.route]}")
    if action.kind in ("keep", "draft"):
        offer = game.state["offer"][seat]
        return f"{action.kind} " + ", ".join(str(game.spec.tickets[offer[position]]) for position in action.keep)
    return str(action)


def table_state(game: Stepper) -> list[str]:
    """What lies on the table and in the hands."""
    state = game.state
    row = " ".join(CARDS[card] if card >= 0 else "-" for card in state["row"].tolist())
    counts = f"deck {state['deck_count']}, discards {state['discard_count']}, tickets {len(ticket_deck(state))}"
    if state["bullets_left"] or state["shared"].any():
        shared = ", ".join(str(game.spec.routes[route]) for route in members(state["shared"]))
        counts += f", bullet trains {state['bullets_left']}; shared: {shared or 'none'}"
    lines = [f"  row: {row}; {counts}"]
    for line in game.spec.provinces:
        index = COLORS.index(line.color)
        taken = [f"{place}: seat {seat}" for (where, place), seat in trains_on_mat(state).items() if where == index]
        if taken:
            lines.append(f"  {line.color} line: {', '.join(taken)}")
    for seat in range(game.seats):
        hand = " ".join(f"{count} {CARDS[card]}" for card, count in enumerate(state["hand"][seat].tolist()) if count)
        tickets = ", ".join(str(game.spec.tickets[ticket]) for ticket in members(state["tickets"][seat]))
        supply = f"{state['trains'][seat]} trains, {state['route_points'][seat]} points"
        if game.spec.rules.bullet_trains:
            supply += f", progress {state['progress'][seat]}"
        if game.spec.rules.express:
            supply += "".join(f", +{value}" for value in range(1, 4) if state["express"][seat] >> value & 1)
        lines.append(f"  seat {seat}: {supply}; {hand}; {tickets}")
    return lines


def playthrough(spec: MapSpec, seats: int) -> str:
    """A game as text: every decision, and the table after every tenth turn of seat 0."""
    game = Stepper(spec, seats, a_deal(2026))
    rng = np.random.default_rng(2026)
    lines = [f"{spec.name}, {seats} players, deal 0 of seed 2026", *table_state(game)]
    while not game.is_over:
        seat, phase, turn = int(game.state["seat"]), game.phase, int(game.state["turns"][0])
        codes = game.actions()
        code = choose(codes, "claims" if turn < 15 else "kinds", rng)
        lines.append(f"{seat} {phase}: {describe(game, code)}  [{codes.index(code) + 1} of {len(codes)}]")
        game.apply(code)
        if game.state["turns"][0] != turn and (turn + 1) % 10 == 0:
            lines += table_state(game)
    score: np.record = np.zeros(1, SCORE)[0]
    score_game(game.state, game.board, score)
    lines += [f"end: {ENDS[game.state['end']]}", *table_state(game)]
    for seat in range(seats):
        points = ", ".join(
            f"{source} {value}" for source, value in zip(SOURCES, score["points"][seat].tolist(), strict=True)
        )
        lines.append(f"seat {seat}: rank {score['rank'][seat]}, {score['score'][seat]} points ({points})")
    return "\n".join(lines) + "\n"


def path_of(spec: MapSpec, seats: int) -> Path:
    """Where a playthrough stands."""
    return HERE / f"{spec.key}-{seats}.txt"


if __name__ == "__main__":
    for name in catalog.map_names():
        for count in SEAT_COUNTS:
            path_of(catalog.load_map(name), count).write_text(
                playthrough(catalog.load_map(name), count), encoding="utf-8"
            )
