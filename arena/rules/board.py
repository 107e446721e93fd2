"""BOARD: one map for one number of seats, as a record of tables; `engine/compile_board.py` fills it once."""

import numpy as np

WORD_BITS = 64
SET_WORDS = 2  # of a set of routes or tickets, see sets.py; a set of cities is one word
MAX_SEATS = 5
MAX_ROUTES = SET_WORDS * WORD_BITS
MAX_CITIES = WORD_BITS
MAX_TICKETS = 96
MAX_LENGTH = 9
MAX_OFFER = 6
MAX_EXPRESS = 3  # the highest express card
MAX_POSITIONS = 15  # of a line of the province mat
DECK_SIZE = 127

COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
COLOR_COUNT = len(COLORS)
LOCOMOTIVE = COLOR_COUNT  # a card; in tables indexed by payment color it stands for "locomotives only"
CARDS = (*COLORS, "locomotive")
CARD_KINDS = len(CARDS)
GRAY = COLOR_COUNT  # a route's color
ROUTE_COLORS = (*COLORS, "gray")
RETURNED_UNDER, RETURNED_SHUFFLED, RETURNED_RESHUFFLED = range(3)  # tickets at set-up: B3, J2, K2

BOARD = np.dtype(
    (np.record, [
        # Routes (B14-B16)
        ("payable", "u8", (CARD_KINDS, MAX_LENGTH + 1, SET_WORDS)),  # of length <= n that a card pays for
        ("city_routes", "u8", (MAX_CITIES, SET_WORDS)),  # routes that end in the city
        ("all_routes", "u8", (SET_WORDS,)),
        ("bullet_routes", "u8", (SET_WORDS,)),  # (J3)
        ("route_points", "i2", (MAX_LENGTH + 1,)),  # points by length (B14)
        ("ticket_points", "i2", (MAX_TICKETS,)),
        ("a", "i2", (MAX_ROUTES,)), ("b", "i2", (MAX_ROUTES,)),  # the route's two cities
        ("length", "i2", (MAX_ROUTES,)), ("color", "i2", (MAX_ROUTES,)),
        ("twin", "i2", (MAX_ROUTES,)),  # the other track of a double route, or -1 (B16)
        ("ticket_a", "i2", (MAX_TICKETS,)), ("ticket_b", "i2", (MAX_TICKETS,)),
        # Counts
        ("seats", "i2"), ("routes", "i2"), ("cities", "i2"), ("tickets", "i2"),
        ("longest_route", "i2"),  # spaces
        # Bonuses for this number of seats, by rank from the best, and the positions of each line of the mat, by color
        ("bullet_bonus", "i2", (MAX_SEATS,)), ("province_bonus", "i2", (MAX_SEATS,)),
        ("positions", "i2", (COLOR_COUNT,)),
        ("lines", "i2"),  # how many lines have a position
        # Train cards: how many there are of each (B1), and how many each seat is dealt beyond its hand (B2)
        ("supply", "i2", (CARD_KINDS,)), ("extra_cards", "i2", (MAX_SEATS,)),
        # Rule numbers, named as in the map file's [rules]
        ("trains", "i2"), ("cards_per_color", "i2"), ("locomotives", "i2"), ("hand", "i2"),
        ("tickets_dealt", "i2"), ("tickets_keep", "i2"), ("tickets_drawn", "i2"), ("tickets_drawn_keep", "i2"),
        ("flush_at", "i2"), ("flush_limit", "i2"), ("twins_from", "i2"), ("last_round_trains", "i2"),
        ("longest_path", "i2"),
        ("tickets_keep_most", "i2"), ("tickets_returned", "i2"), ("tickets_draft", "i2"),
        ("bullet_trains", "i2"), ("last_round_bullets", "i2"), ("bullet_none", "i2"),
        ("express", "i2"),  # bit n: every player holds an express card +n (K1)
    ])
)  # fmt: skip
