"""Formalisms side by side: what each costs, and a pendulum of ten rods beside other generators."""

from __future__ import annotations

import gc
import time
from typing import Any

import numpy as np

from benchmarks import machine, robots
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.algebra.core.graph import evaluate, flat
from torseur.algebra.forms.count import count
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.equations.formalisms.compare import compare
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import system
from torseur.language.load import load
from torseur.model.description import Mechanism

Array = np.ndarray
RODS = 10
TOLERANCE = 1e-9

# M and h of ten rods by others: operations after their own elimination of common terms
OTHERS = {"SymPy 1.14, Kane and cse": 2503, "CasADi": 1845, "symengine, cse": 5489}
SLOWEST = 8.7  # [s] of SymPy's Kane method, on the machine the bar was set on


def run(*, quick: bool) -> Part:
    """Costs of every formalism on two robots, and M and h of a pendulum of rods."""
    repeats = 2 if quick else 5
    six = robots.general_six()
    lagrange = fastest(lambda: derive(six, "lagrange"), repeats)
    pendulum = rods(RODS)
    ours = fastest(lambda: mass_and_bias(pendulum), 3 * repeats)
    operations = count([x for part in mass_and_bias(pendulum) for x in flat(part)]).total
    rows: list[tuple[Cell, ...]] = [("Torseur: M and h alone", operations, 1e3 * ours)]
    for name in ("newton-euler", "kane", "lagrange", "virtual-power"):
        took = fastest(lambda name=name: derive(pendulum, name), repeats)
        found = operations_of(derive(pendulum, name))
        rows.append((f"Torseur, {name}: M, h, g, Q", found, 1e3 * took))
    theirs: dict[str, float] = {"as measured once": SLOWEST}
    notes = []
    if machine.version("sympy"):
        n, theirs = 3 if quick else RODS, {}
        for angles, times in (("the same angles", 1), ("absolute angles, its best", 1 + repeats)):
            took, counted = _sympy(n, relative=times == 1, times=times)
            rows.append((f"SymPy, Kane and cse, {n} rods, {angles}", counted, 1e3 * took))
            theirs[angles] = took
        ours = min(ours, fastest(lambda: mass_and_bias(pendulum), 3 * repeats))
    else:
        notes.append(f"SymPy is not installed: {machine.HOW}.")
    rows += [(f"{name}, as measured once", count, None) for name, count in OTHERS.items()]
    tables = [
        _costs("the 1980 robot", load(robots.ROBOT_1980, masses="lever")),
        _costs("6R, every parameter a symbol", six),
        Table(f"M and h of {RODS} rods", ("by", "operations", "ms"), rows),
    ]
    bars = [
        Bar("6R, all symbols, by differentiating T", lagrange, 2.0, "s"),
        Bar(f"{RODS} rods, M and h", operations, min(OTHERS.values()) - 1, "operations"),
    ]
    if not quick:
        bars += [
            Bar(f"SymPy's time over ours, M and h, {what}", took / ours, 100, "×", at_least=True)
            for what, took in theirs.items()
        ]
    return Part("formalisms", tables, bars, notes)


def rods(n: int) -> Mechanism:
    """A pendulum of n rods in a plane, each with its mass, its lever and its inertia."""
    links = ", ".join(f"RZ(q{k}), TYK(L{k})" for k in range(1, n + 1))
    return load(f"{links};", masses="lever")


def mass_and_bias(mechanism: Mechanism) -> tuple[Array, Array]:
    """M and h, and nothing else."""
    made = system(mechanism)
    tree, still = regrouped(made.tree), np.zeros(made.tree.nv)
    h = inverse_dynamics(tree, made.q, made.v, still, np.zeros(3)).Q
    return mass_matrix(tree, made.q), h


def operations_of(equations: Equations) -> int:
    """Of M and h together."""
    return count([*flat(equations.M), *flat(equations.h)]).total


def _costs(what: str, mechanism: Mechanism) -> Table:
    found = compare(mechanism)
    if not found.agree:
        raise ArithmeticError(f"{what}: the formalisms differ.\n{found}")
    rows: list[tuple[Cell, ...]] = [
        (row.formalism, row.operations.total, 1e3 * row.seconds)
        for row in found.rows
        if row.operations is not None
    ]
    return Table(f"Formalisms: {what}", ("formalism", "M, h, g and Q", "ms"), rows)


