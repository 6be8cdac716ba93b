"""Elementary constraints of the general method: each level is the rate of the one before."""

import numpy as np
import pytest
from many_cases import on_each
from random_trees import EVERY_JOINT, random_joint, random_pose

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import evaluate
from torseur.dynamics.absolute import elementary_rows as elementary
from torseur.dynamics.absolute.elementary_rows import speed
from torseur.dynamics.absolute.joint_rows import (
    Advance,
    joint_rows,
    meanings,
    measure_row,
    readings,
)
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.formalisms.absolute import derive as derive_absolute
from torseur.equations.symbols.system import system
from torseur.language.load import load
from torseur.model.joints.library import Distance, Free, Screw
from torseur.spatial.rotation import rodrigues
from torseur.spatial.triples import cross, dot

CLOSING = [*(kind for kind in EVERY_JOINT if kind is not Free), Distance]
H = 1e-4


class Motion:
    """A body whose centre follows a polynomial and which turns about two axes in succession."""

    def __init__(self, rng):
        self.c = rng.normal(size=(4, 3))
        self.u, self.w = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
        self.a, self.b = rng.normal(size=(2, 3))

    def at(self, t):
        """R and the end (r, v, Ω), then (0, acceleration, Ω') in the form of an end."""
        c, powers = self.c, np.array([1.0, t, t**2, t**3])
        r, v = powers @ c, c[1] + 2 * t * c[2] + 3 * t**2 * c[3]
        acceleration = 2 * c[2] + 6 * t * c[3]
        (a, da, dda), (b, db, ddb) = (
            (x[0] + x[1] * t + x[2] * t**2, x[1] + 2 * x[2] * t, 2 * x[2]) for x in (self.a, self.b)
        )
        outer = rodrigues(self.u, a)
        turned = outer @ self.w
        R = outer @ rodrigues(self.w, b)
        W = da * self.u + db * turned
        dW = dda * self.u + ddb * turned + da * db * np.cross(self.u, turned)
        return R, (r, v, W), (np.zeros(3), acceleration, dW)


def written(rows):
    """Value, rate and second rate of rows, given with the ends of their bodies."""
    return np.array(
        [(row[0], speed(row, i, j), speed(row, di, dj) + row[4]) for row, (i, di), (j, dj) in rows]
    )


ROWS = {
    "coincidence": lambda i, j, p, u: elementary.coincidence(i, p[0], j, p[1]),
    "distance": lambda i, j, p, u: [elementary.distance(0.7, 2.0, i, p[0], j, p[1])],
    "orthogonality": lambda i, j, p, u: [elementary.orthogonality(i, u[0], j, u[1])],
    "in plane": lambda i, j, p, u: [elementary.in_plane(0.3, i, u[0], p[0], j, p[1])],
}


@on_each(name=ROWS, seed=range(5))
def test_the_speed_of_a_row_is_the_rate_of_its_value_and_so_is_its_acceleration(name, seed):
    rng = np.random.default_rng(seed)
    bodies, p, u = (Motion(rng), Motion(rng)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))

    def at(t):
        (R_i, i, di), (R_j, j, dj) = (body.at(t) for body in bodies)
        made = ROWS[name](i, j, (R_i @ p[0], R_j @ p[1]), (R_i @ u[0], R_j @ u[1]))
        return written([(row, (i, di), (j, dj)) for row in made])

    t = 0.4
    before, now, after = at(t - H), at(t), at(t + H)
    rates = (after - before)[:, :2] / (2 * H)
    size = 1 + np.abs(now).max()
    np.testing.assert_allclose(now[:, 1:], rates, atol=1e-6 * size)


@on_each(seed=range(3))
def test_an_angle_turns_at_the_relative_speed_about_its_axis_whichever_body_holds_that(seed):
    rng = np.random.default_rng(seed)
    bodies, axis = (Motion(rng), Motion(rng)), rng.normal(size=3)
    for holder in (0, 1):

        def at(t, holder=holder):
            (R_i, i, di), (R_j, j, dj) = (body.at(t) for body in bodies)
            u, w = (R_i, R_j)[holder] @ axis, (i, j)[holder][2]
            row = elementary.turning(i, j, u, w)
            return speed(row, i, j), speed(row, di, dj) + row[4]

        rate = (at(0.2 + H)[0] - at(0.2 - H)[0]) / (2 * H)
        assert at(0.2)[1] == pytest.approx(rate, rel=1e-6, abs=1e-6)


def test_the_printed_second_rate_of_an_orthogonality_is_wrong_out_of_the_plane():
    """Erratum E0-29: Γ has (Ω_j−Ω_i)·(u_i(u_j·Ω_i) − u_j(u_i·Ω_j)), where u_i·u_j = 0."""
    rng = np.random.default_rng(0)
    u_i, w_i, w_j = rng.normal(size=(3, 3))
    u_j = np.cross(u_i, rng.normal(size=3))
    zero = np.zeros(3)
    bias = elementary.orthogonality((zero, zero, w_i), u_i, (zero, zero, w_j), u_j)[4]
    right = dot(w_j - w_i, u_i * dot(u_j, w_i) - u_j * dot(u_i, w_j))
    printed = dot(w_j - w_i, u_j * dot(u_i, w_i) - u_i * dot(u_j, w_j))
    assert -bias == pytest.approx(right)
    assert abs(-bias - printed) > 0.1


# --- joints -------------------------------------------------------------------------------------


def made_joint(rng, kind):
    return Distance(0.8) if kind is Distance else random_joint(rng, (kind,))


