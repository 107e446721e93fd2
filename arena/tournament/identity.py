"""What decides the games of a plan besides its terms, as digests and versions, and what of it has changed since."""

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

SOURCES = {"rules": "another version of the rules", "engine": "another version of the arena", "map": "another map"}
"""The parts of an identity without which there are other games. Versions of Python and its packages change none."""


class Differences(NamedTuple):
    """What is not the same in two identities."""

    parts: list[str]
    """The names of fields, but for the bots."""
    bots: list[str]
    """The names of bots whose code is another one."""

    @property
    def sources(self) -> list[str]:
        """Those that lead to other games, in words."""
        return [SOURCES[part] for part in SOURCES if part in self.parts] + [f"another {bot}" for bot in self.bots]


@dataclass(frozen=True)
class Identity:
    """The digests of sources and the versions of packages that a run is played with; empty is what is not known."""

    arena: str = ""
    rules: str = ""
    engine: str = ""
    map: str = ""
    map_label: str = ""
    bots: dict[str, str] = field(default_factory=dict)
    """The digest of the code of each bot, by its name in the tables."""
    python: str = ""
    numba: str = ""
    numpy: str = ""
    pyarrow: str = ""

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> "Identity":
        """The identity in the document of a plan, which another version of the arena may have written."""
        known = {part.name: data[part.name] for part in fields(cls) if part.name in data}
        bots = known.get("bots")
        return cls(**{**known, "bots": bots if isinstance(bots, dict) else {}})

    def differences(self, now: "Identity") -> Differences:
        """What has changed since, of all that is known now, and of the bots that both name."""
        names = [part.name for part in fields(self) if part.name != "bots"]
        parts = [name for name in names if (here := getattr(now, name)) and here != getattr(self, name)]
        return Differences(parts, [bot for bot, code in self.bots.items() if now.bots.get(bot, code) != code])
