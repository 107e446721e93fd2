"""What the doctor found as text."""

from arena.checks.findings import OK, PROBLEM, WARNING
from arena.checks.machine.doctor import Examination
from arena.checks.text import lines_of, paragraph

SIGNS = {OK: "ok", WARNING: "warning", PROBLEM: "PROBLEM"}


def to_text(examination: Examination) -> str:
    """Each finding with its status, then the verdict."""
    return "\n".join([*lines_of(examination.findings, SIGNS), "", *paragraph(verdict(examination))]) + "\n"


def verdict(examination: Examination) -> str:
    """All of it in a sentence."""
    problems, warnings = examination.of(PROBLEM), examination.of(WARNING)
    aside = f" See also the warnings: {', '.join(warnings)}." if warnings else ""
    if problems:
        return f"Problems: {', '.join(problems)}.{aside}"
    return f"No problem found.{aside}"
