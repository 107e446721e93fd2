"""The process that loads bots for `installed`: it prints a line of JSON for each of them."""

import json
import sys

from arena.catalog import load_entrant
from arena.errors import UsageError


def main(answers: str, names: list[str]) -> None:
    """Load bots by name; append [name, why it cannot be loaded or nothing] to a file."""
    for name in names:
        try:
            load_entrant(name)
            reason = ""
        except UsageError as error:
            reason = " ".join(str(error).split())
        with open(answers, "a", encoding="utf-8") as file:
            file.write(json.dumps([name, reason]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
