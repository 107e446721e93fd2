"""Prints the outcome of a game between planners on every map, for `test_planner.py` to compare across processes."""

import numpy as np

from arena import catalog
from arena.engine.loop import deal_words
from arena.engine.table import Table

for name in catalog.map_names():
    table = Table(catalog.load_map(name), 2, catalog.load_entrants(["planner", "planner"]))
    outcomes, faults = table.play(np.array([[0, 1]]), deal_words(11, [0]))
    print(name, outcomes[0], faults)
