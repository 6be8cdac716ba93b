"""The principle of virtual power, one virtual twist for each coordinate."""

from __future__ import annotations

from typing import Any

from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.printing.latex import name as latex_name
from torseur.teach.derivation import traps
from torseur.teach.derivation.formulas import Formula
from torseur.teach.derivation.generalised_forces import generalised_forces
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT
from torseur.teach.derivation.steps import Step
from torseur.teach.derivation.telling import Telling


def steps(told: Telling) -> list[Step]:
    """Dynamic torseurs against virtual twists, actions against virtual twists."""
    inertia = [_inertia(told, k) for k in range(len(told.speeds))]
    given = generalised_forces(told).total
    return [
        told.parametrisation(),
        told.kinematics(),
        told.dynamics(),
        told.virtual_twists(),
        _powers(told, inertia, given),
        _equations(told, inertia, given),
    ]


def _inertia(told: Telling, row: int) -> Any:
    """Σ {D} · {V*}, and what the spin of rotors needs in their joints."""
    _, speed = told.speeds[row]
    virtual = [ZERO] * len(told.speeds)
    virtual[row] = expression(1)
    total = told.efforts.spun(virtual)  # type: ignore[arg-type]
    for body in told.bodies:
        total = total + told.virtual(body, speed).comoment(told.dynamic(body))
    return expression(total)


def _powers(told: Telling, inertia: list[Any], given: Any) -> Step:
    said = told.words
    found: list[Formula] = []
    for k, (name, _) in enumerate(told.speeds):
        q = latex_name(name)
        found += [
            told.scalar(f"P*_a({name})", rf"\mathcal{{P}}^*_a({q})", inertia[k]),
            told.scalar(f"P*_e({name})", rf"\mathcal{{P}}^*_e({q})", given[k]),
        ]
    return Step(
        "virtual powers",
        said["virtual powers"],
        (said["virtual powers text"],),
        tuple(found),
        warnings=traps.dissipation(told.energies, said),
    )


def _equations(told: Telling, inertia: list[Any], given: Any) -> Step:
    said = told.words
    found = tuple(told.equation(k, x, given[k]) for k, x in enumerate(inertia))
    held = bool(told.efforts.held.owners)
    return Step(
        "equations",
        said["equations"],
        (said["virtual power held" if held else "virtual power text"],),
        found,
        said["virtual power"],
        (GALILEAN, PERFECT),
    )
