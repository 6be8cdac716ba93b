"""Functions in Python as nodes of expressions, for machine code to call back.

A function takes an array of numbers and gives an array of numbers. A node is one of these numbers,
or its derivative by one argument, by central differences. Expressions and machine code know a
function by its number in the register; the numbers of a process are its own, so that code from the
cache calls whatever function has the number there. What a function raises cannot pass through
machine code: its value becomes NaN, and `raise_what_functions_raised` raises it afterwards.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from itertools import count
from threading import Lock
from typing import Any, ClassVar, final
from weakref import WeakValueDictionary

import numpy as np

from torseur.algebra.core.expr import STATE, Expr, node
from torseur.errors import ModelError

Array = np.ndarray
SYMBOL = "torseur.python"  # by which machine code knows `CALLBACK`
_STEP = float(np.finfo(float).eps ** (1 / 3))  # of central differences, relative
_KEPT = 64  # calls whose values are known, for the other components of a value
_SERIAL = count(1)
_register: WeakValueDictionary[int, PythonFunction] = WeakValueDictionary()
_raised: list[BaseException] = []


@final
class PythonFunction:
    """A function (count,) → (size,) in Python, with its number in the register."""

    def __init__(
        self, function: Callable[[Array], Any], name: str, labels: tuple[str, ...]
    ) -> None:
        self.function, self.name, self.labels = function, name, labels  # of the numbers
        self.serial = next(_SERIAL)
        self._values: OrderedDict[tuple[bytes, bool], tuple[Array, set[tuple[int, int]]]] = (
            OrderedDict()
        )
        self._lock = Lock()
        _register[self.serial] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.function, self.name, self.labels)

    def __repr__(self) -> str:
        return f"function {self.serial}"

    def node(self, component: int, args: tuple[Expr, ...]) -> Expr:
        """A number of the value at arguments."""
        return PythonCall(self, component)(*args)

    def number(self, x: Array, component: int, by: int) -> float:
        """A number of the value at an array of numbers, or its derivative by one of them.

        It is NaN if the function has raised an exception.
        """
        return self._known(x, (component, by), self._differences if by >= 0 else self._value)

    def _known(self, x: Array, part: tuple[int, int], compute: Callable[[Array], Array]) -> float:
        """A number of a value, which is computed again when this number was given before."""
        key = x.tobytes(), part[1] >= 0
        with self._lock:
            known, given = self._values.get(key, (None, set()))
        if known is None or part in given:
            known, given = compute(x), set()
            with self._lock:
                self._values[key] = known, given
                if len(self._values) > _KEPT:
                    self._values.popitem(last=False)
        given.add(part)
        return float(known[part] if part[1] >= 0 else known[part[0]])

    def _value(self, x: Array) -> Array:
        if _raised or not np.isfinite(x).all():
            return np.full(len(self.labels), np.nan)
        try:
            return np.asarray(self.function(x), dtype=float)
        except BaseException as error:
            _raised.append(error)
            return np.full(len(self.labels), np.nan)

    def _differences(self, x: Array) -> Array:
        steps = _STEP * np.maximum(1.0, abs(x))
        columns = []
        for k, step in enumerate(steps):
            up, down = x.copy(), x.copy()
            up[k], down[k] = x[k] + step, x[k] - step
            columns.append((self._value(up) - self._value(down)) / (up[k] - down[k]))
        return np.array(columns).T


@final
@dataclass(frozen=True)
class PythonCall:
    """A number of the value of a function in Python, or its derivative by an argument."""

    of: PythonFunction
    component: int
    by: int = -1  # the argument of the derivative; −1: the value itself

    parity: ClassVar[str] = ""

    def __repr__(self) -> str:
        return f"{self.of!r} {self.component} {self.by}"

    @property
    def name(self) -> str:
        """The label of the number, with the place of an argument for a derivative."""
        return self.of.labels[self.component] + ("" if self.by < 0 else f"_{self.by}")

    def __call__(self, *args: Expr) -> Expr:
        """The node of this number at arguments: more than two, which other nodes have not."""
        assert len(args) > 2, "a node of two arguments is a sum or a product"
        return node("call", args, self, STATE)

    def evaluate(self, *args: Any) -> Any:
        """The number at numbers, or at arrays that broadcast."""
        wide = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in args))
        columns = np.array([x.ravel() for x in wide])
        rows = np.ascontiguousarray(columns.T)
        values = [self.of.number(row, self.component, self.by) for row in rows]
        return np.array(values).reshape(wide[0].shape)[()]

    def derivatives(self, *args: Expr) -> tuple[Expr, ...]:
        """The derivative by each argument; a second one is refused."""
        if self.by >= 0:
            problem = "it is a function in Python, which has no second derivatives."
            advice = "Write the force as an expression."
            raise ModelError(f'force "{self.of.name}"', problem, advice)
        return tuple(PythonCall(self.of, self.component, k)(*args) for k in range(len(args)))


def _called_back(serial: int, component: int, by: int, size: int, place: int) -> float:
    """Number of a function at `size` doubles at an address, for machine code to call."""
    try:
        x = np.ctypeslib.as_array((ctypes.c_double * size).from_address(place)).copy()
        return _register[serial].number(x, component, by)
    except BaseException as error:  # an interruption: an exception here would be printed and lost
        _raised.append(error)
        return float("nan")


_INTEGERS = [ctypes.c_int64] * 4
CALLBACK: Any = ctypes.CFUNCTYPE(ctypes.c_double, *_INTEGERS, ctypes.c_void_p)(_called_back)


def raise_what_functions_raised() -> None:
    """Raise the first exception of a function in Python since the last time."""
    if _raised:
        first = _raised[0]
        _raised.clear()
        raise first


def refused(x: Expr) -> ModelError:
    """The error where a node that calls Python cannot be written or sent elsewhere."""
    place = f'force "{x.value.of.name}"'
    problem = "its law is a function in Python, which no file and no other language can hold."
    return ModelError(place, problem, "Write the law as an expression, or leave the force out.")


def that_raises(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function after whose calls is raised what functions in Python raised."""

    @wraps(function)
    def raising(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        finally:
            raise_what_functions_raised()

    return raising
