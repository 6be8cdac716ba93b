"""The kernels of a flow: its rate, and its return onto the constraints."""

from __future__ import annotations

from torseur.algebra.core.expr import TIME
from torseur.equations.flow import Flow
from torseur.equations.functions.kernel import Kernel, kernel


def flow_kernels(flow: Flow) -> dict[str, Kernel]:
    """Functions of (y, t): the rate and, where there are constraints, what returns to them."""
    inputs = (("y", flow.names), ("t", (TIME.name,)))
    outputs = {
        "rate": flow.rates,
        "project_positions": flow.project_positions,
        "project_speeds": flow.project_speeds,
    }
    return {name: kernel(name, inputs, x) for name, x in outputs.items() if x is not None}
