"""The mass geometry of a body on one sheet: at its centre, at a point, about axes and planes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.model.mass.principal import (
    PrincipalInertia,
    direction_name,
    draw_ellipsoid,
    numeric,
    principal_inertia,
)
from torseur.model.mass.properties import (
    COMPONENTS,
    Array,
    FrenchForm,
    MassProperties,
    Scalar,
    as_number,
)
from torseur.model.mass.symmetry import Symmetry, deduce
from torseur.model.mass.validity import faults, remarks
from torseur.plain import plain
from torseur.words.sentence import say


@final
@dataclass(frozen=True, eq=False)
class MassSheet:
    """Mass geometry of a body, as numbers or as formulas."""

    __repr__ = brief
    _repr_html_ = notebook.html

    name: str
    properties: MassProperties
    point: Array | None = None  # (3,) [m], where the inertia is wanted too; None: the origin
    axes: tuple[Array, ...] = ()  # directions of axes through the point
    planes: tuple[Array, ...] = ()  # normals of planes through it
    symmetries: tuple[Symmetry, ...] = ()
    doubts: tuple[str, ...] = ()  # about its parts

    @property
    def at(self) -> Array:
        """The point at which moments are given."""
        return np.zeros(3) if self.point is None else self.point

    @cached_property
    def is_numeric(self) -> bool:
        """Whether every value is a number."""
        body = self.properties
        values = (body.mass, *body.centre, *body.inertia.flat)
        return all(as_number(value) is not None for value in values)

    @property
    def principal(self) -> PrincipalInertia | None:
        """Principal moments and axes at the centre of mass; None while symbols have no values."""
        return principal_inertia(self.properties) if self.is_numeric else None

    @property
    def lines(self) -> list[str]:
        """The sheet for people."""
        return list(self._lines())

    def __str__(self) -> str:
        return "\n".join(self.lines)

    @property
    def document(self) -> dict[str, Any]:
        """The sheet for programs; formulas are texts."""
        body, principal = self.properties, self.principal
        return {
            "name": self.name,
            "mass": _value(body.mass),
            "centre": [_value(x) for x in body.centre],
            "inertia": _components(body.inertia),
            "letters": _letters(body.french_form()),
            "point": [_value(x) for x in self.at],
            "inertia_at_point": _components(body.inertia_at(self.at)),
            "letters_at_point": _letters(body.french_form(self.at)),
            "moment_about_point": _value(body.moment_about_point(self.at)),
            "about_axes": [_value(body.moment_about_axis(self.at, u)) for u in self.axes],
            "about_planes": [_value(body.moment_about_plane(self.at, n)) for n in self.planes],
            "principal_moments": None if principal is None else plain(principal.moments),
            "principal_axes": None if principal is None else plain(principal.axes),
            "kind": None if principal is None else principal.kind,
            "symmetries": list(deduce(self.symmetries).sentences),
            "faults": list(faults(body)) if self.is_numeric else [],
            "doubts": list(self.doubts),
        }

    def figure(self, path: str | Path) -> Path:
        """The inertia ellipsoid at the point, or at the centre of mass."""
        return draw_ellipsoid(numeric(self.properties), path, point=self.point, title=self.name)

    def _lines(self) -> Iterator[str]:
        body = self.properties
        yield say("{name}: mass {mass} kg", self.name, _text(body.mass))
        yield say("centre of mass G ({centre}) m", _row(body.centre))
        yield say("inertia at G [kg m²], tensor components (xy = −∫xy dm)")
        yield from _matrix(body.inertia)
        yield _letters_line("G", body.french_form())
        yield from self._principal_lines()
        yield from self._at_point()
        yield from (say("symmetry: {sentence}", x) for x in deduce(self.symmetries).sentences)
        if self.is_numeric:
            yield from (say("fault: {sentence}", x) for x in faults(body))
            yield from (say("remark: {sentence}", x) for x in remarks(body))
        yield from (say("remark: {sentence}", x) for x in self.doubts)

    def _principal_lines(self) -> Iterator[str]:
        principal = self.principal
        if principal is None:
            yield say("principal axes: need a value of every parameter (--set)")
            return
        yield say("principal at G: {sentence}", principal.sentence)
        mass = float(as_number(self.properties.mass) or 0.0)
        for k, moment in enumerate(principal.moments):
            axis = direction_name(principal.axes[:, k])
            if mass > 0:
                radius = float(np.sqrt(max(moment, 0.0) / mass))
                yield say(
                    "  {moment:.6g} kg m² about {axis}, radius of gyration {radius:.6g} m",
                    float(moment),
                    axis,
                    radius,
                )
            else:
                yield say("  {moment:.6g} kg m² about {axis}", float(moment), axis)

    def _at_point(self) -> Iterator[str]:
        body = self.properties
        name = "O" if self.point is None else "A"
        yield say("inertia at {name} ({point}) m", name, _row(self.at))
        yield from _matrix(body.inertia_at(self.at))
        yield _letters_line(name, body.french_form(self.at))
        about = _text(body.moment_about_point(self.at))
        yield say("about the point {name}: {moment} kg m²", name, about)
        for u in self.axes:
            moment = _text(body.moment_about_axis(self.at, u))
            yield say("about the axis ({name}, {u}): {moment} kg m²", name, _row(u), moment)
        for n in self.planes:
            moment = _text(body.moment_about_plane(self.at, n))
            yield say(
                "about the plane through {name} normal to ({n}): {moment} kg m²",
                name,
                _row(n),
                moment,
            )


def sheet(
    properties: MassProperties,
    *,
    name: str = "body",
    at: Sequence[float] | Array | None = None,
    axes: Sequence[Any] = (),
    planes: Sequence[Any] = (),
    symmetries: Sequence[Symmetry] = (),
) -> MassSheet:
    """The sheet of mass properties; `axes` and `planes` (their normals) pass through `at`."""
    point = None if at is None else np.asarray(at)
    about, through = (tuple(np.asarray(u) for u in listed) for listed in (axes, planes))
    return MassSheet(name, properties, point, about, through, tuple(symmetries))


def _text(value: Scalar) -> str:
    number = as_number(value)
    return str(value) if number is None else f"{number + 0.0:.6g}"


def _value(value: Scalar) -> float | str:
    number = as_number(value)
    return str(value) if number is None else number


def _row(values: Sequence[Scalar] | Array) -> str:
    return ", ".join(map(_text, values))


def _matrix(I_A: Array) -> list[str]:
    """Three lines with the columns below each other."""
    texts = [[_text(x) for x in row] for row in I_A]
    widths = [max(len(row[k]) for row in texts) for k in range(3)]
    return [
        "  [ " + "  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)) + " ]"
        for row in texts
    ]


def _components(I_A: Array) -> dict[str, float | str]:
    return {name: _value(I_A[place]) for name, place in COMPONENTS.items()}


def _letters(form: FrenchForm) -> dict[str, float | str]:
    return {letter: _value(getattr(form, letter)) for letter in "ABCDEF"}


def _letters_line(name: str, form: FrenchForm) -> str:
    listed = ", ".join(f"{letter} = {_text(getattr(form, letter))}" for letter in "ABCDEF")
    return say("letters at {name}: {letters} (D = ∫yz dm, E = ∫xz dm, F = ∫xy dm)", name, listed)
