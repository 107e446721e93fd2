"""What a user asks of a run: the one list of its options, for the command line, the API, files and studies."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from arena.engine.limits import USUAL, Limits, in_units, parse_size
from arena.errors import UsageError

Settings = dict[str, int | str]
"""Other values of rules, by name."""
ALWAYS = ("games", "seed")
"""Options that a command line names although they have their usual values."""


@dataclass(frozen=True)
class Request:
    """The options of `arena run` by their names, in the order in which a command line names them."""

    bots: Sequence[str]
    _: KW_ONLY
    map: str | None = None
    """None: the map of the base game."""
    players: int | None = None
    """None: as many as there are bots, up to five."""
    games: int = 1000
    seed: int = 1
    format: str = "round-robin"
    seating: str = "rotation"
    design: str | None = None
    settings: Mapping[str, int | str] | None = None
    move_time: float = USUAL.move_time
    game_time: float = USUAL.game_time
    memory: int | str = in_units(USUAL.memory)
    on_fault: str = USUAL.on_fault
    isolate: bool = USUAL.isolate
    detail: bool = True
    force_tickets: bool = False
    note: str = ""
    jobs: int | None = None
    """None: one for each core."""
    shard: str | None = None
    out: str | Path | None = None

    def __post_init__(self) -> None:
        """UsageError for what a command line could not say."""
        bots, settings = self.bots, self.settings
        if isinstance(bots, str) or not isinstance(bots, Sequence) or not all(isinstance(bot, str) for bot in bots):
            raise UsageError(f'bots must be a list of names, such as ["racer", "greedy"], not {bots!r}')
        for option in fields(self):
            value = getattr(self, option.name)
            if option.type in (int, int | None) and not (value is None and option.default is None):
                if isinstance(value, bool) or not isinstance(value, Integral):
                    raise UsageError(f"{option.name} must be a whole number, not {value!r}")
            elif option.type is float and (isinstance(value, bool) or not isinstance(value, Real)):
                raise UsageError(f"{option.name} must be a number of seconds, not {value!r}")
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"jobs must be 1 or more, not {self.jobs}")
        if settings is not None and not isinstance(settings, Mapping):
            raise UsageError(f'settings must be a dictionary of rules, such as {{"trains": 40}}, not {settings!r}')

    @classmethod
    def of_options(
        cls, *, settings: Iterable[str], out: Path | None, of_file: Iterable[str] = (), **options: Any
    ) -> "Request":
        """The request of a command line, with the rules that a file sets beneath its own."""
        rules = {**parse_settings(of_file), **parse_settings(settings)}
        return cls(**options, settings=rules, out=out.expanduser() if out else None)

    @property
    def limits(self) -> Limits:
        """What a bot may use up, and what follows a fault; UsageError for what is out of range."""
        return Limits(self.move_time, self.game_time, parse_size(str(self.memory)), self.on_fault, self.isolate)

    @property
    def command(self) -> str:
        """The command line that asks for this."""
        words = ["arena", "run", *self.bots]
        for option in fields(self)[1:]:
            value, name = getattr(self, option.name), option.name.replace("_", "-")
            if option.name == "settings":
                words += [word for rule in (value or {}).items() for word in ("--set", "{}={}".format(*rule))]
            elif value == option.default and option.name not in ALWAYS:
                continue
            elif isinstance(value, bool):
                words.append(f"--{name}" if value else f"--no-{name}")
            else:
                words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        return shlex.join(words)


def parse_settings(items: Iterable[str]) -> Settings:
    """Rules from `RULE=N`, a few take a word; whether there is such a rule is for the map to say."""
    settings: Settings = {}
    for item in items:
        name, equals, value = item.partition("=")
        number = re.fullmatch(r"-?[0-9]{1,9}", value)
        if not equals or not name or not (number or re.fullmatch(r"[a-z]+", value)):
            raise UsageError(f"--set {item!r} is not of the form rule=number or rule=word")
        if name in settings:
            raise UsageError(f"--set {name} is given twice")
        settings[name] = int(value) if number else value
    return settings
