"""Studies of maps and rules: what is asked, the runs that answer it, and what is said of them."""
