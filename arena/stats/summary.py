"""Computes the tables of a report from the seat rows of a run."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.stats.blocks import Blocks, Games
from arena.stats.head_to_head import contradictions, crosstable, pair_table
from arena.stats.intervals import stratified_interval
from arena.stats.ratings import fit
from arena.stats.seat_effects import seat_errors, seat_table
from arena.stats.variance_components import Component, components
from arena.stats.win_shares import win_shares

MEANS = ("tickets_kept", "tickets_completed", "trains_left", "longest", "turns")
QUARTILES = (0.25, 0.5, 0.75)


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
    """The standard errors of `bot_seats`: of a seat's share less that of all seats, over blocks."""
    seats: pd.DataFrame
    """A row for each seat, over all bots: win_share, low, high, mean_score, rating (its effect, Elo), rating_error."""
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
    groups: list[list[str]]
    """Bots that met, directly or through others; more than one list: they cannot be compared with each other."""


class Accumulator:
    """Adds up seat rows (see `arena.store.run_directory.seat_table`), shard by shard; a shard holds whole blocks."""

    def __init__(self, names: Sequence[str], seats: int, sources: Sequence[str]) -> None:
        self.names, self.seats = list(names), seats
        self.means = (*sources, *MEANS)
        self.stalls = 0
        self.sources = sources
        self.scored: set[str] = set()
        self.rows = np.zeros(len(self.names), np.int64)
        self.sums = {name: np.zeros(len(self.names)) for name in self.means}
        self.faulty: list[pd.DataFrame] = []
        self.parts: list[Games] = []

    def add(self, rows: pd.DataFrame) -> None:
        """Count the rows of a shard."""
        games, bots = Games.of_rows(rows, self.names, self.seats), len(self.names)
        self.parts.append(games)
        bot = games.bots.ravel()
        self.rows += np.bincount(bot, minlength=bots)
        for name in self.means:
            self.sums[name] += np.bincount(bot, rows[name].to_numpy(), minlength=bots)
        self.scored |= {source for source in self.sources if rows[source].any()}
        self.faulty.append(rows.loc[rows["fault"] != "none", ["bot", "fault", "game"]])
        self.stalls += int((rows["end"] == "stall").sum()) // self.seats

    def summary(self, anchor: str | None = None) -> Summary:
        """The tables of everything added so far. anchor: the bot of rating 0, by default the first that played."""
        games = Games.joined(self.parts)
        blocks = Blocks.of_games(games)
        played = np.flatnonzero(self.rows)
        anchored = self.names.index(anchor) if anchor else int(played[0])
        ratings = fit(games.bots, games.ranks, games.deals, len(self.names), anchored)
        shares = win_shares(games.ranks)
        faults = self._faults()
        bots = (
            self._bots(games, blocks, shares, faults)
            .assign(rating=ratings.rating, rating_error=ratings.error)
            .loc[played]
        )
        bots = bots.sort_values(["win_share", "mean_score"], ascending=False, kind="stable")
        played = bots.index.to_numpy()
        names = [self.names[bot] for bot in played]
        index = pd.Index(names, name="bot")
        return Summary(
            games=len(games.deals),
            deals=len(blocks.deals),
            stalls=self.stalls,
            scored=frozenset(self.scored),
            bots=bots.set_axis(index),
            details=pd.DataFrame(
                {name: self.sums[name][played] / self.rows[played] for name in self.means}, index=index
            ),
            bot_seats=pd.DataFrame(_by_seat(games.bots, shares, len(self.names))[played], index=index),
            seat_errors=pd.DataFrame(seat_errors(games, blocks, len(self.names))[played], index=index),
            seats=seat_table(games, blocks, ratings),
            faults=faults,
            scores=_distribution(games, played.tolist(), index),
            crosstable=crosstable(blocks, self.names).loc[names, names],
            superiority=pd.DataFrame(ratings.superiority[np.ix_(played, played)], index=index, columns=names),
            pairs=_in_order(pair_table(blocks, self.names), names),
            contradictions=contradictions(blocks, self.names, ratings.rating),
            components=components(games, blocks, len(self.names)),
            blocks=blocks,
            doubt=ratings.doubt,
            unrated={self.names[bot]: ratings.unrated[bot] for bot in played.tolist() if bot in ratings.unrated},
            groups=[[self.names[bot] for bot in group] for group in ratings.components],
        )

    def _bots(self, games: Games, blocks: Blocks, shares: np.ndarray, faults: pd.DataFrame) -> pd.DataFrame:
        """The columns of `Summary.bots` that are not ratings, a row for each bot by its number."""
        bot, count, played = games.bots.ravel(), np.maximum(self.rows, 1), range(len(self.names))

        def mean(values: np.ndarray) -> np.ndarray:
            return np.asarray(np.bincount(bot, values.ravel(), minlength=len(count)) / count)

        mean_score = mean(games.scores)
        intervals = np.array([_interval(number, blocks) for number in played])
        scores = [games.scores[games.bots == number] for number in played]
        quartiles = np.array([np.quantile(own if len(own) else [np.nan], QUARTILES) for own in scores])
        return pd.DataFrame({
            "games": self.rows,
            "win_share": mean(shares),
            "low": intervals[:, 0],
            "high": intervals[:, 1],
            "mean_score": mean_score,
            "sd_score": np.sqrt(mean((games.scores - mean_score[games.bots]) ** 2)),
            "q25": quartiles[:, 0],
            "q50": quartiles[:, 1],
            "q75": quartiles[:, 2],
            "mean_rank": mean(games.ranks),
            "faults": [int(faults.loc[faults["bot"] == name, "games"].sum()) for name in self.names],
            "margin": mean(_margins(games.scores)),
        })  # fmt: skip

    def _faults(self) -> pd.DataFrame:
        faulty = pd.concat(self.faulty).astype({"bot": str, "fault": str})
        frame = faulty.groupby(["bot", "fault"])["game"].agg(games="size", game="min").reset_index()
        frame["share"] = frame["games"] / self.rows[[self.names.index(bot) for bot in frame["bot"]]]
        frame = frame.rename(columns={"fault": "kind"}).sort_values(["game", "bot", "kind"], ignore_index=True)
        return frame[["bot", "kind", "games", "share", "game"]]


