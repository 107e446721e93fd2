"""The text of `arena replay`: a log of 80 columns for people, or JSON lines for programs."""

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise

from arena.replay.deck import Event
from arena.texts import NO_BREAK, aligned, counted, plain, wrapped

BLIND = " from the deck"
SOURCES = (
    ("routes", "routes"), ("tickets", "tickets"), ("longest_path", "path"), ("bullet", "bullet"),
    ("provinces", "provinces"),
)  # fmt: skip
"""Points by source, and what the column is called."""
ENDS = {
    "trains": "The game is over: everyone has had the last turn.",
    "stall": "The game is over: nobody can do anything any more.",
    "forfeit": "The game is over: it was forfeited.",
}


def to_json_lines(events: Sequence[Event]) -> str:
    """One object a line, for programs."""
    return "".join(json.dumps(event) + "\n" for event in events)


def to_text(events: Sequence[Event]) -> str:
    """The whole game, from `setup` to the last `score`."""
    setup = events[0]
    names = [plain(name) for name in setup["seats"]]
    if len(set(names)) < len(names):
        names = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
    board = plain(setup["map"]) + (f" ({setup['label']})" if setup["label"] else "")
    lines = wrapped(
        f"Game {setup['game']}: {board}, {len(names)} players, deal {setup['deal']}, seed {setup['seed']}", others="  "
    )
    if setup["settings"]:
        lines += wrapped("with " + _listed(f"{rule}={value}" for rule, value in setup["settings"].items()), others="  ")
    lines += [line for seat, name in enumerate(names) for line in wrapped(f"seat {seat}: {name}", "  ", "    ")]
    lines += ["", "Set-up"]
    paragraph, turn = list[str](), ""
    for before, event in pairwise(events):
        kind = event["event"]
        if kind in ("turn", "last_round", "end", "score"):
            if paragraph:
                lines += wrapped(turn + "; ".join(paragraph) + ".", "", "     ")
            paragraph = []
        if kind == "turn":
            if event["number"] == 1:
                lines.append("")
            turn = f"{event['number']:>4} {names[event['seat']]} "
        elif kind == "last_round":
            lines += ["", *wrapped(f"The last round begins; {names[event['seat']]} has the last turn.", others="  ")]
        elif kind == "end":
            lines += ["", *wrapped(ENDS[event["reason"]], others="  ")]
        elif kind != "score":
            if turn and paragraph and _is_blind(event) and _is_blind(before):
                paragraph[-1] = paragraph[-1].replace(BLIND, f", {event['card']}{BLIND}")
            elif turn:
                paragraph.append(_phrase(event, ()))
            else:
                lines += wrapped(_phrase(event, names) + ".", "  ", "    ")
    return "\n".join(lines + _result([event for event in events if event["event"] == "score"], names)) + "\n"


def _phrase(event: Event, names: Sequence[str]) -> str:
    """What happens, in words; with names given, who does it."""
    who = f"{names[event['seat']]} " if names and "seat" in event else ""
    match event["event"]:
        case "deal":
            return f"{who}is dealt {_listed(event['cards'])}"
        case "row":
            return f"the row: {_listed(card or 'nothing' for card in event['cards'])}"
        case "flush":
            return f"too many locomotives, the row is cleared of {_listed(event['cards'])}"
        case "reshuffle":
            return f"the deck is made new of {counted(event['count'], 'discarded card')}"
        case "offer":
            return f"{who}{'is offered' if who else 'draws tickets:'} {_named(event['ticket_names'])}"
        case "draft":
            return f"{who}picks {_name(event['ticket_name'])}"
        case "keep":
            back = f" and returns {_named(event['returned_names'])}" if event["returned"] else ""
            return f"{who}keeps {_named(event['kept_names'])}{back}"
        case "draw":
            if event["source"] == "deck":
                return f"draws {event['card']}{BLIND}"
            follows = f" ({event['replacement']} follows)" if event["replacement"] else ""
            return f"takes {event['card']} from the row{follows}"
        case "claim":
            return _claim(event)
        case "province":
            more = _paid(event["cards"], "more ") + [f"express +{event['express']}"] * (event["express"] > 0)
            line = f"{event['line']} line" + (f", {event['line_name']}" if event["line_name"] else "")
            return f"places a train on {event['position']} of the {line}" + (
                f" with {' and '.join(more)}" if more else ""
            )
        case "express":
            return f"plays express +{event['value']} for more {'tickets' if event['use'] == 'tickets' else 'cards'}"
        case "fault":
            who = who or "the bot "
            if event["kind"] == "probation":
                return f"{who}is not asked: it failed in all of its first games"
            return f"{who}commits a fault, {event['kind']}{': ' * bool(event['reason'])}{plain(event['reason'])}"
        case "pass":
            return "passes: nothing else is possible"
        case kind:
            return str(kind)


def _is_blind(event: Event) -> bool:
    return (event["event"], event.get("source")) == ("draw", "deck")


def _claim(event: Event) -> str:
    paid = " and ".join(_paid(event["cards"]))
    worth = (
        "a bullet train for everybody"
        if event["bullet"]
        else f"{counted(event['points'], 'point')}, {counted(event['trains_left'], 'train')} left"
    )
    return f"claims {_name(event['route_name'])} with {paid} ({worth})"


def _result(scores: Sequence[Event], names: Sequence[str]) -> list[str]:
    """The table of points by source, best first, and every ticket that was held."""
    shown = [(key, title) for key, title in SOURCES if any(score[key] for score in scores)]
    rows = [["rank", "bot", *(title for _, title in shown), "total"]]
    ranked = sorted(scores, key=lambda score: (score["rank"], score["seat"]))
    for score in ranked:
        points = [str(score[key]) for key, _ in shown]
        rows.append([str(score["rank"]), names[score["seat"]], *points, str(score["total"])])
    lines = ["", *aligned(rows, {1}), ""]
    for score in ranked:
        completed, failed = _named(score["completed_names"]), _named(score["failed_names"])
        lines += wrapped(f"{names[score['seat']]}: completed {completed}; failed {failed}.", others="  ")
    return lines


def _name(text: str) -> str:
    """The name of a route or a ticket, which is not broken at the end of a line."""
    return text.replace(" ", NO_BREAK)


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items) or "nothing"


def _named(names: Iterable[str]) -> str:
    return _listed(map(_name, names))


def _paid(cards: dict[str, int], more: str = "") -> list[str]:
    return [
        f"{count} {more}{'locomotives' if card == 'locomotive' and count > 1 else card}"
        for card, count in cards.items()
    ]
