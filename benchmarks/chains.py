"""The cost per body of long chains; each length is measured in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import machine, robots
from benchmarks.outcome import Cell, Part, Table
from benchmarks.scaling_plot import plot
from benchmarks.timing import Effort, Job, race

Array = np.ndarray
LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
LONGEST_OF_PINOCCHIO = 300  # its Data grow as n³: 0.6 GB for 200 bodies, 4.1 GB for 400
PATIENCE = 90.0  # [s] for one length
TOLERANCE = 1e-10


def run(*, quick: bool) -> Part:
    """Forward dynamics of chains of 10 to 10 000 bodies, and the figure of their cost."""
    found, notes = [], []
    for bodies in LENGTHS[::2] if quick else LENGTHS:
        one = _measured(bodies)
        if one is None:
            notes.append(f"{bodies} bodies and more: not compiled within {PATIENCE:g} s.")
            break
        found.append(one)
    rows: list[tuple[Cell, ...]] = [_row(one) for one in found]
    head = ("bodies", "description [s]", "compile [s]", "one call [µs]", "a body [ns]")
    table = Table("Chains, forward dynamics", (*head, "Pinocchio, a body [ns]", "ratio"), rows)
    notes += [f"Figure: {path}" for path in plot(found, machine.processor())]
    notes.append(
        "One call from Python, processor time, best of repeats of at least 2 ms. Before, the "
        "accelerations are put into inverse dynamics, ours and Pinocchio's: what is left over is "
        "below 1e-10 of the largest term. Description and compile: nothing cached."
    )
    if machine.version("pin"):
        longest = f"{LONGEST_OF_PINOCCHIO} bodies"
        notes.append(f"Pinocchio above {longest}: its Data grow as n³, 4 GB at 400 bodies.")
    else:
        notes.append(f"Pinocchio is not installed: {machine.HOW}.")
    return Part("chains", [table], notes=notes)


def _row(one: dict[str, Any]) -> tuple[Cell, ...]:
    n, call, theirs = one["bodies"], one["call"], one.get("pinocchio")
    body, other = 1e9 * call / n, theirs and 1e9 * theirs / n
    ratio = theirs and f"×{theirs / call:.3g}"
    return n, one["load"], one["compile"], 1e6 * call, body, other, ratio


def _measured(bodies: int) -> dict[str, Any] | None:
    """What a process of its own finds; None if it is not ready in time."""
    command = [sys.executable, "-m", "benchmarks.chains", str(bodies)]
    environment = {**os.environ, "TORSEUR_CACHE": ""}
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise RuntimeError(f"a chain of {bodies} bodies failed:\n{done.stderr}")
    return json.loads(done.stdout)


def measure(bodies: int) -> dict[str, Any]:
    """Times of one length [s]."""
    from torseur.machine.compiled import compile

    start = time.process_time()
    robot = robots.chain(bodies)
    read = time.process_time()
    model = compile(robot.mechanism).with_parameters(**robot.values)
    function = model.forward_dynamics
    ready = time.process_time()
    found: dict[str, Any] = {"bodies": bodies, "load": read - start, "compile": ready - read}
    q, v, x = np.random.default_rng(bodies).normal(size=(3, bodies))
    a = function(q, v, x)
    check(robot, model.inverse_dynamics, (q, v, a), x)
    jobs = {"call": Job("f(q, v, x)", {"f": function, "q": q, "v": v, "x": x})}
    if machine.version("pin") and bodies <= LONGEST_OF_PINOCCHIO:
        jobs["pinocchio"] = _pinocchio(robot, (q, v, a), x)
    return found | race(jobs, Effort())


def check(robot: robots.Robot, forces: Callable[..., Array], state: Any, x: Array) -> None:
    """Nothing, if accelerations satisfy the equations to 1e-10 of their largest term."""
    q, v, a = state
    bias, whole = forces(q, v, np.zeros(len(a))), forces(q, v, a)
    left = np.abs(whole - x).max() / max(np.abs(bias).max(), np.abs(whole - bias).max())
    if not left <= TOLERANCE:
        raise ArithmeticError(f"{robot.name}: {left:.1e} of the largest term is left over.")


def _pinocchio(robot: robots.Robot, state: Any, x: Array) -> Job:
    """Its articulated-body algorithm, once it agrees on the accelerations."""
    import pinocchio as pin

    from benchmarks.engines.with_pinocchio import pinocchio_model

    model = pinocchio_model(robot)
    data = model.createData()
    check(robot, lambda q, v, a: pin.rnea(model, data, q, v, a), state, x)
    names = {"aba": pin.aba, "model": model, "data": data, "q": state[0], "v": state[1], "x": x}
    return Job("aba(model, data, q, v, x)", names)


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
