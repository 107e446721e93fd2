"""Bots in any language: programs that are asked in JSON lines (docs/protocol.md)."""
