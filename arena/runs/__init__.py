"""Plays a plan in parallel processes: compiling, workers, collecting, progress, resuming, merging."""
