"""What is to be played: the plan of a run, and its file. Which game is the i-th is in `schedule`."""

import json
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from hashlib import blake2b
from typing import Any

from arena.engine.limits import Limits, in_units
from arena.errors import UsageError, unknown
from arena.texts import plain
from arena.tournament import designs
from arena.tournament.identity import Identity
from arena.tournament.request import Request, Settings
from arena.tournament.schedule import Schedule

MAX_SEATS = 5
MAX_SEED = 2**63 - 1
MAX_GAMES = 1_000_000_000
TERMS = ("names", "players", "seed", "format", "seating", "design", "settings", "limits", "detail", "forced")
"""Fields that decide game i. Bots and map decide it by their content, the identity: paths differ between machines."""


@dataclass(frozen=True)
class Plan(Schedule):
    """A run before it is played. Equal plans give equal results, byte for byte.

    >>> bots = ("racer", "greedy", "random")
    >>> plan = Plan.of_size(bots=bots, names=bots, map="my_map", players=2, games=5, seed=1)
    >>> len(plan), plan.block_games, plan.lineups
    (6, 2, 3)
    >>> [plan.names[bot] for bot in plan[3].seating]
    ['random', 'greedy']
    >>> plan.command
    'arena run racer greedy random --map my_map --players 2 --games 6 --seed 1'
    """

    bots: tuple[str, ...]
    """The specs, as a command line gives them."""
    names: tuple[str, ...]
    """The entrants' names in the tables."""
    map: str
    players: int
    games: int
    seed: int
    format: str = "round-robin"
    """Who meets whom: one of `designs.FORMATS`."""
    seating: str = "rotation"
    """The seatings of a block: one of `designs.SEATINGS`."""
    design: str = "all"
    """The line-ups of the format that are played: one of `designs.DESIGNS`."""
    settings: Settings = field(default_factory=dict)
    """Rule numbers set for this run, over those of the map."""
    limits: Limits = field(default_factory=Limits)
    """What a bot may use up, and what follows a fault."""
    detail: bool = True
    """Whether what happens in the games is recorded too: claims, tickets, draws, the lead (docs/balance.md)."""
    forced: int = 0
    """If not 0, the number of the map's tickets: each game of a block is played with each of them put before a seat."""
    note: str = ""
    """What the user wants to remember about the run. It decides nothing."""
    identity: Identity = field(default_factory=Identity)
    """Digests of rules, map and bots, and versions: what must be equal for the same games."""

    def __post_init__(self) -> None:
        if not self.note.isprintable():
            raise UsageError(f"--note {plain(self.note)!r} has characters that cannot be printed: leave them out")
        for text in (*self.bots, *self.names, self.map):
            if not text.isprintable():  # it would do something to a terminal, or to a table
                raise UsageError(f"{plain(text)} has characters that cannot be printed: use another name")

    @classmethod
    def of_request(cls, request: Request, **others: Any) -> "Plan":
        """The plan that a user asks for. others: the fields that are not as in the request, or not in it."""
        own = {field.name: getattr(request, field.name) for field in fields(cls) if hasattr(request, field.name)}
        bots, players = len(request.bots), request.players
        if players is None:
            players = bots if request.format == "lineup" else min(bots, MAX_SEATS)
        settings = dict(request.settings or {})
        return cls.of_size(**{**own, "players": players, "settings": settings, **others})

    @classmethod
    def of_size(cls, *, bots: tuple[str, ...], players: int, games: int, format: str = "round-robin",
                seating: str = "rotation", design: str | None = None, forced: int = 0, seed: int,
                **others: Any) -> "Plan":  # fmt: skip
        """The plan of at least `games` games, in whole blocks; UsageError if the numbers do not fit the bots.

        Without a design: all line-ups if the games are enough for each of them, else a balanced design.
        """
        for kind, name, known in (
            ("format", format, designs.FORMATS),
            ("seating", seating, designs.SEATINGS),
            ("design", design or "all", designs.DESIGNS),
        ):
            if name not in known:
                raise unknown(kind, name, known)
        _check_seats(len(bots), players, format)
        if games < 1:
            raise UsageError(f"--games {games} is too few: at least one game must be played")
        if not 0 <= seed <= MAX_SEED:
            raise UsageError(f"--seed {seed} is out of range: it takes 0 to 2**63 - 1")
        if games > MAX_GAMES:
            raise UsageError(f"--games is too large: at most {MAX_GAMES:,}; use more seeds")
        block = len(designs.seatings(seating, players)[0]) * max(1, forced)
        blocks = -(-games // block)
        chosen = design or designs.choose_design(format, len(bots), players, blocks)
        if not designs.lineups(format, chosen, len(bots), players).listed:
            chosen = "all"
        return cls(
            bots=bots, players=players, games=blocks * block, seed=seed, format=format, seating=seating,
            design=chosen, forced=forced, **others,
        )  # fmt: skip

    @cached_property
    def digest(self) -> str:
        """A hexadecimal digest of what decides game i; how many games there are does not."""
        own = self.identity
        sources = {"rules": own.rules or None, "engine": own.engine or None, "map": own.map or None, "bots": own.bots}
        return blake2b(json.dumps(sources | self._terms(), sort_keys=True).encode(), digest_size=16).hexdigest()

    def differences(self, other: "Plan") -> list[str]:
        """What decides the games of `other` and is not as in this plan, in words; empty if the digests are equal."""
        return self.identity.differences(other.identity).sources + self.other_terms(other)

    def other_terms(self, other: "Plan") -> list[str]:
        """Those of the differences that somebody asked for: the names of the bots, the seed, and so on."""
        here, there = self._terms(), other._terms()
        return [f"{name} {there[name]} instead of {here[name]}" for name in TERMS if here[name] != there[name]]

    def _terms(self) -> dict[str, Any]:
        """The values of TERMS, as in the document of a plan."""
        return {
            **{name: getattr(self, name) for name in TERMS},
            "names": list(self.names),
            "limits": asdict(self.limits),
        }

    @property
    def request(self) -> Request:
        """What asks for this plan again."""
        asked = {field.name for field in fields(Request)}
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name in asked}
        usual = designs.choose_design(self.format, len(self.bots), self.players, self.blocks)
        own["design"] = None if self.design == usual else self.design
        limits = {**asdict(self.limits), "memory": in_units(self.limits.memory)}
        return Request(**own, **limits, force_tickets=bool(self.forced))

    @property
    def command(self) -> str:
        """The command line that plays this plan again."""
        return self.request.command

    def to_json(self) -> str:
        """The plan as a JSON document."""
        data = {name: value for name, value in asdict(self).items() if value or name != "note"}
        return json.dumps({**data, "command": self.command}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """The plan in a document that `to_json` wrote; an error of some kind if this is not such a document."""
        data = json.loads(text)
        del data["command"]
        limits = Limits(**data["limits"])
        bots, names = tuple(data["bots"]), tuple(data["names"])
        identity = Identity.of_json(data.get("identity", {}))
        plan = cls(**{**data, "bots": bots, "names": names, "limits": limits, "identity": identity})
        if cls.of_size(**vars(plan)) != plan or len(plan.names) != len(plan.bots):
            raise ValueError("the parts of the plan do not fit together")
        return plan


def check_players(players: int) -> None:
    """UsageError for a number of players that no game has."""
    if not 2 <= players <= MAX_SEATS:
        raise UsageError(f"--players {players} does not fit: a game has 2 to {MAX_SEATS} players")


def _check_seats(bots: int, players: int, format: str) -> None:
    """UsageError if so many bots cannot be seated so."""
    if bots < 2:
        raise UsageError("a run needs at least two bots (the same one may be named twice)")
    if format == "lineup" and bots > MAX_SEATS:
        raise UsageError(f"--format lineup seats all bots in every game: 2 to {MAX_SEATS} of them, not {bots}")
    if format == "lineup" and players != bots:
        raise UsageError(f"--players {players} does not fit --format lineup, which seats all {bots} bots: leave it out")
    check_players(players)
    if players > bots:
        raise UsageError(
            f"--players {players} does not fit {bots} bots: use {'2 to ' * (bots > 2)}{bots}, or name a bot again"
        )
