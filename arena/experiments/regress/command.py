"""The command, or the call in Python, that repeats a comparison."""

import json
import shlex
from typing import Any

from arena.engine.bots import Entrant
from arena.experiments.regress.match import Setting
from arena.experiments.regress.verdict import Question, exact

MOST_GAMES = 20_000
ERROR = 0.05
"""Of both kinds, if nothing else is asked."""


def again(candidate: Entrant, against: Entrant | str, setting: Setting | None, question: Question, most: int) -> str:
    """The text that compares them again. against: a bot or the name of a file; setting: None if that file says it."""
    bots = [candidate, against]
    if any(isinstance(bot, Entrant) and not bot.spec for bot in bots):
        return _call(bots, setting, question, most)
    first, second = (bot.spec if isinstance(bot, Entrant) else bot for bot in bots)
    options: list[object] = _setting_options(setting) if setting else []
    if question.is_gain:
        options += [f"--gain={exact(question.low)},{exact(question.high)}"]
    else:
        options += ["--no-loss", exact(-question.low)]
    for name, value in (("--alpha", question.alpha), ("--beta", question.beta)):
        options += [name, exact(value)] if value != ERROR else []
    options += ["--max-games", most] if most != MOST_GAMES else []
    return shlex.join(["arena", "regress", first, "--against", second, *map(str, options)])


def _setting_options(setting: Setting) -> list[object]:
    options: list[object] = ["--field", ",".join(setting.field)] if setting.field else []
    for name in setting.maps:
        options += ["--map", name]
    for players in setting.players:
        options += ["--players", players]
    for name, value in setting.settings.items():
        options += ["--set", f"{name}={value}"]
    options += ["--seating", setting.seating] if setting.seating != "rotation" else []
    return [*options, "--seed", setting.seed]


def _call(bots: list[Entrant | str], setting: Setting | None, question: Question, most: int) -> str:
    names = [bot.name if isinstance(bot, Entrant) and not bot.spec else _literal(bot) for bot in bots]
    options = _setting_arguments(setting) if setting else {}
    if question.is_gain:
        options["gain"] = f"({exact(question.low)}, {exact(question.high)})"
    else:
        options["no_loss"] = exact(-question.low)
    for name, value in (("alpha", question.alpha), ("beta", question.beta)):
        if value != ERROR:
            options[name] = exact(value)
    if most != MOST_GAMES:
        options["max_games"] = str(most)
    return f"regress({', '.join([*names, *(f'{name}={text}' for name, text in options.items())])})"


def _setting_arguments(setting: Setting) -> dict[str, str]:
    arguments: dict[str, Any] = {"field": list(setting.field)} if setting.field else {}
    arguments |= {"maps": list(setting.maps), "players": list(setting.players)}
    if setting.settings:
        arguments["settings"] = setting.settings
    if setting.seating != "rotation":
        arguments["seating"] = setting.seating
    arguments["seed"] = setting.seed
    return {name: _literal(value) for name, value in arguments.items()}


def _literal(value: object) -> str:
    """As Python reads it, in double quotes."""
    return json.dumps(value.spec if isinstance(value, Entrant) else value, ensure_ascii=False)
