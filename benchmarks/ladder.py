"""The ladder of the shipped bots, docs/ladder.md: played, recorded and written by one command.

    python benchmarks/ladder.py run [--map MAP ...] [--players K ...] [--games N] [--search-games N] [--again]
    python benchmarks/ladder.py page [--check]

`run` plays, for each map and number of players, a run of all quick bots and one of the search bot with a few strong
ones. It plays only what is missing, of another size, or older than the bots and rules; --again plays all of it. The
runs lie in results/ladder, their numbers in docs/ladder.json, which is written after each run: whoever interrupts it
goes on with the same command. `page` writes docs/ladder.md from these numbers; --check changes nothing and exits with
1 if the page is not what the numbers say, or if a bot, or a rule, behaves otherwise than when they were recorded.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import arena
from arena import catalog
from arena.catalog.fingerprint import MOST, fingerprint, rules_fingerprint
from arena.files import write_whole
from arena.reports.document import read_document
from arena.reports.report_page import to_object
from arena.rules.board import MAX_SEATS
from arena.tournament.plan import Plan

HERE = Path(__file__).resolve().parent.parent
PAGE = HERE / "docs" / "ladder.md"
NUMBERS = HERE / "docs" / "ladder.json"
RUNS = HERE / "results" / "ladder"
SEATS = range(2, MAX_SEATS + 1)
COMMAND = "python benchmarks/ladder.py run"

SEED = 2026
SLOW = {"mcts": "mcts:sims=16"}
"""Bots that are too slow for the field of all, and how they are ranked among a few."""
RIVALS = ("planner", "hungry", "longroute", "racer")
SLOW_MOST = 20
"""Decisions of a game in the fingerprint of a slow bot, 30 ms each. They are its first ones, but each is judged by
games played to their ends."""

# By players: line-ups are even; half an hour of a core, two thirds of it for the search bot.
GAMES = {"all": {2: 7200, 3: 7560, 4: 5040, 5: 3780}, "search": {2: 300, 3: 120, 4: 120, 5: 60}}
SECONDS = {"all": {2: 0.0075, 3: 0.0075, 4: 0.0095, 5: 0.013}, "search": {2: 0.2, 3: 0.85, 4: 0.9, 5: 1.4}}
"""Of a core, for a game, about; it depends on the map and the machine."""

Run = dict[str, Any]
"""The numbers of a recorded run, as docs/ladder.json holds them."""


class Cell(NamedTuple):
    """A run of the ladder."""

    map: str
    players: int
    field: str
    """`all`: every quick bot; `search`: the slow bots and their rivals."""


def cells() -> list[Cell]:
    """All runs, in the order of the page."""
    return [
        Cell(name, players, field)
        for name in sorted(catalog.map_names(), key=lambda name: (name != catalog.default_map(), name))
        for players in SEATS
        for field in GAMES
    ]


def field_of(cell: Cell) -> tuple[str, ...]:
    """The bots that play in a run."""
    if cell.field == "search":
        return (*SLOW.values(), *RIVALS)
    return tuple(name for name in catalog.shipped_bots() if name not in SLOW)


@cache
def behavior_of_bot(spec: str) -> str:
    """The fingerprint of a bot's decisions."""
    return fingerprint(catalog.load_entrant(spec), most=SLOW_MOST if spec in SLOW.values() else MOST)


@cache
def behavior_of_rules() -> str:
    """The fingerprint of the rules on every map: a ladder is not out of date because a docstring is better now."""
    return rules_fingerprint(((name, catalog.load_map(name)) for name in catalog.map_names()), SEATS)


def read_numbers(file: Path) -> dict[Cell, Run]:
    """What is recorded, by cell; nothing if there is no such file yet."""
    if not file.exists():
        return {}
    runs = json.loads(file.read_text(encoding="utf-8"))["runs"]
    return {Cell(run["map"], run["players"], run["field"]): run for run in runs}


def in_order(runs: dict[Cell, Run]) -> dict[Cell, Run]:
    """The runs in the order of the page, without those of maps that are gone."""
    return {cell: runs[cell] for cell in cells() if cell in runs}


def write_numbers(file: Path, runs: Iterable[Run]) -> None:
    """One line a run, so that a difference shows which ones are new."""
    lines = ",\n".join(json.dumps(run, ensure_ascii=False, separators=(",", ":")) for run in runs)
    write_whole(file, f'{{"runs": [\n{lines}\n]}}\n'.encode())


# What is out of date


def outdated(cell: Cell, run: Run) -> Iterator[str]:
    """Why the numbers of a run hold no longer, a reason each."""
    bots = {row["bot"]: row["behavior"] for row in run["bots"]}
    if set(bots) != set(field_of(cell)):
        yield "the field has other bots now"
    if run["rules"] != behavior_of_rules():
        yield "the rules or maps have changed"
    known = catalog.bot_entry_points()
    for bot, behavior in bots.items():
        if bot.partition(":")[0] not in known:
            yield f"{bot} is gone"
        elif behavior != behavior_of_bot(bot):
            yield f"{bot} plays otherwise now"


