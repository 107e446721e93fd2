"""A baseline on file: a bot as it was, what it is known by, and how it did on each deal, without its code."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import arena
from arena import catalog
from arena.errors import ArenaError, UsageError
from arena.fingerprint import fingerprint, rules_fingerprint
from arena.records import write_whole
from arena.regression.match import Cell, Setting
from arena.table import Entrant

FORMAT = 1


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
        """All but the blocks."""
        return {name: value for name, value in asdict(self).items() if name != "shares"}


def fingerprints(setting: Setting) -> dict[str, str]:
    """Of the bots of a field, by spec."""
    return {spec: fingerprint(catalog.load_entrant(spec), setting.maps) for spec in setting.field}


def rules_of(setting: Setting) -> str:
    """The fingerprint of the rules and maps of a setting."""
    return rules_fingerprint(
        [(name, catalog.load_map(name, setting.settings)) for name in setting.maps], setting.players
    )


def make_baseline(
    bot: Entrant, digest: str, setting: Setting, cells: Sequence[Cell], shares: list[list[float]], games: int,
    faults: int,
) -> Baseline:  # fmt: skip
    """The record of a bot that has just been played. digest: its fingerprint."""
    return Baseline(
        FORMAT, arena.__version__, bot.spec, bot.parameters, bot.digest, digest, setting,
        rules_of(setting), fingerprints(setting), [cell.name for cell in cells], shares, games, faults,
    )  # fmt: skip


def write_baseline(file: Path, baseline: Baseline) -> None:
    """Write it; ArenaError if that is not possible."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(f"cannot make the folder {file.parent}: {error.strerror}") from None
    write_whole(file, (json.dumps(asdict(baseline), indent=1) + "\n").encode())


def read_baseline(file: Path) -> Baseline:
    """Read it; UsageError if there is none, ArenaError if it is damaged."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no baseline file {file}") from None
    except (OSError, ValueError) as error:
        raise ArenaError(f"cannot read the baseline file {file}: {error}") from None
    try:
        raw = data.pop("setting")
        setting = Setting(**{**raw, **{name: tuple(raw[name]) for name in ("maps", "players", "field")}})
        baseline = Baseline(**data, setting=setting)
        sound = baseline.format == FORMAT and baseline.blocks and len(baseline.shares) == len(baseline.cells)
    except (AttributeError, KeyError, TypeError, IndexError):
        sound = False
    if not sound:
        raise ArenaError(f"{file} holds no baseline of this version of the arena")
    return baseline


def refuse_other_rules(file: Path, baseline: Baseline) -> None:
    """UsageError that names what is not as it was when the file was written."""
    setting = baseline.setting
    if rules_of(setting) != baseline.rules:
        raise UsageError(f"{file} was recorded with other rules or another map; save the baseline anew")
    for spec, digest in fingerprints(setting).items():
        if baseline.field.get(spec) != digest:
            raise UsageError(
                f"{file} was recorded against another {spec}: it decides differently; save the baseline anew"
            )
