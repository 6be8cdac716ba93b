"""Motions with contacts beside closed forms: what sticks, slides, rolls, lifts and bounces."""

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError, SolveError
from torseur.simulation.run.quantities import known, quantity

G = 9.81
BLOCK = {"b": {"mass": 2, "inertia": [0.01, 0.01, 0.01]}}
PLANE = {
    "P": {
        "type": "planar",
        "bodies": ["ground", "b"],
        "normal": "z",
        "coordinates": ["x", "y", "phi"],
    }
}
LINE = {"P": {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x", "coordinate": "x"}}


def model(**sections):
    sections.setdefault("gravity", [0, -G, 0])
    return ts.load({"name": "contact", **sections})


def corners(friction, slope="0 deg", half=0.1, below=0.05, **more):
    """Two corners of a block in the plane, on a slope."""
    return {
        name: {
            "bodies": ["ground", "b"],
            "point": [x, -below, 0],
            "normal": ["-sin(slope)", "cos(slope)", 0],
            "friction": friction,
            **more,
        }
        for name, x in (("left", -half), ("right", half))
    }


def on_slope(degrees, friction, **more):
    """A block that lies on a slope."""
    start = {"phi": "slope", "x": "-0.05*sin(slope)", "y": "0.05*cos(slope)"}
    return model(
        parameters={"slope": f"{degrees} deg"},
        bodies=BLOCK,
        joints=PLANE,
        contacts=corners(friction),
        initial=start | more,
    )


def last(run, cause):
    return [event for event in run.events if event.cause == cause][-1]


# --- sticking and sliding -------------------------------------------------------------------------


def test_a_box_on_a_slope_sticks_exactly_for_an_hour():
    run = ts.simulate(on_slope(10, 0.5), 3600.0, rate=1.0)
    for name in ("x", "y", "phi"):
        assert np.ptp(run[name]) == 0
        assert not run[f"{name}."].any()
        assert not run[f"{name}.."].any()
    both = run.contact("left").force + run.contact("right").force
    np.testing.assert_allclose(both[:, 0], 2 * G * np.cos(np.radians(10)), rtol=1e-13)
    np.testing.assert_allclose(np.abs(both[:, 1]), 2 * G * np.sin(np.radians(10)), rtol=1e-12)
    assert set(run.contact("left").state) == {"stick"}


def test_a_box_on_a_steep_slope_slides_by_coulomb():
    run = ts.simulate(on_slope(30, 0.3), 1.0)
    sliding = np.hypot(run["x.."], run["y.."])
    np.testing.assert_allclose(sliding, G * (0.5 - 0.3 * np.sqrt(3) / 2), rtol=1e-12)
    assert abs(sliding[0] - 2.356287) < 5e-7
    np.testing.assert_allclose(run.contact("left").adherence, 0.3, rtol=1e-12)
    np.testing.assert_allclose(run.contact("left").gap, 0, atol=1e-13)


def test_a_block_stops_after_the_time_and_the_way_of_its_friction():
    block = model(
        parameters={"slope": "0 deg"},
        bodies=BLOCK,
        joints=PLANE,
        contacts=corners(0.3),
        initial={"y": 0.05, "x.": 2},
    )
    run = ts.simulate(block, 2.0)
    assert abs(last(run, "end of sliding").t - 2 / (0.3 * G)) < 1e-11
    assert abs(run["x"][-1] - 4 / (2 * 0.3 * G)) < 1e-12
    lost = run.contact("left").work[-1] + run.contact("right").work[-1]
    np.testing.assert_allclose([lost, run.energy["work"][-1]], -4.0, rtol=1e-12)


def test_static_friction_holds_what_kinetic_friction_lets_slide_on():
    slope = np.degrees(np.arctan(0.35))  # between the two
    laws = {"static": 0.4, "kinetic": 0.3}
    stuck = ts.simulate(on_slope(slope, laws), 1.0)
    assert np.ptp(stuck["x"]) == 0
    pushed = ts.simulate(on_slope(slope, laws, **{"x.": -1e-6, "y.": -0.35e-6}), 1.0)
    angle = np.radians(slope)
    np.testing.assert_allclose(
        np.hypot(pushed["x.."], pushed["y.."]), G * (np.sin(angle) - 0.3 * np.cos(angle)), rtol=1e-9
    )


def test_the_oscillator_of_coulomb_comes_to_rest_where_it_should():
    oscillator = model(
        gravity=[0, 0, 0],
        bodies={"b": {"mass": 1}},
        joints={"P": LINE["P"] | {"friction": {"constant": 1}}},
        forces={"spring": {"type": "joint", "joint": "P", "value": "-1*x"}},
        initial={"x": 12, "x.": 6},
    )
    run = ts.simulate(oscillator, 40.0, rtol=1e-13)
    assert abs(run["x"][-1] - (15 - np.sqrt(205))) < 1e-10
    assert abs(last(run, "end of sliding").t - (np.arctan2(6, 13) + 7 * np.pi)) < 1e-10
    after = run.t > 22.43
    assert np.ptp(run["x"][after]) == 0


def test_a_mass_on_a_belt_sticks_and_slips_with_the_period_of_the_closed_form():
    # mass 1 on a belt at 0.1 m/s, spring of 1 N/m, Fs = 1 and Fk = 0.5 by weight 1 N
    belt = ts.load(
        {
            "name": "belt",
            "gravity": [0, -1, 0],
            "bodies": {"belt": {"mass": 1}, "b": {"mass": 1, "inertia": [1, 1, 1]}},
            "joints": {
                "B": {
                    "type": "prismatic",
                    "bodies": ["ground", "belt"],
                    "axis": "x",
                    "coordinate": "s",
                },
                **PLANE,
            },
            "motions": {"runs": {"coordinate": "s", "law": "0.1*t"}},
            "forces": {
                "spring": {"type": "joint", "joint": "P", "coordinate": "x", "value": "-1*x"}
            },
            "contacts": {
                name: {
                    "bodies": ["belt", "b"],
                    "point": [x, 0, 0],
                    "normal": "y",
                    "friction": {"static": 1.0, "kinetic": 0.5},
                }
                for name, x in (("left", -0.2), ("right", 0.2))
            },
            "initial": {"x.": 0.1},
        }
    )
    run = ts.simulate(belt, 40.0, rtol=1e-12, rate=50)
    slips = [e.t for e in run.events if e.cause == "limit of friction"]
    sticks = [e.t for e in run.events if e.cause == "end of sliding"]
    assert abs(slips[0] - 10.0) < 1e-9
    assert abs(sticks[0] - slips[0] - 3.5363837732895544) < 1e-9
    assert abs(slips[1] - slips[0] - 13.536383773289554) < 1e-9
    assert abs(run(sticks[0])["x"]) < 1e-9  # x at the start of sticking
    assert abs(run.at(np.linspace(10, 13.5, 20001))["x"].max() - 1.0099019513592786) < 1e-7


# --- rolling --------------------------------------------------------------------------------------

R = 0.1


def ball(joint, inertia, friction=0.2, **more):
    return model(
        bodies={"b": {"mass": 2, "inertia": [inertia * 2 * R**2] * 3}},
        joints=joint,
        contacts={
            "floor": {
                "bodies": ["ground", "b"],
                "shape": "sphere",
                "radius": R,
                "normal": "y",
                "friction": friction,
                **more,
            }
        },
    )


FREE = {"P": {"type": "free", "bodies": ["ground", "b"]}}


@pytest.mark.parametrize(("inertia", "part"), [(0.4, 5 / 7), (0.5, 2 / 3), (1.0, 0.5)])
def test_a_sphere_a_cylinder_and_a_hoop_end_up_rolling(inertia, part):
    run = ts.simulate(ball(PLANE, inertia), 4.0, initial={"y": R, "x.": 7}, rtol=1e-12)
    assert abs(run["x."][-1] - 7 * part) < 1e-11
    assert abs(last(run, "end of sliding").t - 7 * (1 - part) / (0.2 * G)) < 1e-11
    assert run.contact("floor").state[-1] == "stick"


def test_a_ball_with_two_directions_of_friction_goes_from_sliding_to_rolling():
    run = ts.simulate(ball(FREE, 0.4), 2.0, initial={"P_y": R, "P_x.": 7}, rtol=1e-12)
    end = last(run, "end of sliding").t
    assert abs(end - 1.019367991845056) < 1e-10
    assert abs(run["P_x."][-1] - 5) < 1e-11
    assert abs(run(end)["P_x"] - 6.116207951070336) < 1e-9


def test_a_spinning_ball_curves_and_keeps_its_momentum_about_the_ground():
    start = {"P_y": R, "P_x.": 3, "P_z.": 1, "P_wx": 20, "P_wz": 30}
    run = ts.simulate(ball(FREE, 0.4), 3.0, initial=start, rtol=1e-12)
    # m v R + I ω about a point of the plane stays: v_f = (5 v + 2 ω × R n) / 7
    expected = (5 * 3 - 2 * R * 30) / 7, (5 * 1 + 2 * R * 20) / 7
    np.testing.assert_allclose([run["P_x."][-1], run["P_z."][-1]], expected, rtol=1e-10)
    path = run["P_z."] / run["P_x."]
    assert np.ptp(path) > 0.05  # its path is a curve


def test_a_cylinder_on_a_slope_slides_up_and_then_rolls():
    # L-Cyl5: α = 20°, f = 0.3, ẋ₀ = 2
    alpha = np.radians(20)
    slope = ball(PLANE, 0.5, friction=0.3, normal=["-sin(20 deg)", "cos(20 deg)", 0])
    start = {"x": -R * np.sin(alpha), "y": R * np.cos(alpha)}
    start |= {"x.": 2 * np.cos(alpha), "y.": 2 * np.sin(alpha)}
    run = ts.simulate(slope, 0.5, initial=start, rtol=1e-12)
    end = last(run, "end of sliding").t
    assert abs(end - 0.171647833) < 1e-9
    along = run["x.."] * np.cos(alpha) + run["y.."] * np.sin(alpha)
    np.testing.assert_allclose(along[run.t > end], -2.236811737, atol=1e-9)
    then = run(end)
    speed = then["x."] * np.cos(alpha) + then["y."] * np.sin(alpha)
    assert abs(speed - 0.949389446) < 1e-9


def test_a_ball_on_a_turning_table_moves_on_a_circle_at_two_sevenths():
    table = ts.load(
        {
            "name": "table",
            "gravity": [0, 0, -G],
            "bodies": {
                "table": {"mass": 1, "inertia": [1, 1, 1]},
                "b": {"mass": 1, "inertia": [0.001, 0.001, 0.001]},
            },
            "joints": {
                "A": {
                    "type": "pivot",
                    "bodies": ["ground", "table"],
                    "axis": "z",
                    "coordinate": "a",
                },
                "P": {"type": "free", "bodies": ["ground", "b"]},
            },
            "motions": {"turn": {"coordinate": "a", "law": "3*t"}},
            "contacts": {
                "c": {
                    "bodies": ["table", "b"],
                    "shape": "sphere",
                    "radius": 0.05,
                    "normal": "z",
                    "friction": 0.9,
                }
            },
            "initial": {"P_z": 0.05, "P_x": 0.5},
        }
    )
    run = ts.simulate(table, 6.0, rtol=1e-11)
    rolls = run.t > last(run, "end of sliding").t
    vx, vy = run["P_x."][rolls], run["P_y."][rolls]
    turn = np.unwrap(np.arctan2(vy, vx))
    t = run.t[rolls]
    assert abs((turn[-1] - turn[0]) / (t[-1] - t[0]) - 3 * 2 / 7) < 1e-8
    assert np.ptp(np.hypot(vx, vy)) < 1e-9


def test_rolling_resistance_stops_a_ball_after_the_way_of_its_length():
    # couple r N: m a R = −… : a (m + I/R²) = −r m g / R
    made = ball(PLANE, 0.4, friction=0.8, rolling=0.002)
    run = ts.simulate(made, 10.0, initial={"y": R, "x.": 1.0, "phi.": -1.0 / R}, rtol=1e-12)
    a = 0.002 * G / R / (1 + 0.4)
    assert abs(run["x"][-1] - 1 / (2 * a)) < 1e-9
    assert run.contact("floor.rolling").state[-1] == "stick"


def test_pivoting_resistance_stops_a_spin_in_the_time_of_its_length():
    made = ball(FREE, 0.4, friction=0.8, pivoting=0.003)
    run = ts.simulate(made, 5.0, initial={"P_y": R, "P_wy": 4.0}, rtol=1e-12)
    stop = 4.0 * 0.4 * R**2 / (0.003 * G)
    assert abs(last(run, "end of sliding").t - stop) < 1e-9


# --- shocks ---------------------------------------------------------------------------------------


def falling(restitution, **more):
    up = {"type": "prismatic", "bodies": ["ground", "b"], "axis": "y", "coordinate": "y"}
    floor = {"bodies": ["ground", "b"], "normal": "y", "restitution": restitution}
    return model(bodies=BLOCK, joints={"P": up}, contacts={"floor": floor}, **more)


def test_a_bouncing_ball_comes_to_rest_at_the_end_of_its_bounces():
    run = ts.simulate(falling(0.9), 9.0, initial={"y": 1.0}, at=[8.5, 8.6, 9.0], rtol=1e-12)
    shocks = [event for event in run.events if event.cause == "shock"]
    given = [0.451523641, 1.264266195, 1.995734493, 2.654055962, 3.246545283]
    np.testing.assert_allclose([x.t for x in shocks[:5]], given, atol=5e-10)
    assert abs(run.events[-1].t - 8.578949179) < 1e-9
    assert sum(x.t < 8.5 for x in shocks) == 44
    assert abs(run["y"][0] - 5.565551009e-6) < 1e-12
    assert abs(run["y."][0] + 0.0416651958) < 1e-9
    np.testing.assert_allclose(run["y"][1:], 0, atol=1e-15)
    np.testing.assert_array_equal(run["y."][1:], 0)
    assert abs(shocks[0].impulse - 2 * 1.9 * np.sqrt(2 * G)) < 1e-9


@pytest.mark.parametrize(
    ("impacts", "expected"),
    [("simultaneous", [-0.6, 0.4, 0.4, 0.4, 0.4]), ("sequential", [0, 0, 0, 0, 1])],
)
def test_a_cradle_in_both_readings(impacts, expected):
    balls = range(5)
    cradle = ts.load(
        {
            "name": "cradle",
            "gravity": [0, 0, 0],
            "impacts": impacts,
            "bodies": {f"b{k}": {"mass": 1} for k in balls},
            "joints": {
                f"P{k}": {
                    "type": "prismatic",
                    "bodies": ["ground", f"b{k}"],
                    "axis": "x",
                    "coordinate": f"x{k}",
                }
                for k in balls
            },
            "contacts": {f"c{k}": {"gap": f"x{k + 1} - x{k}", "restitution": 1} for k in range(4)},
            "initial": {"x0": -1, "x0.": 1},
        }
    )
    run = ts.simulate(cradle, 1.5)
    np.testing.assert_allclose([run[f"x{k}."][-1] for k in balls], expected, atol=1e-14)
    assert run.energy_drift < 1e-14


def test_a_rocking_block_loses_at_each_shock_what_the_closed_form_says():
    alpha = np.arctan2(0.1, 0.3)
    c, s = np.cos(-alpha / 2), np.sin(-alpha / 2)
    block = model(
        parameters={"slope": "0 deg"},
        bodies={"b": {"mass": 3, "inertia": [0.1, 0.1, 3 * (0.2**2 + 0.6**2) / 12]}},
        joints=PLANE,
        contacts=corners(2, below=0.3),
        initial={"x": -(c * 0.1 + s * 0.3), "y": -(s * 0.1 - c * 0.3), "phi": -alpha / 2},
    )
    run = ts.simulate(block, 4.0, rtol=1e-12)
    shocks = [event.t for event in run.events if event.cause == "shock"]
    times = np.array([[t - 1e-9, t + 1e-9] for t in shocks[:6]])
    speeds = run.at(times.ravel())["phi."].reshape(-1, 2)
    np.testing.assert_allclose(speeds[:, 1] / speeds[:, 0], 0.85, atol=1e-6)
    np.testing.assert_allclose(run["phi"][-1], 0, atol=1e-14)
    assert run["phi."][-1] == 0


def test_a_block_that_is_too_wide_stops_at_once():
    wide = model(
        parameters={"slope": "0 deg"},
        bodies={"b": {"mass": 3, "inertia": [0.1, 0.1, 3 * (0.6**2 + 0.4**2) / 12]}},
        joints=PLANE,
        contacts=corners(5, half=0.3, below=0.2),
        initial={
            "x": 0.3 - 0.3 * np.cos(0.2) - 0.2 * np.sin(0.2),
            "y": 0.2 * np.cos(0.2) + 0.3 * np.sin(0.2),
            "phi": 0.2,
        },
    )
    run = ts.simulate(wide, 2.0)
    first = next(event.t for event in run.events if event.cause == "shock")
    assert not run["phi."][run.t > first].any()


# --- lifting, stops, friction in joints ----------------------------------------------------------


def test_a_bead_leaves_a_sphere_where_its_cosine_is_two_thirds():
    start = 0.01
    bead = model(
        bodies=BLOCK,
        joints={
            "P": {
                "type": "planar",
                "bodies": ["ground", "b"],
                "normal": "z",
                "coordinates": ["x", "y", "phi"],
            }
        },
        contacts={"ball": {"gap": "(x^2 + y^2)^(1/2) - 1"}},
        initial={"x": np.sin(start), "y": np.cos(start)},
    )
    run = ts.simulate(bead, 3.0, rtol=1e-12)
    leaves = next(event.t for event in run.events if event.cause == "lift-off")
    assert abs(run(leaves)["y"] - 2 / 3 * np.cos(start)) < 1e-9
    assert run.contact("ball").state[-1] == "open"


def test_a_pendulum_bounces_between_its_stops():
    pendulum = model(
        bodies={"b": {"mass": 2, "centre": [0.3, 0, 0], "inertia": [0.1, 0.1, 0.05]}},
        joints={
            "O": {
                "type": "pivot",
                "bodies": ["ground", "b"],
                "axis": "z",
                "coordinate": "theta",
                "limits": ["-60 deg", "60 deg"],
                "stop": {"restitution": 0.5},
            }
        },
        initial={"theta": 0.5},
    )
    run = ts.simulate(pendulum, 5.0, rtol=1e-12)
    first = next(event for event in run.events if event.cause == "shock")
    speed = -np.sqrt(2 * 2 * G * 0.3 * (np.sin(0.5) + np.sin(np.pi / 3)) / (0.05 + 2 * 0.09))
    around = run.at([first.t - 1e-10, first.t + 1e-10])["theta."]
    np.testing.assert_allclose(around, [speed, -speed / 2], atol=1e-7)
    assert run["theta"].min() >= -np.pi / 3 - 1e-12
    assert run["theta"][-1] == pytest.approx(-np.pi / 3, abs=1e-12)
    assert run["theta."][-1] == 0
    assert first.name == "theta: lower stop"


def test_a_stop_that_is_a_spring_gives_back_its_energy():
    springy = model(
        bodies=BLOCK,
        joints={
            "P": {
                "type": "prismatic",
                "bodies": ["ground", "b"],
                "axis": "y",
                "coordinate": "y",
                "limits": [0, 2],
                "stop": {"stiffness": 1e4},
            }
        },
        initial={"y": 1.0},
    )
    run = ts.simulate(springy, 3.0, rtol=1e-11)
    depth = (2 * G + np.sqrt((2 * G) ** 2 + 4 * 1e4 * 2 * G / 2)) / 1e4  # ½ k d² = m g (1 + d)
    assert abs(run.at(np.linspace(0.4, 0.55, 40001))["y"].min() + depth) < 1e-7
    peak = run.at(np.linspace(0.8, 1.1, 40001))["y"].max()
    assert abs(peak - 1.0) < 1e-6


def wheel(friction):
    """A wheel that turns at 10 rad/s in a bearing of 10 mm."""
    pivot = {"type": "pivot", "bodies": ["ground", "b"], "axis": "z", "coordinate": "theta"}
    return model(
        bodies={"b": {"mass": 2, "inertia": [0.1, 0.1, 0.05]}},
        joints={"O": pivot | {"friction": {**friction, "radius": "10 mm"}}},
        initial={"theta.": 10},
    )


def test_a_bearing_slows_a_wheel_by_its_own_load():
    run = ts.simulate(wheel({"coefficient": 0.1}), 40.0, rtol=1e-12)
    couple = 0.1 * 0.01 * 2 * G
    assert abs(last(run, "end of sliding").t - 10 * 0.05 / couple) < 1e-9
    assert abs(run["theta"][-1] - 100 * 0.05 / (2 * couple)) < 1e-9


def test_friction_in_a_slider_is_that_of_its_load():
    for degrees, expected in ((30, G * (0.5 - 0.3 * np.sqrt(3) / 2)), (10, 0.0)):
        slider = model(
            parameters={"a": f"{degrees} deg"},
            bodies=BLOCK,
            joints={
                "P": {
                    "type": "prismatic",
                    "bodies": ["ground", "b"],
                    "axis": ["cos(a)", "sin(a)", 0],
                    "coordinate": "s",
                    "friction": 0.3,
                }
            },
        )
        run = ts.simulate(slider, 1.0)
        np.testing.assert_allclose(run["s.."], -expected, atol=1e-14, rtol=1e-12)


def jack(friction, **more):
    """A nut of 100 kg on a thread of pitch 10 mm and radius 10 mm, its profile at 15°."""
    law = {"coefficient": friction, "radius": 0.01, "half_angle": "15 deg"}
    thread = {"type": "screw", "axis": "z", "pitch": "10 mm", "coordinate": "theta"}
    return model(
        gravity=[0, 0, -G],
        bodies={"nut": {"mass": 100, "inertia": [0.1, 0.1, 0.1]}},
        joints={"S": thread | {"bodies": ["ground", "nut"], "friction": law}},
        **more,
    )


@pytest.mark.parametrize("friction", [0.1, 0.15372, 0.15374, 0.3])
def test_a_screw_jack_holds_itself_where_its_helix_is_flat_enough(friction):
    # tan β = pitch/(2π r) = 0.159155; it holds itself from μ = tan β cos φ = 0.153731 on
    r, lead, load = 0.01, 0.01 / (2 * np.pi), 100
    run = ts.simulate(jack(friction), 1.0)
    tangent, own = lead / r, friction / np.cos(np.radians(15))
    holds = tangent < own
    assert (run.contact("S: friction").state == ("stick" if holds else "slip")).all()
    # axial: m z̈ = −m g + n (cos β + μ' sin β) with the couple n r (μ' cos β − sin β) = −I θ̈
    cosine = 1 / np.hypot(1, tangent)
    sine = tangent * cosine
    up, turn = cosine + own * sine, r * (sine - own * cosine)
    alpha = 0.0 if holds else -G / (lead + up * 0.1 / (load * turn))
    np.testing.assert_allclose(run["theta.."], alpha, atol=1e-12, rtol=1e-9)


def test_what_starts_to_slide_on_what_slides_has_the_friction_of_its_limit():
    # a sledge of 3 kg is pulled by F = k t over a floor, with 1 kg on it that starts to slide
    # where (k t − μ₁ 4 g)/4 = μ₂ g; that late, its speed of sliding is still rounding
    low, high, k = 0.1, 0.3, 20.0
    limit = 4 * G * (low + high) / k
    bodies = {"sledge": {"mass": 3}, "load": {"mass": 1}}
    line = {"type": "planar", "normal": "z"}
    loaded = model(
        bodies={name: {**body, "inertia": [1, 1, 1]} for name, body in bodies.items()},
        joints={x: {**line, "bodies": ["ground", x]} for x in bodies},
        contacts={
            "floor": {"bodies": ["ground", "sledge"], "normal": "y", "friction": low},
            "top": {"bodies": ["sledge", "load"], "normal": "y", "friction": high},
        },
        forces={"pull": {"type": "wrench", "body": "sledge", "force": [f"{k}*t", 0, 0]}},
        initial={"sledge_x.": 1.0, "load_x.": 1.0},
    )
    run = ts.simulate(loaded, at=[0.0, limit - 1e-8, limit + 1e-8])
    np.testing.assert_allclose(run["load_x.."][1:], high * G, rtol=1e-6)
    np.testing.assert_allclose(run["sledge_x.."][1:], high * G, rtol=1e-6)
    assert list(run.contact("top").state[1:]) == ["stick", "slip"]


# --- what has no answer ---------------------------------------------------------------------------


def rod(friction, speed):
    """A rod of length 1 at 60°, its lower end sliding."""
    return model(
        bodies={"b": {"mass": 1, "inertia": [0.1, 0.1, 1 / 12]}},
        joints=PLANE,
        contacts={
            "tip": {
                "bodies": ["ground", "b"],
                "point": [-0.5, 0, 0],
                "normal": "y",
                "friction": friction,
            }
        },
        initial={"phi": np.pi / 3, "y": 0.5 * np.sin(np.pi / 3), "x.": speed},
    )


CRITICAL = (1 + 3 * np.cos(np.pi / 3) ** 2) / (3 * np.sin(np.pi / 3) * np.cos(np.pi / 3))


def test_painleves_rod_jams_beyond_its_critical_friction_only():
    ts.simulate(rod(0.999 * CRITICAL, -1), 1e-3)
    with pytest.raises(SolveError) as error:
        ts.simulate(rod(1.001 * CRITICAL, -1), 1e-3)
    assert "Painlevé" in str(error.value)
    assert "tip" in str(error.value)
    ts.simulate(rod(1.001 * CRITICAL, 1), 1e-3)  # pulled, not pushed


def legs(frictions, turn=0.0, **more):
    """A table on four legs at the corners of a square, that slides along x."""
    places = [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)]
    return model(
        bodies=BLOCK,
        joints={"F": {"type": "free", "bodies": ["ground", "b"]}},
        contacts={
            f"leg{k}": {
                "bodies": ["ground", "b"],
                "point": [x, -0.1, z],
                "normal": "y",
                "friction": friction,
            }
            for k, ((x, z), friction) in enumerate(zip(places, frictions, strict=True))
        },
        initial={"F_y": 0.1, "F_x.": 1.0, "F_wy": turn},
        **more,
    )


@pytest.mark.parametrize(
    ("frictions", "turn", "depends"),
    [
        ((0.2, 0.2, 0.2, 0.2), 0.0, False),
        ((0.1, 0.1, 0.3, 0.3), 0.0, False),
        ((0.1, 0.3, 0.3, 0.1), 0.0, True),
        ((0.1, 0.2, 0.3, 0.4), 0.0, True),
        ((0.2, 0.2, 0.2, 0.2), 2.0, True),
        ((0.0, 0.0, 0.0, 0.0), 2.0, False),
    ],
)
def test_legs_that_rub_differently_share_their_load_as_rigid_bodies_do_not_decide(
    frictions, turn, depends
):
    # loads N_k (1 ± ε, alternating) balance the same weight and tilt; their friction along x has
    # the force Σ ± μ_k and the couple Σ ± μ_k z_k, which are zero only for pairs along x
    told = [x for x in ts.simulate(legs(frictions, turn), 0.01).notices if "share" in x]
    assert len(told) == depends
    assert all("leg0, leg1, leg2, leg3" in x for x in told)
    accepted = ts.simulate(legs(frictions, turn, reactions="least_norm"), 0.01)
    assert not accepted.notices


def test_bodies_that_start_inside_each_other_are_refused():
    with pytest.raises(ModelError) as error:
        ts.simulate(falling(0.5), 1.0, initial={"y": -0.01})
    assert '"floor" starts with its bodies inside each other, by 0.01' in str(error.value)


def test_a_contact_whose_gap_the_joints_hold_is_refused():
    held = model(
        bodies=BLOCK,
        joints=LINE,
        contacts={"floor": {"bodies": ["ground", "b"], "normal": "y", "friction": 0.3}},
    )
    with pytest.raises(ModelError) as error:
        ts.simulate(held, 1.0)
    assert "cannot open: the joints hold its gap" in str(error.value)


# --- what is kept ---------------------------------------------------------------------------------


def test_a_run_with_contacts_is_saved_and_read_back(tmp_path):
    run = ts.simulate(ball(FREE, 0.4), 2.0, initial={"P_y": R, "P_x.": 7}, rate=20)
    run.save(tmp_path / "run.nc", of=["floor.normal", "floor.slip"])
    again = ts.load_run(tmp_path / "run.nc")
    for name in ("gap", "force", "slip", "work"):
        ours, theirs = (getattr(x.contact("floor"), name) for x in (run, again))
        np.testing.assert_allclose(theirs, ours, atol=1e-13)
    assert (again.contact("floor").state == run.contact("floor").state).all()
    assert [x.cause for x in again.events] == [x.cause for x in run.events]


def test_a_run_goes_on_from_its_end_and_is_known_between_its_samples():
    whole = ts.simulate(ball(PLANE, 0.4), 2.0, initial={"y": R, "x.": 7}, rate=10)
    first = ts.simulate(ball(PLANE, 0.4), 0.7, initial={"y": R, "x.": 7}, rate=10)
    rest = ts.simulate(ball(PLANE, 0.4), 1.3, initial=first, rate=10)
    np.testing.assert_allclose(rest["x"][-1], whole["x"][-1], rtol=1e-9)
    assert whole(1.2345).samples.contact("floor").state[0] == "stick"


def test_contact_forces_are_those_that_bodies_feel():
    """The weight, the contacts and m a of a ball that slides and bounces are in balance."""
    run = ts.simulate(ball(FREE, 0.4, restitution=0.6), 2.0, initial={"P_y": 0.5, "P_x.": 3})
    force = run.reaction("floor")[:, :3]
    weight = np.array([0, -2 * G, 0])
    a = np.column_stack([run[f"P_{x}.."] for x in "xyz"])
    np.testing.assert_allclose(force + weight, 2 * a, atol=1e-11)


def test_adherence_of_a_wheel_that_is_held_to_roll_tells_when_it_would_slip():
    """G-Cyl: a cylinder driven up a slope; T = m (C g sin α + Γ R)/(C + m R²), N = m g cos α."""
    alpha, C, couple = np.radians(15), 0.01, 0.4
    slope = model(
        bodies={"b": {"mass": 2, "inertia": [C, C, C]}},
        joints=PLANE,
        constraints={
            "wheel": {
                "type": "rolling",
                "bodies": ["ground", "b"],
                "shape": "disc",
                "axis": "z",
                "radius": R,
                "normal": ["-sin(15 deg)", "cos(15 deg)", 0],
            }
        },
        forces={"motor": {"type": "joint", "joint": "P", "coordinate": "phi", "value": -couple}},
        initial={"x": -R * np.sin(alpha), "y": R * np.cos(alpha)},
    )
    run = ts.simulate(slope, 0.5)
    T = 2 * (C * G * np.sin(alpha) + couple * R) / (C + 2 * R**2)
    np.testing.assert_allclose(run.adherence("wheel"), T / (2 * G * np.cos(alpha)), rtol=1e-9)


def test_a_mode_makes_a_smooth_mechanism_of_a_contact():
    stuck = ts.in_mode(ball(PLANE, 0.4), {"floor": "stick"})
    rolls = ts.simulate(stuck, 1.0, initial={"y": R, "x.": 1.0})
    assert abs(rolls["x."][-1] - rolls["x."][0]) < 1e-12
    assert "floor" in rolls.samples.owners
    free = ts.in_mode(ball(PLANE, 0.4))
    assert abs(ts.simulate(free, 1.0, initial={"y": R})["y"][-1] - (R - G / 2)) < 1e-12
    with pytest.raises(ModelError, match="slides with friction"):
        ts.in_mode(ball(PLANE, 0.4), {"floor": "slip"})


# --- rest by friction -----------------------------------------------------------------------------


def test_a_block_sticks_between_the_accelerations_of_its_friction():
    block = model(
        parameters={"slope": "0 deg", "gx": 0.0},
        gravity=["gx", -G, 0],
        bodies=BLOCK,
        joints=PLANE,
        contacts=corners({"static": 0.4, "kinetic": 0.3}),
        initial={"y": 0.05},
    )
    assert ts.stability.grip(block).holds
    band = ts.stability.sticking_band(block, "gx")
    np.testing.assert_allclose([band.low, band.high], [-0.4 * G, 0.4 * G], rtol=1e-9)
    with pytest.raises(SolveError, match="gives way"):
        ts.stability.sticking_band(block, "gx", parameters={"gx": 5.0})


def test_the_band_in_which_a_mass_sticks_ends_where_a_simulation_lets_it_go():
    mass = model(
        parameters={"F": 0.0},
        bodies={"b": {"mass": 2}},
        joints={"P": LINE["P"] | {"friction": {"static": 0.3, "kinetic": 0.2}}},
        forces={"push": {"type": "joint", "joint": "P", "value": "F"}},
    )
    band = ts.stability.sticking_band(mass, "F")
    np.testing.assert_allclose([band.low, band.high], [-0.6 * G, 0.6 * G], rtol=1e-10)
    assert band.at_high == ("P: friction",)
    for force, moves in ((0.6 * G * (1 - 1e-8), False), (0.6 * G * (1 + 1e-8), True)):
        run = ts.simulate(mass, 1.0, parameters={"F": force})
        assert (run["x"][-1] > 0) == moves


def test_a_screw_jack_lets_go_at_the_couple_of_the_wedge_however_that_is_applied():
    """Raising a load W asks for W r tan(β + φ'), tan φ' = μ/cos φ, on the nut or in its joint."""
    r, lead, load, friction = 0.01, 0.01 / (2 * np.pi), 100, 0.1
    wedge = load * G * r * np.tan(np.arctan(lead / r) + np.arctan(friction / np.cos(np.pi / 12)))
    for force in (
        {"type": "joint", "joint": "S", "value": "C"},
        {"type": "wrench", "body": "nut", "couple": [0, 0, "C"]},
    ):
        raising = jack(friction, parameters={"C": 0.9 * wedge}, forces={"crank": force})
        band = ts.stability.sticking_band(raising, "C")
        assert band.high == pytest.approx(wedge, rel=1e-9)


def test_friction_in_a_bearing_shows_its_load_its_adherence_and_its_power():
    run = ts.simulate(wheel({"static": 0.2, "kinetic": 0.1}), 2.0)
    bearing = run.contact("O: friction")
    np.testing.assert_allclose(bearing.normal, 0.01 * 2 * G, rtol=1e-12)
    np.testing.assert_allclose(bearing.adherence, 0.1, rtol=1e-12)
    power = -0.1 * 0.01 * 2 * G * run["theta."]
    np.testing.assert_allclose(run.power["O: friction"], power, rtol=1e-12)
    np.testing.assert_allclose(np.gradient(bearing.work, run.t)[1:-1], power[1:-1], rtol=1e-6)


@pytest.mark.parametrize("ratio", [10, -10])
@pytest.mark.parametrize("speed", [5.0, -5.0])
def test_dry_friction_of_a_motor_has_the_side_of_the_joints_sense(ratio, speed):
    """ω̇ = −(|N| × that of the motor + that of the output)/J, each by the sign of ω.

    As Corke's toolbox has it, whose Puma has ratios of both signs; equations and motions agree.
    """
    geared = model(
        gravity=[0, 0, 0],
        bodies={"b": {"inertia": [1, 1, 2]}},
        joints={"O": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z", "coordinate": "q"}},
        motors={
            "M": {
                "joint": "O",
                "ratio": ratio,
                "dry": {"motor": [0.03, 0.05], "output": [0.2, 0.4]},
            }
        },
        initial={"q.": speed},
    )
    own, output = (0.03, 0.2) if speed > 0 else (0.05, 0.4)
    drag = np.sign(speed) * (10 * own + output)
    run = ts.simulate(geared, 1.0)
    np.testing.assert_allclose(run["q.."], -drag / 2, rtol=1e-12)
    (load,) = ts.derive(geared).evaluate([0.3], [speed]).Q
    assert load == pytest.approx(-drag, rel=1e-12)


def test_every_quantity_that_is_listed_can_be_read():
    """Stops have no friction and do not slide: neither is listed of them."""
    model = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"b": {"mass": 1, "centre": [0, -1, 0], "inertia": [0, 0, 0]}},
            "joints": {
                "A": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z",
                      "coordinate": "theta", "limits": [-1, 1], "stop": {"restitution": 0.5},
                      "friction": {"constant": 0.1}}
            },
            "points": {"tip": ["b", [0, -1, 0]]},
            "initial": {"theta": 0.5},
        }
    )  # fmt: skip
    run = ts.simulate(model, 0.1)
    names = known(run)
    assert "theta: upper stop.gap" in names and "theta: upper stop.slip" not in names
    assert all(quantity(run, name) for name in names)
    calls = {
        "theta: upper stop.gap": r'run.contact\("theta: upper stop"\).gap',
        "tip.velocity": r'run.point\("tip", 1\)',
        "A.force": r'run.reaction\("A"\)',
        "energy.kinetic": r'run.energy\["kinetic"\]',
    }
    for name, call in calls.items():
        with pytest.raises(ts.ModelError, match=f"Read it by {call}"):
            run[name]