def problems(numbers: Path, page: Path) -> list[str]:
    """Everything that is wrong with the ladder, a line each, and what to do about it."""
    runs = read_numbers(numbers)
    where: dict[str, list[Cell]] = {}
    for cell in cells():
        for reason in outdated(cell, runs[cell]) if cell in runs else ["never played"]:
            where.setdefault(reason, []).append(cell)
    for cell in runs.keys() - set(cells()):
        where.setdefault("there is no such map or number of players", []).append(cell)
    found = [f"{reason}: {places(cells)}; renew it with: {COMMAND}" for reason, cells in where.items()]
    if not page.exists() or page.read_text(encoding="utf-8") != render(list(runs.values())):
        found.append(f"{page.name} is not what {numbers.name} says; write it with: python benchmarks/ladder.py page")
    return found


def places(cells: Sequence[Cell]) -> str:
    """The first of some cells in words, and how many more there are."""
    first = cells[0]
    more = f" and {len(cells) - 1} runs more" if len(cells) > 1 else ""
    return f"{first.map}, {first.players} players ({first.field}){more}"


# Playing


def play(cell: Cell, games: int) -> Run:
    """Play a run, record it under results/ladder, and return its numbers."""
    out = RUNS / f"{cell.map}-{cell.players}p-{cell.field}"
    if (out / "plan.json").exists():
        shutil.rmtree(out)  # of an older ladder
    options = {"--map": cell.map, "--players": cell.players, "--games": games, "--seed": SEED, "--out": out}
    words = [str(word) for option in options.items() for word in option]
    start = "from arena.cli import main; main()"
    subprocess.run(
        [sys.executable, "-c", start, "run", *field_of(cell), *words], check=True, stdout=subprocess.DEVNULL, cwd=HERE
    )
    return numbers_of(cell, out)


def numbers_of(cell: Cell, out: Path) -> Run:
    """What the page needs of a recorded run, and the behavior that it was recorded with."""
    document = to_object(read_document(out))
    if document["games"] != document["planned_games"]:
        raise SystemExit(f"{out} is not complete")
    rows = [
        {
            "bot": row["bot"],
            **{name: row[name] for name in ("games", "faults")},
            **{name: round(row[name], 4) for name in ("win_share", "low", "high", "mean_score", "mean_rank")},
            "behavior": behavior_of_bot(row["bot"]),
        }
        for row in document["bots"]
    ]
    head = {name: document[name] for name in ("label", "games", "deals", "seed", "command")}
    return {**cell._asdict(), **head, "arena": arena.__version__, "rules": behavior_of_rules(), "bots": rows}


