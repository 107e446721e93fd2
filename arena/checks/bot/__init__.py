"""`arena bots check`: whether a bot keeps to the rules of the arena."""
