"""A right formula is right however it is rewritten; a formula with one fault is refused.

Whether a mutated formula is wrong is decided here by numbers of its own: a mutation that happens to
give an equivalent formula must be accepted.
"""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from formula_rewritings import (
    STYLES,
    add,
    as_equation,
    mutated,
    neg,
    number,
    rewritten,
    value,
    written,
)

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.algebra.forms.readable import readable
from torseur.model.values.scales import coordinate_units
from torseur.teach.answers.formula_dimensions import node_of
from torseur.teach.answers.question import asked_quantity
from torseur.teach.answers.right_model import RightModel

STATES = 8
LONGEST = 1200  # characters of a formula
EXAMPLES = {
    "elliptic_pendulum": ("y", "theta", "T", "V", "H"),
    "rotating_arm": ("theta", "lam", "T", "L"),
    "cart_pendulum": ("theta", "T"),
    "double_pendulum": ("theta1", "theta2", "T", "V"),
    "spherical_pendulum": None,
    "vibration_absorber": ("lam", "V"),
}
SEEDS = range(4)


def _random_mechanism(seed):
    """A chain of two bodies on pivots and sliders of random axes, with letters for everything."""
    rng = np.random.default_rng(seed)
    parameters, bodies, joints, before = {}, {}, {}, "ground"
    for k in ("1", "2"):
        turns = bool(rng.random() < 0.7)
        axis = str(rng.choice(["x", "y", "z"]))
        for name, unit in (("m", "kg"), ("l", "m"), ("I", "kg.m^2")):
            parameters[name + k] = {"value": float(rng.uniform(0.3, 2)), "unit": unit}
        centre = [0, 0, 0]
        centre[int(rng.integers(3))] = f"l{k}"
        bodies[f"B{k}"] = {"mass": f"m{k}", "centre": centre,
                           "inertia": [f"I{k}", f"I{k}", f"I{k}"]}  # fmt: skip
        point = [[0, 0, 0] if k == "1" else ["l1", 0, 0], [0, 0, 0]]
        joints[f"J{k}"] = {"type": "pivot" if turns else "slider", "bodies": [before, f"B{k}"],
                           "axis": axis, "point": point,
                           "coordinate": f"theta{k}" if turns else f"x{k}"}  # fmt: skip
        before = f"B{k}"
    return ts.load(
        {"gravity": [0, 0, -9.81], "parameters": parameters, "bodies": bodies, "joints": joints}
    )


@cache
def model(name):
    if name.startswith("random"):
        return _random_mechanism(int(name.removeprefix("random")))
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


@cache
def subject(name, of):
    """The right formula as a tree, its letters by family, and the equations as trees."""
    made = RightModel(model(name))
    right = node_of(expression(readable(asked_quantity(made, of).expected)))
    rows = [node_of(expression(row)) for row in made.rows]
    used = {x.value for row in (*rows, right) for x in row.walk() if x.kind == "symbol"}
    parameters = tuple(sorted(used & set(made.mechanism.parameter_table)))
    moving = tuple(tuple(x.name for x in part) for part in (made.system.q, made.system.v))
    accelerations = tuple(x.name for x in made.system.a)
    return right, parameters, (*moving, accelerations), rows


def _states(name, parameters, moving, rng):
    """Lengths are positive, angles have both signs."""
    units = coordinate_units(model(name))
    at = {name: rng.uniform(0.6, 1.7, STATES) for name in parameters}
    for q in moving[0]:
        signs = 1 if units[q] == "m" else rng.choice([-1, 1], STATES)
        at[q] = signs * rng.uniform(0.3, 1.3, STATES)
    return at | {name: rng.normal(size=STATES) for part in moving[1:] for name in part}


def _is_equation(name, of):
    return of in RightModel(model(name)).coordinates


# --- what is right, by numbers of its own ---------------------------------------------------------


def _vanishes(numbers, size):
    return bool((np.abs(numbers) <= 1e-9 * size).all())


def _equivalent(name, of, given):
    """Whether a formula says the same as the right one."""
    right, parameters, moving, rows = subject(name, of)
    rng = np.random.default_rng(7)
    at = _states(name, parameters, moving, rng)
    if _is_equation(name, of):
        names = RightModel(model(name)).coordinates
        return _follows(given, rows, moving[2], at, names.index(of))
    apart = value(given, at) - value(right, at)
    size = np.abs(value(given, at)) + np.abs(value(right, at)) + 1e-3
    if _vanishes(apart, size):
        return True
    if of not in ("V", "L", "H"):
        return False
    other = dict(at) | {n: rng.uniform(0.3, 1.3, STATES) for part in moving for n in part}
    return _vanishes(value(given, other) - value(right, other) - apart, size)


