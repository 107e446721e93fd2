"""HTML elements that are always closed, with text and attributes that are always escaped."""

import re

from arena.texts import in_markup

VOID = ("br", "link", "meta")
"""Elements without an end."""
RANGE = re.compile(r"(?<=[\d%])-(?=[-\d])")
MINUS = re.compile(r"(?<![\d%])-(?=\d)")


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
    return Html("".join(child if isinstance(child, Html) else in_markup(child) for child in children))


def _attribute(key: str, value: str | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{in_markup(str(value))}"'


def typeset(text: str) -> str:
    """Hyphens as what they stand for: a minus, a range, or nothing to tell."""
    if text == "-":
        return "\N{EN DASH}"
    return MINUS.sub("\N{MINUS SIGN}", RANGE.sub("\N{EN DASH}", text))
