"""A study of balance: what was measured of a map for each number of players, and the runs that it was measured in."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arena import catalog, records
from arena.balance.course import CourseMeasures, SeatMeasures
from arena.balance.effects import TicketEffects
from arena.balance.lots import Lot, read_lots
from arena.balance.routes import RouteMeasures
from arena.balance.tickets import TicketMeasures
from arena.errors import ArenaError, UsageError
from arena.files import write_whole
from arena.mapspec import MapSpec
from arena.plan import Plan
from arena.recorded import Recorded
from arena.reports.document import Document, read_document

FILE = "study.json"
PLAY, TICKETS, STYLES = "play", "tickets", "styles"
"""The runs of a study for a number of players: `play-2`, `tickets-2`, `styles-2`."""


@dataclass(frozen=True)
class Question:
    """What a study is made of: map, bots, games. Equal questions give equal answers."""

    map: str
    players: tuple[int, ...]
    bots: tuple[str, ...]
    games: int
    """For all numbers of players and all kinds of runs together; a little more is played."""
    seed: int
    settings: dict[str, int | str]

    def options(self) -> list[str]:
        """The words of the command line that asks it."""
        options = ["--map", self.map, "--players", ",".join(map(str, self.players)), "--bots", ",".join(self.bots)]
        options += ["--games", str(self.games), "--seed", str(self.seed)]
        return options + [word for rule, value in self.settings.items() for word in ("--set", f"{rule}={value}")]


@dataclass
class Cell:
    """What was measured with one number of players."""

    plan: Plan
    """Of the games that all but effects and styles come from."""
    games: int
    deals: int
    seats: SeatMeasures
    course: CourseMeasures
    routes: RouteMeasures
    tickets: TicketMeasures
    effects: TicketEffects | None = None
    effect_games: int = 0
    styles: Document | None = None

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.plan.players


@dataclass(frozen=True)
class Study:
    """Everything that is said of a map."""

    directory: Path
    spec: MapSpec
    question: Question | None
    """None if it is about a run that was played for other reasons."""
    cells: tuple[Cell, ...]

    @property
    def games(self) -> int:
        """Of all runs."""
        return sum(
            cell.games + cell.effect_games + (cell.styles.summary.games if cell.styles else 0) for cell in self.cells
        )

    @property
    def command(self) -> str:
        """The command line that makes the study again."""
        from shlex import join, quote

        if self.question:
            return join(["arena", "balance", *self.question.options()])
        return f"{self.cells[0].plan.command} --out {quote(str(self.directory))}"


def measure(spec: MapSpec, plan: Plan, lots: Iterable[Lot]) -> Cell:
    """Everything that can be said from the games of one run."""
    measures = SeatMeasures(plan.players), CourseMeasures(plan.players), RouteMeasures(spec), TicketMeasures(spec)
    games = deals = 0
    for lot in lots:
        games += lot.games
        deals += lot.games // lot.block
        for part in measures:
            part.add(lot)
    return Cell(plan, games, deals, *measures)


def map_of(run: Path, plan: Plan) -> MapSpec:
    """The map that a run was played on; ArenaError if it is another one by now."""
    spec = catalog.load_map(plan.map, plan.settings)
    if spec.digest != plan.identity.get("map", spec.digest):
        raise ArenaError(f"map {plan.map} has changed since {run} was played on it")
    return spec


def read_cell(run: Path, tickets: Path | None = None, styles: Path | None = None) -> Cell:
    """Measure a run, and with it those of its forced deals and its styles if they are there."""
    plan, lots = read_lots(run)
    cell = measure(map_of(run, plan), plan, lots)
    if not cell.games:
        raise ArenaError(f"{run} holds no deal without a fault: nothing can be said of its map")
    if tickets:
        forced, lots = read_lots(tickets)
        cell.effects = TicketEffects(map_of(tickets, forced))
        for lot in lots:
            cell.effects.add(lot)
            cell.effect_games += lot.games
    if styles:
        cell.styles = read_document(styles)
    return cell


def read_study(directory: Path) -> Study:
    """The study in a directory that `arena balance` made, or of one run; UsageError if it is neither."""
    if (directory / FILE).exists():
        question = read_question(directory)
        cells = []
        for players in question.players:
            run, tickets, styles = (directory / f"{kind}-{players}" for kind in (PLAY, TICKETS, STYLES))
            cells.append(read_cell(run, *(part if has_games(part) else None for part in (tickets, styles))))
    elif (directory / "plan.json").exists():
        question, cells = None, [read_cell(directory)]
    else:
        raise UsageError(f"{directory} is neither a study (it has no {FILE}) nor a run (it has no plan.json)")
    plan = cells[0].plan
    return Study(directory, map_of(directory, plan), question, tuple(cells))


def has_games(run: Path) -> bool:
    """Whether there is anything to read in a run directory."""
    return (run / "plan.json").exists() and Recorded.of(run, records.read_plan(run)).games > 0


def write_question(directory: Path, question: Question) -> None:
    """Write `study.json`."""
    text = json.dumps({**asdict(question), "command": " ".join(["arena balance", *question.options()])}, indent=2)
    write_whole(directory / FILE, (text + "\n").encode())


def read_question(directory: Path) -> Question:
    """What a study is made of; ArenaError if its file is damaged."""
    try:
        data: dict[str, Any] = json.loads((directory / FILE).read_text(encoding="utf-8"))
        del data["command"]
        return Question(**{**data, "players": tuple(data["players"]), "bots": tuple(data["bots"])})
    except (OSError, ValueError, KeyError, TypeError):
        raise ArenaError(f"{directory / FILE} is damaged: it holds no study") from None
