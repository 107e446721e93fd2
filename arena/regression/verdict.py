"""What a comparison comes to: the question asked, the verdict, and both in words."""

from dataclasses import asdict, dataclass
from typing import Any

from arena.errors import UsageError
from arena.stats.sprt import Sprt

PASS, FAIL, UNDECIDED = 0, 1, 3
"""Exit codes; 2 is wrong use."""


@dataclass(frozen=True)
class Question:
    """What is tested, in points of win share (hundredths)."""

    low: float
    """H0: the candidate's gain is at most this."""
    high: float
    """H1: it is at least this."""
    alpha: float
    """How often H1 may be accepted where H0 is true."""
    beta: float
    """How often H0 may be accepted where H1 is true."""

    def __post_init__(self) -> None:
        if not -100 <= self.low < self.high <= 100:
            raise UsageError(f"a test from {self.low:g} to {self.high:g} points does not fit: -100 <= P0 < P1 <= 100")
        for name, value in (("--alpha", self.alpha), ("--beta", self.beta)):
            if not 0 < value < 0.5:
                raise UsageError(f"{name} {value:g} does not fit: it lies between 0 and 0.5")

    @property
    def is_gain(self) -> bool:
        """Whether a gain is asked for; else that nothing is lost."""
        return self.high > 0

    @property
    def sprt(self) -> Sprt:
        """The test in shares."""
        return Sprt(self.low / 100, self.high / 100, self.alpha, self.beta)

    def __str__(self) -> str:
        asked = f"gain {self.low:g},{self.high:g}" if self.is_gain else f"no loss of {-self.low:g}"
        return f"{asked} points, alpha {self.alpha:g}, beta {self.beta:g}"


@dataclass(frozen=True)
class Verdict:
    """What a comparison found."""

    word: str
    """`better`, `no worse`, `worse`, `no better`, `undecided` or `unchanged`."""
    exit_code: int
    """0 the question is answered with yes, 1 with no, 3 not yet."""
    candidate: str
    baseline: str
    where: str
    """Maps, numbers of players, field."""
    question: str
    deals: int
    """Blocks that count; the test stopped there."""
    games: int
    """Games played, of both, the last ones perhaps not counted."""
    gain: float | None
    """In win share, corrected for stopping; None if nothing was played."""
    low: float | None
    high: float | None
    """The 95 % interval of the gain, corrected likewise."""
    llr: float
    """The log likelihood ratio at the end, and its bounds."""
    bounds: tuple[float, float]
    faults: tuple[int, int]
    """Games with a fault of the candidate, of the baseline."""
    command: str
    is_even: bool = True
    """Whether both did exactly as well on each deal."""
    label: str = ""
    """What must be said wherever the map is shown."""

    @property
    def passed(self) -> bool:
        """Whether the question is answered with yes."""
        return self.exit_code == PASS

    @property
    def lines(self) -> list[str]:
        """Five lines to paste into a pull request."""
        head = f"{self.candidate} against {self.baseline}: {self.word.upper()}"
        label = f" ({self.label})" if self.label else ""
        return [head, f"{self.where}{label}", self._found(), self._test(), self.command]

    def to_json(self) -> dict[str, Any]:
        """For programs; numbers that do not exist are left out."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    def _found(self) -> str:
        faults = ""
        if any(self.faults):
            faults = f"; games with a fault: {self.faults[0]:,} of the candidate, {self.faults[1]:,} of the baseline"
        if self.word == "unchanged" and self.deals:
            return f"the same result on each of {self.deals:,} deals ({self.games:,} games)"
        if self.gain is None or self.low is None or self.high is None:
            return "the same sources and parameters, and the same decisions in the games of the fingerprint"
        return (
            f"win share {100 * self.gain:+.1f} points (95 %: {100 * self.low:+.1f} to {100 * self.high:+.1f}, "
            f"corrected for stopping), {self.deals:,} deals, {self.games:,} games{faults}"
        )

    def _test(self) -> str:
        low, high = self.bounds
        return f"{self.question}; log likelihood ratio {self.llr:+.2f} of {low:.2f} to {high:+.2f}"


def word_of(question: Question, decision: str, low: float | None, high: float | None) -> tuple[str, int]:
    """The verdict and the exit code for what the test accepted, and the corrected interval of the gain."""
    if not decision:
        return "undecided", UNDECIDED
    if decision == "h1":
        better = question.is_gain or (low is not None and low > 0)
        return "better" if better else "no worse", PASS
    worse = not question.is_gain or (high is not None and high < 0)
    return "worse" if worse else "no better", FAIL
