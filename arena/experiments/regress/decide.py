"""One whole comparison, from two bots to a verdict."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import NamedTuple

from arena.catalog.fingerprint import decide_alike, fingerprint_of
from arena.engine.bots import Entrant
from arena.engine.parameters import defaults_of
from arena.experiments.regress.baseline import Baseline, make_baseline, plain
from arena.experiments.regress.match import Cell, Setting, code_name, deals_within, make_cells
from arena.experiments.regress.rounds import Played, play_rounds
from arena.experiments.regress.verdict import FAIL, PASS, Question, Verdict, word_of
from arena.stats.sprt import Outcome, Sprt


class Crew(NamedTuple):
    """Who plays, and who is told how it stands."""

    executor: Executor
    jobs: int
    progress: Callable[[str], None]


class Stopped(KeyboardInterrupt):
    """Somebody had enough; the text says how it stood."""


class Match(NamedTuple):
    """What is compared where, and how long at most."""

    candidate: Entrant
    baseline: Entrant | Baseline
    setting: Setting
    question: Question
    most: int
    """Games."""

    def cells(self) -> list[Cell]:
        """What is played."""
        if isinstance(self.baseline, Entrant):
            return make_cells(self.setting, self.candidate, self.baseline)
        cells = make_cells(self.setting, self.candidate, None)
        return [cell._replace(known=tuple(row)) for cell, row in zip(cells, self.baseline.shares, strict=True)]

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


def settle(match: Match, cells: Sequence[Cell], crew: Crew, command: str) -> Verdict:
    """Compare two bots: first what they decide, then, if that differs, how they do, for at most so many games."""
    question, baseline = match.question, match.baseline
    blank = Verdict(
        word="unchanged", exit_code=PASS if question.suits_equals else FAIL,
        candidate=match.candidate.spec or match.candidate.name,
        baseline=baseline.bot if isinstance(baseline, Baseline) else baseline.spec or baseline.name,
        where=_where(match.setting), question=str(question), deals=0, games=0, gain=None, low=None, high=None, llr=0.0,
        bounds=question.sprt.bounds, faults=(0, 0), command=command, label=_labels(cells),
        recorded_faults=baseline.faults if isinstance(baseline, Baseline) else 0,
    )  # fmt: skip
    alike = _decide_alike(match, crew)
    if alike and match.is_same:
        return blank
    deals = allowed = deals_within(cells, match.most, Sprt.least)
    if isinstance(baseline, Baseline):
        deals = min(allowed, baseline.blocks)
    outcome, played = _test(cells, question, deals, match.most, crew)
    verdict = _found(blank, question, outcome, played)
    if not outcome.decision and deals < allowed:
        return replace(verdict, note=f"the baseline holds only {deals:,} deals")
    return replace(verdict, word="unchanged") if alike and verdict.is_even and outcome.decision else verdict


def record(bot: Entrant, setting: Setting, cells: Sequence[Cell], most: int, crew: Crew) -> Baseline:
    """Play a bot against a field and keep how it did on each deal."""
    rounds: list[Played] = []
    for part in play_rounds(cells, deals_within(cells, most, Sprt.least), crew.executor, crew.jobs):
        rounds.append(part)
        crew.progress(f"{sum(int(one.games.sum()) for one in rounds):,} of {most:,} games")
    played = Played.joined(rounds)
    games, faults = int(played.games.sum()), int(played.faults[:, 0].sum())
    return make_baseline(bot, setting, played.shares.T.tolist(), games, faults, crew.executor)


def _decide_alike(match: Match, crew: Crew) -> bool:
    """Whether both decide alike among random players; not yet that they do against each other.

    In a worker, if it can load them by name: a bot that ends its process must not end this one.
    """
    one, other = match.candidate.spec or match.candidate, match.baseline
    if isinstance(other, Baseline):
        return crew.executor.submit(fingerprint_of, one, match.setting.maps).result() == other.fingerprint
    setting = match.setting
    return crew.executor.submit(decide_alike, one, other.spec or other, setting.cells, setting.settings).result()


def _test(cells: Sequence[Cell], question: Question, deals: int, most: int, crew: Crew) -> tuple[Outcome, Played]:
    """The test's outcome, and the blocks that count."""
    rounds: list[Played] = []
    standing = ""
    try:
        for part in play_rounds(cells, deals, crew.executor, crew.jobs):
            rounds.append(part)
            played = Played.joined(rounds)
            outcome = question.sprt.decide(played.values)
            standing = _standing(outcome)
            crew.progress(f"{played.games.sum():,} of at most {most:,} games: {standing}")
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


def _found(blank: Verdict, question: Question, outcome: Outcome, played: Played) -> Verdict:
    """The verdict on what was played."""
    gain, low, high = outcome.estimate or 0.0, outcome.low or 0.0, outcome.high or 0.0
    if played.is_even:
        gain, low, high = 0.0, min(low, 0.0), max(high, 0.0)
    word, code = word_of(question, outcome.decision, low, high)
    own, other = played.faults.sum(axis=0).tolist()
    return replace(
        blank, word=word, exit_code=code, deals=outcome.blocks, games=int(played.games.sum()), gain=gain, low=low,
        high=high, llr=outcome.llr, faults=(own, other), is_even=played.is_even, first_fault=_first_fault(played),
    )  # fmt: skip


def _first_fault(played: Played) -> str:
    if not played.reasons:
        return ""
    first = min(played.reasons, key=lambda reason: (reason.arm, reason.block))
    return f"the {('candidate', 'baseline')[first.arm]}'s first fault: {first.text}"


def _where(setting: Setting) -> str:
    maps = ", ".join([*setting.maps, *(f"{name}={value}" for name, value in setting.settings.items())])
    players = ", ".join(map(str, setting.players))
    field = ", ".join(setting.field) if setting.field else "the baseline itself"
    return f"{maps}; {players} players; field: {field}; seed {setting.seed}"


def _labels(cells: Sequence[Cell]) -> str:
    return "; ".join(dict.fromkeys(cell.spec.label for cell in cells if cell.spec.label))
