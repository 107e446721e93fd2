"""The shipped boards, data only: `names` lists them, `load` reads one, `DEFAULT` is played unless another is named."""

from importlib.resources import files

from arena.boards.file import load_map_text
from arena.boards.spec import MapSpec

DEFAULT = "usa"


def names() -> list[str]:
    """The names of the shipped maps."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in files(__name__).iterdir() if entry.name.endswith(".toml")
    )


def load(name: str) -> MapSpec:
    """The shipped map of that name."""
    return load_map_text((files(__name__) / f"{name}.toml").read_text(encoding="utf-8"), name)
