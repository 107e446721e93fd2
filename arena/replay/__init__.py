"""A recorded game on the table again: played once more, told as events, for programs and for people."""
