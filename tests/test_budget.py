"""The rule for the time of a test: what takes longer than it may without a reason fails, and nothing else does."""

import os
import subprocess
import sys
from pathlib import Path

from helpers import load_benchmark

TESTS = """
import os, subprocess, sys, time
import pytest

BURN = "import time; end = time.process_time() + 0.3\\nwhile time.process_time() < end: pass"


def test_quick(): pass

def test_waits(): time.sleep(0.4)

def test_burns(): exec(BURN)

def test_child(): subprocess.run([sys.executable, "-c", BURN])

@pytest.fixture
def burnt(): exec(BURN)

def test_fixture(burnt): pass

@pytest.mark.slow("it burns")
def test_slow(): exec(BURN)

@pytest.mark.full
def test_full(): exec(BURN)
"""


def results(folder: Path, text: str) -> tuple[int, str]:
    """How pytest ends with some tests that have 0.2 seconds each, and what it prints."""
    (folder / "test_it.py").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "TEST_SECONDS": "0.2"}
    options = ("-p", "budget", "-p", "no:cacheprovider", "-p", "no:xdist", "-rA", "--tb=short", "test_it.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_who_takes_too_long_fails(tmp_path: Path) -> None:
    """Own time and that of children counts, waiting and fixtures do not; a reason is accepted."""
    code, said = results(tmp_path, TESTS)
    assert code == 1
    failed = [line.split()[1] for line in said.splitlines() if line.startswith("FAILED")]
    assert failed == ["test_it.py::test_burns", "test_it.py::test_child"], said
    assert "s of processor time, and a test has 2 s: make it cheaper, or give the reason" in said


def test_a_reason_must_be_given(tmp_path: Path) -> None:
    code, said = results(tmp_path, "import pytest\n\n\n@pytest.mark.slow\ndef test_it(): pass\n")
    assert code == 4
    assert 'test_it.py::test_it: @pytest.mark.slow("...") takes the reason' in said


def test_planted_faults_can_still_be_planted() -> None:
    """Each replaces a text that stands once in its file (see benchmarks/mutations.py)."""
    mutations = load_benchmark("mutations")
    assert len(mutations.FAULTS) == 30
    for fault in mutations.FAULTS:
        source = (mutations.ROOT / "arena" / fault.file).read_text(encoding="utf-8")
        assert source.count(fault.right) == 1, fault.name
        for words in fault.tests.split():
            assert (mutations.ROOT / "tests" / words.partition("::")[0]).exists(), words