def frames(rng, joint):
    """Two frames that a joint allows, at rest, and the coordinates between them."""
    X_WF = random_pose(rng)
    if isinstance(joint, Distance):
        q, direction = np.zeros(0), rng.normal(size=3)
        p, R = 0.8 * direction / np.linalg.norm(direction), np.eye(3)
    else:
        q = rng.normal(size=joint.nq)
        if joint.turning:
            q[-4:] /= np.linalg.norm(q[-4:])
        X = joint.transform(q)
        p, R = X.p, X.R.matrix
    F = X_WF.R.matrix
    M, away = F @ R, F @ p
    zero = np.zeros(3)
    return q, ((X_WF.p, zero, zero), zero, F), ((X_WF.p + away, zero, zero), zero, M)


@on_each(kind=CLOSING, seed=range(3))
def test_the_rows_of_a_joint_forbid_what_it_forbids_and_nothing_else(seed, kind):
    rng = np.random.default_rng(seed)
    joint = made_joint(rng, kind)
    q, F, M = frames(rng, joint)
    rows = list(joint_rows(joint, F, M))
    assert len(rows) == 6 - joint.nv == sum(part.rows for part in joint.elementary)
    assert len(meanings(joint)) == len(rows)
    np.testing.assert_allclose([row[0] for row in rows], 0, atol=1e-12)
    # the relative motion (ω; v) of M, in the axes of M at its origin, which is its centre here
    R = M[2]
    J = np.array([np.concatenate([R.T @ np.array(row[3]), R.T @ np.array(row[1])]) for row in rows])
    assert np.linalg.matrix_rank(J, tol=1e-9) == len(rows)
    if isinstance(joint, Distance):
        return
    np.testing.assert_allclose(J @ joint.motion_subspace(q), 0, atol=1e-12)


@on_each(kind=EVERY_JOINT, seed=range(3))
def test_freedoms_measure_the_speeds_of_a_joint_and_its_distances(seed, kind):
    rng = np.random.default_rng(seed)
    joint = random_joint(rng, (kind,))
    q, F, M = frames(rng, joint)
    v = rng.normal(size=joint.nv)
    moved = joint.motion_subspace(q) @ v
    R = M[2]
    moving = ((M[0][0], R @ moved[3:], R @ moved[:3]), M[1], R)
    for k, freedom in enumerate(readings(joint)):
        row = measure_row(freedom, F, moving)
        assert speed(row, F[0], moving[0]) == pytest.approx(v[k], abs=1e-12)
        if isinstance(freedom, Advance):
            assert row[0] == pytest.approx(q[k], abs=1e-12)


def test_a_thread_that_has_turned_several_times_is_closed():
    joint = Screw(1, 0.05)
    X, zero = joint.transform(np.array([7.3 * np.pi])), np.zeros(3)
    F = ((zero, zero, zero), zero, np.eye(3))
    for ahead in (0.0, 0.01):
        p = X.p + ahead * np.eye(3)[1]
        M = ((p, zero, zero), zero, X.R.matrix)
        assert next(iter(joint_rows(joint, F, M)))[0] == pytest.approx(ahead, abs=1e-12)


# --- the same text on expressions ---------------------------------------------------------------

SPATIAL = {
    "gravity": [0, 0, -9.81],
    "bodies": {
        name: {"mass": m, "centre": [0.1, 0.2, m], "inertia": [m, 2 * m, 2.5 * m]}
        for name, m in (("a", 1.0), ("b", 0.5), ("c", 0.7))
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": [1, 2, 3]},
        "B": {"type": "cardan", "bodies": ["a", "b"], "axes": ["x", "y"],
              "point": [[1, 0, 0], [0, 0.2, 0]]},
        "C": {"type": "vis", "bodies": ["b", "c"], "axis": "z", "pitch": 0.1},
        "D": {"type": "distance", "bodies": ["a", "c"], "length": 0.9},
    },
}  # fmt: skip


def test_jacobian_and_bias_of_the_symbolic_rows_are_derivatives_of_the_gap():
    """The rows are written by hand; the graph of the gap is differentiated by machine."""
    equations = derive_absolute(system(load(SPATIAL)))
    held, made = equations.constraints, equations.system
    along = dict(zip(made.q, coordinate_rates(made), strict=True))
    speeds = time_derivative(held.gap, along, TIME)
    J = jacobian(speeds, made.v)
    bias = time_derivative(speeds, along, TIME)
    rng = np.random.default_rng(5)
    values = {"t": 0.0} | {x.name: rng.normal() for x in (*made.q, *made.v)}
    for i in range(len(made.tree)):
        four = rng.normal(size=4)
        names = [x.name for x in made.q[7 * i + 3 : 7 * i + 7]]
        values |= dict(zip(names, four / np.linalg.norm(four), strict=True))
    rows = list(held.positions)
    assert rows == list(range(len(held.owners))) and len(rows) == 5 + 4 + 5 + 1
    thread = held.owners.index("C")  # holds where the axes of its frames are parallel only
    kept = [k for k in rows if k != thread]
    for found, expected in ((held.J, J), (held.bias, bias)):
        a, b = (np.asarray(evaluate(x, values), dtype=float)[kept] for x in (found, expected))
        np.testing.assert_allclose(a, b, atol=1e-11 * np.abs(b).max())


def test_cross_products_of_tuples_are_those_of_arrays():
    a, b = np.random.default_rng(0).normal(size=(2, 3))
    np.testing.assert_allclose(cross(a, b), np.cross(a, b))
