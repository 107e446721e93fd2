"""The report of `arena verify` as text."""

from textwrap import wrap

from arena.checks.run.complaints import Part
from arena.checks.run.verify import Verification
from arena.texts import counted

WIDTH = 80
SHOWN = 5
"""Complaints of each part that are printed."""


def to_text(verification: Verification) -> str:
    """A line or some for each part, what the sample means, the sentence."""
    lines: list[str] = []
    for part in verification.parts:
        lines += _lines(part)
    sample = verification.sample
    about = [f"Sample: seed {sample.seed}." if sample.games else "", sample.meaning, *_left_out(verification)]
    if any(about):
        lines += ["", *wrap(" ".join(filter(None, about)), WIDTH)]
    return "\n".join([*lines, "", *wrap(sentence(verification), WIDTH, break_on_hyphens=False)]) + "\n"


def _lines(part: Part) -> list[str]:
    head = f"{part.name:9}{'ok' if part.holds else 'WRONG':7}"
    lines = wrap(f"{part.detail}.", WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
    for complaint in part.complaints[:SHOWN]:
        lines += wrap(f"{complaint.text}.", WIDTH, initial_indent="  ", subsequent_indent="    ",
                      break_on_hyphens=False, break_long_words=False)  # fmt: skip
    if len(part.complaints) > SHOWN:
        lines.append(f"  and {len(part.complaints) - SHOWN:,} more.")
    return lines


def _left_out(verification: Verification) -> list[str]:
    """Games that could not be drawn, and why."""
    sample = verification.sample
    found = []
    if sample.by_clock:
        found.append(f"{counted(sample.by_clock, 'game')} with bots that play by the clock cannot be replayed.")
    if sample.changed:
        found.append(f"{counted(sample.changed, 'game')} with bots that are not the run's cannot be replayed.")
    return found


def sentence(verification: Verification) -> str:
    """How it ended."""
    if verification.complaints:
        first, others = verification.complaints[0], len(verification.complaints) - 1
        more = f" (and {counted(others, 'more problem')})" if others else ""
        return f"NOT verified: {first.text}{more}."
    games, sample = counted(verification.games, "game"), verification.sample
    if verification.games < verification.wanted:
        games = f"{verification.games:,} of {verification.wanted:,} games, the others are not played yet,"
    where = f"{games} in {counted(verification.files, 'shard')}"
    if not verification.games:
        return "Verified: there are no games yet."
    if not sample.games:
        why = ", as all have bots that play by the clock" if sample.by_clock else ""
        return f"Verified by digests and arithmetic only: {where}; none replayed{why}."
    replayed = f"{sample.games:,} replayed, all fields equal"
    if sample.believed:
        replayed += f" ({sample.believed:,} of them with faults of the machine taken as recorded)"
    if sample.by_clock:
        replayed += f"; {sample.by_clock:,} cannot be, as bots in them play by the clock"
    return f"Verified: {where}; {replayed}."
