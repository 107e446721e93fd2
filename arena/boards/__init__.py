"""A map in words: what it holds, how its file is read and checked, how it is drawn, and how it becomes a BOARD."""
