"""Tree with joints of one degree of freedom only, by massless bodies in between."""

from dataclasses import replace

import numpy as np

from torseur.errors import ModelError
from torseur.model.joints.catalogue import joint_of
from torseur.model.joints.freedoms import Freedom, Helix, Slide, Turn
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Rotation, from_matrix
from torseur.topology.tree import Link, MotorRotor, Tree
from torseur.words.sentence import say


def elementary(tree: Tree, formalism: str, *, screws: bool = False) -> Tree:
    """Revolute and prismatic joints only (with `screws`, screws too); fixed bodies are merged.

    A joint with several degrees of freedom becomes a chain of elementary ones through fictitious
    bodies without mass (Liégeois and Aldon 1980, §2.2). One that is crossed from its second body to
    its first has its freedoms in the other order, each between frames turned by half a turn.
    """
    links: list[Link] = []
    at: dict[int, tuple[int, Pose]] = {-1: (-1, Pose())}  # body → where it now lives
    for i, link in tree:
        parent, X = at[link.parent]
        X_PF, rotor = X @ link.X_PF, _carried(link.rotor, X.R)
        parts = _parts(link, formalism, screws=screws)
        if not parts:
            at[i] = (parent, X_PF)
            if parent >= 0:
                host = links[parent]
                links[parent] = replace(host, inertia=host.inertia + link.inertia.seen_from(X_PF))
            continue
        for number, (k, freedom, half) in enumerate(parts, 1):
            last, back = number == len(parts), half.inverse
            links.append(
                replace(
                    link,
                    parent=parent,
                    joint=joint_of(freedom),
                    X_PF=X_PF @ half,
                    X_MB=back @ link.X_MB,
                    inertia=link.inertia.seen_from(back) if last else Inertia(),
                    q=slice(link.q.start + k, link.q.start + k + 1),
                    v=slice(link.v.start + k, link.v.start + k + 1),
                    rotor=rotor,
                )
            )
            parent, X_PF = len(links) - 1, back
        at[i] = (parent, X_PF)
    return Tree(tuple(links), tree.nq, tree.nv)


def _carried(rotor: MotorRotor | None, R: Rotation) -> MotorRotor | None:
    """A rotor in the axes of the body that now carries it."""
    if rotor is None or rotor.axis is None:
        return rotor
    return replace(rotor, axis=R.out(rotor.axis))


def _parts(link: Link, formalism: str, *, screws: bool) -> list[tuple[int, Freedom, Pose]]:
    """The freedoms of a joint as they are crossed: number, freedom, and how its frames are turned.

    A turn or a slide seen from the other side is one about the opposite axis.
    """
    freedoms = link.joint.forward.freedoms
    plain = [x for x in freedoms or () if isinstance(x, Slide | Turn | Helix)]
    screwed = any(isinstance(x, Helix) for x in plain)
    if freedoms is None or len(plain) < len(freedoms) or (screwed and not screws):
        names = link.joint.names[0]
        raise ModelError(
            f'joint "{link.joint_name or link.name}"',
            say('the formalism "{formalism}" takes no {names} joint.', formalism, names),
            'Use "newton-euler" or "lagrange", which take every joint.',
        )
    if not link.joint.backwards:
        return [(k, x, Pose()) for k, x in enumerate(plain)]
    return [(k, x, _half_turn(x.axis)) for k, x in reversed(list(enumerate(plain)))]


def _half_turn(axis: int) -> Pose:
    """Half a turn that brings an axis to its opposite."""
    R = -np.eye(3, dtype=int)
    R[axis - 1, axis - 1] = 1
    return Pose(R=from_matrix(R))
