"""The examples that come with Torseur: compiled once, run once, and put in random states."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import torseur as ts
from torseur.model.contact.elements import elements
from torseur.model.contact.smooth import changing
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.run.run import Run
from torseur.simulation.start.assemble import assemble

FOLDER = Path(str(files("torseur.examples")))
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


@cache
def mechanism(name):
    return ts.load(FOLDER / f"{name}.yaml")


@cache
def model(name):
    return ts.compile(mechanism(name))


SMOOTH = [name for name in EXAMPLES if not changing(mechanism(name))]  # nothing opens or sticks
ALIKE = [name for name in SMOOTH if not elements(mechanism(name))]  # nor is dry friction smoothed


def values_at(moved, k):
    """The values of the symbols of a run at a sample, by name."""
    own = moved.model.system
    values = {"t": moved.t[k], **moved.model.mechanism.parameters}
    for symbols, columns in ((own.q, moved.q), (own.v, moved.v), (own.a, moved.a)):
        values |= {x.name: float(columns[k, i]) for i, x in enumerate(symbols)}
    return values


@cache
def moving(name):
    """An example, a run of it, and its values at the middle by name."""
    moved = ts.simulate(mechanism(name), 0.04, rate=50)
    return mechanism(name), moved, values_at(moved, 1)


@cache
def run(name, duration=0.5, rate=100.0, rtol=1e-10):
    return ts.simulate(model(name), duration, rate=rate, rtol=rtol)


def parameters(name):
    """The values of the parameters as attributes."""
    return SimpleNamespace(**mechanism(name).parameters)


def states(name, count=12, spread=0.3, seed=0, t=0.0, **changed):
    """Random states around the start that obey every constraint, as if they were samples."""
    rng = np.random.default_rng(seed)
    made = model(name).with_parameters(**changed) if changed else model(name)
    start = assemble(made, t=t)
    J = (
        NumericConstraints(made).J(start.q, t)
        if NumericConstraints(made)
        else np.zeros((1, len(made.speeds)))
    )
    allowed = np.eye(len(made.speeds)) - np.linalg.pinv(J, rcond=1e-9) @ J
    rows = []
    for _ in range(count):
        n = len(made.speeds)
        q = advanced(made, start.q, allowed @ (spread * rng.normal(size=n)))
        guess = dict(zip((*made.coordinates, *made.speeds), (*q, *rng.normal(size=n)), strict=True))
        found = assemble(made, guess, t=t)
        rows.append(np.concatenate([found.q, found.v, [0.0]]))
    return Run.of_states(made, np.full(count, t), np.array(rows))


def acceleration(samples, name):
    """The second derivative of a coordinate of the tree at every sample."""
    return samples.a[:, samples.model.speeds.index(f"{name}.")]


def same(found, wanted, rtol=1e-10):
    """Equal to rounding, relative to the largest value of what is compared."""
    size = max(np.abs(wanted).max(initial=0.0), np.abs(found).max(initial=0.0), 1.0)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=rtol * size)


def balanced(*terms, rtol=1e-10):
    """The terms of an equation add up to nothing, relative to the largest of them."""
    size = max(np.abs(term).max(initial=0.0) for term in terms)
    assert np.abs(sum(terms)).max() <= rtol * size, np.abs(sum(terms)).max() / size
