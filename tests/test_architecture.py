"""The house rules that a program can check: who imports whom, one owner a state field, no map name, no print."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import catalog, maprules, mapspec, plan, shards
from arena.reports import rare
from arena.rules import board, notes, scoring
from arena.rules.state import STATE

ROOT = Path(__file__).parent.parent
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("arena", "bots", "maps")
    for path in sorted((ROOT / package).rglob("*.py"))
}

# From a part of the house to the parts of ours that it may import.
ALLOWED = {
    "arena": {"arena.api", "arena.regression"},
    "arena.errors": set(),
    "arena.texts": set(),
    "arena.maprules": {"arena.errors"},
    "arena.mapspec": {"arena.maprules"},
    "arena.mapcheck": {"arena.errors", "arena.maprules", "arena.mapspec"},
    "arena.mapfile": {"arena.errors", "arena.mapcheck", "arena.maprules", "arena.mapspec"},
    "arena.mapnumbers": {"arena.maprules", "arena.mapspec"},
    "arena.drawing": {"arena.mapspec"},
    "arena.colorscale": set(),
    "arena.heatmarks": {"arena.colorscale", "arena.drawing", "arena.mapspec", "arena.texts"},
    "arena.heatmaps": {"arena.colorscale", "arena.drawing", "arena.heatmarks", "arena.mapspec"},
    "arena.kernels": {"arena.errors", "arena.files", "arena.kernels"},
    "arena.rules": {"arena.kernels"},
    "arena.compile": {"arena.maprules", "arena.mapspec", "arena.kernels", "arena.rules"},
    "arena.parts": {"arena.rules"},
    "arena.view": {"arena", "arena.mapspec", "arena.kernels", "arena.parts", "arena.rules"},
    "arena.numbatext": {"arena.kernels", "arena.rules"},
    "arena.bot": {
        "arena.compile", "arena.errors", "arena.mapspec", "arena.numbatext", "arena.kernels", "arena.rules",
        "arena.sources",
        "arena.view",
    },
    "arena.play": {"arena.kernels", "arena.rules"},
    "arena.desk": {"arena.compile", "arena.mapspec", "arena.play", "arena.rules"},
    "arena.faults": {"arena.play", "arena.kernels", "arena.rules", "arena.texts"},
    "arena.seats": {"arena.bot", "arena.faults", "arena.kernels", "arena.play", "arena.rules"},
    "arena.table": {
        "arena.bot", "arena.desk", "arena.errors", "arena.faults", "arena.limits", "arena.mapspec", "arena.play",
        "arena.kernels", "arena.rules", "arena.seats", "arena.view", "arena.texts",
    },
    "arena.designs": set(),
    "arena.limits": {"arena.errors"},
    "arena.plan": {"arena.designs", "arena.errors", "arena.limits", "arena.texts"},
    "arena.config": {"arena.catalog", "arena.errors", "arena.protocol.spec"},
    "arena.files": {"arena.errors"},
    "arena.ranges": set(),
    "arena.arrow": set(),
    "arena.identity": {"arena.plan"},
    "arena.deals": {"arena.plan", "arena.play"},
    "arena.details": {
        "arena.arrow", "arena.files", "arena.identity", "arena.plan", "arena.play", "arena.kernels", "arena.rules",
    },
    "arena.shards": {
        "arena.arrow", "arena.details", "arena.files", "arena.identity", "arena.plan", "arena.play", "arena.ranges",
        "arena.kernels", "arena.rules", "arena.stats",
    },
    "arena.recorded": {"arena.details", "arena.errors", "arena.plan", "arena.play", "arena.ranges", "arena.shards"},
    "arena.faultlog": {"arena.errors", "arena.faults", "arena.files", "arena.plan", "arena.ranges"},
    "arena.isolation": {
        "arena.bot", "arena.errors", "arena.faults", "arena.limits", "arena.play", "arena.kernels", "arena.rules",
        "arena.sources",
        "arena.texts",
    },
    "arena.isolation.child": {
        "arena.bot", "arena.catalog", "arena.compile", "arena.errors", "arena.faults", "arena.isolation", "arena.play",
        "arena.kernels", "arena.rules", "arena.table",
    },
    "arena.protocol": {
        "arena", "arena.bot", "arena.errors", "arena.faults", "arena.isolation", "arena.limits", "arena.mapspec",
        "arena.parts", "arena.play", "arena.kernels", "arena.rules", "arena.view",
    },
    "arena.protocol.spec": {"arena.errors"},
    "arena.records": {"arena.details", "arena.errors", "arena.files", "arena.plan", "arena.ranges", "arena.shards"},
    "arena.sources": {"arena.kernels"},
    "arena.parameters": {"arena.bot", "arena.errors"},
    "arena.catalog": {
        "arena.bot", "arena.errors", "arena.isolation", "arena.mapcheck", "arena.mapfile", "arena.mapspec",
        "arena.parameters", "arena.protocol", "arena.protocol.spec", "arena.kernels", "arena.rules", "arena.sources",
        "arena.table",
        "maps",
    },
    "arena.runs": {
        "arena", "arena.bot", "arena.catalog", "arena.designs", "arena.details", "arena.deals", "arena.errors",
        "arena.faultlog", "arena.faults", "arena.files", "arena.identity", "arena.isolation", "arena.limits",
        "arena.mapspec", "arena.numbatext", "arena.plan", "arena.play", "arena.ranges", "arena.recorded",
        "arena.records", "arena.kernels", "arena.rules", "arena.runs", "arena.shards", "arena.sources",
        "arena.stats", "arena.table",
        "arena.texts",
    },
    "arena.replay": {
        "arena.bot", "arena.catalog", "arena.deals", "arena.desk", "arena.errors", "arena.faultlog",
        "arena.faults", "arena.isolation", "arena.limits", "arena.mapspec", "arena.plan", "arena.play",
        "arena.recorded", "arena.records", "arena.replay", "arena.kernels", "arena.rules", "arena.runs",
        "arena.shards", "arena.table",
        "arena.texts",
    },
    "arena.stats": {"arena.stats"},
    "arena.balance": {
        "arena.balance", "arena.details", "arena.errors", "arena.mapnumbers", "arena.mapspec", "arena.plan",
        "arena.play", "arena.ranges", "arena.recorded", "arena.records", "arena.kernels", "arena.rules",
        "arena.shards", "arena.stats",
    },
    "arena.studies": {
        "arena.balance", "arena.catalog", "arena.errors", "arena.files", "arena.heatmaps", "arena.identity",
        "arena.limits", "arena.mapspec", "arena.plan", "arena.records", "arena.recorded",
        "arena.reports", "arena.kernels", "arena.rules", "arena.runs", "arena.shards", "arena.stats", "arena.texts",
    },
    "arena.reports": {
        "arena.errors", "arena.faultlog", "arena.files", "arena.plan", "arena.ranges", "arena.recorded",
        "arena.records", "arena.reports", "arena.shards", "arena.stats", "arena.texts",
    },
    "arena.bench": {
        "arena.catalog", "arena.compile", "arena.mapspec", "arena.play", "arena.kernels", "arena.rules",
        "arena.runs", "arena.table",
    },
    "arena.watch": {"arena.faults", "arena.play", "arena.kernels", "arena.rules", "arena.table", "arena.view"},
    "arena.fingerprint": {
        "arena.bot", "arena.catalog", "arena.mapspec", "arena.play", "arena.kernels", "arena.rules", "arena.table",
        "arena.watch",
    },
    "arena.regression": {
        "arena", "arena.bot", "arena.catalog", "arena.errors", "arena.fingerprint", "arena.mapspec", "arena.parameters",
        "arena.files", "arena.plan", "arena.play", "arena.protocol.spec", "arena.runs", "arena.stats", "arena.table",
    },
    "arena.api": {
        "arena.catalog", "arena.errors", "arena.limits", "arena.plan", "arena.recorded", "arena.reports", "arena.runs",
    },
    "arena.botcheck": {
        "arena.bot", "arena.botcheck", "arena.botlist", "arena.catalog", "arena.errors", "arena.faults",
        "arena.fingerprint", "arena.mapspec", "arena.parameters", "arena.play", "arena.kernels", "arena.rules",
        "arena.runs",
        "arena.stats", "arena.table", "arena.watch",
    },
    "arena.botlist": {
        "arena.bot", "arena.catalog", "arena.errors", "arena.parameters", "arena.protocol", "arena.table",
    },
    "arena.testing": {
        "arena.bot", "arena.botcheck", "arena.catalog", "arena.errors", "arena.plan", "arena.regression", "arena.table",
    },
    "arena.verify": {
        "arena", "arena.bot", "arena.catalog", "arena.details", "arena.deals", "arena.errors", "arena.faultlog",
        "arena.faults", "arena.isolation", "arena.limits", "arena.mapspec", "arena.plan", "arena.play", "arena.ranges",
        "arena.recorded", "arena.records", "arena.kernels", "arena.rules", "arena.runs", "arena.shards",
        "arena.stats", "arena.table",
        "arena.texts", "arena.verify",
    },
    "arena.doctor": {
        "arena", "arena.catalog", "arena.doctor", "arena.errors", "arena.fingerprint", "arena.isolation",
        "arena.mapspec", "arena.play",
        "arena.recorded", "arena.records", "arena.kernels", "arena.rules", "arena.runs", "arena.table", "arena.texts",
    },
    "arena.scaffold": {"arena.catalog", "arena.errors"},
    "arena.template": {"arena.bot", "arena.testing"},
    "arena.cli": {
        "arena", "arena.bench", "arena.botcheck", "arena.botlist", "arena.catalog", "arena.cli", "arena.config",
        "arena.doctor", "arena.drawing", "arena.errors", "arena.files", "arena.kernels", "arena.limits",
        "arena.mapnumbers",
        "arena.records", "arena.regression", "arena.replay", "arena.reports", "arena.runs", "arena.scaffold",
        "arena.studies", "arena.texts", "arena.verify",
    },
    "bots": {"arena.bot"},
    "bots.search": {"arena.bot", "arena.kernels", "arena.rules", "bots"},
    "bots.tree": {"arena.bot", "arena.kernels", "arena.rules", "bots", "bots.search"},
    "bots.mcts": {"arena.bot", "arena.kernels", "arena.rules", "bots", "bots.search", "bots.tree"},
    "maps": {"arena.mapfile", "arena.mapspec"},
}  # fmt: skip


def room(module: str) -> str:
    """The part of the house that a module belongs to."""
    return max((part for part in ALLOWED if module == part or module.startswith(part + ".")), key=len)


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_one_way(module: str) -> None:
    ours = {room(name) for name in imports(MODULES[module]) if name.split(".")[0] in ("arena", "bots", "maps")}
    assert ours - ALLOWED[room(module)] - {room(module)} == set()


def test_every_room_is_lived_in() -> None:
    assert {room(module) for module in MODULES} == set(ALLOWED)


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
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


def test_numbers_that_stand_twice_are_equal() -> None:
    """The parts that know no compiled code repeat some numbers of those that do."""
    assert mapspec.COLORS == board.COLORS
    assert mapspec.ROUTE_COLORS == board.ROUTE_COLORS
    assert mapspec.LIMITS == {"cities": board.MAX_CITIES, "routes": board.MAX_ROUTES, "tickets": board.MAX_TICKETS}
    assert (maprules.MAX_LENGTH, maprules.DECK_LIMIT) == (board.MAX_LENGTH, board.DECK_SIZE)
    assert (maprules.MAX_OFFER, mapspec.MAX_POSITIONS) == (board.MAX_OFFER, board.MAX_POSITIONS)
    assert maprules.Rules.RANGES["express"] == (0, board.MAX_EXPRESS)
    assert plan.MAX_SEATS == board.MAX_SEATS
    assert shards.SOURCES == scoring.SOURCES
    assert tuple(rare.RARE) == ("stall", *notes.RARE)


def test_state_is_small() -> None:
    assert STATE.itemsize < 1024
