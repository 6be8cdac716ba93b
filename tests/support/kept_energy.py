"""How well a run keeps its energy."""

import numpy as np


def energy(run):
    """T + V, in units of the largest T."""
    total = run.energy["kinetic"] + run.energy["potential"]
    return (total - total[0]) / run.energy["kinetic"].max()


def drift(run):
    """The growth of the energy over a run by a fitted line, and its standard error."""
    fit, spread = np.polyfit(run.t / run.t[-1], energy(run), 1, cov=True)
    return fit[0], np.sqrt(spread[0, 0])
