"""The kernels of a flow: its rate, and its return onto the constraints."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.backends.evaluator import Evaluator, kernel_code
from torseur.backends.kernel import Kernel, kernel
from torseur.formalisms.flow import Flow
from torseur.topology.structure import TIME

Array = np.ndarray


def flow_kernels(flow: Flow) -> dict[str, Kernel]:
    """Functions of (y, t): "rate" and, where there are constraints, "closing" and "calming"."""
    inputs = (("y", flow.names), ("t", (TIME.name,)))
    outputs = {"rate": flow.rates, "closing": flow.closing, "calming": flow.calming}
    return {name: kernel(name, inputs, x) for name, x in outputs.items() if x is not None}


@final
class CompiledFlow:
    """The machine code of a flow, shared by all parameter sets."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.code: dict[str, Evaluator] = {
            name: kernel_code(made, "") for name, made in flow_kernels(flow).items()
        }
