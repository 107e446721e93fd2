"""The faults in a report: how often each kind happened, and its first case (docs/faults.md)."""

import shlex
from typing import Any, NamedTuple

import pandas as pd

from arena.reports.document import Document
from arena.store.fault_log import replay_line
from arena.texts import counted, plain

SUSPENDED = "probation"
MOST_BOTS = 12
"""The number of bots whose first fault is shown in full."""
MOST_LINES = 8
"""How many of the last lines of a traceback, and of what a bot printed, are shown."""
LONGEST_LINE = 300
TOLD = ("seat", "decision", "reason", "traceback", "stderr")
FOLLOWS = {
    "stand-in": "A random player took the seat for the rest of the game, and it was ranked last.",
    "forfeit": "The game ended at once, and the other seats share the first place.",
    "abort": "The run was stopped at the first one.",
}
"""What comes after a fault, by `--on-fault`."""


class Case(NamedTuple):
    """The first fault of a bot, in words; all of it can be printed."""

    title: str
    """Bot, kind, game, seat and decision."""
    reason: str
    traceback: list[str]
    """Its last lines."""
    stderr: list[str]
    """The last lines that the bot printed."""
    replay: str
    """The command line that plays the game again."""


def visible(text: str) -> str:
    """A text without what would control a terminal, lines kept."""
    return plain(text, kept="\n")


def fault_rows(document: Document) -> list[dict[str, Any]]:
    """A row for each bot and kind, in the order of their first games: bot, kind, games, share, game.

    And of the first case as far as it is on record: seat, decision, reason, traceback, stderr, replay.
    """
    rows: list[dict[str, Any]] = []
    for row in document.summary.faults.to_dict("records"):
        line = document.first_faults.get((row["bot"], row["kind"]), {})
        told: dict[str, Any] = {name: line[name] for name in TOLD if name in line}
        if line:
            told["replay"] = replay_line(shlex.quote(str(document.run)), row["game"], row["kind"])
        rows.append({str(name): value for name, value in row.items()} | told)
    return rows


def fault_frame(document: Document) -> pd.DataFrame:
    """The rows as a table: bot, kind, games, share, game, seat, decision, reason, replay."""
    columns = ["bot", "kind", "games", "share", "game", "seat", "decision", "reason", "replay"]
    rows = [
        {**row, **{name: visible(row.get(name, "")) for name in ("reason", "replay")}} for row in fault_rows(document)
    ]
    return pd.DataFrame(rows, columns=columns).astype({"seat": "Int64", "decision": "Int64"})


def suspensions(document: Document) -> list[dict[str, Any]]:
    """The bots that were not asked any more: bot, games (their warm-up), game (the first one without it)."""
    faults = document.summary.faults
    before, after = faults[faults["kind"] != SUSPENDED], faults[faults["kind"] == SUSPENDED]
    games = before.groupby("bot")["games"].sum()
    return [
        {"bot": bot, "games": int(games.get(bot, 0)), "game": int(game)}
        for bot, game in zip(after["bot"], after["game"], strict=True)
    ]


def sentences(document: Document) -> list[str]:
    """What followed from the faults, and who was not asked any more."""
    bots = document.summary.faults["bot"].nunique()
    said = [f"{counted(document.faults, 'fault')} of {counted(bots, 'bot')}. {FOLLOWS[document.plan.limits.on_fault]}"]
    for row in suspensions(document):
        said.append(
            f"{row['bot']} failed in all of its first {row['games']} games: from game {row['game']:,} on a random "
            "player took its seat."
        )
    return said


def cases(document: Document) -> list[Case]:
    """The first fault of each bot, of the first MOST_BOTS bots."""
    first: dict[str, dict[str, Any]] = {}
    for row in fault_rows(document):
        if "replay" in row:
            first.setdefault(row["bot"], row)
    return [_case(row) for row in list(first.values())[:MOST_BOTS]]


def _case(row: dict[str, Any]) -> Case:
    place = "".join(f", {name} {row[name]}" for name in ("game", "seat", "decision") if name in row)
    return Case(
        visible(f"{row['bot']}: {row['kind']} in{place.removeprefix(',')}"),
        shortened(visible(str(row.get("reason", ""))).replace("\n", " ")),
        last_lines(str(row.get("traceback", ""))),
        last_lines(str(row.get("stderr", ""))),
        visible(row["replay"]),
    )


def last_lines(text: str) -> list[str]:
    """The last lines of a text, long ones shortened."""
    return [shortened(line) for line in visible(text).rstrip().split("\n")[-MOST_LINES:] if line.strip()]


def shortened(text: str, most: int = LONGEST_LINE) -> str:
    """A text without its middle if it is long: an exception begins with its kind and ends with its place."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"
