"""Symplectic steps of mechanisms with loops: order, closure, energy, momenta, reversal, areas.

The laws are those of Jay (2007), Journal of Computational and Applied Mathematics 204, for the
methods of Gauss and Lobatto: order 2 s, constraints on positions and on speeds kept, symplectic,
symmetric.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kept_energy import drift, energy
from ruamel.yaml import YAML
from same_text import tells

import torseur as ts
from torseur.errors import ModelError, SolveError
from torseur.machine.integrators.kernels import symplectic_stages as tableau
from torseur.spatial import quaternion

EXAMPLES = Path(ts.__file__).parent / "examples"
COORDINATES = ("joint", "absolute")
ORDERS = {"symplectic2": 2, "symplectic": 4, "symplectic6": 6}
SWINGING = {"alpha.": 0.0}  # a four-bar let go at rest


@cache
def four_bar():
    """In the plane, with revolute joints in space: three of its five constraints say nothing."""
    return ts.compile(ts.load(EXAMPLES / "four_bar.yaml"))


def four_bar_data():
    return YAML(typ="safe").load((EXAMPLES / "four_bar.yaml").read_text(encoding="utf-8"))


def bar(length):
    return {
        "shape": {"bar": {"length": length, "axis": "x"}},
        "mass": 2 * length,
        "centre": [length / 2, 0, 0],
    }


@cache
def slider_crank():
    """A piston between springs; its rod closes the loop."""
    return ts.compile(
        ts.load(
            {
                "gravity": [0, -9.81, 0],
                "bodies": {"crank": bar(0.1), "rod": bar(0.3), "piston": {"mass": 0.5}},
                "joints": {
                    "O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"},
                    "A": {
                        "type": "pivot",
                        "bodies": ["crank", "rod"],
                        "axis": "z",
                        "point": [[0.1, 0, 0], [0, 0, 0]],
                    },
                    "B": {
                        "type": "pivot",
                        "bodies": ["rod", "piston"],
                        "axis": "z",
                        "point": [[0.3, 0, 0], [0, 0, 0]],
                    },
                    "slide": {"type": "slider", "bodies": ["ground", "piston"], "axis": "x"},
                },
                "forces": {
                    "spring": {
                        "type": "spring",
                        "between": [["ground", [0.6, 0, 0]], ["piston", [0, 0, 0]]],
                        "stiffness": 50,
                        "length": 0.25,
                    }
                },
                "initial": {"O": 0.5, "A": -0.6, "slide": 0.38, "O.": 6},
            }
        )
    )


@cache
def bennett():
    """Four skew axes: six constraints would hold it, and all the same it moves (Bennett 1903)."""
    a, b, alpha = 0.2, 0.35, np.pi / 6
    beta = np.arcsin(b * np.sin(alpha) / a)
    first = 1.0
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    second = 2 * np.arctan(ratio / np.tan(first / 2))

    def axis(twist):
        return [0, -float(np.sin(twist)), float(np.cos(twist))]

    def hinge(bodies, points, axes):
        return {"type": "revolute", "bodies": bodies, "point": points, "axis": axes}

    links = {"mass": 0.4, "centre": [0.1, 0.02, 0.03], "inertia": [1e-3, 2e-3, 3e-3]}
    origin, z = [0, 0, 0], [0, 0, 1]
    return ts.compile(
        ts.load(
            {
                "gravity": [5, 8, 0],
                "bodies": dict.fromkeys(("one", "two", "three"), links),
                "joints": {
                    "A": hinge(["ground", "one"], [origin, origin], [z, z]),
                    "B": hinge(["one", "two"], [[a, 0, 0], origin], [axis(alpha), z]),
                    "C": hinge(["two", "three"], [[b, 0, 0], origin], [axis(beta), z]),
                    "D": hinge(
                        ["three", "ground"], [[a, 0, 0], [-b, 0, 0]], [axis(alpha), axis(-beta)]
                    ),
                },
                "reactions": "least_norm",
                "initial": {"A": first, "B": float(second), "C": -first, "A.": 1},
            }
        )
    )


def frame_of_three(carrier, gravity):
    """A hull that carries an arm on a ball joint and a flap on a hinge, tied by a rod."""
    inertia = {"mass": 1.0, "centre": [0.1, 0.05, -0.1], "inertia": [0.1, 0.15, 0.2]}
    return ts.compile(
        ts.load(
            {
                "gravity": gravity,
                "bodies": dict.fromkeys(("hull", "arm", "flap"), inertia),
                "joints": {
                    "carrier": {"bodies": ["ground", "hull"], **carrier},
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
                    "rod": {
                        "type": "rod",
                        "bodies": ["arm", "flap"],
                        "point": [[0, 0, 0.4], [0, 0, 0.4]],
                        "length": 0.5,
                    },
                },
                "forces": {
                    "spring": {
                        "type": "spring",
                        "between": [["hull", [0, 0, 0.5]], ["arm", [0.2, 0, 0.1]]],
                        "stiffness": 5,
                        "length": 0.3,
                    }
                },
                "initial": {"ball_wy": 0.7, "ball_wz": -0.5, "hinge": 0.3},
            }
        )
    )


@cache
def turning():
    """On a vertical axis, under gravity."""
    return frame_of_three({"type": "revolute", "axis": "z"}, [0, 0, -2.0])


@cache
def floating():
    """Free in space."""
    return frame_of_three({"type": "free"}, [0, 0, 0])


def momenta(run):
    """M v."""
    return np.array([run.model.mass_matrix(q) @ v for q, v in zip(run.q, run.v, strict=True)])


# --- the method ---------------------------------------------------------------------------------


@pytest.mark.parametrize("s", [1, 2, 3])
def test_the_nodes_lie_as_they_do_when_seen_from_the_other_end(s):
    """μ_kj + μ_(s−k)(s+1−j) = 1: the adjoint of the method is the method itself."""
    start = s * (s - 1) // 2 + s - 1
    mu = tableau.PLACES[start : start + s + 1, :s]
    assert mu + mu[::-1, ::-1] == pytest.approx(np.ones((s + 1, s)), abs=1e-15)
    assert np.array_equal(mu[[0, -1]], [[0.0] * s, [1.0] * s])


@pytest.mark.sampled(2, kind=lambda make, coordinates, **_: (make, coordinates))
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(("method", "known"), ORDERS.items())
@pytest.mark.parametrize(
    ("make", "duration", "step"),
    [
        (four_bar, 0.5, 0.005),
        (slider_crank, 0.5, 0.005),
        (bennett, 0.5, 0.02),  # shorter steps of order 6 end in rounding
        (floating, 1.0, 0.04),
    ],
    ids=["four-bar", "slider-crank", "bennett", "quaternions"],
)
def test_the_error_of_a_motion_has_the_order_of_the_method(
    make, duration, step, method, known, coordinates
):
    model, true = make(), reference(make, duration)
    options = {"rate": 1 / duration, "method": method, "coordinates": coordinates}

    def error(h):
        run = ts.simulate(model, duration, step=h, **options)
        assert run.closure_error < 1e-14
        return np.abs(np.concatenate([run.q - true.q, run.v - true.v], axis=1)).max()

    assert np.log2(error(step) / error(step / 2)) == pytest.approx(known, abs=0.25)


@cache
def reference(make, duration):
    return ts.simulate(
        make(), duration, rate=1 / duration, rtol=1e-13, method="dop853", coordinates="joint"
    )


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("method", ORDERS)
def test_a_step_keeps_areas_of_the_phase_plane(method, coordinates):
    """Of the crank's angle and its momentum 2 T / α̇, however coarse the step is."""
    model = four_bar()

    def moved(alpha, speed):
        at = {"alpha": alpha, "alpha.": speed}
        options = {"method": method, "coordinates": coordinates}
        run = ts.simulate(model, 0.01, rate=100, initial=at, step=0.01, **options)
        return run["alpha"], 2 * run.energy["kinetic"] / run["alpha."]

    h = 1e-4
    columns = []
    for da, dv in ((h, 0.0), (0.0, 10 * h)):
        ahead, behind = (np.array(moved(0.3 + k * da, 10 + k * dv)) for k in (1, -1))
        columns.append(ahead - behind)
    before, after = (np.linalg.det(np.array(columns)[:, :, k]) for k in (0, 1))
    assert after == pytest.approx(before, rel=1e-6)  # differences are exact to h²


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("make", [four_bar, bennett, floating])
def test_a_motion_whose_speeds_are_reversed_goes_back_to_its_start(make, coordinates):
    model, options = make(), {"method": "symplectic", "step": 0.005, "coordinates": coordinates}
    there = ts.simulate(model, 2.0, rate=1.0, **options)
    turned = dict(zip(model.coordinates, there.q[-1], strict=True))
    turned |= dict(zip(model.speeds, -there.v[-1], strict=True))
    back = ts.simulate(model, 2.0, rate=1.0, initial=turned, **options)
    assert back.q[-1] == pytest.approx(there.q[0], abs=1e-10)
    assert back.v[-1] == pytest.approx(-there.v[0], abs=1e-9)


