"""The functions an expression may contain: how each is evaluated and differentiated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import apply


@final
@dataclass(frozen=True)
class FunctionDefinition:
    """A function of one to three arguments; `derivatives` gives ∂f/∂argument from the arguments."""

    name: str
    evaluate: Callable[..., Any]  # on floats and on arrays
    derivatives: Callable[..., tuple[Any, ...]]
    parity: str = ""  # "odd", "even" or neither
    exact: tuple[tuple[Any, Any], ...] = ()  # arguments at which the value is exact
    rational: bool = False  # a rational at every rational

    def folded(self, *values: Any) -> Any:
        """The value at constants: exact where it is known exactly, a float for float arguments."""
        for argument, value in self.exact:
            if values == (argument,):
                return value
        if self.name == "if":
            return values[1] if values[0] > 0 else values[2]
        if self.rational:
            return int(np.sign(values[0])) if self.name == "sign" else abs(values[0])
        if any(isinstance(value, float) for value in values):
            return float(self.evaluate(*map(float, values)))
        return None


def _choice(condition: Any, above: Any, otherwise: Any) -> Any:
    return np.where(np.asarray(condition) > 0, above, otherwise)[()]


def _choice_derivatives(condition: Any, above: Any, otherwise: Any) -> tuple[Any, Any, Any]:
    return 0, apply("if", condition, 1, 0), apply("if", condition, 0, 1)


FUNCTIONS: dict[str, FunctionDefinition] = {
    f.name: f
    for f in (
        FunctionDefinition("sin", np.sin, lambda x: (x.cos(),), "odd"),
        FunctionDefinition("cos", np.cos, lambda x: (-x.sin(),), "even"),
        FunctionDefinition("tan", np.tan, lambda x: (1 + x.tan() ** 2,), "odd", ((0, 0),)),
        FunctionDefinition("asin", np.arcsin, lambda x: (1 / (1 - x**2).sqrt(),), "odd", ((0, 0),)),
        FunctionDefinition("acos", np.arccos, lambda x: (-1 / (1 - x**2).sqrt(),), "", ((1, 0),)),
        FunctionDefinition("atan", np.arctan, lambda x: (1 / (1 + x**2),), "odd", ((0, 0),)),
        FunctionDefinition(
            "atan2", np.arctan2, lambda y, x: (x / (x**2 + y**2), -y / (x**2 + y**2))
        ),
        FunctionDefinition("exp", np.exp, lambda x: (x.exp(),), "", ((0, 1),)),
        FunctionDefinition("log", np.log, lambda x: (1 / x,), "", ((1, 0),)),
        FunctionDefinition("sinh", np.sinh, lambda x: (x.cosh(),), "odd", ((0, 0),)),
        FunctionDefinition("cosh", np.cosh, lambda x: (x.sinh(),), "even", ((0, 1),)),
        FunctionDefinition("tanh", np.tanh, lambda x: (1 - x.tanh() ** 2,), "odd", ((0, 0),)),
        FunctionDefinition("sign", np.sign, lambda x: (0,), "odd", rational=True),
        FunctionDefinition("if", _choice, _choice_derivatives),
        FunctionDefinition("abs", np.abs, lambda x: (x.sign(),), "even", rational=True),
    )
}
