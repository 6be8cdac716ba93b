"""The kinematic scheme of a mechanism: classes of bodies, levers and symbols of joints, named."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.model.description import Mechanism
from torseur.output import writable, write_text
from torseur.report.schemes.bodies import ground, levers, outlines, ties
from torseur.report.schemes.contacts import contact_lines
from torseur.report.schemes.drives import belt_lines, gear_lines
from torseur.report.schemes.joints import arranged, joint_marks
from torseur.report.schemes.lines import Mark, extent, svg, tikz
from torseur.report.schemes.names import name_marks
from torseur.report.schemes.sheet import Sheet
from torseur.report.schemes.stops import stop_lines
from torseur.report.schemes.views import VIEWS
from torseur.words.sentence import say

Array = np.ndarray


def scheme(
    mechanism: Mechanism,
    path: str | os.PathLike[str],
    q: Mapping[str, float] | Sequence[float] | Array | None = None,
    parameters: Mapping[str, float] | None = None,
    *,
    view: str = "auto",
    names: bool = True,
) -> Path:
    """Write the normalised scheme of a mechanism (ISO 3952) as SVG, or as TikZ (.tex).

    `view`: a plane mechanism is seen in its plane and others in perspective; "plane" looks along
    the axis about which most bodies turn, "x", "y" or "z" along an axis of the ground. Bodies that
    are fixed to each other are one class, of one colour. Without `names` it is one for an exam.
    """
    place = writable(path)
    if place.suffix not in (".svg", ".tex", ".tikz"):
        problem = say('"{suffix}" is not a format of schemes.', place.suffix)
        raise ModelError(str(path), problem, "Use .svg, .tex (a document) or .tikz (a picture).")
    if view not in VIEWS:
        raise unknown("view", "view", view, VIEWS)
    drawn = scheme_marks(Sheet(mechanism, q, parameters, view), names)
    box = extent(drawn, 14.0)
    if place.suffix == ".svg":
        return write_text(place, svg(drawn, box, mechanism.name))
    return write_text(place, tikz(drawn, box, standalone=place.suffix == ".tex"))


def scheme_texts(mechanism: Mechanism) -> tuple[str, str]:
    """The same as an SVG document, and as a TikZ picture to be included."""
    drawn = scheme_marks(Sheet(mechanism, None, None, "auto"), True)
    box = extent(drawn, 14.0)
    return svg(drawn, box, mechanism.name), tikz(drawn, box, standalone=False)


def scheme_marks(sheet: Sheet, named: bool) -> list[Mark]:
    """The ground, levers, what is tied, symbols, solids and what touches, then names."""
    drawn = arranged(sheet)
    lines: list[Mark] = [
        *ground(sheet, drawn),
        *levers(sheet, drawn),
        *ties(sheet),
        *gear_lines(sheet),
        *belt_lines(sheet),
        *stop_lines(sheet, drawn),
        *joint_marks(sheet, drawn),
        *outlines(sheet),
        *contact_lines(sheet),
    ]
    return [*lines, *name_marks(sheet, drawn, lines)] if named else lines
