"""Ropes along a run: they stay in the plane of their sheaves, and on them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate
from torseur.equations.symbols.system_places import places_of
from torseur.errors import SolveError
from torseur.model.constraints.selection import ropes
from torseur.model.description import Mechanism
from torseur.model.forces.line import Cable
from torseur.model.forces.protocol import Sheave
from torseur.model.forces.rope_path import RopePath
from torseur.simulation.observe.observer import symbol_values
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_FLEET = 0.02  # an angle to the plane of the sheaves [rad]: lengths are wrong by its square
_UNSURE = 3.0  # from its arc to the given wrap [rad]: near half a turn it could be either
_OFF = -1e-6  # of an arc [rad]: below, the rope has left the sheave


def check_ropes(run: Run) -> None:
    """Refuse a motion in which a rope leaves the plane of its sheaves, or a sheave."""
    for name, path, length in _paths(run):
        place = say('rope "{name}"', name)
        tight = _values(run, [path.length - length])[0] > 0 if length is not None else True
        out = abs(_values(run, _sines(path))).max(axis=0, initial=0.0) * tight
        if out.max(initial=0.0) > _FLEET:
            k = int(out.argmax())
            angle, t = np.degrees(np.arcsin(min(out[k], 1.0))), run.t[k]
            problem = say(
                "it leaves the plane of its sheaves by {angle:.2g} degrees at t = {t:.6g} s.",
                angle,
                t,
            )
            advice = "A rope lies in one plane, across the axes of its sheaves."
            raise SolveError(place, problem, advice)
        arcs = _values(run, [x for _, x in path.arcs])
        for (sheave, _), arc in zip(path.arcs, arcs, strict=True):
            given = abs(_values(run, [sheave.wrap])[0])
            off = ((arc < _OFF) | (abs(arc - given) > _UNSURE)) & tight
            if off.any():
                t = run.t[int(off.argmax())]
                problem = say('it leaves the sheave "{body}" at t = {t:.6g} s.', sheave.body, t)
                advice = "Leave out the sheave, or give a wrap that is nearer to its arc."
                raise SolveError(place, problem, advice)


def _paths(run: Run) -> Iterator[tuple[str, RopePath, Any]]:
    """The ropes over sheaves, with the length up to which they are slack."""
    mechanism: Mechanism = run.model.mechanism
    cables = [x for x in mechanism.loads.values() if isinstance(x, Cable)]
    given: list[tuple[str, Any, Any]] = [(x.name, x.through, x.length) for x in cables]
    given += [(x.name, x.through, None) for x in ropes(mechanism)]
    for name, through, length in given:
        if any(isinstance(one, Sheave) for one in through):
            yield name, RopePath(places_of(run.model.system), through), length


def _sines(path: RopePath) -> list[Any]:
    """Sines of the angles of strands, and of other sheaves, to the plane."""
    strands = [path.off_plane(k) for k, _ in enumerate(pairwise(path.through))]
    return [*strands, *path.tilts]


def _values(run: Run, outputs: list[Any]) -> Array:
    """(outputs, samples)."""
    known = symbol_values(run) | {k: v for k, v in run.model.parameters.items() if v is not None}
    rows = [evaluate(expression(x), known) for x in outputs]
    return np.array([np.broadcast_to(x, len(run.t)) for x in rows], dtype=float).reshape(
        len(rows), len(run.t)
    )
