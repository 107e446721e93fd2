"""One whole comparison, from two bots to a verdict, and the verdict in words."""

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from arena.catalog.fingerprint import decide_alike, fingerprint_of
from arena.engine.bots import Entrant
from arena.engine.parameters import defaults_of
from arena.experiments.regress.baseline import Baseline, plain
from arena.experiments.regress.options import Hypotheses, Setting, again
from arena.experiments.regress.rounds import (
    Condition,
    Context,
    Played,
    code_name,
    deals_within,
    make_conditions,
    play_rounds,
)
from arena.stats.sprt import Outcome, Sprt

PASS, FAIL, UNDECIDED = 0, 1, 3
"""Exit codes; 2 is wrong use."""


SCHEMA = 1
"""The version of what programs are told."""


@dataclass(frozen=True)
class Verdict:
    """What a comparison found."""

    word: str
    """`better`, `no worse`, `worse`, `no better`, `undecided` or `unchanged`."""
    exit_code: int
    """0 the question is answered with yes, 1 with no, 3 not yet."""
    candidate: str
    baseline: str
    where: str
    """Maps, numbers of players, field."""
    question: str
    deals: int
    """Deals that count, each in every map and number of players; the test stopped there."""
    games: int
    """Games on these deals, of both bots."""
    gain: float | None
    """The gain in win share, corrected for stopping; None if nothing was played."""
    low: float | None
    high: float | None
    """The 95 % interval of the gain, corrected likewise."""
    llr: float
    """The log likelihood ratio at the end, and its bounds."""
    bounds: tuple[float, float]
    faults: tuple[int, int]
    """Games with a fault of the candidate, of the baseline, among those played here."""
    command: str
    """The command line, or for bots without a name the call in Python, that finds it again."""
    is_even: bool = True
    """Whether both did exactly as well on each deal."""
    label: str = ""
    """What must be said wherever the map is shown."""
    recorded_faults: int = 0
    """Games with a fault of the baseline in all of its file."""
    first_fault: str = ""
    """The first fault in words: the candidate's or, if it had no fault, the baseline's."""
    note: str = ""
    """Why the test had to end, if not for `max_games`."""

    @property
    def passed(self) -> bool:
        """Whether the question is answered with yes."""
        return self.exit_code == PASS

    @property
    def lines(self) -> list[str]:
        """Five lines to paste into a pull request; a sixth one has the first fault, if there are faults."""
        head = f"{self.candidate} against {self.baseline}: {self.word.upper()}"
        label = f" ({self.label})" if self.label else ""
        fault = [self.first_fault] if self.first_fault else []
        return [head, f"{self.where}{label}", self._found() + self._faults(), self._test(), self.command, *fault]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def to_json(self) -> dict[str, Any]:
        """For programs; numbers that do not exist are left out."""
        return {"schema": SCHEMA, **{key: value for key, value in asdict(self).items() if value is not None}}

    def _found(self) -> str:
        if self.gain is None or self.low is None or self.high is None:
            return "the same sources and parameters, and the same decisions in the games of the fingerprint"
        if self.is_even:
            return f"the same result on each of {self.deals:,} deals, {self.games:,} games"
        return (
            f"win share {100 * self.gain:+.1f} points (95 %: {100 * self.low:+.1f} to {100 * self.high:+.1f}, "
            f"corrected for stopping), {self.deals:,} deals, {self.games:,} games"
        )

    def _faults(self) -> str:
        """Games with a fault, if there are any."""
        own, other = self.faults
        text = f"; games with a fault: {own:,} of the candidate, {other:,} of the baseline" if own or other else ""
        recorded = f"; in all games of its file the baseline had {self.recorded_faults:,} with a fault"
        return text + (recorded if self.recorded_faults else "")

    def _test(self) -> str:
        low, high = self.bounds
        note = f"; {self.note}" if self.note else ""
        return f"{self.question}; log likelihood ratio {self.llr:+.2f} of {low:.2f} to {high:+.2f}{note}"


def word_of(hypotheses: Hypotheses, decision: str, low: float | None, high: float | None) -> tuple[str, int]:
    """The verdict and the exit code for what the test accepted, and the corrected interval of the gain."""
    if not decision:
        return "undecided", UNDECIDED
    if decision == "h1":
        better = (hypotheses.is_gain and hypotheses.low >= 0) or (low is not None and low > 0)
        return "better" if better else "no worse", PASS
    worse = hypotheses.high <= 0 or (high is not None and high < 0)
    return "worse" if worse else "no better", FAIL


class Stopped(KeyboardInterrupt):
    """The user has interrupted the test; the text says how it stood."""


