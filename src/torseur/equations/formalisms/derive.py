"""The formalisms by name, and the equations of a mechanism as a book writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any

from torseur.algebra.core.graph import expressions
from torseur.equations.actions.sliding import Slides
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
from torseur.equations.motion.formulas import Formulas
from torseur.equations.motion.parametrisation import chosen_coordinates, in_variables
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError, require_known
from torseur.model.contact.smooth import kept_modes
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_numbers, with_short_loops
from torseur.words.sentence import say

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
    require_known("derive", "formalism", formalism, FORMALISMS)
    taken = list(signature(FORMALISMS[formalism]).parameters)[1:]
    require_known(f'derive by "{formalism}"', "option", options, taken)
    made = system(mechanism)
    found = derived(made, formalism, **options)
    if mechanism.chosen and formalism != "absolute":
        found = (
            in_chosen_variables(found) if options else in_variables(found, chosen_coordinates(made))
        )
    named = named_numbers(mechanism)
    same = named.parameter_table.keys() == mechanism.parameter_table.keys()
    return found if same else replace(found, lettered=partial(derive, named, formalism, **options))


def derived(made: System, formalism: str, **options: Any) -> Equations:
    """The same from a system that is already built."""
    found = FORMALISMS[formalism](made, **options)
    names = ("M", "h", "g", "Q", "inverse_dynamics")
    arrays: dict[str, Any] = {name: expressions(found.output(name)) for name in names}
    return replace(found, **arrays)


def formulas(
    mechanism: Mechanism,
    formalism: str = "newton-euler",
    *,
    solved: bool = False,
    reactions: bool = False,
    modes: Mapping[str, str] | None = None,
    **options: Any,
) -> Formulas:
    """One line for each coordinate, then what loops ask; g, m_rod and Izz_rod stand for numbers.

    Loops are cut where the lines that close them are short, whatever the order of the joints is, so
    that coordinates may be others than those of `derive`. Options are those of `derive`, and keep
    its coordinates. `solved` has one acceleration in each line; `reactions` has one acceleration,
    or one reaction, and none of the others. `modes` keeps contacts, stops and frictions in a mode:
    "open", "stick" or "slip", with the friction of what slides.
    """
    read = mechanism if options or modes else with_short_loops(mechanism)
    found = derive_in_modes(named_numbers(read), formalism, modes, **options)
    return found.solved(reactions=reactions) if solved or reactions else found.formulas()


def derive_in_modes(
    mechanism: Mechanism, formalism: str, modes: Mapping[str, str] | None, **options: Any
) -> Equations:
    """The equations of a mechanism whose contacts keep their modes, with the friction of sliding.

    Friction depends on multipliers, which are symbols of Q: such equations are read, not computed.
    """
    if modes is None:
        return derive(mechanism, formalism, **options)
    kept = kept_modes(mechanism, modes, "modes")
    found = derive(kept.mechanism, formalism, **options)
    if not kept.slides:
        return found
    held, chosen = found.constraints, chosen_coordinates(system(kept.mechanism))
    if found.speeds != chosen.own.speeds:
        names = ", ".join(one.name for one in kept.slides)
        problem = say("friction of what slides ({names}) is told in all coordinates.", names)
        raise ModelError("modes", problem, "Leave out the options of the formalism.")
    slides = Slides(mechanism, kept.slides, signs=True)
    rubbing = slides.friction(held.owners, held.unknowns)
    forces = chosen.B.T @ chosen.written(rubbing.generalised)
    return replace(
        found,
        Q=expressions(found.Q + forces),
        friction=rubbing.written(chosen.written),
        lettered=None,
    )
