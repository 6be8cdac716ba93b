"""Bodies from solids in one line, or from a file: a mesh or STEP.

The text `cylinder(radius=80 mm, length=1 cm) - sphere(radius=1 cm)` becomes a body of the YAML form
with its `parts`, and is read as one: in French too, `cylindre(rayon=80 mm, longueur=1 cm) -
boule(rayon=1 cm) en (2 cm, 0, 0)`. A mesh encloses a body, which is filled evenly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from torseur.algebra.forms.dimensions import dimension
from torseur.errors import ModelError
from torseur.language.text.given import given_number
from torseur.language.text.solid_files import SOLID_FILES, unit_solid
from torseur.language.yaml.form import data_mechanism
from torseur.language.yaml.translated_keys import english
from torseur.model.description import Body, Mechanism
from torseur.model.mass.properties import MassProperties
from torseur.model.values.numbers import Values
from torseur.words.entries import shown_key
from torseur.words.sentence import say

_INSIDE = r"(?:[^()]|\([^()]*\))*"  # contents of parentheses, with others one deep
_TERM = re.compile(
    rf"(?P<name>\w+)\s*\((?P<given>{_INSIDE})\)\s*(?:(?:at|en)\s*\((?P<at>{_INSIDE})\))?"
)
_AMOUNTS = ("mass", "density")
_EXAMPLE = "For instance: cylinder(radius=8 cm, length=1 cm) - sphere(radius=5 mm) at (2 cm, 0, 0)."
LONGEST = 10_000  # characters


def shapes_body(text: str, **amount: Any) -> tuple[Mechanism, Body]:
    """The body of a text of solids; `amount` is its mass, or the density of solids without one."""
    given = {key: str(x) for key, x in amount.items() if x is not None}
    mechanism = _free_body("solids", {**given, "parts": parts_of(text)})
    return mechanism, mechanism.bodies[shown_key("body")]


def _free_body(name: str, body: Mapping[str, Any]) -> Mechanism:
    """The mechanism of one body that moves freely."""
    word = shown_key("body")
    joint = {"type": "free", "bodies": ["ground", word]}
    return data_mechanism(
        {"torseur": 1, "name": name, "bodies": {word: body}, "joints": {"free": joint}}
    )


def from_shapes(
    text: str, *, mass: float | str | None = None, density: float | str | None = None
) -> MassProperties:
    """The mass properties of solids that are added and, with a minus sign, taken away.

    `from_shapes("cylinder(radius=80 mm, length=1 cm) - cylinder(radius=1 cm, length=1 cm)",
    density=7800)`. Each has its own frame, which `at (x, y, z)` places; `axis=x` turns those that
    have an axis. A solid may have its own `mass=` or `density=`.
    """
    mechanism, body = shapes_body(text, mass=mass, density=density)
    value = Values(mechanism.parameters)
    centre, inertia = ([value(x) for x in np.ravel(a)] for a in (body.centre, body.inertia))
    return MassProperties(value(body.mass), np.array(centre), np.array(inertia).reshape(3, 3))


def parts_of(text: str) -> dict[str, Any]:
    """The `parts` of the YAML form."""
    if len(text) > LONGEST:
        problem = say("the text has {number} characters; the limit is {most}.", len(text), LONGEST)
        raise ModelError("solids", problem, "Describe the body in a file, with parts:.")
    return {f"solid {k}": part for k, part in enumerate(_terms(text), 1)}


def _terms(text: str) -> Iterator[Mapping[str, Any]]:
    rest, sign = text.strip(), "+"
    while True:
        if rest[:1] in ("+", "-", "−"):
            sign, rest = rest[0], rest[1:].lstrip()
        term = _TERM.match(rest)
        if term is None:
            problem = say('a solid is expected at "{rest}".', rest[:30])
            raise ModelError("solids", problem, _EXAMPLE)
        yield _part(term, sign != "+")
        rest = rest[term.end() :].lstrip()
        if not rest:
            return
        if rest[0] not in "+-−":
            problem = say('"{rest}" follows a solid where + or - is expected.', rest[:30])
            raise ModelError("solids", problem, _EXAMPLE)


def _part(term: re.Match[str], removed: bool) -> dict[str, Any]:
    given = dict(_assignments(term["given"]))
    amounts = {key: given.pop(key) for key in tuple(given) if english(key, _AMOUNTS) in _AMOUNTS}
    part: dict[str, Any] = {"shape": {term["name"]: given}, **amounts}
    if term["at"] is not None:
        part["position"] = _split(term["at"])
    return {**part, "removed": "yes"} if removed else part


def _assignments(text: str) -> Iterator[tuple[str, Any]]:
    for piece in _split(text):
        name, sign, value = (x.strip() for x in piece.partition("="))
        if not sign or not value:
            problem = say('a dimension reads NAME=VALUE, not "{piece}".', piece)
            raise ModelError("solids", problem, _EXAMPLE)
        yield name, _as_list(value)


def _as_list(value: str) -> str | Sequence[str]:
    """[a, b, c] and (a, b, c) as a list; (a + b) is no list."""
    pieces = _split(value[1:-1])
    brackets = value[0] + value[-1]
    return pieces if brackets == "[]" or (brackets == "()" and len(pieces) > 1) else value


def _split(text: str) -> Sequence[str]:
    """The pieces between commas that stand in no brackets."""
    return [piece.strip() for piece in re.split(r",(?![^\[(]*[\])])", text) if piece.strip()]


# --- bodies from meshes ---------------------------------------------------------------------------


def is_mesh(name: str) -> bool:
    """Whether a text is the path of a mesh or of a STEP file."""
    return name.lower().endswith(SOLID_FILES) and "(" not in name


def from_file(
    path: str | Path,
    *,
    mass: float | str | None = None,
    density: float | str | None = None,
    scale: float = 1.0,
) -> MassProperties:
    """The mass properties of the solid of a file: .stl, .obj, or .step with the extra `step`.

    `scale` is the unit of length of a mesh in metres, such as 1e-3 for millimetres.
    """
    place = str(path)
    try:
        unit = unit_solid(Path(path), place, scale)
    except FileNotFoundError:
        raise ModelError(place, say('the file "{path}" does not exist.', place)) from None
    if (mass is None) == (density is None):
        problem = "a mesh has no mass: one of --density and --mass is needed."
        raise ModelError(place, problem, "For instance: --density 7800 for steel, in kg/m³.")
    if density is not None:
        return unit.scaled(given_number(density, "--density", dimension("kg/m^3"), "kg/m^3"))
    return unit.scaled(given_number(mass, "--mass", dimension("kg"), "kg") / float(unit.mass))


def mesh_mechanism(
    path: str, *, mass: str | None = None, density: str | None = None, scale: float = 1.0
) -> Mechanism:
    """A free body with the mass data of a file; `scale` is its unit of length in metres."""
    solid = from_file(path, mass=mass, density=density, scale=scale)
    body = {
        "mass": float(solid.mass),
        "centre": np.asarray(solid.centre, dtype=float).tolist(),
        "inertia": [float(x) for x in solid.components],
    }
    return _free_body(Path(path).stem, body)
