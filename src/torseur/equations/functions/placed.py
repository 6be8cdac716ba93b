"""Functions of a place: poses, Jacobians and inertias of a body, a named point or a named frame.

One declaration serves every place. The function of one place is called "jacobian:tool", and
"jacobian:tool:body" in the axes of the place. Six numbers of a motion are always (ω; v), those of
what acts (couple; force), so that power is their product and forces are Q = Jᵀ (couple; force). A
named point does not turn: of it there are v and force only, three numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, ZERO
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.kinematics import branch_poses, jacobian_at, multiplied, own_jacobian
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.expressions.linear import factorised, parents_of_speeds
from torseur.equations.functions.catalogue import FUNCTIONS, regular_mass_matrix
from torseur.equations.functions.kernel import Function, catalogued
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, unknown
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.fingerprint import written
from torseur.spatial.pose import Pose
from torseur.topology.tree import GROUND_INDEX
from torseur.words.sentence import say, worded

Array = np.ndarray
BODY = "body"
AXES = (GROUND, BODY)  # in which components are given: those of the ground, those of the place
ROWS = ("ωx", "ωy", "ωz", "vx", "vy", "vz")  # of a Jacobian
LEAST = 1e-12  # a pivot below this share of its diagonal entry is rounding


PLACED: dict[str, Function] = {}  # of any place


@final
@dataclass(frozen=True)
class NamedPlace:
    """A frame that moves with a body, or a point, which has a velocity but does not turn."""

    name: str
    body: str
    pose: Pose  # in the frame of the body
    is_point: bool = False


def place_names(mechanism: Mechanism) -> tuple[str, ...]:
    """Frames, points, bodies and the ground, each once."""
    names = (*mechanism.frames, *mechanism.points, *mechanism.bodies, GROUND)
    return tuple(dict.fromkeys(names))


def named_place(mechanism: Mechanism, name: Any) -> NamedPlace:
    """The place of that name; a name that means two places is refused.

    A point at the origin of a frame of the same name, as the tip of a phrase has, is that frame.
    """
    meanings = list(_meanings(mechanism, name))
    if len(meanings) > 1 and meanings[1].is_point and _is_origin(meanings[0], meanings[1]):
        del meanings[1]
    if not meanings:
        known = place_names(mechanism)
        raise unknown(f'mechanism "{mechanism.name}"', "place", str(name), known)
    if len(meanings) > 1:
        problem = say('"{name}" is the name of {number} places.', name, len(meanings))
        advice = "Frames, points and bodies are told apart by their names: rename one of them."
        raise ModelError(f'mechanism "{mechanism.name}"', problem, advice)
    return meanings[0]


def _is_origin(frame: NamedPlace, point: NamedPlace) -> bool:
    return frame.body == point.body and all(frame.pose.p == point.pose.p)


def _meanings(mechanism: Mechanism, name: Any) -> Iterator[NamedPlace]:
    if not isinstance(name, str):
        return
    if name in mechanism.frames:
        frame = mechanism.frames[name]
        yield NamedPlace(name, frame.body, frame.pose)
    if name in mechanism.points:
        point = mechanism.points[name]
        yield NamedPlace(name, point.body, Pose(point.position), is_point=True)
    if name == GROUND or name in mechanism.bodies:
        yield NamedPlace(name, name, Pose())


def declaration(name: str) -> Function | None:
    """Declaration of a function by its name, with or without a place."""
    return FUNCTIONS.get(name) or PLACED.get(name.partition(":")[0])


def named_function(name: str, mechanism: Mechanism) -> Function:
    """A function of a mechanism by name: "mass_matrix", "pose:tool", "jacobian:tool:body"."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    first, colon, rest = name.partition(":")
    if first not in PLACED:
        raise unknown(f'mechanism "{mechanism.name}"', "function", first, (*FUNCTIONS, *PLACED))
    if not colon:
        example = f"{first}:{place_names(mechanism)[0]}"
        problem = say('it is that of a place, as in "{shown}".', example)
        advice = say("Places: {names}.", ", ".join(place_names(mechanism)))
        raise ModelError(f'function "{name}"', problem, advice)
    declared = PLACED[first]
    place, axes = _place_and_axes(rest, mechanism)
    if axes != GROUND and not declared.turned:
        raise ModelError(
            f'function "{name}"', say("it is always in ground axes, not in those of {axes}.", axes)
        )
    return replace(
        declared,
        name=name,
        build=partial(declared.build, place=place, axes=axes),
        result=worded(declared.result).format(place.name),
    )


def _place_and_axes(text: str, mechanism: Mechanism) -> tuple[NamedPlace, str]:
    """A place and axes; names may contain colons."""
    if text not in place_names(mechanism):
        for axes in AXES:
            if text.endswith(f":{axes}"):
                return named_place(mechanism, text.removesuffix(f":{axes}")), axes
    return named_place(mechanism, text), GROUND


def placed_name(function: str, place: str, axes: str = GROUND) -> str:
    """The name of the function of one place."""
    return f"{function}:{place}" if axes == GROUND else f"{function}:{place}:{axes}"


