"""The kernels of a flow: its rate, and its return onto the constraints."""

from __future__ import annotations

from torseur.equations.flow import Flow
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.topology.structure import TIME


def flow_kernels(flow: Flow) -> dict[str, Kernel]:
    """Functions of (y, t): "rate" and, where there are constraints, "closing" and "calming"."""
    inputs = (("y", flow.names), ("t", (TIME.name,)))
    outputs = {"rate": flow.rates, "closing": flow.closing, "calming": flow.calming}
    return {name: kernel(name, inputs, x) for name, x in outputs.items() if x is not None}
