"""What a command line says, as what `regress` takes."""

from collections.abc import Iterable

from arena.errors import UsageError


def split_bots(items: Iterable[str]) -> tuple[str, ...]:
    """Specs from lists with commas; a comma also stands between the parameters of one bot (`a:x=1,y=2,b`)."""
    specs: list[str] = []
    for piece in ",".join(items).split(","):
        if specs and ":" in specs[-1] and "=" in piece and ":" not in piece.partition("=")[0]:
            specs[-1] += f",{piece}"
        elif piece.strip():
            specs.append(piece.strip())
    return tuple(specs)


def parse_gain(text: str | None) -> tuple[float, float] | None:
    """Two numbers with a comma between; UsageError if it is something else."""
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"--gain {text!r} is not of the form P0,P1: two numbers, as in --gain 0,5") from None
    return low, high
