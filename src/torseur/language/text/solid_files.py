"""Mass data of solids in files: closed surfaces in STL and OBJ, and exact solids in STEP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.language.text.files import SUFFIXES, read_bytes, read_triangles
from torseur.model.checks.limits import LARGEST_MESH
from torseur.model.mass.properties import MassProperties, filled, open_edges
from torseur.packages import package
from torseur.spatial.hulls import Triangles
from torseur.words.sentence import say

STEP = (".step", ".stp")
SOLID_FILES = (*SUFFIXES, *STEP)
_MILLIMETRE = 1e-3  # the unit of length in which STEP files are read
_DUST = 1e-12  # of the moments of inertia: smaller products are rounding


def unit_solid(path: Path, place: str, scale: float = 1.0) -> MassProperties:
    """The mass data of the solid of a file for a density of 1 kg/m³.

    `scale` is the unit of length of an STL or OBJ file in metres; STEP files state their own.
    A file that does not exist is a FileNotFoundError.
    """
    if path.suffix.lower() in STEP:
        if scale != 1.0:
            problem = say("a STEP file states its unit of length; the scale is {scale:g}.", scale)
            raise ModelError(place, problem, "Leave the scale out.")
        return _without_dust(_step_solid(path, place))
    surface = read_triangles(path, place)
    if gaps := open_edges(surface):
        problem = say(
            "the surface is not closed: {gaps} of its edges have no second triangle.", gaps
        )
        raise ModelError(place, problem, "Repair the mesh in the program that it comes from.")
    if not scale > 0:
        problem = say("the scale of a mesh is {scale:g}.", scale)
        raise ModelError(place, problem, "It is positive: 1e-3 for a file in millimetres.")
    return _without_dust(filled(Triangles(scale * surface.points, surface.faces), 1.0))


def _without_dust(solid: MassProperties) -> MassProperties:
    """Products of inertia that are rounding as zeros."""
    I = np.asarray(solid.inertia, dtype=float)
    cleaned = np.where(np.abs(I) > _DUST * np.trace(I), I, 0.0)
    return MassProperties(solid.mass, solid.centre, cleaned)


def _silence(messages: Any) -> None:
    """Keep the kernel from printing: standard output belongs to the command."""
    messenger = messages.Message.DefaultMessenger_s()
    for printer in list(messenger.Printers()):
        messenger.RemovePrinter(printer)


def _step_solid(path: Path, place: str) -> MassProperties:
    """The volumes enclosed by the faces of a STEP file, together."""
    read_bytes(path, LARGEST_MESH, place)  # reports a missing, large or special file
    control = package("OCP.STEPControl", "step", place, say("STEP files need Open CASCADE."))
    kernel = package("OCP.BRepGProp", "step", place)
    properties = package("OCP.GProp", "step", place).GProp_GProps()
    solids, explorer = package("OCP.TopAbs", "step", place), package("OCP.TopExp", "step", place)
    _silence(package("OCP.Message", "step", place))
    reader = control.STEPControl_Reader()
    reader.SetSystemLengthUnit(1.0)  # millimetres
    status = reader.ReadFile(str(path))
    if not status.name.endswith("RetDone") or not reader.TransferRoots():
        problem = say('"{path}" is not a STEP file that can be read.', path.name)
        raise ModelError(place, problem, "Export it again as AP214 or AP242.")
    shape = reader.OneShape()
    if not explorer.TopExp_Explorer(shape, solids.TopAbs_ShapeEnum.TopAbs_SOLID).More():
        problem = say('"{path}" holds no solid: its faces enclose no volume.', path.name)
        raise ModelError(place, problem, "Export the body as a solid, not as faces.")
    kernel.BRepGProp.VolumeProperties_s(shape, properties)
    centre, moments = properties.CentreOfMass(), properties.MatrixOfInertia()
    inertia = np.array([[moments.Value(i, k) for k in (1, 2, 3)] for i in (1, 2, 3)])
    return MassProperties(
        properties.Mass() * _MILLIMETRE**3,
        _MILLIMETRE * np.array([centre.X(), centre.Y(), centre.Z()]),
        inertia * _MILLIMETRE**5,
    )
