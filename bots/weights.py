"""The numbers that `planner` thinks with, and where they stand in its memory. Prices are points."""

WEIGHTS = {
    # What a route takes, when tickets are planned
    "card": 0.487,  # a card
    "supply": 7.02,  # all trains of the supply together
    "turn": 4.03,  # a turn
    "worth": 0.537,  # how much of a route's own points makes it cheaper
    "bullet": 0.741,  # of the bonus at stake, by the cards that the others are ahead or behind
    # What can still be done
    "pace": 2.17,  # trains that a player lays in a turn, before the first turns have shown it
    "sure": 0.534,  # a plan that takes up to this part of the time left is sure to succeed
    "doubt": 1.45,  # one that takes this much more of it fails
    # Claims
    "stake": 0.727,  # how much of the plan's points its routes carry, by their share of the cards still missing
    "near": 6.46,  # cards added to the missing ones, so that the last route does not carry all
    "lost": 1.52,  # of a detour's price, if others touch a route of the plan
    "block": 0.441,  # of a city of a route that others have reached, by the square of their number
    "spend": 1.37,  # a train on a route outside the plan, by supply
    # Cards
    "needed": 3.43,  # a card that the plan needs
    "spare": 0.154,  # one that it does not need
    "wild": 0.67,  # a locomotive
    "reach": 2.02,  # of the value of the route that a card brings nearer
    "far": 2.62,  # cards added to those that are missing for it
    "draw": 0.516,  # what a turn of drawing is worth beside its cards
    "late": 9.63,  # turns before the end from which on cards lose their value
    # Tickets
    "more": 0.4,  # of the expected gain of drawing tickets
    "least": 0.25,  # of the supply that must be left to draw tickets
    # Provinces
    "mat": 0.384,  # of what a train on the mat could gain after a claim
    "contest": 0.466,  # positions that a lead on a line can change in a turn
    "extra": 0.865,  # a card played for a placement
    "express": 0.9,  # a point of an express card
}

(
    CARD, SUPPLY, TURN_PRICE, WORTH, BULLET,
    PACE, SURE, DOUBT,
    STAKE, NEAR, LOST, BLOCK, SPEND,
    NEEDED, SPARE, WILD, REACH, FAR, DRAW, LATE,
    MORE, LEAST,
    MAT, CONTEST, EXTRA, EXPRESS,
) = range(len(WEIGHTS))  # fmt: skip
