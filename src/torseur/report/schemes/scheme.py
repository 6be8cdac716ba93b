"""The kinematic scheme of a mechanism: classes of bodies, levers and symbols of joints, named."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from torseur.errors import unknown
from torseur.model.description import Mechanism
from torseur.report.drawing.paper import picture_place, write_picture
from torseur.report.schemes.bodies import ground, levers, outlines, ties
from torseur.report.schemes.contacts import contact_lines
from torseur.report.schemes.drives import belt_lines, gear_lines
from torseur.report.schemes.joints import arranged, joint_marks
from torseur.report.schemes.lines import PIXEL, Mark, extent, svg, tikz
from torseur.report.schemes.names import name_marks
from torseur.report.schemes.sheet import Sheet
from torseur.report.schemes.stops import stop_lines
from torseur.report.schemes.views import VIEWS

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
    the axis about which most bodies turn, "x", "y" or "z" along an axis of the ground. Bodies
    fixed to each other form one class and share a colour. Without `names` it suits an exam.
    """
    place = picture_place(path)
    if view not in VIEWS:
        raise unknown("view", "view", view, VIEWS)
    return write_picture(place, *_written(Sheet(mechanism, q, parameters, view), names))


def scheme_texts(mechanism: Mechanism) -> tuple[str, str]:
    """The scheme as an SVG document and as a TikZ picture."""
    written, picture, _ = _written(Sheet(mechanism, None, None, "auto"), True)
    return written, picture


def _written(sheet: Sheet, named: bool) -> tuple[str, str, Array]:
    """A sheet as SVG, as TikZ, and its size on paper [bp]."""
    drawn = scheme_marks(sheet, named)
    box = extent(drawn, 14.0)
    picture = tikz(drawn, box)
    return svg(drawn, box, sheet.geometry.mechanism.name), picture, PIXEL * (box[1] - box[0])


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
