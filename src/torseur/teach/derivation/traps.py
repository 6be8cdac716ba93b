"""Classical traps, where a mechanism leads into them (Llibre 2009, §1.3.2, §2.2.3 and §2.3)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions, free_symbols
from torseur.equations.analytical.euler_lagrange import Energies
from torseur.equations.symbols.system import System
from torseur.model.constraints.selection import between_frames
from torseur.model.contact.of_forces import REACTION
from torseur.model.joints.freedoms import Turn, only
from torseur.named_words import Words

_ANGLES = {"0": 0.0, "π/2": np.pi / 2, "π": np.pi}


def dissipation(energies: Energies, words: Words) -> tuple[str, ...]:
    """Forces proportional to speeds: their power must not be differentiated."""
    linear = any(x.kind == "speed" for x in free_symbols(energies.Q))
    if expression(energies.R) is ZERO and not linear:
        return ()
    return (words["trap dissipation"],)


def moving_point(system: System, words: Words) -> tuple[str, ...]:
    """Joints that are carried along: the moment at them needs one more term."""
    carried = [link.joint_name for _, link in system.tree if link.parent >= 0]
    return (words["trap moving point"].format(carried[0]),) if carried else ()


def contact(system: System, words: Words) -> tuple[str, ...]:
    """Rolling: three points are at the contact."""
    rolling = [x.name for x in between_frames(system.mechanism.constraints.values()) if x.rolls]
    return (words["trap contact"].format(rolling[0]),) if rolling else ()


def imposed(system: System, words: Words) -> tuple[str, ...]:
    """Imposed motions: the real velocity is not a virtual one."""
    names = list(system.mechanism.motions)
    return (words["trap imposed"].format(names[0]),) if names else ()


def relative_angles(system: System, words: Words) -> tuple[str, ...]:
    """Bodies that turn on bodies that turn: energies take the rotation relative to the ground."""
    turning = {i for i, link in system.tree if isinstance(only(link.joint.freedoms), Turn)}
    for i, link in system.tree:
        carried = set(system.tree.ancestors(link.parent)) if link.parent >= 0 else set()
        name = system.q[link.q][0].name if i in turning and carried & turning else ""
        if name and name not in system.mechanism.change.taken:
            return (words["trap relative angle"].format(name, link.name),)
    return ()


def reactions_left_out(used: Iterable[Expr], words: Words) -> tuple[str, ...]:
    """Forces by the reaction of a contact that the equations leave out."""
    names = [x.name for x in used if x.kind == REACTION]
    return tuple(words["trap reaction"].format(name) for name in names)


def singular_coordinates(system: System, words: Words) -> tuple[str, ...]:
    """Coordinates at which a joint loses a freedom, such as θ = 0 of Euler angles."""
    warnings = []
    for _, link in system.tree:
        if link.joint.forward.freedoms is None and link.joint.nv > 1:
            warnings += [
                words["trap singular"].format(link.joint_name, name, value)
                for name, value in _singular(system, link)
            ]
    return tuple(warnings)


def _singular(system: System, link: Any) -> list[tuple[str, str]]:
    q = system.q[link.q]
    S = expressions(link.joint.motion_subspace(q))
    rng = np.random.default_rng(0)
    usual = {x.name: float(rng.uniform(0.4, 1.1)) for x in free_symbols([*S.ravel(), *q])}
    full = _rank(S, usual)
    units = link.joint.coordinate_units
    angles = [x for x, unit in zip(q, units, strict=True) if unit == "rad"]
    return [
        (x.name, label)
        for x, (label, value) in product(angles, _ANGLES.items())
        if _rank(S, usual | {x.name: value}) < full
    ]


def _rank(S: Any, values: dict[str, float]) -> int:
    numbers = np.asarray(evaluate(S, values), dtype=float)
    return int(np.linalg.matrix_rank(numbers, tol=1e-9))
