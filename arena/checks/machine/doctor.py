"""`arena doctor`: all checks of this machine, one after the other; a check that fails itself is a finding."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from arena.checks.findings import OK, PROBLEM, WARNING, Finding, lines_of
from arena.errors import ArenaError
from arena.texts import Say, wrapped

SIGNS = {OK: "ok", WARNING: "warning", PROBLEM: "PROBLEM"}


@dataclass(frozen=True)
class Examination:
    """Everything that was found."""

    findings: tuple[Finding, ...]

    def of(self, status: str) -> list[str]:
        """The names of the findings of a status."""
        return [finding.name for finding in self.findings if finding.status == status]

    @property
    def is_fit(self) -> bool:
        """Whether there is no problem; there may be warnings."""
        return not self.of(PROBLEM)

    def to_json(self) -> dict[str, Any]:
        """As an object for programs."""
        findings = [{"name": f.name, "status": f.status, "detail": f.detail, **f.numbers} for f in self.findings]
        return {"schema": 1, "ok": self.is_fit, "problems": self.of(PROBLEM), "warnings": self.of(WARNING),
                "findings": findings}  # fmt: skip

    def to_text(self) -> str:
        """Each finding with its status, then all of it in a sentence."""
        problems, warnings = (", ".join(self.of(status)) for status in (PROBLEM, WARNING))
        verdict = f"Problems: {problems}." if problems else "No problem found."
        verdict += f" See also the warnings: {warnings}." if warnings else ""
        return "\n".join([*lines_of(self.findings, SIGNS), "", *wrapped(verdict)]) + "\n"


def examine(say: Say) -> Examination:
    """Look at everything; `say` what takes long."""
    return Examination(tuple(guarded(name, check) for name, check in _checks(say)))


def _checks(say: Say) -> Iterator[tuple[str, Callable[[], Finding]]]:
    """The checks by name. Each imports what it needs when it runs: that may be what is broken."""
    from arena.checks.machine import installed, machine

    yield "versions", machine.versions
    yield "machine", machine.machine
    yield "environment", machine.settings
    yield "cache", machine.cache
    yield "disk", machine.disk
    yield "memory", machine.memory
    yield "workers", _workers
    yield "isolation", machine.isolation
    yield "bots", installed.bots
    yield "maps", installed.maps
    say("self-test, about ten seconds ...")
    for name in ("rules", "tournament", "survival", "speed"):
        yield name, partial(_self_test, name, say)


def _workers() -> Finding:
    """How worker processes start."""
    from arena.runs.processes import start_method

    method = start_method()
    how = "forked from the process that has compiled everything" if method == "fork" else "started afresh"
    return Finding("workers", "ok", f"{method}: {how}.", {"start_method": method})


def _self_test(name: str, say: Say) -> Finding:
    from arena.checks.machine import selftest

    finding: Finding = getattr(selftest, name)(*[say] * (name == "rules"))
    return finding


def guarded(name: str, check: Callable[[], Finding]) -> Finding:
    """What a check finds; an exception is a finding too."""
    try:
        return check()
    except ArenaError as error:
        return Finding(name, PROBLEM, f"{error}.")
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Finding(name, PROBLEM, f"This check failed: {text}")
