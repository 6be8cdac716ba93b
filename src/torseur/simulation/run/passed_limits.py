"""Limits of joints that a run passes: positions, speeds, commands and forces of actuators.

Limits act on a motion if they are asked to; passing one is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import evaluate
from torseur.equations.expressions.sampling import over_samples
from torseur.model.checks.robot_files import is_robot_file
from torseur.model.description import Joint, JointLoad
from torseur.model.values.numbers import Values
from torseur.simulation.observe.observer import symbol_values
from torseur.simulation.run.run import Run
from torseur.units import force_unit
from torseur.words.sentence import say

CLOSE = 1e-9  # of the range: a motion up to a limit does not pass it


def with_limit_notices(run: Run) -> Run:
    """The run, with a notice for every limit it passes."""
    run.notices = (*run.notices, *limit_notes(run))
    return run


def limit_notes(run: Run) -> list[str]:
    """A notice for every limit of a joint that a run passes."""
    joints = run.model.mechanism.joints.values()
    return [note for joint in joints for note in _notes(run, joint)]


def _notes(run: Run, joint: Joint) -> Iterator[str]:
    """Notices of what passes a limit of a joint."""
    yield from (*_passed(run, joint), *_exceeded(run, joint), *_of_actuators(run, joint))


def _too_fast(joint: str, limit: float, unit: str, t: tuple[float, float], most: float) -> str:
    return say(
        'joint "{joint}": its speed is above the limit {limit:.6g} {unit} from t = {t:.4g} s, up '
        "to {most:.4g} {unit} at t = {t2:.4g} s; limits of speed do not act on the motion.",
        joint,
        limit,
        unit,
        t[0],
        most,
        t[1],
    )


def _too_strong(joint: str, limit: float, unit: str, t: tuple[float, float], most: float) -> str:
    return say(
        'joint "{joint}": its command is above the effort {limit:.6g} {unit} from t = {t:.4g} s, '
        "up to {most:.4g} {unit} at t = {t2:.4g} s; efforts act on commands with clip: true of the "
        'joint, or effort="clip" of ts.robots.load.',
        joint,
        limit,
        unit,
        t[0],
        most,
        t[1],
    )


def _overloaded(name: str, limit: float, unit: str, t: tuple[float, float], most: float) -> str:
    return say(
        'actuator "{name}": its force is above the effort {limit:.6g} {unit} of its joint from '
        "t = {t:.4g} s, up to {most:.4g} {unit} at t = {t2:.4g} s; efforts act on actuators with "
        'clip: true of the joint, or effort="clip" of ts.robots.load.',
        name,
        limit,
        unit,
        t[0],
        most,
        t[1],
    )


def _of_actuators(run: Run, joint: Joint) -> Iterator[str]:
    """Notices of actuators whose force is beyond the effort of a joint that does not clip."""
    mechanism = run.model.mechanism
    if joint.clip or not joint.effort:
        return
    units = dict(zip(joint.coordinates, joint.kind.speed_units, strict=False))
    efforts = dict(zip(joint.coordinates, joint.effort, strict=False))
    for name, actuator in mechanism.actuators.items():
        load = mechanism.loads.get(name)
        most = Values(run.model.parameters)(efforts.get(actuator.coordinate, ZERO))
        if not isinstance(load, JointLoad) or load.joint != joint.name or not most:
            continue
        signals = (x.name for x in run.model.system.signals)
        values = symbol_values(run, 1) | dict(zip(signals, run.inputs.T, strict=False))
        force = np.abs(over_samples([load.value], values, len(run.t))[:, 0])
        beyond = force > most * (1 + CLOSE)
        if beyond.any():
            times = run.t[int(np.argmax(beyond))], run.t[int(force.argmax())]
            unit = force_unit(units[actuator.coordinate]).replace(".", "·")
            yield _overloaded(name, most, unit, times, float(force.max()))


def _exceeded(run: Run, joint: Joint) -> Iterator[str]:
    """Notices of speeds and commands beyond those of a joint."""
    if not joint.velocity and not joint.effort:
        return
    commands = dict(zip(run.model.mechanism.inputs, run.inputs.T, strict=False))
    speeds = dict(zip(run.model.speeds, run.v.T, strict=True))
    efforts = [force_unit(unit).replace(".", "·") for unit in joint.kind.speed_units]
    pairs = (
        (_too_fast, speeds, joint.velocity, joint.kind.speed_units),
        (_too_strong, commands, joint.effort, efforts),
    )
    for message, known, limits, units in pairs:
        for name, limit, unit in zip(joint.speeds, limits, units, strict=False):
            most = Values(run.model.parameters)(limit)
            values = np.abs(known[name]) if name in known else np.zeros(1)
            if most is None or not values.max(initial=0.0) > most * (1 + CLOSE):
                continue
            first, worst = int(np.argmax(values > most * (1 + CLOSE))), int(values.argmax())
            times = run.t[first], run.t[worst]
            yield message(joint.name, most, unit, times, values[worst])


def _passed(run: Run, joint: Joint) -> Iterator[str]:
    for name, *ends, unit in joint.limited if joint.stop is None else ():
        low, high = (float(evaluate(x, run.model.parameters)) for x in ends)
        q = run[name]
        margin = CLOSE * max(high - low, abs(low), abs(high))
        beyond = np.maximum(low - q, q - high)
        outside = np.flatnonzero(beyond > margin)
        if not len(outside):
            continue
        first, worst = outside[0], int(np.argmax(beyond))
        side, limit = (say("below"), low) if q[first] < low else (say("above"), high)
        yield (
            say(
                'joint "{joint}": {name} is {side} its limit {limit:.6g} {unit} from t = {t:.4g} '
                "s, by up to {beyond:.4g} {unit} at t = {t2:.4g} s; {action}",
                joint.name,
                name,
                side,
                limit,
                unit,
                run.t[first],
                beyond[worst],
                run.t[worst],
                say('limits act on the motion with limits="stop" only.')
                if is_robot_file(run.model.mechanism.source)
                else say("limits act on the motion with an entry stop only."),
            )
        )
