"""Regrouping of inertia towards the ground: fewer terms, the same generalised forces.

The part of a body's inertia that its joint cannot tell from a part of the carrier is given to the
carrier: about a revolute axis z the mass, h_z and K_zz; where it only slides the whole of K;
through a spherical or universal joint the mass. What is left is the minimal set of parameters
(Gautier and Khalil, 1990). The wrenches in the joints do change: reactions need the true inertias.
"""

import numpy as np

from torseur.model.joints.freedoms import Ball, Slide, Turn, only
from torseur.model.joints.protocol import JointType
from torseur.once import once
from torseur.spatial.inertia import Inertia
from torseur.topology.tree import Tree


@once
def regrouped(tree: Tree) -> Tree:
    """The tree with fewer inertial parameters and the same equations of motion.

    A body gives its carrier the part that its joint hides in every position. More is hidden where
    the bodies before turn about few axes.
    """
    inertias = [link.inertia for link in tree.links]
    for i, link in tree.backwards():
        given = invisible_part(link.joint, inertias[i])
        inertias[i] = inertias[i] - given
        if link.parent >= 0:
            inertias[link.parent] = inertias[link.parent] + given.seen_from(link.X_PF)
    return tree.with_inertias(inertias)


def invisible_part(joint: JointType, body: Inertia) -> Inertia:
    """The part of an inertia that may be moved across a joint without changing the equations."""
    freedoms = joint.forward.freedoms
    if freedoms is None:
        return Inertia()
    if not freedoms:
        return body
    if isinstance(about := only(freedoms), Turn):
        along = np.eye(3)[about.axis]
        return Inertia(body.m, body.h * along, body.K * np.outer(along, along))
    if all(isinstance(x, Slide) for x in freedoms):
        return Inertia(K=body.K)
    if all(isinstance(x, Turn | Ball) for x in freedoms):
        return Inertia(m=body.m)
    return Inertia()
