"""Data of a body for the recursions, for any scalar: a row of the model and a work row.

A row holds scalars, vectors and matrices (tuples) at the places of `row_places`; rotations keep
their factors, which cost fewer products than matrices. `machine/tree` has the same functions on
rows of memory, and on joints given by their elementary freedoms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.dynamics.recursions import row_places as at
from torseur.errors import SolveError
from torseur.once import once
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation, from_matrix
from torseur.spatial.triples import Matrix, Symmetric, Vector, times
from torseur.spatial.vectors import settled
from torseur.spatial.vectors import vector as array
from torseur.topology.tree import Link, MotorRotor, Tree
from torseur.words.sentence import say

Array = np.ndarray
Row = dict[Any, Any]
LINK, _PIVOT = "link", "pivot"  # beside the places: the link, and the first D of its joint
_LAST = "last"  # the pose and the columns of S at the coordinates of the last call
_SMALLEST = 1e-14  # of the pivots of a joint beside each other
_NOTHING = (0.0, 0.0, 0.0)
_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
_FULL = ((0, 1, 2), (1, 3, 4), (2, 4, 5))  # where the entries of a symmetric matrix are


@final
@dataclass(frozen=True)
class TreeRows:
    """A tree as rows, the ground first, with the room that a recursion works in."""

    model: list[Row]
    work: list[Row]
    columns: list[Row]  # one a speed


def tree_rows(tree: Tree, acceleration: Vector = _NOTHING) -> TreeRows:
    """The rows of a tree on a ground that is at rest but for an acceleration."""
    ground = dict.fromkeys((at.W, at.DW, at.COUPLE, at.FORCE), _NOTHING)
    work = [ground | {at.ACC: acceleration}, *({} for _ in tree.links)]
    model = [{at.PARENT: 0}, *(dict(body) for body in _bodies(tree))]
    return TreeRows(model, work, [{} for _ in range(tree.nv)])


@once
def _bodies(tree: Tree) -> list[Row]:
    return [_body(link) for link in tree.links]


def _body(link: Link) -> Row:
    m, h, K = inertia_scalars(link.inertia)
    reflected, spin = rotor_scalars(link.rotor)
    return {
        LINK: link,
        _LAST: {},
        at.PARENT: link.parent + 1,
        at.MASS: m,
        at.FIRST_MOMENT: h,
        at.SECOND_MOMENT: K,
        at.REFLECTED: reflected,
        at.SPIN: spin,
    }


def scalars(vector: Any) -> Vector:
    """The entries of an array, as a tuple of Python's numbers or expressions."""
    return tuple(np.asarray(vector).tolist())


def inertia_scalars(inertia: Inertia) -> tuple[Any, Vector, Symmetric]:
    """m, h and K."""
    K = np.asarray(inertia.K).tolist()
    return inertia.m, scalars(inertia.h), tuple(K[i][j] for i, j in _UPPER)


def rotor_scalars(rotor: MotorRotor | None) -> tuple[Any, Vector]:
    """α² j, and α j times the axis of a rotor; a rotor whose axis is not known does not tilt."""
    if rotor is None:
        return 0.0, _NOTHING
    momentum = rotor.ratio * rotor.j
    axis = None if rotor.axis is None else scalars(rotor.axis)
    return rotor.ratio * momentum, _NOTHING if axis is None else times(momentum, axis)


# --- rows ---------------------------------------------------------------------------------------


def bodies(model: list[Row]) -> int:
    """Number of bodies, the ground not counted."""
    return len(model) - 1


def rows(model: list[Row], work: list[Row], i: int, width: int) -> tuple[Row, Row, Row]:
    """Rows of body i: of the model, of the workspace, and of its carrier's workspace."""
    return model[i], work[i], work[carrier_of(model[i])]


def carrier_of(body: Row) -> int:
    """The row of the body that carries a body; 0 is the ground."""
    return int(body[at.PARENT])


def is_carried(body: Row) -> bool:
    """Whether a body is carried by another one, and not by the ground."""
    return carrier_of(body) > 0


def vector(row: Row, k: int) -> Any:
    """Vector stored at place k of a row; `symmetric` and `matrix` read the other kinds."""
    return row[k]


def keep(row: Row, k: int, a: Any) -> None:
    """A vector goes to place k of a row; so do `keep_symmetric` and `keep_matrix`."""
    row[k] = a


def gather(row: Row, k: int, a: Any) -> None:
    """Add a vector at place k of a row; `gather_symmetric` and `gather_matrix` likewise."""
    row[k] = tuple(x + y for x, y in zip(row[k], a, strict=True))


symmetric = matrix = vector
keep_symmetric = keep_matrix = keep
gather_symmetric = gather_matrix = gather


def address(numbers: Array, offset: int) -> Array:
    """Where the number at an offset is."""
    return numbers[offset:]


def whole(x: Any) -> int:
    """A number that counts, as one that can be counted with."""
    return int(x)


