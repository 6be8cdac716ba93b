"""A mechanism written in Python: the YAML form, a call for each part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from torseur.brief import numbered
from torseur.errors import ModelError
from torseur.language.saved import described
from torseur.language.yaml.form import data_mechanism
from torseur.model.description import GROUND, Mechanism
from torseur.words.sentence import say


@final
class Builder:
    """Builder of a mechanism from parts, with the entries of the YAML form as keywords.

    Every call that adds a part returns its name, so that parts can be referred to by variables.
    Numbers may be numbers or expressions over the parameters (`"l1/2"`, `"30 mm"`).

        b = ts.Builder("pendulum", gravity=[0, -9.81, 0])
        b.parameters(m=1.5, l=0.7)
        bob = b.body("bob", mass="m", centre=[0, "-l", 0])
        b.joint("pivot", "revolute", "ground", bob, axis="z", coordinate="theta")
        b.initial(theta="20 deg")
        mechanism = b.build()
    """

    ground = GROUND

    def __init__(self, name: str, *, description: str = "", gravity: Sequence[Any] = ()) -> None:
        self._data: dict[str, Any] = {"torseur": 1, "name": name}
        if description:
            self._data["description"] = description
        if len(gravity):
            self._data["gravity"] = _plain(gravity)

    def __repr__(self) -> str:
        parts = [
            numbered(len(x), "body" if name == "bodies" else name.removesuffix("s"))
            for name, x in self._data.items()
            if isinstance(x, dict)
        ]
        return f'<Builder of "{self._data["name"]}": {", ".join(parts) or "nothing yet"}>'

    def parameters(self, **values: Any) -> None:
        """Named numbers: a value, or a dict with value, unit and meaning."""
        for name, value in values.items():
            self._add("parameters", name, _plain(value))

    def body(self, name: str, **entries: Any) -> str:
        """A body: mass, centre, inertia, or shape and density."""
        return self._add("bodies", name, _plain(entries))

    def joint(self, name: str, kind: str, first: str, second: str, **entries: Any) -> str:
        """A joint between two bodies: point, axis, coordinate, limits …"""
        return self._add(
            "joints", name, {"type": kind, "bodies": [first, second]} | _plain(entries)
        )

    def motor(self, name: str, joint: str, **entries: Any) -> str:
        """A motor in a joint."""
        return self._add("motors", name, {"joint": joint} | _plain(entries))

    def force(self, name: str, kind: str, **entries: Any) -> str:
        """A force of a type."""
        return self._add("forces", name, {"type": kind} | _plain(entries))

    def constraint(self, name: str, kind: str, **entries: Any) -> str:
        """A relation, a rolling contact, a gear, a belt …"""
        return self._add("constraints", name, {"type": kind} | _plain(entries))

    def motion(self, name: str, **entries: Any) -> str:
        """A law of time for a coordinate or for a body."""
        return self._add("motions", name, _plain(entries))

    def event(self, name: str, zero: Any, **entries: Any) -> str:
        """An instant to find: when an expression passes through zero."""
        return self._add("events", name, {"zero": _plain(zero)} | _plain(entries))

    def point(self, name: str, body: str, position: Sequence[Any]) -> str:
        """A named point of a body."""
        return self._add("points", name, [body, _plain(position)])

    def section(self, section: str, name: str, **entries: Any) -> str:
        """A part of any other section of the YAML form, such as frames or tables."""
        return self._add(section, name, _plain(entries))

    def initial(self, **values: Any) -> None:
        """Coordinates at the start; a speed ends in an underscore here (`theta_` is `theta.`)."""
        for name, value in values.items():
            self._add("initial", f"{name[:-1]}." if name.endswith("_") else name, _plain(value))

    def build(self) -> Mechanism:
        """The mechanism, checked; all errors are reported together."""
        return described(data_mechanism(self._data), self._data)

    @property
    def data(self) -> Mapping[str, Any]:
        """The YAML form as Python data."""
        return self._data

    def _add(self, section: str, name: str, part: Any) -> str:
        parts = self._data.setdefault(section, {})
        if name in parts:
            raise ModelError(
                f"{section}.{name}",
                say('"{name}" is defined already.', name),
                "Give it another name.",
            )
        parts[name] = part
        return name


def _plain(value: Any) -> Any:
    """Lists, dicts, texts and numbers, whatever was given."""
    if isinstance(value, Mapping):
        return {str(key): _plain(x) for key, x in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(x) for x in value]
    return value.item() if isinstance(value, np.generic) else value
