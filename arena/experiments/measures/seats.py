"""Who wins: the win share of each seat and each bot."""

import numpy as np

from arena.experiments.measures.game_arrays import Lot
from arena.stats.ratio_estimates import RatioSums


class SeatMeasures:
    """The win share and the score of each seat."""

    def __init__(self, seats: int) -> None:
        self.wins, self.scores = RatioSums.none(seats), RatioSums.none(seats)

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        games = np.full((lot.games // lot.block, lot.seats), lot.block)
        self.wins.add(lot.deal_sums(lot.wins), games)
        self.scores.add(lot.deal_sums(lot.outcomes["score"][:, : lot.seats].astype(float)), games)


class BotMeasures:
    """The win share and the score of each bot; copies of one count as one."""

    def __init__(self, specs: tuple[str, ...]) -> None:
        self.names = tuple(dict.fromkeys(specs))
        self.index = np.array([self.names.index(spec) for spec in specs])
        self.wins, self.scores = RatioSums.none(len(self.names)), RatioSums.none(len(self.names))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        games, bots = np.repeat(np.arange(lot.games), lot.seats), self.index[lot.seatings].ravel()
        played = lot.by_deal(games, bots, len(self.names))
        self.wins.add(lot.by_deal(games, bots, len(self.names), lot.wins.ravel()), played)
        scores = lot.outcomes["score"][:, : lot.seats].astype(float).ravel()
        self.scores.add(lot.by_deal(games, bots, len(self.names), scores), played)
