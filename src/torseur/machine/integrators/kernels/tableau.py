"""The coefficients of DOP853, as SciPy publishes them: a weight for each stage in each row.

Row s < 12 gives the argument of stage s, row 12 the state at the end of the step, rows 13 to 15 the
arguments of the three stages of the dense output.
"""

import numpy as np
from scipy.integrate import DOP853

from torseur.machine.integrators.layout import STAGES, TERMS

LAST = len(DOP853.B)  # of the stages of the method; also the row of the arrival
HERMITE = 3  # terms of the polynomial that come from the two ends


def _rows(*weights: np.ndarray) -> np.ndarray:
    made = np.zeros((len(weights), STAGES))
    for row, given in zip(made, weights, strict=True):
        row[: len(given)] = given
    return made


A = _rows(*DOP853.A, DOP853.B, *DOP853.A_EXTRA)
NODES = np.array([*DOP853.C, 1.0, *DOP853.C_EXTRA])
D, E = STAGES, STAGES + TERMS - HERMITE  # rows of the dense output and of the error estimates
WEIGHTS = np.vstack([A, _rows(*DOP853.D, DOP853.E5, DOP853.E3)])
