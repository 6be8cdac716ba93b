"""The principle of virtual power, one virtual twist for each coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.printing.latex import name as latex_name
from torseur.teach.derivation import traps
from torseur.teach.derivation.generalised_forces import generalised_forces
from torseur.teach.derivation.steps import Step, told_step
from torseur.teach.derivation.telling import Telling


def steps(told: Telling) -> list[Step]:
    """Dynamic torseurs against virtual twists, actions against virtual twists."""
    inertia = [_inertia(told, k) for k in range(len(told.speeds))]
    given = generalised_forces(told).total
    labels = [(f"P*_{x}({{}})", rf"\mathcal{{{{P}}}}^*_{x}({{}})") for x in "ae"]
    return [
        told.dynamics(),
        told.virtual_twists(),
        works_step(told, "virtual powers", dict(zip(labels, (inertia, given), strict=True))),
        told.equations(inertia, given, "virtual power"),
    ]


def _inertia(told: Telling, row: int) -> Expr:
    """Σ {D} · {V*}, and what the spin of rotors needs in their joints."""
    _, speed = told.speeds[row]
    total = told.efforts.spun(told.variables.B[:, row])
    for body, i in told.bodies.items():
        total = total + told.virtual(body, speed).comoment(told.own.dynamic(i))
    return expression(total)


def works_step(told: Telling, name: str, works: Mapping[tuple[str, str], Any]) -> Step:
    """What works along each coordinate: values by the templates of their labels, text and LaTeX."""
    formulas = [
        told.scalar(text.format(q), latex.format(latex_name(q)), values[k])
        for k, (q, _) in enumerate(told.speeds)
        for (text, latex), values in works.items()
    ]
    return told_step(
        told.words, name, formulas, warnings=traps.dissipation(told.energies, told.words)
    )
