"""Motions from event to event that go on: modes of contact do not change without end."""

import numpy as np
import pytest

import torseur as ts

G = 9.81
COORDINATES = [{}, {"coordinates": "absolute"}]
BOTH = pytest.mark.parametrize("options", COORDINATES, ids=["joint", "absolute"])
CORNERS = [[-0.1, -0.1, 0.0], [0.1, -0.1, 0.0]]
DOUBLED = [[x, -0.1, z] for x in (-0.1, 0.1) for z in (-0.1, 0.1)]
FEET = [[0.1, 0.0, -0.1], [-0.05, 0.08, -0.1], [-0.05, -0.08, -0.1]]


# --- shares of what sticks -----------------------------------------------------------------------


def box_on_a_belt(points, static, kinetic, speed, stiffness):
    """1 kg on feet on a belt, at the speed of the belt, and a spring to the ground at rest."""
    in_space = points is FEET
    place = [0, 0, 0.1] if in_space else [0, 0.1, 0]
    free = {"type": "free"} if in_space else {"type": "planar", "normal": "z"}
    law = {"normal": "z" if in_space else "y", "friction": {"static": static, "kinetic": kinetic}}
    return ts.load(
        {
            "gravity": [0, 0, -G] if in_space else [0, -G, 0],
            "reactions": "least_norm",
            "bodies": {"belt": {"mass": 1.0, "inertia": [1, 1, 1]},
                       "b": {"mass": 1.0, "inertia": [0.02, 0.02, 0.02]}},
            "joints": {
                "P": {"type": "prismatic", "bodies": ["ground", "belt"], "axis": "x",
                      "coordinate": "s"},
                "J": {"bodies": ["ground", "b"], **free},
            },
            "motions": {"drive": {"coordinate": "s", "law": f"{speed}*t"}},
            "contacts": {f"c{k}": {"bodies": ["belt", "b"], "point": point, **law}
                         for k, point in enumerate(points)},
            "forces": {"k": {"type": "spring", "stiffness": stiffness, "length": 1.0,
                             "between": [["ground", [-1, *place[1:]]], ["b", [0, 0, 0]]]}},
            "initial": {"J_z" if in_space else "J_y": 0.1, "J_x.": speed},
        }
    )  # fmt: skip


@BOTH
@pytest.mark.parametrize("points", [CORNERS, DOUBLED, FEET], ids=["two", "doubled", "three"])
def test_a_box_on_a_belt_is_torn_off_once_whatever_its_feet(points, options):
    """It sticks until k v t = μ_s m g, then vibrates about μ_k m g/k with its first speed v."""
    static, kinetic, speed, stiffness, end = 0.3, 0.3, 0.5, 50.0, 0.5
    torn, rate = static * G / (stiffness * speed), np.sqrt(stiffness)
    m = box_on_a_belt(points, static, kinetic, speed, stiffness)
    run = ts.simulate(m, end, rate=20, **options)
    middle, later = kinetic * G / stiffness, rate * (end - torn)
    ends = middle + (speed * torn - middle) * np.cos(later) + speed / rate * np.sin(later)
    assert run["J_x"][-1] == pytest.approx(ends, rel=1e-6)
    assert len(run.events) == len(points)
    assert [event.t for event in run.events] == pytest.approx([torn] * len(points), rel=1e-6)


def tipping_box(depths):
    """A box that falls on a corner with friction 1, tips over it and slides; a spring pulls."""
    foot = {"bodies": ["ground", "b"], "normal": "y", "restitution": 0, "friction": 1.0}
    return ts.load(
        {
            "gravity": [0, -G, 0],
            "reactions": "least_norm",
            "bodies": {"b": {"mass": 1.0, "inertia": [0.05, 0.05, 0.05]}},
            "joints": {"J": {"type": "planar", "bodies": ["ground", "b"], "normal": "z"}},
            "contacts": {f"{side}{k}": {**foot, "point": [x, -0.2, z]}
                         for side, x in (("left", -0.1), ("right", 0.1))
                         for k, z in enumerate(depths)},
            "forces": {"k": {"type": "spring", "stiffness": 50.0, "length": 1.0,
                             "between": [["ground", [-1, 0.2, 0]], ["b", [0, 0, 0]]]}},
            "initial": {"J_y": 1.0, "J_angle": 0.1, "J_angle.": 1.0},
        }
    )  # fmt: skip


@BOTH
def test_corners_that_are_doubled_move_as_single_ones(options):
    single, doubled = (
        ts.simulate(tipping_box(z), 1.0, rate=20, **options) for z in ([0], [-0.1, 0.1])
    )
    np.testing.assert_allclose(doubled.q, single.q, atol=1e-7)


# --- what leaves at no speed ---------------------------------------------------------------------


