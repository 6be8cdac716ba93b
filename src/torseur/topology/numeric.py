"""The same tree with numbers in place of expressions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.graph import evaluate
from torseur.joints.protocol import JointType
from torseur.joints.reversed import Reversed
from torseur.joints.screw import Screw
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.topology.tree import Link, Rotor, Tree

Values = Mapping[str, Any]


def numeric_tree(tree: Tree, values: Values) -> Tree:
    """The tree at given parameter values, for the recursions on floats."""
    return replace(tree, links=tuple(_link(link, values) for link in tree.links))


def _link(link: Link, values: Values) -> Link:
    body, rotor = link.inertia, link.rotor
    return replace(
        link,
        joint=numeric_joint(link.joint, values),
        X_PF=numeric_pose(link.X_PF, values),
        X_MB=numeric_pose(link.X_MB, values),
        inertia=Inertia(
            float(evaluate(body.m, values)), numbers(body.h, values), numbers(body.K, values)
        ),
        rotor=None if rotor is None else _rotor(rotor, values),
    )


def _rotor(rotor: Rotor, values: Values) -> Rotor:
    axis = None if rotor.axis is None else numbers(rotor.axis, values)
    return Rotor(float(evaluate(rotor.ratio, values)), float(evaluate(rotor.j, values)), axis)


def numeric_joint(joint: JointType, values: Values) -> JointType:
    """The joint with its own parameters as numbers."""
    if isinstance(joint, Screw):
        return replace(joint, lead=float(evaluate(joint.lead, values)))
    if isinstance(joint, Reversed):
        return Reversed(numeric_joint(joint.kind, values))
    return joint


def numeric_pose(X: Pose, values: Values) -> Pose:
    """The pose with numbers."""
    return X.numeric(lambda x: float(evaluate(x, values)))


def numbers(values: Any, given: Values) -> np.ndarray:
    """An array of expressions as floats."""
    return np.asarray(evaluate(values, given), dtype=float)
