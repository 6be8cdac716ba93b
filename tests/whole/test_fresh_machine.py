"""The tests pass on a machine that has never seen Torseur, however slow it is."""

import ast
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from source_code import ROOT, nodes

TESTS = sorted((ROOT / "tests").rglob("*.py"))
CLOCKS = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time_ns", "now", "today"}


def wall_clocks(module):
    """Lines that read a clock on the wall, or that give something a time on it."""
    for node in nodes(module, ast.Attribute):
        whole = ast.unparse(node)
        if node.attr in CLOCKS or whole == "time.time":
            yield f"{module.name}:{node.lineno}: {whole}"
    for node in nodes(module, ast.Call):
        if any(keyword.arg == "timeout" for keyword in node.keywords):
            yield f"{module.name}:{node.lineno}: timeout"
    for node in nodes(module, ast.ImportFrom):
        if node.module == "time":
            yield f"{module.name}:{node.lineno}: from time import"


def test_no_test_has_a_clock_on_the_wall():
    assert [line for module in TESTS for line in wall_clocks(module)] == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_every_change_is_tested_with_an_empty_code_cache_of_its_own(tmp_path):
    """A `make` of this test tells what it is given, leaves something there and fails at the end."""
    said, make = tmp_path / "said", tmp_path / "make"
    make.write_text(
        f'#!/bin/sh\necho "$1 $TORSEUR_CACHE" $(ls "$TORSEUR_CACHE") >> {said}\n'
        'if [ "$1" = docs ]; then touch "$TORSEUR_CACHE/code"; exit 3; fi\n',
        encoding="utf-8",
    )
    make.chmod(0o700)
    given = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TORSEUR_CACHE": str(tmp_path)}
    command = ["bash", str(ROOT / ".ci" / "run")]
    ended = subprocess.run(command, env=os.environ | given, capture_output=True, check=False)
    calls = [line.split() for line in said.read_text(encoding="utf-8").splitlines()]
    (place,) = {call[1] for call in calls}
    assert ended.returncode == 3
    targets = ["env", "lint", "test", "wheel", "install-check", "docs"]
    assert [call[0] for call in calls] == targets
    assert all(len(call) == 2 for call in calls), "the cache is empty"
    assert place != str(tmp_path)
    assert not Path(place).exists()
