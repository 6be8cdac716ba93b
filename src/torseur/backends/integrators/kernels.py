"""The kernels, each compiled alone, so that a run waits only for those it needs."""

from importlib import import_module
from typing import Any

import numba

_HOMES = {
    "dop853": "dop853",
    "radau": "radau",
    "rk4": "rk4",
    "euler": "euler",
    "symplectic": "symplectic",
    "project": "projection",
    "watch": "events",
    "impel": "impulses",
}


def compiled(name):
    """A kernel, compiled by numba without optimisation: the whole is optimised once, afterwards."""
    home = import_module(f"torseur.backends.integrators.{_HOMES[name]}")
    config: Any = numba.config
    kept = config.OPT
    config.OPT = type(kept)(0)
    try:
        return numba.cfunc(home.SIGNATURE, error_model="numpy")(getattr(home, name))
    finally:
        config.OPT = kept
