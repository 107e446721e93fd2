"""The picture of an HTML report in README.md: its top and two of its sections, as they are, in an SVG file.

python benchmarks/report_picture.py            plays the tournament of README.md and writes docs/report.svg
python benchmarks/report_picture.py --check    changes nothing, and exits with 1 if the report looks different now

A browser shows HTML inside an SVG picture, so the picture needs no browser to be made and is the same on any machine.
"""

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pages import ROOT

from arena import run

PICTURE = ROOT / "docs" / "report.svg"
BOTS = ("planner", "longroute", "tutorial", "greedy")
SECTIONS = ("results", "crosstable")
WIDTH, HEIGHT = 720, 962
LEFT_OUT = (
    r'<div><dt>played</dt>.*?</div>|<details.*?</details>|<title>.*?</title>| class="scroll"'
    r'| (?:title|data-n|tabindex|role|aria-\w+)="[^"]*"'
)
"""The date, and what needs a mouse, a small screen or a screen reader."""


def page() -> str:
    """The report of the tournament, as `arena report --format html` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        run(BOTS, games=4000, out=Path(folder) / "run").write("html", file)
        return file.read_text(encoding="utf-8")


def style_for(style: str, body: str) -> str:
    """The rules of a style sheet that apply to this part of the page, in light colors."""
    style = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|/\*.*?\*/", "", style, flags=re.DOTALL)
    there = set(re.findall(r"<(\w+)", f"<body {body}"))
    there.update(f".{word}" for classes in re.findall(r'class="([^"]*)"', body) for word in classes.split())
    rules = re.findall(r"([^{}]+)(\{[^{}]*\})", style)
    kept = [
        selectors + rule
        for selectors, rule in rules
        if any(
            set(re.findall(r"\.?\b[a-z][\w-]*", re.sub(r":.*|\[.*", "", each))) <= there
            for each in selectors.split(",")
        )
    ]
    return re.sub(r"\s*([{};:,])\s*", r"\1", " ".join("".join(kept).split()))


def picture(html: str) -> str:
    """The SVG file."""
    parts = [re.search(rf'<section id="{key}".*?</section>', html, re.DOTALL) for key in SECTIONS]
    header = re.search(r"<header>.*?</header>", html, re.DOTALL)
    body = re.sub(LEFT_OUT, "", "".join(part[0] for part in (header, *parts) if part), flags=re.DOTALL)
    body = body.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"<style>{style_for(style[1], body)}</style>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<foreignObject width="100%" height="100%"><body xmlns="http://www.w3.org/1999/xhtml">{body}</body>'
        "</foreignObject>\n</svg>\n"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the picture, or check it."""
    found = picture(page())
    if "--check" not in (sys.argv if arguments is None else arguments):
        PICTURE.write_text(found, encoding="utf-8")
    elif found != PICTURE.read_text(encoding="utf-8"):
        sys.exit(f"{PICTURE} shows another report; python benchmarks/report_picture.py writes it anew")


if __name__ == "__main__":
    main()
