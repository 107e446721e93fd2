"""The installed bots in words: all of them, a line each, or one with all its parameters."""

import inspect

from arena import catalog
from arena.bot import Policy
from arena.errors import UsageError

MOST_LISTED = 6  # parameters shown in the list of all bots


def describe_bots() -> list[str]:
    """A line for each installed bot: name with parameters, kind, what it does."""
    lines = []
    for name in catalog.bot_entry_points():
        try:
            bot = catalog.load_entrant(name).bot
        except UsageError as error:
            lines.append(f"{name}: broken: {error}")
            continue
        kind = "compiled" if isinstance(bot, Policy) else "Python"
        items = [f"{key}={value}" for key, value in catalog.parameters_of(bot).items()]
        if len(items) > MOST_LISTED:
            kind += f", {len(items)} parameters"
            items = [items[0], "..."]
        summary = (inspect.getdoc(bot) or "").splitlines()[0:1]
        lines.append(f"{name}{':' * bool(items)}{','.join(items)} ({kind}): {''.join(summary)}")
    return lines


def describe_bot(spec: str) -> list[str]:
    """What a bot does, and a line for each of its parameters with the value that it has."""
    entrant = catalog.load_entrant(spec)
    values = {**catalog.parameters_of(entrant.bot), **entrant.parameters}
    return [inspect.getdoc(entrant.bot) or "(no description)", *(f"  {key} = {value}" for key, value in values.items())]
