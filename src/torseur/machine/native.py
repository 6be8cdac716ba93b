"""Calls of machine code from Python: arrays checked, buffers reused, batches split over threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, final

import numpy as np

from torseur.algebra.core.called import that_raises
from torseur.equations.functions.closed_system import JUDGED
from torseur.equations.functions.placed import declaration
from torseur.errors import ModelError, unknown
from torseur.machine.evaluator import Evaluator
from torseur.machine.llvm.builtin import WritingCode, builtin
from torseur.machine.runtime.memory import table
from torseur.machine.setting import Setting
from torseur.model.forces.custom import calls_python
from torseur.words.sentence import say

Array = np.ndarray
_FEW = 500  # rows
_PIECES = 2  # of a batch for each thread: a thread that is held up leaves its share to the others


@final
class Calls:
    """The calls of one function at one set of parameters, for any input that can be understood."""

    def __init__(
        self, evaluator: Evaluator, parameters: Array, setting: Setting | None = None
    ) -> None:
        self.evaluator = evaluator
        self.name = evaluator.name
        self.setting = setting
        declared = declaration(evaluator.name)
        self.solves = declared is not None and declared.solves
        self.constants = evaluator.new_constants()
        self.set(parameters)

    def set(self, parameters: Array) -> None:
        """Go on with other values, for all who hold the constants too."""
        self._parameters = parameters
        both = table(parameters, self.constants)  # named: it must outlive the call
        self.evaluator.entries.constants(both.ctypes.data)

    @property
    def values(self) -> Array:
        """The values of the parameters, in the order of those of the function."""
        return self._parameters

    def code(self, shape: tuple[int, ...]) -> WritingCode | None:
        """The machine code of one state, whose result has a shape; None where there is none."""
        addresses = getattr(self.evaluator.entries, "addresses", None)
        if addresses is None:
            return None
        lengths = tuple(len(names) for _, names in self.evaluator.inputs)
        return WritingCode(
            addresses["single"], self.constants, lengths, shape, self.evaluator.new_room()
        )

    def _single(self, arrays: list[Array]) -> Any:
        output = np.empty(self.evaluator.shape)
        inputs, room = [np.ascontiguousarray(x) for x in arrays], self.evaluator.new_room()
        all_of_them = table(self.constants, *inputs, output, room)
        self.evaluator.entries.single(all_of_them.ctypes.data)
        return output if output.ndim else float(output)

    def in_order(self, arrays: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """Arguments given by their letters, after those given by their places."""
        letters = [letter for letter, _ in self.evaluator.inputs]
        for letter in named:
            if letter not in letters[len(arrays) :]:
                problem = say('the argument "{letter}" is given twice.', letter)
                raise (
                    ModelError(self.name, problem)
                    if letter in letters
                    else unknown(self.name, "argument", letter, (*letters, "threads", "parameters"))
                )
        return (*arrays, *(named[x] for x in letters if x in named))

    def careful(self, arrays: tuple[Any, ...], threads: int, swept: Any) -> Any:
        """The result for one state or for every row, or what was expected."""
        inputs = self._understood(arrays)
        if swept is not None:
            inputs.append(self._swept_rows(swept))
        rows = rows_of_batches(self.name, inputs)
        if rows is None:
            result = self._single(inputs)
        else:
            inputs = [np.ascontiguousarray(np.broadcast_to(x, (rows, x.shape[-1]))) for x in inputs]
            result = self._batch(inputs, rows, threads, swept is not None)
        if self.solves and self.setting is not None:
            total = np.einsum("i->", np.ravel(result))  # one quick pass over a batch
            if not np.isfinite(total):
                self._look_for_a_cause(self.setting, result, inputs)
        return result

    def _understood(self, arrays: tuple[Any, ...]) -> list[Array]:
        inputs = self.evaluator.inputs
        if len(arrays) != len(inputs):
            expected = ", ".join(letter for letter, _ in inputs)
            raise ModelError(
                self.name,
                say("expected ({expected}), got {number} arguments.", expected, len(arrays)),
            )
        return [
            argument_rows(self.name, letter, names, x)
            for (letter, names), x in zip(inputs, arrays, strict=True)
        ]

    def _look_for_a_cause(self, setting: Setting, result: Any, inputs: list[Array]) -> None:
        """Raise why a row has no finite result, unless its inputs were not finite either."""
        letters = [letter for letter, _ in self.evaluator.inputs]
        names = self.evaluator.parameters
        rows = np.reshape(result, (-1, int(np.prod(self.evaluator.shape))))
        for k in np.flatnonzero(~np.isfinite(rows).all(axis=1)):
            row = [np.atleast_2d(x)[k] for x in inputs]
            if all(np.isfinite(x).all() for x in row):
                state = dict(zip(letters, row, strict=False))
                swept = row[len(letters) :]
                values = dict(zip(names, swept[0], strict=True)) if swept else {}
                raise setting.cause(self.name, state, values)

    def _swept_rows(self, swept: Mapping[str, Any]) -> Array:
        """One row of parameter values for each row of the batch."""
        names = self.evaluator.parameters
        values = swept if self.setting is None else self.setting.swept(swept)
        for name in values:
            if self.setting is None and name not in names:
                raise unknown(self.name, "parameter", name, names)
        columns = [
            np.asarray(values.get(name, value), dtype=float)
            for name, value in zip(names, self._parameters, strict=True)
        ]
        given = (np.shape(x) for x in swept.values())  # what the function does not use counts too
        shape = np.broadcast_shapes(*given, *(x.shape for x in columns), (1,))
        rows = np.empty((*shape, len(columns)))
        for k, column in enumerate(columns):
            rows[..., k] = column
        return rows

    def _batch(self, inputs: list[Array], rows: int, threads: int, swept: bool) -> Array:
        """All rows, in one or several pieces."""
        evaluator = self.evaluator.swept if swept else self.evaluator
        output, call = empty((rows, *evaluator.shape)), evaluator.entries.batch
        pieces = 1 if threads <= 1 else min(_PIECES * threads, rows)
        cuts = np.linspace(0, rows, pieces + 1).astype(int)

        def piece(start: int, stop: int) -> None:
            count = np.array([stop - start], dtype=np.int64)
            parts = [x[start:stop] for x in (*inputs, output)]
            room = self.evaluator.new_room()  # for each thread
            all_of_them = table(count, self.constants, *parts, room)
            call(all_of_them.ctypes.data)

        if len(cuts) == 2:
            piece(0, rows)
        else:
            list(_pool(threads).map(piece, cuts[:-1], cuts[1:]))
        return output


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for batches: starting them costs more than a small batch."""
    return ThreadPoolExecutor(threads, thread_name_prefix="torseur")


