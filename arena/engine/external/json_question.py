"""A decision as a line of JSON for a program, put together from texts that are mostly kept.

A view is much the same from one decision to the next. Each of its parts is a few bytes of the VIEW record, and the text
of such bytes is kept: a line takes a sixth of the time that a JSON encoder needs for it.
"""

import json
from collections.abc import Callable
from typing import Any

from arena.engine import view_fields as fields
from arena.engine.view import View
from arena.rules.actions import Action, decode

FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "draft": (("keep",), ()),
    "keep": (("keep",), ()),
    "row": (("card",), ()),
    "blind": ((), ()),
    "tickets": ((), ("express",)),
    "express": (("express",), ()),
    "claim": (("route", "card", "locomotives"), ()),
    "skip": ((), ()),
    "place": (("line",), ("card", "extra", "locomotives", "express")),
    "pass": ((), ()),
}
"""By kind of action: the fields that it always has, and those that are left out where they are 0 or empty."""

dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def decide_line(view: View) -> bytes:
    """A decision: what the seat knows, under the names that `View` has for it, and what it may do.

    What a `View` only computes from what it knows is left out.
    """
    actions = ",".join(map(_action_texts, view.actions.codes))
    return f'{{"type":"decide","view":{view_text(view)},"actions":[{actions}]}}\n'.encode()


def view_text(view: View) -> str:
    """All that a view knows, as JSON."""
    shown = view.shown
    trains, points, cards = fields.trains(shown), fields.route_points(shown), fields.cards(shown)
    tickets, turns = fields.tickets_kept(shown), fields.turns(shown)
    progress, express = fields.progress(shown), fields.express(shown)
    seat, seats, pending, last_turns = view.seat, view.seats, view.pending_route, view.last_turns
    players = ",".join(
        f'{{"seat":{each},"trains":{trains[each]},"points":{points[each]},"cards":{cards[each]},'
        f'"tickets":{tickets[each]},"turns":{turns[each]},"known":{_counts(shown[fields.KNOWN[each]])},'
        f'"routes":{_set(shown[fields.ROUTES[each]])},"progress":{progress[each]},"express":{_values(express[each])}}}'
        for each in range(seats)
    )
    return (
        f'{{"phase":"{view.phase}","seat":{seat},"seats":{seats},"hand":{_counts(shown[fields.HAND])},'
        f'"tickets":{_set(shown[fields.TICKETS])},"offer":{_list(shown[fields.OFFER])},"picked":{_list(shown[fields.PICKED])},'
        f'"row":{_row(shown[fields.ROW])},"deck_count":{view.deck_count},"ticket_count":{view.ticket_count},'
        f'"discards":{_counts(shown[fields.DISCARDS])},"last_turns":{"null" if last_turns is None else last_turns},'
        f'"players":[{players}],"open_routes":{_set(shown[fields.OPEN[seat]])},"shared":{_set(shown[fields.SHARED])},'
        f'"bullets_left":{view.bullets_left},"just_claimed":{"null" if pending is None else pending},'
        f'"mat":{dumps(view.mat) if view.map.provinces else "{}"}}}'
    )


def action_object(action: Action) -> dict[str, Any]:
    """An action with the fields of its kind."""
    always, sometimes = FIELDS[action.kind]
    given = {name: getattr(action, name) for name in always}
    return {"kind": action.kind, **given, **{name: value for name in sometimes if (value := getattr(action, name))}}


class _ActionTexts(dict[int, str]):
    """The JSON text of every action met so far: a large hand has thousands, and the same again at the next decision."""

    def __missing__(self, code: int) -> str:
        text = self[code] = dumps(action_object(decode(code)))
        return text


_action_texts = _ActionTexts().__getitem__


def _text_of(read: Callable[[Any], object]) -> Callable[[Any], str]:
    """What makes JSON of a part of a view, and keeps it."""
    return fields.kept(lambda part: dumps(read(part)))


_set, _list, _row, _counts, _values = map(
    _text_of, (fields.members, fields.indices, fields.colors, fields.counts, fields.values)
)
