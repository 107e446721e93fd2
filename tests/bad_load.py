"""A bot that cannot be loaded: `tests/test_bad_bots.py`."""

from arena.bot import Action, Bot, View


class RaisesAtLoad(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


raise RuntimeError("this module never loads")
