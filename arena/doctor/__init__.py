"""Whether this machine is fit to play: what is installed, what the system offers, and a self-test."""
