"""Golden games: the rules play them again, decision by decision. A map without one for each seat count fails."""

import pytest
from helpers import SEAT_COUNTS
from playthroughs.write import path_of, playthrough

from arena.mapspec import MapSpec


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_playthrough(spec: MapSpec, seats: int) -> None:
    """Changed on purpose? `python tests/playthroughs/write.py`, and say why in the commit."""
    assert playthrough(spec, seats) == path_of(spec, seats).read_text(encoding="utf-8")
