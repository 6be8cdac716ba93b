"""The functions of a compiled model as its methods: signatures and words before any code.

A model finds machine code in the place of a method when it first asks for it; from then on the
built-in function stands in the model itself, so that a call passes through no Python code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, wraps
from inspect import Parameter, signature
from types import FunctionType, MethodType
from typing import Any, Generic, TypeVar, final, overload

import numpy as np
from numpy.typing import ArrayLike

from torseur.algebra.printing.text import exact_text
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.closed_system import ClosedSystem, closed_kernel
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel
from torseur.equations.functions.motion import MotionKernels
from torseur.equations.functions.placed import AXES, PLACED, placed_name
from torseur.equations.functions.regressor import Column, columns
from torseur.equations.symbols.system import System, system
from torseur.errors import unknown
from torseur.machine.evaluator import Evaluator, evaluator, kernel_code
from torseur.machine.tree.evaluator import LoopFunctions, source, suits
from torseur.model.checks.given_values import GivenValues
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.fingerprint import fingerprint

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


# --- the machine code of one mechanism, valid for all parameter values ----------------------------


T = TypeVar("T")


@final
class Evaluators:
    """The machine code of a mechanism, made when it is first used and shared by all parameter sets.

    A small mechanism is straight-line code, a large one runs in loops over its bodies.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._made: dict[Any, Any] = {}

    def once(self, make: Callable[[Mechanism], T]) -> T:
        """Result of `make` for the mechanism, computed the first time."""
        return self._once(make, lambda: make(self._mechanism))

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._made:
            self._made[key] = make()
        result: T = self._made[key]
        return result

    @cached_property
    def system(self) -> System:
        """The tree and the symbols."""
        return system(self._mechanism)

    @cached_property
    def checks(self) -> GivenValues:
        """Checks of values given to parameters."""
        return GivenValues(self._mechanism)

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of the regressor."""
        return columns(self.system)

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self._mechanism)

    @cached_property
    def _loops(self) -> LoopFunctions:
        return LoopFunctions(source(self._mechanism), lambda: self.system, self.__getitem__)

    def __getitem__(self, name: str) -> Evaluator:
        return self._once(name, lambda: self._function(name))

    def _function(self, name: str) -> Evaluator:
        if suits(self._mechanism, name):
            return self._loops.evaluator(name)
        return evaluator(self._mechanism, self._fingerprint, name, lambda: self.system)

    def motion(self, rows: Rows) -> dict[str, Evaluator]:
        """Code that integrators call, with constraints held by the given rows of J."""

        def motion() -> dict[str, Evaluator]:
            kernels = MotionKernels(self.system, rows)
            return {
                name: kernel_code(kernel, self._identity(name, rows))
                for name, kernel in kernels.needed.items()
            }

        return self._once(rows, motion)

    def rate_derivative(self, rows: Rows) -> Evaluator | None:
        """∂ẏ/∂y of that motion; None where its code would be too long."""

        def derivative() -> Evaluator | None:
            kernels, name = (
                MotionKernels(self.system, rows),
                self._identity("rate_derivative", rows),
            )
            return (
                None if kernels.has_long_derivative else kernel_code(kernels.rate_derivative, name)
            )

        return self._once(("rate_derivative", rows), derivative)

    def closed(self, name: str, rows: Rows, actuators: tuple[str, ...]) -> Evaluator:
        """A function of a mechanism with loops, held by the given rows of J."""

        def kernel() -> Kernel:
            return closed_kernel(name, ClosedSystem(self.system, rows, actuators))

        identity = f"closed {name} {rows} {actuators} {self._fingerprint}"
        return self._once((name, rows, actuators), lambda: kernel_code(kernel, identity))

    def _identity(self, name: str, rows: Rows) -> str:
        zeros = (
            [exact_text(x.zero) for x in self._mechanism.events.values()]
            if name == "events"
            else ""
        )
        return f"{name} {rows} {zeros} {self._fingerprint}"
