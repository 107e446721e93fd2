"""What is found wrong, and its text."""
