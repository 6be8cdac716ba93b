"""Bushings, cables, drag and tyres against closed forms, in both kinds of coordinates."""

import numpy as np
import pytest

import torseur as ts

ENGINE = {
    "gravity": [0, 0, 0],
    "bodies": {"engine": {"mass": 4, "inertia": [0.5, 0.6, 0.7]}},
    "joints": {"free": {"type": "free", "bodies": ["ground", "engine"]}},
}
K = [900.0, 1600.0, 2500.0, 20.0, 30.0, 40.0]
MOUNT = {"type": "bushing", "between": [["ground", [0, 0, 0]], ["engine", [0, 0, 0]]]}


def mounted(**entries):
    return ts.load(ENGINE | {"forces": {"mount": MOUNT | entries}})


def test_a_body_on_a_bushing_has_the_six_frequencies_of_its_stiffnesses():
    found = ts.linearise(mounted(stiffness=K)).frequencies
    inertia = [4, 4, 4, 0.5, 0.6, 0.7]
    np.testing.assert_allclose(np.sort(found), np.sort(np.sqrt(np.divide(K, inertia))), rtol=1e-12)


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize("angle", [-1.4, 0.3, 1.5])
def test_about_one_axis_the_couple_is_linear_in_the_angle_however_large(axis, angle):
    model = ENGINE | {
        "joints": {"A": {"type": "pivot", "bodies": ["ground", "engine"], "axis": axis}}
    }
    f = ts.compile(ts.load(model | {"forces": {"mount": MOUNT | {"stiffness": K}}}))
    stiffness = K[3 + "xyz".index(axis)]
    np.testing.assert_allclose(f.applied([angle], [0.0]), [-stiffness * angle], rtol=1e-13)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_bushing_keeps_energy_and_both_coordinates_agree(coordinates):
    model = mounted(stiffness=K, force=["-5000*dx^3", 0, 0])
    initial = dict(zip(model.speeds, [0.3, 0, 0.2, 1.5, -1.0, 0.7], strict=True))
    times = {"at": [0.7, 2.0], "rtol": 1e-10, "initial": initial}
    run = ts.simulate(model, coordinates=coordinates, **times)
    assert run.energy_drift < 1e-7
    np.testing.assert_allclose(run.q, ts.simulate(model, **times).q, atol=1e-7)


def test_a_bushing_with_the_stiffness_of_a_beam_bends_as_a_beam():
    """A force at the end of a cantilever: deflection F L³/(3 E I), slope F L²/(2 E I)."""
    length, bending, force = 0.8, 300.0, 0.01
    y, yr, r = (
        f"{x!r}" for x in (12 * bending / length**3, -6 * bending / length**2, 4 * bending / length)
    )
    stiffness = [
        [1e5, 0, 0, 0, 0, 0],
        [0, y, 0, 0, 0, yr],
        [0, 0, 1e5, 0, 0, 0],
        [0, 0, 0, 1e5, 0, 0],
        [0, 0, 0, 0, 1e5, 0],
        [0, yr, 0, 0, 0, r],
    ]
    plane = {
        "P": {
            "type": "planar",
            "bodies": ["ground", "engine"],
            "normal": "z",
            "coordinates": ["x", "y", "a"],
        }
    }
    push = {"type": "wrench", "body": "engine", "force": [0, force, 0]}
    model = ts.load(
        ENGINE
        | {"joints": plane, "forces": {"beam": MOUNT | {"stiffness": stiffness}, "push": push}}
    )
    (rest,) = ts.equilibria(model)
    assert rest.coordinates["y"] == pytest.approx(force * length**3 / (3 * bending), rel=1e-6)
    assert rest.coordinates["a"] == pytest.approx(force * length**2 / (2 * bending), rel=1e-6)


def test_a_stiffness_that_is_not_symmetric_is_refused():
    rows = np.diag(K).tolist()
    rows[0][5] = 1.0
    with pytest.raises(ts.ModelError, match="not symmetric"):
        mounted(stiffness=rows)


