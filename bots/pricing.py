"""What a card, a route and a draw of tickets are worth to `planner`, in points."""

import numpy as np

from arena.bot import (
    EMPTY,
    GRAY,
    LOCOMOTIVE,
    MAX_LENGTH,
    ONE,
    has,
    is_bullet,
    kernel,
    line_strength,
    lowest,
    with_train,
    within_trains,
)
from bots.planning import odds, progress_price, survey
from bots.steiner import CARDS, ROUTES, cards_in, price_of, trains_in
from bots.weights import (
    BLOCK,
    CONTEST,
    FAR,
    LATE,
    LOST,
    MAT,
    NEAR,
    NEEDED,
    REACH,
    SPARE,
    SPEND,
    STAKE,
    SUPPLY,
    WILD,
)  # fmt: skip

# Where a policy's memory keeps the plan, behind the weights.
POINTS = 40  # what its tickets bring
PLAN = 41  # its routes: four numbers of 32 bits
DETOUR = 64  # by route: what it would cost to go around it


@kernel
def routes_left(view, memory, routes):
    """Fill the set of the plan's routes that are still to be claimed."""
    for word in range(2):
        high = np.uint64(int(memory[PLAN + 2 * word + 1])) << np.uint64(32)
        planned = np.uint64(int(memory[PLAN + 2 * word])) | high
        routes[word] = planned & ~view.mine[view.seat, word] & ~view.shared[word]


@kernel
def remember_routes(memory, routes):
    """Keep the set of the plan's routes."""
    for word in range(2):
        memory[PLAN + 2 * word] = float(int(routes[word] & np.uint64(0xFFFFFFFF)))
        memory[PLAN + 2 * word + 1] = float(int(routes[word] >> np.uint64(32)))


