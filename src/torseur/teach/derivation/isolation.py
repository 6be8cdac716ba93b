"""Which bodies are isolated for each equation, by which theorem and why; equations and unknowns."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.model.joints.freedoms import Ball, Slide, Turn
from torseur.named_words import counted
from torseur.teach.derivation.balance_of_actions import unknowns_of
from torseur.teach.derivation.step_formulas import names as names_in_prose
from torseur.teach.derivation.telling import Telling
from torseur.topology.tree import Link

_SCALARS = 6  # of a torseur


def projections(telling: Telling) -> list[str]:
    """A sentence for each joint that carries bodies: what is isolated, the theorem, the axis.

    None in chosen coordinates, whose equations are combinations of those of joints.
    """
    if telling.variables.changed:
        return []
    return [_projection(telling, i, link) for i, link in telling.system.tree]


def _projection(telling: Telling, i: int, link: Link) -> str:
    tree, words = telling.system.tree, telling.words
    beyond = [name for name, k in telling.bodies.items() if k == i or i in tree.ancestors(k)]
    kind = link.joint.forward if link.joint.backwards else link.joint
    speeds = telling.system.v[link.v]
    rows = names_in_prose(x.name.removesuffix(".") for x in speeds)
    reasons = dict.fromkeys(_reasons(kind.freedoms))
    text = words["project join"].join(words[f"project {x}"] for x in reasons)
    return words["projection"].format(rows, ", ".join(beyond), link.joint_name, text)


def _reasons(freedoms: tuple[object, ...] | None) -> Iterator[str]:
    for x in freedoms or (None,):
        match x:
            case Slide():
                yield "slide"
            case Turn():
                yield "turn"
            case Ball():
                yield "ball"
            case _:
                yield "motion"


def count_sentences(telling: Telling) -> list[str]:
    """Equations against unknowns, and the degree of static indeterminacy."""
    words, system, constraints = telling.words, telling.system, telling.efforts.held
    unknowns, n, rows = unknowns_of(telling), len(system.v), len(constraints.owners)
    total = _SCALARS * len(telling.bodies)
    conditions = counted(words["constraint count"], rows)
    key = "unknowns held" if rows else "unknowns"
    lines = [
        counted(words[key], n, total, len(unknowns), conditions, total + rows, len(unknowns) + n)
    ]
    if idle := rows - telling.rank:
        lines.append(counted(words["indeterminate"], idle))
    return lines
