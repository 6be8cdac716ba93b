"""The order in which books write the parameters of a product: masses, others, gravity, lengths."""

from __future__ import annotations

from torseur.algebra.forms.dimensions import Power
from torseur.model.description import Mechanism
from torseur.model.parameters import Parameter

_MASS, _OTHER, _GRAVITY, _LENGTH, _NUMBER = range(5)
_RANKS: dict[tuple[Power, ...], int] = {
    (1, 0, 0, 0, 0): _MASS,
    (0, 1, -2, 0, 0): _GRAVITY,
    (0, 1, 0, 0, 0): _LENGTH,
    (0, 2, 0, 0, 0): _LENGTH,
    (0, 3, 0, 0, 0): _LENGTH,
    (0, 0, 0, 0, 0): _NUMBER,
}
_BY_UNIT = {"kg": _MASS, "m": _LENGTH, "m/s^2": _GRAVITY}
_BY_LETTER = {"m": _MASS, "M": _MASS, "g": _GRAVITY, "l": _LENGTH, "L": _LENGTH}


def name_ranks(mechanism: Mechanism) -> dict[str, int]:
    """The rank of each parameter, by its dimension, its unit, or else its first letter."""
    return {name: _rank(parameter) for name, parameter in mechanism.parameter_table.items()}


def _rank(parameter: Parameter) -> int:
    if parameter.dimension is not None:
        return _RANKS.get(tuple(parameter.dimension.powers), _OTHER)
    if parameter.unit:
        return _BY_UNIT.get(parameter.unit, _OTHER)
    return _BY_LETTER.get(parameter.name[0], _OTHER)
