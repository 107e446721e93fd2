"""Plays a study: for each number of players the games themselves, the forced deals and the styles, each a run."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path

from arena import catalog, records
from arena.balance.study import FILE, PLAY, STYLES, TICKETS, Question, read_question, write_question
from arena.errors import ArenaError, UsageError
from arena.files import make_folder
from arena.identity import differences
from arena.limits import USUAL
from arena.runs.resume import resume_run
from arena.runs.start import make_plan
from arena.runs.tournament import Display, Request, play_tournament

LITERATURE = ("onestep", "longroute", "path", "hungry")
"""The styles of de Mesentier Silva, Lee, Togelius, Nealen: *AI-based Playtesting of Contemporary Board Games*, 2017."""
PARTS = {PLAY: 0.5, TICKETS: 0.3, STYLES: 0.2}
"""The shares of the games."""
LEAST_DEALS = 2
MOST_PLAYERS = 5


def parse_players(texts: tuple[str, ...]) -> tuple[int, ...]:
    """Numbers of players from words such as `2,4` and `2-5`; UsageError for what is none."""
    found: list[int] = []
    for word in (word for text in texts for word in text.split(",")):
        first, dash, last = word.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise UsageError(f"--players {word!r} is no number of players: write 2, 2,4 or 2-5")
        found += range(int(first), int(last or first) + 1)
    if wrong := [number for number in found if not 2 <= number <= MOST_PLAYERS]:
        raise UsageError(f"--players {wrong[0]} does not fit: a game has 2 to {MOST_PLAYERS} players")
    if not found:
        raise UsageError("--players names no number of players: the second number is less than the first")
    return tuple(sorted(set(found)))


def default_directory(map_name: str) -> Path:
    """Where a study goes if nothing is said."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    return Path("results") / f"{stamp}-{Path(map_name).stem}-balance"


def requests(question: Question, directory: Path, jobs: int | None) -> Iterator[tuple[str, Request]]:
    """What is to be played, with a word on each."""
    spec = catalog.load_map(question.map, question.settings)
    for players in question.players:
        share = question.games / len(question.players)
        copies = len(question.bots) == 1
        bots = (
            question.bots * players if copies else tuple(islice(cycle(question.bots), max(players, len(question.bots))))
        )
        first = question.bots[:1] * players
        styles = tuple(islice(cycle(LITERATURE), max(players, len(LITERATURE))))
        for kind, name, entrants in (
            (PLAY, "games", bots),
            (TICKETS, "forced tickets", first),
            (STYLES, "styles", styles),
        ):
            if kind == TICKETS and not spec.tickets:
                continue
            seating = "once" if len(set(entrants)) == 1 else "rotation"
            games = max(round(share * PARTS[kind]), LEAST_DEALS * (len(spec.tickets) if kind == TICKETS else players))
            yield f"{players} players, {name}", Request(
                entrants, question.map, players, games, question.seed, "round-robin", seating, None, question.settings,
                USUAL, jobs, directory / f"{kind}-{players}", detail=kind != STYLES, force_tickets=kind == TICKETS,
            )  # fmt: skip


def conduct(
    question: Question, directory: Path, jobs: int | None, say: Callable[[str], None], display: Display
) -> bool:
    """Play what is missing of a study; whether all of it is there. UsageError if the directory is something else's."""
    check(question)
    if (directory / FILE).exists():
        if (there := read_question(directory)) != question:
            raise UsageError(f"{directory} holds another study (arena balance {' '.join(there.options())})")
    elif directory.exists():
        raise UsageError(f"{directory} exists already and is no study; name another directory")
    else:
        make_folder(directory)
        write_question(directory, question)
    for about, request in requests(question, directory, jobs):
        assert request.out
        say(f"\n{about}:")
        if (request.out / "plan.json").exists():
            refuse_others(request, request.out)
            played = resume_run(request.out, jobs, say, display)
        else:
            played = play_tournament(request, say, display)
        if not played.is_complete:
            return False
    return True


def check(question: Question) -> None:
    """UsageError for what a study cannot be made of."""
    if question.games < 1:
        raise UsageError(f"--games {question.games} is too few: at least one game must be played")
    if len(set(question.bots)) < len(question.bots):
        raise UsageError("--bots names a bot twice: one bot plays against copies of itself anyway")
    catalog.load_entrants(question.bots)


def refuse_others(request: Request, run: Path) -> None:
    """ArenaError if a run in a study's directory is not what the study needs."""
    wanted, _, _ = make_plan(
        request.bots, request.map, request.players, request.games, request.seed, request.settings, request.format,
        request.seating, request.design, request.limits, request.detail, request.force_tickets,
    )  # fmt: skip
    there = records.read_plan(run)
    if there.games != wanted.games or [text for text in differences(there, wanted) if "instead of" in text]:
        raise ArenaError(f"{run} is not the run that this study needs: remove it, or name another directory")
