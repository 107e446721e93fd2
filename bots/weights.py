"""The numbers that `planner` thinks with, and where they stand in its memory. Prices are points."""

WEIGHTS = {
    # What a route takes, when tickets are planned
    "card": 1,  # a card
    "supply": 10.4,  # all trains of the supply together
    "turn": 3.28,  # a turn
    "worth": 0.465,  # how much of a route's own points makes it cheaper
    "bullet": 0.587,  # of the bonus at stake, by the cards that the others are ahead or behind
    # What can still be done
    "pace": 1.67,  # trains that a player lays in a turn, before the first turns have shown it
    "sure": 0.659,  # a plan that takes up to this part of the time left is sure to succeed
    "doubt": 0.587,  # one that takes this much more of it fails
    # Claims
    "stake": 0.642,  # how much of the plan's points its routes carry, by their share of the cards still missing
    "near": 5.16,  # cards added to the missing ones, so that the last route does not carry all
    "lost": 0.919,  # of a detour's price, if others touch a route of the plan
    "block": 0.441,  # of a route that others may need, divided by their number
    "spend": 1,  # a train on a route outside the plan, by supply
    # Cards
    "needed": 1.84,  # a card that the plan needs
    "spare": 0.159,  # one that it does not need
    "wild": 0.733,  # a locomotive
    "reach": 1.92,  # of the value of the route that a card brings nearer
    "far": 1.6,  # cards added to those that are missing for it
    "draw": 0.859,  # what a turn of drawing is worth beside its cards
    "late": 13.8,  # turns before the end from which on cards lose their value
    # Tickets
    "more": 0.4,  # of the expected gain of drawing tickets
    "least": 0.25,  # of the supply that must be left to draw tickets
    # Provinces
    "mat": 0.414,  # of what a train on the mat could gain after a claim
    "contest": 0.378,  # positions that a lead on a line can change in a turn
    "extra": 1.19,  # a card played for a placement
    "express": 1.09,  # a point of an express card
}

(
    CARD, SUPPLY, TURN_PRICE, WORTH, BULLET,
    PACE, SURE, DOUBT,
    STAKE, NEAR, LOST, BLOCK, SPEND,
    NEEDED, SPARE, WILD, REACH, FAR, DRAW, LATE,
    MORE, LEAST,
    MAT, CONTEST, EXTRA, EXPRESS,
) = range(len(WEIGHTS))  # fmt: skip
