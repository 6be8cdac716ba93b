"""Levels of compiling: quick code first, optimised code where it is called often, the same bits."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import torseur as ts
from torseur.machine.llvm import jit, levels

FUNCTIONS = {"mass_matrix": "q", "forward_dynamics": "qvQ", "inverse_dynamics": "qva"}


@pytest.fixture
def optimised(monkeypatch):
    """Modules that were optimised after their first quick calls, in order."""
    done, compiled = [], levels.optimised
    monkeypatch.setattr(levels, "optimised", lambda x: done.append(x) or compiled(x))
    return done


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    """Keep the code of a test to itself."""
    monkeypatch.setenv("TORSEUR_CACHE", str(tmp_path))
    jit._shared_engine.cache_clear()


def states(model, count=20):
    n = len(model.coordinates)
    return np.random.default_rng(1).normal(size=(count, 4, n))


@pytest.mark.parametrize("name", ["puma560", "stanford_arm", "robot_1980", "double_pendulum"])
def test_quick_and_optimised_code_give_the_same_bits(name, monkeypatch, optimised):
    monkeypatch.setattr(levels, "CALLS", 10)
    model = ts.compile(ts.load(name))
    for function, letters in FUNCTIONS.items():
        call = getattr(model, function)
        given = [[x["qvaQ".index(k)] for k in letters] for x in states(model)]
        quick = [call(*x) for x in given[:9]]  # the tenth call has the code optimised
        [call(*x) for x in given]
        for x, before in zip(given, quick, strict=False):
            np.testing.assert_array_equal(call(*x), before)
    assert optimised


def test_code_is_optimised_once_whatever_the_number_of_threads(monkeypatch, optimised):
    monkeypatch.setattr(levels, "CALLS", 50)
    model = ts.compile(ts.load("puma560"))
    q = states(model, 1)[0, 0]
    first = model.mass_matrix(q)
    with ThreadPoolExecutor(8) as pool:
        for M in pool.map(lambda _: model.mass_matrix(q), range(2000)):
            np.testing.assert_array_equal(M, first)
    assert len(optimised) == 1


def test_a_motion_has_its_code_optimised_on_the_way_and_stays_the_same(monkeypatch, optimised):
    alone = ts.simulate(ts.load("slider_crank"), 1.0).q
    assert not optimised
    jit._shared_engine.cache_clear()
    monkeypatch.setattr(levels, "CALLS", 100)
    monkeypatch.setenv("TORSEUR_CACHE", "")
    np.testing.assert_array_equal(ts.simulate(ts.load("slider_crank"), 1.0).q, alone)
    assert optimised


def test_lanes_of_a_batch_are_optimised_too(monkeypatch, optimised):
    angles = np.linspace(0.1, 1.0, 5)
    few = ts.simulate(ts.load("slider_crank"), 1.0, initial={"alpha": angles}).q
    jit._shared_engine.cache_clear()
    monkeypatch.setattr(levels, "CALLS", 100)
    monkeypatch.setenv("TORSEUR_CACHE", "")
    again = ts.simulate(ts.load("slider_crank"), 1.0, initial={"alpha": angles}).q
    np.testing.assert_array_equal(again, few)
    assert optimised


NEXT_PROCESS = """
import torseur as ts
from torseur.machine.llvm import levels
f = ts.compile(ts.load("puma560"))
f.mass_matrix([0.1] * 6)
print(len(levels._WARMING))
"""


def test_another_process_finds_the_optimised_code(monkeypatch):
    def left_to_optimise():
        run = [sys.executable, "-c", NEXT_PROCESS]
        return int(subprocess.run(run, capture_output=True, text=True, check=True).stdout)

    monkeypatch.setattr(levels, "CALLS", 3)
    model = ts.compile(ts.load("puma560"))
    model.mass_matrix([0.1] * 6)
    assert left_to_optimise() == 1
    for _ in range(3):
        model.mass_matrix([0.1] * 6)
    assert left_to_optimise() == 0


def test_an_interruption_while_code_is_optimised_reaches_the_caller(monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(levels, "CALLS", 3)
    monkeypatch.setattr(levels, "optimised", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    model = ts.compile(ts.load("puma560"))
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(4):
                model.mass_matrix([0.1] * 6)
    finally:
        signal.signal(signal.SIGINT, before)
    monkeypatch.undo()
    assert np.isfinite(model.mass_matrix([0.1] * 6)).all()


def test_short_code_is_optimised_at_once(optimised):
    model = ts.compile(ts.load("simple_pendulum"))
    before = len(levels._WARMING)
    model.kinetic_energy([0.1], [0.2])
    assert len(levels._WARMING) == before
