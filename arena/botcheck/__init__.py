"""Checks of a bot: `checks` runs them all and judges, the other modules find the facts."""
