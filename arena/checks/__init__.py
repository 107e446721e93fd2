"""Whether something is right, and what is wrong with it: a bot, a run, this machine."""
