"""The kernel: every task on one state, behind the entry that integrators call."""

from typing import Any

import numba
from numba import types

from torseur.backends.absolute.access import numbers, record, wholes
from torseur.backends.absolute.tasks import perform


def motion(table):
    """Of the addresses [record, y, t, output]."""
    listed = wholes(table)
    perform(record(listed[0]), numbers(listed[1]), numbers(listed[2]), numbers(listed[3]))


def compiled():
    """The kernel, compiled by numba without optimisation: all of it is optimised at once later."""
    config: Any = numba.config
    kept = config.OPT
    config.OPT = type(kept)(0)
    try:
        return numba.cfunc(types.void(types.int64), error_model="numpy")(motion)
    finally:
        config.OPT = kept
