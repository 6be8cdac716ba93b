"""The equations of a mechanism as a book writes them, with letters for the numbers it gives."""

from __future__ import annotations

from typing import Any

from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.formulas import Formulas
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_numbers


def formulas(mechanism: Mechanism, formalism: str = "newton-euler", **options: Any) -> Formulas:
    """One line for each coordinate, then what loops ask; g, m_rod and Izz_rod stand for numbers.

    Options are those of `derive`.
    """
    return derive(named_numbers(mechanism), formalism, **options).formulas()
