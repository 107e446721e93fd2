"""The rules of the game, compiled. Start reading in `turn`."""
