"""Imposed motions, relations, gears and rolling: closed forms and the laws every row obeys."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import torseur as ts
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import assemble

MODELS = Path(__file__).parents[1] / "models"
WHEEL = {"mass": "m", "inertia": ["m*r^2/4", "m*r^2/2", "m*r^2/4"]}


def rolling(shape, **more):
    """A free body that rolls on the horizontal plane."""
    contact = {"type": "rolling", "bodies": ["ground", "body"], "shape": shape, "radius": "r"}
    return {
        "gravity": [0, 0, -9.81],
        "parameters": {"m": 2.0, "r": 0.3},
        "bodies": {"body": WHEEL},
        "joints": {"free": {"type": "free", "bodies": ["ground", "body"]}},
        "constraints": {"roll": contact | more},
        "initial": {"free_z": "r"},
    }


PENDULUM = {
    "gravity": [0, -9.81, 0],
    "parameters": {"m": 1.5, "l": 0.7},
    "bodies": {"bob": {"mass": "m", "centre": [0, "-l", 0]}},
    "joints": {"pivot": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z"}},
}
PLANAR = {
    "gravity": [0, -9.81, 0],
    "parameters": {"m": 1.5, "l": 0.7},
    "bodies": {"bob": {"mass": "m", "inertia": [0, 0, 0.01]}},
    "joints": {
        "plane": {
            "type": "planar",
            "bodies": ["ground", "bob"],
            "normal": "z",
            "coordinates": ["x", "y", "phi"],
        }
    },
}
EVERY_KIND = {
    "disc": rolling("disc", axis="y"),
    "ball": rolling("ball"),
    "cylinder": rolling("cylinder", axis="y"),
    "line": rolling("line", along="x"),
    "tilted plane": rolling("disc", axis="y", normal=["sin(0.3)", 0, "cos(0.3)"]),
    "law": PENDULUM | {"motions": {"drive": {"coordinate": "pivot", "law": "0.3*sin(2*t)+t^2"}}},
    "position of a body": rolling("ball")
    | {"constraints": {}, "motions": {"m": {"body": "body", "position": ["t^2", "sin(t)", "2*t"]}}},
    "pose of a body": rolling("ball")
    | {
        "constraints": {},
        "motions": {
            "m": {
                "body": "body",
                "position": ["t^2", "sin(t)", "2*t"],
                "rotation": [{"z": "0.5*t"}, {"x": "sin(t)"}],
                "point": [0.1, 0.2, 0.3],
            }
        },
    },
    "relation of positions": PLANAR
    | {"constraints": {"rod": {"type": "relation", "zero": "x^2 + y^2 - l^2*(1 + t)"}}},
    "relation of speeds": PLANAR
    | {"constraints": {"skate": {"type": "relation", "zero": "x.*sin(phi) - y.*cos(phi) - t*x"}}},
}


def state(model, rng, t):
    """A random state that satisfies every constraint at time t."""
    held = NumericConstraints(model)
    q = np.zeros(len(model.coordinates))
    for _, link in model.system.tree:
        q[link.q] = link.joint.neutral()
    q = advanced(model, q, 0.4 * rng.normal(size=len(model.speeds)))
    guess = dict(zip(model.coordinates, q, strict=True))
    q, v = assemble(model, guess, t=t).q, rng.normal(size=len(model.speeds))
    J = held.J(q, t)
    return held, q, v - np.linalg.pinv(J) @ (J @ v + held.rate(q, t))


@pytest.mark.parametrize("kind", EVERY_KIND)
@pytest.mark.parametrize("seed", range(3))
def test_gap_speeds_and_accelerations_of_every_row_are_rates_of_one_another(kind, seed):
    rng = np.random.default_rng(seed)
    model = ts.compile(ts.load(EVERY_KIND[kind]))
    t, h = 0.7, 1e-5
    held, q, v = state(model, rng, t)
    a = rng.normal(size=len(v))

    def after(s):
        """The motion of constant accelerations, to second order."""
        middle = advanced(model, q, s / 2 * v)
        rates = [
            link.joint.rates(middle[link.q], (v + s / 2 * a)[link.v])
            for _, link in model.system.tree
        ]
        moved = q + s * np.concatenate(rates)
        return advanced(model, moved, np.zeros_like(v)), v + s * a

    def speeds(s):
        q_s, v_s = after(s)
        return held.J(q_s, t + s) @ v_s + held.rate(q_s, t + s)

    gaps = (held.gap(after(h)[0], t + h) - held.gap(after(-h)[0], t - h)) / (2 * h)
    np.testing.assert_allclose(gaps, speeds(0.0)[held.positions], atol=1e-8)
    np.testing.assert_allclose(
        (speeds(h) - speeds(-h)) / (2 * h),
        held.J(q, t) @ a + held.bias(q, v, t),
        atol=1e-7,
    )


def test_the_cardan_of_the_documentation_turns_by_its_closed_form_to_1e_9():
    run = ts.simulate(ts.load(MODELS / "cardan_shaft.yaml"), 1.0, rate=200)
    delta, phi = np.pi / 6, run["phi1"]
    ratio = np.cos(delta) / (1 - np.sin(delta) ** 2 * np.cos(phi) ** 2)
    np.testing.assert_allclose(run["phi2."] / run["phi1."], ratio, rtol=1e-9)
    np.testing.assert_allclose(run["phi1"], 20 * run.t, atol=1e-12)
    assert run.closure_error < 1e-12


def test_the_drive_of_an_imposed_motion_gives_the_power_that_the_mechanism_takes():
    run = ts.simulate(ts.load(MODELS / "cardan_shaft.yaml"), 0.4, rate=4000)
    power = run.drive("drive") * run["phi1."]
    energy = run.energy["kinetic"] + run.energy["potential"]
    taken = np.gradient(energy, run.t, edge_order=2)
    np.testing.assert_allclose(power[2:-2], taken[2:-2], atol=2e-4 * np.abs(power).max())
    assert run.energy_drift < 1e-9


def test_an_imposed_law_needs_the_torque_of_inverse_dynamics():
    arm = {
        "gravity": [0, -9.81, 0],
        "bodies": {"a": WHEEL | {"centre": [0.2, 0.1, 0]}, "b": WHEEL | {"centre": [0.1, 0, 0.1]}},
        "parameters": {"m": 2.0, "r": 0.3},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z"},
            "B": {"type": "pivot", "bodies": ["a", "b"], "point": [[0.5, 0, 0], [0, 0, 0]],
                  "axis": "y"},
        },
    }  # fmt: skip
    laws = {"A": "sin(3*t)", "B": "0.5*t^2"}
    motions = {f"of {k}": {"coordinate": k, "law": law} for k, law in laws.items()}
    run = ts.simulate(ts.load(arm | {"motions": motions}), 1.0, rate=50)
    free = ts.compile(ts.load(arm))
    needed = free.inverse_dynamics(run.q, run.v, run.a)
    np.testing.assert_allclose(run.drive("of A"), needed[:, 0], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(run.drive("of B"), needed[:, 1], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(run.v[:, 0], 3 * np.cos(3 * run.t), atol=1e-12)


def test_a_pendulum_whose_support_is_shaken_follows_mathieu():
    shaken = {
        "gravity": [0, -9.81, 0],
        "parameters": {"m": 1.5, "l": 0.7, "A": 0.05, "w": 30.0},
        "bodies": {
            "support": {"mass": 1, "inertia": [1, 1, 1]},
            "bob": {"mass": "m", "centre": [0, "-l", 0]},
        },
        "joints": {
            "loose": {"type": "free", "bodies": ["ground", "support"]},
            "pivot": {"type": "pivot", "bodies": ["support", "bob"], "axis": "z"},
        },
        "motions": {
            "shake": {"body": "support", "position": [0, "A*sin(w*t)", 0], "rotation": [{"z": 0}]}
        },
        "initial": {"pivot": 0.4},
    }
    run = ts.simulate(ts.load(shaken), 2.0, rate=20, rtol=1e-11)

    def rate(t, y):
        return [y[1], -(9.81 - 0.05 * 900 * np.sin(30 * t)) / 0.7 * np.sin(y[0])]

    exact = solve_ivp(rate, (0, 2), [0.4, 0], method="DOP853", t_eval=run.t, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(run["pivot"], exact.y[0], atol=1e-9)
    lifted = run.reaction("shake")[:, 1]  # the shaker carries both bodies
    swinging = -0.7 * (np.cos(run["pivot"]) * run["pivot."] ** 2)
    swinging -= 0.7 * np.sin(run["pivot"]) * run.a[:, list(run.model.speeds).index("pivot.")]
    up = -0.05 * 900 * np.sin(30 * run.t)
    np.testing.assert_allclose(lifted, 2.5 * (9.81 + up) - 1.5 * swinging, atol=1e-7)


def test_a_pendulum_in_cartesian_coordinates_has_its_tension_over_its_length_as_multiplier():
    """L-Pend: the constraint x² + y² = l² is written with ½, so that λ = −T/l."""
    rod = {"rod": {"type": "relation", "zero": "(x^2 + y^2 - l^2)/2"}}
    start = {"x": 0.7 * np.sin(0.5), "y": -0.7 * np.cos(0.5)}
    run = ts.simulate(ts.load(PLANAR | {"constraints": rod, "initial": start}), 3.0)
    theta = np.arctan2(run["x"], -run["y"])
    rate = (run["x."] * np.cos(theta) + run["y."] * np.sin(theta)) / 0.7
    tension = 1.5 * (9.81 * np.cos(theta) + 0.7 * rate**2)
    np.testing.assert_allclose(-run.multiplier("rod")[:, 0] * 0.7, tension, rtol=1e-8)
    assert run.closure_error < 1e-12


# --- rolling ------------------------------------------------------------------------------------


def test_a_cylinder_rolls_down_a_slope_and_is_held_by_a_third_of_its_weight_along_it():
    """L-Cyl4: ẍ = −(2/3) g sin α up the slope, R_x = (1/3) m g sin α, R_y = m g cos α."""
    alpha, g = 0.35, 9.81
    slope = rolling("cylinder", axis="y") | {"gravity": [-g * np.sin(alpha), 0, -g * np.cos(alpha)]}
    run = ts.simulate(ts.load(slope), 1.0)
    np.testing.assert_allclose(run["free_x"], -g * np.sin(alpha) / 3 * run.t**2, atol=1e-10)
    force = run.reaction("roll")[:, :3]
    expected = [2 * g * np.sin(alpha) / 3, 0, 2 * g * np.cos(alpha)]
    np.testing.assert_allclose(force, np.tile(expected, (len(force), 1)), atol=1e-9)


def test_a_homogeneous_ball_on_a_plane_keeps_its_rotation_and_goes_straight():
    """L-Ball: the contact force is the weight alone."""
    ball = rolling("ball")
    ball["bodies"] = {"body": {"mass": "m", "inertia": ["2/5*m*r^2"] * 3}}
    spin = {"free_wx": 1.0, "free_wy": 2.0, "free_wz": 3.0}
    run = ts.simulate(ts.load(ball), 5.0, initial=spin, rtol=1e-11)
    start = np.array([run["free_x."][0], run["free_y."][0]])
    np.testing.assert_allclose(run["free_x"], start[0] * run.t, atol=1e-9)
    np.testing.assert_allclose(run["free_y"], start[1] * run.t, atol=1e-9)
    assert np.linalg.norm(start) > 0.1
    weight = np.tile([0, 0, 2 * 9.81], (len(run.t), 1))
    np.testing.assert_allclose(run.reaction("roll")[:, :3], weight, atol=1e-8)


def test_a_vertical_disc_that_pivots_rolls_on_a_circle_if_a_couple_holds_it_upright():
    """P-Ex3.1: radius a |φ̇/θ̇|; verticality couple (3/2) m a² φ̇ θ̇, force m a φ̇ θ̇ inward."""
    disc = rolling("disc", axis="x") | {
        "bodies": {"body": {"mass": "m", "inertia": ["m*r^2/2", "m*r^2/4", "m*r^2/4"]}},
        "joints": {
            "upright": {
                "type": "defined",
                "bodies": ["ground", "body"],
                "coordinates": ["x", "y", "z", "theta", "phi"],
                "position": ["x", "y", "z"],
                "rotation": [{"z": "theta"}, {"x": "phi"}],
            }
        },
        "initial": {"z": "r", "theta.": 0.8, "phi.": 5.0},
    }
    run = ts.simulate(ts.load(disc), 4.0, rtol=1e-11)
    m, r, spin, turn = 2.0, 0.3, 5.0, 0.8
    np.testing.assert_allclose(run["phi."], spin, atol=1e-9)
    np.testing.assert_allclose(run["theta."], turn, atol=1e-9)
    np.testing.assert_allclose(run["x."], r * spin * np.sin(run["theta"]), atol=1e-9)
    np.testing.assert_allclose(run["y."], -r * spin * np.cos(run["theta"]), atol=1e-9)
    e = np.column_stack([np.cos(run["theta"]), np.sin(run["theta"]), 0 * run.t])
    force = run.reaction("roll")[:, :3]
    np.testing.assert_allclose((force * e).sum(axis=1), m * r * spin * turn, atol=1e-8)
    e_y = np.column_stack([-np.sin(run["theta"]), np.cos(run["theta"]), 0 * run.t])
    centre = np.column_stack([run["x"], run["y"], 0 * run.t])
    upright = np.array([run.reaction("upright", at=c)[k, 3:] for k, c in enumerate(centre)])
    couple = (upright * e_y).sum(axis=1)
    np.testing.assert_allclose(np.abs(couple), 1.5 * m * r**2 * spin * turn, rtol=1e-8)


# --- gears --------------------------------------------------------------------------------------


def reducer(planets):
    """P-Pb4.1: sun, planets on a massless arm, fixed ring."""
    disc = {"density": "rho"}
    bodies = {"sun": disc | {"shape": {"cylinder": {"radius": "a", "length": "h", "axis": "x"}}}}
    bodies["arm"] = {"mass": 0}
    joints = {
        "input": {"type": "pivot", "bodies": ["ground", "sun"], "axis": "x", "coordinate": "t1"},
        "output": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "x", "coordinate": "t2"},
    }
    teeth = {}
    for k in range(planets):
        c, s = f"cos({k}*2*pi/{planets})", f"sin({k}*2*pi/{planets})"
        shape = {"cylinder": {"radius": "b", "length": "h", "axis": "x"}}
        bodies[f"planet{k}"] = disc | {"shape": shape}
        joints[f"axis{k}"] = {
            "type": "pivot",
            "bodies": ["arm", f"planet{k}"],
            "axis": "x",
            "point": [[0, f"(a+b)*{c}", f"(a+b)*{s}"], [0, 0, 0]],
        }
        for where, wheel, radius in (("inner", "sun", "a"), ("outer", "ground", "(a+2*b)")):
            teeth[f"{where}{k}"] = {
                "type": "gear",
                "bodies": [wheel, f"planet{k}"],
                "carrier": "arm",
                "point": [0, f"{radius}*{c}", f"{radius}*{s}"],
                "direction": [0, f"-{s}", c],
            }
    return {
        "gravity": [0, 0, -9.81],
        "parameters": {"a": 0.05, "b": 0.03, "h": 0.02, "rho": 7800, "G1": 1.5, "G2": 2.0},
        "bodies": bodies,
        "joints": joints,
        "constraints": teeth,
        "forces": {
            "motor": {"type": "joint", "joint": "input", "value": "G1"},
            "load": {"type": "joint", "joint": "output", "value": "-G2"},
        },
    }


def test_the_planetary_reducer_has_its_exact_ratio_and_effective_inertia():
    """P-Pb4.1: θ̇₂ = a θ̇₁ / 2(a + b), I = (π/8) ρ h a² (4 a² + 9 b²)."""
    run = ts.simulate(ts.load(reducer(3)), 1.0)
    a, b, h, rho = 0.05, 0.03, 0.02, 7800
    inertia = np.pi / 8 * rho * h * a**2 * (4 * a**2 + 9 * b**2)
    ratio = a / (2 * (a + b))
    np.testing.assert_allclose(run.a[:, 0], (1.5 - ratio * 2.0) / inertia, rtol=1e-9)
    np.testing.assert_allclose(run["t2"], ratio * run["t1"], atol=1e-12)
    np.testing.assert_allclose(run["axis0"], -(1 / (2 * b) + ratio / a) * a * run["t1"], rtol=1e-9)


def test_teeth_of_a_pair_of_gears_load_their_bearings():
    """A wheel driven at constant speed by a pinion: the bearings carry the tooth force."""
    pair = {
        "parameters": {"r1": 0.02, "r2": 0.06, "C": 3.0},
        "bodies": {"pinion": {"mass": 0, "inertia": [0, 0, 1e-4]},
                   "wheel": {"mass": 0, "inertia": [0, 0, 1e-3]}},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "pinion"], "axis": "z"},
            "B": {"type": "pivot", "bodies": ["ground", "wheel"], "axis": "z",
                  "point": [["r1 + r2", 0, 0], [0, 0, 0]]},
        },
        "constraints": {"mesh": {"type": "gear", "joints": ["A", "B"], "radii": ["r1", "r2"],
                                 "pressure_angle": "20 deg"}},
        "motions": {"drive": {"coordinate": "A", "law": "50*t"}},
        "forces": {"load": {"type": "joint", "joint": "B", "value": "C"}},
    }  # fmt: skip
    run = ts.simulate(ts.load(pair), 0.5, rate=20)
    np.testing.assert_allclose(run["B"], -run["A"] / 3, atol=1e-12)
    np.testing.assert_allclose(run.drive("drive"), 3.0 / 3, rtol=1e-9)  # C r₁ / r₂ resists
    tooth = 3.0 / 0.06
    force = run.reaction("B")[:, :3]
    np.testing.assert_allclose(np.abs(force[:, 1]), tooth, rtol=1e-9)
    np.testing.assert_allclose(force[:, 0], -tooth * np.tan(np.radians(20)), rtol=1e-9)
    np.testing.assert_allclose(run.reaction("A")[:, :3], -force, atol=1e-9)


@pytest.mark.parametrize(
    ("kind", "axes", "place", "radii", "ratio"),
    [
        ("external", ("z", "z"), [0.08, 0, 0], [0.02, 0.06], -1 / 3),
        ("internal", ("z", "z"), [0.04, 0, 0], [0.02, 0.06], 1 / 3),
        ("internal", ("z", "z"), [0.04, 0, 0], [0.06, 0.02], 3.0),
        ("external", ("z", "-z"), [0.08, 0, 0], [0.02, 0.06], 1 / 3),
    ],
)
def test_parallel_gears_turn_in_the_ratio_of_their_radii(kind, axes, place, radii, ratio):
    run = ts.simulate(ts.load(two_wheels(kind, axes, place, radii)), 0.5, rate=20)
    np.testing.assert_allclose(run["B"], ratio * run["A"], atol=1e-12)


def test_bevel_gears_turn_in_the_ratio_of_their_radii():
    run = ts.simulate(ts.load(two_wheels("bevel", ("z", "x"), [0, 0, 0], [0.02, 0.05])), 0.5)
    np.testing.assert_allclose(np.abs(run["B"]), 0.4 * np.abs(run["A"]), atol=1e-12)


def test_a_rack_advances_by_the_arc_of_its_pinion():
    model = two_wheels("rack", ("z", "x"), [0, 0.02, 0], [0.02, 1], second="glissière")
    run = ts.simulate(ts.load(model), 0.5, rate=20)
    np.testing.assert_allclose(np.abs(run["B"]), 0.02 * np.abs(run["A"]), atol=1e-12)


def test_a_worm_turns_its_wheel_by_one_lead_a_turn():
    model = two_wheels("worm", ("x", "z"), [0, 0.08, 0], [0.02, 0.06])
    model["constraints"]["mesh"]["lead"] = 0.004
    run = ts.simulate(ts.load(model), 0.5, rate=20)
    advance = 0.004 / (2 * np.pi) * run["A"]
    np.testing.assert_allclose(np.abs(run["B"]), np.abs(advance) / 0.06, atol=1e-12)


def two_wheels(kind, axes, place, radii, second="pivot"):
    """Two wheels on the ground, the first driven."""
    return {
        "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}, "b": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": axes[0]},
            "B": {"type": second, "bodies": ["ground", "b"], "axis": axes[1],
                  "point": [place, [0, 0, 0]]},
        },
        "constraints": {"mesh": {"type": "gear", "kind": kind, "joints": ["A", "B"],
                                 "radii": radii}},
        "motions": {"drive": {"coordinate": "A", "law": "3*t"}},
    }  # fmt: skip


def test_a_crossed_belt_turns_the_other_way():
    for crossed, sign in (("false", 1), ("true", -1)):
        model = two_wheels("external", ("z", "z"), [0.5, 0, 0], [0.02, 0.06])
        belt = {"type": "belt", "joints": ["A", "B"], "radii": [0.02, 0.06], "crossed": crossed}
        run = ts.simulate(ts.load(model | {"constraints": {"belt": belt}}), 0.5, rate=20)
        np.testing.assert_allclose(run["B"], sign * run["A"] / 3, atol=1e-12)


def test_a_relation_that_is_not_linear_in_speeds_is_refused_by_name():
    bad = PLANAR | {"constraints": {"odd": {"type": "relation", "zero": "x.^2 - 0.5*y."}}}
    with pytest.raises(ts.ModelError, match=r'not linear in the speed "x\."'):
        ts.simulate(ts.load(bad), 1.0)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("disc", "non-holonomic: roll"),
        ("ball", "non-holonomic: roll"),
        ("cylinder", "given in speeds, but holonomic: roll"),
        ("law", "hold positions: drive"),
        ("relation of positions", "hold positions: rod"),
        ("relation of speeds", "non-holonomic: skate"),
    ],
)
def test_conditions_on_speeds_that_are_conditions_on_positions_are_found(kind, words):
    """A cylinder that rolls straight on is where its angle says; a disc or a ball is not."""
    assert str(ts.linkages.holonomy(ts.load(EVERY_KIND[kind]))) == words


def test_a_wheel_that_rolls_in_its_plane_is_holonomic_and_is_integrated_at_once():
    """G-Roll: x + r θ keeps its value."""
    wheel = PLANAR | {"constraints": {"roll": {"type": "relation", "zero": "x. + 0.3*phi."}}}
    assert str(ts.linkages.holonomy(ts.load(wheel))) == "hold positions: roll"
