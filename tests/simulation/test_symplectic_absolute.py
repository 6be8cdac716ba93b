"""Symplectic steps with every body placed by itself: all joints are held by impulses.

Order, areas, reversal and momenta are tested beside those in the coordinates of joints
(`test_symplectic_loops.py`, `test_symplectic_control.py`).
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kept_energy import drift, energy
from ruamel.yaml import YAML
from scipy.special import ellipk

import torseur as ts
from torseur.errors import ModelError
from torseur.spatial import quaternion

EXAMPLES = Path(ts.__file__).parent / "examples"
ABSOLUTE = {"method": "symplectic", "coordinates": "absolute"}
REGULAR = {"theta1": 0.3, "theta2": 0.2}  # a double pendulum that is not chaotic
INERTIA = np.array([1.0, 2.0, 3.0])
SPIN = {"f_wx": 0.01, "f_wy": 1.0, "f_x.": 0.1}  # about the middle axis, nearly


@cache
def example(name):
    return ts.compile(ts.load(EXAMPLES / f"{name}.yaml"))


@cache
def top():
    """A free body whose centre of mass is not its origin."""
    body = {"mass": 2.0, "inertia": list(INERTIA), "centre": [0.1, -0.2, 0.3]}
    made = {
        "gravity": [0, 0, 0],
        "bodies": {"b": body},
        "joints": {"f": {"type": "free", "bodies": ["ground", "b"]}},
        "events": {"flip": {"zero": "f_wy"}},
    }
    return ts.compile(ts.load(made))


@cache
def arms():
    """Two arms on a cross and an inclined hinge, with torques by the angles of both."""
    arm = {"mass": 1.0, "centre": [0.1, 0.05, -0.3], "inertia": [0.1, 0.15, 0.2]}
    made = {
        "gravity": [0, 0, -2.0],
        "bodies": {"upper": arm, "lower": arm},
        "joints": {
            "A": {
                "type": "universal",
                "bodies": ["ground", "upper"],
                "axes": ["x", "y"],
                "coordinates": ["phi", "psi"],
            },
            "B": {
                "type": "revolute",
                "bodies": ["upper", "lower"],
                "axis": [0.6, 0.8, 0],
                "point": [[0, 0, -0.5], [0, 0, 0]],
                "coordinate": "beta",
            },
        },
        "forces": {
            "elastic": {"type": "law", "joint": "B", "value": "-2*beta - sin(beta)"},
            "spiral": {"type": "law", "joint": "A", "coordinate": "psi", "value": "-3*psi^3"},
        },
        "initial": {"beta": 0.5, "beta.": 1.0, "psi": 0.4},
    }
    return ts.compile(ts.load(made))


# --- energy and momenta ---------------------------------------------------------------------------


def test_energy_has_no_drift_in_20_000_steps_and_joints_stay_closed():
    model = example("double_pendulum")
    run = ts.simulate(model, 200.0, rate=5, initial=REGULAR, step=0.01, **ABSOLUTE)
    slope, spread = drift(run)
    assert np.ptp(energy(run)) < 1e-7  # of the order of (ω h)⁴
    assert abs(slope) < 4 * spread
    assert run.closure_error < 1e-14

    other = ts.simulate(model, 200.0, rate=5, initial=REGULAR, coordinates="absolute")
    slope, spread = drift(other)
    assert abs(slope) > 100 * spread  # DOP853 at its usual tolerance loses energy steadily


def test_a_free_body_keeps_energy_and_momentum_for_a_thousand_turns():
    duration = 1e3 * 2 * np.pi
    run = ts.simulate(
        top(), duration, rate=1000 / duration, initial=SPIN, step=0.25, **ABSOLUTE
    )  # fmt: skip
    slope, spread = drift(run)
    assert np.ptp(energy(run)) < 1e-5
    assert abs(slope) < 4 * spread
    turned = [
        quaternion.matrix(q[3:7]) @ (w * INERTIA) for q, w in zip(run.q, run.v[:, 3:], strict=True)
    ]
    assert np.ptp(turned, axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert np.linalg.norm(run.q[:, 3:], axis=1) == pytest.approx(np.ones(len(run.t)), abs=1e-12)


def test_a_free_body_turns_over_when_the_elliptic_functions_say():
    """Euler's equations in Jacobi's functions, I = (1, 2, 3), ω = (0.01, 1, 0) at the start."""
    run = ts.simulate(top(), 60.0, rate=1.0, initial=SPIN, step=0.02, **ABSOLUTE)
    A, B, C = INERTIA
    twice_T, L2 = 2.0001, 4.0001
    k2 = (B - A) * (twice_T * C - L2) / ((C - B) * (L2 - twice_T * A))
    rate = np.sqrt((C - B) * (L2 - twice_T * A) / (A * B * C))
    if k2 > 1:
        k2, rate = 1 / k2, rate * np.sqrt(k2)
    flips = [event.t for event in run.events]
    assert len(flips) == 3
    assert np.diff(flips) == pytest.approx(2 * ellipk(k2) / rate, abs=1e-6)


def test_torques_of_angles_have_a_potential_where_joints_are_open_between_nodes():
    """So nothing is said of energy, which has no drift."""
    run = ts.simulate(arms(), 100.0, rate=10, step=0.01, **ABSOLUTE)
    assert not any("nothing is promised" in notice for notice in run.notices)
    total = run.energy["kinetic"] + run.energy["potential"] - run.work
    halves = total[:500] - total[0], total[500:] - total[0]
    assert np.ptp(halves[1]) < 3 * np.ptp(halves[0]) < 1e-5
    beta, psi = run["beta"], run["psi"]
    stored = beta**2 - np.cos(beta) + 0.75 * psi**4
    assert run.work == pytest.approx(stored[0] - stored, abs=1e-6)


# --- the same motion as in the coordinates of joints ---------------------------------------------


def test_reactions_energies_and_points_are_those_of_joint_coordinates():
    """To the error of the method, 1e-9 here."""
    bodies = ts.simulate(arms(), 1.0, rate=20, step=0.002, **{**ABSOLUTE, "method": "symplectic6"})
    joint = ts.simulate(arms(), 1.0, rate=20, rtol=1e-12, method="dop853", coordinates="joint")
    for name in ("q", "v", "a", "work"):
        assert getattr(bodies, name) == pytest.approx(getattr(joint, name), abs=1e-7)
    for name in ("A", "B"):
        assert bodies.reaction(name) == pytest.approx(joint.reaction(name), abs=1e-7)
    for kind in joint.energy:
        first, second = (run.energy[kind] - run.energy[kind][0] for run in (joint, bodies))
        assert second == pytest.approx(first, abs=1e-8)


def test_turns_of_a_joint_are_counted():
    """A crank that goes round, and a torque that grows with every turn."""
    crank = {"mass": 1.0, "inertia": [0.1, 0.1, 0.1], "centre": [0.2, 0, 0]}
    made = {
        "gravity": [0, 0, 0],
        "bodies": {"crank": crank},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"}},
        "forces": {"spiral": {"type": "law", "joint": "O", "value": "-0.01*O"}},
        "initial": {"O.": 6.0},
    }
    model, pulsation = ts.compile(ts.load(made)), np.sqrt(0.01 / (0.1 + 0.2**2))
    run = ts.simulate(model, 20.0, rate=4, step=0.01, **ABSOLUTE)
    assert run["O"].max() > 6 * np.pi
    assert run["O"] == pytest.approx(6 / pulsation * np.sin(pulsation * run.t), abs=1e-4)


def test_events_are_those_of_the_joints():
    described = YAML(typ="safe").load((EXAMPLES / "double_pendulum.yaml").read_text("utf-8"))
    described["events"] = {"down": {"zero": "theta1"}}
    model = ts.compile(ts.load(described))
    options = {"rate": 10, "step": 0.002}
    run = ts.simulate(model, 2.0, **options, **{**ABSOLUTE, "method": "symplectic6"})
    true = ts.simulate(model, 2.0, rate=10, rtol=1e-12, coordinates="joint")
    assert run.events
    assert [x.t for x in run.events] == pytest.approx([x.t for x in true.events], abs=1e-8)
    for x in run.events:
        assert x.state[0] == pytest.approx(0.0, abs=1e-10)


def test_a_rotor_turns_with_its_joint_in_angles():
    """The reflected inertia of a geared motor slows a pendulum down."""
    length, inertia, ratio = 0.5, 2e-4, 30.0
    made = {
        "gravity": [0, -9.81, 0],
        "bodies": {"bob": {"mass": 1.0, "centre": [0, -length, 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z"}},
        "motors": {"M": {"joint": "O", "ratio": ratio, "rotor_inertia": inertia}},
        "initial": {"O": 0.01},
    }
    run = ts.simulate(ts.load(made), 3.0, rate=50, step=0.005, **ABSOLUTE)
    pulsation = np.sqrt(9.81 * length / (length**2 + ratio**2 * inertia))
    assert run["O"] == pytest.approx(0.01 * np.cos(pulsation * run.t), abs=2e-6)


def test_the_step_that_is_chosen_is_that_of_the_coordinates_of_joints():
    for name in ("four_bar", "double_pendulum"):
        runs = (
            ts.simulate(example(name), 0.5, rate=6, method="symplectic", coordinates=x)
            for x in ("joint", "absolute")
        )
        first, second = (run.notices[0] for run in runs)
        assert first == second


def test_steps_much_shorter_than_rounding_are_solved():
    """What stands still changes by less and less for hundreds of iterations."""
    model = example("slider_crank")
    at = ts.simulate(model, 0.2159, rate=1 / 0.2159, rtol=1e-12, coordinates="joint")
    run = ts.simulate(model, 5e-4, rate=1e5, initial=at, start=0.2159, step=1e-5, **ABSOLUTE)
    assert run.energy_drift < 1e-10


# --- runs ---------------------------------------------------------------------------------------


def test_a_run_is_carried_on_read_between_its_samples_and_kept_in_a_file(tmp_path):
    options = {"rate": 20, "step": 0.005, **ABSOLUTE}
    whole = ts.simulate(arms(), 1.0, **options)
    half = ts.simulate(arms(), 0.5, **options)
    rest = ts.simulate(arms(), 0.5, initial=half, **options)
    assert rest.q == pytest.approx(whole.q[10:], abs=1e-11)
    fine = ts.simulate(arms(), 1.0, **{**options, "rate": 40})
    assert whole(0.225)["beta"] == pytest.approx(fine["beta"][9], abs=1e-8)

    whole.save(tmp_path / "run.nc")
    read = ts.load_run(tmp_path / "run.nc")
    for name in ("A", "B"):
        np.testing.assert_array_equal(read.reaction(name), whole.reaction(name))
    np.testing.assert_array_equal(read.a, whole.a)


def test_commands_in_absolute_coordinates_are_kept_in_a_file(tmp_path):
    for method in ("symplectic", "dop853"):
        steps = {"step": 0.005} if method == "symplectic" else {}
        run = ts.simulate(
            arms(), 0.5, rate=20, control={"beta": "-beta."}, sample=0.05,
            method=method, coordinates="absolute", **steps,
        )  # fmt: skip
        run.save(tmp_path / "run.nc")
        read = ts.load_run(tmp_path / "run.nc")
        assert np.ptp(run.input("beta")) > 0.1
        np.testing.assert_array_equal(read.inputs, run.inputs)
        np.testing.assert_array_equal(read.reaction("B"), run.reaction("B"))


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("planetary_reducer", r'"B1": it restrains speeds[\s\S]*coordinates="joint"'),
        ("heavy_top", r'joint "tip": absolute coordinates cannot[\s\S]*coordinates="joint"'),
        ("rolling_wheel", r'"road": it restrains speeds[\s\S]*method="dop853"'),
    ],
)
def test_what_bodies_placed_by_themselves_cannot_hold_by_positions_is_refused(name, told):
    with pytest.raises(ModelError, match=told):
        ts.simulate(example(name), 0.1, step=1e-3, **ABSOLUTE)


def test_more_bodies_than_code_is_made_for_are_refused():
    b = ts.Builder("chain")
    links = [b.ground]
    for k in range(9):
        links.append(b.body(f"link{k}", mass=1, inertia=[1, 1, 1]))
        b.joint(f"J{k}", "pivot", links[k], links[k + 1], axis="z", point=[[0.1, 0, 0], [0, 0, 0]])
    with pytest.raises(ModelError, match=r'it has 54 and 45[\s\S]*coordinates="joint"'):
        ts.simulate(b.build(), 0.1, step=1e-3, **ABSOLUTE)
