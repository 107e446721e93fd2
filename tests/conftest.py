"""What several test files share."""

import pytest

from arena import catalog
from arena.mapspec import MapSpec


@pytest.fixture(params=catalog.map_names())
def spec(request: pytest.FixtureRequest) -> MapSpec:
    """Every shipped map."""
    return catalog.load_map(request.param)
