"""Friction of the load of joints that slide and turn, and of speeds alone, in closed form."""

import numpy as np
import pytest

import torseur as ts

MU, R, G, MASS, INERTIA = 0.2, 0.05, 9.81, 2.0, [0.1, 0.2, 0.25]


def body(kind, friction, gravity, **entries):
    joint = {"type": kind, "bodies": ["ground", "b"], "friction": friction, **entries}
    return ts.load({
        "torseur": 1,
        "gravity": gravity,
        "bodies": {"b": {"mass": MASS, "inertia": INERTIA}},
        "joints": {"J": joint},
    })  # fmt: skip


def first_accelerations(model, **speeds):
    initial = {name.replace("__", "") + ".": x for name, x in speeds.items()}
    run = ts.simulate(model, 1e-3, rate=1e3, initial=initial)
    return [float(run[f"{name}."][0]) for name in model.speeds]


@pytest.mark.parametrize(("x", "w"), [(1.0, 0.0), (0.0, 20.0), (1.0, 20.0), (-0.3, 4.0)])
def test_a_shaft_in_a_bore_rubs_along_its_screw(x, w):
    """The surface slides with (ẋ, r ω) under the load m g across the axis."""
    model = body("cylindrical", {"coefficient": MU, "radius": R}, [0, -G, 0], axis="x")
    v = np.hypot(x, R * w)
    exact = [-MU * G * x / v, -MU * MASS * G * R * (R * w / v) / INERTIA[0]]
    assert first_accelerations(model, J_distance=x, J_angle=w) == pytest.approx(exact)


def test_a_pad_on_a_plane_rubs_as_it_slides_and_turns():
    model = body("planar", {"coefficient": MU, "radius": R}, [0, 0, -G], normal="z")
    v = np.sqrt(1.25 + (3 * R) ** 2)
    exact = [-MU * G / v, -MU * G / 2 / v, -MU * MASS * G * R * (3 * R / v) / INERTIA[2]]
    assert first_accelerations(model, J_x=1.0, J_y=0.5, J_angle=3.0) == pytest.approx(exact)


def test_each_arm_of_a_cross_has_its_bearing():
    model = body("universal", {"coefficient": MU, "radius": R}, [0, 0, -G], axes=["x", "y"])
    exact = [-MU * MASS * G * R / INERTIA[0], 0.0]
    assert first_accelerations(model, J_1=3.0) == pytest.approx(exact)
    run = ts.simulate(model, 1e-3, initial={"J_1.": 3.0})
    assert run.contact("J_1: friction").state[0] == "slip"
    assert run.contact("J_2: friction").state[0] == "stick"


def test_the_load_is_refused_where_a_joint_has_no_surface():
    with pytest.raises(ts.ModelError, match="not for line contact"):
        model = body("line contact", {"coefficient": MU, "radius": R}, [0, 0, -G], normal="z",
                     line="x")  # fmt: skip
        ts.simulate(model, 0.1)


@pytest.mark.parametrize(
    ("kind", "entries", "inertia"),
    [
        ("prismatic", {"axis": "x"}, MASS),
        ("revolute", {"axis": "z"}, INERTIA[2]),
        ("cylindrical", {"axis": "x"}, MASS),
        ("planar", {"normal": "y"}, MASS),
        ("universal", {"axes": ["x", "z"]}, INERTIA[0]),
        ("spherical", {}, INERTIA[0]),
    ],
)
def test_viscous_friction_alone_is_a_law(kind, entries, inertia):
    """v = v₀ exp(−c t/m)."""
    model = body(kind, {"viscous": 2}, [0, 0, 0], **entries)
    run = ts.simulate(model, 0.5, initial={model.speeds[0]: 1.0}, rtol=1e-10)
    assert run[model.speeds[0]][-1] == pytest.approx(np.exp(-2 * 0.5 / inertia), rel=1e-6)


def test_viscous_friction_of_a_joint_is_in_its_equations():
    model = body("planar", {"viscous": 2}, [0, 0, 0], normal="z", coordinates=["x", "y", "phi"])
    assert str(ts.formalisms.formulas(model)).splitlines()[0] == "x: m_b ẍ = −2 ẋ"
    assert ts.mobility(model).degree == 3
    slide = body("prismatic", {"viscous": 2}, [0, 0, 0], axis="x")
    assert sorted(ts.linearise(slide).eigenvalues.real) == pytest.approx([-1, 0], abs=1e-9)


def test_a_contact_with_viscous_friction_alone_damps_as_a_dashpot():
    block = {
        "torseur": 1,
        "parameters": {"k": 50.0},
        "gravity": [0, -G, 0],
        "bodies": {"s": {"mass": 0}, "b": {"mass": MASS}},
        "joints": {
            "P": {"type": "prismatic", "bodies": ["ground", "s"], "axis": "x", "coordinate": "x"},
            "Q": {"type": "prismatic", "bodies": ["s", "b"], "axis": "y", "coordinate": "y"},
        },
        "contacts": {
            "c": {"bodies": ["ground", "b"], "point": [0, 0, 0], "normal": "y",
                  "friction": {"viscous": 3}}
        },
        "forces": {"spring": {"type": "joint", "joint": "P", "value": "-k*x"}},
        "initial": {"y": 0, "x": 0.3},
    }  # fmt: skip
    run = ts.simulate(block, 2.0, rate=50.0, rtol=1e-10)
    decay, rate = 0.75, np.sqrt(25 - 0.75**2)
    wave = np.cos(rate * run.t) + decay / rate * np.sin(rate * run.t)
    assert run["x"] == pytest.approx(0.3 * np.exp(-decay * run.t) * wave, abs=1e-9)
    assert set(run.contact("c").state) == {"slip"}
