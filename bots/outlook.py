"""What the planner thinks of the moment: its plan, the time left, what cards and trains are worth."""

import numpy as np

from arena.bot import (
    COLORS,
    EMPTY,
    GRAY,
    LOCOMOTIVE,
    MAX_LENGTH,
    ONE,
    SET_WORDS,
    WORD_BITS,
    kernel,
    lowest,
    within_trains,
)
from bots.planning import LEAST_PART, progress_price, turns_left
from bots.plans import POINTS, add_twins, count_needs, is_plan_good, make_plan, routes_left
from bots.steiner import cards_in, trains_in
from bots.weights import FAR, LATE, NEAR, NEEDED, REACH, SPARE, SPEND, STAKE, SUPPLY, WILD

KINDS = len(COLORS) + 1  # of train card
OUTLOOK = np.dtype(
    (np.record, [
        ("time", "f8"),  # turns left, this one included
        ("fade", "f8"),  # how much of their value cards and trains have, the end being so near
        ("plan", "u8", (SET_WORDS,)),  # routes still to be claimed
        ("wanted", "u8", (SET_WORDS,)),  # these and their open twins
        ("needs", "f8", (KINDS,)),  # cards of each color for them, gray ones last
        ("planned", "i8"),  # their cost, without the price (see steiner.py)
        ("rate", "f8"),  # points of the plan that a space of its routes carries
        ("train", "f8"),  # price of a train that the plan does not need
        ("progress", "f8"),  # worth of a card of progress with bullet trains
        ("mat", "f8", (KINDS, MAX_LENGTH + 1)),  # worth of a placement after a claim (pricing.py), by color and length
        ("cards", "f8", (KINDS,)),  # worth of one more card of each kind
        ("blind", "f8"),  # worth of an unseen card
    ])
)  # fmt: skip


@kernel
def tell_time(view, board, memory, now):
    """Fill how much time is left, and what that does to the worth of things."""
    now.time = turns_left(view, board, memory)
    now.fade = min(1.0, (now.time - 1.0) / max(LEAST_PART, memory[LATE]))


@kernel
def look(view, board, memory, now, may_plan):
    """Fill an OUTLOOK, time and fade aside; the plan is made anew if it does not fit any more and `may_plan`."""
    routes_left(view, memory, now.plan)
    now.planned = count_needs(view, board, now.plan, now.needs)
    if may_plan and not is_plan_good(view, memory, now.plan, now.planned):
        make_plan(view, board, memory, now.plan, now.time)
        now.planned = count_needs(view, board, now.plan, now.needs)
    add_twins(view, board, now.plan, now.wanted)
    now.rate = memory[STAKE] * memory[POINTS] / max(1.0, cards_in(now.planned) + memory[NEAR])
    now.train = now.fade * memory[SPEND] * memory[SUPPLY] / board.trains
    now.progress = progress_price(view, board, memory) if view.bullets_left > 0 else 0.0
    price_cards(view, board, memory, now)
    now.blind = blind_price(view, board, now.cards)


@kernel
def route_promises(view, board, now, promises):
    """Fill the most that an open route promises by its color and length (float64 [9, MAX_LENGTH + 1]); 0 for none."""
    promises[:] = 0.0
    free = view.trains[view.seat] - trains_in(now.planned)
    for word in range(SET_WORDS):
        routes = within_trains(view, board, view.seat, word)
        bullets = board.bullet_routes[word] if view.bullets_left > 0 else EMPTY
        while routes != EMPTY:
            route = WORD_BITS * word + lowest(routes)
            bit = routes & (~routes + ONE)
            routes ^= bit
            length, color = board.length[route], board.color[route]
            value = now.progress * length if bullets & bit else float(board.route_points[length])
            if now.wanted[word] & bit:
                value += now.rate * length
            elif bullets & bit == EMPTY:
                value = value - now.train * length if length <= free else 0.0
            promises[color, length] = max(promises[color, length], value)


@kernel
def price_cards(view, board, memory, now):
    """Fill what one more card of each kind is worth: it may be needed by the plan, and it brings routes nearer."""
    promises = np.empty((KINDS, MAX_LENGTH + 1))
    route_promises(view, board, now, promises)
    locomotives, best = int(view.hand[LOCOMOTIVE]), 0.0
    for color in range(len(COLORS)):
        held = view.hand[color] + locomotives
        spare = max(float(locomotives), held - now.needs[color])  # what the plan leaves for gray routes
        nearest = 0.0
        for length in range(1, board.longest_route + 1):
            if length > held:
                nearest = max(nearest, promises[color, length] / max(1.0, length - held + memory[FAR]))
            if length > spare:
                nearest = max(nearest, promises[GRAY, length] / max(1.0, length - spare + memory[FAR]))
        best = max(best, nearest)
        use = memory[NEEDED] if view.hand[color] < now.needs[color] else memory[SPARE]
        now.cards[color] = now.fade * (memory[REACH] * nearest + use)
    now.cards[LOCOMOTIVE] = now.fade * (memory[REACH] * best + memory[WILD])


@kernel
def blind_price(view, board, prices):
    """What an unseen card is worth on average."""
    total, count = 0.0, 0
    for card in range(KINDS):
        unseen = int(board.supply[card])
        unseen -= view.hand[card] + view.discards[card]
        for other in range(view.seats):
            if other != view.seat:
                unseen -= view.known[other, card]
        for slot in range(len(view.row)):
            unseen -= view.row[slot] == card
        total += prices[card] * unseen
        count += unseen
    return total / count if count > 0 else 0.0
