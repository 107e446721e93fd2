"""Whether a run on disk is true: digests, the arithmetic of every row, and a sample of its games played again."""
