"""The bot of docs/bots.md: connect the cities of the tickets by their shortest paths.

It is written to be read. Copy it, rename the class, change a decision, and see with `arena run` whether it helps.
"""

from arena.bot import Action, Bot, Ticket, View


class Tutorial(Bot):
    """Claims the shortest paths of its tickets, then the longest routes it can pay."""

    def choose(self, view: View) -> Action:
        """Answer the decision that the view is about."""
        if view.offer:
            return self.choose_tickets(view)
        goal = self.routes_wanted(view)
        return self.claim(view, goal) or self.draw(view, goal)

    def choose_tickets(self, view: View) -> Action:
        """Keep the tickets that bring most points for the trains they need."""

        def value(choice: Action) -> float:
            return sum(self.ticket_value(view, view.offer[position]) for position in choice.keep)

        return max(view.actions, key=value)

    def ticket_value(self, view: View, ticket: Ticket) -> float:
        """Points a ticket promises, less what its trains cost; what cannot be completed any more costs its value."""
        path = view.path(ticket.a, ticket.b)
        if path is None or path.trains > view.me.trains:
            return -ticket.points
        return ticket.points - 0.6 * path.trains

    def routes_wanted(self, view: View) -> list[int]:
        """The routes missing on the paths of the open tickets, the most valuable ticket first."""
        routes: list[int] = []
        left = view.me.trains
        for ticket in sorted(view.tickets, key=lambda ticket: -ticket.points):
            path = view.path(ticket.a, ticket.b)
            if path and path.trains <= left:
                new = [route for route in path.routes if route not in routes]
                left -= sum(view.map.routes[route].length for route in new)
                routes += new
        return routes

    def claim(self, view: View, goal: list[int]) -> Action | None:
        """Claim a wanted route if one can be paid; without any wish left, the one of most points."""
        wanted = [action for action in view.claims if action.route in goal or not goal]
        if not wanted:
            return None
        return max(wanted, key=lambda a: (view.map.points(view.map.routes[a.route].length), -a.locomotives))

    def draw(self, view: View, goal: list[int]) -> Action:
        """Draw the color of the wanted route that is nearest to being paid, or blind."""
        need = self.color_needed(view, goal)
        for action in view.actions:
            if action.kind == "row" and action.card == need:
                return action
        for kind in ("blind", "row", "tickets", "claim"):
            for action in view.actions:
                if action.kind == kind:
                    return action
        return view.actions[0]

    def color_needed(self, view: View, goal: list[int]) -> str:
        """The color of the wanted route that is nearest to being paid."""

        def missing(route: int) -> tuple[int, str]:
            length, color = view.map.routes[route].length, view.map.routes[route].color
            if color == "gray":
                color = max(list(view.hand)[:8], key=view.hand.__getitem__)
            return length - view.hand[color], color

        options = goal or [r for r in view.open_routes if view.map.routes[r].length <= view.me.trains] or [0]
        return min(missing(route) for route in options)[1]
