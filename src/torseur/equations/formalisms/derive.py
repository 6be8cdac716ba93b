"""The formalisms by name."""

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import Any

from torseur.algebra.core.graph import expressions
from torseur.equations.formalisms import (
    absolute,
    augmented_bodies,
    gibbs_appell,
    hamilton,
    kane,
    lagrange,
    newton_euler,
    uicker,
    virtual_power,
)
from torseur.equations.motion.chosen_variables import in_chosen_variables
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import chosen_coordinates, in_variables
from torseur.equations.symbols.system import System, system
from torseur.errors import unknown
from torseur.model.description import Mechanism

FORMALISMS: dict[str, Callable[..., Equations]] = {
    "newton-euler": newton_euler.derive,
    "lagrange": lagrange.derive,
    "kane": kane.derive,
    "virtual-power": virtual_power.derive,
    "gibbs-appell": gibbs_appell.derive,
    "hamilton": hamilton.derive,
    "augmented-bodies": augmented_bodies.derive,
    "uicker": uicker.derive,
    "absolute": absolute.derive,
}


def derive(mechanism: Mechanism, formalism: str = "newton-euler", **options: Any) -> Equations:
    """The equations of motion of a mechanism by a formalism; all formalisms agree.

    Options: "lagrange" takes `eliminate`, the names of constraints, or {constraint: coordinate},
    whose coordinates are replaced by what they give; "kane" takes `quasi_velocities`, {name: text},
    speeds that are linear in those of the mechanism. The equations are in the coordinates that the
    description chooses, as far as these are left.
    """
    if formalism not in FORMALISMS:
        raise unknown("derive", "formalism", formalism, FORMALISMS)
    taken = list(signature(FORMALISMS[formalism]).parameters)[1:]
    for name in options:
        if name not in taken:
            raise unknown(f'derive by "{formalism}"', "option", name, taken)
    made = system(mechanism)
    found = derived(made, formalism, **options)
    if not mechanism.chosen or formalism == "absolute":
        return found
    if options:
        return in_chosen_variables(found)
    return in_variables(found, chosen_coordinates(made))


def derived(made: System, formalism: str, **options: Any) -> Equations:
    """The same from a system that is already built."""
    found = FORMALISMS[formalism](made, **options)
    names = ("M", "h", "g", "Q", "inverse_dynamics")
    arrays: dict[str, Any] = {name: expressions(found.output(name)) for name in names}
    return replace(found, **arrays)
