"""Computes the tables of a report from the seat rows of a run."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.stats.blocks import Blocks, Games
from arena.stats.head_to_head import contradictions, crosstable, pair_table
from arena.stats.intervals import stratified_interval
from arena.stats.ratings import fit, superiority
from arena.stats.seat_effects import seat_errors, seat_table
from arena.stats.variance_components import Component, components

MEANS = ("tickets_kept", "tickets_completed", "trains_left", "longest", "turns")
QUARTILES = (0.25, 0.5, 0.75)
LEAST_SCORE = -10_000
SCORES = 30_000
"""Scores are counted one by one from LEAST_SCORE on: quantiles are exact."""


class Summary(NamedTuple):
    """The tables of a run; those of bots are indexed by bot, best win share first. NaN: cannot be told."""

    games: int
    """Games in the tables."""
    deals: int
    """Blocks they form: the sample size behind the intervals."""
    stalls: int
    """Games that ended because nobody could move."""
    scored: frozenset[str]
    """Sources that gave anybody points."""
    bots: pd.DataFrame
    """games, win_share, low, high (95 % over blocks), mean_score, sd_score, q25, q50, q75, margin, mean_rank, faults,
    rating, rating_error (standard error; Elo)."""
    details: pd.DataFrame
    """Means: points by source, tickets_kept, tickets_completed, trains_left, longest, turns."""
    bot_seats: pd.DataFrame
    """Win share of each bot by seat."""
    seat_errors: pd.DataFrame
    """Of `bot_seats`: the standard error of a seat's share less that of all seats, over blocks."""
    seats: pd.DataFrame
    """Of each seat, all bots together: win_share, low, high, mean_score, rating (its effect, Elo), rating_error."""
    faults: pd.DataFrame
    """A row for each bot and kind of fault, first of all those of the first game: bot, kind, games, share (of the bot's
    games), game (the first one)."""
    scores: pd.DataFrame
    """Games by score, a column for each ten points, named by their lower end."""
    crosstable: pd.DataFrame
    """How often the bot of the row finished before that of the column."""
    superiority: pd.DataFrame
    """How likely the bot of the row is rated above that of the column, were there no end of games."""
    pairs: pd.DataFrame
    """See `arena.stats.head_to_head.pair_table`."""
    contradictions: list[tuple[str, str, float]]
    """See `arena.stats.head_to_head.contradictions`."""
    components: list[Component]
    """Shares of skill, seat and luck in the variance of scores."""
    doubt: str
    """Why ratings have no errors; empty if they have."""
    unrated: dict[str, str]
    """Bots without a rating, and why."""
    blocks: Blocks
    pools: list[list[str]]
    """Bots that met, directly or through others; more than one list: they cannot be compared with each other."""


