"""The functions of a compiled model as its methods: signatures and words before any code.

A model finds machine code in the place of a method when it first asks for it; from then on the
built-in function stands in the model itself, so that a call passes through no Python code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Generic, TypeVar, final, overload

import numpy as np
from numpy.typing import ArrayLike

from torseur.equations.functions.catalogue import FUNCTIONS

Array = np.ndarray
Swept = Mapping[str, ArrayLike] | None  # parameters whose values differ from row to row
Method = TypeVar("Method", bound=Callable[..., Any])
_ORDER = """

Arrays of shape (n,) for one state, or (N, n) for a batch: q in the order of `coordinates`, v, a and
Q in that of `speeds`, L in that of `constraints`. t is taken where the function depends on time.
`threads` splits a batch; `parameters` gives values that differ from row to row."""


@final
class MachineCode(Generic[Method]):
    """A function of the catalogue, called like `form`."""

    def __init__(self, form: Method) -> None:
        self._form = form

    def __set_name__(self, owner: type, name: str) -> None:
        form: Any = self._form
        self._name = name
        shown = FunctionType(form.__code__, form.__globals__, name, form.__defaults__)
        shown.__kwdefaults__, shown.__annotations__ = form.__kwdefaults__, form.__annotations__
        shown.__qualname__, shown.__module__ = f"{owner.__name__}.{name}", owner.__module__
        words = FUNCTIONS[name].result
        shown.__doc__ = f"{words[0].upper()}{words[1:]}.{_ORDER}"
        self._shown = shown

    @overload
    def __get__(self, model: None, owner: type) -> MachineCode[Method]: ...

    @overload
    def __get__(self, model: Any, owner: type) -> Method: ...

    def __get__(self, model: Any, owner: type) -> Any:
        if model is None:
            return self._shown
        return model.function(self._name)


# --- what functions take ------------------------------------------------------------------------


def of_position(
    q: ArrayLike, t: ArrayLike | None = None, *, threads: int = 1, parameters: Swept = None
) -> Any:
    """A function of q."""


def of_motion(
    q: ArrayLike,
    v: ArrayLike,
    t: ArrayLike | None = None,
    *,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of q and v."""


def of_acceleration(
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    t: ArrayLike | None = None,
    *,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of q, v and a."""


def of_forces(
    q: ArrayLike,
    v: ArrayLike,
    Q: ArrayLike,
    t: ArrayLike | None = None,
    *,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of q, v and Q."""


def of_held_position(
    q: ArrayLike,
    L: ArrayLike,
    t: ArrayLike | None = None,
    *,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of q and the multipliers L."""


def of_multipliers(
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    L: ArrayLike,
    t: ArrayLike | None = None,
    *,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of q, v, a and the multipliers L."""
