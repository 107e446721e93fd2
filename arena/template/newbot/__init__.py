"""Bots for ttr-arena."""
