"""HTML elements that are always closed, with text and attributes that are always escaped."""

import re
from html import escape

VOID = ("br", "link", "meta")
"""Elements without an end."""
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a name or a reason may hold and a page should not: control characters, those that turn the direction of what
follows, and halves of characters."""


class Html(str):
    """Text that is markup already; every other text is escaped."""

    __slots__ = ()


def element(name: str, /, *children: str, **attributes: str | bool | None) -> Html:
    """An element. An attribute of None or False is left out; `class_` is class, and `data_n` is data-n."""
    start = "".join(_attribute(key, value) for key, value in attributes.items() if value not in (None, False))
    end = "" if name in VOID else f"</{name}>"
    return Html(f"<{name}{start}>{joined(*children)}{end}")


def joined(*children: str) -> Html:
    """One after the other."""
    return Html("".join(child if isinstance(child, Html) else _text(child) for child in children))


def _attribute(key: str, value: str | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_text(str(value))}"'


def _text(text: str) -> str:
    return escape(UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))
