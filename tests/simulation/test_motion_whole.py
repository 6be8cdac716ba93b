"""Generalised forces, integrals, orbits and robot models: every part of each sentence.

Derivatives are central differences of step 1e-5, right to about 1e-9 of their size.
"""

import numpy as np
import pytest
from random_mechanisms import at, random_mechanism, random_state
from random_trees import SLIDING_AND_TURNING, random_coordinates, random_tree
from test_bodies_whole import rate
from test_forces import FAR, OUT, SPENDING, STORING

import torseur as ts
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.count import count
from torseur.dynamics.tree import base_parameters, kinematics, quantities
from torseur.dynamics.tree import inverse_dynamics as newton_euler
from torseur.equations.actions.applied import applied_forces
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.motion import MotionKernels
from torseur.equations.symbols.system import system
from torseur.model.forces.line import LENGTH, RATE, Damper, LineForce, Spring
from torseur.model.joints.library import Cylindrical
from torseur.spatial import quaternion
from torseur.spatial.torseur import Torseur, total

# --- G06: generalised forces between two bodies ---------------------------------------------------

LINES = [x for x in (*STORING, *SPENDING) if isinstance(x, Spring | LineForce | Damper)]


@pytest.mark.parametrize("force", LINES, ids=[x.name for x in LINES])
@pytest.mark.parametrize("seed", range(2))
def test_inter_body_coefficients_are_the_virtual_power_of_both_actions(force, seed):
    """Q_i(S_j ↔ S_k) = F · ∂V(P ∈ S_k)/∂q̇_i − F · ∂V(P ∈ S_j)/∂q̇_i, F along the line of both."""
    rng = np.random.default_rng(seed)
    made = system(random_mechanism(rng, Cylindrical(0), Cylindrical(2), loads=(force,)))
    values = random_state(rng, made)
    Q = at(applied_forces(made), values)
    v = np.array([values[x] for x in made.speeds])
    (p, J_p), (r, J_r) = (placed(made, end, values) for end in (OUT, FAR))
    length = np.linalg.norm(r - p)
    u = (r - p) / length
    tension = tension_of(force, length, u @ (J_r - J_p) @ v, values)
    np.testing.assert_allclose(Q, tension * (J_p - J_r).T @ u, atol=1e-9 * np.abs(Q).max())
    assert np.abs(Q[:2]).max() < 1e-9 * np.abs(Q).max()  # both bodies move as one solid
    assert np.abs(Q[2:4]).max() > 0


def placed(made, end, values):
    """Position of an attachment and J of its velocity."""
    bodies = {link.name: (i, link) for i, link in made.tree}
    i, link = bodies[end.body]
    point = link.X_MB.point(end.point)
    position = kinematics.ground_poses(made.tree, made.q)[i].point(point)
    J = kinematics.jacobian(made.tree, made.q, i, point)[1]
    return at(list(position), values), at(list(J.ravel()), values).reshape(J.shape)


def tension_of(force, length, speed, values):
    """The tension of a force along a line, from its law."""
    law = {
        Spring: lambda: force.stiffness * (LENGTH - force.length),
        Damper: lambda: force.damping * RATE,
        LineForce: lambda: force.tension,
    }[type(force)]()
    return at([law], values | {LENGTH.name: length, RATE.name: speed})[0]


# --- H06: Noether ---------------------------------------------------------------------------------


def top(gravity, **more):
    return ts.load(
        {
            "gravity": gravity,
            "bodies": {"top": {"mass": 1, "centre": [0, 0, 0.3], "inertia": [0.1, 0.12, 0.02]}},
            "joints": {"tip": {"type": "rotule", "bodies": ["ground", "top"]}},
            **more,
        }
    )


@pytest.mark.parametrize(
    ("gravity", "axes"), [([0, 0, -9.81], "z"), ([0, -9.81, 0], "y"), ([0, 0, 0], "xyz")]
)
def test_each_rotation_that_leaves_the_lagrangian_alone_keeps_its_momentum(gravity, axes):
    """Noether: with s the virtual motion of the symmetry, ∂L/∂q̇ · s is constant, and only then."""
    model = top(gravity)
    run = ts.simulate(model, 0.3, initial={"tip_wx": 1.0, "tip_wy": 0.4, "tip_wz": 3.0}, rtol=1e-11)
    names = ts.first_integrals(model).names
    momenta = ts.torseurs.body_torseurs(run, "top").kinetic.at(np.zeros(3)).moment
    for k, axis in enumerate("xyz"):
        kept = np.ptp(momenta[:, k]) < 1e-8 * np.abs(momenta).max()
        assert kept == (axis in axes)
        assert (f"sigma_O_{axis}" in names) == (axis in axes)


