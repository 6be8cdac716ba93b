"""Comparison of the formalisms that apply to a mechanism."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME, Expr
from torseur.algebra.core.graph import expressions, flat, free_symbols
from torseur.algebra.forms.count import Operations, count
from torseur.brief import brief
from torseur.equations.compare.agreement import (
    EQUAL,
    OUTPUTS,
    STATES,
    Difference,
    Numbers,
    difference,
    differences,
    numbers,
    over_states,
    sampled,
)
from torseur.equations.constraints.rows import coordinate_rates
from torseur.equations.formalisms.derive import FORMALISMS, derived
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import eliminated, imposed, in_variables
from torseur.equations.symbols.places import SystemPlaces
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError, require_known
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.library import Free
from torseur.text_table import text_table
from torseur.words.sentence import say

Array = np.ndarray
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
        """Comparison as plain data."""
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
        refused = (row for row in self.rows if row.reason)
        lines += [say("{words}: {names}", row.formalism, row.reason) for row in refused]
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
    require_known("compare", "formalism", formalisms, FORMALISMS)
    known = system(mechanism)
    rows = [_derived(known, name) for name in formalisms or FORMALISMS]
    reference = next(
        (derived_equations for _, derived_equations in rows if derived_equations is not None), None
    )
    if reference is None:
        return Comparison(mechanism.name, tuple(row for row, _ in rows))
    compared = _beside(reference, rows, known)
    laws = imposed(known)
    if laws and "lagrange" in (formalisms or FORMALISMS) and reference.speeds == known.speeds:
        row, derived_equations = _derived(known, "lagrange", eliminate=laws)
        assert derived_equations is not None, "a law of time gives its coordinate"
        projected = in_variables(reference, eliminated(known, laws))
        compared += _beside(projected, [(replace(row, formalism=LAWS), derived_equations)], known)
    differences = tuple(x for _, apart in compared for x in apart)
    return Comparison(mechanism.name, tuple(row for row, _ in compared), differences)


def _derived(known: System, name: str, **options: Any) -> tuple[Compared, Equations | None]:
    """The equations with their cost, or why there are none."""
    began = time.process_time()
    try:
        equations = derived(known, name, **options)
    except ModelError as error:
        return Compared(name, reason=str(error).replace("\n  ", " ")), None
    seconds = time.process_time() - began
    cost = count([x for output in OUTPUTS for x in flat(equations.output(output))])
    return Compared(name, cost, seconds), equations


def _beside(
    reference: Equations, rows: Sequence[tuple[Compared, Equations | None]], known: System
) -> list[tuple[Compared, list[Difference]]]:
    """Difference of the equations of each row from the reference, and the terms that differ."""
    given = [derived_equations for _, derived_equations in rows if derived_equations is not None]
    samples = {
        id(x): JointSpeeds(x, known)
        for x in given
        if x.speeds != reference.speeds and reference.speeds == known.speeds
    }
    alike = [reference, *(x for x in given if x.speeds == reference.speeds)]
    values = sampled(alike, STATES, [y for x in samples.values() for y in x.spoken])
    right = numbers(reference, values, STATES)
    compared: list[tuple[Compared, list[Difference]]] = []
    for row, derived_equations in rows:
        if derived_equations is None:
            compared.append((row, []))
        elif derived_equations.speeds == reference.speeds:
            size = difference(right, numbers(derived_equations, values, STATES))
            apart = differences(reference, derived_equations, values) if size > EQUAL else []
            compared.append((replace(row, difference=size), apart))
        elif id(derived_equations) in samples:
            size = difference(right, samples[id(derived_equations)].numbers(values, STATES))
            compared.append((replace(row, difference=size), []))
        else:
            reason = say(
                "it has other variables ({count} speeds), and is not compared.",
                len(derived_equations.speeds),
            )
            compared.append((replace(row, reason=reason), []))
    return compared


# --- absolute coordinates -------------------------------------------------------------------------


@final
class JointSpeeds:
    """Absolute equations seen in the speeds of the joints, so that others compare with them.

    The poses and speeds w of all bodies are functions of the coordinates of a tree: w = B v and
    w' = B v' + β give Bᵀ (M (B v' + β) + h + g) = Bᵀ Q. The reactions of the joints that carry the
    bodies do not work in B and drop out.
    """

    def __init__(self, absolute: Equations, tree: System) -> None:
        self._absolute = absolute
        places, bodies = SystemPlaces(tree), tree.mechanism.bodies
        poses, speeds = [], []
        for _, link in absolute.system.tree:
            centre = Attachment(link.name, bodies[link.name].centre)
            poses += [*places.position(centre), *places.rotation(link.name).matrix.ravel()]
            speeds += [*places.velocity(centre), *places.twist(centre)[0]]
        self._poses, self._speeds = expressions(poses), expressions(speeds)
        self._B = jacobian(self._speeds, tree.v).reshape(len(speeds), len(tree.v))
        along = dict(zip(tree.q, coordinate_rates(tree), strict=True))
        self._turning = time_derivative(self._speeds, along, TIME)

    @property
    def spoken(self) -> list[Expr]:
        """The symbols that must have a value."""
        outputs = [x for name in OUTPUTS for x in flat(self._absolute.output(name))]
        return free_symbols([*outputs, *self._poses, *self._speeds, *self._turning])

    def numbers(self, values: Mapping[str, Array], states: int) -> Numbers:
        """M, h, g and Q in the speeds of the tree, at states of the tree."""
        n, m = self._B.shape
        at = numbers(self._absolute, {**values, **self._states(values, states)}, states)
        M = at["M"].reshape(n, n, states)
        B = over_states(self._B.ravel(), values, states).reshape(n, m, states)
        turning = over_states(self._turning, values, states)
        needed = at["h"] + np.einsum("ijk,jk->ik", M, turning)
        return {
            "M": np.einsum("iak,ijk,jbk->abk", B, M, B).reshape(m * m, states),
            "h": np.einsum("iak,ik->ak", B, needed),
            "g": np.einsum("iak,ik->ak", B, at["g"]),
            "Q": np.einsum("iak,ik->ak", B, at["Q"]),
        }

    def _states(self, values: Mapping[str, Array], states: int) -> dict[str, Array]:
        """The absolute coordinates and speeds by name."""
        system = self._absolute.system
        poses = over_states(self._poses, values, states).reshape(-1, 4, 3, states)
        placed = [
            Free().read(pose[1:, :, k], pose[0, :, k]) for k in range(states) for pose in poses
        ]
        q = np.array(placed, dtype=float).reshape(states, len(system.q)).T
        v = over_states(self._speeds, values, states)
        return dict(zip((*system.coordinates, *system.speeds), (*q, *v), strict=True))
