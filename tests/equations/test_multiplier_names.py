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


def test_what_a_plane_and_a_rod_carry_is_called_normal_force_and_force_along():
    ladder = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "parameters": {"m": 10, "l": 2},
            "bodies": {"ladder": {"mass": "m", "inertia": [0, 0, "m*l^2/3"]}},
            "joints": {
                "plane": {
                    "type": "planar",
                    "bodies": ["ground", "ladder"],
                    "normal": "z",
                    "coordinates": ["x", "y", "theta"],
                }
            },
            "constraints": {
                "floor": {
                    "type": "point on plane",
                    "bodies": ["ground", "ladder"],
                    "point": [[0, 0, 0], [0, "-l", 0]],
                    "normal": "y",
                },
                "wall": {
                    "type": "point on plane",
                    "bodies": ["ground", "ladder"],
                    "point": [[0, 0, 0], [0, "l", 0]],
                    "normal": "x",
                },
            },
            "initial": {"theta": 0.3},
        }
    )
    said = ts.formalisms.formulas(ladder).text(ascii_only=True)
    assert "x: m*x.. = N_wall\ny: m*y.. = N_floor - m*g" in said
    governor = ts.formalisms.formulas(example("ball_governor")).text(ascii_only=True)
    assert "(m*l*(l*psi.^2*cos(alpha1) - g) + F_link1*z)*sin(alpha1)" in governor


def test_a_rod_is_written_by_its_length_without_roots():
    """|r| = l along every motion: r² = l² closes the loop, and r/l directs the force."""
    for write in (ts.formalisms.formulas, ts.tell):
        said = str(write(example("single_cylinder_engine")))
        assert "√" not in said and "sqrt" not in said
        assert ("b²" if write is ts.formalisms.formulas else "b^2") in said or "b²" in said


def test_equal_moments_of_a_body_share_their_letter():
    """What cancels for a body of revolution still does: no line of a free gyroscope is longer."""
    described = {
        "bodies": {"top": {"mass": 2, "inertia": [0.3, 0.3, 0.5]}},
        "joints": {"O": {"type": "ball", "bodies": ["ground", "top"]}},
    }
    lines = ts.formalisms.formulas(ts.load(described)).text(ascii_only=True).splitlines()
    assert "O_wz: O_wz. = 0" in lines
    assert any(line.startswith("O_wx: Ixx_top*O_wx.") for line in lines)


def test_derivations_have_letters_for_masses_that_are_numbers():
    described = {
        "gravity": [0, -9.81, 0],
        "bodies": {"rod": {"mass": 1.7, "centre": [0, -1, 0], "inertia": [0, 0, 0.3]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "rod"], "axis": "z"}},
    }
    assert "│ O: (Izz_rod + m_rod) Ö = −m_rod g sin O │" in str(ts.tell(ts.load(described)))