def sliding(force, **more):
    return ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"mass": {"mass": 2, "inertia": [1, 1, 1]}},
            "joints": {"z": {"type": "slider", "bodies": ["ground", "mass"], "axis": "y"}},
            "forces": {"f": force},
        }
        | more
    )


def test_what_falls_against_drag_falls_as_the_hyperbolic_tangent():
    drag = {"type": "drag", "body": "mass", "density": 1.2, "coefficient": 0.5, "area": 0.4}
    run = ts.simulate(sliding(drag), 6.0, at=[0.5, 2.0, 6.0], initial={"z.": 0})
    limit = np.sqrt(2 * 2 * 9.81 / (1.2 * 0.5 * 0.4))
    np.testing.assert_allclose(run["z."], -limit * np.tanh(9.81 * run.t / limit), rtol=1e-8)


def test_wind_of_the_limit_speed_carries_a_body():
    limit = np.sqrt(2 * 2 * 9.81 / (1.2 * 0.5 * 0.4))
    drag = {"type": "drag", "body": "mass", "density": 1.2, "coefficient": 0.5, "area": 0.4}
    f = ts.compile(sliding(drag | {"wind": [0, float(limit), 0]}))
    assert f.forward_dynamics([0.0], [0.0], [0.0])[0] == pytest.approx(0, abs=1e-12)


def test_a_mass_in_the_bight_of_a_cable_is_held_by_four_times_its_stiffness():
    """Both strands are vertical: L = 2 z, so that the stiffness is 4 k, and T = m g/2 at rest."""
    cable = {
        "type": "cable",
        "through": [["ground", [0, 0, 0]], ["mass", [0, 0, 0]], ["ground", [0, 0, 0]]],
        "stiffness": 500,
        "length": 2,
    }
    model = sliding(cable)
    (rest,) = [x for x in ts.equilibria(model) if x.coordinates["z"] < 0]
    assert rest.coordinates["z"] == pytest.approx(-1 - 2 * 9.81 / (4 * 500), rel=1e-10)
    small = ts.linearise(model, at={"z": rest.coordinates["z"]})
    assert small.frequencies[0] == pytest.approx(np.sqrt(4 * 500 / 2), rel=1e-9)


def test_a_slack_cable_lets_fall():
    cable = {
        "type": "cable",
        "through": [["ground", [0, 0, 0]], ["mass", [0, 0, 0]]],
        "stiffness": 500,
        "length": 2,
    }
    f = ts.compile(sliding(cable))
    assert f.forward_dynamics([-1.9], [0.0], [0.0])[0] == pytest.approx(-9.81, rel=1e-14)


def test_a_cable_through_one_point_is_refused():
    cable = {"type": "cable", "through": [["ground", [0, 0, 0]]], "stiffness": 500, "length": 2}
    with pytest.raises(ts.ModelError, match="two points or more, not 1"):
        sliding(cable)


# --- tyres ----------------------------------------------------------------------------------------

TYRE = {"type": "tyre", "body": "wheel", "axis": "z", "radius": 0.3, "normal": "y"}
WHEEL = {
    "gravity": [0, -9.81, 0],
    "bodies": {"wheel": {"mass": 20, "inertia": [0.5, 0.5, 0.9]}},
    "joints": {
        "P": {
            "type": "planar",
            "bodies": ["ground", "wheel"],
            "normal": "z",
            "coordinates": ["x", "y", "a"],
        }
    },
}


def magic(B, C, D, E, s):
    return D * np.sin(C * np.arctan(B * s - E * (B * s - np.arctan(B * s))))


def test_a_wheel_sinks_by_its_weight_over_the_stiffness():
    model = ts.load(WHEEL | {"forces": {"road": TYRE | {"stiffness": 2e4, "creep": [9e3, 0]}}})
    f = ts.compile(model)
    y = 0.3 - 20 * 9.81 / 2e4
    np.testing.assert_allclose(f.forward_dynamics([0, y, 0], [0, 0, 0], [0, 0, 0]), 0, atol=1e-12)


