"""The shipped bots, one a file, found through the entry points of the group `arena.bots`."""
