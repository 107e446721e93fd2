"""STATE: one game as one flat record. Each field is written by the one module that is named beside it.

Only `determinize`, which makes a whole state out of a view, writes them all.
"""

import numpy as np

from arena.rules.board import CARD_KINDS, COLOR_COUNT, DECK_SIZE, MAX_OFFER, MAX_SEATS, MAX_TICKETS, SET_WORDS

ROW = 5
STREAM_DECK, STREAM_RESHUFFLES, STREAM_TICKETS, STREAM_SHUFFLE = range(4)
EMPTY_SLOT = -1

# Phases: what the next decision is about.
DRAFT, SETUP, TURN, FIRST_CARD, SECOND_CARD, KEEP, PLACE, OVER = range(8)
PHASES = ("draft", "setup", "turn", "first_card", "second_card", "keep", "place", "over")

# How the game ended (B19, B18), or was ended because somebody did not play by the rules.
NOT_ENDED, END_TRAINS, END_STALL, END_FORFEIT = range(4)
ENDS = ("none", "trains", "stall", "forfeit")

STATE = np.dtype(
    (np.record, [
        # deck.py and tickets.py: the words of the random streams, indexed by STREAM_*
        ("streams", "u8", (4,)),
        # claims.py: sets of routes and their points
        ("routes_claimed", "u8", (MAX_SEATS, SET_WORDS)),  # routes the seat has claimed
        ("open", "u8", (MAX_SEATS, SET_WORDS)),  # unclaimed routes that no twin closes for the seat (B16)
        ("route_points", "i2", (MAX_SEATS,)),
        ("trains", "i2", (MAX_SEATS,)),  # left in the seat's supply
        # shared.py: the bullet routes claimed (everybody's), and who advanced how far (J3-J5)
        ("shared", "u8", (SET_WORDS,)),
        ("bullets_left", "i2"),
        ("progress", "i2", (MAX_SEATS,)),
        # provinces.py: four bits a position, 0 or 1 + the seat, the first position lowest (K5)
        ("mat", "u8", (COLOR_COUNT,)),
        ("pending_route", "i2"), ("paid", "i2"),  # the claim that a placement may follow: its route, its card; else -1
        # express.py
        ("express", "i2", (MAX_SEATS,)),  # bit n: the seat still holds +n (K3)
        # tickets.py
        ("tickets", "u8", (MAX_SEATS, SET_WORDS)),  # tickets the seat has kept
        ("ticket_deck", "i1", (MAX_TICKETS,)),  # a ring: the top is at ticket_top
        ("ticket_top", "i2"), ("ticket_count", "i2"),
        ("offer", "i1", (MAX_SEATS, MAX_OFFER)),  # tickets the seat must choose from; in the draft its picks follow
        ("offer_size", "i2", (MAX_SEATS,)),  # how many it must choose from
        ("choice_mask", "i2", (MAX_SEATS,)),  # choice (bits of the offer), secret until all have chosen (B3, K2)
        # deck.py
        ("deck", "i1", (DECK_SIZE,)),  # the top is the last of deck_count cards
        ("deck_count", "i2"),
        ("row", "i1", (ROW,)),  # the face-up cards or EMPTY_SLOT
        ("discards", "i2", (CARD_KINDS,)), ("discard_count", "i2"),
        ("hand", "i2", (MAX_SEATS, CARD_KINDS)),  # cards held, by card
        ("known", "i2", (MAX_SEATS, CARD_KINDS)),  # of these publicly known: taken face up and not paid since
        # turn.py
        ("phase", "i2"), ("seat", "i2"),  # who decides what
        ("last_turns", "i2"),  # turns left in the last round; -1 before it (B19)
        ("passes", "i2"),  # passes in a row (B18)
        ("turns", "i2", (MAX_SEATS,)),  # turns finished
        ("end", "i2"),
    ])
)  # fmt: skip
