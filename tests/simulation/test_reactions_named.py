"""Forces and frictions that depend on reactions, against closed forms and laws of motion."""

from math import exp, pi, sqrt

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError, SolveError

G = 9.81


def close(wanted):
    return pytest.approx(wanted, rel=1e-9, abs=1e-9)


def hanging(forces, **more):
    """A block on a rail with a bob that swings below it, thrown along the rail."""
    bob = {"mass": 1, "centre": [0, -0.5, 0], "inertia": [0.01, 0.01, 0.01]}
    rail = {"type": "prismatic", "bodies": ["ground", "block"], "axis": "x", "coordinate": "x"}
    pin = {"type": "revolute", "bodies": ["block", "bob"], "axis": "z", "coordinate": "theta"}
    return ts.load(
        {
            "gravity": [0, -G, 0],
            "parameters": {"mu": 0.25},
            "bodies": {"block": {"mass": 2}, "bob": bob},
            "joints": {"rail": rail, "pin": pin},
            "forces": forces,
            "points": {"G": ["bob", [0, -0.5, 0]]},
            "initial": {"x.": 10, "theta": "60 deg"},
        }
        | more
    )


def in_joint(value):
    return {"drag": {"type": "joint", "joint": "rail", "value": value}}


def in_axes_of_bob(run):
    """What the block does to the bob, in the axes of the pin, which turn with the bob."""
    X, Y = run.reaction("pin")[:, :2].T
    c, s = np.cos(run["theta"]), np.sin(run["theta"])
    return c * X + s * Y, c * Y - s * X


# --- forces ---------------------------------------------------------------------------------------


LAWS = {
    "proportional": ("-mu*Y_rail", lambda run: -0.25 * run.reaction("rail")[:, 1]),
    "a power, of the speed too": (
        "-3 N*(Y_rail/(10 N))^(2/3)*tanh(x./(1 m/s))",
        lambda run: -3 * (run.reaction("rail")[:, 1] / 10) ** (2 / 3) * np.tanh(run["x."]),
    ),
    "two reactions, and time": (
        "-0.1*sqrt(X_pin^2 + Y_pin^2) + 0.2*t/(1 s)*X_pin",
        lambda run: -0.1 * np.hypot(*in_axes_of_bob(run)) + 0.2 * run.t * in_axes_of_bob(run)[0],
    ),
}


