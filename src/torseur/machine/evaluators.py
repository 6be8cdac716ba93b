"""The machine code of one mechanism: made when it is first used, valid for all parameter values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, final

from torseur.algebra.printing.text import exact_text
from torseur.equations.functions.closed_system import ClosedSystem, closed_kernel
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel
from torseur.equations.functions.motion import MotionKernels
from torseur.equations.functions.regressor import Column, columns
from torseur.equations.symbols.system import System, system
from torseur.machine.evaluator import Evaluator, evaluator, kernel_code
from torseur.machine.tree.evaluator import LoopFunctions, source, suits
from torseur.model.checks.given_values import GivenValues
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint

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
        return self._cached(make, lambda: make(self._mechanism))

    def _cached(self, key: Any, make: Callable[[], T]) -> T:
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
        return self._cached(name, lambda: self._function(name))

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

        return self._cached(rows, motion)

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

        return self._cached(("rate_derivative", rows), derivative)

    def closed(self, name: str, rows: Rows, actuators: tuple[str, ...]) -> Evaluator:
        """A function of a mechanism with loops, held by the given rows of J."""

        def kernel() -> Kernel:
            return closed_kernel(name, ClosedSystem(self.system, rows, actuators))

        identity = f"closed {name} {rows} {actuators} {self._fingerprint}"
        return self._cached((name, rows, actuators), lambda: kernel_code(kernel, identity))

    def _identity(self, name: str, rows: Rows) -> str:
        zeros = (
            [exact_text(x.zero) for x in self._mechanism.events.values()]
            if name == "events"
            else ""
        )
        return f"{name} {rows} {zeros} {self._fingerprint}"
