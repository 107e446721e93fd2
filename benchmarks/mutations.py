"""Does the suite notice? Thirty planted faults, each in a copy of the project, and the tests that must fail.

    python benchmarks/mutations.py [--only NAME ...]

Each fault replaces one text in one file; the tests named beside it are run on the copy, first as `pytest` runs them,
then, if they pass, with `-m full`. Exit code 1 if a fault is noticed by neither, or if more than MOST_FULL only by
`full`. It takes about ten minutes of a core. Rules are tried interpreted: to compile them for one test takes longer.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("arena", "bots", "maps", "tests", "benchmarks", "docs", "pyproject.toml", "README.md", "CHANGELOG.md")
MOST_FULL = 5
"""Faults that may pass `pytest` if `pytest -m full` notices them."""


class Fault(NamedTuple):
    """A fault to be planted."""

    name: str
    file: str
    """Under `arena/`."""
    right: str
    """Stands in the file once."""
    wrong: str
    tests: str
    """Under `tests/`: files, or parts of them."""

    @property
    def is_rule(self) -> bool:
        """Whether compiled code would have to be compiled anew."""
        return self.file.startswith("rules/")


FAULTS = (
    # The rules
    Fault("a locomotive from the row does not end the turn", "rules/turn.py",
          "is_last = state.phase == SECOND_CARD or only_card", "is_last = state.phase == SECOND_CARD",
          "rules/test_turn.py"),
    Fault("a stall ends the game one pass too late", "rules/turn.py",
          "elif state.passes == board.seats:", "elif state.passes > board.seats:", "rules/test_turn.py"),
    Fault("the last round is one turn short", "rules/turn.py",
          "state.last_turns = board.seats", "state.last_turns = board.seats - 1", "rules/test_turn.py"),
    Fault("the longest path of no routes is paid", "rules/scoring.py",
          "    longest = 1\n", "    longest = 0\n", "rules/test_scoring.py rules/test_network.py"),
    Fault("completed tickets break no tie", "rules/scoring.py",
          "if score.tickets_completed[one] != score.tickets_completed[other]:", "if False:", "rules/test_scoring.py"),
    Fault("both tracks are open with one player too few", "rules/claims.py",
          "if board.seats < board.twins_from:", "if board.seats < board.twins_from - 1:", "rules/test_claims.py"),
    Fault("a claim may hold no card of the color", "rules/claims.py",
          " & ~board.payable[card, locomotives, word]", "", "rules/test_claims.py"),
    Fault("the row is flushed one locomotive too late", "rules/deck.py",
          "if face_up(state, LOCOMOTIVE) < board.flush_at:", "if face_up(state, LOCOMOTIVE) <= board.flush_at:",
          "rules/test_deck.py"),
    Fault("cards that are paid stay known", "rules/deck.py",
          "max(0, state.known[seat, card] - count)", "min(state.known[seat, card], state.hand[seat, card])",
          "rules/test_claims.py test_twin.py"),
    Fault("a gray route allows no train on a line", "rules/provinces.py",
          "(color == line or color >= LOCOMOTIVE)", "(color == line)", "rules/test_provinces.py"),
    Fault("who has no progress has a place", "rules/shared.py",
          "    if progress[seat] == 0:\n        return board.bullet_none\n", "",
          "rules/test_shared_end.py::test_j10_all_equal"),
    Fault("what is taken from the row is not known", "rules/deck.py",
          "    state.known[state.seat, card] += 1\n", "", "rules/test_deck.py test_twin.py"),
    # Statistics
    Fault("an interval without pseudo-blocks", "stats/intervals.py",
          "pseudo_moments(blocks, total, squares, z**2 / 2)", "pseudo_moments(blocks, total, squares, 1e-9)",
          "test_stats.py"),
    Fault("strata are not corrected for their means", "stats/intervals.py",
          "within * blocks / (blocks - line_ups)", "within", "test_stats.py"),
    Fault("errors of ratings without B / (B - 1)", "stats/ratings.py",
          "noise = blocks / max(1, blocks - 1) * products", "noise = products", "test_ratings.py"),
    Fault("a confidence sequence predicts what it has seen", "stats/confidence_sequence.py",
          "(self.guess + before) / (1 + blocks)", "(self.guess + before + values) / (2 + blocks)",
          "test_sequential.py"),
    Fault("a sequential test stops a block too early", "stats/sprt.py",
          "int(np.argmax(crossed)) + 1 if", "int(np.argmax(crossed)) if", "test_sequential.py"),
    Fault("independent means with twice the pseudo-blocks", "stats/paired_change.py",
          "float((values**2).sum()), z**2 / 4)", "float((values**2).sum()), z**2 / 2)",
          "test_stats.py test_reports.py"),
    Fault("a shared place counts in full", "stats/blocks.py",
          "(less + 0.5 * same)", "(less + same)", "test_stats.py test_reports.py"),
    Fault("quantiles of the neighbor below", "stats/summary.py",
          "np.quantile(own if len(own) else [np.nan], QUARTILES)",
          'np.quantile(own if len(own) else [np.nan], QUARTILES, method="lower")',
          "test_stats.py test_reports.py"),
    Fault("the error of a ratio with half of the product", "stats/ratio_estimates.py",
          "- 2 * ratio * products", "- ratio * products", "test_ratios.py"),
    # Runs and results
    Fault("games on disk are planned again", "store/ranges.py",
          "first = max(first, end)", "first = max(first, begin)", "test_records.py"),
    Fault("a death more is forgiven", "runs/tasks.py",
          "len(task.deaths) + 1 < MOST_DEATHS", "len(task.deaths) < MOST_DEATHS", "test_tasks.py"),
    Fault("fewer warm-up games are enough", "runs/suspension.py",
          "all(known) and len(known) == self.length", "all(known)", "test_tasks.py"),
    Fault("half a block is put aside", "runs/collector.py",
          "== WAITING).all(axis=1)", "== WAITING).any(axis=1)", "test_records.py test_resume.py"),
    Fault("faults of a shard are not written", "runs/collector.py",
          "        append_faults(self.run, self.plan, shard.faults)\n", "", "test_records.py test_resume.py"),
    Fault("games that differ are merged", "runs/merge.py",
          "if outcomes[place][game].tobytes() != chunk.outcomes[game].tobytes():", "if False:", "test_merge.py"),
    Fault("details without results stay", "runs/resume.py",
          'if named_games(plan, path) and not (run / "seats" / path.name).exists():', "if False:", "test_resume.py"),
    Fault("faults of games that are not on disk stay", "store/fault_log.py",
          "for line in lines if holds(recorded, line.game)}", "for line in lines}",
          "test_records.py test_resume.py"),
    Fault("turns are not checked against those of the seat before", "checks/run/rows.py",
          "| (turns > before)", "", "test_verify_rows.py"),
)  # fmt: skip


def main() -> None:
    """Plant each fault and print what notices it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="faults with such a text in their names")
    only = parser.parse_args().only
    faults = [fault for fault in FAULTS if not only or any(text in fault.name for text in only)]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        for name in COPIED:
            source, target = ROOT / name, copy / name
            target.parent.mkdir(exist_ok=True)
            shutil.copytree(source, target) if source.is_dir() else shutil.copy2(source, target)
        found = [tried(fault, copy) for fault in faults]
    print(f"{len(found)} faults: {found.count('pytest')} noticed by pytest, {found.count('full')} more by full")
    sys.exit("" in found or found.count("full") > MOST_FULL)


