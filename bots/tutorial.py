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
        if view.phase == "place":
            return self.place(view)
        goal = self.routes_wanted(view)
        return self.claim(view, goal) or self.draw(view, goal)

    def choose_tickets(self, view: View) -> Action:
        """Keep the tickets that bring most points for their trains; there is time for three quarters of all trains."""
        trains = {ticket: self.trains_needed(view, ticket) for ticket in view.offer}

        def value(choice: Action) -> float:
            points, left = 0.0, 0.75 * view.me.trains
            for ticket in sorted((view.offer[i] for i in choice.keep), key=lambda ticket: -ticket.points):
                if trains[ticket] > left:
                    points -= ticket.points
                else:
                    left -= trains[ticket]
                    points += ticket.points - 0.6 * trains[ticket]
            return points

        return max(view.actions, key=value)

    def trains_needed(self, view: View, ticket: Ticket) -> float:
        """The trains that a ticket still takes; no end of them if it cannot be completed any more."""
        path = view.path(ticket.a, ticket.b)
        return path.trains if path else float("inf")

    def routes_wanted(self, view: View) -> list[int]:
        """The routes missing on the paths of the open tickets, the most valuable ticket first."""
        routes: list[int] = []
        left = view.me.trains
        for ticket in sorted(view.tickets, key=lambda ticket: -ticket.points):
            path = view.path(ticket.a, ticket.b)
            if path and path.trains <= left:
                new = [route for route in path.routes if route not in routes]
                # All spaces count, those of bullet routes too: they take time, though no trains.
                left -= sum(view.map.routes[route].length for route in new)
                routes += new
        return routes

    def claim(self, view: View, goal: list[int]) -> Action | None:
        """Claim a wanted route if one can be paid; without any wish left, the one of most points."""
        wanted = [action for action in view.claims if action.route in goal or not goal]
        if not wanted:
            return None
        return max(wanted, key=lambda action: (self.worth(view, action.route), -action.locomotives))

    def worth(self, view: View, route: int) -> int:
        """The points of a route; the progress with a bullet train, counted double."""
        length = view.map.routes[route].length
        return 2 * length if view.is_shared(route) else view.map.points(length)

    def draw(self, view: View, goal: list[int]) -> Action:
        """Draw the color of the wanted route that is nearest to being paid, or blind; with an express card if any."""
        draws = view.draws
        if draws and draws[-1].kind == "express":
            return draws[-1]
        need = self.color_needed(view, goal)
        for action in draws:
            if action.kind == "row" and action.card == need:
                return action
        for kind in ("blind", "row", "tickets"):
            for action in draws:
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

        options = goal or view.buildable_routes or [0]
        return min(missing(route) for route in options)[1]

    def place(self, view: View) -> Action:
        """Put a train on the province mat where it brings more points than its cards would elsewhere."""

        def value(action: Action) -> int:
            if action.kind == "skip":
                return 0
            return view.placement_gain(action) - 2 - action.extra - action.locomotives - action.express

        return max(view.actions, key=value)
