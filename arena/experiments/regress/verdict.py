"""The verdict of a comparison: what was asked, what was found, and both in words."""

from dataclasses import asdict, dataclass
from typing import Any

from arena.experiments.regress.options import Hypotheses

PASS, FAIL, UNDECIDED = 0, 1, 3
"""Exit codes; 2 is wrong use."""


SCHEMA = 1
"""Of what programs are told."""


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
    """Deals that count, each in every map and number of players; the test stopped there."""
    games: int
    """Games on these deals, of both bots."""
    gain: float | None
    """In win share, corrected for stopping; None if nothing was played."""
    low: float | None
    high: float | None
    """The 95 % interval of the gain, corrected likewise."""
    llr: float
    """The log likelihood ratio at the end, and its bounds."""
    bounds: tuple[float, float]
    faults: tuple[int, int]
    """Games with a fault of the candidate, of the baseline, among those played here."""
    command: str
    """The command line, or for bots without a name the call in Python, that finds it again."""
    is_even: bool = True
    """Whether both did exactly as well on each deal."""
    label: str = ""
    """What must be said wherever the map is shown."""
    recorded_faults: int = 0
    """Games with a fault of the baseline in all of its file."""
    first_fault: str = ""
    """The candidate's first fault in words; the baseline's if the candidate has none."""
    note: str = ""
    """Why the test had to end, if not for `max_games`."""

    @property
    def passed(self) -> bool:
        """Whether the question is answered with yes."""
        return self.exit_code == PASS

    @property
    def lines(self) -> list[str]:
        """Five lines to paste into a pull request; a sixth one has the first fault, if there are faults."""
        head = f"{self.candidate} against {self.baseline}: {self.word.upper()}"
        label = f" ({self.label})" if self.label else ""
        fault = [self.first_fault] if self.first_fault else []
        return [head, f"{self.where}{label}", self._found() + self._faults(), self._test(), self.command, *fault]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def to_json(self) -> dict[str, Any]:
        """For programs; numbers that do not exist are left out."""
        return {"schema": SCHEMA, **{key: value for key, value in asdict(self).items() if value is not None}}

    def _found(self) -> str:
        if self.gain is None or self.low is None or self.high is None:
            return "the same sources and parameters, and the same decisions in the games of the fingerprint"
        if self.is_even:
            return f"the same result on each of {self.deals:,} deals, {self.games:,} games"
        return (
            f"win share {100 * self.gain:+.1f} points (95 %: {100 * self.low:+.1f} to {100 * self.high:+.1f}, "
            f"corrected for stopping), {self.deals:,} deals, {self.games:,} games"
        )

    def _faults(self) -> str:
        """Games with a fault, if there are any."""
        own, other = self.faults
        text = f"; games with a fault: {own:,} of the candidate, {other:,} of the baseline" if own or other else ""
        recorded = f"; in all games of its file the baseline had {self.recorded_faults:,} with a fault"
        return text + (recorded if self.recorded_faults else "")

    def _test(self) -> str:
        low, high = self.bounds
        note = f"; {self.note}" if self.note else ""
        return f"{self.question}; log likelihood ratio {self.llr:+.2f} of {low:.2f} to {high:+.2f}{note}"


def word_of(hypotheses: Hypotheses, decision: str, low: float | None, high: float | None) -> tuple[str, int]:
    """The verdict and the exit code for what the test accepted, and the corrected interval of the gain."""
    if not decision:
        return "undecided", UNDECIDED
    if decision == "h1":
        better = (hypotheses.is_gain and hypotheses.low >= 0) or (low is not None and low > 0)
        return "better" if better else "no worse", PASS
    worse = hypotheses.high <= 0 or (high is not None and high < 0)
    return "worse" if worse else "no better", FAIL