class Tally:
    """Adds up seat rows (see `arena.store.run_directory.seat_table`), shard by shard; a shard holds whole blocks."""

    def __init__(self, names: Sequence[str], seats: int, sources: Sequence[str]) -> None:
        self.names = list(names)
        self.means = (*sources, *MEANS)
        bots = len(self.names)
        self.stalls = 0
        self.sources = sources
        self.scored: set[str] = set()
        self.rows = np.zeros((bots, seats), np.int64)
        self.wins = np.zeros((bots, seats))
        self.sums = {name: np.zeros(bots) for name in (*self.means, "rank", "faults")}
        self.faults: dict[tuple[str, str], list[int]] = {}  # by bot and kind: how many, and the first game
        self.scores = np.zeros((bots, SCORES), np.int64)
        self.parts: list[Games] = []

    def add(self, rows: pd.DataFrame) -> None:
        """Count the rows of a shard."""
        bots, seats = self.rows.shape
        games = Games.of_rows(rows, self.names, seats)
        self.parts.append(games)
        bot = games.bots.ravel().astype(np.int64)
        place = bot * seats + np.tile(np.arange(seats), len(games.deals))
        self.rows += np.bincount(place, minlength=bots * seats).reshape(bots, seats)
        self.wins += np.bincount(place, rows["win_share"].to_numpy(), minlength=bots * seats).reshape(bots, seats)
        for name in (*self.means, "rank"):
            self.sums[name] += np.bincount(bot, rows[name].to_numpy(), minlength=bots)
        self.scored |= {source for source in self.sources if rows[source].any()}
        wrong = (rows["fault"] != "none").to_numpy()
        self.sums["faults"] += np.bincount(bot, wrong, minlength=bots)
        kinds = rows[wrong].groupby(["bot", "fault"], observed=True)["game"].agg(["size", "min"])
        for (name, kind), (count, first) in zip(kinds.index, kinds.to_numpy().tolist(), strict=True):
            found = self.faults.setdefault((str(name), str(kind)), [0, first])
            found[:] = found[0] + count, min(found[1], first)
        score = games.scores.ravel().astype(np.int64) - LEAST_SCORE
        self.scores += np.bincount(bot * SCORES + score, minlength=bots * SCORES).reshape(bots, SCORES)
        self.stalls += int((rows["end"] == "stall").sum()) // seats

    def summary(self, anchor: str | None = None) -> Summary:
        """The tables of everything added so far. anchor: the bot of rating 0, by default the first that played."""
        games = Games.joined(self.parts)
        blocks = Blocks.of_games(games)
        played = [bot for bot in range(len(self.names)) if self.rows[bot].any()]
        anchored = self.names.index(anchor) if anchor else played[0]
        ratings = fit(games.bots, games.ranks, games.deals, len(self.names), anchored)
        rating, error = (np.array(values, float) for values in (ratings.rating, ratings.error))  # None becomes NaN
        margins = _margins(games, len(self.names))
        rows = {bot: self._bot_row(bot, blocks) for bot in played}
        for bot in played:
            rows[bot] |= {"margin": margins[bot], "rating": rating[bot], "rating_error": error[bot]}
        played.sort(key=lambda bot: (rows[bot]["win_share"], rows[bot]["mean_score"]), reverse=True)
        names = [self.names[bot] for bot in played]
        index = pd.Index(names, name="bot")
        number = self.rows.sum(axis=1)
        square = np.ix_(played, played)
        return Summary(
            games=len(games.deals),
            deals=len(blocks.deals),
            stalls=self.stalls,
            scored=frozenset(self.scored),
            bots=pd.DataFrame([rows[bot] for bot in played], index=index),
            details=pd.DataFrame({name: self.sums[name][played] / number[played] for name in self.means}, index=index),
            bot_seats=pd.DataFrame(self.wins[played] / np.maximum(self.rows[played], 1), index=index),
            seat_errors=pd.DataFrame(seat_errors(games, blocks, len(self.names))[played], index=index),
            seats=seat_table(games, blocks, ratings),
            faults=self._faults(number),
            scores=self._distribution(played, index),
            crosstable=crosstable(blocks, self.names).loc[names, names],
            superiority=pd.DataFrame(np.array(superiority(ratings), float)[square], index=index, columns=names),
            pairs=_in_order(pair_table(blocks, self.names), names),
            contradictions=contradictions(blocks, self.names, rating),
            components=components(games, blocks, len(self.names)),
            blocks=blocks,
            doubt=ratings.doubt,
            unrated={self.names[bot]: ratings.unrated[bot] for bot in played if bot in ratings.unrated},
            pools=[[self.names[bot] for bot in pool] for pool in ratings.components],
        )

    def _bot_row(self, bot: int, blocks: Blocks) -> dict[str, float]:
        games = int(self.rows[bot].sum())
        low, high = _interval(bot, blocks)
        values = np.arange(SCORES) + LEAST_SCORE
        mean = float(self.scores[bot] @ values) / games
        q25, q50, q75 = (_quantile(self.scores[bot], share) + LEAST_SCORE for share in QUARTILES)
        return {
            "games": games,
            "win_share": float(self.wins[bot].sum()) / games,
            "low": low,
            "high": high,
            "mean_score": mean,
            "sd_score": float(np.sqrt(self.scores[bot] @ (values - mean) ** 2 / games)),
            "q25": q25,
            "q50": q50,
            "q75": q75,
            "mean_rank": float(self.sums["rank"][bot]) / games,
            "faults": int(self.sums["faults"][bot]),
        }

    def _faults(self, games: np.ndarray) -> pd.DataFrame:
        rows = [
            (bot, kind, count, count / int(games[self.names.index(bot)]), first)
            for (bot, kind), (count, first) in sorted(self.faults.items(), key=lambda item: (item[1][1], item[0]))
        ]
        return pd.DataFrame(rows, columns=["bot", "kind", "games", "share", "game"])

    def _distribution(self, played: list[int], index: pd.Index) -> pd.DataFrame:
        tens = self.scores[played].reshape(len(played), -1, 10).sum(axis=2)
        used = np.flatnonzero(tens.any(axis=0))
        columns = range(int(used[0]), int(used[-1]) + 1)
        return pd.DataFrame(tens[:, columns], index=index, columns=[LEAST_SCORE + 10 * ten for ten in columns])


def _interval(bot: int, blocks: Blocks) -> tuple[float, float]:
    """95 % for a bot's win share among these opponents: the strata are the line-ups that it plays in."""
    block, seat = np.nonzero(blocks.members == bot)
    lineup = np.unique(blocks.lineups[block], return_inverse=True)[1]
    shares = blocks.shares[block, seat]
    return stratified_interval(np.bincount(lineup), np.bincount(lineup, shares), np.bincount(lineup, shares**2))


def _margins(games: Games, bots: int) -> np.ndarray:
    """Mean lead in points over the best of the others, behind it negative, float64 [bots]; 0 for who did not play."""
    seats = games.bots.shape[1]
    total = np.zeros(bots)
    for seat in range(seats):
        others = np.delete(games.scores, seat, axis=1).max(axis=1)
        lead = games.scores[:, seat].astype(np.float64) - others
        total += np.bincount(games.bots[:, seat], lead, minlength=bots)
    return total / np.maximum(1, np.bincount(games.bots.ravel(), minlength=bots))


def _in_order(pairs: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """With the bot of the better place first, in the order of the places."""
    place = {name: number for number, name in enumerate(names)}
    turned = pairs["bot"].map(place) > pairs["other"].map(place)
    flipped = pairs.assign(
        bot=pairs["other"], other=pairs["bot"], ahead=1 - pairs["ahead"], low=1 - pairs["high"], high=1 - pairs["low"]
    )
    pairs = pairs.where(~turned, flipped)
    order = (pairs["bot"].map(place) * len(names) + pairs["other"].map(place)).argsort()
    return pairs.iloc[order].reset_index(drop=True)


def _quantile(counts: np.ndarray, share: float) -> float:
    """The quantile of values 0, 1, ... that occur `counts` times, between neighbors linear as in `numpy.quantile`."""
    ends = np.cumsum(counts)
    position = share * (ends[-1] - 1)
    below, above = np.searchsorted(ends, [np.floor(position), np.ceil(position)], side="right")
    return float(below + (above - below) * (position - np.floor(position)))
