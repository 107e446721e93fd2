"""`arena balance`: the study of a map, what it asks, measures and says."""
