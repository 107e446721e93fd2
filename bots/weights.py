"""The numbers that `planner` thinks with, and where they stand in its memory. Prices are points."""

WEIGHTS = {
    # What a route takes, when tickets are planned
    "card": 0.55,  # a card
    "supply": 25.0,  # all trains of the supply together
    "turn": 1.2,  # a turn
    "worth": 0.6,  # how much of a route's own points makes it cheaper
    "bullet": 0.3,  # of the bonus at stake, by the cards that the others are ahead or behind
    # What can still be done
    "pace": 1.25,  # trains that a player lays in a turn, before the first turns have shown it
    "sure": 0.55,  # a plan that takes up to this part of the time left is sure to succeed
    "doubt": 0.55,  # one that takes this much more of it fails
    # Claims
    "stake": 0.6,  # how much of the plan's points its routes carry, by their share of the cards still missing
    "near": 4.0,  # cards added to the missing ones, so that the last route does not carry all
    "lost": 0.7,  # of a detour's price, if others touch a route of the plan
    "block": 0.3,  # of a route that others may need, divided by their number
    "spend": 0.8,  # a train on a route outside the plan, by supply
    # Cards
    "needed": 0.9,  # a card that the plan needs
    "spare": 0.3,  # one that it does not need
    "wild": 1.7,  # a locomotive
    "reach": 0.45,  # of the value of the route that a card brings nearer
    "far": 1.0,  # cards added to those that are missing for it
    "draw": 0.3,  # what a turn of drawing is worth beside its cards
    "late": 6.0,  # turns before the end from which on cards lose their value
    # Tickets
    "more": 0.75,  # of the expected gain of drawing tickets
    "least": 0.35,  # of the supply that must be left to draw tickets
    # Provinces
    "mat": 0.5,  # of what a train on the mat could gain after a claim
    "contest": 0.4,  # positions that a lead on a line can change in a turn
    "extra": 1.0,  # a card played for a placement
    "express": 1.0,  # a point of an express card
}

(
    CARD, SUPPLY, TURN_PRICE, WORTH, BULLET,
    PACE, SURE, DOUBT,
    STAKE, NEAR, LOST, BLOCK, SPEND,
    NEEDED, SPARE, WILD, REACH, FAR, DRAW, LATE,
    MORE, LEAST,
    MAT, CONTEST, EXTRA, EXPRESS,
) = range(len(WEIGHTS))  # fmt: skip
