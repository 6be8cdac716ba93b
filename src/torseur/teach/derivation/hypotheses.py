"""The hypotheses under which theorems hold, and whether a mechanism satisfies them.

H1 to H3 are those of Plaut (2007, §4.2): perfect joints, holonomic constraints, forces with a
potential. H0 is a Galilean frame and rigid bodies; H4 that nothing depends on time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.normal_form import vanishes
from torseur.analyse.mobility.kinds import holonomy
from torseur.equations.actions.applied import Part, actions_of
from torseur.equations.analytical.euler_lagrange import Energies
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, SolveError
from torseur.model.called import called_element
from torseur.model.contact.smooth import changing
from torseur.named_words import Words
from torseur.teach.derivation.step_formulas import Prose
from torseur.words.sentence import marked, said

GALILEAN, PERFECT, HOLONOMIC, POTENTIAL, TIMELESS = "H0", "H1", "H2", "H3", "H4"


@final
@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis: its code, whether the mechanism satisfies it, and the sentence that says so."""

    code: str
    holds: bool
    text: str


def hypotheses(
    system: System, energies: Energies, words: Words, lang: str, sliding: Sequence[str] = ()
) -> tuple[Hypothesis, ...]:
    """All hypotheses of a mechanism; contacts that are `sliding` rub."""

    def hypothesis(code: str, broken: list[str]) -> Hypothesis:
        names = ", ".join(
            words.get(f"source {name}") or marked(said, called_element(name), lang)
            for name in broken
        )
        sentence = words[f"{code} broken"].format(names) if broken else words[code]
        return Hypothesis(code, not broken, Prose(sentence))

    return (
        hypothesis(GALILEAN, [] if system.mechanism.frame is None else ["frame"]),
        hypothesis(PERFECT, list(changing(system.mechanism)))
        if not sliding
        else Hypothesis(PERFECT, False, Prose(words["H1 slides"].format(", ".join(sliding)))),
        _holonomic(system, words),
        hypothesis(POTENTIAL, without_potential(system, energies)),
        hypothesis(TIMELESS, _timed(system)),
    )


def _holonomic(system: System, words: Words) -> Hypothesis:
    """Integrability, by Frobenius, of the constraints that are given in speeds."""
    constraints = constraints_of(system)
    rows = [k for k in range(len(constraints.owners)) if k not in constraints.positions]
    given = list(dict.fromkeys(constraints.owners[k] for k in rows))
    if not given:
        return Hypothesis(HOLONOMIC, True, words[HOLONOMIC])
    try:
        loose = [name for name in given if name in holonomy(system.mechanism).nonholonomic]
    except (ModelError, SolveError):  # without numbers, or not assembled: as they are given
        loose = given
    key = "H2 broken" if loose else "H2 integrable"
    return Hypothesis(HOLONOMIC, not loose, words[key].format(", ".join(loose or given)))


def without_potential(system: System, energies: Energies) -> list[str]:
    """The motors and forces that are not in T − V."""
    if all(vanishes(x) for x in energies.Q) and expression(energies.R) is ZERO:
        return []
    applied = actions_of(system)
    names = []
    for name, part in applied.parts.items():
        effect = applied.effects.get(name.removeprefix("forces."))
        stored = effect is not None and expression(effect.potential) is not ZERO
        if not stored and any(x is not ZERO for x in _values(part)):
            names.append(name)
    return names


def _timed(system: System) -> list[str]:
    """Parts that depend on time: imposed motions, and forces given as functions of time."""
    parts = actions_of(system).parts.items()
    timed = [name for name, part in parts if TIME in free_symbols(_values(part))]
    return [*system.mechanism.motions, *timed]


def _values(part: Part) -> list[Expr]:
    """Everything that a part of the actions applies: on bodies and along coordinates."""
    wrenches, rows = part
    on_bodies = (x for pair in wrenches.values() for vector in pair for x in vector)
    return [expression(x) for x in (*rows.values(), *on_bodies)]
