"""Two runs side by side: what changed in the plan, and in what the bots reached."""

from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

import pandas as pd

from arena.errors import UsageError
from arena.reports.document import Document, read_document
from arena.reports.json_csv import rows_of
from arena.reports.page_model import Column, Table, number
from arena.reports.report_json import SCHEMA
from arena.reports.text import align, footnotes
from arena.stats.paired_change import change_table
from arena.texts import WIDTH
from arena.tournament.plan import Plan

SAME = {"rules": "another version of the rules", "engine": "another version of the engine", "map": "another map"}
"""What must be equal of two identities, and how a difference is said."""
OPPONENTS = "Other opponents: a part of each change is theirs."
CHAIR = " -> "
"""Between two bots that took each other's seat."""


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two runs that can be compared."""

    before: Document
    after: Document
    changes: list[str]
    """What is different in the plans, a sentence each."""
    frame: pd.DataFrame
    """See `arena.stats.paired_change.change_table`."""
    notes: list[str]
    """What a reader must know, a sentence each."""

    def __repr__(self) -> str:
        return f"<Comparison: {self.before.run}, {self.after.run}>"

    def __str__(self) -> str:
        return self.to_text()

    @property
    def problems(self) -> list[str]:
        """What of the runs could not be read, a sentence each."""
        return [*self.before.problems, *self.after.problems]

    @property
    def table(self) -> Table:
        """The table of the differences."""
        return Table("changes", "Win shares before and after", self.frame, (
            Column("bot", "bot", self._name, "The bot; of two in one seat, the one of the second run.", is_name=True),
            Column("before", "before", number("before", ".1%"), "Its win share in the first run, in these deals."),
            Column("after", "after", number("after", ".1%"), "Its win share in the second run."),
            Column("difference", "change", _points("difference"), "After less before, in points of win share."),
            Column("interval", "interval", _points_span, "95 % interval of the change, over deals.", "low"),
            Column("score_difference", "score", number("score_difference", "+z.1f"), "The change of its mean score."),
            Column("deals", "deals", number("deals", ",.0f"), "Deals of both runs, or of the shorter."),
            Column("paired", "paired", lambda row: "yes" if row["paired"] else "no",
                   "Whether the same deals with the same opponents are compared one by one, which makes the interval "
               "shorter; otherwise all deals of each run count."),
        ))  # fmt: skip

    def _name(self, row: Any) -> str:
        return self.after.plan.names[_pairs(self.before.plan, self.after.plan)[row["bot"]][1]]

    def to_text(self, explain: bool = False) -> str:
        """For a terminal of 80 columns."""
        lines = [f"before: {self.before.run}: {self.before.title}", f"after:  {self.after.run}: {self.after.title}", ""]
        lines += ["What changed in the plan", *_wrapped(self.changes or ["nothing"]), ""]
        lines += [self.table.title, *align(self.table)]
        if self.notes:
            lines += ["", *(line for note in self.notes for line in wrap(note, WIDTH))]
        if explain:
            lines += ["", *footnotes(self.table)]
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """The object that `arena compare --json` prints."""
        return {
            "schema": SCHEMA,
            "before": str(self.before.run),
            "after": str(self.after.run),
            "changes": self.changes,
            "bots": rows_of(self.frame),
            "notes": self.notes,
        }


def _wrapped(sentences: list[str]) -> list[str]:
    """Each on lines of its own, less than 80 columns."""
    return [line for text in sentences for line in wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")]


def _points(key: str) -> Any:
    return lambda row: f"{100 * row[key]:+z.1f}" if pd.notna(row[key]) else "-"


def _points_span(row: Any) -> str:
    return f"{100 * row['low']:+z.1f} to {100 * row['high']:+z.1f}" if pd.notna(row["low"]) else "-"


def compare_runs(before: Path, after: Path) -> Comparison:
    """Compare two run directories; UsageError names the difference if they are not of one game."""
    first, second = read_document(before), read_document(after)
    refuse_other_games(first.plan, second.plan)
    bots = _pairs(first.plan, second.plan)
    same_deals = first.plan.seed == second.plan.seed
    frame = change_table(first.summary.blocks, second.summary.blocks, bots, same_deals)
    notes = [*first.problems, *second.problems]
    if _other_opponents(first.plan, second.plan, bots):
        notes.append(OPPONENTS)
    return Comparison(first, second, _changes(first.plan, second.plan, bots), frame, notes)


def refuse_other_games(one: Plan, other: Plan) -> None:
    """UsageError if two plans are not of the same rules, map and number of players."""
    changed = one.identity.differences(other.identity).parts
    for key, words in SAME.items():
        if key in changed:
            if key == "map":
                words = _other_map(one, other)
            raise UsageError(f"the runs cannot be compared: the second one was played with {words}")
    if one.players != other.players:
        raise UsageError(f"the runs cannot be compared: {one.players} players in one, {other.players} in the other")


def _other_map(one: Plan, other: Plan) -> str:
    """What makes the maps differ, of which the rules set for a run are a part."""
    if one.map != other.map:
        return f"another map ({one.map} and {other.map})"
    if one.settings == other.settings:
        return "another map: its file changed"
    names = [name for name in {**one.settings, **other.settings} if one.settings.get(name) != other.settings.get(name)]
    there, here = (
        ", ".join(f"{name}={plan.settings[name]}" if name in plan.settings else f"the map's own {name}"
                  for name in names)
        for plan in (other, one)
    )  # fmt: skip
    return f"other rules: {there} there, {here} in the first"


def _other_opponents(one: Plan, other: Plan, bots: dict[str, tuple[int, int]]) -> bool:
    """Whether anybody meets others in the second run, but for the one who took another's seat."""
    if not len(one.names) == len(other.names) == len(bots):
        return True
    if one.lineups == other.lineups == 1:
        return False
    first = dict(bots.values())[0]
    return (one.format, one.design) != (other.format, other.design) or (one.format == "gauntlet" and first != 0)


def _changes(one: Plan, other: Plan, bots: dict[str, tuple[int, int]]) -> list[str]:
    left, right = asdict(one), asdict(other)
    changes = [
        f"{key}: {_shown(left[key])} -> {_shown(right[key])}"
        for key in left
        if key not in ("identity", "names") and left[key] != right[key]
    ]
    changes += [f"in one seat: {label}" for label in bots if label not in one.names]
    parts, bots_changed = one.identity.differences(other.identity)
    changes += [f"{bot}: its sources changed" for bot in bots_changed]
    return changes + [f"{key}: {getattr(one.identity, key)} -> {getattr(other.identity, key)}" for key in parts]


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _pairs(one: Plan, other: Plan) -> dict[str, tuple[int, int]]:
    """Bots of both plans by name; and if each has one that the other has not, these two, in one seat."""
    pairs = {name: (one.names.index(name), other.names.index(name)) for name in one.names if name in other.names}
    left = [name for name in one.names if name not in pairs]
    right = [name for name in other.names if name not in pairs]
    if len(left) == len(right) == 1:
        pairs[f"{left[0]}{CHAIR}{right[0]}"] = one.names.index(left[0]), other.names.index(right[0])
    if not pairs:
        raise UsageError("the runs cannot be compared: they have no bot in common")
    return pairs
