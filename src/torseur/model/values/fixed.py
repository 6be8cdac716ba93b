"""A mechanism with the values of its parameters in place of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr, number, symbol
from torseur.algebra.core.graph import substitute
from torseur.errors import without_value
from torseur.model.description import Mechanism
from torseur.model.parameters import order, values, with_values
from torseur.words.sentence import say

_KEPT = {"parameter_table", "form"}


def with_numbers(mechanism: Mechanism, given: Mapping[str, float] | None = None) -> Mechanism:
    """The mechanism without parameters: each is its definition, or the value that is given.

    What is defined exactly stays exact: a quarter turn has the cosine 0 and not 6e-17.
    """
    table, given = mechanism.parameter_table, given or {}
    missing = [name for name, value in values(table, given).items() if value is None]
    if missing:
        advice = say(
            'Give them: parameters={{"{name}": 1.0, …}}, in the shell --set {name}=1.0.', missing[0]
        )
        raise without_value(f'mechanism "{mechanism.name}"', missing, advice)
    known: dict[Expr, Any] = {}
    for name in order(table):
        definition = table[name].value
        if name in given or definition is None:
            known[symbol(name)] = number(given[name])
        else:
            known[symbol(name)] = substitute(definition, known)
    parts = {
        field.name: _changed(getattr(mechanism, field.name), lambda x: substitute(x, known))
        for field in fields(mechanism)
        if field.name not in _KEPT
    }
    before = replace(mechanism, parameter_table=with_values(table, given))
    form = None if mechanism.form is None else FormBefore(before)
    return replace(mechanism, **parts, parameter_table={}, form=form)


@final
@dataclass(frozen=True)
class FormBefore:
    """The form of a mechanism whose parameters became numbers: that with the parameters."""

    before: Mechanism

    def text(self, mechanism: Mechanism) -> str:
        """The description, to be read again."""
        return self.before.yaml()

    def written(self, mechanism: Mechanism, ending: str) -> str:
        """The same in the format of a file with this ending."""
        assert self.before.form is not None, "it has one where it was made"
        return self.before.form.written(self.before, ending)


def _changed(value: Any, change: Callable[[Expr], Expr]) -> Any:
    """change(x) in place of every expression x; what has none stays the same object."""
    if isinstance(value, Expr):
        return change(value)
    if isinstance(value, np.ndarray):
        if value.dtype != object:
            return value
        made = np.empty(value.shape, dtype=object)
        for index in np.ndindex(value.shape):
            made[index] = _changed(value[index], change)
        return value if _is_same(made.flat, value.flat) else made
    if isinstance(value, Mapping):
        named = {name: _changed(x, change) for name, x in value.items()}
        return value if _is_same(named.values(), value.values()) else named
    if isinstance(value, tuple):
        listed = tuple(_changed(x, change) for x in value)
        return value if _is_same(listed, value) else listed
    if is_dataclass(value) and not isinstance(value, type):
        parts = {x.name: getattr(value, x.name) for x in fields(value) if x.init}
        moved = {name: _changed(x, change) for name, x in parts.items()}
        moved = {name: x for name, x in moved.items() if x is not parts[name]}
        return replace(value, **moved) if moved else value
    return value


def _is_same(made: Iterable[Any], before: Iterable[Any]) -> bool:
    return all(x is y for x, y in zip(made, before, strict=True))
