"""The digest of what decides games besides the rules: tables, what bots see, who is seated, who is suspended."""

from functools import cache
from pathlib import Path

from arena.rules.compiler.digests import digest_of

HOUSE = Path(__file__).parent.parent
ENGINE = (
    "engine/*.py", "engine/external/*.py", "tournament/deals.py", "tournament/designs.py", "tournament/schedule.py",
    "runs/suspension.py",
)  # fmt: skip
"""The files, in the folder of the arena. The rules have a digest of their own, which plans hold beside this one."""


@cache
def engine_digest() -> str:
    """The digest of the engine: two arenas that agree in it and in the rules play the same games of a plan."""
    return digest_of([file for pattern in ENGINE for file in HOUSE.glob(pattern)])
