"""Symplectic steps: order, energy without drift, momenta kept exactly, motions that run backwards.

The laws are those of Hairer, Lubich and Wanner (2006), Geometric Numerical Integration: a
symplectic method keeps a modified energy, those of Gauss keep quadratic invariants, and a symmetric
method is reversible.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kept_energy import drift, energy
from same_text import tells
from scipy.special import ellipk

import torseur as ts
from torseur.errors import ModelError, SolveError
from torseur.machine.integrators.kernels import symplectic_stages as tableau
from torseur.spatial import quaternion

EXAMPLES = Path(ts.__file__).parent / "examples"
REGULAR = {"theta1": 0.3, "theta2": 0.2}  # a double pendulum that is not chaotic
SPIN = {"ball_wx": 0.01, "ball_wy": 1.0, "ball_wz": 0.0}  # about the middle axis, nearly
INERTIA = np.array([1.0, 2.0, 3.0])


@cache
def example(name):
    return ts.compile(ts.load(EXAMPLES / f"{name}.yaml"))


def on_a_ball_joint(**more):
    """A body on a ball joint at its origin."""
    return ts.compile(
        ts.load(
            {
                "gravity": [0, 0, 0],
                "bodies": {"body": {"mass": 1, "inertia": list(INERTIA)}},
                "joints": {"ball": {"type": "spherical", "bodies": ["ground", "body"]}},
                **more,
            }
        )
    )


def carrying(**more):
    """A free body that carries another on a ball joint and a third on a hinge.

    A spring ties the second to the ground: its potential depends on two quaternions.
    """
    inertia = {"mass": 1.0, "centre": [0.1, 0.05, -0.1], "inertia": [0.1, 0.15, 0.2]}
    return ts.compile(
        ts.load(
            {
                "gravity": [0, 0, -2.0],
                "bodies": dict.fromkeys(("hull", "arm", "flap"), inertia),
                "joints": {
                    "flight": {"type": "free", "bodies": ["ground", "hull"]},
                    "ball": {
                        "type": "spherical",
                        "bodies": ["hull", "arm"],
                        "point": [[0.3, 0, 0], [0, 0, 0]],
                    },
                    "hinge": {
                        "type": "revolute",
                        "bodies": ["hull", "flap"],
                        "axis": "y",
                        "point": [[-0.3, 0, 0], [0, 0, 0]],
                    },
                },
                "forces": {
                    "spring": {
                        "type": "spring",
                        "between": [["ground", [0, 0, 3]], ["arm", [0.2, 0, 0.1]]],
                        "stiffness": 5,
                        "length": 1,
                    },
                    **more,
                },
                "initial": {"flight_wx": 0.4, "ball_wy": 0.7, "ball_wz": -0.5, "hinge": 0.3},
            }
        )
    )


@cache
def three_bodies():
    return carrying()


def ground_momentum(run):
    """The angular momentum of a body on a ball joint, in ground axes."""
    pairs = zip(run.q, run.v * INERTIA, strict=True)
    return np.array([quaternion.matrix(a) @ momentum for a, momentum in pairs])


# --- the method ---------------------------------------------------------------------------------


def test_the_rounded_coefficients_are_those_of_a_symplectic_method():
    for s in (1, 2, 3):
        start = s * (s - 1) // 2
        mu = tableau.FRACTIONS[start : start + s, :s]
        assert np.array_equal(mu + mu.T, np.ones((s, s)))


@pytest.mark.parametrize(
    ("method", "known"), [("symplectic2", 2), ("symplectic", 4), ("symplectic6", 6)]
)
@pytest.mark.parametrize(
    ("make", "duration", "step"),
    [(lambda: example("double_pendulum"), 1.0, 0.02), (three_bodies, 2.0, 0.1)],
    ids=["angles", "quaternions"],
)
def test_the_error_of_a_motion_has_the_order_of_the_method(method, known, make, duration, step):
    model = make()
    true = ts.simulate(model, duration, rate=1 / duration, rtol=1e-13)

    def error(h):
        run = ts.simulate(model, duration, rate=1 / duration, method=method, step=h)
        return np.abs(np.concatenate([run.q - true.q, run.v - true.v], axis=1)).max()

    assert np.log2(error(step) / error(step / 2)) == pytest.approx(known, abs=0.25)


@pytest.mark.parametrize("make", [lambda: example("double_pendulum"), three_bodies])
def test_a_motion_whose_speeds_are_reversed_goes_back_to_its_start(make):
    model = make()
    there = ts.simulate(model, 5.0, rate=1.0, method="symplectic", step=0.02)
    turned = dict(zip(model.coordinates, there.q[-1], strict=True))
    turned |= dict(zip(model.speeds, -there.v[-1], strict=True))
    back = ts.simulate(model, 5.0, rate=1.0, initial=turned, method="symplectic", step=0.02)
    assert back.q[-1] == pytest.approx(there.q[0], abs=1e-9)
    assert back.v[-1] == pytest.approx(-there.v[0], abs=1e-9)


# --- long runs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "initial", "step"),
    [
        ("double_pendulum", REGULAR, 0.01),
        ("spherical_pendulum", {}, 0.01),
        ("dumbbell_satellite", {}, 0.05),
    ],
)
def test_the_energy_of_a_regular_motion_has_no_drift_in_100_000_steps(name, initial, step):
    model, duration = example(name), 1e5 * step
    run = ts.simulate(
        model, duration, rate=1000 / duration, initial=initial, method="symplectic", step=step
    )
    slope, spread = drift(run)
    assert np.ptp(energy(run)) < 1e-7  # of the order of (ω h)⁴
    assert abs(slope) < 4 * spread

    other = ts.simulate(model, duration, rate=1000 / duration, initial=initial)
    slope, spread = drift(other)
    assert abs(slope) > 100 * spread  # DOP853 at its usual tolerance loses energy steadily


def test_where_steps_are_short_energy_is_kept_to_rounding():
    """A random walk of N steps that round by ε goes as far as ε √N."""
    steps = 100_000
    model = example("spherical_pendulum")
    run = ts.simulate(model, 4e-3 * steps, rate=2.5, method="symplectic6", step=4e-3)
    assert np.abs(energy(run)).max() < np.finfo(float).eps * np.sqrt(steps)


@pytest.mark.parametrize("method", ["symplectic2", "symplectic", "symplectic6"])
def test_the_momentum_of_a_cyclic_coordinate_is_kept(method):
    run = ts.simulate(example("spherical_pendulum"), 100.0, rate=10, method=method, step=0.02)
    momentum = np.sin(run["theta"]) ** 2 * run["phi."]
    assert momentum == pytest.approx(momentum[0], rel=1e-12)

    run = ts.simulate(example("dumbbell_satellite"), 100.0, rate=10, method=method, step=0.1)
    a = run.model.parameters["a"]
    momentum = run["r"] ** 2 * run["theta."] + a**2 * (run["theta."] + run["psi."])
    assert momentum == pytest.approx(momentum[0], rel=1e-12)


def test_a_body_without_torque_keeps_energy_and_momentum_for_ten_thousand_turns():
    duration = 1e4 * 2 * np.pi
    run = ts.simulate(
        on_a_ball_joint(),
        duration,
        rate=1000 / duration,
        initial=SPIN,
        method="symplectic",
        step=0.25,
    )
    slope, spread = drift(run)
    assert np.ptp(energy(run)) < 1e-5
    assert abs(slope) < 4 * spread
    assert np.ptp(ground_momentum(run), axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert np.linalg.norm(run.q, axis=1) == pytest.approx(np.ones(len(run.t)), abs=1e-12)


def test_a_body_turns_over_about_its_middle_axis_when_the_elliptic_functions_say():
    """Euler's equations in Jacobi's functions, I = (1, 2, 3), ω = (0.01, 1, 0) at the start."""
    model = on_a_ball_joint(events={"flip": {"zero": "ball_wy"}})
    run = ts.simulate(model, 60.0, rate=1.0, initial=SPIN, method="symplectic", step=0.02)
    A, B, C = INERTIA
    twice_T, L2 = 2.0001, 4.0001
    k2 = (B - A) * (twice_T * C - L2) / ((C - B) * (L2 - twice_T * A))
    rate = np.sqrt((C - B) * (L2 - twice_T * A) / (A * B * C))
    if k2 > 1:
        k2, rate = 1 / k2, rate * np.sqrt(k2)
    flips = [event.t for event in run.events]
    assert np.diff(flips) == pytest.approx(2 * ellipk(k2) / rate, abs=1e-6)

    same = ts.simulate(model, 60.0, rate=1.0, initial=SPIN, rtol=1e-12)
    assert flips == pytest.approx([event.t for event in same.events], abs=1e-6)
    assert flips == pytest.approx(
        [10.377304882334542, 31.13191464700942, 51.886524411669434], abs=1e-6
    )
    known = [0.976782616338685, 0.214466128837485, -0.563916152036053]
    assert run.v[10] == pytest.approx(known, abs=1e-7)


def test_bodies_with_quaternions_and_springs_keep_their_energy():
    run = ts.simulate(three_bodies(), 400.0, rate=2.5, method="symplectic", step=0.02)
    _, spread = drift(run)
    halves = energy(run)[:500], energy(run)[500:]
    assert np.ptp(halves[1]) < 3 * np.ptp(halves[0]) < 1e-4
    assert spread < 1e-5
    norms = np.linalg.norm([run[f"ball_{x}"] for x in "wxyz"], axis=0)
    assert norms == pytest.approx(np.ones(len(run.t)), abs=1e-12)


# --- the step, and what is refused --------------------------------------------------------------


def test_without_a_step_sixty_go_into_the_shortest_period():
    """A small swing of a mass on a thread has the period 2π √(l/g), here 1 s."""
    length = 9.81 / (4 * np.pi**2)
    pendulum = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"bob": {"mass": 1, "centre": [0, -length, 0]}},
            "joints": {"O": {"type": "revolute", "bodies": ["ground", "bob"], "axis": "z"}},
            "initial": {"O": 0.01},
        }
    )
    run = ts.simulate(pendulum, 10.0, rate=6.0, method="symplectic")
    assert tells(run.notices[0], "Symplectic steps of 0.0166667 s, of order 4, 60 or more")
    assert "(1 s)" in run.notices[0]


def test_of_forces_without_potential_nothing_is_promised():
    damper = {
        "type": "damper",
        "between": [["ground", [0, 0, 3]], ["arm", [0.2, 0, 0.1]]],
        "damping": 0.1,
    }
    model = carrying(damper=damper)
    run = ts.simulate(model, 2.0, rate=10, method="symplectic", step=0.01)
    assert any("nothing is promised" in notice for notice in run.notices)
    true = ts.simulate(model, 2.0, rate=10, rtol=1e-12)
    assert run.q == pytest.approx(true.q, abs=1e-6)
    assert run.work == pytest.approx(true.work, abs=1e-6)
    quiet = ts.simulate(three_bodies(), 1.0, rate=10, method="symplectic", step=0.01)
    assert not any("nothing is promised" in notice for notice in quiet.notices)


@pytest.mark.parametrize("centre", [0.5, 0.1, 0.7, 1 / 3])
def test_weight_has_a_potential_whatever_its_numbers_are(centre):
    pendulum = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"bob": {"mass": 1, "centre": [0, -centre, 0]}},
            "joints": {"O": {"type": "revolute", "bodies": ["ground", "bob"], "axis": "z"}},
            "initial": {"O": 1.0},
        }
    )
    run = ts.simulate(pendulum, 0.1, rate=10, method="symplectic", step=0.01)
    assert not any("nothing is promised" in notice for notice in run.notices)


def test_a_step_that_cannot_be_made_is_refused():
    # its stages run away: which of them is no number first is a matter of rounding
    with pytest.raises(SolveError, match=r"the step is too long|accelerations are not finite"):
        ts.simulate(example("double_pendulum"), 100.0, rate=0.1, method="symplectic", step=5.0)
    with pytest.raises(ModelError, match=r"positive, got -1\.0"):
        ts.simulate(example("double_pendulum"), 1.0, method="symplectic", step=-1.0)
    with pytest.raises(ModelError, match='kind of coordinates "polar" does not exist'):
        ts.simulate(example("double_pendulum"), 1.0, method="symplectic", coordinates="polar")
