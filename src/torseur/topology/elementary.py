"""The same tree with joints of one degree of freedom only, through massless bodies."""

from dataclasses import replace

from torseur.errors import ModelError
from torseur.model.joints.catalogue import joint_of
from torseur.model.joints.freedoms import Helix, Slide, Turn
from torseur.model.joints.protocol import JointType
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.topology.tree import Link, Tree
from torseur.words.sentence import say


def elementary(tree: Tree, formalism: str, *, screws: bool = False) -> Tree:
    """Revolute and prismatic joints only (with `screws`, screws too); fixed bodies are merged.

    A joint with several degrees of freedom becomes a chain of elementary ones through fictitious
    bodies without mass (Liégeois and Aldon 1980, §2.2).
    """
    links: list[Link] = []
    at: dict[int, tuple[int, Pose]] = {-1: (-1, Pose())}  # body → where it now lives
    for i, link in tree:
        parent, X = at[link.parent]
        X_PF = X @ link.X_PF
        if link.joint.freedoms == ():
            at[i] = (parent, X_PF)
            if parent >= 0:
                host = links[parent]
                links[parent] = replace(host, inertia=host.inertia + link.inertia.seen_from(X_PF))
            continue
        for k, joint in enumerate(parts := _parts(link, formalism, screws=screws)):
            last = k == len(parts) - 1
            links.append(
                replace(
                    link,
                    parent=parent,
                    joint=joint,
                    X_PF=X_PF,
                    inertia=link.inertia if last else Inertia(),
                    q=slice(link.q.start + k, link.q.start + k + 1),
                    v=slice(link.v.start + k, link.v.start + k + 1),
                )
            )
            parent, X_PF = len(links) - 1, Pose()
        at[i] = (parent, Pose())
    return Tree(tuple(links), tree.nq, tree.nv)


def _parts(link: Link, formalism: str, *, screws: bool) -> list[JointType]:
    """A joint for each freedom of a joint."""
    freedoms = link.joint.freedoms
    taken = Slide | Turn | Helix if screws else Slide | Turn
    if freedoms is not None and all(isinstance(x, taken) for x in freedoms):
        return [joint_of(x) for x in freedoms]
    raise ModelError(
        f'joint "{link.joint_name or link.name}"',
        say('the formalism "{formalism}" takes no {names} joint.', formalism, link.joint.names[0]),
        'Use "newton-euler" or "lagrange", which take every joint.',
    )
