"""A study of balance: all that was measured of a map for each number of players, from its runs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shlex import join, quote
from typing import Any

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.errors import ArenaError, UsageError
from arena.experiments.measures.colors import color_ratios
from arena.experiments.measures.course import bot_ratios, course_ratios, seat_ratios
from arena.experiments.measures.game_arrays import Batch, read_batches
from arena.experiments.measures.routes import city_ratios, route_ratios, twin_ratios
from arena.experiments.measures.tickets import effect_ratios, ticket_ratios
from arena.experiments.specification import FILE, Specification, read_facts
from arena.reports.document import Document, read_document
from arena.stats.ratio_estimates import Ratios, RatioSums, add_ratios
from arena.store import run_directory
from arena.store.reader import Recorded
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan
from arena.tournament.request import Request

PLAY, TICKETS, STYLES = "play", "tickets", "styles"
"""The runs of a study for a number of players: `play-2`, `tickets-2`, `styles-2`."""
KINDS = {PLAY: "games", TICKETS: "each ticket on the same deals", STYLES: "styles of play"}
SHARES = {PLAY: 0.5, TICKETS: 0.3, STYLES: 0.2}
"""The share of the games that each kind of run has."""
LEAST_DEALS = 2
LITERATURE = ("onestep", "longroute", "path", "hungry")
"""The styles of de Mesentier Silva, Lee, Togelius, Nealen: *AI-based Playtesting of Contemporary Board Games*, 2017."""

Measure = Callable[[Batch, MapSpec], Ratios]
MEASURES: Mapping[str, Measure] = {
    "seats": seat_ratios, "bots": bot_ratios, "course": course_ratios, "routes": route_ratios, "cities": city_ratios,
    "tickets": ticket_ratios, "colors": color_ratios, "twins": twin_ratios,
}  # fmt: skip
"""What is measured in every game, by the table that shows it."""


@dataclass(frozen=True, kw_only=True)
class BalanceSpecification(Specification):
    """The runs of `arena balance`. games: for all runs together; a little more is played."""

    kind = "balance"

    @property
    def command(self) -> str:
        """The command line that asks for the study."""
        settings = [word for rule, value in self.settings.items() for word in ("--set", f"{rule}={value}")]
        return join(["arena", "balance", "--map", self.map, *self.options, *settings])

    @property
    def facts(self) -> dict[str, Any]:
        """What the file of the study says besides the command: everything, as its report needs it."""
        return {"kind": self.kind, **{name: value for name, value in asdict(self).items() if name != "asked"}}

    def runs(self, directory: Path) -> Iterator[tuple[str, Request]]:
        """For each number of players the games, the forced tickets and the styles."""
        spec = catalog.load_map(self.map, self.settings)
        bots = {PLAY: self.bots, TICKETS: self.bots[:1], STYLES: LITERATURE}
        for players in self.players:
            for kind, about in KINDS.items():
                forces = kind == TICKETS
                least = LEAST_DEALS * (len(spec.tickets) if forces else players)
                games = max(least, round(self.games / len(self.players) * SHARES[kind]))
                run = directory / f"{kind}-{players}"
                yield (
                    f"{players} players, {about}",
                    self.request(games, run, players=players, bots=bots[kind], force_tickets=forces),
                )


@dataclass
class Cell:
    """What was measured with one number of players."""

    spec: MapSpec
    plan: Plan
    """The plan of the games that all but effects and styles come from."""
    sums: dict[str, dict[str, RatioSums]]
    """The sums of each measure, by table and name."""
    turns: Counter[int] = field(default_factory=Counter)
    """How many games took so many turns."""
    games: int = 0
    deals: int = 0
    effects: dict[str, RatioSums] = field(default_factory=dict)
    """What tickets cause; empty without a run of forced tickets."""
    effect_games: int = 0
    styles: Document | None = None
    by_style: dict[str, RatioSums] = field(default_factory=dict)
    """Wins and scores of the styles; copies of one count as one: with five players there are two of each."""

    @classmethod
    def empty(cls, spec: MapSpec, plan: Plan) -> "Cell":
        """What is known before any game."""
        cell = cls(spec, plan, {table: {} for table in MEASURES})
        cell.add(Batch.empty(plan))
        return cell

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.plan.players

    def add(self, batch: Batch) -> None:
        """Add the games of a batch."""
        self.games += batch.games
        self.deals += batch.games // batch.block
        self.turns.update(batch.turns.tolist())
        for table, measure in MEASURES.items():
            add_ratios(self.sums[table], measure(batch, self.spec))

    def turn_quantile(self, share: float) -> int:
        """The number of turns that this share of the games did not exceed."""
        values, counts = np.array(sorted(self.turns.items())).T
        return int(values[np.searchsorted(np.cumsum(counts), share * counts.sum())])


@dataclass(frozen=True)
class Study:
    """Everything that was measured of a map."""

    directory: Path
    specification: BalanceSpecification | None
    """What the study plays; None if it is about a run that was played for other reasons."""
    cells: tuple[Cell, ...]

    @property
    def spec(self) -> MapSpec:
        """The map that is studied."""
        return self.cells[0].spec

    @property
    def games(self) -> int:
        """The games of all runs."""
        return sum(
            cell.games + cell.effect_games + (cell.styles.summary.games if cell.styles else 0) for cell in self.cells
        )

    @property
    def command(self) -> str:
        """The command line that makes the study again."""
        if self.specification:
            return self.specification.command
        return f"{self.cells[0].plan.command} --out {quote(str(self.directory))}"


def map_of(run: Path, plan: Plan) -> MapSpec:
    """The map that a run was played on; ArenaError if the map has changed since."""
    spec = catalog.load_map(plan.map, plan.settings)
    if plan.identity.differences(Identity(map=spec.digest)).parts:
        raise ArenaError(f"map {plan.map} has changed since {run} was played on it")
    return spec


def read_cell(run: Path, tickets: Path | None = None, styles: Path | None = None) -> Cell:
    """Measure a run, and with it those of its forced deals and its styles if they are there."""
    plan, batches = read_batches(run)
    cell = Cell.empty(map_of(run, plan), plan)
    for batch in batches:
        cell.add(batch)
    if not cell.games:
        raise ArenaError(f"{run} holds no deal without a fault: nothing can be said of its map")
    if tickets:
        forced, batches = read_batches(tickets)
        spec = map_of(tickets, forced)
        for batch in batches:
            add_ratios(cell.effects, effect_ratios(batch, spec))
            cell.effect_games += batch.games if tickets != run else 0  # or else they are counted already
    if styles:
        cell.styles = read_document(styles)
        for batch in read_batches(styles)[1]:
            add_ratios(cell.by_style, bot_ratios(batch, cell.spec))
    return cell


def read_study(directory: Path) -> Study:
    """The study in a directory that `arena balance` made, or of one run; UsageError if it is neither."""
    specification = None
    if (directory / FILE).exists():
        specification = read_specification(directory)
        cells = []
        for players in specification.players:
            run, tickets, styles = (directory / f"{kind}-{players}" for kind in (PLAY, TICKETS, STYLES))
            if not has_games(run):
                again = f"{specification.command} --out {quote(str(directory))}"
                raise ArenaError(f"the study in {directory} has no games with {players} players yet: {again} goes on")
            cells.append(read_cell(run, *(part if has_games(part) else None for part in (tickets, styles))))
    elif (directory / "plan.json").exists():
        forces = run_directory.read_plan(directory).forced > 0
        cells = [read_cell(directory, tickets=directory if forces else None)]
    else:
        raise UsageError(f"{directory} is neither a study (it has no {FILE}) nor a run (it has no plan.json)")
    return Study(directory, specification, tuple(cells))


def has_games(run: Path) -> bool:
    """Whether there is anything to read in a run directory."""
    return (run / "plan.json").exists() and Recorded.of(run, run_directory.read_plan(run)).games > 0


def read_specification(directory: Path) -> BalanceSpecification:
    """What a study plays; ArenaError if its file is damaged, UsageError if it is a study of another kind."""
    facts = read_facts(directory)
    if facts.pop("kind", None) != BalanceSpecification.kind:
        raise UsageError(f"{directory} is a study of another kind: {facts['command']}")
    del facts["command"]
    try:
        return BalanceSpecification(**{**facts, "players": tuple(facts["players"]), "bots": tuple(facts["bots"])})
    except (KeyError, TypeError):
        raise ArenaError(f"{directory / FILE} is damaged: it does not describe a study") from None
