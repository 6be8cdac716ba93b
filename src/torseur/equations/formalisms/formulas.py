"""The equations of a mechanism as a book writes them, with letters for the numbers it gives."""

from __future__ import annotations

from typing import Any

from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.formulas import Formulas
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_numbers, with_short_loops


def formulas(
    mechanism: Mechanism, formalism: str = "newton-euler", *, solved: bool = False, **options: Any
) -> Formulas:
    """One line for each coordinate, then what loops ask; g, m_rod and Izz_rod stand for numbers.

    Loops are cut where the lines that close them are short, whatever the order of the joints is, so
    that coordinates may be others than those of `derive`. Options are those of `derive`, and keep
    its coordinates. `solved` has one acceleration in each line.
    """
    read = mechanism if options else with_short_loops(mechanism)
    found = derive(named_numbers(read), formalism, **options)
    return found.solved() if solved else found.formulas()
