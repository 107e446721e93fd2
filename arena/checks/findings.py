"""What a check found: ok, a warning, or a problem that makes the arena useless or wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

OK, WARNING, PROBLEM = "ok", "warning", "problem"
STATUSES = (OK, WARNING, PROBLEM)


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    name: str
    status: str
    """One of STATUSES."""
    detail: str
    numbers: dict[str, Any] = field(default_factory=dict)
    """The same for programs."""


def joined(name: str, found: str, complaints: Sequence[tuple[str, str]], **numbers: Any) -> Finding:
    """A finding of what was found and what is wrong with it, (status, sentence) each; its status is the worst."""
    worst = max((status for status, _ in complaints), key=STATUSES.index, default=OK)
    return Finding(name, worst, " ".join([found, *(sentence for _, sentence in complaints)]).strip(), numbers)
