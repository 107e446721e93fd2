"""No rule without a test: the numbers in the names of the tests are read from their sources."""

import ast
import re
from pathlib import Path

RULES = {
    *(f"B{n}" for n in range(1, 23)),
    *(f"{section}{n}" for section in "JK" for n in range(1, 12)),
}

TESTS = [
    node
    for file in sorted(Path(__file__).parent.glob("test_*.py"))
    for node in ast.parse(file.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
]
NUMBERS = {
    node.name: f"{found[1].upper()}{int(found[2])}"
    for node in TESTS
    if (found := re.match(r"test_([bjk])(\d\d)_", node.name))
}


def test_every_rule_has_a_test():
    untested = sorted(RULES - set(NUMBERS.values()))
    assert not untested, "no test names " + ", ".join(untested)


def test_no_test_names_a_rule_that_there_is_not():
    assert sorted(name for name, number in NUMBERS.items() if number not in RULES) == []


def test_every_test_of_a_rule_quotes_it():
    assert [node.name for node in TESTS if node.name in NUMBERS and not ast.get_docstring(node)] == []


def test_no_test_hides_another_of_the_same_name():
    names = [node.name for node in TESTS]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
