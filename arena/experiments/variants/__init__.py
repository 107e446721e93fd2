"""The same bots on two variants of a game, or on a grid of them."""
