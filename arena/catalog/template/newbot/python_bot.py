"""A bot as a class: easy to write and to debug."""

from arena.bot import Action, Bot, View


class PythonBot(Bot):
    """Claims the cheapest paths of its tickets, then long routes; draws the color that is nearest to enough."""

    def __init__(self, least: int = 3) -> None:
        self.least = least  # a parameter: `arena run newbot:least=4 newbot:least=5`

    def choose(self, view: View) -> Action:
        """Called for every decision with a choice; any of `view.actions` is a legal answer."""
        if view.offer:  # tickets to choose from
            return max(view.actions, key=lambda choice: self.promise(view, choice))
        if view.phase == "place":  # a train for the province mat, on maps that have one
            return max(view.actions, key=lambda action: view.placement_gain(action) - action.extra - action.express)
        routes = self.routes_wanted(view)
        claims = [claim for claim in view.claims if claim.route in routes]
        if claims:
            return max(claims, key=lambda claim: (view.map.routes[claim.route].length, -claim.locomotives))
        return self.draw(view, routes)

    def promise(self, view: View, choice: Action) -> float:
        """What some of the tickets offered are worth: their points, if there will be trains for them all."""
        tickets = [view.offer[index] for index in choice.keep]
        points = sum(ticket.points for ticket in tickets)
        paths = [view.path(ticket.a, ticket.b) for ticket in tickets]
        trains = sum(path.trains if path else 1000 for path in paths)
        return points - 0.5 * trains if trains <= 0.6 * view.me.trains else -points

    def routes_wanted(self, view: View) -> set[int]:
        """The routes missing for the tickets; without any, those of `least` spaces, or what there is."""
        paths = [view.path(ticket.a, ticket.b) for ticket in view.tickets]
        wanted = {route for path in paths if path and path.trains <= view.me.trains for route in path.routes}
        long = {route for route in view.buildable_routes if view.map.routes[route].length >= self.least}
        return wanted or long or set(view.buildable_routes)

    def draw(self, view: View, routes: set[int]) -> Action:
        """Take the color for which the fewest cards are missing from the row, else the top of the deck."""
        best, fewest = "", 100
        for route in sorted(routes):  # sorted: the order of a set is no rule of the game
            length, color = view.map.routes[route].length, view.map.routes[route].color
            colors = list(view.hand)[:8] if color == "gray" else [color]
            for card in colors:
                if length - view.hand[card] < fewest:
                    best, fewest = card, length - view.hand[card]
        for action in view.draws:
            if action.kind == "row" and action.card == best:
                return action
        blind = [action for action in view.draws if action.kind == "blind"]
        return blind[0] if blind else view.actions[0]
