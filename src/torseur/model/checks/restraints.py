"""Checks of constraints, motions and frames: names that exist, nothing moved twice."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.errors import ModelError, unknown
from torseur.model.constraints.protocol import (
    ExpressionRow,
    JointRows,
    MeetingRows,
    Rows,
    bodies_of,
)
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.numbers import place_of
from torseur.words.sentence import say


def restraint_faults(mechanism: Mechanism) -> Iterator[ModelError]:
    """The errors of constraints, imposed motions and named frames."""
    bodies = {GROUND, *mechanism.bodies}
    both = (*mechanism.constraints.values(), *mechanism.contacts.values())
    for constraint in both:
        place, rows = place_of(constraint, "constraint"), constraint.rows
        for name in bodies_of(rows):
            if name not in bodies:
                yield unknown(place, "body", name, bodies)
        if isinstance(rows, JointRows) and rows.first == rows.second:
            itself = say('"{first}" is constrained to itself.', rows.first)
            problem = say('"{first}" rolls on itself.', rows.first) if rows.rolls else itself
            yield ModelError(place, problem, "Name two different bodies.")
    for frame in mechanism.frames.values():
        if frame.body not in bodies:
            yield unknown(place_of(frame, "frame"), "body", frame.body, bodies)
    yield from _motions(mechanism)


def _target(rows: Rows | MeetingRows) -> tuple[str, str] | None:
    """The target of a motion: "body" or "coordinate", and its name."""
    if isinstance(rows, JointRows):
        return "body", rows.second
    moves = isinstance(rows, ExpressionRow) and rows.coordinate
    return ("coordinate", moves) if moves else None


def _motions(mechanism: Mechanism) -> Iterator[ModelError]:
    known = {"body": tuple(mechanism.bodies), "coordinate": mechanism.every_coordinate}
    targets: dict[tuple[str, str], str] = {}
    for motion in mechanism.motions.values():
        place, key = place_of(motion, "motion"), _target(motion.rows)
        if key is None:
            continue
        kind, what = key
        if what not in known[kind]:
            yield unknown(place, kind, what, known[kind])
        if key in targets:
            yield ModelError(
                place,
                say(
                    'the {kind} "{what}" already follows the motion "{moved}".',
                    kind,
                    what,
                    targets[key],
                ),
                "Two laws cannot hold at once: keep one of them.",
            )
        targets[key] = motion.name
