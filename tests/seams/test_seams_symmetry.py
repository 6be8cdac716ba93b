"""Symmetric scenes stay symmetric, to rounding: at rest, as slip begins, in shocks, by steps.

So does a scene that falls freely with its ground, as one that floats.
"""

import numpy as np
import pytest

import torseur as ts

WAYS = {
    "joint": {"rtol": 1e-11},
    "absolute": {"rtol": 1e-11, "coordinates": "absolute"},
    "steps": {"method": "moreau", "step": 1e-3},
}
EQUAL = 1e-8


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def box(initial, feet, law, gravity=(0, 0, -9.81), **more):
    """A free box with points that touch the floor z = 0."""
    touch = {"bodies": ["ground", "A"], "normal": "z", **law}
    return {
        "gravity": list(gravity),
        "reactions": "least_norm",
        "bodies": {"A": {"mass": 2.0, "inertia": [0.03, 0.04, 0.05]}},
        "joints": {"A": {"type": "free", "bodies": ["ground", "A"]}},
        "contacts": {f"c{k}": {**touch, "point": list(foot)} for k, foot in enumerate(feet)},
        "initial": initial,
        **more,
    }


FEET = [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.15, 0.15)]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("speed", [0.0, 0.8])
@pytest.mark.parametrize("pull", [(3.0, 0.0), (6.0, 0.0), (0.0, 6.0)])
def test_a_box_on_four_feet_pulled_along_an_axis_does_not_turn(way, pull, speed):
    """Feet of one side carry alike; what slides goes straight on."""
    along = np.array(pull) / np.linalg.norm(pull)
    start = {"A_z": 0.1, "A_x.": speed * along[0], "A_y.": speed * along[1]}
    run = ts.simulate(
        ts.load(box(start, FEET, {"friction": 0.4}, (*pull, -9.81))), 0.4, at=[0.1, 0.4], **way
    )
    for x in ("A_wx", "A_wy", "A_wz"):
        assert np.abs(run[x]).max() < EQUAL
    across = "A_y" if pull[0] else "A_x"
    assert np.abs(run[across]).max() < EQUAL
    loads = np.array([run.contact(f"c{k}").normal for k in range(4)])
    pairs = ((0, 1), (2, 3)) if pull[0] else ((0, 2), (1, 3))
    for i, k in pairs:
        assert loads[i] == pytest.approx(loads[k], abs=1e-6)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("law", [{}, {"friction": 0.3}, {"friction": 0.3, "restitution": 0.5},
                                 {"friction": 0.3, "restitution": {"poisson": 0.5}},
                                 {"restitution": 1.0}], ids=str)  # fmt: skip
def test_a_box_that_falls_flat_lands_flat(way, law):
    run = ts.simulate(
        ts.load(box({"A_z": 0.13, "A_x.": 0.3}, FEET, law)), 0.2, at=[0.1, 0.2], **way
    )
    assert np.abs(run["A_y"]).max() < EQUAL
    assert np.abs(run["A_wx"]).max() < EQUAL and np.abs(run["A_wz"]).max() < EQUAL
    if "friction" not in law:
        assert np.abs(run["A_wy"]).max() < EQUAL
        assert run["A_x."] == pytest.approx(0.3, abs=EQUAL)


def grip(start):
    """A box between two pads that push with F each, four points on each side; it falls along z."""
    pads = {}
    for side, sign in (("left", 1), ("right", -1)):
        for k, (y, z) in enumerate([(-0.05, -0.05), (-0.05, 0.05), (0.05, -0.05), (0.05, 0.05)]):
            pads[f"{side}{k}"] = {
                "bodies": [side, "A"], "normal": [sign, 0, 0], "point": [-sign * 0.1, y, z],
                "through": [0, 0, 0], "friction": 0.5,
            }  # fmt: skip
    slides = {
        side: {"type": "prismatic", "bodies": ["ground", side], "axis": "x", "coordinate": side}
        for side in ("left", "right")
    }
    return {
        "gravity": [0, 0, -9.81],
        "reactions": "least_norm",
        "bodies": {"A": {"mass": 0.1, "inertia": [1e-4, 1e-4, 1e-4]},
                   "left": {"mass": 0.2}, "right": {"mass": 0.2}},
        "joints": {"A": {"type": "free", "bodies": ["ground", "A"]}, **slides},
        "forces": {"l": {"type": "joint", "joint": "left", "value": 0.5},
                   "r": {"type": "joint", "joint": "right", "value": -0.5}},
        "contacts": pads,
        "initial": {"left": -0.1, "right": 0.1, "A_z.": start},
    }  # fmt: skip


