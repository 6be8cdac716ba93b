"""CasADi: the textbook recursions on its symbols, and the C code it writes of them."""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca
import numpy as np

from benchmarks.engines import FUNCTIONS, Call, Engine
from benchmarks.engines.bodies import NumericBody, gravity, numeric_bodies
from benchmarks.engines.c_code import compiled
from benchmarks.robots import Robot

Array = np.ndarray


def engine(robot: Robot, wanted: tuple[str, ...] = FUNCTIONS) -> Engine:
    """Its virtual machine from Python, its C code by gcc -O3 in a compiled loop."""
    functions = casadi_functions(robot, wanted)
    calls = {name: Call("y = f(q, v, x)", {"f": f}) for name, f in functions.items()}
    found = {name: compiled(f) for name, f in functions.items()}
    loops = {name: loop for name, loop in found.items() if loop is not None}
    remark = "CasADi's lengths and masses are numbers, folded into its code."
    return Engine("CasADi", calls, loops=loops, remarks=(remark,))


def casadi_functions(robot: Robot, wanted: tuple[str, ...]) -> dict[str, ca.Function]:
    """The functions of a robot: Newton-Euler, composite bodies, LᵀDL, and CasADi's derivatives."""
    bodies, field = numeric_bodies(robot), gravity(robot)
    n = len(bodies)
    q, v, x = (ca.SX.sym(letter, n) for letter in "qvx")
    torque = inverse_dynamics(bodies, q, v, x, field)
    M = mass_matrix(bodies, q)
    bias = inverse_dynamics(bodies, q, v, ca.SX.zeros(n), field)
    found = ca.vertcat(*solved(M, list(ca.vertsplit(x - bias)), [body.parent for body in bodies]))
    outputs = {
        "inverse_dynamics": lambda: torque,
        "mass_matrix": lambda: M,
        "forward_dynamics": lambda: found,
        "inverse_dynamics_derivatives": lambda: ca.jacobian(torque, ca.vertcat(q, v)),
        "forward_dynamics_derivatives": lambda: ca.jacobian(found, ca.vertcat(q, v, x)),
    }
    return {
        name: ca.Function(name, [q, v, x], [ca.densify(outputs[name]())], {"cse": True})
        for name in wanted
    }


def _poses(bodies: list[NumericBody], q: ca.SX) -> Iterator[tuple[ca.SX, ca.DM]]:
    """R and p of each body in the body that carries it; structural zeros are left out."""
    for i, body in enumerate(bodies):
        c, s = ca.cos(q[i]), ca.sin(q[i])
        j, k = (body.axis + 1) % 3, (body.axis + 2) % 3
        turn = ca.SX(3, 3)
        turn[body.axis, body.axis] = 1
        turn[j, j], turn[j, k], turn[k, j], turn[k, k] = c, -s, s, c
        yield ca.mtimes(_sparse(body.R), turn), _sparse(body.p)


def _sparse(numbers: Array) -> ca.DM:
    return ca.sparsify(ca.DM(np.where(np.abs(numbers) < 1e-15, 0.0, numbers)))


def inverse_dynamics(bodies: list[NumericBody], q, v, a, field: Array) -> ca.SX:
    """Newton-Euler in body frames, as in Craig (2005), §6.5."""
    nothing = ca.SX(3, 1)
    motion = {-1: (nothing, nothing, ca.SX(_sparse(-field)))}
    poses, wrench = list(_poses(bodies, q)), []
    for i, body in enumerate(bodies):
        (R, p), (w, dw, acc) = poses[i], motion[body.parent]
        e = _sparse(np.eye(3)[body.axis])
        acc = ca.mtimes(R.T, acc + ca.cross(dw, p) + ca.cross(w, ca.cross(w, p)))
        carried = ca.mtimes(R.T, w)
        dw = ca.mtimes(R.T, dw) + ca.cross(carried, e * v[i]) + e * a[i]
        w = carried + e * v[i]
        motion[i] = (w, dw, acc)
        c, I = _sparse(body.centre), _sparse(body.inertia)
        force = body.mass * (acc + ca.cross(dw, c) + ca.cross(w, ca.cross(w, c)))
        couple = ca.mtimes(I, dw) + ca.cross(w, ca.mtimes(I, w)) + ca.cross(c, force)
        wrench.append((force, couple))
    torque = [ca.SX(0)] * len(bodies)
    for i in reversed(range(len(bodies))):
        (R, p), (force, couple), parent = poses[i], wrench[i], bodies[i].parent
        torque[i] = couple[bodies[i].axis]
        if parent >= 0:
            force = ca.mtimes(R, force)
            below = wrench[parent]
            couple = below[1] + ca.mtimes(R, couple) + ca.cross(p, force)
            wrench[parent] = (below[0] + force, couple)
    return ca.vertcat(*torque)


def mass_matrix(bodies: list[NumericBody], q) -> ca.SX:
    """Composite bodies: mass, first moment and inertia at the origin, carried inwards."""
    poses, composite = list(_poses(bodies, q)), []
    for body in bodies:
        c = ca.SX(_sparse(body.centre))
        tensor = ca.SX(_sparse(body.inertia)) - body.mass * _squared(c)
        composite.append((body.mass, body.mass * c, tensor))
    for i in reversed(range(len(bodies))):
        (R, p), parent = poses[i], bodies[i].parent
        if parent >= 0:
            m, h, I = composite[i]
            h, I = ca.mtimes(R, h), ca.mtimes([R, I, R.T])
            cross = ca.mtimes(ca.skew(h), ca.skew(p))
            moved = I - m * _squared(p) - cross - cross.T
            below = composite[parent]
            composite[parent] = (below[0] + m, below[1] + h + m * p, below[2] + moved)
    M = ca.SX(len(bodies), len(bodies))
    for i, body in enumerate(bodies):
        e = _sparse(np.eye(3)[body.axis])
        _, h, I = composite[i]
        force, couple, k = ca.cross(e, h), ca.mtimes(I, e), i
        M[i, i] = couple[body.axis]
        while bodies[k].parent >= 0:
            R, p = poses[k]
            force = ca.mtimes(R, force)
            couple, k = ca.mtimes(R, couple) + ca.cross(p, force), bodies[k].parent
            M[i, k] = M[k, i] = couple[bodies[k].axis]
    return M


def _squared(c) -> ca.SX:
    """The square of the cross product by c."""
    return ca.mtimes(ca.skew(c), ca.skew(c))


def solved(M: ca.SX, right: list[ca.SX], parent: list[int]) -> list[ca.SX]:
    """M⁻¹ right by M = Lᵀ D L along the tree (Featherstone 2008, §6.5)."""
    n = len(right)
    H = {(i, j): M[i, j] for i in range(n) for j in range(n)}
    above = {i: list(_ancestors(i, parent)) for i in range(n)}
    factor = {}
    for k in reversed(range(n)):
        for i in above[k]:
            factor[k, i] = H[k, i] / H[k, k]
            for j in _ancestors(i, parent, own=True):
                H[i, j] -= factor[k, i] * H[k, j]
                H[j, i] = H[i, j]
    for k in reversed(range(n)):
        for i in above[k]:
            right[i] -= factor[k, i] * right[k]
    for k in range(n):
        right[k] /= H[k, k]
        for i in above[k]:
            right[k] -= factor[k, i] * right[i]
    return right


def _ancestors(i: int, parent: list[int], *, own: bool = False) -> Iterator[int]:
    i = i if own else parent[i]
    while i >= 0:
        yield i
        i = parent[i]
