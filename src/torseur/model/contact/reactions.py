"""The reactions that expressions may name: those of joints, of contacts and of constraints.

X_A, Y_A, Z_A and L_A, M_A, N_A are the force and the couple of the first body of joint A on the
second, at the origin and in the axes of the joint's frame; N_c is the normal force of contact c;
F_g what constraint g of one row exerts: the force of teeth, the tension of a belt.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import Expr, symbol
from torseur.model.contact.element import Element, JointWrenchLoad
from torseur.model.contact.of_forces import REACTION
from torseur.model.description import Mechanism

_WRENCH = {"X": "N", "Y": "N", "Z": "N", "L": "N.m", "M": "N.m", "N": "N.m"}
_NORMAL, _EXERTED = "N", "F"


@final
@dataclass(frozen=True)
class Normals:
    """The sum of the normal forces of some elements."""

    elements: tuple[str, ...]


@final
@dataclass(frozen=True)
class Exerted:
    """The multiplier of a constraint."""

    constraint: str


Reaction = JointWrenchLoad | Normals | Exerted


def reaction_names(
    joints: Collection[str], contacts: Collection[str], constraints: Collection[str]
) -> Mapping[str, tuple[Expr, str]]:
    """Names that stand for one reaction, with their symbols and units."""
    reactions: dict[str, tuple[Expr, str]] = {}
    named = [(f"{letter}_{joint}", unit) for joint in joints for letter, unit in _WRENCH.items()]
    named += [(f"{_NORMAL}_{contact}", "N") for contact in contacts]
    named += [(f"{_EXERTED}_{constraint}", "") for constraint in constraints]
    several = len(named) != len(dict(named))
    for name, unit in named:
        if not several or sum(name == other for other, _ in named) == 1:
            reactions[name] = symbol(name, REACTION), unit
    return reactions


def exerted(constraint: str) -> Expr:
    """Symbol of the multiplier of a constraint of one row."""
    return symbol(f"{_EXERTED}_{constraint}", REACTION)


def reaction(mechanism: Mechanism, name: str, parts: Collection[Element]) -> Reaction:
    """The reaction that a name stands for."""
    letter, _, owner = name.partition("_")
    if letter == _EXERTED:
        return Exerted(owner)
    if letter in _WRENCH and owner in mechanism.joints:
        return JointWrenchLoad(owner, np.eye(6, dtype=int)[["XYZLMN".index(letter)]])
    pressing = (x.name for x in parts if x.pushes)
    return Normals(tuple(x for x in pressing if x == owner or x.startswith(f"{owner}.")))
