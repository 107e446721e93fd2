"""The parts of a `View`: players, paths and the list of actions, each made when a bot first looks at it."""

from collections.abc import Iterator, Sequence
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, overload

from arena.rules.actions import DECODED, Action
from arena.rules.view import VIEW_BYTES

decode = DECODED.__getitem__
integer = Struct("=i").unpack_from
"""Reads an integer at a place among bytes."""
if TYPE_CHECKING:
    import functools

    lazy = functools.cached_property
else:

    class lazy:  # noqa: N801  # a decorator
        """`functools.cached_property` at a third of its price: every decision looks at some."""

        def __init__(self, function):
            self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

        def __get__(self, view, owner):
            if view is None:
                return self
            value = self.function(view)
            setattr(view, self.name, value)  # found before this from now on
            return value


class Player(NamedTuple):
    """What everyone at the table sees of one seat."""

    seat: int
    trains: int
    """Trains left in the supply."""
    points: int
    """Points scored for routes so far."""
    cards: int
    """Number of train cards in hand."""
    tickets: int
    """Number of tickets held."""
    turns: int
    """Turns finished."""
    known: dict[str, int]
    """Cards surely in hand, because they were taken face up and not paid since."""
    routes: tuple[int, ...]
    """Indices of the routes claimed."""
    progress: int
    """The progress made with bullet trains."""
    express: tuple[int, ...]
    """Values of the express cards not used yet."""


class Path(NamedTuple):
    """The cheapest way to connect two cities."""

    routes: tuple[int, ...]
    """Routes that are still to be claimed."""
    trains: int
    """The trains it takes: the spaces of these routes, without bullet routes."""
    cards: int
    """The cards still to be drawn for it, if gray routes are paid in the color that most cards are left of."""


class Actions(Sequence[Action]):
    """Legal actions, decoded when they are read: with a large hand there are thousands, and most bots look at few."""

    __slots__ = ("_shown",)

    def __init__(self, shown: bytes) -> None:
        """shown: see `View.shown`."""
        self._shown = shown

    @property
    def codes(self) -> memoryview:
        """The integers of the actions, in ascending order of their kinds."""
        return memoryview(self._shown)[VIEW_BYTES:].cast("i")

    def __len__(self) -> int:
        return (len(self._shown) - VIEW_BYTES) // 4

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if type(index) is int:  # read where it stands, at half the price of `codes`
            place = 4 * index + (VIEW_BYTES if index >= 0 else len(self._shown))
            if VIEW_BYTES <= place < len(self._shown):
                return DECODED[integer(self._shown, place)[0]]
            raise IndexError(f"there are {len(self)} legal actions, and none has the index {index}")
        if isinstance(index, slice):
            return tuple(map(decode, self.codes[index]))
        return DECODED[self.codes[index]]

    def __iter__(self) -> Iterator[Action]:
        return map(decode, self.codes)

    def __repr__(self) -> str:
        return repr(self[:])
