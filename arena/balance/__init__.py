"""What a map's or a rule's designer wants to know: seats, tickets, routes, cities, cards, the course of games."""
