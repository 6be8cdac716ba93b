"""A mechanism with loops: the tree of its bodies and the joints that close it."""

from dataclasses import dataclass
from typing import final

from torseur.joints.protocol import JointType
from torseur.mechanism.description import GROUND, Mechanism
from torseur.spatial.pose import Pose
from torseur.topology.graph import Spanning, spanning
from torseur.topology.spanning import tree_of
from torseur.topology.tree import Tree


@final
@dataclass(frozen=True)
class Cut:
    """A joint that closes a loop, between a frame F of body A and a frame M of body B."""

    name: str
    joint: JointType
    A: int  # index of the first body in the tree; −1 for the ground
    B: int
    X_AF: Pose  # in the computing frame of A
    X_BM: Pose  # in the computing frame of B
    coordinates: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The number of its constraint equations."""
        return 6 - self.joint.nv


@final
@dataclass(frozen=True)
class Structure:
    """The tree, the joints that close it, and the names of the tree's coordinates and speeds."""

    tree: Tree
    cuts: tuple[Cut, ...]
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]


def structure(mechanism: Mechanism) -> Structure:
    """The structure of a mechanism; without loops its coordinates are those of the mechanism."""
    found = spanning(mechanism)
    tree = tree_of(mechanism, found)
    return Structure(tree, _cuts(tree, found), *_names(mechanism, found))


def state_names(mechanism: Mechanism) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the coordinates and of the speeds of the tree."""
    return _names(mechanism, spanning(mechanism))


def _names(mechanism: Mechanism, found: Spanning) -> tuple[tuple[str, ...], tuple[str, ...]]:
    carrying = {joint.name for joint, _ in found.carrying}
    kept = [joint for joint in mechanism.joints.values() if joint.name in carrying]
    coordinates = tuple(name for joint in kept for name in joint.coordinates)
    return coordinates, tuple(name for joint in kept for name in joint.speeds)


def _cuts(tree: Tree, found: Spanning) -> tuple[Cut, ...]:
    index = {link.name: i for i, link in tree} | {GROUND: -1}

    def placed(body: str, X: Pose) -> Pose:
        return X if body == GROUND else tree.links[index[body]].X_MB @ X

    return tuple(
        Cut(
            joint.name,
            joint.kind,
            index[joint.first],
            index[joint.second],
            placed(joint.first, joint.X_AF),
            placed(joint.second, joint.X_BM),
            joint.coordinates,
        )
        for joint in found.closing
    )
