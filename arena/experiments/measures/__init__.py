"""What is measured in recorded games: routes, tickets, cities, colors, the course of a game."""
