"""Every row of constraints has its own unknown, and printed lines hold along the motion."""

from collections import Counter
from importlib.resources import files

import numpy as np
import pytest
import yaml

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.equations.expressions.sampling import with_size


def example(name, **sections):
    text = (files("torseur.examples") / f"{name}.yaml").read_text()
    return ts.load(yaml.safe_load(text) | sections)


def in_every_variable():
    linkage = example("four_bar")
    yield lambda: ts.derive(linkage)
    yield lambda: ts.formalisms.lagrangian(linkage).equations
    yield lambda: ts.derive(example("four_bar", coordinates={"tilt": "alpha + beta"}))
    yield lambda: ts.derive(example("compound_pendulum"), "absolute")


@pytest.mark.parametrize("derived", list(in_every_variable()))
def test_no_two_rows_share_an_unknown(derived, tmp_path):
    equations = derived()
    unknowns = [x.name for x in equations.constraints.unknowns]
    assert len(set(unknowns)) == len(unknowns) == len(equations.J) > 1
    said = equations.formulas().text(ascii_only=True)
    acting = [name for name, row in zip(unknowns, equations.J, strict=True) if any(row)]
    assert len(acting) > 1 and all(name in said for name in acting)
    equations.save(tmp_path / "equations.json")
    again = ts.load_equations(tmp_path / "equations.json")
    assert [x.name for x in again.constraints.unknowns] == unknowns


def test_a_told_lagrangian_names_the_reactions_of_a_loop():
    told = str(ts.tell(ts.formalisms.lagrangian(example("four_bar"))))
    assert "X_C" in told and "Y_C" in told and "lambda" not in told


TILTED = {"coordinates": {"tilt": "alpha + beta"}}


CARRIED_BALL = {
    "gravity": [0, 0, -9.81],
    "bodies": {
        "cart": {"mass": 1.0},
        "top": {"mass": 0.7, "centre": [0.1, 0.2, 0.3], "inertia": [0.1, 0.2, 0.25]},
    },
    "joints": {
        "O": {"type": "slider", "bodies": ["ground", "cart"], "axis": "x", "coordinate": "x"},
        "A": {"type": "ball", "bodies": ["cart", "top"]},
    },
    "motions": {"drive": {"coordinate": "x", "law": "0.3*sin(2*t)"}},
}


@pytest.mark.parametrize(
    ("name", "changes"),
    [("four_bar", {}), ("four_bar", TILTED), ("planetary_reducer", {}), ("rolling_disc", {})],
)
def test_printed_lines_hold_along_the_motion(name, changes):
    m = example(name, **changes)
    assert_lines_hold(ts.derive(m), m)


def test_printed_lines_hold_with_attitudes_behind_what_is_eliminated():
    m = ts.load(CARRIED_BALL)
    equations = ts.derive(m, "lagrange", eliminate=["drive"])
    assert equations.system.quaternions == (("A_w", "A_x", "A_y", "A_z"),)
    assert_lines_hold(equations, m)


def assert_lines_hold(equations, m):
    run = ts.simulate(m, 0.2, rate=20)
    own, held, rows = equations.system, equations.constraints, Counter()
    at = m.parameters | {"t": run.t} | {x.name: run[x.name] for x in (*own.q, *own.v, *own.a)}
    for owner, unknown in zip(held.owners, held.unknowns, strict=True):
        at[unknown.name] = run.multiplier(owner)[:, rows[owner]]
        rows[owner] += 1
    found = equations.formulas()
    for line in (*found.lines, *found.loops):
        if line.equation is None:  # longer than a page
            continue
        value, size = with_size(expression(line.equation.left - line.equation.right), at)
        assert np.max(np.abs(value)) <= 1e-9 * np.max(size)