@pytest.mark.parametrize("case", LAWS)
def test_a_force_is_what_its_law_gives_of_the_reactions_and_moves_the_whole(case):
    """m₁ ẍ₁ + m₂ ẍ₂ is the only force along the rail, and that is what the law says."""
    value, law = LAWS[case]
    run = ts.simulate(hanging(in_joint(value)), 1.0, rtol=1e-11)
    force = run.contact("drag").tangential[:, 0]
    np.testing.assert_allclose(force, law(run), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(2 * run["x.."] + run.point("G", 2)[:, 0], force, atol=1e-8)
    assert np.ptp(force) > 0.5
    assert run.energy_drift < 1e-9
    np.testing.assert_allclose(run.power["drag"], force * run["x."], atol=1e-9)


WRENCHES = {
    "at the block": {"body": "block", "force": ["-mu*Y_rail", 0, 0]},
    "in ground axes": {
        "body": "bob",
        "point": [0.1, -0.2, 0],
        "force": ["-mu*Y_rail", 0, 0],
        "couple": [0, 0, "0.02*X_pin*(1 m)"],
    },
    "in body axes": {
        "body": "bob",
        "point": [0.1, -0.2, 0],
        "force": ["-mu*Y_rail*cos(theta)", "mu*Y_rail*sin(theta)", 0],
        "couple": [0, 0, "0.02*X_pin*(1 m)"],
        "frame": "body",
    },
}


def with_wrench(case):
    return hanging({"drag": {"type": "wrench"} | WRENCHES[case]})


def test_a_wrench_on_a_body_is_the_force_in_its_joint():
    a = ts.simulate(hanging(in_joint("-mu*Y_rail")), 1.0, rate=50, rtol=1e-12)
    b = ts.simulate(with_wrench("at the block"), 1.0, rate=50, rtol=1e-12)
    np.testing.assert_allclose(b["x"], a["x"], atol=1e-10)
    np.testing.assert_allclose(b.reaction("pin"), a.reaction("pin"), atol=1e-8)
    # the rail holds what acts across it, and what acts along it came from elsewhere
    assert np.abs(b.reaction("rail")[:, 0]).max() < 1e-9


def test_components_in_the_axes_of_the_ground_and_of_the_body_are_the_same_wrench():
    a, b = (
        ts.simulate(with_wrench(case), 1.0, rate=50, rtol=1e-12)
        for case in ("in ground axes", "in body axes")
    )
    np.testing.assert_allclose(b["theta"], a["theta"], atol=1e-10)
    np.testing.assert_allclose(b.reaction("rail"), a.reaction("rail"), atol=1e-8)
    assert a.energy_drift < 1e-10


def test_a_force_across_a_rail_is_carried_by_the_rail_though_it_moves_nothing():
    """Y = (weight and swing) + Y/4: the rail carries 4/3 of what it would."""
    across = {"press": {"type": "wrench", "body": "block", "force": [0, "-mu*Y_rail", 0]}}
    a, b = (ts.simulate(hanging(x), 1.0, rate=50, rtol=1e-12) for x in (across, {}))
    np.testing.assert_allclose(a["x"], b["x"], atol=1e-10)
    np.testing.assert_allclose(
        a.reaction("rail")[:, 1], b.reaction("rail")[:, 1] * 4 / 3, rtol=1e-8
    )


@pytest.mark.parametrize("gain", [-10.0, -2.9, 2.9, 3.1])
def test_a_force_proportional_to_what_it_causes_is_solved_with_it(gain):
    """F = 1 + k X_w, X_w = m a and (M + m) a = F: a = 1/(M + m − k m)."""
    weld = {
        "rail": {"type": "prismatic", "bodies": ["ground", "block"], "axis": "x"},
        "w": {"type": "fixed", "bodies": ["block", "bob"]},
    }
    value = f"({gain})*X_w + (1 N)"
    made = hanging(in_joint(value), joints=weld, initial={})
    run = ts.simulate(made, 0.1, rate=10)
    assert run.a[0, 0] == close(1 / (3 - gain))
    assert run.reaction("w")[0, 0] == close(1 / (3 - gain))


def test_a_force_that_no_motion_satisfies_is_told():
    """F = 1 + 3 X_w with X_w = F/3: there is none."""
    weld = {
        "rail": {"type": "prismatic", "bodies": ["ground", "block"], "axis": "x"},
        "w": {"type": "fixed", "bodies": ["block", "bob"]},
    }
    made = hanging(in_joint("3*X_w + (1 N)"), joints=weld, initial={})
    with pytest.raises(SolveError, match="drag") as told:
        ts.simulate(made, 0.1)
    assert "depends on reactions" in str(told.value)


# --- brakes ---------------------------------------------------------------------------------------


def braked(brake, lever=None, **more):
    """A wheel with a brake; a pad that a force F t presses, unless a lever is given."""
    lever = lever or {"type": "prismatic", "bodies": ["ground", "lever"], "axis": "x"}
    return ts.load(
        {
            "parameters": {"mu": 0.4, "r": "0.15 m", "F": "200 N", "I": "0.2 kg.m^2"},
            "bodies": {
                "wheel": {"mass": 3, "inertia": ["I", "I", "I"]},
                "lever": {"mass": 0.5, "inertia": [0.01, 0.01, 0.01]},
            },
            "joints": {
                "axle": {
                    "type": "revolute",
                    "bodies": ["ground", "wheel"],
                    "axis": "z",
                    "coordinate": "theta",
                },
                "pin": lever | {"coordinate": "x"},
            },
            "contacts": {"pad": {"gap": "x" if lever["type"] == "prismatic" else "x*(0.1 m)"}},
            "forces": {
                "squeeze": {"type": "joint", "joint": "pin", "value": "-F*t/(1 s)"},
                "brake": {"type": "brake", "joint": "axle", "radius": "r"} | brake,
            },
            "initial": {"theta.": 10},
        }
        | more
    )


@pytest.mark.parametrize("load", ["F*t/(1 s)", "N_pad"])
def test_a_brake_that_is_pressed_more_and_more_stops_its_wheel_for_good(load):
    """I ω = I ω₀ − μ r F t²/2."""
    run = ts.simulate(braked({"friction": "mu", "load": load}), 1.0)
    (stop,) = [x for x in run.events if x.name == "brake"]
    assert stop.t == close(sqrt(2 * 0.2 * 10 / (0.4 * 0.15 * 200)))
    assert run.end["theta."] == 0
    held = run.t > stop.t
    assert np.ptp(run["theta"][held]) == 0
    np.testing.assert_allclose(run.contact("pad").normal, 200 * run.t, rtol=1e-9, atol=1e-9)
    assert run.contact("brake").work[-1] == close(-0.5 * 0.2 * 10**2)


def test_a_pad_that_bounces_brakes_by_its_normal_force_alone_and_not_by_its_impulses():
    """m v = F t between bounces of e = 1/2; the wheel is braked once the pad rests."""
    pad = {"gap": "x", "restitution": 0.5}
    squeeze = {"type": "joint", "joint": "pin", "value": "-F"}
    brake = {"type": "brake", "joint": "axle", "radius": "r", "friction": "mu", "load": "N_pad"}
    made = braked(
        {},
        contacts={"pad": pad},
        forces={"squeeze": squeeze, "brake": brake},
        initial={"theta.": 10, "x": 0.02},
    )
    run = ts.simulate(made, 0.1, rate=1000)
    fall = sqrt(2 * 0.02 * 0.5 / 200)
    shocks = [x for x in run.events if x.cause == "shock"]
    assert [x.t for x in shocks[:2]] == [close(fall), close(2 * fall)]
    assert shocks[0].impulse == close(1.5 * 200 * fall)
    rests = 3 * fall
    np.testing.assert_array_equal(run["theta."][run.t < rests], 10)
    last = 10 - 0.4 * 0.15 * 200 / 0.2 * (0.1 - rests)
    assert run.end["theta."] == pytest.approx(last, rel=1e-6)


def test_a_brake_holds_a_weight_up_to_its_limit_and_lets_it_go_beyond():
    """A couple 6 N m against μ N r = 0.06 N, N falling from 200 N: it slips at N = 100 N."""
    forces = {
        "weight": {"type": "joint", "joint": "axle", "value": "6 N.m"},
        "brake": {
            "type": "frein",
            "joint": "axle",
            "friction": "mu",
            "radius": "r",
            "load": "(200 - 100*t/(1 s))*(1 N)",
        },
    }
    run = ts.simulate(braked({}, forces=forces, contacts={}, initial={}), 1.5)
    (slip,) = run.events
    assert slip.t == close(1.0)
    assert (run["theta"][run.t <= 1.0] == 0).all()
    # I ω' = 6 − 6 (2 − t): ω = 6 (t − 1)²/2 / I
    assert run.end["theta."] == close(6 * 0.5**2 / 2 / 0.2)


@pytest.mark.parametrize("side", [1, -1])
def test_a_shoe_that_friction_presses_on_brakes_more(side):
    mu, F, a, b, c, r = 0.4, 200.0, 0.3, 0.1, 0.04, 0.15
    drag = f"-({side})*mu*N_pad*(0.04 m)"
    run = ts.simulate(lever_brake(drag), 0.01)
    N = F * a / (b - side * mu * c)
    assert run.contact("pad").normal[0] == close(N)
    assert run["theta.."][0] == close(-mu * N * r / 0.2)


def lever_brake(drag):
    """The pad is 0.1 m from the pin: its force is what presses the gap 0.1 m × x."""
    lever = {"type": "revolute", "bodies": ["ground", "lever"], "axis": "z"}
    forces = {
        "hand": {"type": "joint", "joint": "pin", "value": "-F*(0.3 m)"},
        "drag": {"type": "joint", "joint": "pin", "value": drag},
        "brake": {
            "type": "brake",
            "joint": "axle",
            "friction": "mu",
            "radius": "r",
            "load": "N_pad",
        },
    }
    return braked({}, lever, forces=forces)


def test_a_shoe_that_presses_itself_on_jams_and_that_is_told():
    """With μ c > b any force of the hand would need a negative normal force."""
    with pytest.raises(SolveError):
        ts.simulate(lever_brake("-mu*N_pad*(0.4 m)"), 0.01)


# --- ropes about drums ----------------------------------------------------------------------------


def capstan(m1, m2, **drum):
    """Two weights on a rope over a drum, half a turn."""
    strands = {
        name: {
            "type": "prismatic",
            "bodies": ["ground", body],
            "axis": "-z",
            "coordinate": f"x{name}",
        }
        for name, body in (("1", "a"), ("2", "b"))
    }
    rope = {
        "strand": "x1",
        "other": "x2",
        "length": "2 m",
        "angle": "180 deg",
        "friction": {"static": 0.35, "kinetic": 0.3},
    }
    turning = {
        "type": "revolute",
        "bodies": ["ground", "drum"],
        "axis": "y",
        "coordinate": "phi",
    }
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"a": {"mass": m1}, "b": {"mass": m2}}
            | ({"drum": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}} if drum else {}),
            "joints": strands | ({"axle": turning} if drum else {}),
            "contacts": {"rope": rope | ({"drum": "0.2 m*phi"} if drum else {})},
            "initial": {"x1": 1, "x2": 1} | drum,
        }
    )


