"""Given coordinates and speeds are kept, whichever joints carry bodies and which close loops."""

import itertools
import math

import numpy as np
import pytest

import torseur as ts

FOUR = "ABCD"
ORDERS = ["".join(order) for order in itertools.permutations(FOUR)]
L1, L2, L3, L4 = 0.10, 0.30, 0.25, 0.30


def planar(joints, order, bodies, **more):
    """Bars hinged in a plane, joints in an order: bodies, points and coordinate of each."""
    return ts.load(
        {
            "bodies": {name: {"mass": 1.0, "inertia": [0.01, 0.01, 0.01]} for name in bodies},
            "joints": {
                name: {
                    "type": "pivot",
                    "bodies": joints[name][0],
                    "point": joints[name][1],
                    "axis": "z",
                    "coordinate": joints[name][2],
                }
                for name in order
            },
            "reactions": "least_norm",
            **more,
        }
    )


def four_bar(order, **initial):
    joints = {
        "A": (["ground", "crank"], [[0, 0, 0], [0, 0, 0]], "alpha"),
        "B": (["crank", "coupler"], [[L1, 0, 0], [0, 0, 0]], "beta"),
        "D": (["ground", "rocker"], [[L4, 0, 0], [0, 0, 0]], "delta"),
        "C": (["coupler", "rocker"], [[L2, 0, 0], [L3, 0, 0]], "gamma"),
    }
    return planar(joints, order, ("crank", "coupler", "rocker"), initial=initial)


def four_bar_angles(alpha):
    """β, δ and γ of the upper assembly: two circles meet in C."""
    B = L1 * np.array([math.cos(alpha), math.sin(alpha)])
    apart = np.array([L4, 0.0]) - B
    d = np.linalg.norm(apart)
    along = (L2**2 - L3**2 + d**2) / (2 * d)
    across = math.sqrt(L2**2 - along**2)
    C = B + (along * apart + across * np.array([-apart[1], apart[0]])) / d
    turn = math.atan2(*(C - B)[::-1])
    delta = math.atan2(C[1], C[0] - L4)
    return turn - alpha, delta, delta - turn


def four_bar_speeds(alpha, rate):
    """Their rates, by the velocity of C, which is that of both bars."""
    beta, delta, _ = four_bar_angles(alpha)
    turn = alpha + beta
    B = L1 * np.array([-math.sin(alpha), math.cos(alpha)]) * rate
    unit = [np.array([-math.sin(x), math.cos(x)]) for x in (turn, delta)]
    w, d = np.linalg.solve(np.column_stack([-L2 * unit[0], L3 * unit[1]]), B)
    return w - rate, d, d - w


@pytest.mark.sampled(12)
@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("order", ORDERS)
def test_a_given_speed_is_kept_in_every_order_of_joints(order, coordinates):
    beta, delta, gamma = four_bar_angles(0.4)
    start = {"alpha": 0.4, "beta": beta, "gamma": gamma, "delta": delta}
    run = ts.simulate(four_bar(order, **start, **{"alpha.": -1.5}), 0.01, coordinates=coordinates)
    assert run["alpha."][0] == pytest.approx(-1.5, abs=1e-12)
    found = [run[name][0] for name in ("beta.", "delta.", "gamma.")]
    np.testing.assert_allclose(found, four_bar_speeds(0.4, -1.5), atol=1e-12)
    assert not [notice for notice in run.notices if "moved" in notice]


@pytest.mark.parametrize("order", ORDERS[::3])
def test_a_given_coordinate_is_kept_in_every_order_of_joints(order):
    """Whichever it is; the others follow from the circles of the bars."""
    every = dict(zip(("beta", "delta", "gamma"), four_bar_angles(0.4), strict=True))
    rates = dict(zip(("beta.", "delta.", "gamma."), four_bar_speeds(0.4, 2.0), strict=True))
    for name in every:
        near = {n: x + 0.05 for n, x in every.items() if n != name}
        start = ts.assemble(
            four_bar(order), {name: every[name], f"{name}.": rates[f"{name}."]} | near
        )
        angles = start.coordinates | {n: every[n] for n in every if n not in start.coordinates}
        speeds = start.speeds
        # the tree is three of the four joints: its angles and speeds tell all
        expected = {"alpha": 0.4, **every, "alpha.": 2.0, **rates}
        for known in (angles, speeds):
            for n, x in known.items():
                assert x == pytest.approx(expected[n], abs=1e-9), (order, name, n)


