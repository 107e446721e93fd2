"""All checks of a bot in their order."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from arena import catalog
from arena.bot import Policy, prepares
from arena.botcheck import verdicts
from arena.botcheck.fresh import other_hash_seed, play_afresh
from arena.botcheck.games import Game, Games, play
from arena.botcheck.strength import Duel, duel, shipped_field
from arena.botcheck.verdicts import Check
from arena.fingerprint import fingerprint
from arena.rules.jit import INTERPRETED
from arena.runs.start import warm_up
from arena.table import Entrant

Say = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """What is known of a bot after its checks."""

    bot: str
    kind: str
    """`Python` or `compiled`."""
    parameters: dict[str, Any]
    digest: str
    """Of its sources."""
    fingerprint: str
    """Of its behavior; empty if a check failed."""
    map: str
    """Of the duels."""
    labels: tuple[str, ...]
    """What the maps played say of themselves."""
    checks: tuple[Check, ...]
    duels: tuple[Duel, ...]

    @property
    def failed(self) -> list[Check]:
        """The checks that were not passed."""
        return [check for check in self.checks if check.passed is False]

    def to_json(self) -> dict[str, Any]:
        """The object that `arena bots check --json` prints."""
        return {"passed": not self.failed, **asdict(self), "duels": [duel._asdict() for duel in self.duels]}


def fast_checks(entrant: Entrant, games: Games, say: Say) -> tuple[list[Game], list[Check]]:
    """What a few seconds in this process can find: the games played, and the verdicts."""
    warm_up([entrant], catalog.load_map(games.maps[0]), games.seats[0], say)
    played = []
    for name in games.maps:
        say(f"{name}: playing against itself and against random players ...")
        played += play(entrant, Games((name,), games.seats, games.deals).keys())
    again = play(entrant, games.repeated())
    return played, [
        verdicts.legal(played, str(games)),
        verdicts.view_untouched(played),
        verdicts.own_chance(played),
        verdicts.same("same seed", played, again, "the second time"),
    ]


def check_in_own_process(entrant: Entrant, games: Games, played: Sequence[Game], say: Say) -> list[Check]:
    """Whether a new process, with another order of sets of strings, plays the same games; and its memory."""
    say("playing again in a process of its own ...")
    fresh = play_afresh(entrant.spec, games.repeated(), PYTHONHASHSEED=other_hash_seed())
    if fresh.died:
        return [Check("own process", False, f"The process ended: {fresh.died}.")]
    return [verdicts.same("own process", played, fresh.games, "in another process"), verdicts.memory(fresh)]


def check_bounds(entrant: Entrant, games: Games, say: Say) -> Check:
    """The games of a bot that has compiled code, with every index checked."""
    if not isinstance(entrant.bot, Policy) and not prepares(entrant.bot):
        return Check("bounds", None, "Not needed: Python checks every index itself.")
    if INTERPRETED:
        return Check("bounds", None, "Not needed: with NUMBA_DISABLE_JIT Python checks every index itself.")
    warm_up([entrant], catalog.load_map(games.maps[0]), games.seats[0], say)  # first of all it must compile
    say("playing with bounds checks; the first time this compiles the rules anew, for about a minute ...")
    return verdicts.in_bounds(play_afresh(entrant.spec, games.keys(), NUMBA_BOUNDSCHECK="1"))


def duels(entrant: Entrant, opponents: Sequence[Entrant], map_name: str, games: int, seconds: float,
          say: Say) -> Iterator[Duel]:  # fmt: skip
    """A first estimate of strength; what one opponent leaves of its part of the time is there for the next ones."""
    spec = catalog.load_map(map_name)
    warm_up([entrant, *opponents], spec, 2, say)
    end = perf_counter() + seconds
    for index, opponent in enumerate(opponents):
        say(f"playing against {opponent.name} ...")
        yield duel(entrant, opponent, spec, games, (end - perf_counter()) / (len(opponents) - index))


def games_on(maps: Sequence[str]) -> Games:
    """The games of all checks on some maps, by default on all shipped ones; UsageError if there is no such map."""
    for name in maps:
        catalog.load_map(name)
    return Games(tuple(dict.fromkeys(maps or catalog.map_names())), (2, 3, 4, 5))


def home_of(maps: Sequence[str]) -> str:
    """The map of the duels: the one that is played by default, if it is among these."""
    return catalog.default_map() if catalog.default_map() in maps else maps[0]


def check_all(entrant: Entrant, wanted: Games, games: int, seconds: float, say: Say) -> Report:
    """Every check of a bot, and `games` against each shipped one."""
    home = home_of(wanted.maps)
    # First: code that writes outside of its arrays can do anything to the process that it runs in.
    bounds = check_bounds(entrant, wanted, say)
    if bounds.passed is False:
        return _report(entrant, "", wanted.maps, [bounds], [])
    played, checks = fast_checks(entrant, wanted, say)
    checks += check_in_own_process(entrant, wanted, played, say)
    checks += [bounds, verdicts.time_of(entrant, played)]
    found = list(duels(entrant, shipped_field(entrant), home, games, seconds, say)) if games else []
    faults = [f"{duel.opponent}, {duel.fault}" for duel in found if duel.fault]
    if faults:
        checks.append(Check("duels", False, f"{len(faults)} opponents saw a fault. First: against {faults[0]}"))
    report = _report(entrant, "", wanted.maps, checks, found)
    return report if report.failed else _report(entrant, fingerprint(entrant), wanted.maps, checks, found)


def _report(
    entrant: Entrant, behavior: str, maps: Sequence[str], checks: Sequence[Check], found: Sequence[Duel]
) -> Report:
    bot = entrant.bot
    labels = tuple(f"{name}: {label}." for name in maps if (label := catalog.load_map(name).label))
    kind, defaults = ("compiled", bot.defaults) if isinstance(bot, Policy) else ("Python", catalog.parameters_of(bot))
    parameters = {**defaults, **entrant.parameters}
    return Report(
        entrant.spec, kind, parameters, entrant.digest, behavior, home_of(maps), labels, tuple(checks), tuple(found)
    )
