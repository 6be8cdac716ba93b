"""The same mechanism by every formalism that applies, and whether they agree."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.count import Operations, count
from torseur.algebra.graph import evaluate, flat, free_symbols
from torseur.errors import ModelError, unknown
from torseur.formalisms.derive import FORMALISMS, derived
from torseur.formalisms.differences import Difference, differences
from torseur.formalisms.equations import Equations
from torseur.formalisms.parametrisation import eliminated, imposed, in_variables
from torseur.formalisms.system import System, system
from torseur.mechanism.description import Mechanism

Array = np.ndarray
OUTPUTS = ("M", "h", "g", "Q")
STATES = 20
EQUAL = 1e-12  # relative
FLOOR = 1e-2  # of the largest of M, h, g and Q


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
        head = ("formalism", "operations", "time [ms]", "difference")
        cells = [head, *(_cells(row) for row in self.rows if row.applies)]
        widths = [max(len(line[k]) for line in cells) for k in range(len(head))]
        lines = [
            "  ".join(
                cell.ljust(width) if k == 0 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
            for line in cells
        ]
        lines += [f"{row.formalism}: {row.reason}" for row in self.rows if row.reason]
        if self.agree:
            lines.append(f"All that apply agree to {EQUAL:g} at {STATES} random states.")
        return "\n".join([*lines, *(str(x) for x in self.differences)])


def _cells(row: Compared) -> tuple[str, ...]:
    assert row.operations is not None, "only formalisms that apply have figures"
    apart = "–" if row.difference is None else f"{row.difference:.1e}"
    return row.formalism, str(row.operations.total), f"{1e3 * row.seconds:.1f}", apart


def compare(mechanism: Mechanism, formalisms: Sequence[str] = ()) -> Comparison:
    """M, h, g and Q by every formalism, or by those named, at random states of random parameters.

    Parameters that have a value keep it. The first formalism that applies is the reference. Where
    two disagree, the terms that differ are shown.
    """
    for name in formalisms:
        if name not in FORMALISMS:
            raise unknown("compare", "formalism", name, FORMALISMS)
    made = system(mechanism)
    reference: Equations | None = None
    rows: list[Compared] = []
    apart: list[Difference] = []
    for name in formalisms or FORMALISMS:
        row, found = _derived(made, name)
        if found is not None:
            reference = reference or found
            row, more = _beside(row, reference, found)
            apart += more
        rows.append(row)
    laws = imposed(made)
    if laws and reference is not None and "lagrange" in (formalisms or FORMALISMS):
        row, found = _derived(made, "lagrange", eliminate=laws)
        assert found is not None, "a law of time gives its coordinate"
        projected = in_variables(reference, eliminated(made, laws))
        row, more = _beside(replace(row, formalism="lagrange, laws put in"), projected, found)
        rows.append(row)
        apart += more
    return Comparison(mechanism.name, tuple(rows), tuple(apart))


def _derived(made: System, name: str, **options: Any) -> tuple[Compared, Equations | None]:
    """The equations with their cost, or why there are none."""
    began = time.process_time()
    try:
        found = derived(made, name, **options)
    except ModelError as error:
        return Compared(name, reason=str(error).replace("\n  ", " ")), None
    seconds = time.process_time() - began
    cost = count([x for output in OUTPUTS for x in flat(found.output(output))])
    return Compared(name, cost, seconds), found


def _beside(
    row: Compared, reference: Equations, found: Equations
) -> tuple[Compared, list[Difference]]:
    """How far the equations are from the reference, and which terms differ."""
    if found.speeds != reference.speeds:
        reason = f"it has other variables ({len(found.speeds)} speeds), and is not compared."
        return replace(row, reason=reason), []
    size = largest_difference(reference, found)
    more = differences(reference, found, sampled([reference, found], 1)) if size > EQUAL else []
    return replace(row, difference=size), more


def largest_difference(first: Equations, second: Equations, states: int = STATES) -> float:
    """Between M, h, g and Q of two derivations, each relative to its largest entry at any state.

    What is nearly zero beside the others is measured against a hundredth of them.
    """
    values = sampled([first, second], states)
    pairs = {
        name: [numbers(x.output(name), values, states) for x in (first, second)] for name in OUTPUTS
    }
    size = {name: float(np.abs(pair).max(initial=0.0)) for name, pair in pairs.items()}
    floor = FLOOR * max(size.values())  # speeds and accelerations are of the order of one
    worst = 0.0
    for name, (a, b) in pairs.items():
        apart = float(np.abs(a - b).max(initial=0.0))
        if apart > 0:
            worst = max(worst, apart / max(size[name], floor))
    return worst if all(np.isfinite(list(size.values()))) else np.inf


def sampled(given: Sequence[Equations], states: int) -> dict[str, Array]:
    """Random values of every symbol, with unit quaternions; `states` of each."""
    made = given[0].system
    rng = np.random.default_rng(0)
    spoken = [x for found in given for name in OUTPUTS for x in np.ravel(found.output(name))]
    values = {x.name: rng.uniform(0.4, 1.6, states) for x in free_symbols(spoken)}
    for name, value in made.mechanism.parameters.items():
        if value is not None:
            values[name] = np.full(states, value)
    joints = made.mechanism.joints
    for _, link in made.tree:
        if link.joint.turning:
            parts = rng.normal(size=(4, states))
            names = joints[link.joint_name].coordinates[-4:]
            values |= dict(zip(names, parts / np.linalg.norm(parts, axis=0), strict=True))
    return values


def numbers(output: Array, values: Mapping[str, Array], states: int) -> Array:
    """One row for each entry, one column for each state."""
    flat = evaluate(np.asarray(output, dtype=object).ravel(), values)
    made = [np.broadcast_to(np.asarray(x, dtype=float), states) for x in flat]
    return np.array(made).reshape(-1, states)