def compiled_function(
    evaluator: Evaluator, parameters: Array, setting: Setting | None = None
) -> Callable[..., Any]:
    """A function of arrays: (n,) → one state, (N, n) → a batch of rows.

    `threads` splits a batch; `parameters` gives values that differ from row to row, of any
    parameter of the mechanism. Arrays that fit go to the machine code as they are; everything else
    is looked at first.
    """
    compiled = python_function(Calls(evaluator, parameters, setting))
    return that_raises(compiled) if setting and calls_python(setting.mechanism) else compiled


def python_function(calls: Calls) -> Callable[..., Any]:
    """A function of arrays at the parameters of some calls, which may change."""
    evaluator, careful = calls.evaluator, _Careful(calls)
    code = calls.code(evaluator.shape)
    if code is None:
        return careful
    letters = ", ".join(letter for letter, _ in evaluator.inputs)
    signature = f"{evaluator.name}({letters}, *, threads=1, parameters=None)"
    documentation = f"{signature}\n--\n\n{careful.__doc__}"
    array = "solved" if calls.solves else "array"
    entry = array if evaluator.shape else "number"
    return builtin(entry, evaluator.name, documentation, code, careful) or careful


def judged_function(calls: Calls, careful: Callable[..., Any]) -> Callable[..., Any] | None:
    """A function of one state whose result is judged in machine code, and left to `careful` if bad.

    The code ends with the numbers to judge by. None where it cannot be called from Python.
    """
    code = calls.code((calls.evaluator.shape[0] - len(JUDGED),))
    return code and builtin("judged", calls.name, "", code, careful)


@final
class _Careful:
    """A function that looks at its arguments; it goes to another process by its model."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.__name__ = self.__qualname__ = calls.evaluator.name
        self.__doc__ = _documentation(calls.evaluator)

    def __call__(self, *arrays: Any, threads: int = 1, parameters: Any = None, **named: Any) -> Any:
        return self._calls.careful(self._calls.in_order(arrays, named), threads, parameters)

    @property
    def home(self) -> ModelFunctions:
        """The functions of the model that has this one."""
        setting = self._calls.setting
        if setting is None:
            raise TypeError(f"{self.__name__} belongs to no model, and cannot be pickled")
        return ModelFunctions(setting.model({}))

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.home, self.__name__)


@final
class ModelFunctions:
    """The functions of a compiled model as attributes, those of places ("pose:tool") too."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name == "model" or name.startswith("_"):  # asked before it is made
            raise AttributeError(name)
        attribute: Callable[..., Any] = self.model.function(name)
        return attribute


