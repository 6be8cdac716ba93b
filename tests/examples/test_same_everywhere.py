"""The same description gives the same text, values and machine code, whatever came before."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import derived_alike
import numpy as np
import pytest
from example_states import EXAMPLES

from torseur.algebra.core.expr import symbol

SOME = ["cardan_shaft", "double_pendulum"]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a fresh process is a fork")


def _in_another_process(manner, names, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, derived_alike.__file__, manner, *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _in_threads(names):
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        with ThreadPoolExecutor(4) as pool:
            twice = list(pool.map(derived_alike.digests, [*names, *names]))
    finally:
        sys.setswitchinterval(before)
    assert twice[: len(names)] == twice[len(names) :]
    return dict(zip(names, twice, strict=False))


def _agree(names):
    fresh = _in_another_process("fresh", names, 1)
    assert _in_another_process("crowded", names, 2) == fresh
    assert _in_threads(names) == fresh


def test_what_is_derived_does_not_depend_on_history_threads_or_the_seed_of_hashes():
    _agree(SOME)


@pytest.mark.slow
def test_what_is_derived_from_every_example_does_not_depend_on_history():
    _agree(EXAMPLES)


def test_threads_that_build_the_same_expression_at_once_share_its_node():
    threads, rounds = 4, 200
    together = Barrier(threads)

    def built(_):
        found = []
        for k in range(rounds):
            together.wait()
            x = symbol(f"shared{k}", "coordinate")
            found.append(np.sin(x) * symbol("m") + x**2 / 3)
        return found

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(threads) as pool:
            first, *others = pool.map(built, range(threads))
    finally:
        sys.setswitchinterval(before)
    assert all(a is b for other in others for a, b in zip(first, other, strict=True))


def test_the_key_of_a_node_is_above_those_of_what_it_is_made_of():
    x, y = symbol("x", "coordinate"), symbol("y", "speed")
    for made in (x + y, x * y, x**3, np.sin(x), np.arctan2(x, y), 2 * x, x - 1):
        assert made.key > max(part.key for part in made.args)


def test_symbols_come_in_their_natural_order():
    names = ["C", "l", "m1", "m2", "m10", "q1", "q2"]
    assert sorted(names[::-1], key=lambda name: symbol(name).key) == names
