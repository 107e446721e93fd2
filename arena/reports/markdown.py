"""A page in GitHub's Markdown."""

from collections.abc import Sequence

from arena.reports.markup import Html
from arena.reports.page_model import Block, Figure, Page, Points, Table, Verbatim


def to_markdown(page: Page, explain: bool = False) -> str:
    """The page; `explain` puts what each column means under its table."""
    lines = [f"# {page.title}"]
    for section in page.sections(True):
        lines += ["", f"## {section.title}"]
        for block in section.blocks:
            lines += ["", *_lines(block, explain)]
    ending = [f"{line}  " for line in (*page.hints(explain), *page.closing)]  # two spaces end a line
    return "\n".join([*lines, "", *ending, f"`{page.command}`"]) + "\n"


def _lines(block: Block, explain: bool) -> Sequence[str]:
    match block:
        case Html() | Figure():
            return ()
        case Table():
            meanings = [f"- **{column.head}**: {column.meaning}" for column in block.columns]
            return [*markdown(block), *(["", *meanings] if explain else [])]
        case Points(sentences):
            return [f"- {sentence}" for sentence in sentences]
        case Verbatim(lines):
            return ["```text", *(line.rstrip() for line in lines), "```"]
    return [block]


def markdown(table: Table) -> list[str]:
    """The lines of a table."""
    rule = "|" + "|".join("---" if column.is_name else "--:" for column in table.columns) + "|"
    return [_row(table.heads), rule, *map(_row, table.cells)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
