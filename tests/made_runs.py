"""Documents of runs that nobody played: scores out of a generator, names and reasons of any characters."""

from pathlib import Path

import numpy as np
import pandas as pd

from arena.reports.document import Document
from arena.stats.summary import MEANS, Accumulator
from arena.store.seat_tables import SOURCES
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan

NASTY = (
    'my<b>.py:"X"&',
    "</script><script>alert(1)//",
    "'onclick='alert(1)",
    "{{7*7}}%s\\",
    "[31mrot&#x1b;",
    "&#x202e;tob",
)
"""Names that would break a page which did not escape them."""
REASON = '<img src="https://example.org/x.png" onerror="alert(1)"> & \x07\ud800 ]]>'


def made_document(
    names: tuple[str, ...], *, players: int = 3, games: int = 600, label: str = "", fault: str = "", best: int = -1
) -> Document:
    """A run in which later bots score more; best: the bot that wins every game by far, so that none can be rated."""
    plan = Plan.of_size(
        bots=names, names=names, map="tiny.toml", players=players, games=games, seed=5, settings={"trains": 20},
        identity=Identity(arena="1", map_label=label, bots=dict.fromkeys(names, "0123456789abcdef")),
    )  # fmt: skip
    found = Accumulator(names, players, SOURCES)
    found.add(_rows(plan, best, bool(fault)))
    times = {"started": "2026-01-02T03:04:05+00:00", "seconds": 2.5, "jobs": 2, "games_per_second": games / 2.5}
    first = {}
    if fault:
        bot = names[plan[7].seating[1]]
        line = {"game": 7, "seat": 1, "decision": 9, "bot": bot, "kind": "illegal", "reason": fault}
        first[bot, "illegal"] = {**line, "traceback": f"in {fault}\n\n", "stderr": fault}
    return Document(Path("made"), plan, label, times, first, found.summary(), names[0])


def _rows(plan: Plan, best: int, faults: bool) -> pd.DataFrame:
    """The seat rows, with a column for everything that the tables need."""
    rng = np.random.default_rng(3)
    deals, seating = plan.seatings(0, plan.games)
    skill = 60 + 40 * np.arange(len(plan.names)) / len(plan.names)
    scores = rng.normal(skill[seating], 25).astype(np.int64)
    scores[seating == best] += 1000
    ranks = (scores[:, :, None] < scores[:, None, :]).sum(axis=2) + 1
    first = ranks == 1
    frame = pd.DataFrame({
        "game": np.repeat(np.arange(plan.games), plan.players),
        "deal": np.repeat(deals, plan.players),
        "seat": np.tile(np.arange(plan.players), plan.games),
        "bot": pd.Categorical.from_codes(seating.ravel(), list(plan.names)),
        "score": scores.ravel(),
        "rank": ranks.ravel(),
        "win_share": (first / first.sum(axis=1, keepdims=True)).ravel(),
        "end": "trains",
        "fault": "none",
    })  # fmt: skip
    frame = frame.assign(**dict.fromkeys((*SOURCES, *MEANS), frame["score"] / 5))
    frame.loc[faults & (frame.index == 22), "fault"] = "illegal"
    return frame
