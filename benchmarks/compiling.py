"""The time from a mechanism to machine code, made or found in the cache."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from benchmarks import robots
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest, fastest_process, process
from torseur.machine.compiled import compile

FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "forward_dynamics_derivatives")
# A new process: the phrase, the functions of the cache, one call.
_FIRST = """
import time; start = time.perf_counter()
import numpy as np
import torseur
from torseur.machine.compiled import compile
from torseur.language.load import load
loaded = time.perf_counter()
m = load({phrase!r}, masses="full", gravity=(0, 0, "G"))
read = time.perf_counter()
f = compile(m).with_parameters(**{values!r})
q, v, Q = np.zeros((3, 7))
f.forward_dynamics(q, v, Q)
called = time.perf_counter()
print(loaded - start, read - loaded, called - read)
"""


def run(*, quick: bool) -> Part:
    """Cold, from the cache, and the first call of a new process."""
    repeats = 2 if quick else 7
    arm = robots.seven()
    rows: list[tuple[Cell, ...]] = []
    cold, kept = {}, {}
    for name in FUNCTIONS:
        with _cache(""):
            cold[name] = fastest(lambda name=name: _compiled(arm, name), repeats)
        with tempfile.TemporaryDirectory() as folder, _cache(folder):
            _compiled(arm, name)
            kept[name] = fastest(lambda name=name: _compiled(arm, name), 5 * repeats)
        rows.append((name.replace("_", " "), 1e3 * cold[name], 1e3 * kept[name]))
    compiled = Table("7R arm, all entries", ("function", "cold [ms]", "from the cache [ms]"), rows)
    started, whole = _new_processes(arm, repeats)
    name = "forward_dynamics"
    return Part(
        "compiling",
        [compiled, started],
        [
            Bar("7R forward dynamics, both entries, cold", cold[name], 0.5, "s"),
            Bar("the same from the cache", 1e3 * kept[name], 10, "ms"),
            Bar("new process, import and first call from the cache", whole, 1.5, "s"),
        ],
        [
            "Cold: derivation, IR and machine code, with the cache switched off; LLVM and the "
            "modules are loaded. From the cache: fingerprint of the mechanism, object code read "
            "and linked. Processor time, best of several.",
            "New process: wall time, best of several; the machine code is in the cache.",
        ],
    )


def _compiled(robot: robots.Robot, name: str) -> object:
    """A function of a new model: nothing is shared but the cache on disk.

    A mechanism keeps its model, so that the model of a copy is new.
    """
    return compile(replace(robot.mechanism)).with_parameters(**robot.values).function(name)


@contextmanager
def _cache(folder: str) -> Iterator[None]:
    """The cache in a folder; nowhere for an empty name."""
    before = os.environ.get("TORSEUR_CACHE")
    os.environ["TORSEUR_CACHE"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["TORSEUR_CACHE"]
        else:
            os.environ["TORSEUR_CACHE"] = before


def _new_processes(arm: robots.Robot, repeats: int) -> tuple[Table, float]:
    text = _FIRST.format(phrase=arm.mechanism.phrase, values=arm.values)
    with tempfile.TemporaryDirectory() as folder:
        environment = {"TORSEUR_CACHE": folder}
        command = [sys.executable, "-c", text]
        cold = process(command, environment)
        warm = fastest_process(command, 2 * repeats, environment)
    parts = np.array([[float(x) for x in run.output.split()] for run in (cold, warm)])
    names = ("imports", "reading the phrase", "compile and first call")
    rows: list[tuple[Cell, ...]] = [
        (name, 1e3 * parts[0, k], 1e3 * parts[1, k]) for k, name in enumerate(names)
    ]
    rows.append(("the whole process", 1e3 * cold.wall, 1e3 * warm.wall))
    head = ("first call of a new process", "empty cache [ms]", "from the cache [ms]")
    return Table("7R arm, forward dynamics", head, rows), warm.wall