@pytest.mark.parametrize("start", [0.0, -0.5])
def test_a_box_that_slips_through_two_pads_does_not_spin(way, start):
    """Points carry alike: m g − 2 μ F is left for the fall, whether it starts or goes on."""
    run = ts.simulate(ts.load(grip(start)), 0.2, at=[0.1, 0.2], **way)
    a = (0.1 * 9.81 - 2 * 0.5 * 0.5) / 0.1
    t = np.array([0.1, 0.2])
    slack = 2e-3 if "step" in way else 1e-8
    assert run["A_z"] == pytest.approx(start * t - a * t * t / 2, abs=slack)
    assert max(np.abs(run[f"A_w{x}"]).max() for x in "xyz") < EQUAL
    for name in run.samples.contacts_named:
        assert run.contact(name).normal == pytest.approx(0.125, abs=1e-6)


@pytest.mark.sampled(4, kind=lambda way, restitution, count: way)
@pytest.mark.parametrize("restitution", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_masses_that_meet_from_both_sides_leave_alike(way, restitution, count):
    """A row in touch, struck at both ends at once; the middle of the row stays where it is."""
    described = {
        "bodies": {f"m{k}": {"mass": 1.0} for k in range(count + 2)},
        "joints": {
            f"x{k}": {"type": "prismatic", "bodies": ["ground", f"m{k}"], "axis": "x",
                      "coordinate": f"x{k}"} for k in range(count + 2)
        },
        "contacts": {
            f"c{k}": {"gap": f"x{k + 1} - x{k}", "restitution": restitution}
            for k in range(count + 1)
        },
        "initial": {"x0": -0.1, f"x{count + 1}": 0.1, "x0.": 1.0, f"x{count + 1}.": -1.0},
    }  # fmt: skip
    run = ts.simulate(ts.load(described), 0.3, at=[0.05, 0.3], **way)
    v = np.array([run[f"x{k}."] for k in range(count + 2)])
    assert v == pytest.approx(-v[::-1], abs=EQUAL)
    assert np.abs(v[:, -1]).max() <= 1.0 + EQUAL


@pytest.mark.parametrize("law", [{}, {"friction": 0.4}], ids=str)
def test_a_wheel_in_a_groove_falls_straight_and_rests_alike_on_both_sides(way, law):
    run = ts.simulate(ts.load(groove(law, 0.2)), 1.0, at=[0.2, 0.5, 1.0], **way)
    assert np.abs(run["x"]).max() < EQUAL and np.abs(run["a"]).max() < EQUAL
    left, right = (run.contact(side).normal for side in ("left", "right"))
    assert left == pytest.approx(right, abs=1e-6)
    if not law:  # with friction that sticks, laws leave open how much of the load it carries
        assert left[-1] == pytest.approx(9.81 / 1.6, abs=1e-5)


def test_a_wheel_that_rests_in_a_groove_shares_its_load_in_one_way():
    """The smallest forces, T/N = 3/4, are beyond the limit of friction, T/N = 0.4.

    From event to event they keep clear of it, from rest and after a fall, in both coordinates;
    steps, which find no events, take the smallest within it: N (0.8 + 0.6 · 0.4) = m g / 2.
    """

    def loads(way):
        runs = (
            ts.simulate(ts.load(groove({"friction": 0.4}, y)), 1.0, at=[1.0], **WAYS[way])
            for y in (0.125, 0.2)
        )
        return [run.contact("left").normal[-1] for run in runs]

    joint, absolute = loads("joint"), loads("absolute")
    least, most = 9.81 / 2 / (0.8 + 0.6 * 0.4), 9.81 / 1.6
    assert least < joint[0] < most
    assert [*joint, *absolute] == pytest.approx([joint[0]] * 4, abs=1e-5)
    assert loads("steps") == pytest.approx([least] * 2, abs=1e-5)


def groove(law, y):
    """A wheel over or in a groove of two planes, which it touches at y = 0.125."""
    touch = {"bodies": ["ground", "A"], "shape": "ball", "radius": 0.1, "restitution": 0.3, **law}
    return {
        "gravity": [0, -9.81, 0],
        "bodies": {"A": {"mass": 1.0, "inertia": [0.004, 0.004, 0.004]}},
        "joints": {"A": {"type": "planar", "bodies": ["ground", "A"], "normal": "z",
                         "coordinates": ["x", "y", "a"]}},
        "contacts": {"left": {**touch, "normal": [0.6, 0.8, 0]},
                     "right": {**touch, "normal": [-0.6, 0.8, 0]}},
        "initial": {"y": y},
    }  # fmt: skip


def test_two_pendulums_that_strike_a_wall_between_them_stay_mirrored(way):
    bar = {"mass": 1.0, "centre": [0, -0.25, 0], "inertia": [0.02, 0, 0.02]}
    joints, contacts = {}, {}
    for name, x, sign in (("l", -0.15, 1), ("r", 0.15, -1)):
        joints[name] = {"type": "revolute", "bodies": ["ground", name], "axis": "z",
                        "coordinate": name, "point": [[x, 0, 0], [0, 0, 0]],
                        "friction": {"coefficient": 0.2, "radius": 0.02}}  # fmt: skip
        touch = {"bodies": ["ground", name], "point": [0, -0.5, 0], "normal": [-sign, 0, 0]}
        contacts[f"{name} wall"] = {**touch, "friction": 0.2, "restitution": 0.6}
    described = {
        "gravity": [0, -9.81, 0], "bodies": {"l": bar, "r": bar}, "joints": joints,
        "contacts": contacts, "initial": {"l": -0.5, "r": 0.5},
    }  # fmt: skip
    run = ts.simulate(ts.load(described), 1.0, at=np.linspace(0.05, 1.0, 20), **way)
    assert run["l"] == pytest.approx(-run["r"], abs=EQUAL)
    assert run["l."] == pytest.approx(-run["r."], abs=EQUAL)
    assert any(event.cause == "shock" for event in run.events)


@pytest.mark.parametrize("axis", [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.6, 0.8, 0.0)])
@pytest.mark.parametrize("limits", [{}, {"limits": [-1.0, 0.4], "stop": {}}])
def test_friction_holds_a_pendulum_that_falls_freely_with_its_lift(axis, limits):
    """Nothing has a weight there: the friction of no load holds what no force turns."""
    g = 9.81
    rubs = {"friction": {"coefficient": 0.3, "radius": 0.05}}
    described = {
        "gravity": [-g * x for x in axis],
        "bodies": {
            "lift": {"mass": 3.0},
            "rod": {"mass": 0.93, "centre": [0, -0.37, 0], "inertia": [0.042, 0.0042, 0.042]},
        },
        "joints": {
            "s": {"type": "prismatic", "bodies": ["ground", "lift"], "axis": list(axis),
                  "coordinate": "s"},
            "a": {"type": "revolute", "bodies": ["lift", "rod"], "axis": "z", "coordinate": "a",
                  **rubs, **limits},
        },
        "motions": {"fall": {"coordinate": "s", "law": f"-{g}*t^2/2"}},
        "initial": {"a": 0.4},
    }  # fmt: skip
    run = ts.simulate(ts.load(described), 1.0, rate=10)
    assert set(run.contact("a: friction").state) == {"stick"}
    assert np.abs(run["a"] - 0.4).max() < 1e-12
