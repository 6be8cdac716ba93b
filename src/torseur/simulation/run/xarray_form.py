"""A run as an xarray Dataset: every quantity against time, with its unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.simulation.run.quantities import quantity
from torseur.simulation.run.samples import Readable
from torseur.version import __version__


def to_xarray(run: Readable, of: Sequence[str] = ()) -> Any:
    """Coordinates, speeds and energies over `time`; named points have the dimension `axis` too.

    `of` adds accelerations ("alpha.."), drives ("motor") and reactions ("A.force").
    The name of the mechanism, its parameters, the notices and the two numbers by which a run is
    judged are attributes.
    """
    try:
        import xarray
    except ImportError:
        raise ModelError(
            "to_xarray",
            'the package "xarray" is not installed.',
            "Install it: pip install 'torseur[xarray]'.",
        ) from None
    mechanism = run.model.mechanism
    variables: dict[str, Any] = {
        name: ("time", np.asarray(run[name]), {"units": unit}) for name, unit in run.names.items()
    }
    for kind, values in run.energy.items():
        variables[f"energy_{kind}"] = ("time", np.asarray(values), {"units": "J"})
    for curve in (curve for name in of for curve in quantity(run, name)):
        variables[curve.name] = ("time", np.asarray(curve.values), {"units": curve.unit})
    for point in mechanism.points:
        variables[f"point_{point}"] = (("time", "axis"), run.point(point), {"units": "m"})
    known = {name: value for name, value in run.model.parameters.items() if value is not None}
    return xarray.Dataset(
        variables,
        coords={"time": ("time", run.t, {"units": "s"}), "axis": ["x", "y", "z"]},
        attrs={
            "title": mechanism.name,
            "source": f"Torseur {__version__}",
            "notices": "\n".join(run.notices),
            "energy_drift": run.energy_drift,
            "closure_error": run.closure_error,
            **{f"parameter_{name}": value for name, value in known.items()},
        },
    )
