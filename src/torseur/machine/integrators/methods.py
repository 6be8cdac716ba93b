"""The methods and their settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, final

import numpy as np

from torseur.errors import ModelError
from torseur.machine.integrators.problem import Function, Restraint
from torseur.words.sentence import say

Array = np.ndarray
ORDERS = (2, 4, 6)  # of the symplectic methods


@final
@dataclass(frozen=True)
class Dop853:
    """Order 8 with control of the error: that of a step stays within atol + rtol |y|."""

    rtol: float = 1e-9
    atol: float | Array | None = None  # one number, or one for each component; None: by size
    max_step: float = np.inf
    patience: int = 0  # steps kept short by stability until the run pauses; 0: it never does

    kernel: ClassVar[str] = "dop853"

    def settings(self) -> dict[str, Any]:
        """Settings of the method in the record of a run."""
        return {**_tolerances(self), "patience": self.patience}


@final
@dataclass(frozen=True)
class Radau:
    """Order 5, implicit, for stiff systems: the error of a step stays within atol + rtol |y|."""

    rtol: float = 1e-9
    atol: float | Array | None = None  # one number, or one for each component; None: by size
    max_step: float = np.inf
    derivative: Function | None = None  # of ẏ: output ∂ẏ/∂y (n, n); None: by differences

    kernel: ClassVar[str] = "radau"

    def settings(self) -> dict[str, Any]:
        """Settings of the method in the record of a run."""
        return _tolerances(self)


def _tolerances(method: Dop853 | Radau) -> dict[str, Any]:
    settings = {"rtol": method.rtol, "atol": method.atol, "max_step": method.max_step}
    for name, value in settings.items():
        if value is not None and not np.all(np.asarray(value) > 0):
            raise ModelError(
                method.kernel, say("{name} must be positive, got {value}.", name, value)
            )
    return settings


@final
@dataclass(frozen=True)
class FixedStep:
    """An explicit method with a fixed step, shortened so as to divide the intervals of samples."""

    step: float
    kernel: str

    def settings(self) -> dict[str, Any]:
        """Settings of the method in the record of a run."""
        return _fixed_settings(self)


RK4 = partial(FixedStep, kernel="rk4")  # order 4
Euler = partial(FixedStep, kernel="euler")  # order 1


def _fixed_settings(method: FixedStep | Symplectic) -> dict[str, Any]:
    if not method.step > 0:
        raise ModelError(method.kernel, say("the step must be positive, got {step}.", method.step))
    return {"step": method.step, "atol": 0.0}


@final
@dataclass(frozen=True)
class Symplectic:
    """Gauss and Legendre's methods with a fixed step, for canonical equations in (q, p, …).

    The step is shortened so as to divide the intervals between samples.
    """

    step: float
    order: int
    pairs: int  # coordinates, each of which has its momentum
    restraint: Restraint | None = None  # None: nothing is to be held

    kernel: ClassVar[str] = "symplectic"

    def settings(self) -> dict[str, Any]:
        """Settings of the method in the record of a run."""
        fixed = _fixed_settings(self)
        if self.order not in ORDERS:
            known = ", ".join(map(str, ORDERS))
            raise ModelError(
                "symplectic",
                say("the order must be one of {known}, got {order}.", known, self.order),
            )
        rows = 0 if self.restraint is None else self.restraint.rows
        return fixed | {"order": self.order, "pairs": self.pairs, "restraints": rows}


Method = Dop853 | FixedStep | Symplectic | Radau
