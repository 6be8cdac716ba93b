"""Methods of integration with their settings."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class FixedStep:
    """A method with a fixed step, shortened so as to divide the intervals between samples."""

    step: float | None = None  # [s]; None: chosen for the motion

    kernel: ClassVar[str]

    @property
    def length(self) -> float:
        """The step [s], once it is chosen."""
        if self.step is None or not self.step > 0:
            raise ModelError(self.kernel, say("the step must be positive, got {step}.", self.step))
        return self.step

    def settings(self) -> dict[str, Any]:
        """Settings of the method in the record of a run."""
        return {"step": self.length, "atol": 0.0}


@final
@dataclass(frozen=True)
class RK4(FixedStep):
    """Runge and Kutta's method of order 4; the step is the interval of samples by default."""

    kernel: ClassVar[str] = "rk4"


@final
@dataclass(frozen=True)
class Euler(FixedStep):
    """Euler's method of order 1; the step is the interval between samples by default."""

    kernel: ClassVar[str] = "euler"


@final
@dataclass(frozen=True)
class Moreau(FixedStep):
    """Moreau and Jean's steps, in which contacts act by impulses."""

    atol: float | None = None  # residual of piles [m/s]; None: that of the usual sweeps

    kernel: ClassVar[str] = "moreau"


@final
@dataclass(frozen=True)
class Symplectic(FixedStep):
    """Gauss and Legendre's methods of order 2, 4 or 6, for canonical equations in (q, p, …)."""

    order: int = 4
    pairs: int = 0  # coordinates, each of which has its momentum; set for the motion
    restraint: Restraint | None = None  # None: nothing is to be held; set for the motion

    kernel: ClassVar[str] = "symplectic"

    def settings(self) -> dict[str, Any]:
        """Settings of the method in the record of a run."""
        fixed = super().settings()
        if self.order not in ORDERS:
            known = ", ".join(map(str, ORDERS))
            raise ModelError(
                "symplectic",
                say("the order must be one of {known}, got {order}.", known, self.order),
            )
        rows = 0 if self.restraint is None else self.restraint.rows
        return fixed | {"order": self.order, "pairs": self.pairs, "restraints": rows}


Method = Dop853 | Radau | FixedStep
