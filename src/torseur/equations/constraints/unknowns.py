"""The unknown of each row of constraints: a component of a reaction, or a multiplier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.closure import Closure
from torseur.model.constraints.protocol import MULTIPLIER, Unknown
from torseur.model.constraints.selection import restraints
from torseur.model.description import Mechanism
from torseur.model.joints.distance import Distance
from torseur.model.joints.library import PointContact
from torseur.model.joints.rolling import ContactType
from torseur.model.values.scales import chosen_units, coordinate_units
from torseur.topology.structure import Cut

Array = np.ndarray
COUPLES, FORCES = "LMN", "XYZ"
_ALONE: dict[type, str] = {PointContact: "N", Distance: "F"}  # joints that carry one force


def row_unknowns(
    owners: Sequence[str], letters: Mapping[str, str], closures: Iterable[Closure] = ()
) -> Array:
    """The unknown of each row: the components of closing joints, and multipliers of the rest.

    Those of an owner with several rows are numbered: no two rows have the same.
    """
    named = {c.cut.name: iter(closing_names(c.cut, expressions(c.T))) for c in closures}
    rows, numbered = Counter(owners), Counter[str]()
    unknowns: list[Expr] = []
    for owner in owners:
        numbered[owner] += 1
        if owner in named:
            unknowns.append(symbol(next(named[owner]), "input"))
        else:
            number = numbered[owner] if rows[owner] > 1 else None
            unknowns.append(unknown_of(owner, letters, number))
    return np.array(unknowns, dtype=object)


def unknown_of(name: str, letters: Mapping[str, str], number: int | None = None) -> Expr:
    """The multiplier of a relation, an imposed motion or a gear; of one of its rows."""
    return symbol(f"{letters.get(name, MULTIPLIER)}{number or ''}_{_plain(name)}", "input")


def multipliers(mechanism: Mechanism) -> dict[str, Unknown]:
    """Multipliers of constraints and imposed motions, by name."""
    units = coordinate_units(mechanism) | chosen_units(mechanism)
    return {one.name: one.unknown(units) for one in restraints(mechanism)}


def multiplier_letters(mechanism: Mechanism) -> dict[str, str]:
    """Letters of the multipliers, which stand before their names.

    One whose name would be that of a parameter or of a coordinate is called λ.
    """
    used_names = {*mechanism.parameter_table, *mechanism.every_coordinate, *mechanism.chosen}
    return {
        name: MULTIPLIER if f"{one.letter}_{_plain(name)}" in used_names else one.letter
        for name, one in multipliers(mechanism).items()
    }


def _plain(name: str) -> str:
    return name.replace(" ", "_")


def closing_names(cut: Cut, T: Array) -> list[str]:
    """The components of a closing joint: N and T of a contact, N on a plane, F along a rod."""
    if type(cut.joint) in _ALONE:
        return [f"{_ALONE[type(cut.joint)]}_{cut.name}"]
    names = component_names(cut.name, T)
    if not isinstance(cut.joint, ContactType):
        return names
    forces = [k for k, words in enumerate(cut.joint.meanings) if words.startswith("force")]
    for count, k in enumerate(forces):
        letter = "N" if not count else "T" if len(forces) == 2 else f"T{count}"
        names[k] = f"{letter}_{cut.name}"
    return names


def component_names(name: str, T: Array) -> list[str]:
    """X_A … N_A where a column is a component along an axis, R1_A, R2_A … where it is not.

    The force along a screw is such a component, although a couple goes with it.
    """
    letters = COUPLES + FORCES
    names: list[str] = []
    for k, column in enumerate(T.T):
        used = [i for i, x in enumerate(column) if x is not ZERO]
        if len(used) == 2 and used[1] - used[0] == 3:  # about and along one axis
            used = used[1:]
        plain = len(used) == 1 and column[used[0]] is ONE
        single = f"{letters[used[0]]}_{name}" if plain else ""
        names.append(single if plain and single not in names else f"R{k + 1}_{name}")
    return names
