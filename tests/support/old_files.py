"""Files of runs as the first version wrote them: numbered variables, no description."""

import json

from scipy.io import netcdf_file


def save_as_first_version(run, path):
    """What Run.save made of a run before files held the mechanism."""
    with netcdf_file(str(path), "w") as file:
        file.title = run.model.mechanism.name
        file.source = "Torseur 0.1.0"
        file.notices = json.dumps(list(run.notices))
        file.mechanism = "null"
        file.createDimension("time", len(run.t))
        columns = {f"state_{k}": (name, unit, run[name])
                   for k, (name, unit) in enumerate(run.names.items())}  # fmt: skip
        columns |= {f"energy_{kind}": (kind, "J", x) for kind, x in run.energy.items()}
        for variable, (name, unit, values) in {"time": ("time", "s", run.t), **columns}.items():
            column = file.createVariable(variable, "d", ("time",))
            column[:] = values
            column.long_name, column.units = name, unit
