"""`arena bots list` as text: all installed bots, or one with all its parameters."""

import inspect
from itertools import groupby

from arena import catalog
from arena.engine.bots import Entrant, Policy
from arena.engine.external.program import Program
from arena.engine.parameters import defaults_of, shown
from arena.errors import UsageError
from arena.texts import WIDTH, wrapped

MOST_LISTED = 6  # parameters shown in the list of all bots


def describe_bots() -> list[str]:
    """A paragraph for each installed bot: name with parameters, kind, what it does."""
    lines = []
    for name in catalog.bot_entry_points():
        try:
            entrant = catalog.load_entrant(name)
        except UsageError as error:
            text = f"{name}: broken: {error}"
        else:
            items = shown(defaults_of(entrant.bot))
            kind = kind_of(entrant)
            if len(items) > MOST_LISTED:
                kind += f", {len(items)} parameters"
                items = [items[0], "..."]
            text = f"{name}{':' * bool(items)}{','.join(items)} ({kind}): {doc_of(entrant)[0]}"
        lines += wrapped(text, others="    ", break_long_words=False)
    return lines


def describe_bot(spec: str) -> list[str]:
    """A bot and its kind, what it does, and a line for each of its parameters with the value that it has."""
    entrant = catalog.load_entrant(spec)
    values = shown({**defaults_of(entrant.bot), **entrant.parameters})
    parameters = [f"  {name} = {value}" for name, _, value in (item.partition("=") for item in values)]
    return [f"{entrant.name} ({kind_of(entrant)})", *_narrow(doc_of(entrant)), *parameters]


def kind_of(entrant: Entrant) -> str:
    """`compiled`, `Python` or `program`."""
    if isinstance(entrant.bot, Program):
        return "program"
    return "compiled" if isinstance(entrant.bot, Policy) else "Python"


def doc_of(entrant: Entrant) -> list[str]:
    """The lines of a bot's own docstring, not of a class that it is derived from; of a program what starts it."""
    if isinstance(entrant.bot, Program):
        return ["A program that speaks the protocol of docs/protocol.md, started as", *entrant.bot.argv]
    return inspect.cleandoc(entrant.bot.__doc__ or "").splitlines() or ["(no description)"]


def _narrow(lines: list[str]) -> list[str]:
    """Paragraphs that are wider are wrapped; others keep their lines."""
    narrow: list[str] = []
    for empty, group in groupby(lines, lambda line: not line):
        paragraph = list(group)
        wide = not empty and max(map(len, paragraph)) > WIDTH
        narrow += wrapped(" ".join(paragraph), break_long_words=False) if wide else paragraph
    return narrow