def test_a_potential_that_breaks_the_symmetry_ends_the_integral_and_one_that_keeps_it_does_not():
    def forces(point):
        ends = [["ground", point], ["top", [0, 0, 0.5]]]
        return {"spring": {"type": "spring", "between": ends, "stiffness": 5}}

    assert "sigma_O_z" in ts.first_integrals(top([0, 0, -9.81], forces=forces([0, 0, 1]))).names
    assert "sigma_O_z" not in ts.first_integrals(top([0, 0, -9.81], forces=forces([1, 0, 1]))).names


# --- H08: the laws of Kepler ----------------------------------------------------------------------


def planet(k, distance, speed):
    return ts.load(
        {
            "parameters": {"k": k},
            "bodies": {"planet": {"mass": 2}},
            "joints": {"place": {"type": "defined", "bodies": ["ground", "planet"],
                                 "coordinates": ["x", "y"], "position": ["x", "y", 0]}},
            "forces": {"sun": {"type": "attraction", "centre": ["ground", [0, 0, 0]], "k": "k"}},
            "initial": {"x": distance, "y.": speed},
        }
    )  # fmt: skip


@pytest.mark.parametrize(("distance", "speed"), [(1.0, 1.2), (0.6, 2.0), (2.0, 0.5)])
def test_a_planet_obeys_the_three_laws_of_kepler(distance, speed):
    k = 1.7
    a = 1 / (2 / distance - speed**2 / k)  # from the energy
    p = (distance * speed) ** 2 / k
    e = p / distance - 1  # with its sign: the start is an apse, on +x
    period = 2 * np.pi * np.sqrt(a**3 / k)
    run = ts.simulate(planet(k, distance, speed), period, rate=60 / period, rtol=1e-11)
    x, y = run["x"], run["y"]

    # an ellipse with the sun at a focus
    np.testing.assert_allclose(np.hypot(x, y) + e * x, p, rtol=1e-7)
    assert a == pytest.approx(p / (1 - e**2))
    np.testing.assert_allclose(np.hypot(x, y) + np.hypot(x + 2 * a * e, y), 2 * a, rtol=1e-7)
    # equal areas in equal times
    areal = (x * run["y."] - y * run["x."]) / 2
    np.testing.assert_allclose(areal, distance * speed / 2, rtol=1e-8)
    assert abs(areal[0]) * period == pytest.approx(np.pi * a**2 * np.sqrt(1 - e**2))
    # the square of the period is as the cube of the major axis: it is back, and not before
    assert (x[-1], y[-1]) == pytest.approx((distance, 0), abs=1e-6)
    assert np.hypot(x - distance, y)[5:-5].min() > 0.1 * a
    assert "sigma_O_z" in ts.first_integrals(planet(k, distance, speed)).names


# --- I10: Newton-Euler with wrenches, rotors and transmissions ------------------------------------


def robot(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, SLIDING_AND_TURNING, bodies=4, rotors="oblique")
    q, (v, a) = random_coordinates(rng, tree), rng.normal(size=(2, tree.nv))
    return tree, q, v, a, rng.normal(size=3) * 9.81, rng


def energy_of_bodies_and_rotors(tree, q, v):
    """½ ∫ V² dm of each body, and of the rotors j (½ (α q̇)² + α q̇ ε · ω of the carrier)."""
    T, poses = 0.0, kinematics.ground_poses(tree, q)
    omegas = {-1: np.zeros(3)}
    for i, link in tree:
        J_w, J_v = kinematics.jacobian(tree, q, i, np.zeros(3))
        R = poses[i].R
        w, V, body = R.into(J_w @ v), R.into(J_v @ v), link.inertia
        tensor = np.trace(body.K) * np.eye(3) - body.K
        omegas[i] = w
        T += body.m * V @ V / 2 + V @ np.cross(w, body.h) + w @ tensor @ w / 2
        spin = link.rotor.ratio * v[link.v][0]
        carrier = omegas[link.parent]
        seen = link.rotor.axis @ carrier if link.parent >= 0 else 0.0
        T += link.rotor.j * (spin**2 / 2 + spin * seen)
    return T


