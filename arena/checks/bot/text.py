"""The report of the checks of a bot as text."""

from arena.checks.bot.check_bot import Report
from arena.checks.bot.duels import Duel
from arena.checks.findings import NOTE, OK, PROBLEM, Finding, lines_of
from arena.engine.parameters import shown
from arena.texts import aligned, wrapped

SIGNS = {OK: "ok", NOTE: "-", PROBLEM: "FAIL"}


def to_text(report: Report) -> str:
    """Each check with its verdict, then the duels, then how it ended."""
    findings = list(report.checks)
    if report.fingerprint:
        findings.append(Finding("behavior", NOTE, f"{report.fingerprint} (digest of decisions on fixed positions)"))
    lines = [*wrapped(title(report), others="  "), *lines_of(findings, SIGNS)]
    commands = [f"Again ({check.name}): {check.again}" for check in report.failed if check.again]
    lines += ["", *commands] if commands else []
    if report.duels:
        lines += ["", f"Win share on {report.map} with 2 players, each deal in both seatings", *table(report.duels)]
    if report.labels:
        lines += ["", *report.labels]
    failed = [check.name for check in report.failed]
    lines += ["", f"Failed: {', '.join(failed)}." if failed else "All checks passed."]
    return "\n".join(lines) + "\n"


def title(report: Report) -> str:
    """The bot, its kind and its parameters."""
    values = ", ".join(shown(report.parameters))
    return f"{report.bot} ({report.kind}){': ' * bool(values)}{values}"


def table(duels: tuple[Duel, ...]) -> list[str]:
    """A line for each opponent."""
    rows = [
        (duel.opponent, f"{duel.games:,}", f"{duel.share:.1%}", f"{duel.low:.1%}-{duel.high:.1%}") for duel in duels
    ]
    return aligned([("against", "games", "wins", "interval"), *rows], {0})
