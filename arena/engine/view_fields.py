"""Reads the fields of a VIEW from its bytes by `struct`, in a tenth of the time that NumPy needs."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from struct import Struct
from typing import Any

from arena.rules.board import CARDS, MAX_EXPRESS, MAX_SEATS
from arena.rules.view import VIEW

_OFFSETS: dict[str, int] = {name: place[1] for name, place in (VIEW.fields or {}).items()}
kept = lru_cache(maxsize=1 << 14)
"""Keeps the results of a function of bytes: most parts of a view are the same as at the decision before."""


def _numbers(name: str) -> Callable[[bytes], tuple[Any, ...]]:
    """A function that reads all numbers of a field from the bytes of a view."""
    field = VIEW[name]
    return Struct(f"={_OFFSETS[name]}x{field.itemsize // field.base.itemsize}{field.base.char}").unpack_from


def _part(name: str) -> slice:
    """The place of a field among the bytes of a view."""
    return slice(_OFFSETS[name], _OFFSETS[name] + VIEW[name].itemsize)


def _parts(name: str) -> list[slice]:
    """The place of each seat's entry in a field."""
    begin, size = _OFFSETS[name], VIEW[name].itemsize // MAX_SEATS
    return [slice(begin + seat * size, begin + (seat + 1) * size) for seat in range(MAX_SEATS)]


seats, seat, phase, last_turns, pending_route, deck_count, ticket_count, bullets_left, mat = map(
    _numbers,
    ("seats", "seat", "phase", "last_turns", "pending_route", "deck_count", "ticket_count", "bullets_left", "mat"),
)
trains, route_points, cards, tickets_kept, turns, progress, express = map(
    _numbers, ("trains", "route_points", "cards", "tickets_kept", "turns", "progress", "express")
)
HAND, TICKETS, OFFER, PICKED, ROW, DISCARDS, SHARED = map(
    _part, ("hand", "tickets", "offer", "picked", "row", "discards", "shared")
)
KNOWN, ROUTES, OPEN = map(_parts, ("known", "routes_claimed", "open"))


def players(shown: bytes) -> Iterator[tuple[Any, ...]]:
    """What is public of each seat, in the order of the fields of a `Player`; sets and counts as bytes or bits."""
    known, routes = map(shown.__getitem__, KNOWN), map(shown.__getitem__, ROUTES)
    return zip(
        range(seats(shown)[0]), trains(shown), route_points(shown), cards(shown), tickets_kept(shown), turns(shown),
        known, routes, progress(shown), express(shown), strict=False,
    )  # fmt: skip


_two_words, _nine = Struct("=2Q").unpack, Struct(f"={len(CARDS)}h").unpack


@kept
def members(words: bytes) -> tuple[int, ...]:
    """The indices in a set of two words, ascending."""
    low, high = _two_words(words)
    bits = low | high << 64
    found = []
    while bits:
        lowest_bit = bits & -bits
        found.append(lowest_bit.bit_length() - 1)
        bits ^= lowest_bit
    return tuple(found)


@kept
def indices(places: bytes) -> tuple[int, ...]:
    """The numbers in places of one byte each; -1 stands for an empty place."""
    return tuple(index for index in places if index < 128)


@kept
def colors(slots: bytes) -> tuple[str | None, ...]:
    """The cards in slots of one byte each; None for an empty one."""
    return tuple(CARDS[card] if card < 128 else None for card in slots)


@kept
def counts(numbers: bytes) -> dict[str, int]:
    """The number of cards of each kind. Copy it before you hand it on."""
    return dict(zip(CARDS, _nine(numbers), strict=True))


@kept
def values(bits: int) -> tuple[int, ...]:
    """Express cards by their values."""
    return tuple(value for value in range(1, MAX_EXPRESS + 1) if bits >> value & 1)
