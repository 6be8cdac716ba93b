"""The same mechanism by every formalism that applies, and whether they agree."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from torseur import notebook
from torseur.algebra.core.graph import flat
from torseur.algebra.forms.count import Operations, count
from torseur.brief import brief
from torseur.equations.compare.agreement import (
    EQUAL,
    OUTPUTS,
    STATES,
    Difference,
    difference,
    differences,
    numbers,
    sampled,
)
from torseur.equations.compare.joint_speeds import JointSpeeds
from torseur.equations.formalisms.derive import FORMALISMS, derived
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import eliminated, imposed, in_variables
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError, unknown
from torseur.model.description import Mechanism
from torseur.text_table import text_table
from torseur.words.sentence import say

LAWS = "lagrange, laws put in"


@final
@dataclass(frozen=True)
class Compared:
    """One formalism: what it costs and how far it is from the first, or why it does not apply."""

    formalism: str
    operations: Operations | None = None
    seconds: float = 0.0  # processor time of the derivation
    difference: float | None = None
    reason: str = ""

    @property
    def applies(self) -> bool:
        """Whether the formalism gave equations."""
        return self.operations is not None


@final
@dataclass(frozen=True)
class Comparison:
    """The formalisms of a mechanism side by side."""

    __repr__ = brief
    _repr_html_ = notebook.told

    name: str
    rows: tuple[Compared, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def agree(self) -> bool:
        """Whether all that apply give the same equations."""
        return all(row.difference is None or row.difference <= EQUAL for row in self.rows)

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "name": self.name,
            "agree": self.agree,
            "formalisms": [
                {
                    "formalism": row.formalism,
                    "applies": row.applies,
                    "operations": row.operations.total if row.operations else None,
                    "seconds": row.seconds,
                    "difference": row.difference,
                    "reason": row.reason,
                }
                for row in self.rows
            ],
            "differences": [str(x) for x in self.differences],
        }

    def __str__(self) -> str:
        head = (say("formalism"), say("operations"), say("time [ms]"), say("difference"))
        cells = [head, *(_cells(row) for row in self.rows if row.applies)]
        lines = text_table(cells, numbers=True)
        lines += [f"{row.formalism}: {row.reason}" for row in self.rows if row.reason]
        if self.agree:
            lines.append(
                say("All that apply agree to {equal:g} at {states} random states.", EQUAL, STATES)
            )
        return "\n".join([*lines, *(str(x) for x in self.differences)])


def _cells(row: Compared) -> tuple[str, ...]:
    assert row.operations is not None, "only formalisms that apply have figures"
    apart = "–" if row.difference is None else f"{row.difference:.1e}"
    return row.formalism, str(row.operations.total), f"{1e3 * row.seconds:.1f}", apart


def compare(mechanism: Mechanism, formalisms: Sequence[str] = ()) -> Comparison:
    """M, h, g and Q by every formalism, or by those named, at random states of random parameters.

    Parameters that have a value keep it. The first formalism that applies is the reference. Where
    two disagree, the terms that differ are shown. Absolute coordinates are compared after
    projection on the speeds of the joints.
    """
    for name in formalisms:
        if name not in FORMALISMS:
            raise unknown("compare", "formalism", name, FORMALISMS)
    made = system(mechanism)
    rows = [_derived(made, name) for name in formalisms or FORMALISMS]
    reference = next((found for _, found in rows if found is not None), None)
    if reference is None:
        return Comparison(mechanism.name, tuple(row for row, _ in rows))
    compared = _beside(reference, rows, made)
    laws = imposed(made)
    if laws and "lagrange" in (formalisms or FORMALISMS) and reference.speeds == made.speeds:
        row, found = _derived(made, "lagrange", eliminate=laws)
        assert found is not None, "a law of time gives its coordinate"
        projected = in_variables(reference, eliminated(made, laws))
        compared += _beside(projected, [(replace(row, formalism=LAWS), found)], made)
    shown = tuple(x for _, apart in compared for x in apart)
    return Comparison(mechanism.name, tuple(row for row, _ in compared), shown)


def _derived(made: System, name: str, **options: Any) -> tuple[Compared, Equations | None]:
    """The equations with their cost, or why there are none."""
    began = time.process_time()
    try:
        equations = derived(made, name, **options)
    except ModelError as error:
        return Compared(name, reason=str(error).replace("\n  ", " ")), None
    seconds = time.process_time() - began
    cost = count([x for output in OUTPUTS for x in flat(equations.output(output))])
    return Compared(name, cost, seconds), equations


def _beside(
    reference: Equations, rows: Sequence[tuple[Compared, Equations | None]], made: System
) -> list[tuple[Compared, list[Difference]]]:
    """How far the equations of each row are from the reference, and which terms differ."""
    given = [found for _, found in rows if found is not None]
    seen = {
        id(x): JointSpeeds(x, made)
        for x in given
        if x.speeds != reference.speeds and reference.speeds == made.speeds
    }
    alike = [reference, *(x for x in given if x.speeds == reference.speeds)]
    values = sampled(alike, STATES, [y for x in seen.values() for y in x.spoken])
    right = numbers(reference, values, STATES)
    compared: list[tuple[Compared, list[Difference]]] = []
    for row, found in rows:
        if found is None:
            compared.append((row, []))
        elif found.speeds == reference.speeds:
            size = difference(right, numbers(found, values, STATES))
            apart = differences(reference, found, values) if size > EQUAL else []
            compared.append((replace(row, difference=size), apart))
        elif id(found) in seen:
            size = difference(right, seen[id(found)].numbers(values, STATES))
            compared.append((replace(row, difference=size), []))
        else:
            reason = f"it has other variables ({len(found.speeds)} speeds), and is not compared."
            compared.append((replace(row, reason=reason), []))
    return compared
