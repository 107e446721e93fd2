"""The studies of the shipped maps, docs/balance-MAP.md: played, recorded and written by one command.

    python benchmarks/studies.py run [--map MAP ...] [--games N] [--again]
    python benchmarks/studies.py page [--check]

`run` plays `arena balance` on each map, if it is not there yet, of another size, or older than the bots and the rules;
--again plays all of it. The runs lie in results/studies, their numbers in docs/balance-MAP.json, from which page and
pictures are written. `page` writes these alone; --check changes nothing and exits with 1 if they are not what the
numbers say, or if a bot, or a rule, behaves otherwise on the map than when they were recorded.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

import arena
from arena import catalog
from arena.catalog.fingerprint import fingerprint, rules_fingerprint
from arena.experiments.balance.pictures import MEASURES, drawn
from arena.experiments.balance.study import LITERATURE
from arena.experiments.balance.study_page import SCHEMA, told
from arena.experiments.balance.tables import table_of
from arena.experiments.measures.findings import Candidate, Topic
from arena.files import write_whole
from arena.reports.markdown import markdown
from arena.reports.page_model import Table

HERE = Path(__file__).resolve().parent.parent
DOCS = HERE / "docs"
RUNS = HERE / "results" / "studies"
COMMAND = "python benchmarks/studies.py"

PLAYERS = (2, 4)
BOT = "planner"
GAMES = 20_000
SEED = 1
SHOWN = ("claimed", "contested", "lift", "used")
"""Measures that have pictures."""
MOST_ROWS = {"routes": 15, "lost": 15, "cities": 15}
"""Of a table on a page; all of them are in the numbers."""

Record = dict[str, Any]
"""What docs/balance-MAP.json holds: the study, and the behavior that it was played with."""


def maps() -> list[str]:
    """The maps that are studied."""
    return catalog.map_names()


@cache
def behavior(name: str) -> dict[str, str]:
    """What rules and bots do on a map, as digests: a study is not out of date because a docstring is better now."""
    spec = catalog.load_map(name)
    bots = {bot: fingerprint(catalog.load_entrant(bot), [name]) for bot in dict.fromkeys((BOT, *LITERATURE))}
    return {"the rules or the map": rules_fingerprint([(name, spec)], PLAYERS), **bots}


# What is recorded


def play(name: str, games: int) -> Record:
    """Play the study of a map under results/studies and return what is recorded of it."""
    out = RUNS / name
    if (out / "study.json").exists():
        shutil.rmtree(out)  # an older one
    start = "from arena.cli import main; main()"
    printed = subprocess.run(
        [sys.executable, "-c", start, *command(name, games), "--out", out, "--format", "json"],
        check=True, stdout=subprocess.PIPE, cwd=HERE,
    ).stdout  # fmt: skip
    return record_of(name, games, json.loads(printed))


def command(name: str, games: int) -> list[str]:
    """The words after `arena` that ask for a study."""
    players = ",".join(map(str, PLAYERS))
    options = ["--map", name, "--players", players, "--bots", BOT, "--games", str(games), "--seed", str(SEED)]
    return ["balance", *options]


def record_of(name: str, games: int, study: dict[str, Any]) -> Record:
    """A study as it is recorded: tables by their columns, which take half of the room, and nothing of this machine."""
    study = {key: value for key, value in study.items() if key != "directory"}
    for cell in study["cells"]:
        cell["tables"] = {key: by_columns(rows) for key, rows in cell["tables"].items()}
    return {"arena": arena.__version__, "games": games, "behavior": behavior(name), "study": study}


def by_columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """The rows of a table as columns; what is not known is null."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def read(docs: Path, name: str) -> Record | None:
    """What is recorded of a map; None if nothing is."""
    file = docs / f"balance-{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def write_record(docs: Path, name: str, record: Record) -> None:
    """A line for each part of the study and each column of a table, so that a difference shows what is new."""
    write_whole(docs / f"balance-{name}.json", (in_lines(record) + "\n").encode())


def in_lines(value: Any, depth: int = 0) -> str:
    """JSON in which what holds no objects stands on one line."""
    if isinstance(value, dict) and depth < 6 and any(isinstance(each, dict | list) for each in value.values()):
        parts = [f"{json.dumps(key)}: {in_lines(each, depth + 1)}" for key, each in value.items()]
        return "{\n" + ",\n".join(parts) + "\n}"
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        return "[\n" + ",\n".join(in_lines(each, depth + 1) for each in value) + "\n]"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# What is out of date


def outdated(name: str, record: Record | None, games: int) -> Iterator[str]:
    """Why a study must be played again, a reason each."""
    if record is None:
        yield "never played"
        return
    if record["study"]["command"].split()[1:] != command(name, games):
        yield "another study"
    if record["study"]["schema"] != SCHEMA:
        yield "studies have another form now"
    recorded, today = record["behavior"], behavior(name)
    if set(recorded) != set(today):
        yield "other bots play now"
    for what in recorded:
        if recorded[what] != today.get(what, recorded[what]):
            yield f"{what} plays otherwise now" if what in (BOT, *LITERATURE) else f"{what} has changed"


def problems(docs: Path) -> list[str]:
    """Everything that is wrong with the studies, a line each, and what to do about it."""
    found = []
    for name in maps():
        record = read(docs, name)
        games = record["games"] if record else GAMES
        found += [f"{name}: {why}; renew it with: {COMMAND} run --map {name}" for why in outdated(name, record, games)]
        for file, text in files(name, record).items() if record else ():
            if not (docs / file).exists() or (docs / file).read_text(encoding="utf-8") != text:
                found.append(f"{file} is not what balance-{name}.json says; write it with: {COMMAND} page")
    return found


# Pages