def tensions(run):
    rope = run.contact("rope")
    return rope.normal - rope.tangential[:, 0], rope.normal


@pytest.mark.parametrize(("m1", "m2"), [(2, 1), (1, 2), (1, 1), (2.9, 1), (1, 2.9)])
def test_a_rope_about_a_drum_holds_up_to_euler_s_ratio(m1, m2):
    run = ts.simulate(capstan(m1, m2), 10.0)
    assert not run.events
    assert (run["x1"] == 1).all()
    T1, T2 = tensions(run)
    assert (T1[-1], T2[-1]) == (close(m1 * G), close(m2 * G))


@pytest.mark.parametrize(("m1", "m2"), [(3.1, 1), (1, 3.1), (20, 1), (1, 20)])
def test_a_rope_that_slips_has_tensions_in_euler_s_ratio(m1, m2):
    """Statics hold up to e^(0.35 π) = 3.003; then the ratio is e^(0.3 π)."""
    run = ts.simulate(capstan(m1, m2), 0.2)
    T1, T2 = tensions(run)
    ratio, side = exp(0.3 * pi), np.sign(m1 - m2)
    np.testing.assert_allclose((T1 / T2) ** side, ratio, rtol=1e-12)
    heavy, light = max(m1, m2), min(m1, m2)
    wanted = side * G * (heavy - ratio * light) / (heavy + ratio * light)
    np.testing.assert_allclose(run["x1.."], wanted, rtol=1e-10)
    assert run.energy_drift < 1e-12