@dataclass(frozen=True)
class Comparison:
    """What is compared where, and how long at most."""

    candidate: Entrant
    baseline: Entrant | Baseline
    setting: Setting
    hypotheses: Hypotheses
    max_games: int
    file: str = ""
    """The name of the baseline's file, if it has one."""

    @cached_property
    def conditions(self) -> list[Condition]:
        """The games to play under each condition."""
        if isinstance(self.baseline, Entrant):
            return make_conditions(self.setting, self.candidate, self.baseline)
        conditions = make_conditions(self.setting, self.candidate, None)
        rows = zip(conditions, self.baseline.shares, strict=True)
        return [condition._replace(known=tuple(row)) for condition, row in rows]

    @property
    def command(self) -> str:
        """The command, or the call in Python, that repeats it."""
        if isinstance(self.baseline, Entrant):
            return again([self.candidate, self.baseline], self.setting, self.hypotheses, self.max_games)
        return again([self.candidate, self.file], None, self.hypotheses, self.max_games)

    @property
    def is_same(self) -> bool:
        """Whether both are the same bot of the same sources, with the same values of all parameters."""
        own, other = self.candidate, self.baseline
        if isinstance(other, Baseline):
            same = (own.digest, code_name(own.spec)) == (other.source, code_name(other.bot))
        else:
            same = own.bot == other.bot and own.digest == other.digest
        defaults = defaults_of(own.bot)
        return same and plain({**defaults, **own.parameters}) == plain({**defaults, **other.parameters})


def compare(comparison: Comparison, context: Context) -> Verdict:
    """Compare two bots: first what they decide, then, if that differs, how they do, for at most so many games."""
    hypotheses, baseline, conditions = comparison.hypotheses, comparison.baseline, comparison.conditions
    blank = Verdict(
        word="unchanged", exit_code=PASS if hypotheses.suits_equals else FAIL,
        candidate=comparison.candidate.spec or comparison.candidate.name,
        baseline=baseline.bot if isinstance(baseline, Baseline) else baseline.spec or baseline.name,
        where=_where(comparison.setting), question=str(hypotheses), deals=0, games=0, gain=None, low=None, high=None,
        llr=0.0, bounds=hypotheses.sprt.bounds, faults=(0, 0), command=comparison.command,
        label="; ".join(dict.fromkeys(each.spec.label for each in conditions if each.spec.label)),
        recorded_faults=baseline.faults if isinstance(baseline, Baseline) else 0,
    )  # fmt: skip
    alike = _decide_alike(comparison, context)
    if alike and comparison.is_same:
        return blank
    deals = allowed = deals_within(conditions, comparison.max_games, Sprt.least)
    if isinstance(baseline, Baseline):
        deals = min(allowed, baseline.blocks)
    outcome, played = _test(comparison, deals, context)
    verdict = _found(blank, hypotheses, outcome, played)
    if not outcome.decision and deals < allowed:
        return replace(verdict, note=f"the baseline holds only {deals:,} deals")
    return replace(verdict, word="unchanged") if alike and verdict.is_even and outcome.decision else verdict


def _decide_alike(comparison: Comparison, context: Context) -> bool:
    """Whether both decide alike among random players; not yet that they do against each other.

    In a worker, if it can load them by name: a bot that ends its process must not end this one.
    """
    one, other = comparison.candidate.spec or comparison.candidate, comparison.baseline
    if isinstance(other, Baseline):
        return context.executor.submit(fingerprint_of, one, comparison.setting.maps).result() == other.fingerprint
    setting = comparison.setting
    return context.executor.submit(
        decide_alike, one, other.spec or other, setting.conditions, setting.settings
    ).result()


def _test(comparison: Comparison, deals: int, context: Context) -> tuple[Outcome, Played]:
    """The test's outcome, and the blocks that count."""
    rounds: list[Played] = []
    standing = ""
    try:
        for part in play_rounds(comparison.conditions, deals, context.executor, context.jobs):
            rounds.append(part)
            played = Played.joined(rounds)
            outcome = comparison.hypotheses.sprt.decide(played.values)
            standing = _standing(outcome)
            context.progress(f"{played.games:,} of at most {comparison.max_games:,} games: {standing}")
            if outcome.decision:
                break
    except KeyboardInterrupt:
        raise Stopped(f"so far {standing}" if standing else "") from None
    return outcome, played.first(outcome.blocks)


def _standing(outcome: Outcome) -> str:
    low, high = outcome.bounds
    return (
        f"{100 * (outcome.raw or 0.0):+.1f} points after {outcome.blocks:,} deals, "
        f"log likelihood ratio {outcome.llr:+.2f} of {low:.2f} to {high:+.2f}"
    )


def _found(blank: Verdict, hypotheses: Hypotheses, outcome: Outcome, played: Played) -> Verdict:
    """The verdict on what was played."""
    gain, low, high = outcome.estimate or 0.0, outcome.low or 0.0, outcome.high or 0.0
    if played.is_even:
        gain, low, high = 0.0, min(low, 0.0), max(high, 0.0)
    word, code = word_of(hypotheses, outcome.decision, low, high)
    return replace(
        blank, word=word, exit_code=code, deals=outcome.blocks, games=played.games, gain=gain, low=low,
        high=high, llr=outcome.llr, faults=played.faults, is_even=played.is_even, first_fault=_first_fault(played),
    )  # fmt: skip


def _first_fault(played: Played) -> str:
    if not played.reasons:
        return ""
    first = min(played.reasons, key=lambda reason: (reason.arm, reason.block))
    return f"the {('candidate', 'baseline')[first.arm]}'s first fault: {first.text}"


def _where(setting: Setting) -> str:
    maps = ", ".join([*setting.maps, *(f"{name}={value}" for name, value in setting.settings.items())])
    players = ", ".join(map(str, setting.players))
    opponents = ", ".join(setting.field) or "the baseline itself"
    return f"{maps}; {players} players; field: {opponents}; seed {setting.seed}"
