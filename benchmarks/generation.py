"""The time to derive equations, to start, and to answer a command."""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import machine, robots
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import Lasted, fastest, fastest_process, process
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.equations.formalisms.derive import derive
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.symbols.system import system
from torseur.language.load import load
from torseur.model.description import Mechanism

COMMAND = "import sys; from torseur.cli import main; sys.argv[0] = 'torseur'; main()"


def run(*, quick: bool) -> Part:
    """Derivations in this process, commands in new ones."""
    repeats = 3 if quick else 15
    table, times = _derivations(repeats)
    started, processes = _processes(3 if quick else 10)
    tables, notes = [table, started], []
    if machine.version("sympy"):
        tables.append(_pendulums(quick=quick))
    else:
        notes.append(f"SymPy is not installed: {machine.HOW}.")
    six, forty, eighty = times["six"], times["forty"], times["eighty"]
    return Part(
        "generation",
        tables,
        [
            Bar("6R, all symbols: inverse dynamics, M and g", 1e3 * six, 50, "ms"),
            Bar("chain of 40 bodies, inverse dynamics", forty, 0.5, "s"),
            Bar("from 40 to 80 bodies", eighty / forty, 2.5, "×"),
            Bar("`torseur derive` of the 1980 robot, warm", processes["derive"].wall, 1.0, "s"),
            Bar("`import torseur`", processes["import"].wall, 0.3, "s"),
        ],
        [
            "Derivations: processor time of this process, best of several, modules loaded; "
            "expressions of the repeat before are forgotten.",
            "Commands: wall time of a new process, best of several; cold is the first start after "
            "an installation, without any compiled .pyc file.",
            *notes,
        ],
    )


def _model(mechanism: Mechanism) -> tuple[Any, ...]:
    """Inverse dynamics, M and g, on one regrouped tree."""
    built = system(mechanism)
    tree, still = regrouped(built.tree), np.zeros(built.tree.nv)
    return (
        inverse_dynamics(tree, built.q, built.v, built.a, built.gravity).Q,
        mass_matrix(tree, built.q),
        inverse_dynamics(tree, built.q, still, still, built.gravity).Q,
    )


def _inverse(mechanism: Mechanism) -> Any:
    return FUNCTIONS["inverse_dynamics"].build(system(mechanism))


def _derivations(repeats: int) -> tuple[Table, dict[str, float]]:
    six = robots.general_six()
    chains = {n: load(robots.general_chain(n), masses="full") for n in (20, 40, 80)}
    few = max(2, repeats // 5)
    times = {"six": fastest(lambda: _model(six), repeats)}
    rows: list[tuple[Cell, ...]] = [("6R, inverse dynamics, M and g", 1e3 * times["six"])]

    def timed(name: str, mechanism: Mechanism, function: Callable[[Mechanism], Any]) -> float:
        found = fastest(lambda: function(mechanism), few)
        rows.append((name, 1e3 * found))
        return found

    timed("6R, `derive`: M, h, g, Q and inverse dynamics", six, derive)
    for n, key in ((20, "twenty"), (40, "forty"), (80, "eighty")):
        name = f"chain of {n} bodies, inverse dynamics"
        times[key] = timed(name, chains[n], _inverse)
    timed("chain of 40 bodies, `derive`", chains[40], derive)
    timed("the 1980 robot, phrase to M, h, g (augmented bodies)", six, _report_robot)
    title = "Derivation, every parameter a symbol"
    return Table(title, ("what", "ms"), rows), times


def _report_robot(_: Mechanism) -> Any:
    return derive(load(robots.ROBOT_1980, masses="lever"), "augmented-bodies")


def _processes(repeats: int) -> tuple[Table, dict[str, Lasted]]:
    commands = {
        "nothing": ("python, nothing else", ["-c", "pass"]),
        "import": ("`import torseur`", ["-c", "import torseur"]),
        "derive": (
            "`torseur derive` of the 1980 robot",
            ["-c", COMMAND, "derive", robots.ROBOT_1980, "--masses", "lever"],
        ),
    }
    found, rows = {}, []
    for key, (name, arguments) in commands.items():
        command = [sys.executable, *arguments]
        warm = fastest_process(command, repeats)
        with tempfile.TemporaryDirectory() as empty:
            cold = process(command, {"PYTHONPYCACHEPREFIX": empty})
        found[key] = warm
        rows.append((name, cold.wall, warm.wall, warm.cpu))
    head = ("command", "cold [s]", "warm [s]", "warm, processor [s]")
    return Table("New processes", head, rows), found


def _pendulums(*, quick: bool) -> Table:
    """A cart with n pendulums: SymPy's Kane method and our derivation, each for M and forcing."""
    rows: list[tuple[Cell, ...]] = []
    for n in (2, 4) if quick else (2, 4, 6, 8):
        links = ", ".join(f"RZ(q{k}), TYK(l{k})" for k in range(1, n + 1))
        phrase = f"TX(q0), {links};"
        mechanism = load(phrase, masses="lever")
        ours = fastest(lambda mechanism=mechanism: derive(mechanism), 5)
        theirs = _sympy_pendulum(n)
        rows.append((n, 1e3 * ours, 1e3 * theirs, theirs / ours))
    head = ("pendulums on a cart", "Torseur [ms]", "SymPy [ms]", "ratio")
    return Table("Derivation beside SymPy's mechanics (Kane)", head, rows)


def _sympy_pendulum(n: int) -> float:
    from sympy.core.cache import clear_cache
    from sympy.physics.mechanics.models import n_link_pendulum_on_cart

    clear_cache()
    gc.collect()
    start = time.process_time()
    kane = n_link_pendulum_on_cart(n, cart_force=False, joint_torques=False)
    assert kane.mass_matrix.shape == (n + 1, n + 1)
    assert kane.forcing.shape == (n + 1, 1)
    return time.process_time() - start
