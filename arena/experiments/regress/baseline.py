"""A baseline file: how a bot did on each deal, so that it can be compared without its code."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import arena
from arena import catalog
from arena.catalog.fingerprint import fingerprint_of, rules_fingerprint
from arena.engine.bots import Entrant
from arena.errors import ArenaError, UsageError
from arena.experiments.regress.options import Options, Setting
from arena.experiments.regress.rounds import Condition, Context, Played, deals_within, play_rounds
from arena.files import write_whole
from arena.stats.sprt import Sprt

FORMAT = 1
SCHEMA = 1
"""The version of what programs are told."""


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
    """Fingerprints of the opponents."""
    cells: list[str]
    """The conditions in words."""
    shares: list[list[float]]
    """The bot's win share under each condition in each block."""
    games: int
    faults: int

    @property
    def blocks(self) -> int:
        """How many deals are recorded under each condition."""
        return len(self.shares[0])

    @property
    def summary(self) -> dict[str, Any]:
        """All but the shares, for programs."""
        return {"schema": SCHEMA, **{name: value for name, value in asdict(self).items() if name != "shares"}}


def fingerprints(setting: Setting, executor: Executor) -> dict[str, str]:
    """The fingerprints of the opponents by spec, made in a worker, which they may end."""
    asked = {spec: executor.submit(fingerprint_of, spec, setting.maps) for spec in setting.field}
    return {spec: future.result() for spec, future in asked.items()}


def rules_of(setting: Setting) -> str:
    """The fingerprint of the rules and maps of a setting."""
    return rules_fingerprint(
        [(name, catalog.load_map(name, setting.settings)) for name in setting.maps], setting.players
    )


def record(bot: Entrant, setting: Setting, conditions: Sequence[Condition], most: int, context: Context) -> Baseline:
    """Play a bot against named opponents, for at most so many games, and keep how it did on each deal."""
    rounds: list[Played] = []
    for part in play_rounds(conditions, deals_within(conditions, most, Sprt.least), context.executor, context.jobs):
        rounds.append(part)
        context.progress(f"{sum(each.games for each in rounds):,} of {most:,} games")
    played = Played.joined(rounds)
    digest = context.executor.submit(fingerprint_of, bot.spec, setting.maps).result()
    return Baseline(
        FORMAT, arena.__version__, bot.spec, plain(bot.parameters), bot.digest, digest, setting, rules_of(setting),
        fingerprints(setting, context.executor), condition_names(setting), played.shares.T.tolist(), played.games,
        played.faults[0],
    )  # fmt: skip


def plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as a file holds them."""
    values: dict[str, Any] = json.loads(json.dumps(parameters, default=repr, skipkeys=True))
    return values


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
    """Read it; UsageError if it does not exist, ArenaError if it is damaged."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no baseline file {file}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ArenaError(f"cannot read the baseline file {file}: {getattr(error, 'strerror', error)}") from None
    with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError, UsageError):
        baseline = Baseline(**{**data, "setting": Options(**data["setting"]).setting})
        if baseline.format == FORMAT and _is_sound(baseline):
            return baseline
    raise ArenaError(f"{file} is not a baseline of this version of the arena")


def _is_sound(baseline: Baseline) -> bool:
    """Names are texts, counts are whole, and there are as many shares for each condition, one condition at least."""
    shares = baseline.shares
    words = [
        baseline.arena, baseline.bot, baseline.source, baseline.fingerprint, baseline.rules, *baseline.field,
        *baseline.field.values(),
    ]  # fmt: skip
    return (
        all(isinstance(word, str) for word in words)
        and isinstance(baseline.parameters, dict)
        and type(baseline.games) is type(baseline.faults) is int
        and baseline.cells == condition_names(baseline.setting)
        and len(shares) == len(baseline.cells)
        and {len(row) for row in shares} == {baseline.blocks} != {0}
        and all(type(share) in (int, float) and 0 <= share <= 1 for row in shares for share in row)
    )


def condition_names(setting: Setting) -> list[str]:
    """The conditions of a setting in words."""
    return [f"{name}, {players} players" for name, players in setting.conditions]


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
