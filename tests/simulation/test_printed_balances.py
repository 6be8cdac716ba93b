"""What is printed of balances adds up, and rounding is not taken for a result."""

import csv

import numpy as np
import pytest

import torseur as ts

G, M, HEIGHT = 9.81, 2.0, 0.5
BOUNCING = {
    "gravity": [0, 0, -G],
    "bodies": {"b": {"mass": M, "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"P": {"type": "slider", "bodies": ["ground", "b"], "axis": "z", "coordinate": "z"}},
    "contacts": {"floor": {"gap": "z", "restitution": 0.5}},
    "initial": {"z": HEIGHT},
}


def slider(name, first, second):
    return {"type": "slider", "bodies": [first, second], "axis": "x", "coordinate": name}


def test_the_lines_of_an_impulse_add_up_to_the_change_of_momentum():
    """From a fall to the way up: a shock of m (1 + e) v, which takes ½ m v² (1 − e²)."""
    found = ts.torseurs.impulse(ts.simulate(BOUNCING, 0.4))
    v = np.sqrt(2 * G * HEIGHT)
    assert found.shocks[2] == pytest.approx(M * 1.5 * v, rel=1e-9)
    assert found.shock_work == pytest.approx(-0.75 * M * v**2 / 2, rel=1e-8)
    rows = [line.split() for line in str(found).splitlines()[2:-1]]
    lines = {name: np.array(values, dtype=float) for name, *values in rows}
    assert set(lines) == {"weight", "shocks", "change"}
    np.testing.assert_allclose(lines["weight"] + lines["shocks"], lines["change"], atol=1e-4)
    assert f"shocks {found.shock_work:.5g} J" in str(found)


def test_a_motion_without_shocks_prints_none():
    smooth = ts.torseurs.impulse(ts.simulate(BOUNCING, 0.2))
    assert "shocks" not in str(smooth)


def test_couples_that_are_rounding_are_printed_as_zero():
    """The unit of couples is the force times the length of the mechanism, not a newton metre."""
    forces = {"weight": np.array([0, 0, -0.05, 1e-10, 0, 0])}
    still, end = np.zeros(6), np.array([0, 0, -0.05, 1e-10, 2e-11, 0])
    given = (("b",), (0.0, 1.0), "0", forces, (still, end), {"weight": 0.1}, (0.0, 0.1))
    impulse = type(ts.torseurs.impulse(ts.simulate(BOUNCING, 0.1)))
    _, _, weight, change, _ = str(impulse(*given, length=0.5)).splitlines()
    assert [weight.split()[1:], change.split()[1:]] == [["0", "0", "-0.05", "0", "0", "0"]] * 2
    small = str(impulse(*given, length=1e-9)).splitlines()[2]
    assert small.split()[4] == "1e-10"


def three_masses():
    """Masses on one line, tied by springs, whose momentum is zero."""
    ends = (("a", "b", 3), ("b", "c", 7))
    return {
        "gravity": [0, 0, 0],
        "parameters": {"m": {"value": 0.3, "unit": "kg"}},
        "bodies": {name: {"mass": "m"} for name in "abc"},
        "joints": {
            "X": slider("x", "ground", "a"),
            "Y": slider("y", "ground", "b"),
            "Z": slider("z", "ground", "c"),
        },
        "forces": {
            f"s{k}": {
                "type": "line",
                "between": [[p, [0, 0, 0]], [q, [0, 0.1, 0]]],
                "tension": f"{stiffness}*length",
            }
            for k, (p, q, stiffness) in enumerate(ends)
        },
        "initial": {"x": 0.1, "y": 0.23, "x.": 1.0, "y.": -0.7, "z.": -0.3},
    }


def test_a_first_integral_that_vanishes_is_compared_with_the_size_of_its_terms():
    """m (ẋ + ẏ + ż) is rounding, and so is its change beside m (|ẋ| + |ẏ| + |ż|)."""
    run = ts.simulate(three_masses(), 1.0)
    (drift,) = (x for x in ts.observe.monitor(run) if x.name == "P_x")
    speeds = 0.3 * sum(np.abs(run[f"{name}."]) for name in "xyz").max()
    assert 0 < drift.largest < 1e-14
    assert drift.relative == pytest.approx(drift.largest / speeds, rel=1e-9)
    (line,) = (x for x in str(ts.observe.monitor(run)).splitlines() if x.startswith("P_x"))
    assert line.split()[1:3] == ["0", "kg.m/s"]


def test_what_rests_keeps_its_momenta():
    """Speeds of rounding are no motion: their change is compared with what is usual."""
    still = three_masses() | {"initial": {"x": 0.0, "x.": 1e-17, "y.": 1e-17}}
    assert ts.observe.monitor(ts.simulate(still, 1.0)).worst < 1e-9


def test_files_hold_all_reactions_when_asked(tmp_path):
    run = ts.simulate(BOUNCING, 0.4)
    run.to_csv(tmp_path / "plain.csv")
    run.to_csv(tmp_path / "run.csv", of=["reactions"])
    with open(tmp_path / "plain.csv", encoding="utf-8") as file:
        assert next(csv.reader(file)) == ["t [s]", "z [m]", "z. [m/s]"]
    with open(tmp_path / "run.csv", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    table = dict(zip(head, np.array(rows, dtype=float).T, strict=True))
    assert [x for x in head if x.startswith("P.")] == [
        *(f"P.force.{axis} [N]" for axis in "xyz"),
        *(f"P.couple.{axis} [N·m]" for axis in "xyz"),
    ]
    reaction = run.reaction("P")
    np.testing.assert_allclose(table["P.force.z [N]"], reaction[:, 2], atol=1e-12)
    assert "floor.normal [N or N·m]" in table
