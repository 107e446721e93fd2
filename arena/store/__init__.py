"""A run directory: its result tables, its log of faults, and its lock."""
