"""Forks `arena` commands off a process that has imported and loaded what they need: no test waits for that again.

Each command is a process of its own, as if it were started by hand. Only the imports are done, compiled code is loaded,
and its memory is not tidied up at its end. Linux only.
"""

import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import socket
import sys
import threading
from typing import Any

LARGEST = 1 << 20


def main() -> None:
    """Whoever connects to the socket that is file 0 is served by a process of its own, until its parent is gone."""
    import arena.cli

    parent = os.getppid()
    load_modules()
    load_compiled_code()
    gc.collect()
    gc.freeze()  # a collection in a child would copy every page of what is loaded
    with socket.socket(fileno=os.dup(0)) as waiting:
        waiting.settimeout(1)
        while True:
            try:
                server, _ = waiting.accept()
            except TimeoutError:
                if os.getppid() != parent:
                    return
                continue
            if not os.fork():
                break
            server.close()
    order = next_order(server)
    os.setsid()
    if order["beside"]:
        enter(order["beside"])
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    code = 1
    try:
        arena.cli.main(order["arguments"], prog_name="arena")
    except SystemExit as stopped:
        code = stopped.code if isinstance(stopped.code, int) else int(stopped.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    leave(code)


def next_order(server: socket.socket) -> dict[str, Any]:
    """In a child, for each order with two files for its output; this process answers with its number, and its end."""
    server.settimeout(None)
    while True:
        content, files, _, _ = socket.recv_fds(server, LARGEST, 2)
        if not content:
            os._exit(0)
        child = os.fork()
        if not child:
            break
        for file in files:
            os.close(file)
        server.send(str(child).encode())
        _, status, used = os.wait4(child, 0)
        server.send(f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime}".encode())
    server.close()
    for number, file in enumerate([os.open(os.devnull, os.O_RDONLY), *files]):
        os.dup2(file, number)
        os.close(file)
    order: dict[str, Any] = json.loads(content)
    return order


def enter(process: int) -> None:
    """See the disks that another process sees."""
    kernel = ctypes.CDLL(None, use_errno=True)
    for kind in ("user", "mnt"):
        file = os.open(f"/proc/{process}/ns/{kind}", os.O_RDONLY)
        if kernel.setns(file, 0):
            raise OSError(ctypes.get_errno(), f"cannot enter the {kind} namespace")
        os.close(file)


def load_modules() -> None:
    """All that some command imports when it comes to it: SciPy's statistics alone take longer than most commands."""
    import arena
    from arena.rules.compiler.linking import load_compiler

    modules = [module.name for module in pkgutil.walk_packages(arena.__path__, "arena.")]
    for name in (*modules, "pyarrow.pandas_compat", "pyarrow.parquet", "scipy.stats"):
        if not name.startswith("arena.catalog.template"):  # it is copied, not imported
            importlib.import_module(name)
    load_compiler()


def load_compiled_code() -> None:
    """The rules and the shipped bots, out of the cache or compiled."""
    from arena import catalog
    from arena.runs.compile import compile_all

    bots = catalog.load_entrants(catalog.shipped_bots())
    compile_all(bots, catalog.load_map(catalog.default_map()), 2, lambda text: None)


def leave(code: int) -> None:
    """End as Python does, but for the memory: to free all that was loaded takes longer than most commands."""
    threading._shutdown()  # threads are waited for
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(os.path.abspath(__file__))]
    main()
