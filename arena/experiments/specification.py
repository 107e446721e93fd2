"""What a study plays, and its directory: runs that are already there are not played again."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from shlex import join
from typing import Any, ClassVar

from arena import catalog
from arena.engine.parameters import split_bots
from arena.errors import ArenaError, UsageError
from arena.files import make_folder, write_whole
from arena.runs.prepare import make_plan
from arena.runs.resume import resume_run
from arena.runs.session import Display, play_tournament, played_in
from arena.store import run_directory
from arena.tournament.plan import Plan, check_players
from arena.tournament.request import Request, Settings

FILE = "study.json"
"""Marks the directory of a study and says what it is a study of."""


@dataclass(frozen=True, kw_only=True)
class Specification:
    """What a study plays. Equal specifications give equal studies."""

    kind: ClassVar[str]
    """The command of `arena` that makes the study."""
    map: str
    players: tuple[int, ...]
    bots: tuple[str, ...]
    games: int
    seed: int
    settings: Settings
    asked: tuple[str, ...] = ()
    """The words of the command line before the options that all studies have."""

    @property
    def options(self) -> list[str]:
        """The options of the command line that all studies have."""
        words = ["--players", ",".join(map(str, self.players)), "--bots", ",".join(self.bots)]
        return [*words, "--games", str(self.games), "--seed", str(self.seed)]

    @property
    def command(self) -> str:
        """The command line that asks for the study."""
        return join(["arena", self.kind, *self.asked, *self.options])

    @property
    def facts(self) -> dict[str, Any]:
        """What the file of the study says besides the command."""
        return {"kind": self.kind}

    def runs(self, directory: Path) -> Iterator[tuple[str, Request]]:
        """The runs of the study, each with its purpose; UsageError for what cannot be played."""
        raise NotImplementedError  # only balance, diff and sweep are ever made, and each has its own

    def request(self, games: int, run: Path, **others: Any) -> Request:
        """A run of so many games. others: options that replace those of the study, or add to them.

        One bot plays against copies of itself, each deal once; several bots meet in all line-ups, from every seat. With
        fewer bots than seats every bot has as many copies as the others, so that all play equally often and meet
        equals: with one copy of the first alone, that one would always meet itself.
        """
        fields = {"map": self.map, "settings": self.settings, "players": self.players[0], "bots": self.bots, **others}
        bots, players = fields.pop("bots"), fields["players"]
        seating = "once" if len(bots) == 1 else "rotation"
        copies = -(-players // len(bots))
        return Request(bots * copies, games=games, seed=self.seed, seating=seating, out=run, **fields)


def parse_players(texts: Iterable[str]) -> tuple[int, ...]:
    """Read numbers of players from words such as `2,4` and `2-5`; UsageError for anything else."""
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
    """The bots of a study from a list with commas; UsageError if one is unknown or named twice."""
    bots = split_bots([text])
    if not bots:
        raise UsageError("--bots is empty: name at least one bot")
    if len(set(bots)) < len(bots):
        raise UsageError("--bots names a bot twice: one bot plays against copies of itself anyway")
    catalog.load_entrants(bots)
    return bots


def default_directory(specification: Specification) -> Path:
    """The directory of a study for which no other is named."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    return Path("results") / f"{stamp}-{Path(specification.map).stem}-{specification.kind}"


def enter(specification: Specification, directory: Path) -> None:
    """Make the directory of a study; UsageError if it exists and belongs to something else."""
    text = json.dumps({"command": specification.command, **specification.facts}, indent=2) + "\n"
    if (directory / FILE).exists():
        recorded = read_facts(directory)
        if recorded != json.loads(text):
            raise UsageError(f"{directory} holds another study: {recorded['command']}")
    elif directory.exists():
        raise UsageError(f"{directory} exists already and is not a study; name another directory")
    else:
        make_folder(directory)
        write_whole(directory / FILE, text.encode())


def read_facts(directory: Path) -> dict[str, Any]:
    """What the file of a study says; ArenaError if it is damaged."""
    try:
        facts: dict[str, Any] = json.loads((directory / FILE).read_text(encoding="utf-8"))
        facts["command"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ArenaError(f"{directory / FILE} is damaged: it does not describe a study") from None
    return facts


def play_study(
    specification: Specification, directory: Path, jobs: int | None, say: Callable[[str], None], display: Display
) -> bool:
    """Play what is missing of a study; return whether it is complete then.

    UsageError for what cannot be played, and then nothing is left behind.
    """
    if specification.games < 1:
        raise UsageError(f"--games {specification.games} is too few: at least one game must be played")
    runs = [(about, request, make_plan(request)) for about, request in specification.runs(directory)]
    enter(specification, directory)
    _refuse_others({Path(str(request.out)): plan for _, request, (plan, _, _) in runs})
    for about, request, prepared in runs:
        say(f"\n{about}:")
        run = Path(str(request.out))
        if (run / "plan.json").exists():
            played = resume_run(run, jobs, say, display)
        else:
            played = play_tournament(replace(request, jobs=jobs), say, display, prepared)
        if not played.is_complete:
            return False
    return True


def _refuse_others(plans: Mapping[Path, Plan]) -> None:
    """ArenaError if a run on disk is not the study's; UsageError if games of two versions would be compared.

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