def files(name: str, record: Record) -> dict[str, str]:
    """The page of a map and its pictures."""
    cells = record["study"]["cells"]
    pictures = {
        picture_name(name, measure, cell["players"]): picture(name, measure, cell)
        for measure in SHOWN for cell in cells
    }  # fmt: skip
    return {f"balance-{name}.md": render(name, record), **pictures}


def picture_name(name: str, measure: str, players: int) -> str:
    """The file of a picture."""
    return f"balance-{name}-{measure}-{players}.svg"


def picture(name: str, measure: str, cell: dict[str, Any]) -> str:
    """A heat map, without what is said when one points at its parts: nobody can in a picture of a page."""
    spec, shown = catalog.load_map(name), MEASURES[measure]
    frame = pd.DataFrame(cell["tables"]["cities" if shown.of_cities else "routes"])
    keys = [city.name for city in spec.cities] if shown.of_cities else list(range(len(spec.routes)))
    values = frame.set_index("city" if shown.of_cities else "route")[measure].reindex(keys)
    head, told, rest = drawn(spec, measure, cell["players"], values.tolist(), small=True).partition("</title>")
    return head + told + re.sub("<title>.*?</title>", "", rest, flags=re.DOTALL)


def render(name: str, record: Record) -> str:
    """The page, from the numbers alone."""
    study = record["study"]
    said = [
        Candidate(Topic(each["table"], each["players"]), each["text"], each["margins"], each["sure"], each["p"],
                  each["sample"])
        for each in study["findings"]
    ]  # fmt: skip
    numbers = f"[balance-{name}.json](balance-{name}.json)"
    label = f" ({study['label']})" if study["label"] else ""
    lines = [f"# Balance of {name}{label}", ""]
    if study["label"]:
        warning = f"{study['label'][0].upper()}{study['label'][1:]}"
        lines += [f"**{warning}.** All that is said here is said of this layout.", ""]
    players = " and ".join(str(cell["players"]) for cell in study["cells"])
    lines += [
        f"{study['games']:,} games with {players} players, seed {study['seed']}, arena {record['arena']}: copies of "
        f"`{BOT}` play each other, and the styles of the literature.",
        "What the words mean, and what such a study cannot say, is in [balance.md](balance.md).",
        f"All numbers are in {numbers}. This page is written by",
        "",
        "```text",
        f"{COMMAND} run --map {name}",
        "```",
        "",
        "and the study alone, with all rows of its tables, is printed by",
        "",
        "```text",
        study["command"],
        "```",
        "",
        "A test fails if a bot or a rule behaves otherwise on this map than when it was played.",
        "",
        "## What matters",
        "",
        *(f"- {text}" for text in told(said, numbers)),
        "",
        *study["notes"],
        "",
        "## Pictures",
        "",
        *gallery(name, study["cells"]),
    ]
    for cell in study["cells"]:
        for key, columns in cell["tables"].items():
            lines += [
                "",
                *section(table_of(key, pd.DataFrame(columns)), cell["players"], cell["sentences"].get(key, [])),
            ]
    return "\n".join(lines) + "\n"


def gallery(name: str, cells: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A row of pictures for each measure, one for each number of players."""
    yield f"| {' | '.join(str(cell['players']) + ' players' for cell in cells)} |"
    yield "|" + "---|" * len(cells)
    for measure in SHOWN:
        shown = [
            f"![{MEASURES[measure].title}, {name}, {cell['players']} players]"
            f"({picture_name(name, measure, cell['players'])})"
            for cell in cells
        ]
        yield f"| {' | '.join(shown)} |"


def section(table: Table, players: int, sentences: Sequence[str]) -> Iterator[str]:
    """A table with its findings, cut if it is long."""
    yield from (f"## {table.title}, {players} players", "")
    for sentence in sentences:
        yield from (sentence, "")
    rows = len(table.frame)
    most = MOST_ROWS.get(table.key, rows)
    yield from markdown(table._replace(frame=table.frame.head(most)))
    if rows > most:
        yield from ("", f"The first {most} of {rows}.")


def write_files(docs: Path, name: str) -> None:
    """Write page and pictures of a map from its recorded numbers."""
    record = read(docs, name)
    for file, text in files(name, record).items() if record else ():
        write_whole(docs / file, text.encode())


def run(options: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Play what is to be played, and write numbers, page and pictures of each map."""
    for name in options.map or maps():
        if not options.again and not any(outdated(name, read(options.docs, name), options.games)):
            say(f"{name}: up to date")
            continue
        behavior(name)  # now: of a bot that somebody edits in the meantime, the numbers are out of date
        begun = time.perf_counter()
        write_record(options.docs, name, play(name, options.games))
        write_files(options.docs, name)
        say(f"{name}: {time.perf_counter() - begun:.0f} s")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options; play, or write or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("run", help="play what is missing or out of date, and write numbers and pages")
    playing.add_argument("--map", nargs="+", choices=maps(), help="only these maps")
    playing.add_argument("--games", type=int, default=GAMES, help=f"of each study, instead of {GAMES:,}")
    playing.add_argument("--again", action="store_true", help="play what is up to date, too")
    writing = commands.add_parser("page", help="write pages and pictures from the recorded numbers")
    writing.add_argument("--check", action="store_true", help="change nothing; exit with 1 if anything is out of date")
    for each in (playing, writing):
        each.add_argument("--docs", type=Path, default=DOCS, help="the folder of numbers, pages and pictures")
    options = parser.parse_args(arguments)
    if options.command == "run":
        try:
            run(options, lambda text: print(text, file=sys.stderr, flush=True))
        except KeyboardInterrupt:
            raise SystemExit("Interrupted; the same command goes on with this map, from its beginning.") from None
    elif not options.check:
        for name in maps():
            write_files(options.docs, name)
    elif found := problems(options.docs):
        raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
