"""What composes in physics composes here: coordinates × method × contacts × control × batch."""

from functools import cache
from itertools import product

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError

LAW = {"phi": "-3*phi - 0.2*phi."}
STEPS = {"rk4": 1e-3, "symplectic": 1e-3, "moreau": 2e-4}
ERRORS = {"moreau": 1e-5}  # of steps that have no events; of all others:
ERROR = 1e-7
SPEEDS = np.array([0.8, 0.5])  # of a sledge, by the rows of a batch


@cache
def model(touches):
    """A sledge with a pendulum; it slides on two feet, or along an axis without friction."""
    foot = {"bodies": ["ground", "b"], "normal": "y", "friction": 0.3}
    along = {"type": "prismatic", "axis": "x", "coordinate": "J_x"}
    in_plane = {"type": "planar", "normal": "z"}
    made = {
        "gravity": [0, -9.81, 0],
        "bodies": {"b": {"mass": 2.0, "inertia": [1, 1, 1]},
                   "c": {"mass": 0.3, "inertia": [0.01] * 3, "centre": [0, 0.1, 0]}},
        "joints": {"J": {"bodies": ["ground", "b"], **(in_plane if touches else along)},
                   "P": {"type": "pivot", "bodies": ["b", "c"], "axis": "z",
                         "coordinate": "phi"}},
        "inputs": ["phi"],
        "initial": {"J_x.": 0.8, "phi": 0.3},
    }  # fmt: skip
    if touches:
        made["contacts"] = {
            name: {**foot, "point": [x, 0, 0]} for name, x in (("f", 0.2), ("g", -0.2))
        }
    return ts.compile(ts.load(made))


def moved(touches, control, **options):
    options |= {"control": LAW, "sample": 0.02} if control else {}
    return ts.simulate(model(touches), 0.3, rate=50, **options)


@cache
def exact(touches, control, speed):
    return moved(touches, control, rtol=1e-12, initial={"J_x.": speed})


CONTACT_OR_NOT = [(False, ("dop853", "radau", "rk4", "symplectic")),
                  (True, ("dop853", "radau", "rk4", "moreau"))]  # fmt: skip
TABLE = [
    pytest.param(touches, method, coordinates, control,
                 id=f"{'contact' if touches else 'smooth'}-{method}-{coordinates}"
                    f"{'-control' if control else ''}")
    for touches, methods in CONTACT_OR_NOT
    for method, coordinates, control in product(methods, ("joint", "absolute"), (False, True))
]  # fmt: skip


@pytest.mark.parametrize(("touches", "method", "coordinates", "control"), TABLE)
def test_every_combination_moves_alike_alone_and_in_a_batch(touches, method, coordinates, control):
    options = {"method": method, "coordinates": coordinates}
    options |= {"step": STEPS[method]} if method in STEPS else {}
    runs = moved(touches, control, initial={"J_x.": SPEEDS}, **options)
    for k, speed in enumerate(map(float, SPEEDS)):
        alone = moved(touches, control, initial={"J_x.": speed}, **options)
        for name in ("J_x", "phi"):
            error = np.abs(alone[name] - exact(touches, control, speed)[name]).max()
            assert error < ERRORS.get(method, ERROR), name
            np.testing.assert_array_equal(runs[k][name], alone[name])
        assert alone.energy_drift < 1e-5


def test_a_force_commanded_in_absolute_coordinates_works_as_in_those_of_joints():
    """Work, reactions of the joint and commands are the same; a file keeps them."""
    joint, bodies = (moved(True, True, coordinates=x, rtol=1e-11) for x in ("joint", "absolute"))
    for kind in joint.energy:
        first, second = (run.energy[kind] - run.energy[kind][0] for run in (joint, bodies))
        np.testing.assert_allclose(second, first, atol=1e-9)
    np.testing.assert_allclose(bodies.inputs, joint.inputs, atol=1e-9)
    for name in ("P", "f"):
        np.testing.assert_allclose(bodies.reaction(name), joint.reaction(name), atol=1e-7)


def test_a_motion_under_control_in_absolute_coordinates_is_carried_on():
    whole = moved(True, True, coordinates="absolute")
    options = {"control": LAW, "sample": 0.02, "rate": 50, "coordinates": "absolute"}
    first = ts.simulate(model(True), 0.1, **options)
    rest = ts.simulate(model(True), 0.2, initial=first, **options)
    assert rest["phi"][-1] == pytest.approx(whole["phi"][-1], abs=1e-9)


def test_what_is_refused_for_one_motion_is_refused_for_a_batch_at_once():
    for given in (0.8, SPEEDS):
        with pytest.raises(ModelError, match="a symplectic method cannot follow that"):
            moved(True, False, method="symplectic", coordinates="absolute",
                  initial={"J_x.": given})  # fmt: skip
