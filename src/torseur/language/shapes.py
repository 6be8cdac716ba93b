"""Solids in one line, such as `cylinder(radius=80 mm, length=1 cm) - sphere(radius=1 cm)`.

The text becomes a body of the YAML form with its `parts`, and is read as one: in French too,
`cylindre(rayon=80 mm, longueur=1 cm) - boule(rayon=1 cm) en (2 cm, 0, 0)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.language.yaml.form import data_mechanism
from torseur.language.yaml.translated_keys import english
from torseur.model.description import Body, Mechanism
from torseur.model.mass.properties import MassProperties
from torseur.model.values.numbers import Values
from torseur.words.entries import shown_key
from torseur.words.sentence import say

_INSIDE = r"(?:[^()]|\([^()]*\))*"  # what stands in parentheses, with others one deep
_TERM = re.compile(
    rf"(?P<name>\w+)\s*\((?P<given>{_INSIDE})\)\s*(?:(?:at|en)\s*\((?P<at>{_INSIDE})\))?"
)
_OWN = ("mass", "density")
_EXAMPLE = "For instance: cylinder(radius=8 cm, length=1 cm) - sphere(radius=5 mm) at (2 cm, 0, 0)."
LONGEST = 10_000  # characters


def shapes_body(text: str, **amount: Any) -> tuple[Mechanism, Body]:
    """The body of a text of solids; `amount` is its mass, or the density of solids without one."""
    given = {key: str(x) for key, x in amount.items() if x is not None}
    name = shown_key("body")
    data = {
        "torseur": 1,
        "name": "solids",
        "bodies": {name: {**given, "parts": parts_of(text)}},
        "joints": {"free": {"type": "free", "bodies": ["ground", name]}},
    }
    mechanism = data_mechanism(data)
    return mechanism, mechanism.bodies[name]


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
    given = dict(_assigned(term["given"]))
    amounts = {key: given.pop(key) for key in tuple(given) if english(key, _OWN) in _OWN}
    part: dict[str, Any] = {"shape": {term["name"]: given}, **amounts}
    if term["at"] is not None:
        part["position"] = _split(term["at"])
    return {**part, "removed": "yes"} if removed else part


def _assigned(text: str) -> Iterator[tuple[str, Any]]:
    for piece in _split(text):
        name, sign, value = (x.strip() for x in piece.partition("="))
        if not sign or not value:
            problem = say('a dimension reads NAME=VALUE, not "{piece}".', piece)
            raise ModelError("solids", problem, _EXAMPLE)
        yield name, _listed(value)


def _listed(value: str) -> str | Sequence[str]:
    """[a, b, c] and (a, b, c) as a list; (a + b) is no list."""
    pieces = _split(value[1:-1])
    brackets = value[0] + value[-1]
    return pieces if brackets == "[]" or (brackets == "()" and len(pieces) > 1) else value


def _split(text: str) -> Sequence[str]:
    """The pieces between commas that stand in no brackets."""
    return [piece.strip() for piece in re.split(r",(?![^\[(]*[\])])", text) if piece.strip()]
