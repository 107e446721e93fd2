"""What each seat is worth, to all bots together and to each of them."""

import numpy as np
import pandas as pd

from arena.stats.blocks import Blocks, Games
from arena.stats.intervals import share_interval
from arena.stats.ratings import Ratings
from arena.stats.win_shares import member_order, win_shares


def seat_table(games: Games, blocks: Blocks, ratings: Ratings) -> pd.DataFrame:
    """A row for each seat: win_share, low, high, mean_score, rating, rating_error."""
    by_block = win_shares(games.ranks).reshape(len(blocks.deals), blocks.games, -1).mean(axis=1)
    intervals = [share_interval(len(values), values.sum(), (values**2).sum()) for values in by_block.T]
    columns = {
        "win_share": by_block.mean(axis=0),
        "low": [low for low, _ in intervals],
        "high": [high for _, high in intervals],
        "mean_score": games.scores.mean(axis=0, dtype=np.float64),
        "rating": ratings.seat,
        "rating_error": ratings.seat_error,
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(len(intervals), name="seat"))


def seat_errors(games: Games, blocks: Blocks, bots: int) -> np.ndarray:
    """The standard error of a bot's win share in a seat less its share in all of them, float64 [bots, seats].

    Over blocks, in each of which a bot sits in every seat equally often: its games of a deal are not independent, and
    who wins by the cards of one seat loses by them in another. NaN for a bot with fewer than two blocks.
    """
    count, size = len(blocks.deals), blocks.games
    seats = games.bots.shape[1]
    seat = member_order(games.bots)
    member = np.arange(len(games.deals))[:, None] // size * seats + np.arange(seats)
    cells = (member * seats + seat).ravel()
    shares = np.take_along_axis(win_shares(games.ranks), seat, axis=1).ravel()
    by_seat = np.bincount(cells, shares, minlength=count * seats**2).reshape(-1, seats) * seats / size
    deviation = by_seat - by_seat.mean(axis=1, keepdims=True)
    bot = blocks.members.ravel()
    number = np.bincount(bot, minlength=bots)[:, None]
    total, squares = (np.stack([np.bincount(bot, part, minlength=bots) for part in values.T], axis=1)
                      for values in (deviation, deviation**2))  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.maximum(squares - total**2 / number, 0) / (number - 1) / number
    return np.asarray(np.sqrt(np.where(number > 1, variance, np.nan)))
