"""A study of balance: all that was measured of a map for each number of players, from its runs."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import join, quote

from arena import catalog
from arena.boards.spec import MapSpec
from arena.errors import ArenaError, UsageError
from arena.experiments.directory import FILE, Terms, play_runs, read_facts, request
from arena.experiments.measures.cities import CityMeasures
from arena.experiments.measures.colors import ColorMeasures
from arena.experiments.measures.course import CourseMeasures
from arena.experiments.measures.effects import TicketEffects
from arena.experiments.measures.game_arrays import Lot, read_lots
from arena.experiments.measures.routes import RouteMeasures
from arena.experiments.measures.seats import BotMeasures, SeatMeasures
from arena.experiments.measures.tickets import TicketMeasures
from arena.experiments.measures.twins import TwinMeasures
from arena.reports.document import Document, read_document
from arena.runs.session import Display
from arena.store import run_directory
from arena.store.reader import Recorded
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan
from arena.tournament.request import Request

KIND = "balance"
PLAY, TICKETS, STYLES = "play", "tickets", "styles"
"""The runs of a study for a number of players: `play-2`, `tickets-2`, `styles-2`."""
KINDS = {PLAY: "games", TICKETS: "each ticket on the same deals", STYLES: "styles of play"}
SHARES = {PLAY: 0.5, TICKETS: 0.3, STYLES: 0.2}
"""Of the games."""
LEAST_DEALS = 2
LITERATURE = ("onestep", "longroute", "path", "hungry")
"""The styles of de Mesentier Silva, Lee, Togelius, Nealen: *AI-based Playtesting of Contemporary Board Games*, 2017."""


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

    @property
    def command(self) -> list[str]:
        """The words of the command line that asks it."""
        words = ["arena", "balance", "--map", self.map, "--players", ",".join(map(str, self.players))]
        words += ["--bots", ",".join(self.bots), "--games", str(self.games), "--seed", str(self.seed)]
        return words + [word for rule, value in self.settings.items() for word in ("--set", f"{rule}={value}")]


@dataclass
class Cell:
    """What was measured with one number of players."""

    plan: Plan
    """Of the games that all but effects and styles come from."""
    seats: SeatMeasures
    bots: BotMeasures
    course: CourseMeasures
    routes: RouteMeasures
    cities: CityMeasures
    tickets: TicketMeasures
    colors: ColorMeasures
    twins: TwinMeasures
    games: int = 0
    deals: int = 0
    effects: TicketEffects | None = None
    effect_games: int = 0
    styles: Document | None = None
    by_style: BotMeasures | None = None
    """Copies of a style are one: with five players there are two of each."""

    @classmethod
    def empty(cls, spec: MapSpec, plan: Plan) -> "Cell":
        """Before any game."""
        players = plan.players
        return cls(
            plan, SeatMeasures(players), BotMeasures(plan.bots), CourseMeasures(players),
            RouteMeasures(spec, plan.bots, players), CityMeasures(spec), TicketMeasures(spec),
            ColorMeasures(spec, players), TwinMeasures(spec),
        )  # fmt: skip

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.plan.players

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        self.games += lot.games
        self.deals += lot.games // lot.block
        parts = self.seats, self.bots, self.course, self.routes, self.cities, self.tickets, self.colors, self.twins
        for part in parts:
            part.add(lot)


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
        if self.question:
            return join(self.question.command)
        return f"{self.cells[0].plan.command} --out {quote(str(self.directory))}"


def map_of(run: Path, plan: Plan) -> MapSpec:
    """The map that a run was played on; ArenaError if it is another one by now."""
    spec = catalog.load_map(plan.map, plan.settings)
    if plan.identity.differences(Identity(map=spec.digest)).parts:
        raise ArenaError(f"map {plan.map} has changed since {run} was played on it")
    return spec


def read_cell(run: Path, tickets: Path | None = None, styles: Path | None = None) -> Cell:
    """Measure a run, and with it those of its forced deals and its styles if they are there."""
    plan, lots = read_lots(run)
    cell = Cell.empty(map_of(run, plan), plan)
    for lot in lots:
        cell.add(lot)
    if not cell.games:
        raise ArenaError(f"{run} holds no deal without a fault: nothing can be said of its map")
    if tickets:
        forced, lots = read_lots(tickets)
        cell.effects = TicketEffects(map_of(tickets, forced))
        for lot in lots:
            cell.effects.add(lot)
            cell.effect_games += lot.games if tickets != run else 0  # or else they are counted already
    if styles:
        cell.styles = read_document(styles)
        plan, lots = read_lots(styles)
        cell.by_style = BotMeasures(plan.bots)
        for lot in lots:
            cell.by_style.add(lot)
    return cell


def read_study(directory: Path) -> Study:
    """The study in a directory that `arena balance` made, or of one run; UsageError if it is neither."""
    if (directory / FILE).exists():
        question = read_question(directory)
        cells = []
        for players in question.players:
            run, tickets, styles = (directory / f"{kind}-{players}" for kind in (PLAY, TICKETS, STYLES))
            if not has_games(run):
                again = f"{join(question.command)} --out {quote(str(directory))}"
                raise ArenaError(f"the study in {directory} has no games with {players} players yet: {again} goes on")
            cells.append(read_cell(run, *(part if has_games(part) else None for part in (tickets, styles))))
    elif (directory / "plan.json").exists():
        forces = run_directory.read_plan(directory).forced > 0
        question, cells = None, [read_cell(directory, tickets=directory if forces else None)]
    else:
        raise UsageError(f"{directory} is neither a study (it has no {FILE}) nor a run (it has no plan.json)")
    plan = cells[0].plan
    return Study(directory, map_of(directory, plan), question, tuple(cells))


def has_games(run: Path) -> bool:
    """Whether there is anything to read in a run directory."""
    return (run / "plan.json").exists() and Recorded.of(run, run_directory.read_plan(run)).games > 0


def read_question(directory: Path) -> Question:
    """What a study is made of; ArenaError if its file is damaged, UsageError if it is a study of something else."""
    facts = read_facts(directory)
    if facts.get("kind") != KIND:
        raise UsageError(f"{directory} is a study of another kind: {facts['command']}")
    try:
        players, bots = tuple(facts["players"]), tuple(facts["bots"])
        return Question(facts["map"], players, bots, facts["games"], facts["seed"], facts["settings"])
    except (KeyError, TypeError):
        raise ArenaError(f"{directory / FILE} is damaged: it holds no study") from None


def requests(question: Question, directory: Path, jobs: int | None) -> Iterator[tuple[str, Request]]:
    """The runs that a study is made of, and what each is for."""
    spec = catalog.load_map(question.map, question.settings)
    for players in question.players:
        bots = {PLAY: question.bots, TICKETS: question.bots[:1], STYLES: LITERATURE}
        for kind, about in KINDS.items():
            forces = kind == TICKETS
            least = LEAST_DEALS * (len(spec.tickets) if forces else players)
            games = max(least, round(question.games / len(question.players) * SHARES[kind]))
            terms = Terms(bots[kind], question.seed, jobs)
            yield f"{players} players, {about}", request(
                terms, question.map, question.settings, players, games, directory / f"{kind}-{players}",
                force_tickets=forces,
            )  # fmt: skip


def conduct(
    question: Question, directory: Path, jobs: int | None, say: Callable[[str], None], display: Display
) -> bool:
    """Play what is missing of a study; whether all of it is there. UsageError for what cannot be played."""
    if question.games < 1:
        raise UsageError(f"--games {question.games} is too few: at least one game must be played")
    runs = list(requests(question, directory, jobs))
    return play_runs(directory, question.command, {"kind": KIND, **asdict(question)}, runs, say, display)
