"""Figures of Matplotlib in one style: made without a window, written where a path is given."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torseur.output import replacing
from torseur.units import unit_factor
from torseur.words.sentence import worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Figure
else:
    Figure = Any  # Matplotlib is imported when something is drawn


def figure(width: float = 8.0, height: float = 4.0) -> Figure:
    """An empty figure, which a notebook shows as it is drawn; sizes in inches."""
    made: Figure = _class()(figsize=(width, height), layout="constrained")
    return made


@cache
def _class() -> Any:
    """The class of figures; Matplotlib alone shows them in a notebook after `pyplot` is read."""
    from matplotlib.figure import Figure

    return type("Figure", (Figure,), {"_repr_png_": _image, "__doc__": Figure.__doc__})


def _image(drawn: Figure) -> bytes:
    """A figure as PNG."""
    image = BytesIO()
    drawn.savefig(image, format="png", dpi=110)
    return image.getvalue()


def one_panel(width: float = 8.0, height: float = 4.0) -> tuple[Figure, Any]:
    """A figure with one panel."""
    drawn = figure(width, height)
    return drawn, drawn.subplots()


def labelled(panel: Any, x: str, y: str) -> None:
    """Names and units along both axes, said in the language that is spoken."""
    panel.set_xlabel(worded(x))
    panel.set_ylabel(worded(y))
    panel.grid(alpha=0.3)


def named(model: Any, name: str) -> str:
    """A coordinate, a speed or a parameter of a model, with its unit."""
    mechanism = model.mechanism
    units: dict[str, str] = {}
    for joint in mechanism.joints.values():
        units |= dict(zip(joint.coordinates, joint.kind.coordinate_units, strict=True))
        units |= dict(zip(joint.speeds, joint.kind.speed_units, strict=True))
    unit = units.get(name, "")
    if name in mechanism.parameter_table:
        own = mechanism.parameter_table[name].unit
        unit = own if unit_factor(own) == (1, 0) else "SI"
    return f"{name} [{unit}]" if unit else name


def written(drawn: Figure, path: str | Path | None, title: str = "") -> Figure:
    """The figure under its title, written if a path is given (.png, .svg, .pdf)."""
    if title:
        drawn.suptitle(title)
    if path is not None:
        with replacing(path) as place:
            drawn.savefig(place, dpi=160)
    return drawn
