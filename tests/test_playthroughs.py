"""Golden games: the rules play them again, decision by decision. A map without one for each seat count fails."""

import pytest

from arena.boards.spec import MapSpec
from helpers import SEAT_COUNTS
from playthroughs.write import path_of, playthrough


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_playthrough(spec: MapSpec, seats: int) -> None:
    """Changed on purpose? `cd tests && python -m playthroughs.write`, and say why in the commit."""
    assert playthrough(spec, seats) == path_of(spec, seats).read_text(encoding="utf-8")
