"""The directory of a study: its runs are played into it, and those that are there are not played again."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from shlex import join
from typing import Any, NamedTuple

from arena import catalog
from arena.engine.parameters import split_bots
from arena.errors import ArenaError, UsageError
from arena.files import make_folder, write_whole
from arena.runs.prepare import make_plan
from arena.runs.resume import resume_run
from arena.runs.session import Display, play_tournament, played_in
from arena.store import run_directory
from arena.tournament.plan import Plan, check_players
from arena.tournament.request import Request

FILE = "study.json"
"""Marks the directory of a study and says what it is a study of."""


class Terms(NamedTuple):
    """What all runs of a study have in common."""

    bots: tuple[str, ...]
    seed: int
    jobs: int | None


def parse_players(texts: Iterable[str]) -> tuple[int, ...]:
    """Numbers of players from words such as `2,4` and `2-5`; UsageError for what is none."""
    found: list[int] = []
    for word in (word.strip() for text in texts for word in text.split(",")):
        first, dash, last = word.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or int(last or first) < int(first):
            raise UsageError(f"--players {word!r} is not a valid number of players: write 2, 2,4 or 2-5")
        found += range(int(first), int(last or first) + 1)
    for number in found:
        check_players(number)
    return tuple(sorted(set(found)))


def parse_bots(text: str) -> tuple[str, ...]:
    """The bots that a list with commas names; UsageError for one that does not exist or is named twice."""
    bots = split_bots([text])
    if not bots:
        raise UsageError("--bots names no bot")
    if len(set(bots)) < len(bots):
        raise UsageError("--bots names a bot twice: one bot plays against copies of itself anyway")
    catalog.load_entrants(bots)
    return bots


def default_directory(kind: str, map_name: str) -> Path:
    """Where a study goes if nothing is said."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    return Path("results") / f"{stamp}-{Path(map_name).stem}-{kind}"


def enter(directory: Path, words: list[str], facts: Mapping[str, Any]) -> None:
    """Make the directory of a study, or see that it is the same one's. words: of the command line that asks it."""
    text = json.dumps({"command": join(words), **facts}, indent=2) + "\n"
    if (directory / FILE).exists():
        there = read_facts(directory)
        if there != json.loads(text):
            raise UsageError(f"{directory} holds another study: {there['command']}")
    elif directory.exists():
        raise UsageError(f"{directory} exists already and is not a study; name another directory")
    else:
        make_folder(directory)
        write_whole(directory / FILE, text.encode())


def read_facts(directory: Path) -> dict[str, Any]:
    """What a directory is a study of; ArenaError if its file is damaged."""
    try:
        facts: dict[str, Any] = json.loads((directory / FILE).read_text(encoding="utf-8"))
        facts["command"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ArenaError(f"{directory / FILE} is damaged: it holds no study") from None
    return facts


def request(
    terms: Terms, map_name: str, settings: Mapping[str, int | str], players: int, games: int, run: Path, *,
    force_tickets: bool = False,
) -> Request:  # fmt: skip
    """One bot plays against copies of itself, each deal once; several meet in all line-ups, from every seat.

    With fewer bots than seats every bot has as many copies as the others, so that all play equally often and meet
    equals: with one copy of the first alone, that one would always meet itself.
    """
    bots = terms.bots * -(-players // len(terms.bots))
    seating = "once" if len(terms.bots) == 1 else "rotation"
    return Request(
        bots, map=map_name, players=players, games=games, seed=terms.seed, seating=seating, settings=settings,
        jobs=terms.jobs, out=run, force_tickets=force_tickets,
    )  # fmt: skip


def play_runs(
    directory: Path, words: list[str], facts: Mapping[str, Any], runs: Sequence[tuple[str, Request]],
    say: Callable[[str], None], display: Display,
) -> bool:  # fmt: skip
    """Play what is missing of the runs of a study, each with what it is for; whether all of it is there then.

    words and facts: as of `enter`. UsageError for what cannot be played, and then nothing is left behind.
    """
    plans = {_run(wanted): make_plan(wanted)[0] for _, wanted in runs}
    enter(directory, words, facts)
    _refuse_others(plans)
    for about, wanted in runs:
        say(f"\n{about}:")
        run = _run(wanted)
        if (run / "plan.json").exists():
            played = resume_run(run, wanted.jobs, say, display)
        else:
            played = play_tournament(wanted, say, display)
        if not played.is_complete:
            return False
    return True


def _refuse_others(plans: Mapping[Path, Plan]) -> None:
    """ArenaError if a run that is there is not the study's; UsageError if games of two versions would be compared.

    If nothing is missing, nothing is mixed: what was played with an older bot is then reported on as it is.
    """
    there = {run: run_directory.read_plan(run) for run in plans if (run / "plan.json").exists()}
    for run, plan in there.items():
        if plan.games != plans[run].games or plan.other_terms(plans[run]):
            raise ArenaError(f"{run} is not the run that this study needs: remove it, or name another directory")
    if len(there) == len(plans) and all(played_in(run, plan).is_complete for run, plan in there.items()):
        return
    for run, plan in there.items():
        if found := plan.identity.differences(plans[run].identity).sources:
            raise UsageError(  # one is enough: the others are mostly copies of a bot
                f"{run} was played with {found[0]} than there is now, and games of two versions must not be "
                "compared: undo the change, or start again with another --out"
            )


def _run(wanted: Request) -> Path:
    assert wanted.out is not None
    return Path(wanted.out)
