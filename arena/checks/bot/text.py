"""The report of `arena bots check` as text."""

from textwrap import wrap

from arena.checks.bot.check_bot import Report
from arena.checks.bot.duels import Duel
from arena.engine.parameters import shown

WIDTH = 80
SIGNS = {True: "ok", False: "FAIL", None: "-"}


def to_text(report: Report) -> str:
    """Each check with its verdict, then the duels, then how it ended."""
    lines = wrap(title(report), WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    name_width = max(len(check.name) for check in report.checks) + 2
    for check in report.checks:
        head = f"{check.name:{name_width}}{SIGNS[check.passed]:6}"
        lines += wrap(check.detail, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
    if report.fingerprint:
        lines.append(f"{'behavior':{name_width}}{'-':6}{report.fingerprint} (digest of decisions on fixed positions)")
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
    width = max(len("against"), *(len(duel.opponent) for duel in duels))
    lines = [f"{'against':{width}}  games    wins      interval"]
    for duel in duels:
        interval = f"{duel.low:.1%}-{duel.high:.1%}"
        lines.append(f"{duel.opponent:{width}}  {duel.games:5,}  {duel.share:6.1%}  {interval:>12}")
    return lines
