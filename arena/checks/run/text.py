"""The report of `arena verify` as text."""

from typing import Any

from arena.checks.findings import OK, PROBLEM, lines_of
from arena.checks.run.verify import Verification
from arena.texts import counted, wrapped

SIGNS = {OK: "ok", PROBLEM: "WRONG"}


def to_text(verification: Verification) -> str:
    """A line or some for each part, what the sample means, the sentence."""
    lines = [*lines_of(verification.parts, SIGNS)]
    sample = verification.sample
    about = [f"Sample: seed {sample.seed}." if sample.games else "", sample.meaning, *_left_out(verification)]
    if any(about):
        lines += ["", *wrapped(" ".join(filter(None, about)))]
    return "\n".join([*lines, "", *wrapped(sentence(verification))]) + "\n"


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


def to_json(verification: Verification) -> dict[str, Any]:
    """All of it as an object for programs."""
    sample = verification.sample
    return {
        "schema": 1,
        "verified": verification.holds,
        "sentence": sentence(verification),
        "run": str(verification.run),
        "games": verification.games,
        "games_planned": verification.wanted,
        "shards": verification.files,
        "parts": [
            {"name": part.name, "ok": part.holds, "detail": part.detail.removesuffix("."),
             "problems": [{"game": complaint.game, "text": complaint.text} for complaint in part.complaints]}
            for part in verification.parts
        ],
        "sample": {
            "seed": sample.seed, "replayed": sample.games, "eligible": sample.eligible,
            "by_the_clock": sample.by_clock, "bots_changed": sample.changed, "faults_as_recorded": sample.believed,
            "meaning": sample.meaning,
        },
    }  # fmt: skip
