"""The principle of virtual power, one virtual twist for each coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.printing.latex import name as latex_name
from torseur.teach.derivation import traps
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.generalised_forces import generalised_forces
from torseur.teach.derivation.telling import Telling


def steps(telling: Telling) -> list[Step]:
    """Dynamic torseurs against virtual twists, actions against virtual twists."""
    inertia = [_inertia(telling, k) for k in range(len(telling.speeds))]
    given = generalised_forces(telling).total
    labels = [(f"P*_{x}({{}})", rf"\mathcal{{{{P}}}}^*_{x}({{}})") for x in "ae"]
    return [
        telling.dynamics(),
        telling.virtual_twists(),
        works_step(telling, "virtual powers", dict(zip(labels, (inertia, given), strict=True))),
        telling.equations(inertia, given, "virtual power"),
    ]


def _inertia(telling: Telling, row: int) -> Expr:
    """Σ {D} · {V*}, and what the spin of rotors needs in their joints."""
    _, speed = telling.speeds[row]
    total = telling.efforts.spun(telling.variables.B[:, row])
    for body, i in telling.bodies.items():
        total = total + telling.virtual(body, speed).comoment(telling.own.dynamic(i))
    return expression(total)


def works_step(telling: Telling, name: str, works: Mapping[tuple[str, str], Any]) -> Step:
    """Powers along each coordinate: values by the templates of their labels, text and LaTeX."""
    formulas = [
        telling.scalar(text.format(q), latex.format(latex_name(q)), values[k])
        for k, (q, _) in enumerate(telling.speeds)
        for (text, latex), values in works.items()
    ]
    return told_step(
        telling.words, name, formulas, warnings=traps.dissipation(telling.energies, telling.words)
    )
