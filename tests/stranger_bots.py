"""Bots that try what a stranger's bot could try, for test_isolation.py; a file of its own, as theirs are."""

import ctypes
import json
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import numpy as np

from arena.bot import Action, Bot, View, kernel, next_below, policy

LOADED_IN = os.getpid()


class Fair(Bot):
    """Plays at random, by its own stream, and draws from it in its constructor."""

    def __init__(self, least: int = 0) -> None:
        self.least = least
        self.first = self.rng.random()

    def choose(self, view: View) -> Action:
        return self.rng.choice(view.actions[:])


class Raises(Bot):
    def choose(self, view: View) -> Action:
        if view.me.turns == 2:
            self.helper(view)
        return view.actions[0]

    def helper(self, view: View) -> None:
        raise RuntimeError(f"{view.hand} \033[31m" + "x" * 600)


class Foreign(Bot):
    """Answers with an action of an earlier decision."""

    def choose(self, view: View) -> Action:
        self.first = getattr(self, "first", view.actions[0])
        return self.first


class ReturnsView(Bot):
    def choose(self, view: View) -> Action:
        return view  # type: ignore[return-value]


class NoConstructor(Bot):
    def __init__(self) -> None:
        raise ValueError("no game today")

    def choose(self, view: View) -> Action:
        return view.actions[0]


class Leaves(Bot):
    def choose(self, view: View) -> Action:
        sys.exit(7)


@kernel
def pick(actions, random_state):
    return actions[next_below(random_state, 0, len(actions))]


@policy(least=2.0)
def compiled(view, board, actions, memory, random_state):
    """Uses its random state and memory, which must be its own and new for each game."""
    if memory[0] != 2.0 or (memory[1] != view.turns[view.seat] and view.phase == 1):
        return -1
    if view.phase == 1:
        memory[1] += 1
    return pick(actions, random_state)


class Nosy(Bot):
    """Tries to get at everything and prints what came of it."""

    def choose(self, view: View) -> Action:
        found = {name: self.tried(name) for name in dir(self) if name.startswith("try_")}
        print(json.dumps({name[4:]: what for name, what in found.items()}))
        raise RuntimeError("done")

    def tried(self, name: str) -> object:
        try:
            return getattr(self, name)()
        except Exception as error:
            return f"{type(error).__name__} {getattr(error, 'errno', '')}"

    def try_network(self) -> object:
        return str(socket.create_connection(("127.0.0.1", int(os.environ.get("PORT", "9"))), 1))

    def try_interfaces(self) -> object:
        return [name for _, name in socket.if_nameindex() if name != "lo"]

    def try_write(self) -> object:
        return (Path(__file__).parent / "written").write_text("here")

    def try_cache(self) -> object:
        # What it has compiled itself lies in its own folder; what was there before is linked.
        target = next(path for path in Path(os.environ["ARENA_CACHE_DIR"]).rglob("*.code") if path.is_symlink())
        return os.stat(target.resolve().parent / "x") if (target.resolve().parent / "x").write_text("x") else None

    def try_scratch(self) -> object:
        Path("mine").write_text("fine")
        return os.listdir()

    def try_environment(self) -> object:
        return sorted(os.environ)

    def try_processes(self) -> object:
        return [name for name in os.listdir("/proc") if name.isdigit()]

    def try_descriptors(self) -> object:
        return sorted(int(name) for name in os.listdir("/proc/self/fd"))

    def try_kill(self) -> object:
        os.kill(os.getppid(), 0) if os.getppid() else os.kill(0, 0)
        return os.getppid()

    def try_open_files(self) -> object:
        files = []
        try:
            while True:
                files.append(open("/dev/null"))  # noqa: SIM115
        except OSError:
            return len(files)
        finally:
            for file in files:
                file.close()

    def try_forks(self) -> object:
        children = []
        try:
            while True:
                child = os.fork()
                if not child:
                    time.sleep(1000)
                children.append(child)
        except OSError:
            for child in children:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            return len(children)

    def try_big_file(self) -> object:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with open("big", "wb") as file:
            for _ in range(100):
                file.write(bytes(1 << 20))
        return "written"

    def try_modules(self) -> object:
        import arena.engine.loop
        import arena.engine.table

        arena.engine.table.Table.play_one = None
        arena.engine.loop.FAULTS = ()
        return "changed"


class Folder(Bot):
    """Looks for the run's plan."""

    def __init__(self, where: str) -> None:
        self.where = where

    def choose(self, view: View) -> Action:
        raise RuntimeError(sorted(os.listdir(self.where)))


class Tampers(Bot):
    """Changes what it can reach of the arena, and goes on."""

    def choose(self, view: View) -> Action:
        import arena.catalog.child
        import arena.engine.agents

        arena.engine.agents.encode_action = None  # type: ignore[assignment]
        view.record.flags.writeable = True
        return view.actions[0]


class Forges(Bot):
    """Writes an answer of its own making into every descriptor."""

    def choose(self, view: View) -> Action:
        for number in range(3, 10):
            try:
                os.write(number, b"\xff" * 40)
            except OSError:
                continue
        return view.actions[0]


class Sleeps(Bot):
    def choose(self, view: View) -> Action:
        if view.me.turns == 2:
            time.sleep(1000)
        return view.actions[0]


class Slow(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(0.1)
        return view.actions[0]


class Loops(Bot):
    """Blocks every signal and never lets another thread run."""

    def choose(self, view: View) -> Action:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        sys.setswitchinterval(1000)
        while True:
            pass


class Exits(Bot):
    def choose(self, view: View) -> Action:
        print("good-bye")
        if view.me.turns == 1:
            os._exit(3)
        return view.actions[0]


class Crashes(Bot):
    def choose(self, view: View) -> Action:
        ctypes.string_at(0)
        return view.actions[0]


class Allocates(Bot):
    def choose(self, view: View) -> Action:
        self.kept = []
        while True:
            self.kept.append(np.ones(1 << 20))


class AllocatesInSteps(Bot):
    """Never sees a MemoryError, for it has given up before."""

    def choose(self, view: View) -> Action:
        self.kept = []
        try:
            while True:
                self.kept.append(np.ones(1 << 17))
        except MemoryError:
            os.abort()


class Prints(Bot):
    def choose(self, view: View) -> Action:
        for _ in range(200):
            print("0123456789" * 1000)
            os.write(1, b"{not json}\n" * 100)
        print("the end of it")
        raise RuntimeError("printed")


class Threads(Bot):
    """Leaves a thread and a process behind."""

    def choose(self, view: View) -> Action:
        threading.Thread(target=threading.Event().wait).start()
        if not os.fork():
            os.setsid()
            while True:
                time.sleep(1)
        raise RuntimeError("left")
