"""The first step of a derivation: bodies, joints, coordinates and constraints."""

from __future__ import annotations

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.motion.closure_lines import closure_lines
from torseur.model.constraints.selection import restraints
from torseur.model.description import GROUND, Joint
from torseur.model.joints.freedoms import Ball, Turn
from torseur.named_words import counted
from torseur.teach.derivation import traps
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.step_formulas import Equation, Formula, Scalar, SymbolLabel
from torseur.teach.derivation.step_formulas import names as names_in_prose
from torseur.teach.derivation.telling import Telling
from torseur.words.sentence import type_words


def parametrisation(telling: Telling) -> Step:
    """Bodies, joints, coordinates, constraints."""
    words, system, lang = telling.words, telling.system, telling.lang
    lines = [words["bodies are"].format(", ".join(telling.bodies))]
    lines += [_joint(telling, joint) for joint in telling.mechanism.joints.values()]
    lines += [type_words(x.words, lang).format(x.name) for x in restraints(telling.mechanism)]
    closing = closure_lines(system, telling.efforts.held)  # of positions where rows hold them
    conditions = [Equation(owner, telling.read_whole(zero), ZERO) for owner, zero in closing]
    n, rows = len(system.v), len(telling.efforts.held.owners)
    names = names_in_prose(name for name, _ in telling.speeds)
    lines.append(counted(words["count held" if rows else "count"], n, names, rows))
    if len(conditions) < rows:
        lines.append(counted(words["identities"], rows - len(conditions)))
    if implied := len(conditions) - telling.rank:
        lines.append(counted(words["implied"], implied))
    formulas: list[Formula] = [
        Scalar(SymbolLabel(x.name, latex_name(x.name)), x.value)
        for x in telling.mechanism.chosen.values()
    ]
    formulas += conditions
    warnings = traps.singular_coordinates(system, words)
    return told_step(words, "parametrisation", formulas, text=lines, warnings=warnings)


def _joint(telling: Telling, joint: Joint) -> str:
    words = telling.words
    kind = type_words(joint.kind.words, telling.lang)
    ends = [words["ground"] if x == GROUND else x for x in (joint.first, joint.second)]
    units = list(zip(joint.coordinates, joint.kind.coordinate_units, strict=True))
    ends[1] += _axis(telling, joint)
    if any(cut.name == joint.name for cut in telling.system.cuts):
        return words["joint closing"].format(joint.name, kind, *ends)
    if not units:
        return words["joint without"].format(joint.name, kind, *ends)
    names = ", ".join(f"${name}$" + f" [{unit}]" * (unit != "1") for name, unit in units)
    line = words["joint line"].split("|")[len(units) > 1]
    return line.format(joint.name, kind, *ends, names)


def _axis(telling: Telling, joint: Joint) -> str:
    """The axis of a joint where it is one of the axes of a body, or the normal of its plane."""
    moving = {x.axis for x in joint.kind.freedoms or () if not isinstance(x, Ball)}
    turning = [x.axis for x in joint.kind.freedoms or () if isinstance(x, Turn)]
    index = moving if len(moving) == 1 else set(turning) if len(turning) == 1 else set()
    if not index:
        return ""
    unit = np.array([ONE if k in index else ZERO for k in range(3)], dtype=object)
    for body, X in ((joint.first, joint.X_AF), (joint.second, joint.X_BM)):
        components = expressions(X.R.out(unit))
        along = [k for k, x in enumerate(components) if x is not ZERO]
        if len(along) == 1 and components[along[0]] in (ONE, -ONE):
            sign = "" if components[along[0]] is ONE else "-"
            name = f"{'xyz'[along[0]]}{'0' if body == GROUND else f'_{body}'}"
            key = "joint axis" if len(moving) == 1 else "joint normal"
            return telling.words[key].format(f"${sign}{name}$")
    return ""
