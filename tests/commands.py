"""The real `arena` command in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

START = [sys.executable, "-c", "from arena.cli import main; main(prog_name='arena')"]


def arena(*arguments: object, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `arena` with some arguments in a folder; output captured as text, 80 columns wide."""
    environment = {**os.environ, "COLUMNS": "80", "PYTHONWARNINGS": "default", **options.pop("env", {})}
    return subprocess.run(
        [*START, *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options
    )


def seat_files(run: Path) -> dict[str, bytes]:
    """The content of every shard of a run by its name."""
    return {path.name: path.read_bytes() for path in sorted((run / "seats").iterdir())}
