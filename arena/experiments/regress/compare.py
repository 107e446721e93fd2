"""One whole comparison, from two bots to a verdict."""

from dataclasses import dataclass, replace
from functools import cached_property

from arena.catalog.fingerprint import decide_alike, fingerprint_of
from arena.engine.parameters import defaults_of
from arena.engine.table import Entrant
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
from arena.experiments.regress.verdict import FAIL, PASS, Verdict, word_of
from arena.stats.sprt import Outcome, Sprt


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
        """What is played."""
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