@kernel
def count_needs(view, board, routes, needs):
    """The cards of each color that the routes of a set take, gray ones last; the cost of all, without its price."""
    needs[:] = 0.0
    cost = 0
    for word in range(2):
        left = routes[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left &= left - ONE
            length = int(board.length[route])
            needs[board.color[route]] += length
            cost += (1 << ROUTES) + (length << CARDS)
            if not is_bullet(view, board, route):
                cost += length
    return cost


@kernel
def life(time, memory):
    """How much of its value a card or a train has, the game's end being so near."""
    return min(1.0, (time - 1.0) / memory[LATE])


@kernel
def touching(view, board, route):
    """How many of the two cities of a route other seats have reached, all seats counted."""
    count = 0
    for other in range(view.seats):
        if other != view.seat:
            for city in (board.a[route], board.b[route]):
                reached = EMPTY
                for word in range(2):
                    reached |= view.mine[other, word] & board.city_routes[city, word]
                count += reached != EMPTY
    return count


@kernel
def route_worth(view, board, memory, route):
    """What a route brings by itself: points, or progress with bullet trains."""
    length = int(board.length[route])
    if is_bullet(view, board, route):
        return progress_price(view, board, memory) * length
    return float(board.route_points[length])


@kernel
def line_prospect(view, board, memory, line, time):
    """What the own trains on a line of the mat promise: of the bonus, by the lead over each of the others."""
    own = line_strength(line, view.seat)
    if own == 0:
        return 0.0
    width = 1.0 + memory[CONTEST] * time
    sum_ = 0.0
    for other in range(view.seats):
        if other != view.seat:
            lead = (own - line_strength(line, other)) / 16.0
            sum_ += min(1.0, max(0.0, 0.5 + 0.5 * lead / width))
    return board.province_bonus[0] * sum_ / (view.seats - 1)


@kernel
def placement_prospect(view, board, memory, line, target, time):
    """By how much a train on a position of a line, or below it (K7), raises what the line promises."""
    before = view.mat[line]
    after = with_train(before, board.positions[line], target, view.seat)
    return line_prospect(view, board, memory, after, time) - line_prospect(view, board, memory, before, time)


@kernel
def mat_worth(view, board, memory, route, time):
    """What a train on the province mat could bring after a claim: that of the best line, less the train."""
    best = 0.0
    color = board.color[route]
    first, last = (0, 8) if color == GRAY else (color, color + 1)
    for line in range(first, last):
        if board.positions[line] > 0:
            best = max(best, placement_prospect(view, board, memory, line, board.length[route], time))
    return memory[MAT] * max(0.0, best - memory[SUPPLY] / board.trains * life(time, memory))


@kernel
def train_price(board, memory, time):
    """What a train is worth that is not needed by the plan."""
    return memory[SPEND] * memory[SUPPLY] / board.trains * life(time, memory)


@kernel
def claim_value(view, board, memory, plan, planned, time, route):
    """What a claim brings: its points, its share of the plan, and how much others could harm; without its payment."""
    length = int(board.length[route])
    value = route_worth(view, board, memory, route)
    others, cards = view.seats - 1, cards_in(planned)
    near = touching(view, board, route)
    if board.lines > 0:
        value += mat_worth(view, board, memory, route, time)
    if has(plan, route):
        value += memory[STAKE] * memory[POINTS] * length / (cards + memory[NEAR])
        if cards == length:
            value += (1.0 - memory[STAKE]) * memory[POINTS]
        return value + memory[LOST] * memory[DETOUR + route] * min(1.0, 0.25 + 0.375 * near)
    if not is_bullet(view, board, route):
        value -= train_price(board, memory, time) * length
        if length > view.trains[view.seat] - trains_in(planned):
            value -= memory[POINTS]
    return value + memory[BLOCK] * near / (others * others)


@kernel
def colored_price(view, memory, needs, color, count, own):
    """What `count` cards of a color are worth elsewhere; `own` of them the plan meant for this route."""
    spare = max(0.0, view.hand[color] - (needs[color] - own))
    return memory[NEEDED] * max(0.0, count - spare) + memory[SPARE] * min(float(count), spare)


@kernel
def best_worths(view, board, memory, plan, planned, time, worths):
    """Fill the most that an open route promises by its color and length (float64 [9, MAX_LENGTH + 1]); 0 for none."""
    worths[:] = 0.0
    rate = memory[STAKE] * memory[POINTS] / (cards_in(planned) + memory[NEAR])
    price = train_price(board, memory, time)
    progress = progress_price(view, board, memory) if view.bullets_left > 0 else 0.0
    free = view.trains[view.seat] - trains_in(planned)
    for word in range(2):
        routes = within_trains(view, board, view.seat, word)
        bullets = board.bullet_routes[word] if view.bullets_left > 0 else EMPTY
        while routes != EMPTY:
            bit = routes & (~routes + ONE)
            route = 64 * word + lowest(routes)
            routes ^= bit
            length, color = board.length[route], board.color[route]
            value = progress * length if bullets & bit else float(board.route_points[length])
            if plan[word] & bit:
                value += rate * length
            elif bullets & bit == EMPTY:
                value = value - price * length if length <= free else 0.0
            if value > worths[color, length]:
                worths[color, length] = value


@kernel
def card_prices(view, board, memory, plan, needs, planned, time, prices):
    """Fill what one more card of each kind is worth (float64[9])."""
    worths = np.empty((9, MAX_LENGTH + 1))
    best_worths(view, board, memory, plan, planned, time, worths)
    locomotives, best = int(view.hand[LOCOMOTIVE]), 0.0
    for color in range(8):
        held = view.hand[color] + locomotives
        spare = max(float(locomotives), held - needs[color])
        nearest = 0.0
        for length in range(1, board.longest_route + 1):
            if length > held:
                nearest = max(nearest, worths[color, length] / (length - held + memory[FAR]))
            if length > spare:
                nearest = max(nearest, worths[GRAY, length] / (length - spare + memory[FAR]))
        best = max(best, nearest)
        prices[color] = memory[REACH] * nearest
        prices[color] += memory[NEEDED] if view.hand[color] < needs[color] else memory[SPARE]
    prices[LOCOMOTIVE] = memory[REACH] * best + memory[WILD]
    for card in range(9):
        prices[card] *= life(time, memory)


@kernel
def blind_price(view, board, prices):
    """What an unseen card is worth on average."""
    total, count = 0.0, 0
    for card in range(9):
        unseen = board.locomotives if card == LOCOMOTIVE else board.cards_per_color
        unseen -= view.hand[card] + view.discards[card]
        for other in range(view.seats):
            if other != view.seat:
                unseen -= view.known[other, card]
        for slot in range(len(view.row)):
            unseen -= view.row[slot] == card
        total += prices[card] * unseen
        count += unseen
    return total / count if count > 0 else 0.0


@kernel
def ticket_prospects(view, board, memory, planned, time, gains):
    """Fill what each unknown ticket would bring beside a plan of some cost, the best first; their number."""
    node, _, _, distance = survey(view, board, memory)
    count = 0
    before = memory[POINTS] * odds(planned, view, time, memory)
    for ticket in range(board.tickets):
        if has(view.tickets, ticket):
            continue
        cost = distance[node[board.ticket_a[ticket]], node[board.ticket_b[ticket]]]
        points = float(board.ticket_points[ticket])
        after = (memory[POINTS] + 2.0 * points) * odds(planned + cost, view, time - 1.0, memory) - price_of(cost)
        gain = max(0.0, after - before) - points
        place = count
        while place > 0 and gains[place - 1] < gain:
            gains[place] = gains[place - 1]
            place -= 1
        gains[place] = gain
        count += 1
    return count


@kernel
def best_of(gains, count, drawn):
    """The expected best of some gains (best first) drawn at random without replacement."""
    expected, none_better = 0.0, 1.0
    for place in range(count):
        left = count - place
        chance = min(1.0, drawn / left)
        expected += none_better * chance * gains[place]
        none_better *= 1.0 - chance
    return expected
