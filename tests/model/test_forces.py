"""The library of forces: potentials, powers, action and reaction, and closed forms."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from random_mechanisms import at, random_mechanism, random_state, rate, speeds_of

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ONE, TIME, ZERO, expression, number, symbol
from torseur.equations.actions.applied import (
    applied_forces,
    power_without_potential,
    powers,
    stored_energy,
)
from torseur.equations.formalisms.derive import derive
from torseur.equations.symbols.system import system
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.language.yaml.form import yaml_mechanism
from torseur.machine.compiled import compile
from torseur.model.contact.elements import elements
from torseur.model.forces.body import Attraction, BodyLoad, Drag, Gravitation, Resistance
from torseur.model.forces.bushing import COORDINATES, Bushing
from torseur.model.forces.bushing import RATES as BUSHING_RATES
from torseur.model.forces.catalogue import FORCES, force_class
from torseur.model.forces.fluid import FluidBox, FluidEllipsoid
from torseur.model.forces.joint import (
    POSITION,
    GeneralisedPotential,
    JointLaw,
    JointLoad,
    Pressure,
    TorsionDamper,
    TorsionSpring,
)
from torseur.model.forces.joint import RATE as TURNING
from torseur.model.forces.line import LENGTH, RATE, Cable, Damper, LineForce, Spring
from torseur.model.forces.protocol import Attachment
from torseur.model.forces.tyre import Tyre
from torseur.model.forces.wrapped_cable import LENGTH as OF_CABLE
from torseur.model.forces.wrapped_cable import RATE as RATE_OF_CABLE
from torseur.model.forces.wrapped_cable import WrappedCable
from torseur.model.forces.wrapping import Obstacle, Pulley
from torseur.model.joints.library import Cylindrical, Free, Planar, Prismatic, Revolute, Spherical
from torseur.simulation.simulate import simulate
from torseur.spatial.quaternion import matrix
from torseur.spatial.rotation import turn

MODELS = Path(__file__).parents[1] / "models"

# Every mechanism below starts with B0, then B1 carried by B0 through the cylindrical joint J1.
HERE = Attachment("ground", np.array([0.1, -1.0, 0.3]))
OUT = Attachment("B0", np.array([0.0, 0.4, 0.1]))
FAR = Attachment("B1", np.array([0.3, 0.1, 0.2]))
J1_0, J1_1 = symbol("J1_0", "coordinate"), symbol("J1_1", "coordinate")
J1_0_, J1_1_ = symbol("J1_0.", "speed"), symbol("J1_1.", "speed")
k, c = number(40), number(0.3)

INNER = Attachment("B0", np.array([0.7, -0.2, 0.1]))
X = np.array([number(1), c, c])
SIX = np.diag([k, c, k, c, k, c]) + np.full((6, 6), c)
LAW = np.array([-k * COORDINATES[0] ** 3, c * COORDINATES[4] * BUSHING_RATES[1], J1_0])

_BALL = Obstacle("B0", np.array([number(0.35), c, number(0.2)]), number(0.12))
_DRUM = Obstacle("B1", np.array([c, c, ZERO]), c / 4, np.array([ZERO, ONE, ZERO]), OUT)
PATH = (OUT, _BALL, FAR, _DRUM, INNER, Pulley(number(2)), OUT, FAR)

STORING = [
    WrappedCable("a wrapped cable", PATH, k * (OF_CABLE - c)),
    Spring("a spring", (OUT, FAR), k, c),
    LineForce("a polynomial tension", (OUT, FAR), k * (LENGTH - c) ** 3 + LENGTH),
    LineForce("a tension with its potential", (OUT, FAR), 1 / LENGTH, LENGTH.log()),
    TorsionSpring("a torsion spring", "J1", k, c),
    JointLaw("a polynomial couple", "J1", -k * POSITION**3 + c, coordinate="J1_1"),
    JointLaw("a couple with its potential", "J1", -POSITION.sin(), -POSITION.cos(), "J1_1"),
    Attraction("a centre on a body", OUT, k=k, on=("B1",)),
    Gravitation("mutual attraction", ("B0", "B1"), k),
    Cable("a tight cable", (OUT, FAR, INNER), k, c / 100),
    Bushing("a bushing", (OUT, FAR), SIX, rotation=turn("x", 0.3)),
    GeneralisedPotential("a potential", J1_0**2 * J1_1.cos()),
]
SPENDING = [
    Damper("a damper", (OUT, FAR), k),
    Bushing("a bushing that damps", (OUT, FAR), damping=SIX),
    Bushing("a law of a bushing", (OUT, FAR), force=LAW, couple=LAW[::-1]),
    WrappedCable("a wrapped cable that damps", PATH, k * RATE_OF_CABLE * OF_CABLE),
    LineForce("a tension that damps", (OUT, FAR), k * LENGTH * RATE + J1_0),
    TorsionDamper("a torsion damper", "J1", k),
    JointLaw("a couple that damps", "J1", -c * TURNING * POSITION.cos(), coordinate="J1_1"),
    JointLoad("an expression", "J1", J1_0 * J1_1_ + TIME, coordinate="J1_0"),
    Pressure("a pressure", "J1", 3 / (J1_0 + 9), c),
    GeneralisedPotential("a gyroscopic potential", J1_1.sin() * J1_0_ + J1_0**2 * J1_1_),
]
OUTSIDE = [
    Spring("from the ground", (HERE, FAR), k, c),
    Damper("damped from the ground", (HERE, FAR), k),
    Attraction("a centre", HERE, k=k),
    BodyLoad("a wrench", "B1", FAR.point, np.array([k, J1_0, c]), np.array([c, c, J1_1_])),
    BodyLoad("a follower", "B1", FAR.point, np.array([k, J1_0, c]), follows=True),
    Drag("a drag", "B1", k, c, k, FAR.point, np.array([c, J1_1_, 0])),
    FluidBox("a box in a fluid", "B1", (c, k, c / 3), c, k, X, FAR.point, turn("x", 0.3)),
    FluidEllipsoid("a wing", "B1", (c, k, c / 3), c, k, c, c, k, tuple(X), tuple(X), k, c, X),
    Tyre("a tyre", "B1", X, c, X[::-1], load=k, creep=(k, c), trail=c),
    Tyre("magic", "B1", X, c, X[::-1], FAR.point, k * 90, c, magic=(k, c, c, c)),
    Resistance("a fluid", "B1", np.diag([1.0, 2.0, 3.0]), np.full((3, 3), 0.1), FAR.point),
]
INSIDE = [*STORING, *SPENDING]


def named(forces):
    return pytest.mark.parametrize("force", forces, ids=[force.name for force in forces])


def random_system(seed, *forces, first=()):
    rng = np.random.default_rng(seed)
    kinds = first or (Cylindrical(int(rng.integers(3))),) * 2
    made = system(random_mechanism(rng, *kinds, loads=forces))
    return made, random_state(rng, made)


@named([*STORING, *(x for x in OUTSIDE if isinstance(x, Spring | Attraction))])
@pytest.mark.parametrize("seed", range(3))
def test_a_force_is_minus_the_gradient_of_its_potential(force, seed):
    made, values = random_system(seed, force)
    lost = jacobian([rate(made, expression(stored_energy(made)))], made.v)[0]
    Q = at(applied_forces(made), values)
    assert np.abs(Q).max() > 0
    np.testing.assert_allclose(Q, -at(lost, values), rtol=1e-12, atol=1e-12 * np.abs(Q).max())


@named([*INSIDE, *OUTSIDE])
@pytest.mark.parametrize("seed", range(2))
def test_the_power_of_a_force_is_its_generalised_force_times_the_speeds(force, seed):
    made, values = random_system(seed, force)
    through_joints = at(applied_forces(made), values) @ speeds_of(made, values)
    assert at(powers(made)[force.name], values) == pytest.approx(through_joints, rel=1e-11)


@named(INSIDE)
@pytest.mark.parametrize("seed", range(3))
def test_forces_between_bodies_leave_their_total_momentum_alone(force, seed):
    """The generalised forces of a free joint are the resultant and the moment on all it carries."""
    made, values = random_system(seed, force, first=(Free(), Cylindrical(seed)))
    Q = at(applied_forces(made), values)
    scale = np.abs(Q).max()
    np.testing.assert_allclose(Q[:6], 0, atol=1e-12 * scale)
    assert scale > 0


@pytest.mark.parametrize("seed", range(2))
def test_forces_add_up(seed):
    forces = [*INSIDE, *OUTSIDE]
    made, values = random_system(seed, *forces)
    alone = [at(applied_forces(random_system(seed, force)[0]), values) for force in forces]
    together = at(applied_forces(made), values)
    np.testing.assert_allclose(together, sum(alone), rtol=1e-11, atol=1e-11)


@named([x for x in SPENDING if "damp" in x.name])
def test_dampers_take_power(force):
    made, values = random_system(5, force)
    values["J1_0"], values["J1_1"] = 0.2, 0.4
    assert at(powers(made)[force.name], values) < 0


@named(STORING)
def test_what_a_potential_stores_is_not_counted_twice(force):
    made, values = random_system(4, force)
    kept = at(power_without_potential(made), values)
    assert kept == pytest.approx(0, abs=1e-11 * abs(at(powers(made)[force.name], values)))


def test_a_potential_that_changes_with_time_brings_power():
    centre = Attachment("ground", np.array([TIME, ZERO, ZERO]))
    made, values = random_system(1, Attraction("moving", centre, k=k))
    stored = expression(stored_energy(made))
    explicit = at(jacobian([stored], [TIME])[0], values)
    assert at(power_without_potential(made), values) == pytest.approx(explicit[0], rel=1e-10)


def test_a_law_that_is_no_polynomial_has_a_potential_only_if_one_is_given():
    made, values = random_system(2, JointLaw("f", "J1", -POSITION.sin(), coordinate="J1_1"))
    assert stored_energy(made) is ZERO
    assert at(power_without_potential(made), values) == pytest.approx(
        -np.sin(values["J1_1"]) * values["J1_1."], rel=1e-12
    )


NAMED = """
parameters: {m: 2, k: 30, l0: 0.2, a: 0.1}
bodies: {cart: {mass: m}}
joints: {j: {type: prismatic, bodies: [ground, cart], axis: x, coordinate: x}}
frames: {bumper: {body: cart, position: [a, 0, 0]}}
points: {wall: [ground, [0, 0, 0]], hook: [bumper, [0, 0, 0]]}
forces: {s: {type: spring, between: ENDS, stiffness: k, length: l0}FURTHER}
initial: {x: 0.5}
"""


@pytest.mark.parametrize("ends", ["[wall, hook]", "[wall, [cart, [a, 0, 0]]]"])
def test_points_may_be_named_where_a_body_and_a_position_stand(ends):
    push = ", w: {type: wrench, body: cart, point: hook, force: [3, 0, 0]}"
    model = load(NAMED.replace("ENDS", ends).replace("FURTHER", push))
    (a,) = compile(model).forward_dynamics([0.5], [0.0], [0.0])
    assert a == pytest.approx((3 - 30 * (0.5 + 0.1 - 0.2)) / 2, rel=1e-14)


@pytest.mark.parametrize(
    ("ends", "further", "problem"),
    [
        ("[wall, hock]", "", 'point "hock" does not exist'),
        ("[wall, cart]", "", 'a body and a position are expected, not "cart"'),
        ("[wall, hook]", ", w: {type: wrench, body: cart, point: wall}", 'on the body "ground"'),
        ("[wall, hook]", ", w: {type: wrench, body: cart, point: tip}", 'point "tip" does not'),
    ],
)
def test_a_point_that_does_not_exist_or_is_of_another_body_is_told(ends, further, problem):
    with pytest.raises(ModelError, match=problem):
        load(NAMED.replace("ENDS", ends).replace("FURTHER", further))


def test_a_contact_takes_points_of_its_bodies_by_name():
    """A rod of 1 m falls 2 m to a floor 3 m below."""
    text = """
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 1, centre: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {A: {type: prismatic, bodies: [ground, rod], axis: y, coordinate: y}}
points: {tip: [rod, [0, -1, 0]], floor: [ground, [0, -3, 0]]}
contacts: {c: {bodies: [ground, rod], point: tip, through: floor, normal: y}}
"""
    first, *_ = simulate(load(text), 1.0).events
    assert first.t == pytest.approx(np.sqrt(2 * 2 / 9.81), rel=1e-9)
    with pytest.raises(ModelError, match='the point "floor" is on the body "ground", not on "rod"'):
        load(text.replace("point: tip", "point: floor"))


def test_a_named_point_that_cannot_be_read_is_no_unknown_one():
    text = NAMED.replace("ENDS", "[wall, hook]").replace("FURTHER", "")
    with pytest.raises(ModelError, match='body "bumper" does not exist') as error:
        load(text.replace("frames:", "frames: {}\n#"))
    assert 'the point "hook" is described with an error' in str(error.value)
    assert len(error.value.faults) == 2


def test_a_spring_between_two_points_of_one_body_does_nothing():
    ends = (FAR, Attachment("B1", np.array([0.5, -0.2, 0.1])))
    made, values = random_system(3, Spring("s", ends, k, c))
    np.testing.assert_allclose(at(applied_forces(made), values), 0, atol=1e-13)


# --- joints -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "row"), [(Revolute(1), 0), (Cylindrical(2), 1), (Planar(0), 2)], ids=lambda x: str(x)
)
def test_a_torsion_spring_finds_the_angle_of_its_joint(kind, row):
    made, values = random_system(0, TorsionSpring("s", "J0", k, c), first=(kind, Revolute()))
    expected = np.zeros(made.tree.nv)
    expected[row] = -40 * (values[f"J0_{row}"] - 0.3)
    np.testing.assert_allclose(at(applied_forces(made), values), expected, atol=1e-13)


PARALLELOGRAM = {
    "gravity": [0, 0, 0],
    "bodies": {name: {"mass": 1, "inertia": [1, 1, 1]} for name in ("crank", "rod", "rocker")},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"},
        "B": {
            "type": "pivot",
            "bodies": ["crank", "rod"],
            "point": [[0, 1, 0], [0, 0, 0]],
            "axis": "z",
        },
        "C": {
            "type": "pivot",
            "bodies": ["rod", "rocker"],
            "point": [[2, 0, 0], [0, 1, 0]],
            "axis": "z",
        },
        "D": {
            "type": "pivot",
            "bodies": ["rocker", "ground"],
            "point": [[0, 0, 0], [2, 0, 0]],
            "axis": "z",
        },
    },
}
TURNS = {"A": 1, "B": -1, "C": 1, "D": -1}  # of the crank's angle


@pytest.mark.parametrize("joints", [*TURNS, "ABCD"])
@pytest.mark.parametrize(
    "force",
    [
        {"type": "torsion spring", "stiffness": 3, "angle": 0.1},
        {"type": "law", "value": "-angle^3 - rate"},
    ],
    ids=["spring", "law"],
)
def test_a_force_in_a_loop_works_the_same_whichever_joint_closes_it(joints, force):
    forces = {joint: force | {"joint": joint} for joint in joints}
    made = system(load(PARALLELOGRAM | {"forces": forces}))
    values = {name: sign * 0.7 for name, sign in TURNS.items()}
    values |= {f"{name}.": sign * 1.3 for name, sign in TURNS.items()}
    total = 0
    for joint in joints:
        q, v = values[joint], values[f"{joint}."]
        effort = -3 * (q - 0.1) if force["type"] == "torsion spring" else -(q**3) - v
        assert at(powers(made)[joint], values) == pytest.approx(effort * v, rel=1e-12)
        total += effort * v
    Q = at(applied_forces(made), values)
    assert Q @ speeds_of(made, values) == pytest.approx(total, rel=1e-12)


def test_a_motor_and_a_force_of_one_name_are_told_apart():
    motors = {"m": {"joint": "A", "torque": 2}}
    forces = {"m": {"type": "joint", "joint": "B", "value": 3}}
    made = system(load(PARALLELOGRAM | {"motors": motors, "forces": forces}))
    assert set(powers(made)) == {"motors.m", "forces.m"}


# --- closed forms -------------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [0.0, 0.3, 1.2])
def test_two_bars_with_a_torsion_spring_buckle_as_in_the_course(theta):
    """Q = −4 C θ + 2 F l sin θ: bars at θ and −θ, knee spring, load F at the top (Ex 4.3)."""
    C, F, length = 5.0, 7.0, 0.4
    bar = {"mass": 1, "inertia": [1, 1, 1]}
    model = {
        "gravity": [0, 0, 0],
        "bodies": {"lower": bar, "upper": bar},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "lower"], "axis": "z"},
            "K": {
                "type": "pivot",
                "bodies": ["lower", "upper"],
                "point": [[0, length, 0], [0, 0, 0]],
                "axis": "z",
            },
        },
        "forces": {
            "knee": {"type": "torsion spring", "joint": "K", "stiffness": C},
            "load": {
                "type": "wrench",
                "body": "upper",
                "point": [0, length, 0],
                "force": [0, -F, 0],
            },
        },
    }
    Q = derive(load(model)).evaluate([theta, -2 * theta]).Q
    expected = -4 * C * theta + 2 * F * length * np.sin(theta)
    assert Q[0] - 2 * Q[1] == pytest.approx(expected, abs=1e-13)


def pendulum(force, gravity=(0, 0, 0)):
    """A bar of length 0.4 m along x, pivoting about z, and one force on it."""
    body = {"mass": 1, "inertia": [1, 1, 1]}
    hinge = {"type": "pivot", "bodies": ["ground", "bar"], "axis": "z", "coordinate": "theta"}
    parts = {"bodies": {"bar": body}, "joints": {"A": hinge}, "forces": {"f": force}}
    return compile(load({"gravity": list(gravity)} | parts))


@pytest.mark.parametrize("angle", [-2.0, 0.1, 1.4])
def test_a_follower_force_turns_with_its_body_and_a_constant_one_does_not(angle):
    force = {"type": "wrench", "body": "bar", "point": [0.4, 0, 0], "force": [7, 0, 0]}
    follower, constant = pendulum(force | {"frame": "body"}), pendulum(force)
    assert follower.applied([angle], [0.0])[0] == pytest.approx(0, abs=1e-14)
    moment = -7 * 0.4 * np.sin(angle)
    assert constant.applied([angle], [0.0])[0] == pytest.approx(moment, rel=1e-12)


def test_a_resisting_couple_takes_power_both_ways():
    f = pendulum({"type": "joint", "joint": "A", "value": "-3*sign(theta.)"})
    assert f.power([0.2], [2.0]) == f.power([0.2], [-2.0]) == -6


def test_a_parachute_falls_at_the_speed_where_its_drag_is_its_weight():
    drag = {"type": "wrench", "body": "load", "force": [0, 0, "-c*z.*abs(z.)"]}
    model = {
        "gravity": [0, 0, -9.81],
        "parameters": {"c": 0.7},
        "bodies": {"load": {"mass": 80}},
        "joints": {"z": {"type": "glissière", "bodies": ["ground", "load"], "axis": "z"}},
        "forces": {"drag": drag},
    }
    f = compile(load(model))
    steady = -np.sqrt(80 * 9.81 / 0.7)
    assert f.applied([0.0], [steady])[0] == pytest.approx(f.gravity([0.0])[0], rel=1e-12)


def test_a_buoy_rests_where_the_water_it_displaces_weighs_as_much():
    """Archimedes: ρ S h = m; out of the water nothing pushes it."""
    thrust = {"type": "wrench", "body": "buoy", "force": [0, 0, "rho*g*S*max(0, -z)"]}
    model = {
        "gravity": [0, 0, "-g"],
        "parameters": {"rho": 1000, "S": 0.01, "m": 2.5, "g": 9.81},
        "bodies": {"buoy": {"mass": "m"}},
        "joints": {"z": {"type": "glissière", "bodies": ["ground", "buoy"], "axis": "z"}},
        "forces": {"thrust": thrust},
    }
    f = compile(load(model))
    assert f.applied([-2.5 / (1000 * 0.01)], [0.0])[0] == pytest.approx(f.gravity([0.0])[0])
    assert f.applied([0.1], [0.0])[0] == 0


def test_a_motor_turns_its_carrier_back():
    """The moment of all about the axis is kept: (I₀ + I) α̈ + (I + n J) β̈ = 0, C n on β alone."""
    body = {"mass": 1}
    model = {
        "parameters": {"I0": 2, "I": 0.4, "J": 0.001, "n": 50, "C": 1.2},
        "gravity": [0, 0, 0],
        "bodies": {
            "base": body | {"inertia": [0, 0, "I0"]},
            "arm": body | {"inertia": [0, 0, "I"]},
        },
        "joints": {
            "A": {"type": "pivot", "axis": "z", "bodies": ["ground", "base"]},
            "B": {"type": "pivot", "axis": "z", "bodies": ["base", "arm"]},
        },
        "motors": {
            "M": {"joint": "B", "ratio": "n", "rotor_inertia": "J", "axis": "z", "torque": "C"}
        },
    }
    f = compile(load(model))
    alpha, beta = f.forward_dynamics([0.1, 0.2], [0.0, 0.0], [0.0, 0.0])
    assert beta > 0
    assert 2.4 * alpha + (0.4 + 50 * 0.001) * beta == pytest.approx(0, abs=1e-12)
    reflected = (0.4 + 50**2 * 0.001) * beta + (0.4 + 50 * 0.001) * alpha
    assert reflected == pytest.approx(50 * 1.2)


@pytest.mark.parametrize("angle", np.linspace(-3, 3, 5))
def test_a_spring_of_no_length_balances_an_arm_in_every_position(angle):
    """k a h = m g l: from the point at height h above the pivot to the point at a on the arm."""
    m, g, reach, a, h = 3.0, 9.81, 0.5, 0.2, 0.6
    model = {
        "gravity": [0, -g, 0],
        "bodies": {"arm": {"mass": m, "centre": [reach, 0, 0], "inertia": [1, 1, 1]}},
        "joints": {"A": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"}},
        "forces": {
            "balance": {
                "type": "spring",
                "between": [["ground", [0, h, 0]], ["arm", [a, 0, 0]]],
                "stiffness": m * g * reach / (a * h),
            }
        },
    }
    found = derive(load(model)).evaluate([angle])
    assert found.Q[0] - found.g[0] == pytest.approx(0, abs=1e-13)


def test_the_gas_drives_the_crank_by_its_lever():
    """Q = p A × a u(φ), u = sin φ (1 + a cos φ/√(b² − a² sin² φ)): single cylinder (Ex 4.1)."""
    a, b, phi, pressure, area = 0.05, 0.2, 0.8, 6e5, 2e-3
    body = {"mass": 1, "inertia": [1, 1, 1]}
    model = {
        "gravity": [0, 0, 0],
        "bodies": {"crank": body, "rod": body, "piston": body},
        "joints": {
            "O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"},
            "A": {
                "type": "pivot",
                "bodies": ["crank", "rod"],
                "point": [[a, 0, 0], [0, 0, 0]],
                "axis": "z",
            },
            "B": {
                "type": "pivot",
                "bodies": ["rod", "piston"],
                "point": [[b, 0, 0], [0, 0, 0]],
                "axis": "z",
            },
            "P": {"type": "glissière", "bodies": ["piston", "ground"], "axis": "x"},
        },
        "forces": {
            "gas": {"type": "pression", "joint": "P", "pressure": pressure, "area": area},
        },
    }
    made = system(load(model))
    psi = np.arcsin(a * np.sin(phi) / b)
    u = np.sin(phi) * (1 + a * np.cos(phi) / np.sqrt(b**2 - (a * np.sin(phi)) ** 2))
    x, dpsi = a * np.cos(phi) + b * np.cos(psi), a * np.cos(phi) / (b * np.cos(psi))
    values = {"O": phi, "A": -phi - psi, "B": psi, "P": -x}
    values |= {"O.": 1, "A.": -1 - dpsi, "B.": dpsi, "P.": a * u}
    Q = at(applied_forces(made), values)
    assert Q @ speeds_of(made, values) == pytest.approx(pressure * area * a * u, rel=1e-12)


def test_a_charge_in_a_magnetic_field_is_turned_without_work():
    """U = −e A·v with A = B/2 (−y, x) gives e v × B."""
    body = {"mass": 1, "inertia": [1, 1, 1]}
    model = {
        "gravity": [0, 0, 0],
        "parameters": {"e": 2, "B": 3},
        "bodies": {"slide": body, "charge": body},
        "joints": {
            "x": {"type": "prismatic", "bodies": ["ground", "slide"], "axis": "x"},
            "y": {"type": "prismatic", "bodies": ["slide", "charge"], "axis": "y"},
        },
        "forces": {"field": {"type": "potentiel généralisé", "value": "-e*B/2*(x*y. - y*x.)"}},
    }
    f = compile(load(model))
    q, v = np.array([0.3, -0.8]), np.array([1.1, 0.4])
    np.testing.assert_allclose(f.applied(q, v), [6 * v[1], -6 * v[0]], rtol=1e-14)
    assert f.power(q, v) == pytest.approx(0, abs=1e-14)
    assert f.potential_energy(q) == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_body_in_a_viscous_fluid_falls_steadily_where_resistance_is_its_weight(seed):
    """R v = m g in body axes: the velocity is not along the weight when the body is tilted."""
    rng = np.random.default_rng(seed)
    turned = rng.normal(size=4)
    turned /= np.linalg.norm(turned)
    tensor, mass, g = np.array([2.0, 3.0, 5.0]), 1.7, np.array([0, 0, -9.81])
    model = {
        "gravity": list(g),
        "bodies": {"leaf": {"mass": mass, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "leaf"]}},
        "forces": {"air": {"type": "resistance", "body": "leaf", "force": list(tensor)}},
    }
    R = matrix(turned)
    steady = R @ ((R.T @ (mass * g)) / tensor)
    f = compile(load(model))
    q, v = np.array([0, 0, 0, *turned]), np.array([*steady, 0, 0, 0])
    np.testing.assert_allclose(f.applied(q, v), f.gravity(q), atol=1e-13)


@pytest.mark.parametrize("formalism", ["newton-euler", "lagrange", "augmented-bodies", "uicker"])
@pytest.mark.parametrize("seed", range(3))
def test_a_cart_with_spring_and_damper_carries_a_pendulum_as_in_the_notes(formalism, seed):
    """(m1+m2) x'' + m2 l (th'' cos th - th'^2 sin th) + b x' + k x = 0,
    m2 l^2 th'' + m2 l x'' cos th + m2 g l sin th = 0 (erratum E2-6 settled: hanging pendulum)."""
    model = load(MODELS / "cart_pendulum.yaml")
    p = model.parameters
    x, theta = q = np.random.default_rng(seed).uniform(-0.2, 0.2, 2)
    v = np.random.default_rng(seed + 9).normal(size=2)
    found = derive(model, formalism).evaluate(q, v)
    s, c, ml = np.sin(theta), np.cos(theta), p["m2"] * p["l"]
    np.testing.assert_allclose(
        found.M, [[p["m1"] + p["m2"], ml * c], [ml * c, ml * p["l"]]], rtol=1e-12
    )
    np.testing.assert_allclose(found.h, [-ml * s * v[1] ** 2, 0], atol=1e-13)
    np.testing.assert_allclose(found.g, [0, ml * 9.81 * s], atol=1e-13)
    np.testing.assert_allclose(found.Q, [-p["k"] * x - p["b"] * v[0], 0], atol=1e-12)


# --- the YAML form ------------------------------------------------------------------------------

WRITTEN = {
    "joint": {"joint": "A", "value": "-2*A. + sin(t)"},
    "wrench": {"body": "b", "point": [1, 0, 0], "force": ["A", 0, "b."], "frame": "body"},
    "spring": {"between": [["ground", [0, 1, 0]], ["b", [0, 0, 1]]], "stiffness": "80 N/m"},
    "damper": {"between": [["ground", [0, 1, 0]], ["b", [0, 0, 1]]], "damping": 3},
    "line": {"between": [["a", [0, 1, 0]], ["b", [0, 0, 1]]], "tension": "c/length + 3*rate"},
    "torsion spring": {"joint": "B", "stiffness": "c", "angle": "10 deg"},
    "torsion damper": {"joint": "B", "damping": 0.1},
    "law": {"joint": "B", "coordinate": "b", "value": "-c*distance - rate"},
    "pressure": {"joint": "B", "pressure": "6 bar", "area": "20 cm^2"},
    "brake": {"joint": "A", "friction": 0.4, "load": "800 N + 2*A.", "radius": 0.1},
    "resistance": {"body": "b", "force": [1, 2, 3], "couple": "c", "centre": [0, 0, 1]},
    "cable": {
        "through": [["ground", [0, 1, 0]], ["b", [0, 0, 1]], ["a", [0, 2, 1]]],
        "stiffness": "2 N/mm",
        "length": "0.5 m",
        "damping": 3,
    },
    "wrapped cable": {
        "through": [
            ["ground", [0, 1, 0.2]],
            {"body": "a", "centre": [0, 0.2, 0], "radius": "2 cm", "side": ["b", [0, 0, 1]]},
            ["b", [0, 0.3, 0]],
            {"body": "a", "radius": 0.1, "axis": "x"},
            ["b", [0.3, -0.4, 0]],
            {"pulley": 2},
            ["a", [0, 2, 0]],
            ["b", [0, 0, 1]],
        ],
        "tension": "c*(length - 10 cm) + 2*rate",
    },
    "bushing": {
        "between": [["a", [0, 1, 0]], ["b", [0, 0, 1]]],
        "stiffness": [1, 2, 3, "4 N.m/rad", "c", 6],
        "damping": [1, 2, 3],
        "rotation": [{"x": "20 deg"}],
        "force": ["-5*dx^3 - dx.", 0, 0],
    },
    "drag": {"body": "b", "density": 1.2, "coefficient": "c", "area": "4 dm^2"},
    "fluid box": {"body": "b", "size": ["2 dm", 0.1, 0.1], "density": 1000, "wind": [1, 0, "t"]},
    "fluid ellipsoid": {
        "body": "b",
        "size": [0.3, 0.2, 0.1],
        "density": 1.2,
        "blunt": 0.5,
        "added_mass": [0, "1 dm^3", 0],
        "rotation": [{"x": "c"}],
    },
    "tyre": {
        "body": "b",
        "axis": "z",
        "radius": 0.3,
        "normal": "y",
        "load": "3 kN",
        "magic": [10, 1.9, 1, 0.97],
    },
    "attraction": {"centre": ["ground", [9, "t", 0]], "mass": 5e10, "on": "all"},
    "gravitation": {"between": ["a", "b"], "constant": 2},
    "generalised potential": {"value": "A*b. + t*A^2"},
}
TWO_BODIES = {
    "gravity": [0, 0, 0],
    "parameters": {"c": 3},
    "bodies": {name: {"mass": 1, "inertia": [0.1, 0.2, 0.2]} for name in "ab"},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z"},
        "B": {
            "type": "pivot glissant",
            "bodies": ["a", "b"],
            "point": [[1, 0, 0], [0, 0, 0]],
            "axis": "x",
            "coordinates": ["b", "phi"],
        },
    },
}


def test_every_force_can_be_written():
    assert set(WRITTEN) == {force.names[0] for force in FORCES}


@pytest.mark.parametrize("force", FORCES, ids=lambda force: force.names[0])
def test_a_force_is_read_under_all_its_names_and_acts(force):
    entries = WRITTEN[force.names[0]]
    for spelt in force.names:
        for name in (spelt, spelt.upper(), spelt.replace(" ", "-").replace("é", "e")):
            model = load(TWO_BODIES | {"forces": {"f": entries | {"type": name}}})
            assert type(model.loads["f"]) is force
    made = system(model)
    values = {"A": 0.4, "b": 0.2, "phi": 1.0, "A.": 0.1, "b.": 0.2, "phi.": 0.3, "c": 3.0, "t": 0.3}
    found = at(applied_forces(made), values)
    assert np.isfinite(found).all()
    assert found.any() or [one.name for one in elements(model)] == ["f"]  # or it may stick


PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
SECTION = PAGE.split("\n### forces\n")[1].split("\n### ")[0]


def test_the_documentation_lists_every_force_with_its_entries():
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| .+ \|$", SECTION, re.M)[1:]
    listed = {}
    for english, french, entries in rows:
        kinds = {force_class(name, "") for name in (*english.split(", "), *french.split(", "))}
        assert len(kinds) == 1
        listed[kinds.pop()] = set(re.findall(r"\w+", entries)) - {"or"}
    assert listed == {force: {key.name for key in force.keys} for force in FORCES}


def test_the_forces_of_the_documentation_can_be_read():
    names = ("upper", "hub", "road", "ball", "satellite", "earth", "moon", "slide", "cart")
    hinge = {"type": "pivot", "bodies": ["ground", "upper"], "axis": "z", "coordinate": "theta1"}
    rails = {
        "P": {"type": "glissière", "bodies": ["ground", "hub"], "axis": "z"},
        "x": {"type": "glissière", "bodies": ["ground", "slide"], "axis": "x"},
        "y": {"type": "glissière", "bodies": ["slide", "cart"], "axis": "y"},
    }
    free = {
        f"to_{name}": {"type": "libre", "bodies": ["ground", name]}
        for name in ("road", "ball", "satellite", "earth", "moon")
    }
    model = {
        "parameters": dict.fromkeys(["C", "F", "k", "l0", "b", "eta", "a", "e", "B", "l1"], 1),
        "bodies": {name: {"mass": 1, "inertia": [1, 1, 1]} for name in names},
        "joints": {"O": hinge} | rails | free,
    }
    block = re.search(r"```yaml\n(.*?)```", SECTION, re.S)[1]
    loaded = yaml_mechanism(f"{json.dumps(model)[:-1]}, {_flow(block)}}}", "docs/format.md")
    assert {type(force) for force in loaded.loads.values()} == set(FORCES)


def _flow(block):
    """A YAML section of one line an entry, within braces."""
    head, *lines = block.strip().split("\n")
    return f"{head} {{{', '.join(line.strip() for line in lines)}}}"


def test_the_bodies_of_an_attraction_can_be_chosen():
    def attracted(**given):
        force = {"type": "attraction", "centre": ["ground", [9, 0, 0]], "k": 2} | given
        made = system(load(TWO_BODIES | {"forces": {"f": force}}))
        return at(applied_forces(made), {"A": 0.4, "b": 0.2, "phi": 1.0})

    both, one, other = attracted(), attracted(on="a"), attracted(on=["b"])
    np.testing.assert_allclose(both, one + other, rtol=1e-12)
    np.testing.assert_allclose(both, attracted(on="all"))
    assert one[1] == one[2] == 0


@pytest.mark.parametrize(
    ("force", "problem"),
    [
        (
            lambda: LineForce("f", (HERE, FAR), k * LENGTH, k * LENGTH**2),
            "the potential is not that of the force",
        ),
        (
            lambda: JointLaw("f", "A", -k * POSITION, -k * POSITION**2 / 2),
            "the potential is not that of the force",
        ),
        (lambda: LineForce("f", (HERE, FAR), k * LENGTH, k * RATE), 'depends on "rate"'),
        (lambda: GeneralisedPotential("f", J1_0_**2), 'not linear in the speed "J1_0."'),
        (lambda: Attraction("f", HERE), "has no strength"),
        (lambda: Attraction("f", HERE, k, k), "its strength is given twice"),
        (lambda: Attraction("f", OUT, k=k, on=("B0",)), 'the body "B0" carries the centre'),
        (lambda: Gravitation("f", ("B0", "B0")), 'the body "B0" cannot attract itself'),
    ],
)
def test_a_force_that_contradicts_itself_is_refused(force, problem):
    with pytest.raises(ModelError) as caught:
        force()
    assert caught.value.place == 'force "f"'
    assert problem in caught.value.problem


def test_a_potential_of_a_quaternion_is_refused():
    potential = GeneralisedPotential("f", symbol("J0_0", "coordinate") ** 2)
    made, _ = random_system(0, potential, first=(Spherical(), Prismatic()))
    with pytest.raises(ModelError, match='"J0_0" is not a coordinate whose rate is its speed'):
        applied_forces(made)


@pytest.mark.parametrize(
    "force",
    [
        {"type": "spring", "stiffness": 3},
        {"type": "damper", "damping": 3},
        {"type": "line", "tension": "length"},
    ],
)
def test_a_line_whose_ends_never_come_apart_is_refused_by_name(force):
    """A pivot at both ends of a spring: it has no direction, and no length."""
    arm = {
        "bodies": {"arm": {"mass": 1, "centre": [1, 0, 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"}},
        "forces": {"tie": {**force, "between": [["ground", [0, 0, 0]], ["arm", [0, 0, 0]]]}},
    }
    with pytest.raises(ModelError, match=r'force "tie": its two ends are at the same place'):
        derive(load(arm))
