"""A mechanism written as the YAML form that it was read from, with the values it has now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any, final

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.text.literals import plain_unit, si_factor
from torseur.language.yaml.form import data_mechanism, yaml_mechanism
from torseur.language.yaml.height_field_entries import inline_heights
from torseur.language.yaml.point_tables import read_points, scaled_corners
from torseur.language.yaml.source import writable
from torseur.language.yaml.translated_keys import written_as
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint, written
from torseur.model.values.numbers import values_of

Numbers = Mapping[str, float | None]
_FILE = re.compile(r"\bfile[\"']?\s*:")
_WIDTH = 100  # of lines, unless the text has longer ones
_CLOSE = 1e-15  # relative rounding of a change of unit


def described(mechanism: Mechanism, form: str | Mapping[str, Any]) -> Mechanism:
    """A mechanism that knows the YAML form it was read from, text or data."""
    return made_of(mechanism, form if isinstance(form, str) else writable(form))


def made_of(mechanism: Mechanism, form: str | Mapping[str, Any]) -> Mechanism:
    """In-place variant; the caller must own the form."""
    return replace(mechanism, form=YamlForm(form))


@final
@dataclass(frozen=True)
class YamlForm:
    """The YAML form that a mechanism was read from, as text or as data."""

    source: str | Mapping[str, Any]

    def text(self, mechanism: Mechanism) -> str:
        """The form: as it was written, comments included, where nothing has changed since.

        What it gives when it is read again has been compared with the mechanism.
        """
        source = self.source
        if isinstance(source, str) and not _FILE.search(source) and _describes(source, mechanism):
            return source
        data = _round_trip().load(source) if isinstance(source, str) else deepcopy(dict(source))
        _update(data, mechanism)
        lines = source.splitlines() if isinstance(source, str) else []
        text = _dump(data, max(_WIDTH, *map(len, lines)) if lines else _WIDTH)
        if not _describes(text, mechanism):
            problem = "it was changed after it was read: its YAML form is not known."
            advice = "Describe it as it is now, by a file, a dict or ts.Builder."
            raise ModelError(f'mechanism "{mechanism.name}"', problem, advice)
        return text

    def written(self, mechanism: Mechanism, ending: str) -> str:
        """The YAML form, URDF or MJCF by the ending of a file."""
        if ending == ".urdf":
            from torseur.language.urdf.urdf_writer import urdf_text

            return urdf_text(mechanism)
        if ending == ".xml":
            from torseur.language.mjcf.mjcf_writer import mjcf_text

            return mjcf_text(mechanism)
        return self.text(mechanism)


def _describes(text: str, mechanism: Mechanism) -> bool:
    """Whether a text describes this mechanism: same name, functions, points, values and start."""
    read = yaml_mechanism(text, "")
    pairs = ((read.parameters, mechanism.parameters), (read.initial, mechanism.initial))
    named = read.name == mechanism.name and all(a.keys() == b.keys() for a, b in pairs)
    starts = _start(read), _start(mechanism)
    first, second = (
        (fingerprint(x), *map(written, (x.points, x.frames, x.events, x.sensors)))
        for x in (read, mechanism)
    )
    return named and first == second and not (_differing(*pairs[0]) or _differing(*starts))


def _differing(read: Numbers, now: Numbers) -> list[str]:
    """The names that have another value now."""
    return [
        name
        for name, value in now.items()
        if value != (other := read.get(name))
        and (value is None or other is None or abs(value - other) > _CLOSE * abs(value))
    ]


def _start(mechanism: Mechanism) -> Numbers:
    """The initial values, as far as parameters tell them."""
    value = values_of(mechanism)
    return {name: value(x) for name, x in mechanism.initial.items()}


def _update(data: dict[str, Any], mechanism: Mechanism) -> None:
    """The name, gravity and values of now; points instead of the files that have them."""
    data[_key("name", data)] = mechanism.name
    folder = Path(mechanism.source).parent
    for name, table in data.get("tables", {}).items():
        if "file" in table:
            table["x"], table["value"] = read_points(name, folder, table.pop("file"))
    for contact in data.get("contacts", {}).values():
        for before in ("", "surface_"):
            if f"{before}file" in contact:
                contact[f"{before}points"] = scaled_corners(folder, contact, before)
    for body in data.get("bodies", {}).values():
        for solid in (body or {}).get("collision", ()):
            if "file" in solid.get("height_field", {}):
                inline_heights(folder, solid["height_field"])
    read = data_mechanism(data)
    if list(read.gravity) != list(mechanism.gravity):
        data[_key("gravity", data)] = [str(x) for x in mechanism.gravity]
    if read.inputs != mechanism.inputs:
        data[_key("inputs", data)] = [_input(mechanism, name) for name in mechanism.inputs]
    for name in _differing(read.parameters, mechanism.parameters):
        entries = data.setdefault(_key("parameters", data), {})
        entries[name] = _with_value(entries.get(name), mechanism.parameters[name])
    read, started = replace(read, parameter_table=mechanism.parameter_table), _start(mechanism)
    for name in _differing(_start(read), started):
        data.setdefault(_key("initial", data), {})[name] = started[name]


def _input(mechanism: Mechanism, name: str) -> str:
    """An input as it is written: that along a coordinate by its name, unless it is taken."""
    plain = name.removesuffix(".")
    is_taken = plain in mechanism.actuators or plain in mechanism.parameter_table
    return name if is_taken else plain


def _key(english: str, among: Mapping[str, Any]) -> str:
    """The key of an entry as it is written, in English or in French."""
    return written_as(english, among) or english


def _with_value(entry: Any, value: float | None) -> Any:
    """An entry of the section parameters with another value, in SI or in its own unit."""
    if not isinstance(entry, Mapping):
        return value
    named = entry.get(_key("unit", entry))
    factor = si_factor(plain_unit(str(named))) if named else None
    if value is not None and factor is not None:
        value /= float(evaluate(factor, {}))
    return {**entry, _key("value", entry): value}


def _round_trip() -> Any:
    """The reader and writer of YAML that keeps comments."""
    from ruamel.yaml import YAML

    return YAML(typ="rt")


def _dump(data: Mapping[str, Any], width: int) -> str:
    stream, writer = StringIO(), _round_trip()
    writer.width, writer.default_flow_style = width, None
    writer.dump(data, stream)
    return stream.getvalue()