def _by_seat(bots: np.ndarray, shares: np.ndarray, count: int) -> np.ndarray:
    """The win share of each bot in each seat, float64 [bots, seats]; 0 where it never sat."""
    wins, games = (
        np.stack([np.bincount(bots[:, seat], values, count) for seat, values in enumerate(weights.T)], axis=1)
        for weights in (shares, np.ones(shares.shape))
    )
    return np.asarray(wins / np.maximum(games, 1))


def _distribution(games: Games, played: list[int], index: pd.Index) -> pd.DataFrame:
    """Games by score, a column for each ten points."""
    tens = games.scores // 10
    first, last = int(tens.min()), int(tens.max()) + 1
    counts = [np.bincount(tens[games.bots == bot] - first, minlength=last - first) for bot in played]
    return pd.DataFrame(np.array(counts), index=index, columns=[10 * ten for ten in range(first, last)])


def _interval(bot: int, blocks: Blocks) -> tuple[float, float]:
    """95 % for a bot's win share among these opponents: the strata are the line-ups that it plays in."""
    block, seat = np.nonzero(blocks.members == bot)
    lineup = np.unique(blocks.lineups[block], return_inverse=True)[1]
    shares = blocks.shares[block, seat]
    return stratified_interval(np.bincount(lineup), np.bincount(lineup, shares), np.bincount(lineup, shares**2))


def _margins(scores: np.ndarray) -> np.ndarray:
    """The lead of each seat over the best of the others, behind it negative, float64 [games, seats]."""
    others = [np.delete(scores, seat, axis=1).max(axis=1) for seat in range(scores.shape[1])]
    return np.asarray(scores - np.stack(others, axis=1), float)


def _in_order(pairs: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """The pairs with the better bot first, in the order of the standings."""
    place = {name: number for number, name in enumerate(names)}
    turned = pairs["bot"].map(place) > pairs["other"].map(place)
    flipped = pairs.assign(
        bot=pairs["other"], other=pairs["bot"], ahead=1 - pairs["ahead"], low=1 - pairs["high"], high=1 - pairs["low"]
    )
    pairs = pairs.where(~turned, flipped)
    order = (pairs["bot"].map(place) * len(names) + pairs["other"].map(place)).argsort()
    return pairs.iloc[order].reset_index(drop=True)
