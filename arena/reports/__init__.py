"""Turns the tables of a run into text, Markdown, CSV and JSON."""
