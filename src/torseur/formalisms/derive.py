"""The formalisms by name."""

from collections.abc import Callable
from dataclasses import replace

from torseur.algebra.graph import expressions
from torseur.errors import unknown
from torseur.formalisms import augmented_bodies, lagrange, newton_euler, uicker
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
    return replace(
        found,
        M=expressions(found.M),
        h=expressions(found.h),
        g=expressions(found.g),
        Q=expressions(found.Q),
        inverse_dynamics=expressions(found.inverse_dynamics),
    )