# --- rotations ----------------------------------------------------------------------------------


def rotation(row: Row) -> Any:
    """R_PM of a body."""
    return row[at.R]


def keep_rotation(row: Row, R: Rotation) -> None:
    """R goes to its place in a row."""
    row[at.R] = R


def unturned() -> Rotation:
    """The rotation that is none."""
    return IDENTITY


def composed(R: Rotation, other: Rotation) -> Rotation:
    """Two rotations after each other."""
    return R @ other


def multiplied(R: Rotation, other: Rotation) -> Rotation:
    """Two rotations after each other as one matrix: what is read often is computed once."""
    return from_matrix(settled((R @ other).matrix))


def out(R: Rotation, a: Vector) -> Vector:
    """R a: from the axes of a body to those of its carrier."""
    x, y, z = R.out(array(*a))
    return x, y, z


def into(R: Rotation, a: Vector) -> Vector:
    """Rᵀ a: from the axes of the carrier to those of the body."""
    x, y, z = R.into(array(*a))
    return x, y, z


def turned_symmetric(R: Rotation, S: Symmetric) -> Symmetric:
    """R S Rᵀ for a symmetric matrix."""
    T = R.tensor_out(np.array([[S[k] for k in row] for row in _FULL]))
    return tuple(T[i, j] for i, j in _UPPER)


def turned(R: Rotation, M: Matrix) -> Matrix:
    """R M Rᵀ."""
    return tuple(R.out(R.out(np.array(M).reshape(3, 3)).T).T.ravel())


# --- joints -------------------------------------------------------------------------------------


def place(body: Row, current: Row, columns: list[Row], q: Array) -> None:
    """R_PM and p_PM of a body, and its columns of S."""
    X, twists = _pose_and_twists(body, q)
    current[at.R], current[at.P] = X.R, scalars(X.p)
    for k, twist in enumerate(twists, body[LINK].v.start):
        columns[k] |= {at.ANGULAR: tuple(twist[:3]), at.LINEAR: tuple(twist[3:])}


def _pose_and_twists(body: Row, q: Array) -> tuple[Pose, list[list[Any]]]:
    """X_PM and the columns of S; recursions on the same symbols q share them."""
    link, last = body[LINK], body[_LAST]
    coordinates = q[link.q]
    known = last.get("at")
    if known is None or any(x is not y for x, y in zip(coordinates, known[0], strict=True)):
        twists = np.asarray(link.joint.motion_subspace(coordinates)).T.tolist()
        X = link.X_PF @ link.joint.transform(coordinates)
        known = last["at"] = tuple(coordinates), X, twists
    return known[1], known[2]


def speeds(body: Row) -> tuple[int, int]:
    """The first speed of a joint, and the one after its last."""
    places = body[LINK].v
    return places.start, places.stop


def first_speed(body: Row) -> int:
    """The first speed of a joint."""
    return int(body[LINK].v.start)


def outward(body: Row) -> tuple[int, int, int]:
    """The speeds of a joint from its carrier on: the first, how many, and the step to the next."""
    places, count = body[LINK].v, int(body[LINK].joint.nv)
    return (places.stop - 1, count, -1) if body[LINK].joint.backwards else (places.start, count, 1)


def first_of_ball(body: Row) -> int:
    """The first of the three speeds of a ball, which are a joint's last; without one, none is."""
    link = body[LINK]
    return int(link.v.stop) - 3 if link.joint.turning else int(link.v.stop)


def column(body: Row, columns: list[Row], k: int) -> tuple[Vector, Vector]:
    """The column of S of speed k: the angular and the linear part."""
    return columns[k][at.ANGULAR], columns[k][at.LINEAR]


def bias(body: Row, columns: list[Row], q: Array, v: Any) -> tuple[Vector, Vector]:
    """Ṡ v."""
    link = body[LINK]
    components = scalars(link.joint.bias(q[link.q], np.array(v[link.v])))
    return components[:3], components[3:]


def solved(body: Row, current: Row, columns: list[Row], k: int) -> Row:
    """Where the articulated bodies keep what they know of speed k."""
    return columns[k]


def motion_of(motions: list[Row], k: int) -> Row:
    """The row of speed k among the motions in the ground."""
    return motions[k]


def speed_before(motion: Row) -> int:
    """The speed just before one on the way to the ground; −1: none."""
    return int(motion[at.BEFORE])


def reciprocal(body: Row, d: Any) -> Any:
    """1 / d; a number that no inertia makes is named."""
    if isinstance(d, Expr) or d > _SMALLEST * body.setdefault(_PIVOT, d):
        return 1 / d
    link = body[LINK]
    problem = say("no inertia resists its motion (D = {astype}).", d)
    advice = "Give an inertia to the body it carries, or a rotor inertia to its motor."
    raise SolveError(f'joint "{link.joint_name or link.name}"', problem, advice)
