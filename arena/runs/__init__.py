"""Playing a plan in parallel processes: workers, logging, progress."""
