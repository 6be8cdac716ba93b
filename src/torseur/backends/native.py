"""Calls of machine code from Python: arrays checked, buffers reused, batches split over threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, final

import numpy as np

from torseur.backends.evaluator import Evaluator
from torseur.backends.functions import FUNCTIONS
from torseur.backends.llvm.builtin import builtin
from torseur.backends.memory import table
from torseur.errors import ModelError, unknown

Array = np.ndarray
_PIECES = 4  # of a batch for each thread: a thread that is held up leaves its share to the others


@final
class Calls:
    """The calls of one function at one set of parameters, for any input that can be understood."""

    def __init__(self, evaluator: Evaluator, parameters: Array) -> None:
        self.evaluator = evaluator
        self.name = evaluator.name
        self._parameters = parameters
        self.constants = np.zeros(max(evaluator.constants, 1))
        both = table(parameters, self.constants)  # named: it must outlive the call
        evaluator.entries.constants(both.ctypes.data)

    def _single(self, arrays: list[Array]) -> Any:
        output = np.empty(self.evaluator.shape)
        inputs = [np.ascontiguousarray(x) for x in arrays]
        all_of_them = table(self.constants, *inputs, output)
        self.evaluator.entries.single(all_of_them.ctypes.data)
        return output if output.ndim else float(output)

    def careful(self, arrays: tuple[Any, ...], threads: int, swept: Any) -> Any:
        """The result for one state or for every row, or what was expected."""
        inputs = self.evaluator.inputs
        if len(arrays) != len(inputs):
            expected = ", ".join(letter for letter, _ in inputs)
            raise ModelError(self.name, f"expected ({expected}), got {len(arrays)} arguments.")
        made = [
            _rows(self.name, letter, names, x)
            for (letter, names), x in zip(inputs, arrays, strict=True)
        ]
        if swept is not None:
            made.append(self._swept_rows(swept))
        counts = {len(x) for x in made if x.ndim == 2}
        if not counts:
            return self._single(made)
        if len(counts - {1}) > 1:
            sizes = ", ".join(str(x.shape) for x in made)
            raise ModelError(self.name, f"the batches have different lengths: shapes {sizes}.")
        rows = max(counts)
        wide = [np.ascontiguousarray(np.broadcast_to(x, (rows, x.shape[-1]))) for x in made]
        return self._batch(wide, rows, threads, swept is not None)

    def _swept_rows(self, swept: Mapping[str, Any]) -> Array:
        """One row of parameter values for each row of the batch."""
        names = self.evaluator.parameters
        for name in swept:
            if name not in names:
                raise unknown(self.name, "parameter", name, names)
        columns = [
            np.asarray(swept.get(name, value), dtype=float)
            for name, value in zip(names, self._parameters, strict=True)
        ]
        rows = np.stack(np.broadcast_arrays(*columns), axis=-1) if columns else np.zeros((1, 0))
        return np.atleast_2d(rows)

    def _batch(self, inputs: list[Array], rows: int, threads: int, swept: bool) -> Array:
        """All rows, in one or several pieces."""
        evaluator = self.evaluator.swept if swept else self.evaluator
        output = np.empty((rows, *evaluator.shape))
        pieces = 1 if threads <= 1 else min(_PIECES * threads, rows)
        cuts = np.linspace(0, rows, pieces + 1).astype(int)

        def piece(start: int, stop: int) -> None:
            count = np.array([stop - start], dtype=np.int64)
            parts = [x[start:stop] for x in (*inputs, output)]
            all_of_them = table(count, self.constants, *parts)
            evaluator.entries.batch(all_of_them.ctypes.data)

        if len(cuts) == 2:
            piece(0, rows)
        else:
            list(_pool(threads).map(piece, cuts[:-1], cuts[1:]))
        return output


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for batches: starting them costs more than a small batch."""
    return ThreadPoolExecutor(threads, thread_name_prefix="torseur")


def compiled_function(evaluator: Evaluator, parameters: Array) -> Callable[..., Any]:
    """A function of arrays: (n,) → one state, (N, n) → a batch of rows.

    `threads` splits a batch; `parameters` gives values that differ from row to row. Arrays that fit
    go to the machine code as they are; everything else is looked at first.
    """
    calls = Calls(evaluator, parameters)

    def careful(*arrays: Any, threads: int = 1, parameters: Any = None) -> Any:
        return calls.careful(arrays, threads, parameters)

    careful.__name__ = evaluator.name
    careful.__doc__ = _documentation(evaluator)
    addresses = getattr(evaluator.entries, "addresses", None)
    if addresses is None:
        return careful
    made = builtin(
        evaluator.name,
        careful.__doc__,
        addresses["python"],
        evaluator.shape,
        calls.constants,
        careful,
    )
    return made or careful


def _documentation(evaluator: Evaluator) -> str:
    known = FUNCTIONS.get(evaluator.name)
    words = f"{known.result[0].upper()}{known.result[1:]}.\n\n" if known else ""
    lines = [f"{letter}: {', '.join(names)}" for letter, names in evaluator.inputs]
    order = "\n".join(lines)
    return f"{words}Result of shape {evaluator.shape}. Order of the arguments:\n{order}"


def _rows(function: str, letter: str, names: tuple[str, ...], given: Any) -> Array:
    """A float array of shape (n,) or (N, n), or a message with the expected order."""
    try:
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        array = np.asarray(given, dtype=object)
    if array.dtype == object or array.ndim not in (1, 2) or array.shape[-1] != len(names):
        raise ModelError(
            f"{function}, argument {letter}",
            f"expected shape ({len(names)},) or (N, {len(names)}), got {array.shape}.",
            f"In this order: {', '.join(names)}.",
        )
    return array
