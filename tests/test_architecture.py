"""The house rules that a program can check: who imports whom, one owner a state field, no map name, no print."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import catalog
from arena.boards import rule_numbers, spec
from arena.reports import rare_events
from arena.rules import board, game_log, scoring
from arena.rules.state import STATE
from arena.store import seat_tables
from arena.tournament import plan

ROOT = Path(__file__).parent.parent
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("arena", "bots", "maps")
    for path in sorted((ROOT / package).rglob("*.py"))
}
ROOMS = (
    {"rules", "stats"},
    {"boards"},
    {"engine"},
    {"tournament"},
    {"store", "catalog"},
    {"runs", "reports"},
    {"replay", "experiments"},
    {"checks"},
    {"cli"},
)
"""The packages of the arena by floors: each imports from the floors below it and from itself."""
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}
DOOR = "arena.__main__"
"""`python -m arena` is the door of the house: it has no line of its own to tell, and calls the command line."""
LOOSE = {
    DOOR: {"cli"},
    "arena": {"arena.api", "experiments"},  # imported when they are asked for
    "arena.errors": set(),
    "arena.texts": set(),
    "arena.files": {"arena.errors"},
    "arena.bot": {"rules", "boards", "engine"},
    "arena.testing": {
        "arena.bot",
        "arena.errors",
        "boards",
        "engine",
        "tournament",
        "catalog",
        "checks",
        "experiments",
    },
    "arena.api": {*FLOOR, "arena.errors"} - {"cli"},
}
"""The loose modules, and what each imports. What needs nothing of the arena may be imported from any floor."""
EVERYWHERE = {"arena", "arena.errors", "arena.texts", "arena.files"}
TEMPLATE = "arena.catalog.template"
INSIDE = {
    "arena.rules.compiler": {"arena.rules.compiler"},
    "arena.engine.external.sandbox": {"arena.engine.external"},
    "arena.engine.external.supervisor": {"arena.engine.external"},
}
"""What stays apart within its room: all of the arena that these import, but for EVERYWHERE."""


def room(module: str) -> str:
    """The room, or the loose module, that a module belongs to."""
    parts = module.split(".")
    if module.startswith(TEMPLATE):
        return TEMPLATE
    return parts[1] if parts[0] == "arena" and len(parts) > 1 and parts[1] in FLOOR else ".".join(parts[:2])


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def needed(module: str) -> set[str]:
    """The modules of ours that a module imports."""
    return {name for name in imports(MODULES[module]) if name.split(".")[0] in ("arena", "bots", "maps")} & set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_one_way(module: str) -> None:
    ours, own = {room(name) for name in needed(module)}, room(module)
    if own in FLOOR:
        allowed = {own, "maps", *EVERYWHERE} if module == "arena.catalog.maps" else {own, *EVERYWHERE}
        allowed |= {other for other in FLOOR if FLOOR[other] < FLOOR[own]}
    elif module.startswith("bots"):
        allowed = {"arena.bot", "rules", "bots", *(name for name in ours if name.startswith("bots."))}
    elif module.startswith("maps"):
        allowed = {"boards", "maps"}
    elif own == TEMPLATE:
        allowed = {"arena.bot", "arena.testing"}
    else:
        allowed = LOOSE[module] | {module}
    assert ours <= allowed, ours - allowed


def test_no_import_goes_in_a_circle() -> None:
    """Imports inside of functions included. `arena` itself is the lazy door: it is asked for `__version__` only."""
    left = {module: needed(module) - {module, "arena"} for module in MODULES}
    while free := {
        module
        for module, others in left.items()
        if not others & left.keys() or not any(module in more for more in left.values())
    }:
        left = {module: others for module, others in left.items() if module not in free}
    assert set(left) == set()


@pytest.mark.parametrize("module", sorted(INSIDE))
def test_some_rooms_have_a_closed_cupboard(module: str) -> None:
    for name in MODULES:
        if name.startswith(module):
            inside = tuple(INSIDE[module])
            assert all(other.startswith(inside) for other in needed(name) - EVERYWHERE), name


def test_the_house_is_small() -> None:
    """At most thirteen rooms, and seven things on the doorstep, beside the door."""
    packages = {module.split(".")[1] for module in MODULES if module.startswith("arena.")} - {
        module.split(".")[1] for module in LOOSE if "." in module
    }
    assert packages == set(FLOOR)
    assert len(packages) <= 13
    loose = {module for module in MODULES if MODULES[module].parent == ROOT / "arena"}
    assert loose == set(LOOSE)
    assert len(loose - {DOOR}) <= 7


def test_statistics_know_tables_only() -> None:
    allowed = {
        "arena", "collections", "dataclasses", "functools", "itertools", "math", "numpy", "pandas", "scipy",
        "statistics", "typing",
    }  # fmt: skip
    for module, path in MODULES.items():
        if module.startswith("arena.stats"):
            assert {name.split(".")[0] for name in imports(path)} <= allowed


def written_fields(tree: ast.AST, record: str) -> set[str]:
    """The fields of a record that a module assigns or hands to a function that writes into its first argument."""
    found = set()
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = list(node.targets)
        elif isinstance(node, ast.AugAssign):
            targets = [node.target]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("add", "remove", "shuffle")
        ):
            targets = [node.args[0]]
        for target in targets:
            while isinstance(target, ast.Subscript):
                target = target.value
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == record:
                found.add(target.attr)
    return found


def test_each_state_field_has_one_owner() -> None:
    """Each state field is written by one module, but for the streams, which are seeded together at set-up."""
    trees = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in MODULES.items()}
    written = {module: written_fields(tree, "state") for module, tree in trees.items()}
    # It changes no game: it makes a whole state out of a view, and a field that it forgot would be left from another.
    assert written.pop("arena.rules.determinize") == set(STATE.names or ())
    owners: dict[str, set[str]] = {}
    for module, fields in written.items():
        for field in fields:
            owners.setdefault(field, set()).add(module)
    assert set(owners) == set(STATE.names or ())
    assert owners.pop("streams") == {"arena.rules.turn", "arena.rules.deck"}
    assert {field: modules for field, modules in owners.items() if len(modules) > 1} == {}


def test_no_map_has_a_name_inside_the_arena() -> None:
    names = [re.escape(word) for name in catalog.map_names() for word in (name, name.replace("_", " "))]
    pattern = re.compile(rf"\b({'|'.join(names)})\b", re.IGNORECASE)
    for module, path in MODULES.items():
        if module.startswith("arena"):
            assert not pattern.search(path.read_text(encoding="utf-8")), path


def test_only_the_command_line_prints() -> None:
    for module, path in MODULES.items():
        calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        names = {ast.unparse(call.func) for call in calls}
        assert "print" not in names, path
        assert module.startswith("arena.cli") or "click.echo" not in names, path


def test_no_global_random_state() -> None:
    """Chance comes from a deal's streams: no seeded or unseeded generator of a module anywhere."""
    pattern = re.compile(
        r"np\.random|numpy\.random|random\.(seed|random|randint|choice|shuffle)\(|^from random import", re.M
    )
    for path in MODULES.values():
        assert not pattern.search(path.read_text(encoding="utf-8")), path


def test_modules_fit_the_head() -> None:
    for path in MODULES.values():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, path


def test_numbers_that_stand_twice_are_equal() -> None:
    """The parts that know no compiled code repeat some numbers of those that do."""
    assert spec.COLORS == board.COLORS
    assert spec.ROUTE_COLORS == board.ROUTE_COLORS
    assert spec.LIMITS == {"cities": board.MAX_CITIES, "routes": board.MAX_ROUTES, "tickets": board.MAX_TICKETS}
    assert (rule_numbers.MAX_LENGTH, rule_numbers.DECK_LIMIT) == (board.MAX_LENGTH, board.DECK_SIZE)
    assert (rule_numbers.MAX_OFFER, spec.MAX_POSITIONS) == (board.MAX_OFFER, board.MAX_POSITIONS)
    assert rule_numbers.Rules.RANGES["express"] == (0, board.MAX_EXPRESS)
    assert plan.MAX_SEATS == board.MAX_SEATS
    assert seat_tables.SOURCES == scoring.SOURCES
    assert tuple(rare_events.RARE) == ("stall", *game_log.RARE)


def test_state_is_small() -> None:
    assert STATE.itemsize < 1024
