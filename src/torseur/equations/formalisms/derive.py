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
    accepted = list(signature(FORMALISMS[formalism]).parameters)[1:]
    require_known(f'derive by "{formalism}"', "option", options, accepted)
    known = system(mechanism)
    equations = derived(known, formalism, **options)
    if mechanism.chosen and formalism != "absolute":
        equations = (
            in_chosen_variables(equations)
            if options
            else in_variables(equations, chosen_coordinates(known))
        )
    named = named_numbers(mechanism)
    same = named.parameter_table.keys() == mechanism.parameter_table.keys()
    return (
        equations
        if same
        else replace(equations, lettered=partial(derive, named, formalism, **options))
    )


def derived(known: System, formalism: str, **options: Any) -> Equations:
    """Equations of a system that is already built."""
    equations = FORMALISMS[formalism](known, **options)
    names = ("M", "h", "g", "Q", "inverse_dynamics")
    arrays: dict[str, Any] = {name: expressions(equations.output(name)) for name in names}
    return replace(equations, **arrays)


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
    equations = derive_in_modes(named_numbers(read), formalism, modes, **options)
    return equations.solved(reactions=reactions) if solved or reactions else equations.formulas()


def derive_in_modes(
    mechanism: Mechanism, formalism: str, modes: Mapping[str, str] | None, **options: Any
) -> Equations:
    """The equations of a mechanism whose contacts keep their modes, with the friction of sliding.

    Friction depends on multipliers, which are symbols of Q: such equations are read, not computed.
    """
    if modes is None:
        return derive(mechanism, formalism, **options)
    closed = kept_modes(mechanism, modes, "modes")
    equations = derive(closed.mechanism, formalism, **options)
    if not closed.slides:
        return equations
    conditions, chosen = equations.constraints, chosen_coordinates(system(closed.mechanism))
    if equations.speeds != chosen.reduced.speeds:
        names = ", ".join(one.name for one in closed.slides)
        problem = say("friction of what slides ({names}) is told in all coordinates.", names)
        raise ModelError("modes", problem, "Leave out the options of the formalism.")
    slides = Slides(mechanism, closed.slides, signs=True)
    rubbing = slides.friction(conditions.owners, conditions.unknowns)
    forces = chosen.B.T @ chosen.written(rubbing.generalised)
    return replace(
        equations,
        Q=expressions(equations.Q + forces),
        friction=rubbing.written(chosen.written),
        lettered=None,
    )
