"""Torques along a path and their replay: a mechanism driven, then moved by what its drives gave."""

from importlib.resources import files

import numpy as np
import yaml

import torseur as ts

EXAMPLES = files("torseur.examples")


def described(name):
    """The description of an example as plain data."""
    return yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"))


def driven(document, laws):
    """The same with imposed motions of coordinates, by law."""
    motions = {f"drive_{name}": {"coordinate": name, "law": law} for name, law in laws.items()}
    rest = {key: value for key, value in document.items() if key != "inputs"}
    return rest | {"motions": motions}


def pushed(document, t, efforts, start):
    """The same without imposed motions: efforts along coordinates as tables of time, and a start.

    The tables are cubic splines, off by h⁴/384 times the fourth derivative of what they tabulate.
    """
    owner = {
        name: joint
        for joint, entry in document["joints"].items()
        for name in entry.get("coordinates", [entry.get("coordinate")])
    }
    rest = {key: x for key, x in document.items() if key not in ("motions", "inputs", "initial")}
    tables = {
        f"effort_{name}": {"t": t.tolist(), "value": values.tolist(), "ends": "not-a-knot"}
        for name, values in efforts.items()
    }
    forces = {
        f"push_{name}": {"type": "joint", "joint": owner[name], "value": f"effort_{name}(t)"}
        for name in efforts
    }
    return rest | {"tables": tables, "forces": forces, "initial": start}


def replayed(document, duration, rate, actuators):
    """A driven run, the efforts that f.inverse_dynamics gives along it, and the run they make."""
    run = ts.simulate(ts.load(document), duration, rate=rate, rtol=1e-11)
    free = {key: x for key, x in document.items() if key != "motions"}
    f = ts.compile(ts.load(free))
    efforts = f.inverse_dynamics(run.q, run.v, run.a, actuators=actuators)
    start = dict(zip((*f.coordinates, *f.speeds), (*run.q[0], *run.v[0]), strict=True))
    start = {name: float(x) for name, x in start.items()}
    table = dict(zip(actuators, efforts.T, strict=True))
    again = ts.load(pushed(document, run.t, table, start))
    return run, efforts, ts.simulate(again, duration, rate=rate, rtol=1e-11)


def apart(run, again, place):
    """The largest distance of a point in two runs [m]."""
    return float(np.abs(run.seen.point(place) - again.seen.point(place)).max())
