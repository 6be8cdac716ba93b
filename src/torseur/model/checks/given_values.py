"""Checks of values given to the parameters of a mechanism.

Only the parts that use these parameters are checked, so that changing a value stays cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, final

from torseur.algebra.core.graph import free_symbols
from torseur.errors import all_faults
from torseur.model.checks.mechanism_checks import check_values
from torseur.model.description import Mechanism
from torseur.model.parameters import order, with_values
from torseur.model.values.numbers import expressions_in

# Initial values are looked at when a motion starts from them: others may be given.
_SECTIONS = ("bodies", "joints", "motors", "loads", "points", "frames", "constraints", "motions",
             "events")  # fmt: skip


def valued(mechanism: Mechanism, given: Mapping[str, float]) -> Mechanism:
    """The mechanism with other values of some parameters, which must be possible ones."""
    GivenValues(mechanism).require(given, of=given)
    return replace(mechanism, parameter_table=with_values(mechanism.parameter_table, given))


@final
class GivenValues:
    """The parts of a mechanism by the parameters that they use."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism

    def require(self, given: Mapping[str, float], of: Iterable[str]) -> None:
        """Report all errors of the parts that the parameters `of` change."""
        changed = self._dependent(of)
        parts: dict[str, Any] = {
            section: {
                name: part
                for name, part in getattr(self._mechanism, section).items()
                if not changed.isdisjoint(self._parameters_of[section, name])
            }
            for section in _SECTIONS
        }
        faults = check_values(replace(self._mechanism, initial={}, **parts), given)
        if faults:
            raise all_faults(faults)

    def _dependent(self, names: Iterable[str]) -> set[str]:
        """The parameters that change with some of them."""
        table, changed = self._mechanism.parameter_table, set(names)
        for name in self._order:
            definition = table[name].value
            if definition is not None and changed & {x.name for x in free_symbols(definition)}:
                changed.add(name)
        return changed

    @cached_property
    def _order(self) -> list[str]:
        return order(self._mechanism.parameter_table)

    @cached_property
    def _parameters_of(self) -> dict[tuple[str, str], frozenset[str]]:
        """The parameters of each part."""
        return {
            (section, name): frozenset(x.name for x in free_symbols(list(expressions_in(part))))
            for section in _SECTIONS
            for name, part in getattr(self._mechanism, section).items()
        }
