"""What is asked of a motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.backends.integrators.methods import Method

Array = np.ndarray
Progress = Callable[[float], None]


@final
@dataclass(frozen=True)
class Request:
    """When states are wanted, by which method, and who is told the time reached."""

    times: Array
    stepping: Method
    progress: Progress | None = None
