"""What the playtesting literature found on the board of the base game is found again."""

import pytest

from arena import api

STYLES = ["longroute", "path", "hungry", "onestep"]
LINEAR = {f"route_points.{length}": 2 * length for length in range(1, 7)}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.slow("2,400 games: fewer do not tell the styles apart")
def test_linear_route_points_shift_wins_to_tickets(players: int) -> None:
    """If each space is worth the same, long routes alone win less, and who plays for tickets wins more."""
    usual, linear = (
        api.run(
            STYLES, map="usa", players=players, games=1200, seed=3, settings=settings, detail=False
        ).document.summary.bots
        for settings in ({}, LINEAR)
    )
    assert linear.loc["longroute", "high"] < usual.loc["longroute", "low"]
    assert linear.loc["path", "win_share"] > usual.loc["path", "win_share"]
