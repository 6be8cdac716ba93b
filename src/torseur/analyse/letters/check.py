"""Branches in letters compared with the numerical road: the same state, the same eigenvalues."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.at_a_state.initial_states import model_of, steady_start
from torseur.analyse.letters.branching import PartlySolved
from torseur.analyse.letters.putting import powers
from torseur.analyse.stability.steady import Steady
from torseur.errors import ModelError, SolveError
from torseur.model.parameters import values

if TYPE_CHECKING:
    from torseur.analyse.at_a_state.statics import AtState
    from torseur.analyse.letters.answers import BranchInLetters
    from torseur.analyse.letters.rest import RestInLetters

Array = np.ndarray
SETS = 3  # of parameters at which a branch is compared
_TRIES = 24
_AGREES = 1e-6  # of an eigenvalue, which a double root costs digits
_REGULAR = 1e-5  # of the largest singular value of constraints
_ANYWHERE = 0.7  # a coordinate of a family
_SPREAD = (0.1, 0.4, 1.0, 3.0)  # widths of the draw, in octaves


def agreement(problem: RestInLetters, branch: PartlySolved, known: BranchInLetters) -> int | None:
    """Number of parameter sets at which numbers agree; None if they do not."""
    if known.unsolved:
        return 0
    rng = np.random.default_rng(1980)
    agreed = 0
    for attempt in range(_TRIES):
        drawn = _drawn(problem, rng, _SPREAD[min(attempt // 6, 3)])
        if drawn is None:
            return 0
        state = _state(problem, branch, drawn, _ANYWHERE * 0.5 ** (attempt // 3))
        if state is None or not all(x.holds(drawn | state) for x in known.exists):
            continue
        verdict = _compared(problem, known, drawn, state)
        if verdict is None:
            continue
        if not verdict:
            return None
        agreed += 1
        if agreed == SETS:
            break
    return agreed


def distance(problem: RestInLetters, branch: PartlySolved) -> float:
    """Distance of a branch from the start of the description, at its parameters."""
    lines = problem.lines
    drawn = {k: 1.0 if x is None else x for k, x in values(lines.mechanism.parameter_table).items()}
    drawn |= {name: float(evaluate(x, drawn)) for name, x in problem.given.items()}
    initial = {x: expression(y) for x, y in lines.mechanism.initial.items()}
    start = {x: float(evaluate(y, drawn)) for x, y in initial.items()}
    drawn |= {x: start.get(x, 1.0) for x in problem.letter_coordinates}
    drawn |= {v.name: start.get(v.name, 1.0) for v in lines.turning_speeds}
    state = _state(problem, branch, drawn)
    if state is None:
        return float("inf")
    shifts = [state[x.name] - start.get(x.name, 0.0) for x in lines.free if x.name in state]
    return float(np.linalg.norm(shifts)) if np.isfinite(shifts).all() else float("inf")


def _drawn(problem: RestInLetters, rng: np.random.Generator, width: float) -> Any:
    """Values of parameters about the described ones, of kept coordinates and of held speeds."""
    mechanism = problem.lines.mechanism
    table = values(mechanism.parameter_table)
    known = {name: 1.0 if x is None else x for name, x in table.items()}
    drawn = {name: x * 2 ** rng.uniform(-width, width) for name, x in known.items()}
    drawn |= {name: float(evaluate(x, drawn)) for name, x in problem.given.items()}
    for x in problem.lines.s:
        if x.name in problem.letter_coordinates:
            drawn[x.name] = float(rng.uniform(0.3, 1.3))
    if not problem.letter_coordinates:
        drawn |= {v.name: float(rng.uniform(1, 8)) for v in problem.lines.turning_speeds}
    return drawn


def _state(
    problem: RestInLetters,
    branch: PartlySolved,
    drawn: dict[str, float],
    anywhere: float = _ANYWHERE,
) -> Any:
    """Coordinates, loads and speeds of a branch by name; None where it does not exist.

    Coordinates that nothing determines are `anywhere`.
    """
    atoms = problem.letters.atoms
    table: dict[int, float] = {}
    for k, x in enumerate(atoms):
        names = {y.name for y in free_symbols([x])}
        if names <= drawn.keys() and k not in problem.unknowns:
            table[k] = float(evaluate(x, drawn))
    for p in branch.required:
        for load in problem.loads:
            parts = powers(p, load)
            if max(parts) == 1:
                table[load] = -_value(parts.get(0, p.ring.zero), table) / _value(parts[1], table)
                drawn[atoms[load].name] = table[load]
                break
    sought = {*problem.unknowns, *branch.given}
    waves = {"cos": np.cos, "sin": np.sin}
    for k in sought - branch.given.keys() - branch.squares.keys():  # a family
        table[k] = float(waves.get(atoms[k].op, float)(anywhere))
    for angle, (cosine, sine) in problem.bare.items():
        if angle not in branch.given:
            turned = {cosine: float(np.cos(anywhere)), sine: float(np.sin(anywhere))}
            table |= {angle: anywhere, **turned}
    for k, quadratic in branch.squares.items():
        parts = powers(quadratic, k)
        a, b, c = (_value(parts.get(e, quadratic.ring.zero), table) for e in (2, 1, 0))
        if not a or b * b < 4 * a * c:
            return None
        table[k] = (-b + sqrt(b * b - 4 * a * c)) / (2 * a)
    for k, value in branch.given.items():
        below = _value(value.below, table)
        if not below:
            return None
        table[k] = _value(value.above, table) / below
    return _named(problem, table)


def _named(problem: RestInLetters, table: dict[int, float]) -> dict[str, float] | None:
    """Coordinates from sines and cosines, and the others as they are."""
    named: dict[str, float] = {}
    letters = problem.letters
    for k, x in enumerate(letters.atoms):
        if x.op == "symbol" and k in table:
            named[x.name] = table[k]
        elif x.op == "cos" and x.args[0].op == "symbol" and k in problem.unknowns:
            sine = letters.place(x.args[0].sin())
            if abs(table[k] ** 2 + table[sine] ** 2 - 1) > 1e-9:
                return None
            named[x.args[0].name] = float(np.arctan2(table[sine], table[k]))
    return named


def _value(p: Any, table: dict[int, float]) -> float:
    """A polynomial at numbers; a letter without one counts only where it does not occur."""
    total = 0.0
    for monomial, coefficient in p.terms():
        term = float(coefficient)
        for k, e in enumerate(monomial):
            if e:
                term *= table[k] ** e
        total += term
    return total


def _compared(
    problem: RestInLetters, known: BranchInLetters, drawn: dict[str, float], state: dict[str, float]
) -> bool | None:
    """Whether numbers agree; None where the numerical state cannot be made."""
    lines = problem.lines
    named = drawn | state
    given = {x.name: named[x.name] for x in lines.free if x.name in named}
    given |= {v.name: named[v.name] for v in lines.turning_speeds if v.name in named}
    try:
        model = model_of(lines.mechanism, {n: named[n] for n in lines.mechanism.parameter_table})
        steady, _ = steady_start(model, given, modes=lines.modes)
    except (ModelError, SolveError):
        return None
    if len(steady.chart.shifts) != len(lines.s) - lines.closed:
        return None  # where loops meet themselves numbers have another count
    if _meets_itself(steady):
        return None
    missed = [steady.q[list(lines.coordinates).index(name)] - x for name, x in given.items()
              if not name.endswith(".")]  # fmt: skip
    off = float(np.abs(np.sin(np.array(missed) / 2)).max(initial=0.0))
    if off > 1e-6:
        return None
    if np.abs(steady.F * steady.arms).max(initial=0.0) > (1e-7 + 10 * off) * steady.largest:
        return False
    if not known.characteristic:
        return True
    try:
        eigenvalues = np.asarray(Steady(steady).small_motions.eigenvalues, dtype=complex)
    except SolveError:  # branches of the linkage meet there: numbers do not decide
        return None
    return _same_roots(known, named, eigenvalues)


def _meets_itself(steady: AtState) -> bool:
    """Whether rows of constraints vanish there but for rounding: small motions are not unique."""
    J = steady.terms.J
    sizes = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    near = (sizes > _REGULAR * sizes.max(initial=0.0)).sum()
    return bool(near < (sizes > 1e-12 * sizes.max(initial=0.0)).sum())


def _same_roots(known: BranchInLetters, named: dict[str, float], eigenvalues: Array) -> bool:
    """Whether every root in letters is an eigenvalue, and the verdict that of the roots."""
    coefficients = [float(evaluate(x, named)) for x in known.characteristic]
    roots = np.roots(coefficients[::-1]).astype(complex)
    squared = known.variable == "omega^2"
    exponents = np.concatenate([1j * np.sqrt(roots), -1j * np.sqrt(roots)]) if squared else roots
    size = max(np.abs(exponents).max(initial=0.0), 1e-12)
    for x in exponents:
        if not len(eigenvalues) or np.abs(eigenvalues - x).min() > _AGREES * size:
            return False
    if known.verdict == "unknown":
        return True
    stable = bool(np.all(exponents.real < _AGREES * size) if squared else np.all(roots.real < 0))
    if squared:
        stable = stable and bool(np.all(np.abs(roots.imag) < 1e-9 * np.abs(roots).max()))
    claimed = known.verdict != "unstable" and all(x.holds(named) for x in known.stable)
    return stable == claimed
