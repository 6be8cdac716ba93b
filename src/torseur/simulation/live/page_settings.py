"""Numbers of a page that change with the parameters its reader sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import inputs_of_state
from torseur.equations.symbols.system import System
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact.element_table import element_table
from torseur.machine.contact.model import ContactModel

Array = np.ndarray
_FIRST = 1e300  # numbers from here on stand for expressions in a table
_COEFFICIENTS = ("restitution", "tangential")


@final
@dataclass(frozen=True)
class PageSettings:
    """Derived parameters, coefficients of contacts and values of the start, over the parameters."""

    model: CompiledModel
    contacts: ContactModel | None
    given: tuple[str, ...]  # coordinates and speeds whose start is not that of the description

    @cached_property
    def _derived(self) -> dict[str, Expr]:
        """Parameters that others define, over those that none defines."""
        known: dict[Expr, Expr] = {}
        for name, parameter in self.model.mechanism.parameter_table.items():
            value = parameter.value
            if name not in self.model.given and value is not None and free_symbols([value]):
                known[symbol(name)] = substitute(value, known)
        return {x.name: value for x, value in known.items()}

    def _over_parameters(self, x: Any) -> Expr:
        known = {symbol(name): value for name, value in self._derived.items()}
        return expression(substitute(expression(x), known))

    @cached_property
    def _entries(self) -> list[tuple[str, int, Expr]]:
        """Array, place and value of each coefficient of a contact that depends on parameters."""
        if self.contacts is None:
            return []
        listed: list[Expr] = []

        def marked(x: Any) -> float:
            listed.append(expression(x))
            return _FIRST * (1 + len(listed) * 1e-6)

        table = element_table(self.contacts.state, marked)
        places = {_FIRST * (1 + (k + 1) * 1e-6): x for k, x in enumerate(listed)}
        entries = [("element", k, places[x]) for k, x in enumerate(table.ravel()) if x in places]
        for name in _COEFFICIENTS:
            entries += [(name, k, getattr(x, name)) for k, x in enumerate(self.contacts.parts)]
        entries += [
            ("returns", k, x.restitution) for k, x in enumerate(self.contacts.parts)
            if x.by_impulse
        ]  # fmt: skip
        return [(name, k, x) for name, k, x in entries if free_symbols([expression(x)])]

    @cached_property
    def _starts(self) -> list[tuple[int, Expr]]:
        """Place in the state and value of each number of the start that depends on parameters."""
        names = (*self.model.coordinates, *self.model.speeds)
        described = {n: expression(x) for n, x in self.model.mechanism.initial.items()}
        return [
            (k, described[name])
            for k, name in enumerate(names)
            if name in described and name not in self.given and free_symbols([described[name]])
        ]

    @property
    def arrays(self) -> dict[str, Array]:
        """Arrays of coefficients by name."""
        if self.contacts is None:
            return {}
        return {name: self.contacts[name] for name, _, _ in self._entries}

    def kernel(self, system: System) -> Kernel:
        """All of these numbers in the order of the document."""
        values = [
            *self._derived.values(),
            *(x for _, _, x in self._entries),
            *(x for _, x in self._starts),
        ]
        outputs = [self._over_parameters(x) for x in values] or [ZERO]
        return kernel("settings", inputs_of_state(system), expressions(outputs))

    def document(self) -> dict[str, Any]:
        """Places of these numbers, as plain data."""
        return {
            "derived": list(self._derived),
            "entries": [[name, k] for name, k, _ in self._entries],
            "starts": [k for k, _ in self._starts],
        }