def test_speeds_that_contradict_each_other_are_named_with_old_and_new_values():
    beta, delta, gamma = four_bar_angles(0.4)
    rate = four_bar_speeds(0.4, 1.0)[1]
    for order in ("ABDC", "BDCA", "ABCD"):
        start = {"alpha": 0.4, "beta": beta, "gamma": gamma, "delta": delta}
        model = four_bar(order, **start, **{"alpha.": 1.0, "delta.": 5.0})
        for coordinates in ("joint", "absolute"):
            run = ts.simulate(model, 0.01, coordinates=coordinates)
            told = [notice for notice in run.notices if "moved" in notice]
            assert len(told) == 1
            assert f"moved: delta. from 5 to {rate:.6g}." in told[0]
            assert run["alpha."][0] == pytest.approx(1.0, abs=1e-12)


# --- loops in space -------------------------------------------------------------------------------


def spatial(order, **initial):
    """A pivot, a ball, a cylinder and a cross in a loop of mobility 2, closed at zero."""
    corners = {"A": [0, 0, 0], "B": [0.5, 0.1, 0.2], "C": [0.7, 0.6, -0.1], "D": [0.1, 0.8, 0.3]}
    kinds = {
        "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": [1, 2, 3]},
        "B": {"type": "spherical", "bodies": ["a", "b"]},
        "C": {"type": "cylindrical", "bodies": ["b", "c"], "axis": [0, 1, 1]},
        "D": {"type": "universal", "bodies": ["c", "ground"], "axes": ["x", "y"]},
    }
    joints = {name: {**kinds[name], "point": corners[name]} for name in order}
    bodies = {n: {"mass": 1.0, "inertia": [0.02, 0.03, 0.04]} for n in "abc"}
    return ts.load({"bodies": bodies, "joints": joints, "initial": initial})