def falling_boxes(seed):
    """A box above a box above a floor, all smooth, tilted, some shocks plastic."""
    rng = np.random.default_rng([3, seed])
    a, h = rng.uniform(0.1, 0.3, 2)
    mass = rng.uniform(0.5, 2)
    contacts = {}
    for i, x in enumerate((-a, a)):
        floor, top = ({"restitution": float(rng.choice([0, 0.3])), "friction": 0} for _ in "ab")
        contacts[f"f{i}"] = {"bodies": ["ground", "b"], "point": [x, -h, 0], "normal": "y", **floor}
        contacts[f"t{i}"] = {
            "bodies": ["b", "c"], "point": [0.7 * x, -0.1, 0], "normal": "y",
            "through": [0, h, 0], **top,
        }  # fmt: skip
    first, along, second, turning = (
        rng.uniform(-0.3, 0.3),
        rng.normal(),
        rng.uniform(-0.3, 0.3),
        rng.normal(),
    )
    plane = {"type": "planar", "normal": "z"}
    m = ts.load(
        {
            "gravity": [0, -G, 0],
            "bodies": {"b": {"mass": mass, "inertia": [mass * (a * a + h * h) / 3] * 3},
                       "c": {"mass": 1.0, "inertia": [0.02, 0.02, 0.02]}},
            "joints": {x: {**plane, "bodies": ["ground", x]} for x in "bc"},
            "contacts": contacts,
            "initial": {"b_y": h + 0.1, "b_angle": first, "b_x.": along, "b_angle.": turning,
                        "c_y": 2 * h + 0.45, "c_angle": second},
        }
    )  # fmt: skip
    return m, h


@BOTH
@pytest.mark.parametrize("seed", [171, 174])
def test_what_a_shock_leaves_at_no_speed_is_not_touched_at_that_instant_for_ever(seed, options):
    """Without friction the boxes end flat on each other."""
    m, h = falling_boxes(seed)
    run = ts.simulate(m, 0.6, rate=10, **options)
    np.testing.assert_allclose([run["b_y"][-1], run["c_y"][-1]], [h, 2 * h + 0.1], rtol=1e-9)
    np.testing.assert_allclose([run["b_angle"][-1], run["c_angle"][-1]], 0.0, atol=1e-9)
    assert run.energy_drift < 1e-8


# --- tolerances ----------------------------------------------------------------------------------

LEG = 0.16
LEGS = {"a": (1, 1), "b": (1, -1), "c": (-1, 1), "d": (-1, -1)}
JOINTS = [f"{name}{k}" for name in LEGS for k in range(3)]


def quadruped():
    """A trunk on four legs of three joints each, on point feet."""
    bodies = {"trunk": {"mass": 1.5, "inertia": [0.01, 0.02, 0.025]}}
    joints = {"base": {"type": "free", "bodies": ["ground", "trunk"]}}
    contacts, initial, zero = {}, {"base_z": 2 * LEG * np.cos(0.7)}, [0, 0, 0]
    part = {"centre": [0, 0, -LEG / 2]}
    for name, (x, y) in LEGS.items():
        bodies[f"{name}s"] = {"mass": 0.14, "inertia": [1e-4, 1e-4, 1e-4]}
        bodies[f"{name}u"] = {"mass": 0.15, "inertia": [3e-4, 3e-4, 3e-5], **part}
        bodies[f"{name}l"] = {"mass": 0.06, "inertia": [1e-4, 1e-4, 1e-5], **part}
        placed = (
            ("trunk", "s", "x", [0.19 * x, 0.08 * y, 0]),
            (f"{name}s", "u", "y", [0, 0.015 * y, 0]),
            (f"{name}u", "l", "y", [0, 0, -LEG]),
        )
        for k, (first, second, axis, point) in enumerate(placed):
            joints[f"{name}{second}"] = {
                "type": "revolute", "bodies": [first, name + second], "axis": axis,
                "point": [point, zero], "coordinate": f"{name}{k}",
            }  # fmt: skip
        foot = {"point": [0, 0, -LEG], "normal": "z", "friction": 0.6}
        contacts[name] = {"bodies": ["ground", f"{name}l"], **foot}
        initial |= {f"{name}1": 0.7, f"{name}2": -1.4}
    return ts.compile(
        ts.load(
            {
                "gravity": [0, 0, -G],
                "reactions": "least_norm",
                "bodies": bodies,
                "joints": joints,
                "contacts": contacts,
                "inputs": JOINTS,
                "initial": initial,
            }
        )
    )


def test_feet_that_start_to_slide_do_not_chatter_at_a_coarse_tolerance():
    """A robot that trots: what is tolerated changes neither its events by much nor its way.

    Steps of half a millisecond lead within a millimetre of it.
    """
    model = quadruped()
    q_of = [list(model.coordinates).index(name) for name in JOINTS]
    v_of = [list(model.speeds).index(f"{name}.") for name in JOINTS]

    def trot(t, q, v):
        phase = 4 * np.pi * t
        wanted = np.zeros((4, 3))
        for k, turn in enumerate((1, -1, -1, 1)):
            lift = 0.3 * max(0.0, turn * np.sin(phase))
            swing = -0.12 * turn * np.cos(phase)
            wanted[k] = 0.0, 0.7 + lift + swing, -1.4 - 2 * lift
        return 12 * (wanted.ravel() - q[q_of]) - 0.3 * v[v_of]

    fine, coarse = (
        ts.simulate(model, 1.0, control=trot, sample=1e-3, rate=50, rtol=rtol)
        for rtol in (1e-9, 1e-4)
    )
    assert len(coarse.events) <= 1.2 * len(fine.events)
    steps = ts.simulate(model, 1.0, control=trot, sample=1e-3, rate=50, method="moreau", step=5e-4)
    for name in ("base_x", "base_z"):
        np.testing.assert_allclose(coarse[name], fine[name], atol=1e-4)
        np.testing.assert_allclose(steps[name], fine[name], atol=1e-3)
