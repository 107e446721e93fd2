"""The options of `arena regress`: who plays where, what is tested, and the command that asks for it again."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from arena import catalog
from arena.engine.bots import Entrant
from arena.engine.parameters import split_bots
from arena.errors import UsageError
from arena.stats.sprt import Sprt
from arena.tournament.request import Settings

MOST_GAMES = 20_000
ERROR = 0.05
"""The default of both error rates."""
NO_LOSS = 3.0
"""Points of win share that a bot may lose unnoticed, by default."""


@dataclass(frozen=True)
class Setting:
    """Where and against whom both bots play."""

    maps: tuple[str, ...]
    players: tuple[int, ...]
    field: tuple[str, ...]
    """The specs of the opponents; empty: the baseline itself."""
    seed: int
    seating: str
    settings: Settings

    @property
    def conditions(self) -> list[tuple[str, int]]:
        """Every map with every number of players."""
        return [(name, players) for name in self.maps for players in self.players]


@dataclass(frozen=True)
class Hypotheses:
    """What is tested, in points of win share (hundredths)."""

    low: float
    """H0: the candidate's gain is at most this."""
    high: float
    """H1: it is at least this."""
    alpha: float
    """How often H1 may be accepted where H0 is true."""
    beta: float
    """How often H0 may be accepted where H1 is true."""

    def __post_init__(self) -> None:
        if not -100 <= self.low < self.high <= 100:
            raise UsageError(f"a test from {self.low:g} to {self.high:g} points does not fit: -100 <= P0 < P1 <= 100")
        for name, value in (("--alpha", self.alpha), ("--beta", self.beta)):
            if not 0 < value < 0.5:
                raise UsageError(f"{name} {value:g} does not fit: it lies between 0 and 0.5")

    @property
    def is_gain(self) -> bool:
        """Whether the question is what was gained; otherwise it is whether nothing was lost."""
        return self.high != 0

    @property
    def suits_equals(self) -> bool:
        """Whether a bot passes that is neither better nor worse: 0 is nearer to P1."""
        return self.low + self.high < 0

    @property
    def sprt(self) -> Sprt:
        """The test in shares."""
        return Sprt(self.low / 100, self.high / 100, self.alpha, self.beta)

    def __str__(self) -> str:
        asked = f"gain {exact(self.low)},{exact(self.high)}" if self.is_gain else f"no loss of {exact(-self.low)}"
        return f"{asked} points, alpha {exact(self.alpha)}, beta {exact(self.beta)}"


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options by the names that they have in Python; UsageError for a wrong type.

    A single value is as good as a list of one, and what is named twice counts once, except for the opponents.
    """

    field: str | Sequence[str] = ()
    maps: str | Sequence[str] = ()
    players: int | Sequence[int] = ()
    settings: Mapping[str, int | str] | None = None
    gain: str | Sequence[float] | None = None
    no_loss: float | None = None
    alpha: float = ERROR
    beta: float = ERROR
    max_games: int = MOST_GAMES
    seed: int | None = None
    seating: str | None = None
    jobs: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("--no-loss", self.no_loss or 0), ("--alpha", self.alpha), ("--beta", self.beta)):
            if not _is_whole(value) and not isinstance(value, float):
                raise UsageError(f"{name} takes a number, not {value!r}")
        if self.jobs is not None and (not _is_whole(self.jobs) or self.jobs < 1):
            raise UsageError(f"jobs takes a whole number from 1 on, not {self.jobs!r}")
        if not _is_whole(self.max_games):
            raise UsageError(f"--max-games takes a whole number, not {self.max_games!r}")
        if self.seed is not None and not _is_whole(self.seed):
            raise UsageError(f"seed takes a whole number, not {self.seed!r}")
        if self.seating is not None and not isinstance(self.seating, str):
            raise UsageError(f"seating takes a word, not {self.seating!r}")

    @property
    def hypotheses(self) -> Hypotheses:
        """What is tested; UsageError for numbers that do not fit."""
        limits = parse_gain(self.gain)
        if limits and self.no_loss is not None:
            raise UsageError("ask for a gain or for no loss, not for both")
        if limits:
            return Hypotheses(*limits, self.alpha, self.beta)
        points = NO_LOSS if self.no_loss is None else self.no_loss
        if not 0 < points <= 100:
            raise UsageError(f"--no-loss {points:g} does not fit: it takes more than 0, up to 100 points of win share")
        return Hypotheses(-float(points), 0.0, self.alpha, self.beta)

    @property
    def setting(self) -> Setting:
        """Where both play; UsageError for a wrong type."""
        rules = {} if self.settings is None else self.settings
        if not isinstance(rules, Mapping) or not all(
            isinstance(name, str) and (isinstance(value, str) or _is_whole(value)) for name, value in rules.items()
        ):
            raise UsageError(f"settings takes rules with their numbers, as in {{'trains': 40}}, not {rules!r}")
        return Setting(
            maps=tuple(dict.fromkeys(_several("maps", self.maps, str) or [catalog.default_map()])),
            players=tuple(dict.fromkeys(_several("players", self.players, int) or [2])),
            field=split_bots(_several("field", self.field, str)),
            seed=1 if self.seed is None else self.seed,
            seating=self.seating or "rotation",
            settings=dict(rules),
        )

    @property
    def of_setting(self) -> list[str]:
        """The names of the options that ask for a setting."""
        names = [each.name for each in fields(Options) if each.name in Setting.__annotations__]
        return [name for name in names if getattr(self, name) not in (None, (), {}, [])]


def parse_gain(text: str | Sequence[float] | None) -> tuple[float, float] | None:
    """Two numbers, or a text with a comma between them; UsageError if it is something else."""
    if text is None:
        return None
    try:
        low, high = map(float, text.split(",") if isinstance(text, str) else text)
    except (TypeError, ValueError):
        shown = text if isinstance(text, str) else str(text)
        raise UsageError(f"--gain {shown!r} is not of the form P0,P1: two numbers, as in --gain 0,5") from None
    return low, high


def _several(name: str, given: Any, kind: type) -> list[Any]:
    values = [given] if isinstance(given, (str, int)) else given
    try:
        values = list(values or ())
    except TypeError:
        values = [None]
    if not all(isinstance(value, kind) and not isinstance(value, bool) for value in values):
        what = "whole numbers" if kind is int else "names"
        raise UsageError(f"{name} takes one or more {what}, not {given!r}")
    return values


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def exact(number: float) -> str:
    """A number with the digits that it takes to read the same one."""
    return repr(float(number)).removesuffix(".0")


def again(bots: Sequence[Entrant | str], setting: Setting | None, hypotheses: Hypotheses, max_games: int) -> str:
    """The command line that repeats a comparison or, for a bot without a name, the call in Python.

    bots: the candidate, and what it is compared with: a bot or the name of a file. setting: None if that file says it.
    """
    asked: dict[str, Any] = {}
    if setting:
        asked |= {"field": setting.field, "maps": setting.maps, "players": setting.players}
        asked |= {"settings": setting.settings, "seating": setting.seating, "seed": setting.seed}
    asked["gain" if hypotheses.is_gain else "no_loss"] = (
        (hypotheses.low, hypotheses.high) if hypotheses.is_gain else -hypotheses.low
    )
    asked |= {"alpha": hypotheses.alpha, "beta": hypotheses.beta, "max_games": max_games}
    usual = {"field": (), "settings": {}, "seating": "rotation", "alpha": ERROR, "beta": ERROR, "max_games": MOST_GAMES}
    asked = {name: value for name, value in asked.items() if name not in usual or value != usual[name]}
    if all(isinstance(bot, str) or bot.spec for bot in bots):
        first, second = (bot if isinstance(bot, str) else bot.spec for bot in bots)
        words = [word for name, value in asked.items() for word in _words(name, value)]
        return shlex.join(["arena", "regress", first, "--against", second, *words])
    names = [bot.name if isinstance(bot, Entrant) and not bot.spec else _literal(bot) for bot in bots]
    return f"regress({', '.join([*names, *(f'{name}={_literal(value)}' for name, value in asked.items())])})"


def _words(name: str, value: Any) -> list[str]:
    """An option on the command line."""
    if name == "gain":  # the first number may begin with a hyphen
        return [f"--gain={','.join(map(exact, value))}"]
    if name == "field":
        return ["--field", ",".join(value)]
    if name == "settings":
        return [word for rule in value.items() for word in ("--set", "{}={}".format(*rule))]
    option = "--" + name.replace("_", "-")
    if isinstance(value, tuple):
        return [word for each in value for word in (option.removesuffix("s") if name == "maps" else option, str(each))]
    return [option, exact(value) if isinstance(value, float) else str(value)]


def _literal(value: Any) -> str:
    """A value as Python source, with double quotes."""
    if isinstance(value, float):
        return exact(value)
    if isinstance(value, tuple) and isinstance(value[0], float):
        return f"({', '.join(map(exact, value))})"
    return json.dumps(value.spec if isinstance(value, Entrant) else value, ensure_ascii=False)