def test_a_drum_that_turns_drags_its_rope():
    """Slipping, the strand that the drum runs to is the tight one, and the drum is slowed."""
    run = ts.simulate(capstan(1, 1, **{"phi.": 40.0}), 0.1)
    T1, T2 = tensions(run)
    slips = run.contact("rope").state == "slip"
    assert slips[:-1].all()
    np.testing.assert_allclose(T2[slips] / T1[slips], exp(0.3 * pi), rtol=1e-12)
    np.testing.assert_allclose(run["phi.."] * 0.1, 0.2 * (T1 - T2), rtol=1e-10)
    assert run["x1."][-1] > 0


# --- gears ----------------------------------------------------------------------------------------


def worm(mu, drive, load):
    return ts.load(
        {
            "parameters": {"mu": mu, "T1": f"{drive} N.m", "T2": f"{load} N.m"},
            "bodies": {
                "worm": {"mass": 1, "inertia": [0.001] * 3},
                "wheel": {"mass": 4, "inertia": [0.02] * 3},
            },
            "joints": {
                "A": {"type": "pivot", "bodies": ["ground", "worm"], "axis": "x"},
                "B": {
                    "type": "pivot",
                    "bodies": ["ground", "wheel"],
                    "axis": "y",
                    "point": [[0, 0, 0.1], [0, 0, 0]],
                },
            },
            "constraints": {
                "mesh": {
                    "type": "gear",
                    "kind": "worm",
                    "joints": ["A", "B"],
                    "radii": ["20 mm", "80 mm"],
                    "lead": "20 mm",
                    "friction": "mu",
                }
            },
            "forces": {
                "drive": {"type": "joint", "joint": "A", "value": "T1"},
                "load": {"type": "joint", "joint": "B", "value": "T2"},
            },
        }
    )