# --- SymPy ---------------------------------------------------------------------------------------


def _sympy(n: int, *, relative: bool, times: int) -> tuple[float, int]:
    """The best time of SymPy's Kane method for M and h [s], and their operations after cse.

    With the angles of the joints, as ours are, or with absolute ones, which is its best case; the
    result is checked against ours. As for ours, garbage collection is off.
    """
    import sympy
    from sympy.core.cache import clear_cache

    took = float("inf")
    for _ in range(times):
        clear_cache()
        gc.collect()
        gc.disable()
        start = time.process_time()
        kane, symbols = _kane(n, relative=relative)
        M, forcing = kane.mass_matrix, kane.forcing
        took = min(took, time.process_time() - start)
        gc.enable()
    _check(n, M, forcing, symbols, np.eye(n) if relative else np.tril(np.ones((n, n))))
    steps, reduced = sympy.cse([*M, *forcing])
    return took, sum(int(sympy.count_ops(x)) for x in (*(s[1] for s in steps), *reduced))


def _kane(n: int, *, relative: bool) -> tuple[Any, dict[str, Any]]:
    from sympy import symbols
    from sympy.physics.mechanics import (
        KanesMethod,
        Point,
        ReferenceFrame,
        RigidBody,
        dynamicsymbols,
        inertia,
    )

    q, u = dynamicsymbols(f"q1:{n + 1}"), dynamicsymbols(f"u1:{n + 1}")
    letters = {x: symbols(f"{x}1:{n + 1}") for x in ("L", "M", "D", "IZ")}
    ground, pin = ReferenceFrame("N"), Point("O")
    pin.set_vel(ground, 0)
    bodies, carrier = [], ground
    for k in range(n):
        frame = carrier.orientnew(f"B{k}", "Axis", [q[k], carrier.z])
        frame.set_ang_vel(carrier, u[k] * carrier.z)
        carrier = frame if relative else ground
        centre = pin.locatenew(f"G{k}", letters["D"][k] * frame.y)
        centre.v2pt_theory(pin, ground, frame)
        following = pin.locatenew(f"P{k}", letters["L"][k] * frame.y)
        following.v2pt_theory(pin, ground, frame)
        about = (inertia(frame, 0, 0, letters["IZ"][k]), centre)
        bodies.append(RigidBody(f"S{k}", centre, frame, letters["M"][k], about))
        pin = following
    rates = [a.diff() - b for a, b in zip(q, u, strict=True)]
    kane = KanesMethod(ground, q_ind=q, u_ind=u, kd_eqs=rates)
    kane.kanes_equations(bodies, [])
    return kane, {**letters, "q": q, "u": u}


def _check(n: int, M: Any, forcing: Any, symbols: dict[str, Any], W: Array) -> None:
    """Their speeds are W v, ours being those of the joints."""
    import sympy

    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(2, n))
    pendulum = rods(n)
    values = {name: rng.uniform(0.5, 1.5) for name in pendulum.parameters}
    theirs = dict(zip(symbols["q"], W @ q, strict=True))
    theirs |= dict(zip(symbols["u"], W @ v, strict=True))
    for letter in ("L", "M", "D", "IZ"):
        theirs |= {x: values[f"{letter}{k + 1}"] for k, x in enumerate(symbols[letter])}
    names, numbers = zip(*theirs.items(), strict=True)
    function = sympy.lambdify(names, [M, forcing], cse=True)
    own_M, own_forcing = (np.asarray(x, dtype=float) for x in function(*numbers))
    ours = derive(pendulum)
    values |= {f"q{k + 1}": q[k] for k in range(n)} | {f"q{k + 1}.": v[k] for k in range(n)}
    found_M, found_h = (np.asarray(evaluate(x, values), dtype=float) for x in (ours.M, ours.h))
    apart = np.abs(found_M - W.T @ own_M @ W).max() / np.abs(found_M).max()
    apart = max(apart, np.abs(found_h + W.T @ own_forcing[:, 0]).max() / np.abs(found_h).max())
    if not apart <= TOLERANCE:
        raise ArithmeticError(f"SymPy and Torseur differ by {apart:.1e} on {n} rods.")