def _follows(given, rows, accelerations, at, k):
    """Whether a formula vanishes with the true accelerations and contains the k-th equation."""
    n = len(rows)

    def probed(tree):
        still = dict(at) | {name: np.zeros(STATES) for name in accelerations}
        zero = np.broadcast_to(value(tree, still), STATES)
        ones = [dict(still) | {name: np.ones(STATES)} for name in accelerations]
        return zero, np.array([value(tree, one) - zero for one in ones])

    system = [probed(row) for row in rows]
    mine, slope = probed(given)
    for s in range(STATES):
        A = np.array([system[i][1][:, s] for i in range(n)])
        a = np.linalg.solve(A, -np.array([system[i][0][s] for i in range(n)]))
        size = abs(mine[s]) + np.abs(slope[:, s] * a).sum() + 1e-3 * np.abs(slope[:, s]).max()
        says_nothing = not slope[:, s].any()
        if says_nothing or abs(mine[s] + slope[:, s] @ a) > 1e-9 * size:
            return False
        parts = np.linalg.solve(A.T, slope[:, s])
        if abs(parts[k]) < 1e-9 * np.abs(parts).max():
            return False
    return True


# --- the laws -------------------------------------------------------------------------------------


def _rewritings_are_accepted(name, of, count):
    right, parameters, _, _ = subject(name, of)
    rng = np.random.default_rng([len(name), len(of), count])
    for k in range(count):
        text = " " * LONGEST
        while len(text) >= LONGEST:  # the reader has a limit
            tree = rewritten(right, rng, int(rng.integers(1, 7)))
            equation = as_equation(tree, rng, parameters) if _is_equation(name, of) else tree
            text = written(equation, STYLES[k % len(STYLES)])
        answer = ts.check_answer(model(name), text, of=of)
        assert answer.right, f"{text}\n{answer}"


def _mutations_are_judged(name, of, count, enough):
    """Changed formulas are right just if they are equivalent; `enough` of them were not.

    Most changes of an equation of one term only change its factor: more of them are tried.
    """
    right, parameters, moving, _ = subject(name, of)
    rng = np.random.default_rng([len(name), len(of), count, 1])
    refused = 0
    for k in range(20 * count):
        if k >= count and refused >= enough:
            break
        tree = mutated(right, rng, parameters, moving)
        expected = _equivalent(name, of, tree)
        text = written(tree, STYLES[k % len(STYLES)])
        answer = ts.check_answer(model(name), text, of=of)
        faulty = any(fault.code == "INHD" for fault in answer.faults)
        assert answer.right == (expected and not faulty), f"{text}\n{answer}"
        refused += not answer.right
    assert refused >= enough


def _cases(names):
    return [
        (name, of)
        for name in names
        for of in (EXAMPLES.get(name) or (*model(name).coordinates, "T", "V"))
    ]


RANDOM = [f"random{seed}" for seed in SEEDS]
QUICK = [("elliptic_pendulum", "y"), ("elliptic_pendulum", "H"), ("rotating_arm", "lam"),
         ("double_pendulum", "T"), ("vibration_absorber", "V"), *((x, "T") for x in RANDOM[:2]),
         *((x, model(x).coordinates[0]) for x in RANDOM[:3])]  # fmt: skip


@pytest.mark.parametrize(("name", "of"), QUICK)
def test_rewritings_of_a_right_formula_are_right(name, of):
    _rewritings_are_accepted(name, of, 5)


@pytest.mark.parametrize(("name", "of"), QUICK)
def test_one_fault_makes_a_formula_wrong(name, of):
    _mutations_are_judged(name, of, 5, 3)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "of"), _cases([*EXAMPLES, *RANDOM]))
def test_a_hundred_rewritings_of_a_right_formula_are_right(name, of):
    _rewritings_are_accepted(name, of, 100)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "of"), _cases([*EXAMPLES, *RANDOM]))
def test_a_hundred_formulas_with_one_fault_are_refused(name, of):
    _mutations_are_judged(name, of, 100, 60)


def test_the_judge_of_this_test_knows_equivalent_from_wrong():
    right, *_ = subject("elliptic_pendulum", "y")
    assert _equivalent("elliptic_pendulum", "y", neg(right))
    assert not _equivalent("elliptic_pendulum", "y", add(right, number(1)))
    V, *_ = subject("elliptic_pendulum", "V")
    assert _equivalent("elliptic_pendulum", "V", add(V, number(1)))
    assert not _equivalent("elliptic_pendulum", "V", neg(V))
