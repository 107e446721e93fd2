"""Double routes: how often one track is claimed, or both, and whom the rule bars from the second."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.game_arrays import Batch
from arena.experiments.measures.networks import joined_by_others
from arena.stats.ratio_estimates import Ratios, RatioSums


def twin_pairs(spec: MapSpec) -> list[tuple[int, int]]:
    """The two tracks of each double route."""
    return [(route, twin) for route, twin in enumerate(spec.twins) if route < twin]


def twin_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """How each double route is used.

    one: share of the games in which one track is claimed. both: share in which both are, by two players: nobody may
    have both (B16). missed: share in which the rule shuts the second track, for there are few players, and another
    player still comes to connect the two cities, by other tracks: it would have had a use for it.
    """
    pair_of = np.full(len(spec.routes), -1)
    for number, pair in enumerate(pairs := twin_pairs(spec)):
        pair_of[list(pair)] = number
    count, pairs_claimed = len(pairs), pair_of[batch.claims.route]
    places = (batch.claims.game * count + pairs_claimed)[pairs_claimed >= 0]
    tracks = np.bincount(places, minlength=batch.games * count).reshape(batch.games, count)
    joined = np.bincount(places, joined_by_others(batch, spec)[pairs_claimed >= 0], batch.games * count)
    missed = (tracks == 1) & (joined.reshape(batch.games, count) > 0) & (batch.seats < spec.rules.twins_from)
    return {
        name: (batch.deal_sums(values), batch.block)
        for name, values in (("one", tracks == 1), ("both", tracks == 2), ("missed", missed))
    }


def twin_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each double route."""
    pairs = [(spec.routes[route], spec.routes[twin]) for route, twin in twin_pairs(spec)]
    return pd.DataFrame({
        "route": [route for route, _ in twin_pairs(spec)],
        "twin": [twin for _, twin in twin_pairs(spec)],
        "from": [route.a for route, _ in pairs],
        "to": [route.b for route, _ in pairs],
        "length": [route.length for route, _ in pairs],
        "colors": ["-".join(sorted({route.color, twin.color})) for route, twin in pairs],
        **sums["one"].columns("one", share=True),
        **sums["both"].columns("both", share=True),
        **sums["missed"].columns("missed", share=True),
    })  # fmt: skip