def worm_motion(mu, drive, load, sense):
    """(α₁, N) of I₁ α₁ = C₁ − N r₁ (s + σ μ c), I₂ k α₁ = −C₂ + N r₂ (c − σ μ s)."""
    r1, r2, slope = 0.02, 0.08, 0.02 / (2 * pi * 0.02)
    c = 1 / sqrt(1 + slope**2)
    s, k = slope * c, r1 * slope / r2
    A = [[0.001, r1 * (s + sense * mu * c)], [0.02 * k, -r2 * (c - sense * mu * s)]]
    return np.linalg.solve(A, [drive, -load])


@pytest.mark.parametrize(("drive", "load"), [(1.0, 0.0), (1.0, 3.0), (0.0, 3.0), (0.0, -3.0)])
def test_a_worm_loses_what_slides_along_its_thread(drive, load):
    """σ = 1 where the worm drives, −1 where it is driven."""
    run = ts.simulate(worm(0.1, drive, load), 0.05)
    wanted = worm_motion(0.1, drive, load, 1 if drive else -1)
    assert run.a[-1, 0] == close(wanted[0])
    assert run.contact("mesh: friction").normal[-1] == close(abs(wanted[1]))
    assert run.energy_drift < 1e-12


@pytest.mark.parametrize(("mu", "holds"), [(0.158, False), (0.16, True), (0.5, True)])
def test_a_worm_holds_its_wheel_where_friction_is_above_the_slope_of_its_thread(mu, holds):
    """tan γ = 0.02/(2π 0.02) = 0.159…"""
    run = ts.simulate(worm(mu, 0.0, 3.0), 0.1)
    assert (run.end["A"] == 0) == holds
    assert (run.contact("mesh: friction").state[-1] == "stick") == holds


