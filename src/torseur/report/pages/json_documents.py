"""Results as plain data for JSON: names, formulas as text, counts, notices."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from torseur.algebra.core.expr import CONFIGURATION, CONSTANT, PARAMETER, STATE
from torseur.algebra.forms.count import Operations
from torseur.algebra.printing.text import text
from torseur.equations.motion.equations import Equations
from torseur.plain import plain

STAGES = {
    CONSTANT: "constants",
    PARAMETER: "parameters",
    CONFIGURATION: "configuration",
    STATE: "state",
}


def json_text(document: Any, *, ensure_ascii: bool = False, **layout: Any) -> str:
    """The document as JSON text; JSON has no inf and no nan: such numbers are null."""
    known = plain(document, finite=True)
    return json.dumps(known, ensure_ascii=ensure_ascii, allow_nan=False, **layout)


def equations_document(
    equations: Equations, of: Sequence[str] | None = None, notices: Sequence[str] = ()
) -> dict[str, Any]:
    """The equations: assignments in order, outputs written with their names, operation counts."""
    mechanism = equations.system.mechanism
    program = equations.program(of or ("M", "h", "g", "Q"))
    by_stage = {name: _counts(ops) for name, ops in program.operations_by_stage.items()}
    return {
        "name": mechanism.name,
        "formalism": equations.formalism,
        "coordinates": list(equations.coordinates),
        "speeds": list(equations.speeds),
        "parameters": mechanism.parameters,
        "assignments": [
            {
                "name": step.name,
                "stage": STAGES[step.stage],
                "value": text(step.value, program.names, top=True),
            }
            for step in program.assignments
        ],
        "outputs": {
            name: _written(output, program.names) for name, output in program.outputs.items()
        },
        "operations": _counts(program.operations) | {"stages": by_stage},
        "notices": list(notices),
    }


def _counts(operations: Operations) -> dict[str, int]:
    return asdict(operations) | {"total": operations.total}


def _written(output: Any, names: Mapping[int, str]) -> Any:
    """Nested lists of formulas."""
    array = np.asarray(output, dtype=object)
    if array.ndim == 0:
        return text(array.item(), names)
    return [_written(row, names) for row in array]
