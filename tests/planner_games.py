"""Prints the outcome of a game between planners on every map, for `test_planner.py` to compare across processes."""

import numpy as np

from arena import catalog
from arena.engine.table import Table
from arena.rules.deal import make_deals

for name in catalog.map_names():
    table = Table(catalog.load_map(name), 2, catalog.load_entrants(["planner", "planner"]))
    outcomes, faults = table.play(np.array([[0, 1]]), make_deals(11, [0]))
    print(name, outcomes[0], faults)
