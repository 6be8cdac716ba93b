"""Random trees of bodies for tests that state laws."""

import numpy as np

from torseur.model.joints.catalogue import JOINTS
from torseur.model.joints.defined import Defined
from torseur.model.joints.library import (
    Distance,
    Fixed,
    Free,
    LineContact,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
)
from torseur.spatial.inertia import inertia
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn
from torseur.topology.tree import Link, MotorRotor, Tree

EVERY_JOINT = tuple(kind for kind in JOINTS if kind.carries and kind is not Defined)
IN_LOOPS = EVERY_JOINT  # all that are made of elementary freedoms
SLIDING_AND_TURNING = (Revolute, Prismatic)
WITHOUT_QUATERNIONS = tuple(kind for kind in IN_LOOPS if not kind().turning)


def random_joint(rng, kinds):
    kind = kinds[rng.integers(len(kinds))]
    if kind in (Spherical, Free, Fixed):
        return kind()
    if kind in (Universal, LineContact):
        return kind(*(int(k) for k in rng.permutation(3)[:2]))
    if kind is Screw:
        return kind(int(rng.integers(3)), rng.normal())
    if kind is Distance:
        return kind(rng.uniform(0.5, 2.0))
    return kind(int(rng.integers(3)))


def random_pose(rng):
    axes = rng.integers(3, size=3)
    R = turn(int(axes[0]), rng.normal()) @ turn(int(axes[1]), rng.normal())
    return Pose(rng.normal(size=3), R @ turn(int(axes[2]), rng.normal()))


def random_inertia(rng):
    """Of a cloud of five particles."""
    masses, points = rng.uniform(0.1, 1.0, 5), rng.normal(size=(5, 3))
    centre = masses @ points / masses.sum()
    tensor = sum(
        m * (r @ r * np.eye(3) - np.outer(r, r))
        for m, r in zip(masses, points - centre, strict=True)
    )
    return inertia(masses.sum(), centre, tensor)


def random_rotor(rng, oblique):
    axis = rng.normal(size=3)
    unit = axis / np.linalg.norm(axis)
    return MotorRotor(rng.normal(), rng.uniform(0.1, 1.0), unit if oblique else None)


def random_tree(rng, kinds=EVERY_JOINT, *, bodies=None, rotors=None):
    """A tree whose bodies are carried by any earlier one; rotors: "reflected" or "oblique"."""
    links, nq, nv = [], 0, 0
    for i in range(bodies or int(rng.integers(1, 7))):
        joint = random_joint(rng, kinds)
        rotor = random_rotor(rng, rotors == "oblique") if rotors and joint.nv == 1 else None
        q, v = slice(nq, nq + joint.nq), slice(nv, nv + joint.nv)
        carrier = int(rng.integers(-1, i))
        links.append(
            Link(str(i), carrier, joint, random_pose(rng), random_inertia(rng), q, v, rotor)
        )
        nq, nv = nq + joint.nq, nv + joint.nv
    return Tree(tuple(links), nq, nv)


def joint_behind(joint):
    return getattr(joint, "kind", joint)


def random_coordinates(rng, tree):
    """Coordinates with unit quaternions."""
    q = rng.normal(size=tree.nq)
    for _, link in tree:
        own = q[link.q]
        if link.joint.turning:
            own[-4:] /= np.linalg.norm(own[-4:])
    return q


def rates(tree, q, v):
    """q̇ from the speeds."""
    if not tree.nq:
        return np.zeros(0)
    return np.concatenate([link.joint.rates(q[link.q], v[link.v]) for _, link in tree])
