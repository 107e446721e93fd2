"""For the tests of a bot's author: `check_bot` and `assert_not_weaker` fail with sentences that say what is wrong.

>>> from arena.bot import Bot
>>> class First(Bot):
...     def choose(self, view):
...         return view.actions[0]
>>> check_bot(First, maps=catalog.default_map(), seats=2)
>>> check_bot("greedy", maps=catalog.default_map(), seats=2, deals=0)
Traceback (most recent call last):
    ...
arena.errors.UsageError: check_bot: deals=0 is too few: at least one deal must be played
>>> assert_not_weaker("greedy", "random", max_games=400, jobs=1)
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena import catalog
from arena.checks.bot import check_bot as checks
from arena.checks.bot.games import Games
from arena.checks.findings import OK, PROBLEM, Finding
from arena.engine.bots import Entrant
from arena.errors import ArenaError, UsageError
from arena.experiments.regress.rounds import AnyBot, entrant_of
from arena.tournament.plan import MAX_SEATS

__all__ = ["assert_not_weaker", "check_bot"]


def check_bot(
    bot: AnyBot,
    *,
    maps: str | Sequence[str] | None = None,
    seats: int | Sequence[int] = (2, 3, 4, 5),
    deals: int = 1,
    own_process: bool = True,
    bounds: bool = False,
    stronger_than: str | Sequence[str] = (),
    games: int = 200,
    **parameters: Any,
) -> None:
    """Play a bot and raise AssertionError if a check fails: legality, view, randomness, same seed same game.

    bot: as on the command line (`name`, `my_bot.py:MyBot:key=value`), or the class or policy itself with `parameters`.
    maps, seats: by default all shipped maps with 2 to 5 seats; deals: how many of each combination.
    own_process: play in a process with another order of sets of strings, and some games again in this one (only for a
    bot that is given by its name).
    bounds: play a compiled bot, given by its name, with bounds checks. The first time this compiles the rules anew,
    which takes about a minute.
    stronger_than: bots against which the 95 % interval of the win share in `games` duels, rounded up to an even number,
    must lie above one half.

    UsageError if the bot does not exist or an argument does not fit.
    """
    __tracebackhide__ = True  # pytest shows the call in the test
    entrant = entrant_of(bot, parameters)
    opponents = [catalog.load_entrant(other) for other in _several(stronger_than)]
    if opponents and games < 1:
        raise UsageError(f"check_bot: games={games} decides nothing: stronger_than needs at least one game")
    wanted = _games(_several(maps or catalog.map_names()), [seats] if isinstance(seats, int) else list(seats), deals)
    found = [checks.check_bounds(entrant, wanted, _silent)] if bounds else []
    if all(check.holds for check in found):
        played, more = checks.fast_checks(entrant, wanted, _silent, apart=own_process and bool(entrant.spec))
        found += more
        if opponents and played:
            found += _stronger(entrant, opponents, wanted.maps, games)
    lines = [f"bot {entrant.name}"]
    for check in found:
        if not check.holds:
            lines += [f"{check.name}: {check.detail}", *([f"again: {check.again}"] if check.again else [])]
    if len(lines) > 1:
        raise AssertionError("\n".join(lines))


def assert_not_weaker(candidate: AnyBot, against: AnyBot | Path, *, no_loss: float = 3.0, **options: Any) -> None:
    """Raise AssertionError unless a bot passes `arena regress` against another one, or a baseline file (`*.json`).

    no_loss: points of win share that it may lose unnoticed. options: as of `arena.regress`: field, maps, players,
    settings, alpha, beta, max_games, seed, seating, jobs. An undecided comparison fails too.

    UsageError, of one sentence, if a bot does not exist or an option does not fit.
    """
    __tracebackhide__ = True
    from arena.experiments.regress.regress import regress

    try:
        verdict = regress(candidate, against, no_loss=no_loss, **options)
    except ArenaError as error:
        raise type(error)(str(error)) from None  # from here, as all below is not the test's
    if not verdict.passed:
        raise AssertionError(str(verdict))


def _several(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _games(maps: Sequence[str], seats: Sequence[int], deals: int) -> Games:
    for name in maps:
        catalog.load_map(name)
    if not seats or not all(seat in range(2, MAX_SEATS + 1) for seat in seats):
        raise UsageError(f"check_bot: seats={seats} does not fit: a game has 2 to {MAX_SEATS} players")
    if deals < 1:
        raise UsageError(f"check_bot: deals={deals} is too few: at least one deal must be played")
    return Games(tuple(maps), tuple(seats), deals)


def _stronger(entrant: Entrant, opponents: Sequence[Entrant], maps: Sequence[str], games: int) -> list[Finding]:
    home = checks.home_of(maps)
    return [
        Finding(
            f"stronger than {duel.opponent}",
            OK if duel.low > 0.5 and not duel.fault else PROBLEM,
            duel.fault or f"{duel.share:.1%} of {duel.games} games won, interval {duel.low:.1%} to {duel.high:.1%}.",
        )
        for duel in checks.duels(entrant, opponents, home, games, float("inf"), _silent)
    ]


def _silent(text: str) -> None:
    """Say nothing while a test runs."""
