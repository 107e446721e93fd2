"""Reads and checks the options of `arena regress`: who plays where, and what is asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena import catalog
from arena.engine.parameters import split_bots
from arena.errors import UsageError
from arena.experiments.regress.match import Setting
from arena.experiments.regress.verdict import Question

NO_LOSS = 3.0
"""Points of win share that a bot may lose unnoticed, if nothing else is asked."""

Gain = str | Sequence[float]


def parse_gain(text: Gain | None) -> tuple[float, float] | None:
    """Two numbers, or a text with a comma between them; UsageError if it is something else."""
    if text is None:
        return None
    try:
        low, high = map(float, text.split(",") if isinstance(text, str) else text)
    except (TypeError, ValueError):
        shown = text if isinstance(text, str) else str(text)
        raise UsageError(f"--gain {shown!r} is not of the form P0,P1: two numbers, as in --gain 0,5") from None
    return low, high


def question_of(gain: Gain | None, no_loss: float | None, alpha: float, beta: float) -> Question:
    """What is tested; UsageError for what does not fit."""
    for name, value in (("--no-loss", 0 if no_loss is None else no_loss), ("--alpha", alpha), ("--beta", beta)):
        if not _is_number(value):
            raise UsageError(f"{name} takes a number, not {value!r}")
    limits = parse_gain(gain)
    if limits and no_loss is not None:
        raise UsageError("ask for a gain or for no loss, not for both")
    if limits:
        return Question(*limits, alpha, beta)
    points = NO_LOSS if no_loss is None else no_loss
    if not 0 < points <= 100:
        raise UsageError(f"--no-loss {points:g} does not fit: it takes more than 0, up to 100 points of win share")
    return Question(-float(points), 0.0, alpha, beta)


def setting_of(given: Mapping[str, Any]) -> Setting:
    """Where both play, from `field`, `maps`, `players`, `settings`, `seed` and `seating`; UsageError for a wrong type.

    A single value is as good as a list of one; what is named twice counts once, but for bots of the field.
    """
    seed, seating = given["seed"], given["seating"]
    if seed is not None and not _is_whole(seed):
        raise UsageError(f"seed takes a whole number, not {seed!r}")
    if seating is not None and not isinstance(seating, str):
        raise UsageError(f"seating takes a word, not {seating!r}")
    return Setting(
        maps=tuple(dict.fromkeys(_several("maps", given["maps"], str) or [catalog.default_map()])),
        players=tuple(dict.fromkeys(_several("players", given["players"], int) or [2])),
        field=split_bots(_several("field", given["field"], str)),
        seed=1 if seed is None else seed,
        seating=seating or "rotation",
        settings=_settings(given["settings"]),
    )


def check_effort(jobs: int | None, max_games: int) -> None:
    """UsageError unless both are whole numbers, and jobs are one or more; what games must be depends on the plan."""
    if jobs is not None and (not _is_whole(jobs) or jobs < 1):
        raise UsageError(f"jobs takes a whole number from 1 on, not {jobs!r}")
    if not _is_whole(max_games):
        raise UsageError(f"--max-games takes a whole number, not {max_games!r}")


def _settings(given: Any) -> dict[str, int | str]:
    fits = given is None or (
        isinstance(given, Mapping)
        and all(isinstance(name, str) and (isinstance(value, str) or _is_whole(value)) for name, value in given.items())
    )
    if not fits:
        raise UsageError(f"settings takes rules with their numbers, as in {{'trains': 40}}, not {given!r}")
    return dict(given or {})


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


def _is_number(value: object) -> bool:
    return _is_whole(value) or isinstance(value, float)
