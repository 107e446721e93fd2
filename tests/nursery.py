"""Forks `arena` commands off a process that has imported what they need, so that a test need not wait for it again.

Each command is a process of its own, as if it were started by hand; only the imports are done. Linux only.
"""

import json
import os
import socket
import sys

LARGEST = 1 << 20


def main() -> None:
    """Serve the socket that is file 0: an order with two files for its output; answered by the status of its end."""
    import arena.cli
    import arena.cli.reporter
    import arena.reports.document
    import arena.reports.text
    import arena.runs.progress
    import arena.runs.tournament

    with socket.socket(fileno=os.dup(0)) as server:
        while True:
            content, files, _, _ = socket.recv_fds(server, LARGEST, 2)
            if not content:
                return
            child = os.fork()
            if not child:
                break
            for file in files:
                os.close(file)
            server.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
    order = json.loads(content)
    for number, file in enumerate([os.open(os.devnull, os.O_RDONLY), *files]):
        os.dup2(file, number)
        os.close(file)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    arena.cli.main(order["arguments"], prog_name="arena")


if __name__ == "__main__":
    sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(os.path.abspath(__file__))]
    main()