@pytest.mark.parametrize("seed", range(3))
def test_newton_euler_with_wrenches_rotors_and_transmissions_is_lagrange(seed):
    """d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = Q + Σ Jᵀ F, with everything at once (erratum E0-19)."""
    tree, q, v, a, gravity, rng = robot(seed)
    pushed = {i: tuple(rng.normal(size=(2, 3))) for i, _ in tree}
    found = newton_euler.inverse_dynamics(tree, q, v, a, gravity, pushed).Q

    units = np.eye(tree.nv)

    def momentum(q, v):  # T is quadratic in v: its differences are exact
        T = energy_of_bodies_and_rotors
        return np.array([(T(tree, q, v + e) - T(tree, q, v - e)) / 2 for e in units])

    def lagrangian(q):
        return energy_of_bodies_and_rotors(tree, q, v) - quantities.potential_energy(
            tree, q, gravity
        )

    expected = rate(lambda t: momentum(q + v * t + a * t**2 / 2, v + a * t))
    expected -= [rate(lambda t, e=e: lagrangian(q + t * e)) for e in units]
    poses = kinematics.ground_poses(tree, q)
    for i, (force, couple) in pushed.items():
        J_w, J_v = kinematics.jacobian(tree, q, i, np.zeros(3))
        expected -= J_v.T @ poses[i].R.out(force) + J_w.T @ poses[i].R.out(couple)
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())


# --- I13: the simulation model, and reactions by a second pass ------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_accelerations_solve_the_simulation_model_and_a_second_pass_gives_the_reactions(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, SLIDING_AND_TURNING, bodies=4)
    q, (v, Q) = random_coordinates(rng, tree), rng.normal(size=(2, tree.nv))
    gravity = rng.normal(size=3) * 9.81

    # A by columns, and q̈ = A⁻¹(Q − Q(q, q̇, 0))
    def needed(a):
        return newton_euler.inverse_dynamics(tree, q, v, a, gravity).Q

    idle = needed(np.zeros(tree.nv))
    A = np.column_stack([needed(e) - idle for e in np.eye(tree.nv)]).astype(float)
    np.testing.assert_allclose(A, quantities.mass_matrix(tree, q).astype(float), atol=1e-10)
    a = np.linalg.solve(A, (Q - idle).astype(float))
    direct = quantities.forward_dynamics(tree, q, v, Q, gravity)
    np.testing.assert_allclose(a, direct.astype(float), atol=1e-8 * (1 + np.abs(a).max()))

    # second pass; each body alone: what its joints do to it is its rate of momentum less its weight
    second = newton_euler.inverse_dynamics(tree, q, v, a, gravity)
    np.testing.assert_allclose(second.Q.astype(float), Q, atol=1e-8 * (1 + np.abs(a).max()))
    poses = kinematics.ground_poses(tree, q)
    acting = [
        Torseur(X.R.out(F), X.R.out(N), X.p)
        for X, F, N in zip(poses, second.forces, second.couples, strict=True)
    ]
    for i, link in tree:
        own = [acting[i], *(-acting[k] for k, other in tree if other.parent == i)]
        received = total(own, np.zeros(3))
        G = poses[i].point(link.inertia.h / link.inertia.m)
        weight = Torseur(link.inertia.m * gravity, np.zeros(3), G).at(np.zeros(3))
        linear, angular = momenta_of(tree, i, q, v, a)
        scale = 1 + np.abs(received.resultant.astype(float)).max() + np.abs(a).max()
        assert np.abs(received.resultant + weight.resultant - linear).max() < 1e-6 * scale
        assert np.abs(received.moment + weight.moment - angular).max() < 1e-6 * scale


def momenta_of(tree, i, q, v, a):
    """Rates of linear momentum and of moment about the origin of a body, by differences."""
    body = tree.links[i].inertia
    tensor = np.trace(body.K) * np.eye(3) - body.K

    def momentum(t):
        here, speeds = q + v * t + a * t**2 / 2, v + a * t
        X = kinematics.ground_poses(tree, here)[i]
        J_w, J_v = kinematics.jacobian(tree, here, i, np.zeros(3))
        w, V = X.R.into(J_w @ speeds), X.R.into(J_v @ speeds)
        P = body.m * V + np.cross(w, body.h)
        sigma = tensor @ w + np.cross(body.h, V)
        P, sigma = X.R.out(P), X.R.out(sigma)
        return np.array([P, sigma + np.cross(X.p, P)], dtype=float)

    return rate(momentum)


