"""The values of a batch: coordinates, speeds and parameters, one for all rows or one for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, require_known
from torseur.language.text.given import given_parameters, given_state
from torseur.model.description import Mechanism
from torseur.model.values.scales import state_units
from torseur.words.sentence import say

Array = np.ndarray
Values = Mapping[str, float | Array]
Reasons = dict[int, str]  # why a row does not move, by its number


@final
@dataclass(frozen=True)
class BatchValues:
    """Values that rows start from: numbers that all share, and arrays with one for each."""

    count: int
    initial: dict[str, Any]  # numbers and arrays (count,)
    parameters: dict[str, Any]
    reasons: Reasons = field(default_factory=dict)  # of the rows whose values are no numbers
    numbers: Array | None = None  # of the rows in the whole batch; None: these are all

    def of(self, row: int) -> tuple[dict[str, float], dict[str, float]]:
        """The initial values and the parameters of one row."""
        initial, parameters = (
            {n: float(x[row]) if isinstance(x, np.ndarray) else x for n, x in values.items()}
            for values in (self.initial, self.parameters)
        )
        return initial, parameters

    def number(self, row: int) -> int:
        """The number of a row in the whole batch."""
        return row if self.numbers is None else int(self.numbers[row])

    def only(self, rows: Array) -> BatchValues:
        """Some of the rows."""
        initial, parameters = (
            {n: x[rows] if isinstance(x, np.ndarray) else x for n, x in values.items()}
            for values in (self.initial, self.parameters)
        )
        return BatchValues(len(rows), initial, parameters, numbers=rows)


def is_batch(*given: Any) -> bool:
    """Whether values by name hold an array, which makes one motion for each of its entries."""
    tables = (x for x in given if isinstance(x, Mapping) and not hasattr(x, "samples"))
    return any(_is_array(value) for values in tables for value in values.values())


def _is_array(value: Any) -> bool:
    return not isinstance(value, str) and np.ndim(value) > 0


def batch_values(
    mechanism: Mechanism, initial: Values | None, parameters: Values | None
) -> BatchValues:
    """The values as given, checked; `reasons` lists the rows with values that are no numbers."""
    state, constants = dict(initial or {}), dict(parameters or {})
    arrays = [(n, np.asarray(x)) for n, x in (*state.items(), *constants.items()) if _is_array(x)]
    count = _length(arrays)
    same = {n: x for n, x in state.items() if not _is_array(x)}
    others = {n: x for n, x in constants.items() if not _is_array(x)}
    require_known("initial", "coordinate", state, state_units(mechanism))
    require_known("parameters", "parameter", constants, mechanism.parameter_table)
    numbers = given_state(mechanism, same), given_parameters(mechanism, others)
    wide = [
        {n: _floats(n, x) if _is_array(x) else known[n] for n, x in values.items()}
        for values, known in zip((state, constants), numbers, strict=True)
    ]
    return BatchValues(count, wide[0], wide[1], _not_finite(wide))


def _length(arrays: list[tuple[str, Array]]) -> int:
    """The number of rows."""
    for name, x in arrays:
        if x.ndim != 1 or not len(x):
            raise ModelError(
                f'"{name}"',
                say("its values have the shape {shape}.", x.shape),
                "Give one value for each row, in an array of one dimension.",
            )
    lengths = {len(x) for _, x in arrays}
    if len(lengths) > 1:
        listed = ", ".join(f"{name}: {len(x)}" for name, x in arrays)
        raise ModelError(
            "simulate",
            say("the arrays have different lengths: {listed}.", listed),
            "Give one value for each row, or one number for all of them.",
        )
    return lengths.pop() if lengths else 1


def _floats(name: str, given: Any) -> Array:
    try:
        return np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(
            f'"{name}"', "its values are not numbers.", "Give numbers in SI units and radians."
        ) from None


def _not_finite(tables: list[dict[str, Any]]) -> Reasons:
    """The rows that have a value which is no finite number."""
    reasons: Reasons = {}
    for values in tables:
        for name, x in values.items():
            if isinstance(x, np.ndarray):
                for row in np.flatnonzero(~np.isfinite(x)):
                    reason = say("{name} is {value}, not a finite number.", name, float(x[row]))
                    reasons.setdefault(int(row), reason)
    return reasons