@pytest.mark.parametrize("slip", [0.02, 0.1, 1.0])
def test_a_sliding_wheel_has_pacejkas_force_at_its_lowest_point(slip):
    """v_x − ω r over v_x is the slip; the couple about the centre is r times the force."""
    law = (10.0, 1.9, 1.0, 0.97)
    model = ts.load(
        WHEEL | {"forces": {"road": TYRE | {"load": 3000, "magic": list(law), "slow": 0}}}
    )
    v, r = 15.0, 0.3
    # axis z, normal y: the wheel rolls along +x with a negative spin
    speeds = [v, 0, -v * (1 - slip) / r]
    Fx, Fy, couple = ts.compile(model).applied([0, 0.3, 0.7], speeds)
    expected = 3000 * magic(*law, slip)
    np.testing.assert_allclose([Fx, Fy, couple], [-expected, 3000, -expected * r], rtol=1e-12)


def test_a_locked_wheel_stops_with_the_friction_of_full_slip():
    law = [10.0, 1.9, 1.0, 0.97]
    model = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"wheel": {"mass": 20, "inertia": [1, 1, 1]}},
            "joints": {"x": {"type": "slider", "bodies": ["ground", "wheel"], "axis": "x"}},
            "forces": {"road": TYRE | {"load": "20*9.81 N", "magic": law, "slow": 1e-6}},
        }
    )
    run = ts.simulate(model, 1.0, at=[1.0], initial={"x.": 20.0})
    assert run["x."][0] == pytest.approx(20 - 9.81 * magic(*law, 1.0), rel=1e-8)


def test_a_steered_car_turns_at_the_rate_of_the_bicycle_model():
    """r = V δ/(L + K V²), K = (b C_r − a C_f) m/(L C_f C_r) (Gillespie 1992, (6-16)).

    The front wheel is turned by δ; slips are linear in the angles for a small δ.
    """
    a, b, m, front, rear, V, steer = 1.2, 1.5, 1200.0, 8e4, 9e4, 20.0, 1e-4
    side = {"type": "tyre", "body": "car", "radius": 0.3, "normal": "y", "load": 1}
    model = ts.load(
        {
            "gravity": [0, 0, 0],
            "bodies": {"car": {"mass": m, "inertia": [1500, 2000, 1500]}},
            "joints": {
                "P": {
                    "type": "planar",
                    "bodies": ["ground", "car"],
                    "normal": "y",
                    "coordinates": ["z", "x", "a"],
                }
            },
            "forces": {
                "front": side
                | {
                    "centre": [a, 0.3, 0],
                    "axis": [float(np.sin(steer)), 0, float(np.cos(steer))],
                    "creep": [0, front],
                },
                "rear": side | {"centre": [-b, 0.3, 0], "axis": "z", "creep": [0, rear]},
            },
        }
    )
    start = {"x.": V, "a.": 0, "z.": 0}
    run = ts.simulate(model, 6.0, at=[6.0], initial=start)
    K = (b * rear - a * front) * m / ((a + b) * front * rear)
    speed = np.hypot(run["x."][0], run["z."][0])
    wanted = speed * steer / (a + b + K * speed**2)
    assert run["a."][0] == pytest.approx(wanted, rel=1e-4)


def test_a_wheel_that_lies_flat_is_refused_by_name():
    flat = TYRE | {"body": "mass", "axis": "y", "load": 3, "creep": [1, 1]}
    with pytest.raises(ts.ModelError, match="the wheel lies flat") as caught:
        ts.derive(sliding(flat))
    assert 'force "f"' in caught.value.place


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"creep": [1, 1]}, "either a stiffness or a given load"),
        ({"creep": [1, 1], "load": 1, "stiffness": 2}, "either a stiffness or a given load"),
        ({"load": 1}, "one law of its slip"),
        ({"load": 1, "creep": [1, 1], "magic": [1, 1, 1, 1]}, "one law of its slip"),
    ],
)
def test_a_tyre_without_load_or_law_or_with_two_is_refused(entries, problem):
    with pytest.raises(ts.ModelError, match=problem):
        ts.load(WHEEL | {"forces": {"road": TYRE | entries}})
