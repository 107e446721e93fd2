"""What must hold for every bot; `arena bots check newbot` tells more, with numbers."""

import pytest

from arena.testing import check_bot


@pytest.mark.parametrize("bot", ["newbot", "newbot_compiled"])
def test_bot_keeps_the_rules_and_is_stronger_than_random(bot: str) -> None:
    """On every map with 2 to 5 seats."""
    check_bot(bot, stronger_than=["random"], games=100)