# --- M03: reduced models for on-line use ----------------------------------------------------------

ARM = "RZ(q1), TZK(L1), RX(q2), TYK(L2), RX(q3), TYK(L3);"


def test_a_reduced_model_costs_fewer_operations_and_has_the_values_of_the_full_one():
    made = system(ts.load(ARM, masses="full"))
    base = base_parameters.regrouped(made.tree)
    still = 0 * made.v

    def model(tree, v):
        return newton_euler.inverse_dynamics(tree, made.q, v, made.a, made.gravity).Q

    full, regrouped, slow = model(made.tree, made.v), model(base, made.v), model(base, still)
    costs = [count(x).total for x in (full, regrouped, slow)]
    assert costs == sorted(costs, reverse=True) and len(set(costs)) == 3

    rng = np.random.default_rng(5)
    names = {x.name for x in free_symbols(list(full))}
    values = dict(zip(sorted(names), rng.uniform(0.5, 1.5, len(names)), strict=True))
    np.testing.assert_allclose(at(full, values), at(regrouped, values), rtol=1e-10)
    resting = values | dict.fromkeys(made.speeds, 0.0)  # velocity terms neglected: exact at rest
    np.testing.assert_allclose(at(full, resting), at(slow, values), rtol=1e-10)


# --- J05, J06: projection in the mass metric -----------------------------------------------------


def test_speeds_and_positions_are_projected_in_the_metric_of_the_mass_matrix():
    """The nearest v with J v = 0 in ½ vᵀ M v: M (v' − v) is a reaction, along rows of J."""
    model = ts.compile("slider_crank_multipliers")
    made = MotionKernels(model.system, Rows((0, 1), 2, (0, 1), 2))
    q, v = np.array([0.4, -0.2, 0.35]), np.array([1.0, 0.3, -0.7])  # neither closed nor allowed
    names = [*model.system.q, *model.system.v]
    state = {**model.parameters, **{x.name: y for x, y in zip(names, [*q, *v], strict=True)}}
    M, J = model.mass_matrix(q), model.constraint_jacobian(q)
    speeds, positions = made.project_speeds().outputs[3:6], made.project_positions().outputs[:3]
    for projected, start in ((speeds, v), (positions, q)):
        change = np.array([evaluate(x, state) for x in projected]) - start
        assert np.linalg.norm(change) > 1e-3
        push = M @ change
        reaction = J.T @ np.linalg.lstsq(J.T, push, rcond=None)[0]
        np.testing.assert_allclose(reaction, push, atol=1e-12)
        if start is v:
            np.testing.assert_allclose(J @ (v + change), 0, atol=1e-12)


def test_an_attitude_is_projected_by_a_product_of_rotations_in_the_metric_of_the_mass_matrix():
    """q' = q ∘ (1, δ/2) / norm: δ turns in body axes, M δ is a reaction, and J δ closes the gap."""
    ends = {"point": [[0.5, 0.2, 1], [0.4, 0, 0.1]], "length": 0.9, "bodies": ["ground", "top"]}
    model = ts.compile(
        {
            "bodies": {"top": {"mass": 2, "centre": [0.1, 0.2, 0.3], "inertia": [0.3, 0.4, 0.2]}},
            "joints": {
                "O": {"type": "spherical", "bodies": ["ground", "top"]},
                "rod": {"type": "distance", **ends},
            },
        }
    )
    made = MotionKernels(model.system, Rows((0,), 1, (0,), 1))
    q = np.array([0.95, 0.05, -0.1, 0.2])
    q /= np.linalg.norm(q)
    state = {**model.parameters, **dict(zip(model.coordinates, q, strict=True))}
    projected = np.array([evaluate(x, state) for x in made.project_positions().outputs[:4]])
    assert np.linalg.norm(projected) == pytest.approx(1, abs=1e-15)
    w, *turn = quaternion.product(q * [1, -1, -1, -1], projected)  # what is left of q⁻¹ ∘ q'
    delta = 2 * np.array(turn) / w
    M, (row,) = model.mass_matrix(q), model.constraint_jacobian(q)
    np.testing.assert_allclose(np.cross(M @ delta, row), 0, atol=1e-14)
    assert row @ delta == pytest.approx(-model.closure_gap(q)[0], rel=1e-12)
    assert np.abs(delta).max() > 0.01
