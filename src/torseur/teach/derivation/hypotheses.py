"""The hypotheses under which theorems hold, and whether a mechanism satisfies them.

H1 to H3 are those of Plaut (2007, §4.2): perfect joints, holonomic constraints, forces with a
potential. H0 is a Galilean frame and rigid bodies; H4 that nothing depends on time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from torseur.algebra.core.expr import TIME, ZERO, expression
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.normal_form import vanishes
from torseur.analyse.mobility.holonomy import holonomy
from torseur.equations.applied import Applied
from torseur.equations.energies import Energies
from torseur.equations.rows import Constraints
from torseur.equations.system import System
from torseur.errors import ModelError, SolveError
from torseur.named_words import Words

GALILEAN, PERFECT, HOLONOMIC, POTENTIAL, TIMELESS = "H0", "H1", "H2", "H3", "H4"


@final
@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis: its code, whether the mechanism satisfies it, and the sentence that says so."""

    code: str
    holds: bool
    text: str

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"code": self.code, "holds": self.holds, "text": self.text}


def hypotheses(made: System, found: Energies, words: Words) -> tuple[Hypothesis, ...]:
    """All hypotheses of a mechanism."""

    def said(code: str, broken: str, names: list[str]) -> Hypothesis:
        sentence = words[f"{code} broken"].format(", ".join(names)) if broken else words[code]
        return Hypothesis(code, not broken, sentence)

    mechanism = made.mechanism
    without = without_potential(made, found)
    timed = _timed(made)
    moving = [] if mechanism.frame is None else ["frame"]
    return (
        said(GALILEAN, "frame" if moving else "", moving),
        Hypothesis(PERFECT, True, words[PERFECT]),
        _holonomic(made, words),
        said(POTENTIAL, "forces" if without else "", without),
        said(TIMELESS, "time" if timed else "", timed),
    )


def _holonomic(made: System, words: Words) -> Hypothesis:
    """Whether the constraints that are given in speeds can be integrated, by Frobenius."""
    held = Constraints(made)
    rows = [k for k in range(len(held.owners)) if k not in held.positions]
    given = list(dict.fromkeys(held.owners[k] for k in rows))
    if not given:
        return Hypothesis(HOLONOMIC, True, words[HOLONOMIC])
    try:
        loose = [name for name in given if name in holonomy(made.mechanism).nonholonomic]
    except (ModelError, SolveError):  # without numbers, or not assembled: as they are given
        loose = given
    key = "H2 broken" if loose else "H2 integrable"
    return Hypothesis(HOLONOMIC, not loose, words[key].format(", ".join(loose or given)))


def without_potential(made: System, found: Energies) -> list[str]:
    """The motors and forces that are not in T − V."""
    if all(vanishes(x) for x in found.Q) and expression(found.R) is ZERO:
        return []
    applied = Applied(made)
    names = []
    for name, (wrenches, rows) in applied.parts.items():
        values = [*rows.values(), *(x for pair in wrenches.values() for part in pair for x in part)]
        effect = applied.effects.get(name.removeprefix("forces."))
        stored = effect is not None and expression(effect.potential) is not ZERO
        if not stored and any(expression(x) is not ZERO for x in values):
            names.append(name)
    return names


def _timed(made: System) -> list[str]:
    """What depends on time: imposed motions, and forces given as functions of it."""
    names = list(made.mechanism.motions)
    for name, (wrenches, rows) in Applied(made).parts.items():
        values = [*rows.values(), *(x for pair in wrenches.values() for part in pair for x in part)]
        if TIME in free_symbols([expression(x) for x in values]):
            names.append(name)
    return names
