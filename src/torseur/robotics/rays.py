"""Rays from a place of a robot: how far it is to the nearest shape, as a range sensor sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from torseur.equations.functions.placed import named_place
from torseur.errors import ModelError, unknown
from torseur.machine.collision import places as at
from torseur.machine.collision.rays import RayScene
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import GROUND, Mechanism
from torseur.result import Result
from torseur.robotics.collisions import Configuration, given_states
from torseur.words.sentence import say

Array = np.ndarray


@final
class Rays(Result):
    """Where rays end: arrays with an axis for configurations, then one for directions, if any."""

    distance: Array  # [m]; infinite where nothing is hit
    body: Array  # names; "" where nothing is hit
    point: Array  # (…, 3) in ground axes [m]; not a number where nothing is hit

    def __str__(self) -> str:
        if self.distance.ndim == 0:
            if not np.isfinite(self.distance):
                return self.say("nothing is hit")
            return self.say("{body} at {distance:.6g} m")
        count = int(np.isfinite(self.distance).sum())
        return self.say("{count} of {all} rays hit something", count=count, all=self.distance.size)


def ray(
    mechanism: Mechanism | CompiledModel,
    place: str,
    direction: Sequence[float] | np.ndarray,
    q: Configuration = None,
    *,
    reach: float = np.inf,
    without: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
) -> Rays:
    """The nearest shape along a ray from a frame, a point or a body.

    The direction (3,) is in the axes of the place; several, (M, 3), are rays of one scanner. q is
    that of `collisions`. All bodies with shapes and all planes of the ground are seen but the body
    of the place and those of `without`. Shapes beyond `reach` [m] are not. A ray that starts inside
    of a shape ends there.
    """
    model = compiled_at(mechanism, parameters)
    directions = _unit(direction)
    for name in without:
        if name not in (GROUND, *model.mechanism.bodies):
            raise unknown("ray", "body", name, (GROUND, *model.mechanism.bodies))
    scene: RayScene = model.value("rays", lambda: RayScene(model.mechanism, model.parameters))
    rows, is_one = given_states(model, q)
    X = np.asarray(model.pose(place, rows))
    several = np.atleast_2d(directions)
    count = len(several)
    d = np.einsum("rij,mj->rmi", X[:, :3, :3], several).reshape(-1, 3)
    o = np.repeat(X[:, :3, 3], count, axis=0)
    placed = np.asarray(model.body_places(rows)).reshape(len(rows), -1, at.BODY_PLACED_WIDTH)
    own = named_place(model.mechanism, place).body
    left_out = (*without, own) if own != GROUND else without
    distance, body = scene.hits(np.repeat(placed, count, axis=0), o, d, left_out)
    far = distance > reach
    distance[far], body[far] = np.inf, -1
    with np.errstate(invalid="ignore"):
        point = np.where(
            np.isfinite(distance)[:, np.newaxis], o + distance[:, np.newaxis] * d, np.nan
        )
    names = np.array([*scene.names, ""])[body]
    shape = (() if is_one else (len(rows),)) + directions.shape[:-1]
    return Rays(distance.reshape(shape), names.reshape(shape), point.reshape(*shape, 3))


def _unit(direction: Sequence[float] | np.ndarray) -> Array:
    """Directions of the length 1."""
    given = np.asarray(direction, dtype=float)
    fits = given.ndim in (1, 2) and given.shape[-1] == 3 and bool(np.isfinite(given).all())
    sizes = np.linalg.norm(given, axis=-1, keepdims=True) if fits else np.zeros(1)
    if not (sizes > 0).all():
        problem = say("directions (3,) or (M, 3) are expected, got {given}.", given.tolist())
        raise ModelError("ray", problem, 'Example: ray(m, "lidar", [1, 0, 0], q).')
    return np.asarray(given / sizes)