def tried(fault: Fault, copy: Path) -> str:
    """`pytest`, `full` or nothing, whichever notices a fault first; the copy is as before afterwards."""
    path, begun = copy / "arena" / fault.file, time.monotonic()
    times, text = path.stat(), path.read_text(encoding="utf-8")
    if text.count(fault.right) != 1:
        sys.exit(f"{fault.file} has {text.count(fault.right)} times what is to be replaced: {fault.right!r}")
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    try:
        by = next((name for name, marks in MARKS.items() if is_noticed(fault, copy, marks)), "")
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # compiled code is still its own
    print(f"{by or 'NOBODY':7} {time.monotonic() - begun:4.0f} s  {fault.file}: {fault.name}", flush=True)
    return by


MARKS = {"pytest": "not long and not full", "full": "full"}


def is_noticed(fault: Fault, copy: Path, marks: str) -> bool:
    """Whether a test fails; it may take its time."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "TEST_SECONDS": "inf"}
    if fault.is_rule:
        environment["NUMBA_DISABLE_JIT"] = "1"
    tests = [f"tests/{name}" for name in fault.tests.split()]
    options = ["-q", "-x", "-n", "0", "-m", marks, "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 5):
        sys.exit(f"{fault.name}: the tests do not run\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 1


if __name__ == "__main__":
    main()