# --- long runs ----------------------------------------------------------------------------------


def test_the_energy_of_a_four_bar_has_no_drift_in_100_000_steps_and_its_loop_stays_closed():
    model, duration = four_bar(), 500.0
    run = ts.simulate(
        model, duration, rate=2.0, initial=SWINGING, method="symplectic", step=duration / 1e5
    )
    slope, spread = drift(run)
    assert np.ptp(energy(run)) < 1e-5  # of the order of (ω h)⁴
    assert abs(slope) < 4 * spread
    assert run.closure_error < 1e-14

    other = ts.simulate(model, duration, rate=2.0, initial=SWINGING, method="dop853")
    slope, spread = drift(other)
    assert abs(slope) > 100 * spread  # DOP853 at its usual tolerance loses energy steadily


def test_where_steps_are_short_energy_is_kept_to_rounding():
    """One rounding a step, all of one sign, would add up to ten times more."""
    steps = 40_000
    run = ts.simulate(
        four_bar(), 1e-3 * steps, rate=5, initial=SWINGING, method="symplectic6", step=1e-3
    )
    assert np.abs(energy(run)).max() < 0.1 * steps * np.finfo(float).eps


@pytest.mark.parametrize("method", ORDERS)
def test_what_turns_on_a_free_axis_keeps_its_angular_momentum(method):
    run = ts.simulate(turning(), 50.0, rate=2, initial={"carrier.": 0.8}, method=method, step=0.02)
    about_the_axis = momenta(run)[:, 0]
    assert about_the_axis == pytest.approx(about_the_axis[0], rel=1e-13)
    assert run.closure_error < 1e-14


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("method", ORDERS)
def test_what_floats_keeps_its_linear_and_angular_momentum(method, coordinates):
    """About the origin, in ground axes."""
    options = {"initial": {"carrier_wx": 0.4}, "method": method, "coordinates": coordinates}
    run = ts.simulate(floating(), 50.0, rate=2, step=0.02, **options)
    p = momenta(run)
    linear, own = p[:, :3], p[:, 3:6]
    turned = [quaternion.matrix(q[3:7]) @ x for q, x in zip(run.q, own, strict=True)]
    angular = np.array(turned) + np.cross(run.q[:, :3], linear)
    for kept in (linear, angular):
        assert np.abs(kept - kept[0]).max() < 1e-13 * np.abs(kept).max()
    for four in (run.q[:, 3:7], run.q[:, 7:11]):
        assert np.linalg.norm(four, axis=1) == pytest.approx(np.ones(len(run.t)), abs=1e-14)


