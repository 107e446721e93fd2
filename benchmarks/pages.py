"""The parts of the documentation that a script of this folder writes: they stand between two marker comments."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def renew(page: Path, name: str, found: str, script: str, check: bool) -> None:
    """Put the text in its place, or, to check, exit with 1 if another one stands there; `script` writes the page."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    text = page.read_text(encoding="utf-8")
    before, opened, rest = text.partition(begin)
    old, closed, after = rest.partition(end)
    if not (opened and closed):
        sys.exit(f"{page} has no marker comments for {name}")
    if check and old != found:
        sys.exit(f"{page} says otherwise; python benchmarks/{script} writes it anew")
    if not check:
        page.write_text(before + begin + found + end + after, encoding="utf-8")
