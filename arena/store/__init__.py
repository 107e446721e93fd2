"""A run directory: its tables, its log of faults, and who may write."""
