"""The whole comparison, from two bots to a verdict."""

import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import NamedTuple

from arena.fingerprint import decide_alike, fingerprint_of
from arena.regression.baseline import Baseline, make_baseline
from arena.regression.match import Cell, Setting, make_cells
from arena.regression.play import Played, play_rounds
from arena.regression.verdict import PASS, Question, Verdict, word_of
from arena.table import Entrant

MOST_GAMES = 20_000
ERROR = 0.05
"""Of both kinds, if nothing else is asked."""


class Crew(NamedTuple):
    """Who plays, and who is told how it stands."""

    executor: Executor
    jobs: int
    progress: Callable[[str], None]


def settle(
    candidate: Entrant,
    baseline: Entrant | Baseline,
    setting: Setting,
    question: Question,
    most: int,
    crew: Crew,
    command: str,
) -> Verdict:
    """Compare two bots: first what they decide, then, if that differs, how they do, for at most so many games."""
    cells = make_cells(setting, candidate, None if isinstance(baseline, Baseline) else baseline)
    if isinstance(baseline, Baseline):
        cells = [cell._replace(known=tuple(shares)) for cell, shares in zip(cells, baseline.shares, strict=True)]
    blank = Verdict(
        word="unchanged", exit_code=PASS, candidate=candidate.spec or candidate.name,
        baseline=baseline.bot if isinstance(baseline, Baseline) else baseline.spec or baseline.name,
        where=_where(setting), question=str(question), deals=0, games=0, gain=None, low=None, high=None, llr=0.0,
        bounds=question.sprt.bounds, faults=(0, 0), command=command, label=_labels(cells),
    )  # fmt: skip
    alike = _decide_alike(candidate, baseline, setting, cells, crew)
    if alike and (candidate.digest, candidate.parameters) == (_source(baseline), baseline.parameters):
        return blank
    per_block = sum(cell.candidate.plan.block_games * (2 if cell.baseline else 1) for cell in cells)
    blocks = max(1, most // per_block)
    if isinstance(baseline, Baseline):
        blank = replace(blank, faults=(0, baseline.faults))
        blocks = min(blocks, baseline.blocks)
    verdict = _test(blank, cells, question, blocks, crew)
    return replace(verdict, word="unchanged") if alike and verdict.is_even and verdict.passed else verdict


def record(bot: Entrant, setting: Setting, most: int, crew: Crew) -> Baseline:
    """Play a bot against a field and keep how it did on each deal."""
    cells = make_cells(setting, bot, None)
    blocks = max(1, most // sum(cell.candidate.plan.block_games for cell in cells))
    rounds: list[Played] = []
    for part in play_rounds(cells, blocks, crew.executor, crew.jobs):
        rounds.append(part)
        crew.progress(f"{sum(int(one.games.sum()) for one in rounds):,} games")
    played = Played.joined(rounds)
    shares = played.shares.reshape(-1, len(cells)).T.tolist()
    digest = crew.executor.submit(fingerprint_of, bot.spec, setting.maps).result()
    return make_baseline(bot, digest, setting, cells, shares, int(played.games.sum()), int(played.faults[:, 0].sum()))


def _decide_alike(
    candidate: Entrant, baseline: Entrant | Baseline, setting: Setting, cells: Sequence[Cell], crew: Crew
) -> bool:
    """Whether both decide alike among random players; not yet that they do against each other.

    In a worker, if it can load them by name: a bot that ends its process must not end this one.
    """
    one = candidate.spec or candidate
    if isinstance(baseline, Baseline):
        return crew.executor.submit(fingerprint_of, one, setting.maps).result() == baseline.fingerprint
    places = [(cell.spec, cell.candidate.plan.players) for cell in cells]
    return crew.executor.submit(decide_alike, one, baseline.spec or baseline, places).result()


def _source(baseline: Entrant | Baseline) -> str:
    return baseline.source if isinstance(baseline, Baseline) else baseline.digest


def _test(blank: Verdict, cells: Sequence[Cell], question: Question, blocks: int, crew: Crew) -> Verdict:
    rounds: list[Played] = []
    for part in play_rounds(cells, blocks, crew.executor, crew.jobs):
        rounds.append(part)
        played = Played.joined(rounds)
        outcome = question.sprt.decide(played.differences)
        crew.progress(f"{played.games.sum():,} games, log likelihood ratio {outcome.llr:+.2f}")
        if outcome.decision:
            break
    word, code = word_of(question, outcome.decision, outcome.low, outcome.high)
    counted = slice(outcome.blocks)  # how many more have been played depends on the machine
    faults = played.faults[counted].sum(axis=0)
    return replace(
        blank, word=word, exit_code=code, deals=outcome.blocks, games=int(played.games[counted].sum()),
        gain=outcome.estimate, low=outcome.low, high=outcome.high, llr=outcome.llr,
        faults=(int(faults[0]), blank.faults[1] + int(faults[1])), is_even=not played.differences[counted].any(),
    )  # fmt: skip


def command_of(candidate: str, against: str, setting: Setting | None, question: Question, most: int) -> str:
    """The command line that compares them again. setting: None if a file says it."""
    options: list[object] = _setting_options(setting) if setting else []
    options += (
        [f"--gain={question.low:g},{question.high:g}"] if question.is_gain else ["--no-loss", f"{-question.low:g}"]
    )
    for name, value in (("--alpha", question.alpha), ("--beta", question.beta)):
        options += [name, f"{value:g}"] if value != ERROR else []
    options += ["--max-games", most] if most != MOST_GAMES else []
    return shlex.join(["arena", "regress", candidate, "--against", against, *map(str, options)])


def _setting_options(setting: Setting) -> list[object]:
    options: list[object] = ["--field", ",".join(setting.field)] if setting.field else []
    for name in setting.maps:
        options += ["--map", name]
    for players in setting.players:
        options += ["--players", players]
    for name, value in setting.settings.items():
        options += ["--set", f"{name}={value}"]
    options += ["--seating", setting.seating] if setting.seating != "rotation" else []
    return [*options, "--seed", setting.seed]


def _where(setting: Setting) -> str:
    maps = ", ".join([*setting.maps, *(f"{name}={value}" for name, value in setting.settings.items())])
    players = ", ".join(map(str, setting.players))
    field = ", ".join(setting.field) if setting.field else "the baseline itself"
    return f"{maps}; {players} players; field: {field}; seed {setting.seed}"


def _labels(cells: Sequence[Cell]) -> str:
    return "; ".join(dict.fromkeys(cell.spec.label for cell in cells if cell.spec.label))
