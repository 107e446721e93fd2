"""One game around a table: the loop, the seats, the bots and what they are shown, faults and limits."""