def identity(name: str, mechanism: Mechanism) -> str:
    """Identity of a function's code besides the fingerprint: its name and place.

    Points and frames are no part of the fingerprint of a mechanism, for nothing else needs them.
    """
    place = place_in(name, mechanism)
    return name if place is None else f"{name} {place.body} {written(place.pose)}"


def place_in(name: str, mechanism: Mechanism) -> NamedPlace | None:
    """The place in the name of a function; None if it is that of no place."""
    return None if name in FUNCTIONS else _place_and_axes(name.partition(":")[2], mechanism)[0]


# --- one after the other ------------------------------------------------------------------------


_function = partial(catalogued, PLACED)


@_function("pose", "q", "pose of {} in the ground, the 4×4 matrix [R p; 0 1]")
def _pose(system: System, place: NamedPlace, axes: str) -> Array:
    body, X_MP = _local_frame(system, place)
    return expressions((branch_poses(system.tree, system.q, body)[body] @ X_MP).homogeneous)


@_function("point", "q", "position of {} in the ground")
def _point(system: System, place: NamedPlace, axes: str) -> Array:
    body, X_MP = _local_frame(system, place)
    return expressions(branch_poses(system.tree, system.q, body)[body].point(X_MP.p))


@_function(
    "jacobian",
    "q",
    "J of {}, 6 rows: (ω; v of its origin) = J v; of a point 3 rows, its velocity",
    turned=True,
)
def _jacobian(system: System, place: NamedPlace, axes: str) -> Array:
    tree, q = system.tree, system.q
    body, X_MP = _local_frame(system, place)
    if axes == BODY:
        jacobian = own_jacobian(tree, q, body, X_MP)
    else:
        placed = branch_poses(tree, q, body)
        jacobian = jacobian_at(tree, placed, q, body, placed[body].point(X_MP.p))
    return expressions(np.concatenate(jacobian)[_rows(place)])


@_function(
    "pose_and_jacobian",
    "q",
    "the first three rows of the pose of {}, then the 6 rows of its J, one number after the other",
)
def _pose_and_jacobian(system: System, place: NamedPlace, axes: str) -> Array:
    pose = _pose(system, place, axes)[:3]
    rows = _jacobian(system, replace(place, is_point=False), axes)
    return np.concatenate([pose.ravel(), rows.ravel()])


def _rows(place: NamedPlace) -> slice:
    """Which of (ω; v) a place has."""
    return slice(3, 6) if place.is_point else slice(0, 6)


@_function("jacobian_rate", "qv", "dJ/dt of {}: the rate of (ω; v) is J a + dJ/dt v", turned=True)
def _jacobian_rate(system: System, place: NamedPlace, axes: str) -> Array:
    rates = dict(zip(system.q, coordinate_rates(system), strict=True))
    return np.asarray(time_derivative(_jacobian(system, place, axes), rates, TIME))


_inertia = partial(_function, arguments="q", turned=True, free=True, solves=True)


@_inertia(
    "inverse_operational_inertia",
    result="J M⁻¹ Jᵀ of {}: what (couple; force) accelerates it by, as (ω; v)",
)
def _inverse_operational_inertia(system: System, place: NamedPlace, axes: str) -> Array:
    J, parents = _jacobian(system, place, axes), parents_of_speeds(regrouped(system.tree))
    X = factorised(regular_mass_matrix(system), J.T, parents)
    n = len(J)
    upper = {(i, j): J[i] @ X[:, j] for i in range(n) for j in range(i, n)}
    return expressions([[upper[min(i, j), max(i, j)] for j in range(n)] for i in range(n)])


@_inertia(
    "operational_inertia",
    result="(J M⁻¹ Jᵀ)⁻¹ of {}: the (couple; force) that accelerates it, as (ω; v)",
)
def _operational_inertia(system: System, place: NamedPlace, axes: str) -> Array:
    """Khatib (1987), A unified approach for motion and force control of robot manipulators."""
    W = _inverse_operational_inertia(system, place, axes)
    _require_motions(place, W, _jacobian(system, place, axes))
    return factorised(W, np.eye(len(W)), least=LEAST)


def _require_motions(place: NamedPlace, W: Array, J: Array) -> None:
    """Six directions need six speeds at least, and an arm of a plane moves in three."""
    n, named = len(W), ROWS[_rows(place)]
    speeds = sum(any(x is not ZERO for x in column) for column in J.T)
    moving = [k for k in range(n) if W[k, k] is not ZERO]
    if speeds >= n and len(moving) == n:
        return
    still = ", ".join(named[k] for k in range(n) if k not in moving)
    raise ModelError(
        f'operational_inertia of "{place.name}"',
        say("it never has {still}.", still)
        if still
        else say("its {speeds} speeds do not move it in {n} directions.", speeds, n),
        say(
            "Invert rows and columns of inverse_operational_inertia that move, among {rows}.",
            ", ".join(f"{k} ({named[k]})" for k in moving) or say("none"),
        ),
    )


def _local_frame(system: System, place: NamedPlace) -> tuple[int, Pose]:
    """The body of a place by its number, and the place in its computing frame."""
    if place.body == GROUND:
        return GROUND_INDEX, place.pose
    index = {link.name: i for i, link in system.tree}[place.body]
    return index, multiplied(system.tree.links[index].X_MB @ place.pose)