def test_all_loops_of_an_over_constrained_linkage_stay_closed():
    run = ts.simulate(bennett(), 20.0, rate=10, method="symplectic6", step=0.01)
    assert run.closure_error < 1e-13
    assert np.ptp(energy(run)) < 1e-6


# --- what may be in the loops -------------------------------------------------------------------


@cache
def damped():
    """A four-bar whose coupler moves in oil."""
    oil = {
        "type": "damper",
        "between": [["ground", [0, 0.2, 0]], ["coupler", [0.1, 0, 0]]],
        "damping": 0.1,
    }
    return ts.compile(ts.load({**four_bar_data(), "forces": {"oil": oil}}))


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(("method", "known"), [("symplectic2", 2), ("symplectic", 4)])
def test_the_order_is_kept_where_a_damper_takes_energy_and_nothing_is_promised(
    method, known, coordinates
):
    true = reference(damped, 0.5)
    options = {"rate": 2, "method": method, "coordinates": coordinates}
    coarse, fine = (ts.simulate(damped(), 0.5, step=h, **options) for h in (0.005, 0.0025))
    for name in ("q", "v", "work"):
        errors = (np.abs(getattr(run, name) - getattr(true, name)).max() for run in (coarse, fine))
        assert np.log2(next(errors) / next(errors)) == pytest.approx(known, abs=0.25)
    assert any("nothing is promised" in notice for notice in fine.notices)


