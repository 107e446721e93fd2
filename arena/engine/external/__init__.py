"""Bots outside of this process: isolated ones, and programs that speak JSON lines."""