def of_few(function: Callable[..., Any], arrays: list[Array]) -> Any:
    """A function at one state, or at each of a batch: a few one by one, without code for batches.

    That code takes longer to make than the few calls.
    """
    rows = max([len(x) for x in arrays if x.ndim == 2], default=0)
    if not 0 < rows <= _FEW:
        return function(*arrays)
    # strides of zero would not fit the machine code: only what is one row for all is repeated
    each = [x if len(x) == rows and x.ndim == 2 else [x.reshape(-1)] * rows for x in arrays]
    return np.array([function(*state) for state in zip(*each, strict=True)])


def with_time(function: Callable[..., Any], takes_time: bool) -> Callable[..., Any]:
    """A function called with t after its states, which it takes or not, and with what follows."""

    def at_time(*arrays: Any, after: tuple[Array, ...] = ()) -> Any:
        *given, t = arrays
        states = [np.asarray(x) for x in given]
        if takes_time:
            states.append(np.asarray(t, dtype=float)[..., np.newaxis])
        return of_few(function, [*states, *after])

    return at_time


def _documentation(evaluator: Evaluator) -> str:
    known = declaration(evaluator.name)
    result = known.result.format(evaluator.name.partition(":")[2]) if known else ""
    words = f"{result[0].upper()}{result[1:]}.\n\n" if result else ""
    lines = [f"{letter}: {', '.join(names)}" for letter, names in evaluator.inputs]
    order = "\n".join(lines)
    return f"{words}Result of shape {evaluator.shape}. Order of the arguments:\n{order}"


def rows_of_batches(function: str, arrays: Sequence[Array]) -> int | None:
    """The number of rows of batches, where one row stands for any number; None: one state."""
    counts = {len(x) for x in arrays if x.ndim == 2}
    if len(counts - {1}) > 1:
        sizes = ", ".join(str(x.shape) for x in arrays)
        raise ModelError(
            function, say("the batches have different lengths: shapes {sizes}.", sizes)
        )
    return next(iter(counts - {1} or counts), None)


def argument_rows(function: str, letter: str, names: tuple[str, ...], given: Any) -> Array:
    """A float array of shape (n,) or (N, n), or a message with the expected order."""
    try:
        array = np.asarray(given)
        array = array if np.iscomplexobj(array) else array.astype(float, copy=False)
    except (TypeError, ValueError):
        array = np.asarray(given, dtype=object)
    if np.iscomplexobj(array):
        raise ModelError(
            say("{function}, argument {letter}", function, letter),
            "expected real numbers, got complex ones.",
            "Derivatives are given by functions of their own, such as jacobian.",
        )
    if array.dtype == object or array.ndim not in (1, 2) or array.shape[-1] != len(names):
        raise ModelError(
            say("{function}, argument {letter}", function, letter),
            say(
                "expected shape ({number},) or (N, {number}), got {shape}.", len(names), array.shape
            ),
            say("In this order: {names}.", ", ".join(names)),
        )
    return array


# --- memory of large results, used again once a result is released --------------------------------
# The system clears the pages of new memory one by one, which takes half as long as filling them
# with the mass matrices of an arm. An array that is handed out is a view, and every view of it
# holds the array that owns the memory: when only this module holds it, it is free.


_LEAST = 1 << 20  # bytes from which memory is kept
_MOST = 1 << 27  # bytes that are kept in all
_ALONE = 3  # references to an array that is held here only: the list, the loop, the call that asks
_LOCK = threading.Lock()
_KEPT: list[Array] = []


def empty(shape: tuple[int, ...]) -> Array:
    """An array of doubles with anything in it."""
    size = int(np.prod(shape))
    if not _LEAST <= 8 * size <= _MOST // 2 or not _counts():
        return np.empty(shape)
    with _LOCK:
        whole = _free(size)
        if whole is None:
            whole = np.empty(size)
            while _KEPT and sum(x.nbytes for x in _KEPT) + whole.nbytes > _MOST:
                _KEPT.pop(0)  # who holds a view of it keeps its memory
            _KEPT.append(whole)
        return whole[:size].reshape(shape)


def _counts() -> bool:
    """Whether references are counted at once, as CPython with its lock does."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)
    return sys.implementation.name == "cpython" and locked()


def _free(size: int) -> Array | None:
    """Memory of about that size that only this module refers to."""
    for whole in _KEPT:
        fits = size <= whole.size <= 2 * size
        if fits and sys.getrefcount(whole) == _ALONE:
            return whole
    return None