def run(options: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Play what is to be played, and write the numbers and the page after each run."""
    runs = read_numbers(options.numbers)
    sizes = {cell: options.search_games if cell.field == "search" else options.games for cell in cells()}
    todo: list[tuple[Cell, int]] = []
    for cell in cells():
        if cell.map not in (options.map or catalog.map_names()) or cell.players not in (options.players or SEATS):
            continue
        games = whole(cell, sizes[cell] or GAMES[cell.field][cell.players])
        old = runs.get(cell)
        if options.again or not old or old["games"] != games or any(outdated(cell, old)):
            todo.append((cell, games))
    for bot in dict.fromkeys(bot for cell, _ in todo for bot in field_of(cell)):
        behavior_of_bot(bot)  # now: of a bot that somebody edits in the meantime, the numbers are out of date
    seconds = [SECONDS[cell.field][cell.players] * games for cell, games in todo]
    say(f"{len(todo)} runs to play, about {sum(seconds) / 60:.0f} minutes of a core")
    for number, (cell, games) in enumerate(todo):
        say(f"[{number + 1}/{len(todo)}] {places([cell])}: {games:,} games, about {seconds[number]:.0f} s of a core, "
            f"then {sum(seconds[number + 1 :]):,.0f} s")  # fmt: skip
        begun = time.perf_counter()
        runs[cell] = play(cell, games)
        write_numbers(options.numbers, in_order(runs).values())
        write_page(options.numbers, options.page)
        say(f"    {time.perf_counter() - begun:.0f} s")


def whole(cell: Cell, games: int) -> int:
    """So many games, or a few more: whole deals, as `arena run` counts them."""
    bots = field_of(cell)
    plan = Plan.of_size(bots=bots, names=bots, map=cell.map, players=cell.players, games=games, seed=SEED)
    return plan.games


# The page

INTRODUCTION = f"""\
# Ladder

How strong the shipped bots are, on each map and for each number of players. Each table is a recorded run, and the line
below it plays the same games again. One command plays all of them and writes this page:

```text
{COMMAND}
```

A test fails if a bot or a rule behaves otherwise than when these numbers were recorded.

## How to read it

- **wins** is the share of a bot's games that it won, a shared win counted in parts. With K players the mean of a
  table is 1/K.
- **interval** is the 95 % interval of that share, over deals, each of which is played in every rotation of the seats
  (see [Reading the interval](results.md#reading-the-interval)). Neighbors whose intervals overlap may be equally
  strong.
- **score** is the mean score, **games** what the bot played.
- Win shares depend on the opponents: compare them within a table, not between tables. The first table of each pair
  has all quick bots. In the second one {" and ".join(f"`{spec}`" for spec in SLOW.values())}, which searches, plays
  {", ".join(f"`{bot}`" for bot in RIVALS)}: fewer games, because each takes a hundred times as long.
"""


def render(runs: Sequence[Run]) -> str:
    """The page, from the numbers alone."""
    maps = dict.fromkeys(run["map"] for run in runs)
    parts = [INTRODUCTION, "## At a glance\n", "Win shares by number of players, the first bot the best on average.\n"]
    for name in maps:
        parts.append(f"### {titled(runs, name)}\n")
        parts += [glance([run for run in runs if (run["map"], run["field"]) == (name, field)]) for field in GAMES]
    for name in maps:
        parts.append(f"## {titled(runs, name)}: the runs\n")
        for players in sorted({run["players"] for run in runs if run["map"] == name}):
            parts.append(f"### {titled(runs, name)}, {players} players\n")
            parts += [section(run) for run in runs if (run["map"], run["players"]) == (name, players)]
    return "\n".join(part for part in parts if part)


def write_page(numbers: Path, page: Path) -> None:
    """Write the page anew from the recorded numbers."""
    write_whole(page, render(list(read_numbers(numbers).values())).encode())


def titled(runs: Sequence[Run], name: str) -> str:
    """A map's name with what must be said wherever it is shown."""
    label = next(run["label"] for run in runs if run["map"] == name)
    return f"{name} ({label})" if label else name


def glance(runs: Sequence[Run]) -> str:
    """One table of win shares for the runs of one map and field."""
    if not runs:
        return ""
    shares: dict[str, list[float | None]] = {}
    for run in runs:
        for row in run["bots"]:
            shares.setdefault(row["bot"], [])
    for run in runs:
        of = {row["bot"]: row["win_share"] for row in run["bots"]}
        for bot, row in shares.items():
            row.append(of.get(bot))
    best = sorted(shares.items(), key=lambda item: -sum(share or 0 for share in item[1]))
    head = ["bot", *(f"{run['players']} players" for run in runs)]
    return markdown(head, [[bot, *("" if x is None else f"{x:.1%}" for x in row)] for bot, row in best], left=1)


def section(run: Run) -> str:
    """One run: what was played, its table, and the line that plays it again."""
    rows = sorted(run["bots"], key=lambda row: (-row["win_share"], -row["mean_score"]))
    table = markdown(
        ["", "bot", "wins", "interval", "score", "rank", "games"],
        [
            [
                str(place),
                row["bot"],
                f"{row['win_share']:.1%}",
                f"{row['low']:.1%}-{row['high']:.1%}",
                f"{row['mean_score']:.1f}",
                f"{row['mean_rank']:.2f}",
                f"{row['games']:,}",
            ]
            for place, row in enumerate(rows, 1)
        ],
        left=2,
    )
    label = f" ({run['label']})" if run["label"] else ""
    sample = (
        f"{run['map']}{label}, {run['players']} players: {run['games']:,} games on {run['deals']:,} deals, "
        f"seed {run['seed']}, arena {run['arena']}."
    )
    faults = [f"{row['bot']}: {row['faults']:,} faults." for row in rows if row["faults"]]
    return f"{table}\n{' '.join([sample, *faults])}\n\n```text\n{run['command']}\n```\n"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    """A table whose first `left` columns are text."""
    lines = [head, ["---"] * left + ["--:"] * (len(head) - left), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options; play, or write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("run", help="play what is missing or out of date, and write the page")
    playing.add_argument("--map", nargs="+", choices=catalog.map_names(), help="only these maps")
    playing.add_argument("--players", nargs="+", type=int, choices=SEATS, help="only these numbers")
    playing.add_argument("--games", type=int, help=f"in each run of all quick bots, instead of {GAMES['all']}")
    playing.add_argument("--search-games", type=int, help=f"in each run with search, instead of {GAMES['search']}")
    playing.add_argument("--again", action="store_true", help="play what is up to date, too")
    writing = commands.add_parser("page", help="write docs/ladder.md from docs/ladder.json")
    writing.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 if the ladder is out of date"
    )
    for command in (playing, writing):
        command.add_argument("--numbers", type=Path, default=NUMBERS, help="instead of docs/ladder.json")
        command.add_argument("--page", type=Path, default=PAGE, help="instead of docs/ladder.md")
    options = parser.parse_args(arguments)
    if options.command == "run":
        try:
            run(options, lambda text: print(text, file=sys.stderr, flush=True))
        except KeyboardInterrupt:
            raise SystemExit("Interrupted; the same command goes on.") from None
    elif not options.check:
        write_page(options.numbers, options.page)
    elif found := problems(options.numbers, options.page):
        raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
