"""Quantities asked for: an equation of motion, an energy, a force, a momentum or a vector."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.dimensions import Dimension, dimension, known_dimension
from torseur.algebra.forms.readable import readable
from torseur.errors import ModelError, unknown
from torseur.model.constraints.protocol import MULTIPLIER
from torseur.model.description import GROUND
from torseur.model.values.scales import coordinate_units
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.vocabulary import Vocabulary, numbered
from torseur.teach.formula.tokens import plain, sides, spelled
from torseur.units import force_unit
from torseur.words.sentence import say

Array = np.ndarray
ENERGIES = {  # with the unit of each
    "T": (("T", "E_c", "Ec", "E_k", "Ek", "K"), "J"),
    "V": (("V", "E_p", "Ep", "U"), "J"),
    "L": (("L",), "J"),
    "H": (("H", "E", "E_m", "Em"), "J"),
    "R": (("R", "D"), "W"),  # Rayleigh's function: half the power dissipated
}
_UP_TO_A_CONSTANT = ("V", "L", "H")
_FORCES = {"S": "inertia_forces", "Q": "given_forces", "p": "momenta"}
_VECTORS = {  # the names of each, and its unit
    "OM": (("OM",), "m"),
    "V": (("V", "v"), "m/s"),
    "gamma": (("gamma", "Gamma", "a"), "m/s^2"),
    "Omega": (("Omega", "omega"), "rad/s"),
    "R": (("R", "F"), "N"),
    "M": (("M", "C"), "N.m"),
}
_OF_VECTOR = re.compile(r"([A-Za-z]{1,5})[(_](\w+)\)?")
_DRESS = re.compile(
    r"\\(?:vec|overrightarrow|overline|mathbf|boldsymbol|mathrm|mathcal|mathit|text|left|right)"
    r"(?![A-Za-z])|vec(?=\()|\\[,;! ]|[\s{}$\\\u20d7]"
)
_LONGEST_NAME = 200


@final
@dataclass(frozen=True)
class AskedQuantity:
    """A quantity asked for: its name, the right answer, whether that is an equation `… = 0`."""

    name: str
    expected: Any  # an expression, or an array of three
    equation: bool
    unit: Dimension | None = None  # None: any, or not known
    names: tuple[str, ...] = field(default_factory=tuple)  # what may stand left of the "="
    up_to_a_constant: bool = False  # a potential has any origin
    of_motion: bool = False  # a reaction, which motion alone determines
    point: str | None = None  # that a vector belongs to
    axes: str = GROUND  # of components
    chosen: bool = False  # whether the axes are those of the answer, not those asked for
    rows: tuple[int, ...] = ()  # of J, of which a condition of a constraint may be made
    mistakes: tuple[tuple[str, Any], ...] = ()  # typical wrong values, each with its lesson

    @property
    def order(self) -> int:
        """0 for a scalar, 1 for a vector."""
        return np.ndim(self.expected)


def asked_quantity(model: RightModel, of: str, axes: str = GROUND) -> AskedQuantity:
    """Quantity of a name: the equation of a coordinate, T, V, L, H, R, S_q, Q_q, p_q, V(A), …

    Without a name, the only equation of a model with one coordinate.
    """
    if not of:
        if len(model.coordinates) != 1:
            listed = ", ".join(model.coordinates)
            raise ModelError(
                "check_answer",
                say("the model has {number} equations: {listed}.", len(model.coordinates), listed),
                say('Choose one: of="{coordinates}".', model.coordinates[0]),
            )
        of = model.coordinates[0]
    if len(of) > _LONGEST_NAME:
        raise ModelError(
            "check_answer",
            say(
                'the name "{of}…" has {number} characters, more than {longest_name}.',
                of[:30],
                len(of),
                _LONGEST_NAME,
            ),
            "A name is that of a coordinate, a quantity such as T or V(A), or a reaction.",
        )
    if of in model.coordinates:
        return AskedQuantity(of, readable(model.rows[model.coordinates.index(of)]), True)
    bare = undressed(of)
    vector = _OF_VECTOR.fullmatch(bare)
    kinds = [k for k, (names, _) in _VECTORS.items() if vector and vector[1] in names]
    couple = kinds == ["M"] and "(" in bare  # M(A) is a moment, M_A one of its components
    quantity = None if couple else _scalar(model, of) or _reaction(model, of)
    if quantity is not None:
        return quantity
    if vector and kinds:
        return _vector(model, kinds[0], vector[2], axes)
    energies = [name for name in ENERGIES if model.table(name) is not None]
    known = [*model.coordinates, *energies, *(f"{x}_{model.coordinates[0]}" for x in _FORCES)]
    points = ("V(point)", "gamma(point)") if model.lagrangian is None else ()
    raise unknown("check_answer", "quantity", of, [*known, *points])


def usual_name(model: RightModel, written: str) -> str | None:
    """The energy, the generalised force or the momentum that a name is usually given to."""
    names = {table: known for table, (known, _) in ENERGIES.items()}
    names |= {f"{x}_{q}": (f"{x}_{q}",) for x in _FORCES for q in model.coordinates}
    key = quantity_key(written)
    return next((x for x, known in names.items() if key in map(quantity_key, known)), None)


def _scalar(model: RightModel, of: str) -> AskedQuantity | None:
    """An energy, a generalised force or a momentum."""
    usual = usual_name(model, of)
    if usual is None:
        return None
    if usual not in ENERGIES:
        letter, _, name = usual.partition("_")
        value = getattr(model, _FORCES[letter])[model.coordinates.index(name)]
        return AskedQuantity(of, value, False, _force_unit(model, letter, name), (of, usual))
    energy, (names, unit) = model.table(usual), ENERGIES[usual]
    shifted = usual in _UP_TO_A_CONSTANT
    if energy is None:
        return None
    return AskedQuantity(of, energy, False, dimension(unit), names, up_to_a_constant=shifted)


def _reaction(model: RightModel, of: str) -> AskedQuantity | None:
    """A multiplier of the equations, or a component of the wrench in a joint."""
    key, words = quantity_key(of), Vocabulary(model)
    for x in model.multipliers:
        others = [called for called, name in model.multiplier_names.items() if name == x.name]
        if key in map(quantity_key, (x.name, *others)):
            alone = (MULTIPLIER,) if len(model.multipliers) == 1 else ()
            return AskedQuantity(of, x, False, None, (of, x.name, *others, *alone), of_motion=True)
    for name, (joint, k) in words.reactions.items():
        if key == quantity_key(name):
            unit = dimension("N" if k < 3 else "N.m")
            value = model.reaction(joint, k)
            return AskedQuantity(of, value, False, unit, (of, name), of_motion=True)
    return None


def undressed(written: str) -> str:
    r"""A name as it is spelled: `\vec{V}(A/R_0)` is V(A), what follows a slash says where."""
    plainly = spelled(unicodedata.normalize("NFD", written)).replace(r"\in ", "/").replace("∈", "/")
    bare, slash, _ = _DRESS.sub("", plainly).partition("/")
    return bare + ")" if slash and "(" in bare else bare


def quantity_key(written: str) -> str:
    """Normal form of the name of a quantity, equal for all its spellings."""
    return re.sub(r"[_()\[\]\s]", "", plain(undressed(written).replace("²", "^2")))


def other_name(model: RightModel, written: str, asked_for: AskedQuantity) -> str | None:
    """The quantity that a name left of the "=" usually means, if another one is wanted."""
    return None if names_left(asked_for, written) else usual_name(model, written)


def constraint_rows(model: RightModel, of: str, alone: str = "") -> list[AskedQuantity]:
    """The conditions of a constraint that has this name: of positions, then of speeds.

    With `alone`, each of those that speak of a coordinate by itself; else any sum of them will do.
    """
    constraints, v = model.equations.constraints, model.equations.system.v
    if of in model.coordinates or of not in constraints.owners:
        return []
    gaps = dict(zip(constraints.positions, constraints.gap, strict=True))
    rows = tuple(k for k, owner in enumerate(constraints.owners) if owner == of)
    speeds = {k: expression(constraints.J[k] @ v) + constraints.rate[k] for k in rows}
    zeros = [*((k, gaps[k]) for k in rows if k in gaps), *speeds.items()]
    read = ((k, readable(expression(x))) for k, x in zeros)
    return [
        AskedQuantity(of, x, True, rows=(k,) if alone else rows)
        for k, x in read
        if x is not ZERO and (not alone or _speaks_of(x, alone))
    ]


def _speaks_of(x: Expr, name: str) -> bool:
    """Whether a coordinate or its speed stands in a condition."""
    return bool({name, f"{name}."} & {y.name for y in free_symbols(x)})


def constraint_or_reaction(model: RightModel, of: str, formula: Any) -> list[AskedQuantity]:
    """Subject of an answer to the name of a constraint: its conditions or its multiplier.

    `X0 = …` is about the multiplier; what has no "=" may be either.
    """
    rows = constraint_rows(model, of)
    reaction = _reaction(model, of) if rows else None
    if reaction is None or not isinstance(formula, str):
        return rows
    pair = sides(formula)
    if pair is None:
        return [reaction, *rows]
    return [reaction] if names_left(reaction, pair[0]) else rows


def _vector(model: RightModel, kind: str, name: str, axes: str) -> AskedQuantity:
    functions: dict[str, tuple[str, Any, Mapping[str, Any]]] = {
        "OM": ("point", model.position, model.points),
        "V": ("point", model.velocity, model.points),
        "gamma": ("point", model.acceleration, model.points),
        "Omega": ("body", model.rotation, model.mechanism.bodies),
        "R": ("joint", lambda joint: model.wrench(joint)[0], dict.fromkeys(model.wrenches)),
        "M": ("joint", lambda joint: model.wrench(joint)[1], dict.fromkeys(model.wrenches)),
    }
    what, function, known = functions[kind]
    if name not in known:
        alias = numbered(tuple(known)).get(name) if kind == "Omega" else None
        if alias is None:
            raise unknown("check_answer", what, name, known)
        name = alias
    letters, unit = _VECTORS[kind]
    label = f"{kind}({name})" if kind != "OM" else f"O{name}"
    names = [label, *letters, *(f"{letter}({name})" for letter in letters)]
    if kind == "Omega":
        numbers = numbered(tuple(known)).items()
        names += [f"{x}({k})" for x in letters for k, body in numbers if body == name]
    value = model.in_axes(function(name), axes)
    return AskedQuantity(
        label,
        value,
        False,
        dimension(unit),
        tuple(names),
        of_motion=what == "joint",
        point=name if what == "point" else None,
        axes=axes,
    )


def _force_unit(model: RightModel, letter: str, name: str) -> Dimension | None:
    """A force for a length, a couple for an angle; a momentum has a second more."""
    units = coordinate_units(model.mechanism)
    if name not in units:
        return None
    force = known_dimension(force_unit(units[name]))
    return force * known_dimension("s") if letter == "p" else force


def names_left(asked_for: AskedQuantity, written: str) -> bool:
    """Whether a name left of the "=" is that of the wanted quantity; T(S/R) is T."""
    known = {quantity_key(name) for name in asked_for.names}
    bare = undressed(written).partition("(")[0]
    return quantity_key(written) in known or (not asked_for.order and quantity_key(bare) in known)
