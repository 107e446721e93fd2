"""Plays the runs of a study into its directory, each an ordinary run; what is there already is not played again."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from shlex import join
from typing import Any, NamedTuple

from arena import catalog, records
from arena.errors import ArenaError, UsageError
from arena.files import make_folder, write_whole
from arena.identity import differences
from arena.limits import USUAL
from arena.runs.resume import resume_run
from arena.runs.start import make_plan
from arena.runs.tournament import Display, Request, play_tournament

FILE = "study.json"
"""Marks the directory of a study and says what it is a study of."""
MOST_PLAYERS = 5


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
            raise UsageError(f"--players {word!r} is no number of players: write 2, 2,4 or 2-5")
        found += range(int(first), int(last or first) + 1)
    if wrong := [number for number in found if not 2 <= number <= MOST_PLAYERS]:
        raise UsageError(f"--players {wrong[0]} does not fit: a game has 2 to {MOST_PLAYERS} players")
    return tuple(sorted(set(found)))


def parse_bots(text: str) -> tuple[str, ...]:
    """The bots that a list with commas names; a word of the form `x=1` belongs to the bot before it."""
    bots: list[str] = []
    for word in text.split(","):
        if bots and ":" in bots[-1] and "=" in word and ":" not in word:
            bots[-1] += f",{word}"
        else:
            bots.append(word)
    if len(set(bots)) < len(bots):
        raise UsageError("--bots names a bot twice: one bot plays against copies of itself anyway")
    catalog.load_entrants(bots)
    return tuple(bots)


def default_directory(kind: str, map_name: str) -> Path:
    """Where a study goes if nothing is said."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    return Path("results") / f"{stamp}-{Path(map_name).stem}-{kind}"


def enter(directory: Path, words: list[str], facts: Mapping[str, Any]) -> None:
    """Make the directory of a study, or see that it is the same one's. words: of the command line that asks it."""
    text = json.dumps({"command": join(words), **facts}, indent=2) + "\n"
    if (directory / FILE).exists():
        there = (directory / FILE).read_text(encoding="utf-8")
        if there != text:
            raise UsageError(f"{directory} holds another study: {json.loads(there)['command']}")
    elif directory.exists():
        raise UsageError(f"{directory} exists already and is no study; name another directory")
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
    detail: bool = True, force_tickets: bool = False,
) -> Request:  # fmt: skip
    """One bot plays against copies of itself, each deal once; several meet in all line-ups, from every seat."""
    bots = tuple(islice(cycle(terms.bots), max(players, len(terms.bots))))
    seating = "once" if len(terms.bots) == 1 else "rotation"
    return Request(
        bots, map_name, players, games, terms.seed, "round-robin", seating, None, dict(settings), USUAL, terms.jobs,
        run, detail=detail, force_tickets=force_tickets,
    )  # fmt: skip


def play(wanted: Request, say: Callable[[str], None], display: Display) -> bool:
    """Play what is missing of a run; whether all of it is there then."""
    run = wanted.out
    assert run is not None
    if not (run / "plan.json").exists():
        return play_tournament(wanted, say, display).is_complete
    plan, _, _ = make_plan(
        wanted.bots, wanted.map, wanted.players, wanted.games, wanted.seed, wanted.settings, wanted.format,
        wanted.seating, wanted.design, wanted.limits, wanted.detail, wanted.force_tickets,
    )  # fmt: skip
    there = records.read_plan(run)
    if there.games != plan.games or any("instead of" in text for text in differences(there, plan)):
        raise ArenaError(f"{run} is not the run that this study needs: remove it, or name another directory")
    return resume_run(run, wanted.jobs, say, display).is_complete
