"""Bots in processes of their own, shut off from the rest (docs/bots.md, "Strangers' bots")."""
