"""The time of a test: two seconds of a processor, or a mark that says why it needs more.

    @pytest.mark.slow("plays 3,000 games: fewer show no difference")

A test that takes longer without one fails. What counts is the processor time of the test alone: of this process and of
the children that it has waited for, without fixtures and without what is compiled here on the way, which the first
one that needs it would pay for. It fails at twice the limit only, since processors differ; on a
slow machine TEST_SECONDS sets another limit. Tests marked `full` or `long` may take as long as they need.
"""

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import process_time

import pytest

from arena.rules.compiler import decorators

LIMIT = 2.0
SECONDS = float(os.environ.get("TEST_SECONDS", 2 * LIMIT))
FREE = ("slow", "full", "long")

elsewhere = 0.0
"""Seconds of processes that are not children of this one: whoever had them started adds theirs."""


compiled = 0.0
"""Seconds that this process has compiled."""


def used() -> float:
    """The processor time of this process and of all that it has waited for, so far, without compiling."""
    return sum(os.times()[:4]) + elsewhere - compiled


def while_compiling(usual: Callable[[], AbstractContextManager[None]]) -> Callable[[], AbstractContextManager[None]]:
    """The context in which the arena compiles, timed."""
    inside = False

    @contextmanager
    def timed() -> Iterator[None]:
        global compiled
        nonlocal inside
        outermost, inside = not inside, True
        before = process_time()
        try:
            with usual():
                yield
        finally:
            if outermost:
                inside = False
                compiled += process_time() - before

    return timed


decorators.while_compiling = while_compiling(decorators.while_compiling)  # type: ignore[assignment]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Time the test itself; one that fails anyway is not asked."""
    before = used()
    result = yield
    spent = used() - before
    if spent > SECONDS and not any(item.get_closest_marker(name) for name in FREE):
        pytest.fail(
            f"took {spent:.1f} s of processor time, and a test has {LIMIT:g} s: make it cheaper, or give the reason in "
            f'@pytest.mark.slow("...") (CONTRIBUTING.md)',
            pytrace=False,
        )
    return result


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A mark without its reason is a mistake."""
    for item in items:
        mark = item.get_closest_marker("slow")
        if mark and not (len(mark.args) == 1 and isinstance(mark.args[0], str) and mark.args[0]):
            raise pytest.UsageError(f'{item.nodeid}: @pytest.mark.slow("...") takes the reason')
