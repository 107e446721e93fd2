"""What a run came to, for tests that play one: its report as JSON, and its table of seats."""

import json
from pathlib import Path

import pandas as pd

from commands import arena


def run_json(folder: Path, *arguments: object) -> dict:
    result = arena("run", *arguments, "--json", cwd=folder)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def by_bot(report: dict) -> dict[str, dict]:
    return {row["bot"]: row for row in report["bots"]}


def table(run: Path) -> pd.DataFrame:
    return pd.concat([pd.read_parquet(path) for path in sorted((run / "seats").iterdir())], ignore_index=True)
