"""The regressor: inverse dynamics as a sum of parameters times columns of the motion.

Y(q, v, a) π = M a + h + g − applied, always. What bodies and rotors need is linear in inertias
(Atkeson, An and Hollerbach, 1986), friction of motors in its coefficients, forces in those they are
proportional to. What is left of a force, such as a torque given as an expression of the motion, has
a column of its own, named after the force, whose parameter is 1.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, jacobian
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.actions.applied import actions_of, applied_forces
from torseur.equations.symbols.system import System
from torseur.model.description import Motor
from torseur.model.forces.protocol import Force, Kind
from torseur.spatial.inertia import Inertia
from torseur.topology.tree import MotorRotor, Tree

Array = np.ndarray
# The ten inertial parameters of a body, about the origin and in the axes of its own frame.
INERTIAL = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
AXES = ("x", "y", "z", "rx", "ry", "rz")  # of vectors and tensors
_COEFFICIENTS = (Kind.CONSTANT, Kind.VARYING, Kind.VECTOR, Kind.TENSOR, Kind.SIX_TENSOR)


@final
@dataclass(frozen=True)
class Column:
    """A parameter by name, its value as an expression, and the force that one unit of it needs."""

    name: str
    value: Expr
    force: Array  # (nv)
    whole: bool = False  # whether it is a whole force or torque, whose parameter is 1


def columns(system: System) -> list[Column]:
    """Ten for each body, then one for each rotor, each friction and each coefficient of a force."""
    forces = (x for load in system.mechanism.loads.values() for x in _of_force(system, load))
    return [*_inertial(system), *_frictions(system), *forces]


def inertial_values(tree: Tree) -> list[Any]:
    """The ten parameters of each body."""
    inertias = (link.inertia.seen_from(link.X_MB.inverse) for _, link in tree)
    return [x for inertia in inertias for x in ten_parameters(inertia)]


def ten_parameters(inertia: Inertia) -> list[Any]:
    """`INERTIAL` of an inertia, in the frame that it is given in."""
    I = inertia.tensor
    return [inertia.m, *inertia.h, I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]]


# --- bodies and rotors --------------------------------------------------------------------------


def _inertial(system: System) -> Iterator[Column]:
    """Forces that bodies and rotors need, with the inertia forces of a moving ground."""
    motors = {motor.joint: name for name, motor in system.mechanism.motors.items()}
    tree, names, symbols = with_symbols(system.tree, motors)
    rotors = [link.rotor.j for _, link in system.tree if link.rotor is not None]
    loose = replace(system.mechanism, motors={}, loads={})
    loosened = replace(system, tree=tree, mechanism=loose)
    wrenches, Q = actions_of(loosened).total
    needed = (
        inverse_dynamics(tree, loosened.q, loosened.v, loosened.a, loosened.gravity, wrenches).Q - Q
    )
    values = [*inertial_values(system.tree), *rotors]
    partials = jacobian(expressions(needed), symbols)
    for k, (name, value) in enumerate(zip(names, values, strict=True)):
        yield Column(name, expression(value), partials[:, k])


def with_symbols(tree: Tree, motors: Mapping[str, str]) -> tuple[Tree, list[str], list[Expr]]:
    """The tree with a symbol for every inertia, and what the symbols stand for."""
    names: list[str] = []
    of_bodies: list[Expr] = []
    of_rotors: dict[str, Expr] = {}
    links = []
    for i, link in tree:
        symbols = [_symbol(f"{name}[{i}]") for name in INERTIAL]
        of_bodies += symbols
        names += [f"{name} of {link.name}" for name in INERTIAL]
        rotor = link.rotor
        if rotor is not None:
            motor = motors.get(link.joint_name, link.joint_name)
            j = of_rotors[f"rotor inertia of {motor}"] = _symbol(f"j[{i}]")
            rotor = MotorRotor(rotor.ratio, j, rotor.axis)
        links.append(replace(link, inertia=inertia_of(symbols).seen_from(link.X_MB), rotor=rotor))
    named = replace(tree, links=tuple(links))
    return named, [*names, *of_rotors], [*of_bodies, *of_rotors.values()]


def inertia_of(values: Sequence[Any]) -> Inertia:
    """From m, m c and the tensor about the origin: K = ½ tr(I) 1 − I."""
    m, mx, my, mz, xx, xy, xz, yy, yz, zz = values
    half = (xx + yy + zz) / 2
    K = np.array([[half - xx, -xy, -xz], [-xy, half - yy, -yz], [-xz, -yz, half - zz]])
    return Inertia(m, np.array([mx, my, mz]), K)


# --- motors -------------------------------------------------------------------------------------


def _frictions(system: System) -> Iterator[Column]:
    """Friction of motors, seen at the joint, and the torques they give."""
    for name, motor in system.mechanism.motors.items():
        rows = [link.v.start for _, link in system.tree if link.joint_name == motor.joint]
        for what, value, force in _of_motor(motor, system.v[rows[0]]):
            if expression(value) is not ZERO:
                column = np.full(system.tree.nv, ZERO, dtype=object)
                column[rows[0]] = expression(force)
                yield Column(f"{what} of {name}", expression(value), column, what == "torque")


def _of_motor(motor: Motor, speed: Expr) -> Iterator[tuple[str, Any, Any]]:
    """Friction of a motor: name, size, and the force of one unit of it on the joint."""
    yield "viscous friction", motor.viscous_friction, speed
    forward, backward = motor.dry_friction
    direction = speed.sign()
    if expression(forward - backward) is ZERO:
        yield "dry friction", forward, direction
    else:
        yield "dry friction forwards", forward, (direction + abs(direction)) / 2
        yield "dry friction backwards", backward, (direction - abs(direction)) / 2
    if motor.torque is not ZERO:
        yield "torque", ONE, -motor.ratio * motor.torque


# --- forces -------------------------------------------------------------------------------------


def _of_force(system: System, load: Force) -> Iterator[Column]:
    """The coefficients a force is proportional to, one after the other, then what is left of it."""
    chosen: dict[Expr, tuple[str, Expr]] = {}
    left: Any = load
    if getattr(load, "potential", None) is not None:
        left = replace(left, potential=None)  # it says what is stored, not what acts
    for attribute, index, name in _coefficients(left):
        coefficient = _symbol(f"coefficient[{len(chosen)}]")
        tried = _replaced(left, attribute, index, coefficient)
        if _is_linear(_opposing_forces(system, tried), coefficient, chosen):
            chosen[coefficient] = name, _component(load, attribute, index)
            left = tried
    needed = _opposing_forces(system, left)
    for coefficient, (name, value) in chosen.items():
        yield Column(f"{name} of {load.name}", value, derivative(needed, coefficient))
    rest = substitute(needed, dict.fromkeys(chosen, ZERO))
    if any(x is not ZERO for x in rest):
        yield Column(load.name, ONE, rest, whole=True)


def _coefficients(load: Force) -> Iterator[tuple[str, tuple[int, ...], str]]:
    """The entries of a force that depend on parameters only: field, place in it and name."""
    for key in load.keys:
        value = getattr(load, key.attribute)
        if key.kind not in _COEFFICIENTS or value is None:
            continue
        for index in np.ndindex(np.shape(value)):
            x = _component(load, key.attribute, index)
            if x is not ZERO and all(s.kind == "parameter" for s in free_symbols(x)):
                axes = "".join(AXES[i] for i in index)
                yield key.attribute, index, f"{key.name} {axes}".strip()


def _component(load: Force, attribute: str, index: tuple[int, ...]) -> Expr:
    value = getattr(load, attribute)
    return expression(value[index] if index else value)


def _replaced(load: Any, attribute: str, index: tuple[int, ...], x: Expr) -> Any:
    value: Any = x
    if index:
        value = np.array(getattr(load, attribute), dtype=object)
        value[index] = x
    return replace(load, **{attribute: value})


def _opposing_forces(system: System, load: Any) -> Array:
    """Forces to apply against one force alone."""
    alone = replace(system.mechanism, motors={}, loads={load.name: load}, frame=None)
    return expressions(-applied_forces(replace(system, mechanism=alone)))


def _is_linear(needed: Array, coefficient: Expr, chosen: Iterable[Expr]) -> bool:
    """Whether a coefficient comes in once, linearly, and does not multiply one chosen before."""
    slope = derivative(needed, coefficient)
    symbols = set(free_symbols(slope))
    return any(x is not ZERO for x in slope) and not symbols & {coefficient, *chosen}


def _symbol(name: str) -> Expr:
    return symbol(name, "input")