PAIRS = [
    {"B_wx": 0.7, "B_wz": -0.4},
    {"C_1.": 0.3, "C_2.": -1.1},
    {"D_1.": 1.3, "B_wy": 0.2},
    {"A.": 0.9, "C_1.": -0.25},
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: ", ".join(pair))
def test_given_speeds_of_a_spatial_loop_are_kept_in_every_order(pair):
    """Two of them determine a loop of mobility 2: all orders have the same speeds of bodies."""
    pair = {_name(n): x for n, x in pair.items()}
    known = []
    for order in ORDERS[:: 24 // 8]:
        run = ts.simulate(spatial(order, **pair), 0.01, coordinates="absolute")
        assert {n: run[n][0] for n in pair} == pytest.approx(pair, abs=1e-11)
        assert not [notice for notice in run.notices if "moved" in notice]
        assert run.closure_error < 1e-11
        known.append([run[n][0] for n in sorted(run.model.mechanism.every_speed)])
    np.testing.assert_allclose(known, known[:1] * len(known), atol=1e-10)


def _name(short):
    """Speeds by the names that the mechanism gives them."""
    joint = spatial(FOUR).joints[short[0]]
    places = {"A.": 0, "B_wx": 0, "B_wy": 1, "B_wz": 2, "C_1.": 0, "C_2.": 1, "D_1.": 0, "D_2.": 1}
    return joint.speeds[places[short]]


@pytest.mark.parametrize("order", ["ABCD", "ACDB", "DCBA"])
def test_a_given_attitude_of_a_ball_is_kept_whether_it_carries_or_closes(order):
    """The quaternion of a turn, taken from a state of the loop that other joints determine."""
    pivot, cylinder = spatial(FOUR).joints["A"], spatial(FOUR).joints["C"]
    chosen = {pivot.coordinates[0]: 0.2, cylinder.coordinates[0]: 0.05}
    there = ts.simulate(spatial("ABCD", **chosen), 0.01, coordinates="absolute")
    ball = spatial(FOUR).joints["B"].coordinates
    attitude = {n: float(there[n][0]) for n in ball}
    run = ts.simulate(spatial(order, **attitude), 0.01, coordinates="absolute")
    assert {n: run[n][0] for n in ball} == pytest.approx(attitude, abs=1e-9)
    assert not [notice for notice in run.notices if "moved" in notice]


def test_rows_of_a_batch_keep_given_values_of_closing_joints():
    """As single motions do; A closes the loop."""
    beta, delta, gamma = four_bar_angles(0.4)
    model = four_bar("BDCA", alpha=0.4, beta=beta, gamma=gamma, delta=delta)
    alphas, rates = np.array([0.4, 0.5, 0.3]), np.array([-1.5, 2.0, 0.5])
    runs = ts.simulate(model, 0.01, initial={"alpha": alphas, "alpha.": rates})
    for row, (alpha, rate) in enumerate(zip(alphas, rates, strict=True)):
        found = [runs[row][name][0] for name in ("alpha", "alpha.", "delta", "beta.", "delta.")]
        speeds = four_bar_speeds(alpha, rate)
        expected = [alpha, rate, four_bar_angles(alpha)[1], *speeds[:2]]
        np.testing.assert_allclose(found, expected, atol=1e-9)


# --- many bodies, many freedoms -------------------------------------------------------------------


def ring(count, order, **initial):
    """A chain of bars between two balls on the ground, bent up and down."""
    names = [f"S{k}" for k in range(count)]
    joints = {
        name: {
            "type": "spherical",
            "bodies": [names[k - 1].replace("S", "b") if k else "ground", f"b{k}"],
            "point": [[1.0 if k else 0.0, 0, 0], [0, 0, 0]],
        }
        for k, name in enumerate(names)
    }
    span = count * math.cos(0.3)
    joints["E"] = {
        "type": "spherical",
        "bodies": [f"b{count - 1}", "ground"],
        "point": [[1, 0, 0], [span, 0, 0]],
    }
    bent = {}
    for k in range(count):
        turn = (0.3 if k == 0 else 0.6) * (-1) ** k
        bent |= {f"S{k}_w": math.cos(turn / 2), f"S{k}_y": math.sin(turn / 2)}
    bodies = {f"b{k}": {"mass": 1, "inertia": [0.1, 0.1, 0.1]} for k in range(count)}
    taken = {name: joints[name] for name in order(joints)}
    return ts.load({"bodies": bodies, "joints": taken, "initial": bent | initial})


@pytest.mark.parametrize("order", [list, lambda names: list(names)[::-1]], ids=["chain", "back"])
def test_given_speeds_of_a_large_mechanism_are_kept_whichever_joint_closes_it(order):
    """Speeds of balls, to which no coordinate belongs; an even chain closes exactly."""
    given = {"S3_wz": 0.7, "E_wx": 2.0, "E_wz": -0.4}
    run = ts.simulate(ring(18, order, **given), 0.001, rate=1000, coordinates="absolute")
    assert {n: run[n][0] for n in given} == pytest.approx(given, abs=1e-9)
    assert not [notice for notice in run.notices if "moved" in notice]


def five_bar(order, **initial):
    joints = {
        "A": (["ground", "a"], [[0, 0, 0], [0, 0, 0]], "q1"),
        "B": (["a", "b"], [[1, 0, 0], [0, 0, 0]], "q2"),
        "C": (["b", "c"], [[1, 0, 0], [1, 0, 0]], "q3"),
        "D": (["c", "d"], [[0, 0, 0], [1, 0, 0]], "q4"),
        "E": (["d", "ground"], [[0, 0, 0], [1, 0, 0]], "q5"),
    }
    return planar(joints, order, "abcd", initial=initial)


def test_speeds_that_are_left_open_do_not_depend_on_the_order_of_joints():
    """A five-bar has two freedoms: with one speed given, the least arcs of bodies decide."""
    angles = np.array([2.0, -1.2, 0.0, 0.0, 0.0])
    B = np.array([math.cos(2.0), math.sin(2.0)])
    C, E = B + np.array([math.cos(0.8), math.sin(0.8)]), np.array([1.0, 0.0])
    # D is at one metre from C and from E
    middle, half = (C + E) / 2, (E - C) / 2
    rise = math.sqrt(1 - half @ half) / np.linalg.norm(half)
    D = middle - rise * np.array([-half[1], half[0]])
    c, d = (math.atan2(*(x - y)[::-1]) for x, y in ((C, D), (D, E)))
    angles[2:] = c - 0.8, d - c, -d
    start = dict(zip(("q1", "q2", "q3", "q4", "q5"), angles.tolist(), strict=True))
    names = [f"{n}." for n in start]
    known = []
    for order in ("ABCDE", "EDCBA", "CBDAE", "BEDCA", "DABEC"):
        run = ts.simulate(five_bar(order, **start, **{"q1.": 1.0}), 0.01, coordinates="absolute")
        assert run["q1."][0] == pytest.approx(1.0, abs=1e-12)
        known.append([run[n][0] for n in names])
    np.testing.assert_allclose(known, known[:1] * len(known), atol=1e-9)


# --- values that do not quite fit -----------------------------------------------------------------


def slider_crank(order, **initial):
    pivots = {
        "O": (["ground", "crank"], [[0, 0, 0], [0, 0, 0]], "theta"),
        "A": (["crank", "rod"], [[L1, 0, 0], [0, 0, 0]], "phi"),
        "B": (["rod", "piston"], [[L2, 0, 0], [0, 0, 0]], "psi"),
    }
    joints = {
        name: {"type": "pivot", "bodies": b, "point": p, "axis": "z", "coordinate": q}
        for name, (b, p, q) in pivots.items()
    }
    joints["C"] = {
        "type": "prismatic", "bodies": ["ground", "piston"], "axis": "x", "coordinate": "x",
    }  # fmt: skip
    bodies = {n: {"mass": 1, "inertia": [0.01] * 3} for n in ("crank", "rod", "piston")}
    taken = {name: joints[name] for name in order}
    return ts.load(
        {"bodies": bodies, "joints": taken, "initial": initial, "reactions": "least_norm"}
    )


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("order", ["OABC", "CBAO", "ABCO"])
def test_beside_a_dead_point_a_small_misfit_of_length_does_not_turn_the_crank(order, coordinates):
    """x is off by 1e-7 m; to keep it, θ would go from 1e-4 to 1.2e-3 rad."""
    theta = 1e-4
    x = L1 * math.cos(theta) + math.sqrt(L2**2 - (L1 * math.sin(theta)) ** 2)
    model = slider_crank(order, x=x - 1e-7, theta=theta)
    run = ts.simulate(model, 0.001, coordinates=coordinates)
    assert run["theta"][0] == pytest.approx(theta, abs=1e-7)
    assert run["x"][0] == pytest.approx(x, abs=1e-9)
    told = next(notice for notice in run.notices if "moved" in notice)
    assert f"x from {x - 1e-7:.9g} to {x:.9g}" in told


@pytest.mark.parametrize("order", ["OABC", "CBAO"])
def test_elsewhere_given_values_are_kept_in_their_order(order):
    x = L1 * math.cos(0.5) + math.sqrt(L2**2 - (L1 * math.sin(0.5)) ** 2)
    first = ts.assemble(slider_crank(order), {"x": x - 1e-3, "theta": 0.5})
    other = ts.assemble(slider_crank(order), {"theta": 0.5, "x": x - 1e-3})
    assert set(first.changed) == {"theta"}
    assert set(other.changed) == {"x"}
    assert other.changed["x"] == pytest.approx((x - 1e-3, x), abs=1e-12)
