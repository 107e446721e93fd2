"""Bots in processes of their own, and programs that speak JSON lines."""
