"""Whether a bot is better or worse than a baseline: a sequential test."""
