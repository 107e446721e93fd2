"""The report of `arena doctor` as text, to be read or pasted into a bug report."""

from textwrap import wrap

from arena.checks.findings import OK, PROBLEM, WARNING
from arena.checks.machine.doctor import Examination

WIDTH = 80
SIGNS = {OK: "ok", WARNING: "warning", PROBLEM: "PROBLEM"}


def to_text(examination: Examination) -> str:
    """Each finding with its status, then the verdict."""
    width = max(len(finding.name) for finding in examination.findings) + 2
    lines = []
    for finding in examination.findings:
        head = f"{finding.name:{width}}{SIGNS[finding.status]:9}"
        lines += wrap(finding.detail, WIDTH, initial_indent=head, subsequent_indent=" " * len(head),
                      break_on_hyphens=False)  # fmt: skip
    return "\n".join([*lines, "", *wrap(verdict(examination), WIDTH)]) + "\n"


def verdict(examination: Examination) -> str:
    """All of it in a sentence."""
    problems, warnings = examination.of(PROBLEM), examination.of(WARNING)
    aside = f" See also the warnings: {', '.join(warnings)}." if warnings else ""
    if problems:
        return f"Problems: {', '.join(problems)}.{aside}"
    return f"No problem found.{aside}"
