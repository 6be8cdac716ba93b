"""The methods and their settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.errors import ModelError

Array = np.ndarray


@final
@dataclass(frozen=True)
class Dop853:
    """Order 8 with control of the error: that of a step stays within atol + rtol |y|."""

    rtol: float = 1e-9
    atol: float | Array | None = None  # one number, or one for each component; None: 1e-3 rtol
    max_step: float = np.inf

    kernel: ClassVar[str] = "dop853"

    def settings(self) -> dict[str, Any]:
        """What the record of a run says of the method."""
        atol = 1e-3 * self.rtol if self.atol is None else self.atol
        made = {"rtol": self.rtol, "atol": atol, "max_step": self.max_step}
        for name, value in made.items():
            if not np.all(np.asarray(value) > 0):
                raise ModelError("dop853", f"{name} must be positive, got {value}.")
        return made


@final
@dataclass(frozen=True)
class RK4:
    """Order 4 with a fixed step, shortened so as to divide the intervals between samples."""

    step: float

    kernel: ClassVar[str] = "rk4"

    def settings(self) -> dict[str, Any]:
        """What the record of a run says of the method."""
        if not self.step > 0:
            raise ModelError("rk4", f"the step must be positive, got {self.step}.")
        return {"h": self.step, "atol": 0.0}


Method = Dop853 | RK4
