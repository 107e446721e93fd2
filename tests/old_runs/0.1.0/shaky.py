from arena.bot import Bot


class Shaky(Bot):
    """Plays at random, and now and then does what it should not."""

    def choose(self, view):
        chance = self.rng.random()
        if chance < 0.002:
            raise RuntimeError("no idea")
        if chance < 0.003:
            return None
        return self.rng.choice(view.actions)
