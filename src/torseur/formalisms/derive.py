"""The formalisms by name."""

from collections.abc import Callable
from dataclasses import replace

from torseur.algebra.graph import expressions
from torseur.errors import unknown
from torseur.formalisms import augmented_bodies, lagrange, newton_euler, uicker
from torseur.formalisms.diagnosis import inertia_notices
from torseur.formalisms.equations import Equations
from torseur.formalisms.system import System, system
from torseur.mechanism.description import Mechanism

FORMALISMS: dict[str, Callable[[System], Equations]] = {
    "newton-euler": newton_euler.derive,
    "lagrange": lagrange.derive,
    "augmented-bodies": augmented_bodies.derive,
    "uicker": uicker.derive,
}


def derive(mechanism: Mechanism, formalism: str = "newton-euler") -> Equations:
    """The equations of motion of a mechanism by a formalism; all formalisms agree."""
    if formalism not in FORMALISMS:
        raise unknown("derive", "formalism", formalism, FORMALISMS)
    found = FORMALISMS[formalism](system(mechanism))
    names = ("M", "h", "g", "Q", "inverse_dynamics")
    return replace(found, **{name: expressions(getattr(found, name)) for name in names})


__all__ = ["FORMALISMS", "derive", "inertia_notices"]
