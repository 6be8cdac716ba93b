"""`torseur inertia`: the mass geometry of bodies of a mechanism, solids in one line, or a mesh."""

import re
from typing import Any

import rich_click as click

from torseur.cli.frame.command import Mechanism, Printout, run_command
from torseur.cli.frame.options import load_model, option, plot, settings, several
from torseur.cli.frame.settings import FINITE, three
from torseur.cli.frame.settings import parameters as given_values
from torseur.errors import ModelError, unknown
from torseur.words.sentence import say

_SOLIDS = re.compile(r"\s*[-+−]?\s*(\w+)\s*\(")


def _directions(option: str, texts: tuple[str, ...]) -> list[list[float]]:
    return [three("1")(option, text) for text in texts]


@run_command(
    "inertia",
    several("--body", "bodies", "A body of MODEL; default: all of them."),
    option("--at", "Second point for the inertia, in body axes; default: the origin.", "X,Y,Z",
           read=three("m")),
    several("--axis", "axes", "Direction of an axis through that point.", "X,Y,Z",
            read=_directions),
    several("--plane", "planes", "Normal of a plane through that point.", "X,Y,Z",
            read=_directions),
    click.option("--density", metavar="VALUE", help="Density of solids or of a mesh, such as "
                 "`7800`."),
    click.option("--mass", metavar="VALUE", help="Total mass of solids, or mass of a mesh, such "
                 "as `2.5 kg`."),
    option("--scale", "Unit of length of a mesh in metres: 1e-3 if it is in mm.", "S", type=FINITE),
    settings(),
    plot("Inertia ellipsoid of one body"),
)  # fmt: skip
def inertia(
    model: str,
    bodies: tuple[str, ...],
    at: list[float] | None,
    axes: list[list[float]] | None,
    planes: list[list[float]] | None,
    settings: tuple[str, ...],
    **given: Any,
) -> Printout:
    """Compute mass, centre, inertia, principal axes and symmetries of bodies of MODEL, or of
    solids.

    One text adds and subtracts solids; each may have its own mass= or density=. In a file, a body
    has `parts`. A mesh, .stl or .obj, is filled uniformly. Inertias are tensors (xy = −∫xy dm); the
    letters A to F are given too.

    Example: `torseur inertia slider_crank.yaml --body rod --at 0,0,0 --axis 0,0,1`

    Example: `torseur inertia "cylinder(radius=80 mm, length=1 cm) - cylinder(radius=1 cm,
    length=1 cm) at (40 mm, 0, 0)" --density 7800`
    """
    from torseur.analyse.efforts.body_sheet import body_sheet

    amount = {"mass": given.pop("mass"), "density": given.pop("density")}
    mechanism = _read(model, amount, given.pop("scale"), given)
    for name in bodies:
        if name not in mechanism.bodies:
            raise unknown("--body", "body", name, mechanism.bodies)
    values = given_values(mechanism, settings)
    sheets = [
        body_sheet(mechanism, name, parameters=values, at=at, axes=axes or (), planes=planes or ())
        for name in bodies or mechanism.bodies
    ]
    lines = [line for sheet in sheets for line in (*sheet.lines, "")][:-1]
    return Printout(lambda: {"bodies": [x.document for x in sheets]}, lines, sheets[0].figure)


def _read(
    model: str, amount: dict[str, str | None], scale: float | None, given: dict[str, Any]
) -> Mechanism:
    """The mechanism of a mesh, of solids, or of a MODEL."""
    from torseur.language.shapes import is_mesh, mesh_mechanism, shapes_body
    from torseur.language.yaml.translated_keys import english
    from torseur.model.mass.solids import SOLIDS

    if is_mesh(model):
        return mesh_mechanism(model, scale=scale or 1.0, **amount)
    if scale is not None:
        raise ModelError(
            "--scale", say("{scale:g} is the scale of a mesh, but no mesh is given.", scale)
        )
    first = _SOLIDS.match(model)
    solid = first is not None and english(first[1], SOLIDS) in SOLIDS
    if solid or (first is not None and "=" in model):  # no phrase has one
        return shapes_body(model, **amount)[0]
    mechanism = load_model(model, **given)
    for key, value in amount.items():
        if value is not None:
            problem = say('"{value}" is the {key} of solids, but a model is given.', value, key)
            raise ModelError(f"--{key}", problem, "Change the model, or use --set.")
    return mechanism
