"""What is wrong with a run, in sentences, and how much was checked."""

from dataclasses import dataclass
from typing import NamedTuple


class Complaint(NamedTuple):
    """Something that is not as it must be."""

    text: str
    """A sentence without its full stop."""
    game: int | None = None
    """The first game it is about."""


@dataclass(frozen=True)
class Part:
    """One of the things that are looked at."""

    name: str
    detail: str
    """What was looked at, with counts."""
    complaints: tuple[Complaint, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.complaints
