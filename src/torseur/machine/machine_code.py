"""The functions of a compiled model as its methods: signatures and words before any code.

A model finds machine code in the place of a method when it first asks for it; from then on the
built-in function stands in the model itself, so that a call passes through no Python code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from types import FunctionType, MethodType
from typing import Any, Generic, TypeVar, final, overload

import numpy as np
from numpy.typing import ArrayLike

from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.placed import AXES, PLACED, placed_name
from torseur.errors import unknown
from torseur.model.description import GROUND

Array = np.ndarray
Swept = Mapping[str, ArrayLike] | None  # parameters whose values differ from row to row
Method = TypeVar("Method", bound=Callable[..., Any])
_ORDER = """

Arrays of shape (n,) for one state, or (N, n) for a batch: q in the order of `coordinates`, v, a and
Q in that of `speeds`, L in that of `constraints`. t is taken where the function depends on time.
`threads` splits a batch; `parameters` gives values that differ from row to row."""

_TURNED = """

Components are in ground axes; frame="body" gives them in the axes of the place itself."""


@final
class MachineCode(Generic[Method]):
    """A function of the catalogue, called like `form`; one that is `placed`, of places by name."""

    def __init__(self, form: Method, *, placed: bool = False) -> None:
        self._form, self._placed = form, placed

    def __set_name__(self, owner: type, name: str) -> None:
        self._name, more = name, _ORDER
        if self._placed:
            words = PLACED[name].result.format("a frame, a point or a body")
            more = _TURNED + _ORDER if PLACED[name].turned else _ORDER
        else:
            words = FUNCTIONS[name].result
        self._described_method = _described_method(self._form, owner, name, words, more)

    @overload
    def __get__(self, model: None, owner: type) -> MachineCode[Method]: ...

    @overload
    def __get__(self, model: Any, owner: type) -> Method: ...

    def __get__(self, model: Any, owner: type) -> Any:
        if model is None:
            return self._described_method
        if not self._placed:
            return model.function(self._name)
        # where it is found before this one; the code of each place is made once
        model.__dict__[self._name] = method = _of_places(model, self._name, self._described_method)
        return method


def _of_places(model: Any, function: str, template: FunctionType) -> Callable[..., Any]:
    """Method that calls the function of a place by its name; each is compiled once."""
    known: dict[str, dict[str, Callable[..., Any]]] = {axes: {} for axes in AXES}
    ground = known[GROUND]

    def function_of(name: Any, axes: Any) -> Callable[..., Any]:
        if axes not in AXES:
            raise unknown(function, "frame", str(axes), AXES)
        if name not in known[axes]:
            known[axes][name] = model.function(placed_name(function, name, axes))
        return known[axes][name]

    def at_place(_: Any, name: str, *arrays: Any, **options: Any) -> Any:
        if options:
            axes = options.pop("frame", GROUND)
            return function_of(str(name), axes)(*arrays, **options)
        try:
            function_there = ground[name]
        except (KeyError, TypeError):  # its first use, or it is no name
            function_there = function_of(str(name), GROUND)
        return function_there(*arrays)

    # a method of the model: it goes to another process by the model and its name
    method, described = wraps(template)(at_place), signature(template)
    first = Parameter("self", Parameter.POSITIONAL_ONLY)
    method.__dict__["__signature__"] = described.replace(
        parameters=[first, *described.parameters.values()]
    )
    return MethodType(method, model)


def _described_method(form: Any, owner: type, name: str, words: str, more: str) -> FunctionType:
    """Method without code that has the signature and the docstring of a function."""
    method = FunctionType(form.__code__, form.__globals__, name, form.__defaults__)
    method.__kwdefaults__, method.__annotations__ = form.__kwdefaults__, form.__annotations__
    method.__qualname__, method.__module__ = f"{owner.__name__}.{name}", owner.__module__
    method.__doc__ = f"{words[0].upper()}{words[1:]}.{more}"
    return method


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


def of_place(
    name: str,
    q: ArrayLike,
    t: ArrayLike | None = None,
    *,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of a place and q."""


def of_turned_place(
    name: str,
    q: ArrayLike,
    t: ArrayLike | None = None,
    *,
    frame: str = GROUND,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of a place and q, in the axes of the ground or of the place."""


def of_moving_place(
    name: str,
    q: ArrayLike,
    v: ArrayLike,
    t: ArrayLike | None = None,
    *,
    frame: str = GROUND,
    threads: int = 1,
    parameters: Swept = None,
) -> Any:
    """A function of a place, q and v, in the axes of the ground or of the place."""
