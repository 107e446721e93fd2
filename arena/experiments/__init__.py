"""Runs that are played to answer a question."""