def test_spur_gears_lose_a_part_of_the_tooth_force():
    """Driven at constant torque against a torque: r₁ F (1 + loss) in, r₂ F out."""
    loss = 0.03
    made = ts.load(
        {
            "bodies": {
                "pinion": {"mass": 1, "inertia": [0.01] * 3},
                "wheel": {"mass": 4, "inertia": [0.2] * 3},
            },
            "joints": {
                "A": {"type": "pivot", "bodies": ["ground", "pinion"], "axis": "z"},
                "B": {
                    "type": "pivot",
                    "bodies": ["ground", "wheel"],
                    "axis": "z",
                    "point": [[0.08, 0, 0], [0, 0, 0]],
                },
            },
            "constraints": {
                "mesh": {
                    "type": "gear",
                    "joints": ["A", "B"],
                    "radii": ["20 mm", "60 mm"],
                    "friction": loss,
                }
            },
            "forces": {
                "drive": {"type": "joint", "joint": "A", "value": "2 N.m"},
                "load": {"type": "joint", "joint": "B", "value": "1 N.m"},
            },
        }
    )
    run = ts.simulate(made, 0.1)
    a, F = np.linalg.solve([[0.01, 0.02 * (1 + loss)], [0.2 / 3, -0.06]], [2.0, -1.0])
    assert run.a[-1, 0] == close(a)
    assert abs(run.multiplier("mesh")[-1, 0]) == close(F)


# --- names ----------------------------------------------------------------------------------------


def test_the_normal_force_of_several_corners_is_their_sum():
    """A sledge on four corners, pulled against half of what they carry."""
    made = ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"sledge": {"mass": 3, "inertia": [0.1, 0.1, 0.1]}},
            "joints": {
                "place": {
                    "type": "planar",
                    "bodies": ["ground", "sledge"],
                    "normal": "y",
                    "coordinates": ["z", "x", "turn"],
                }
            },
            "contacts": {
                "floor": {"bodies": ["ground", "sledge"], "shape": "box", "size": [1, 1, 0.2]}
            },
            "forces": {"drag": {"type": "wrench", "body": "sledge", "force": ["-N_floor/2", 0, 0]}},
            "initial": {"z": 0.1, "x.": 5},
        }
    )
    run = ts.simulate(made, 0.1)
    np.testing.assert_allclose(run["x.."], -G / 2, rtol=1e-9)


def test_what_has_the_name_already_keeps_it():
    made = hanging(in_joint("-Y_rail*(1 N)"), parameters={"Y_rail": 2.0})
    run = ts.simulate(made, 0.1)
    np.testing.assert_allclose(2 * run["x.."] + run.point("G", 2)[:, 0], -2.0, atol=1e-9)


def test_a_name_of_two_things_is_the_name_of_none():
    contacts = {"pin": {"gap": "x + 5"}}
    with pytest.raises(ModelError, match='"N_pin" does not exist'):
        hanging(in_joint("N_pin"), contacts=contacts)


REFUSED = {
    "a unit": (in_joint("2 m*Y_rail"), r"\[N.m\], where a force"),
    "a name": (in_joint("-mu*Y_rale"), 'Did you mean "Y_rail"'),
    "a spring": (
        {
            "it": {
                "type": "line",
                "between": [["ground", [0, 0, 0]], ["block", [0, 1, 0]]],
                "tension": "Y_rail",
            }
        },
        "cannot depend on reactions",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_with_its_reason(case):
    forces, reason = REFUSED[case]
    with pytest.raises(ModelError, match=reason):
        hanging(forces)


@pytest.mark.parametrize(
    "asked",
    [
        lambda m: ts.linearise(m),
        lambda m: ts.equilibria(m),
        lambda m: ts.in_mode(m),
        lambda m: ts.compile(m).forward_dynamics([0, 0], [0, 0], [0, 0]),
    ],
)
def test_what_cannot_solve_for_reactions_says_so(asked):
    with pytest.raises(ModelError, match="reaction"):
        asked(hanging(in_joint("-mu*Y_rail")))


def test_the_yaml_form_is_read_back_as_it_was(tmp_path):
    made = braked({"friction": {"static": 0.5, "kinetic": 0.4}, "load": "N_pad"})
    made.save(tmp_path / "brake.yaml")
    a, b = (ts.simulate(x, 0.3, rate=50) for x in (made, ts.load(tmp_path / "brake.yaml")))
    assert (a.q == b.q).all()
