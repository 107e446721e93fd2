"""Options that several commands have, each declared once."""

from pathlib import Path

import click

PATH = click.Path(path_type=Path)
RUN = click.argument("directory", type=PATH, metavar="DIR")
MAP = click.option("--map", "map_name", metavar="MAP", help="A name (`arena maps list`) or a file.")
SET = click.option("--set", "settings", multiple=True, metavar="RULE=N", help="Override a rule, for example trains=40.")
SEED = click.option(
    "--seed", type=int, default=1, show_default=True, metavar="S", help="The same seed deals the same games."
)
JOBS = click.option(
    "--jobs", type=click.IntRange(1, 1000), metavar="J", help="Worker processes.  [default: one per core]"
)
EXPLAIN = click.option("--explain", is_flag=True, help="Explain each column in a plain sentence.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
JSON_REPORT = click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object on stdout.")
