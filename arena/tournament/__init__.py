"""Who meets whom: the plan of a run and what follows from it."""
