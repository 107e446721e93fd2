"""`arena regress`: whether a bot is better or worse than a baseline, by a sequential test."""
