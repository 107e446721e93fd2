"""`arena doctor` and `arena bench`: what this machine can do."""
