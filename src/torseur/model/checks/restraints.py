"""Whether constraints, motions and events make sense: names that exist, nothing moved twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torseur.errors import ModelError, unknown
from torseur.model.description import GROUND, BodyMotion, Contact, Gear, Mechanism


def restraint_faults(mechanism: Mechanism) -> Iterator[ModelError]:
    """The faults of constraints, imposed motions and named frames."""
    bodies = {GROUND, *mechanism.bodies}
    for constraint in mechanism.constraints.values():
        place = _place(constraint, "constraint")
        for name in _bodies(constraint):
            if name not in bodies:
                yield unknown(place, "body", name, bodies)
        if isinstance(constraint, Contact) and constraint.first == constraint.second:
            problem = f'"{constraint.first}" rolls on itself.'
            yield ModelError(place, problem, "Name two different bodies.")
    for frame in mechanism.frames.values():
        if frame.body not in bodies:
            yield unknown(_place(frame, "frame"), "body", frame.body, bodies)
    yield from _motions(mechanism)


def _place(item: Any, kind: str) -> str:
    return item.place or f'{kind} "{item.name}"'


def _bodies(constraint: Any) -> tuple[str, ...]:
    if isinstance(constraint, Gear):
        return constraint.first, constraint.second, constraint.carrier
    return (constraint.first, constraint.second) if isinstance(constraint, Contact) else ()


def _motions(mechanism: Mechanism) -> Iterator[ModelError]:
    moved: dict[str, str] = {}
    for motion in mechanism.motions.values():
        place = _place(motion, "motion")
        if isinstance(motion, BodyMotion):
            kind, what, known = "body", motion.body, tuple(mechanism.bodies)
        else:
            kind, what, known = "coordinate", motion.coordinate, mechanism.every_coordinate
        if what not in known:
            yield unknown(place, kind, what, known)
        key = f"{kind} {what}"
        if key in moved:
            yield ModelError(
                place,
                f'the {kind} "{what}" already follows the motion "{moved[key]}".',
                "Two laws cannot hold at once: keep one of them.",
            )
        moved[key] = motion.name
