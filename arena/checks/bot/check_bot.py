"""`arena bots check`: all checks of a bot, in their order."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

from arena import catalog
from arena.catalog.fingerprint import fingerprint
from arena.catalog.listing import kind_of
from arena.checks.bot import verdicts
from arena.checks.bot.duels import SEED, Duel, duel, shipped_field
from arena.checks.bot.fresh_process import Fresh, other_hash_seed, play_afresh
from arena.checks.bot.games import Game, Games, play, replay
from arena.checks.findings import NOTE, OK, PROBLEM, Finding, lines_of
from arena.engine.bots import Entrant, Outside, Policy, prepares
from arena.engine.parameters import defaults_of, shown
from arena.errors import UsageError
from arena.rules.compiler import INTERPRETED
from arena.runs.compile import compile_all, compile_apart
from arena.texts import Say, aligned, wrapped

SIGNS = {OK: "ok", NOTE: "-", PROBLEM: "FAIL"}
IN_GAMES = ("legal", "view", "chance", "same seed", "own process", "memory")
"""The checks that `fast_checks` makes of its games."""
OF_ITS_CODE = ("view", "chance", "memory")
AFTER = ("time", "duels")
ENDED = "the process ended"
LATE = "it took too long, and no other game was begun"
FAULTY = "all games ended in a fault"
APART = "Not needed: no code of this bot runs in the arena's process."


@dataclass(frozen=True)
class Report:
    """What is known of a bot after its checks."""

    bot: str
    kind: str
    """`Python`, `compiled` or `program`."""
    parameters: dict[str, Any]
    digest: str
    """The digest of its sources."""
    fingerprint: str
    """The digest of its behavior; empty if a check failed."""
    map: str
    """The map of the duels."""
    labels: tuple[str, ...]
    """What the maps played say of themselves."""
    checks: tuple[Finding, ...]
    duels: tuple[Duel, ...]

    @property
    def failed(self) -> list[Finding]:
        """The checks that were not passed."""
        return [check for check in self.checks if not check.holds]

    def to_json(self) -> dict[str, Any]:
        """The object that `arena bots check --json` prints."""
        passed = {OK: True, NOTE: None, PROBLEM: False}
        checks = [
            {"name": f.name, "passed": passed[f.status], "detail": f.detail, "numbers": f.numbers, "again": f.again}
            for f in self.checks
        ]
        duels = [duel._asdict() for duel in self.duels]
        return {"passed": not self.failed, **asdict(self), "checks": checks, "duels": duels}

    def to_text(self) -> str:
        """Each check with its verdict, then the duels, then how it ended."""
        findings = list(self.checks)
        if self.fingerprint:
            findings.append(Finding("behavior", NOTE, f"{self.fingerprint} (digest of decisions on fixed positions)"))
        values = ", ".join(shown(self.parameters))
        title = f"{self.bot} ({self.kind}){': ' * bool(values)}{values}"
        lines = [*wrapped(title, others="  "), *lines_of(findings, SIGNS)]
        commands = [f"Again ({check.name}): {check.again}" for check in self.failed if check.again]
        lines += ["", *commands] if commands else []
        if self.duels:
            rows = [duel.cells for duel in self.duels]
            lines += ["", f"Win share on {self.map} with 2 players, each deal in both seatings"]
            lines += aligned([("against", "games", "wins", "interval"), *rows], {0})
        if self.labels:
            lines += ["", *self.labels]
        failed = ", ".join(check.name for check in self.failed)
        return "\n".join([*lines, "", f"Failed: {failed}." if failed else "All checks passed."]) + "\n"


def fast_checks(entrant: Entrant, games: Games, say: Say, *, apart: bool = True) -> tuple[list[Game], list[Finding]]:
    """What some games can find: the games and the verdicts.

    No games if they were broken off: the bot ended the process that played them, or took too long.

    apart: the games are played in a new process, with another order of sets of strings, and some of them here again.
    """
    compile_all([entrant], catalog.load_map(games.maps[0]), games.seats[0], say)
    keys, repeated = games.keys(), games.repeated()
    say(f"playing {len(keys)} games against itself and among random players, and {len(repeated)} of them again ...")
    if apart:
        fresh = play_afresh(entrant.spec, keys + repeated, say, PYTHONHASHSEED=other_hash_seed())
        if fresh.died:
            ended = Finding("legal", PROBLEM, f"The process that played the bot ended: {fresh.died}.")
            return [], [ended, *verdicts.unchecked(IN_GAMES[1:], ENDED)]
    else:
        fresh = Fresh(play(entrant, keys + repeated), None, None)
    played, again = fresh.games[: len(keys)], fresh.games[len(keys) :]
    if fresh.games[-1].late:
        late = verdicts.legal(entrant, fresh.games, str(games))
        return [], [late, *verdicts.unchecked(IN_GAMES[1:], LATE)]
    findings = [
        verdicts.legal(entrant, played, str(games)),
        verdicts.view_untouched(played),
        verdicts.own_chance(played),
        verdicts.same("same seed", played, again, "the second time"),
    ]
    if apart:
        say(f"playing {len(repeated)} of them in a second process ...")
        findings.append(verdicts.same("own process", played, play(entrant, repeated), "in another process"))
        findings.append(verdicts.memory(fresh))
    if isinstance(entrant.bot, Outside):  # what they look at is not the bot's
        findings = [Finding(check.name, NOTE, APART) if check.name in OF_ITS_CODE else check for check in findings]
    return played, findings


def check_bounds(entrant: Entrant, games: Games, say: Say) -> Finding:
    """The games of a bot that has compiled code, with every index checked; UsageError if it has no name."""
    if isinstance(entrant.bot, Outside):
        return Finding("bounds", NOTE, APART)
    if not isinstance(entrant.bot, Policy) and not prepares(entrant.bot):
        return Finding("bounds", NOTE, "Not needed: Python checks every index itself.")
    if INTERPRETED:
        return Finding("bounds", NOTE, "Not needed: with NUMBA_DISABLE_JIT Python checks every index itself.")
    if not entrant.spec:
        raise UsageError(
            f"bounds are checked in another process, which must find the bot {entrant.name} itself: "
            "give it by name, as on the command line (my_bot.py:my_bot)"
        )
    compile_all([entrant], catalog.load_map(games.maps[0]), games.seats[0], say)  # first of all it must compile
    keys = games.keys()
    say(f"playing {len(keys)} games with bounds checks ...")
    return verdicts.in_bounds(entrant, play_afresh(entrant.spec, keys, say, NUMBA_BOUNDSCHECK="1"))


def duels(entrant: Entrant, opponents: Sequence[Entrant], map_name: str, games: int, seconds: float,
          say: Say) -> Iterator[Duel]:  # fmt: skip
    """A first estimate of strength; time that one opponent leaves over is there for the next ones."""
    spec = catalog.load_map(map_name)
    compile_all([entrant, *opponents], spec, 2, say)
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


def compile_first(entrant: Entrant, wanted: Games, games: int, say: Say) -> None:
    """Compile what `check_all` needs, with a bar; UsageError if the bot cannot be compiled."""
    if isinstance(entrant.bot, Outside) or INTERPRETED:
        return
    field = shipped_field(entrant) if games else []
    compile_all([entrant, *field], catalog.load_map(wanted.maps[0]), wanted.seats[0], say)
    if isinstance(entrant.bot, Policy) or prepares(entrant.bot):
        compile_apart([entrant.spec], NUMBA_BOUNDSCHECK="1")  # what fails fails again in its check, and is told there


def check_all(entrant: Entrant, wanted: Games, games: int, seconds: float, say: Say) -> Report:
    """Every check of a bot, and `games` against each shipped one."""
    home = home_of(wanted.maps)
    # First: code that writes outside of its arrays can do anything to the process that it runs in.
    bounds = check_bounds(entrant, wanted, say)
    if not bounds.holds:
        why = "the bounds check failed"
        checks = [*verdicts.unchecked(IN_GAMES, why), bounds, *verdicts.unchecked(AFTER, why)]
        return _report(entrant, "", wanted.maps, checks, [])
    played, checks = fast_checks(entrant, wanted, say)
    checks.append(bounds)
    if not played:
        checks += [replace(checks[1], name=name) for name in AFTER]  # for the reason that all others were not
        return _report(entrant, "", wanted.maps, checks, [])
    checks.append(verdicts.time_of(entrant, played))
    if games and all(game.fault for game in played):
        checks += verdicts.unchecked(("duels",), FAULTY)
        games = 0
    played_duels = list(duels(entrant, shipped_field(entrant), home, games, seconds, say)) if games else []
    if faulty := [duel for duel in played_duels if duel.fault]:
        first = faulty[0]
        text = f"{len(faulty)} opponents saw a fault. First: against {first.opponent}, {first.fault}"
        command = replay([entrant.spec, first.opponent], home, first.games, SEED)
        checks.append(Finding("duels", PROBLEM, text, again=command))
    report = _report(entrant, "", wanted.maps, checks, played_duels)
    return report if report.failed else _report(entrant, fingerprint(entrant), wanted.maps, checks, played_duels)


def _report(
    entrant: Entrant, behavior: str, maps: Sequence[str], checks: Sequence[Finding], duels: Sequence[Duel]
) -> Report:
    bot = entrant.bot
    labels = tuple(f"{name}: {label}." for name in maps if (label := catalog.load_map(name).label))
    kind = kind_of(entrant)
    parameters = {**defaults_of(bot), **entrant.parameters}
    return Report(
        entrant.spec, kind, parameters, entrant.digest, behavior, home_of(maps), labels, tuple(checks), tuple(duels)
    )
