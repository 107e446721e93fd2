"""`arena diff` and `arena sweep`: the same bots under different rules or on different maps."""
