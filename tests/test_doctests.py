"""The examples in docstrings run and say what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

WITH_EXAMPLES = ("arena.api", "arena.engine.view", "arena.rules.actions", "arena.testing", "arena.tournament.plan")


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_in_docstrings_run(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0
    assert found.failed == 0
