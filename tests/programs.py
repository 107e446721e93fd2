"""A program for the tests that does something for each message, and games against it."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from arena import catalog
from arena.engine.external import program
from arena.engine.limits import Limits
from arena.engine.table import Table
from arena.rules.deal import make_deals

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "arena" / "schemas" / "protocol.schema.json").read_text(encoding="utf-8"))


@cache
def validator(name: str) -> Any:
    """What checks an object against one definition of the schema."""
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


SCRIPT = """#!{python} -S
import json, os, sys, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def answer(action=0):
    say(json.dumps({{"action": action}}) + "\\n")

def hello():
    say('{{"type": "hello", "protocol": 1, "name": "scripted"}}\\n')

decisions = 0
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "decide":
        decisions += 1
{body}
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Writes a program that does something for each message, and gives its spec."""

    def write(body: str) -> str:
        file = tmp_path / "scripted.py"
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        file.write_text(SCRIPT.format(python=sys.executable, body=lines))
        file.chmod(0o755)
        return f"cmd:{shlex.quote(str(file))}"

    yield write
    program.end_idle()


def play(
    spec: str, games: int = 1, *, limits: Limits | None = None, seats: int = 2
) -> tuple[np.ndarray, dict[int, Any]]:
    """Games of a bot in seat 0 among random players."""
    entrants = catalog.load_entrants([spec, "random"])
    table = Table(catalog.load_map(catalog.default_map()), seats, entrants, limits or Limits())
    seating = [0] + [1] * (seats - 1)
    return table.play(np.array([seating] * games), make_deals(7, range(games)))


ANSWERS = """\
if kind == "hello": hello()
if kind == "decide": answer()
"""