def test_a_coupler_without_mass_moves_as_it_does_by_dop853():
    """The mass matrix of the open chain is singular there."""
    described = four_bar_data()
    described["bodies"]["coupler"] = {}
    model = ts.compile(ts.load(described))
    run = ts.simulate(model, 1.0, rate=10, method="symplectic6", step=0.002)
    true = ts.simulate(model, 1.0, rate=10, rtol=1e-12, method="dop853")
    assert run.q == pytest.approx(true.q, abs=1e-8)
    assert run.closure_error < 1e-14


def test_events_are_found_where_the_loop_is_closed():
    described = four_bar_data()
    described["events"] = {"level": {"zero": "delta - 1.7"}}
    model = ts.compile(ts.load(described))
    run = ts.simulate(model, 1.0, rate=10, method="symplectic6", step=0.001)
    true = ts.simulate(model, 1.0, rate=10, rtol=1e-12, method="dop853")
    assert [x.t for x in run.events] == pytest.approx([x.t for x in true.events], abs=1e-9)
    assert len(run.events) > 2
    for event in run.events:
        assert np.abs(model.closure_gap(event.state[:3])).max() < 1e-14


def test_a_torque_that_depends_on_position_alone_is_allowed():
    """Its work is part of the balance that stays within bounds."""
    described = four_bar_data()
    described["forces"] = {"push": {"type": "law", "joint": "A", "value": "0.02 - 0.1*sin(alpha)"}}
    run = ts.simulate(ts.load(described), 2.0, rate=10, method="symplectic6", step=0.001)
    assert np.ptp(run.work) > 0.05
    assert run.energy_drift < 1e-9


def test_without_a_step_sixty_go_into_the_shortest_period():
    """A plate on two parallel cranks swings as a mass on a thread of their length."""
    length = 9.81 / (4 * np.pi**2)
    crank = {"shape": {"bar": {"length": length, "axis": "y"}}, "mass": 0}
    pins = {
        name: {
            "type": "pivot",
            "bodies": [name, "plate"],
            "axis": "z",
            "point": [[0, -length, 0], [x, 0, 0]],
        }
        for name, x in (("left", 0), ("right", 0.5))
    }
    feet = {
        f"{name}_foot": {
            "type": "pivot",
            "bodies": ["ground", name],
            "axis": "z",
            "point": [[x, 0, 0], [0, 0, 0]],
        }
        for name, x in (("left", 0), ("right", 0.5))
    }
    swing = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"left": crank, "right": crank, "plate": {"mass": 1, "inertia": [1, 1, 1]}},
            "joints": {**feet, **{f"{name}_pin": x for name, x in pins.items()}},
            "reactions": "least_norm",
            "initial": {"left_foot": 0.01},
        }
    )
    run = ts.simulate(swing, 10.0, rate=6.0, method="symplectic")
    assert tells(run.notices[0], "Symplectic steps of 0.0166667 s, of order 4, 60 or more")
    assert "(1 s)" in run.notices[0]


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rolling_wheel", r'^"road": it restrains speeds and not positions'),
        ("whitworth", r'^"drive": it depends on time'),
    ],
)
def test_rolling_and_motions_imposed_in_time_are_refused(name, told):
    with pytest.raises(ModelError, match=told + r'.*\n.*method="dop853"'):
        ts.simulate(ts.load(EXAMPLES / f"{name}.yaml"), 1.0, method="symplectic")


def test_a_step_that_cannot_be_solved_is_told():
    with pytest.raises(SolveError, match=r"the step is too long[\s\S]*A shorter step helps"):
        ts.simulate(four_bar(), 100.0, rate=1.0, method="symplectic", step=0.5)
