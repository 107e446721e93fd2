"""A baseline file: how a bot did on each deal, so that it can be compared without its code."""

import contextlib
import json
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import arena
from arena import catalog
from arena.catalog.fingerprint import fingerprint_of, rules_fingerprint
from arena.engine.bots import Entrant
from arena.errors import ArenaError, UsageError
from arena.experiments.regress.match import Setting
from arena.files import write_whole

FORMAT = 1
SCHEMA = 1
"""Of what programs are told."""


@dataclass(frozen=True)
class Baseline:
    """What a file holds."""

    format: int
    arena: str
    """The version that wrote it."""
    bot: str
    parameters: dict[str, Any]
    source: str
    """Digest of the bot's sources."""
    fingerprint: str
    setting: Setting
    rules: str
    """Fingerprint of the rules on the maps."""
    field: dict[str, str]
    """Fingerprints of the other bots."""
    cells: list[str]
    shares: list[list[float]]
    """The bot's win share in each block of each cell."""
    games: int
    faults: int

    @property
    def blocks(self) -> int:
        """How many deals of each cell are recorded."""
        return len(self.shares[0])

    @property
    def summary(self) -> dict[str, Any]:
        """All but the blocks, for programs."""
        return {"schema": SCHEMA, **{name: value for name, value in asdict(self).items() if name != "shares"}}


def fingerprints(setting: Setting, executor: Executor) -> dict[str, str]:
    """Of the bots of a field, by spec; in a worker, which they may end."""
    asked = {spec: executor.submit(fingerprint_of, spec, setting.maps) for spec in setting.field}
    return {spec: future.result() for spec, future in asked.items()}


def rules_of(setting: Setting) -> str:
    """The fingerprint of the rules and maps of a setting."""
    return rules_fingerprint(
        [(name, catalog.load_map(name, setting.settings)) for name in setting.maps], setting.players
    )


def make_baseline(
    bot: Entrant, setting: Setting, shares: list[list[float]], games: int, faults: int, executor: Executor
) -> Baseline:
    """The record of a bot that has just been played."""
    digest = executor.submit(fingerprint_of, bot.spec, setting.maps).result()
    return Baseline(
        FORMAT, arena.__version__, bot.spec, plain(bot.parameters), bot.digest, digest, setting,
        rules_of(setting), fingerprints(setting, executor), _cell_names(setting), shares, games, faults,
    )  # fmt: skip


def plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a file holds them."""
    return {name: _plain(value) for name, value in parameters.items()}


def _plain(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        return repr(value)


def check_place(file: Path) -> None:
    """UsageError if a baseline cannot have this name, ArenaError if its folder cannot be written."""
    if file.suffix != ".json":
        raise UsageError(f"{file} does not end in .json, by which --against tells a file from a bot")
    part = file.with_name(f".{file.name}.part")
    try:
        if file.exists():
            raise UsageError(f"{file} exists already; a baseline is never overwritten")
        file.parent.mkdir(parents=True, exist_ok=True)
        part.touch()
        part.unlink()
    except (OSError, ValueError) as error:
        raise ArenaError(f"cannot write {file}: {getattr(error, 'strerror', None) or error}") from None


def write_baseline(file: Path, baseline: Baseline) -> None:
    """Write it; ArenaError if that is not possible."""
    write_whole(file, (json.dumps(asdict(baseline), indent=1) + "\n").encode())


def read_baseline(file: Path) -> Baseline:
    """Read it; UsageError if there is none, ArenaError if it is damaged."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no baseline file {file}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ArenaError(f"cannot read the baseline file {file}: {getattr(error, 'strerror', error)}") from None
    with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
        raw = data.pop("setting")
        setting = Setting(**{**raw, **{name: tuple(raw[name]) for name in ("maps", "players", "field")}})
        baseline = Baseline(**data, setting=setting)
        if baseline.format == FORMAT and _has_words(baseline) and _has_numbers(baseline):
            return baseline
    raise ArenaError(f"{file} holds no baseline of this version of the arena")


def _has_words(baseline: Baseline) -> bool:
    setting = baseline.setting
    words = [
        baseline.arena, baseline.bot, baseline.source, baseline.fingerprint, baseline.rules, setting.seating,
        *setting.maps, *setting.field, *baseline.field, *baseline.field.values(), *setting.settings,
    ]  # fmt: skip
    return all(isinstance(word, str) for word in words) and isinstance(baseline.parameters, dict)


def _has_numbers(baseline: Baseline) -> bool:
    """Counts are whole, and there are as many shares of each cell, one cell at least."""
    setting, shares = baseline.setting, baseline.shares
    whole = [*setting.players, setting.seed, baseline.games, baseline.faults]
    return (
        all(type(value) is int for value in whole)
        and all(type(value) in (int, str) for value in setting.settings.values())
        and baseline.cells == _cell_names(setting)
        and len(shares) == len(baseline.cells)
        and {len(row) for row in shares} == {baseline.blocks} != {0}
        and all(type(share) in (int, float) and 0 <= share <= 1 for row in shares for share in row)
    )


def _cell_names(setting: Setting) -> list[str]:
    return [f"{name}, {players} players" for name, players in setting.cells]


def refuse_other_rules(file: Path, baseline: Baseline, executor: Executor) -> None:
    """UsageError that names what is not as it was when the file was written."""
    setting = baseline.setting
    if rules_of(setting) != baseline.rules:
        raise UsageError(f"{file} was recorded with other rules or another map; save the baseline again")
    for spec, digest in fingerprints(setting, executor).items():
        if baseline.field.get(spec) != digest:
            raise UsageError(
                f"{file} was recorded against another {spec}: it decides differently; save the baseline again"
            )
