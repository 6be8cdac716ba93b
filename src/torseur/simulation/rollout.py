"""Rollouts: many motions under inputs that are given beforehand, held from sample to sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.errors import ModelError, require_known
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.integrators.methods import Method
from torseur.model.description import Mechanism
from torseur.simulation.batch.batch import BatchRequest, moved_batch, threads_or_all
from torseur.simulation.batch.runs import Runs
from torseur.simulation.batch.values import BatchValues, batch_values
from torseur.simulation.constraints.moving_model import moving_model
from torseur.simulation.control.control import WithInputs
from torseur.simulation.control.loop import actuator_names, check_sample, clipped
from torseur.simulation.formulations.request import Progress
from torseur.simulation.formulations.shorthands import settings_of
from torseur.simulation.run.run import Run
from torseur.simulation.stepper import Stepper
from torseur.words.sentence import say

Array = np.ndarray
Inputs = Array | Mapping[str, Array]


def rollout(
    mechanism: Mechanism | CompiledModel,
    inputs: Inputs,
    sample: float = 0.01,
    *,
    actuators: Sequence[str] | None = None,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    method: str | Method = "auto",
    rtol: float | None = None,
    step: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Runs:
    """Motions of the rows of a batch under given forces along `actuators`.

    `inputs` is an array (rows, steps, actuators), or (steps, actuators) for all rows, or arrays
    (rows, steps) by the names of coordinates. Each holds for `sample` seconds; the samples of the
    result are at the instants where they change, and at the end. Values of `initial` and
    `parameters` are numbers, or arrays with one for each row. Between two instants a motion is
    integrated to the tolerance `rtol` by steps of its own, or by "rk4" or "euler" of a fixed
    `step`.
    """
    check_sample("rollout", sample)
    if not len(inputs):
        raise ModelError(
            "rollout", "no inputs are given.", "Give an array (rows, steps, actuators)."
        )
    known = compiled_at(mechanism)
    names = tuple(inputs) if isinstance(inputs, Mapping) else actuator_names(actuators)
    with_inputs = known.once(WithInputs(names))
    model = moving_model(with_inputs, known.given)
    speeds = tuple(x.removesuffix(".") for x in model.mechanism.commanded)
    given = np.clip(_understood(inputs, speeds), *clipped(*_known(model)))
    values = _rows(batch_values(model.mechanism, initial, parameters), len(given))
    settings = settings_of(method, rtol=rtol, step=step)
    inputs_held = np.concatenate([given, given[:, -1:]], axis=1)  # the last until the end
    times = sample * np.arange(inputs_held.shape[1])

    def single(row: int, start: dict[str, float], constants: dict[str, float]) -> Run:
        forces = given[row if len(given) > 1 else 0]
        return _stepped(known, names, (sample, settings.method), (start, constants), forces)

    request = BatchRequest(
        times,
        settings.in_lanes(sample),
        settings.tolerance,
        threads_or_all(threads),
        progress,
        inputs=inputs_held,
    )
    return moved_batch(model, values, request, single)


def _known(model: CompiledModel) -> tuple[Any, ...]:
    """Arguments that say how commands are clipped."""
    return model.mechanism, model.parameters, model.mechanism.commanded


def _understood(inputs: Inputs, actuators: tuple[str, ...]) -> Array:
    """The inputs as an array (rows or 1, steps, actuators)."""
    if isinstance(inputs, Mapping):
        listed = {n.removesuffix("."): np.atleast_2d(np.asarray(x, dtype=float))
                  for n, x in inputs.items()}  # fmt: skip
        require_known("rollout", "actuator", listed, actuators)
        lengths = {x.shape[1] for x in listed.values()}
        if len(lengths) > 1:
            shapes = ", ".join(f"{n}: {x.shape}" for n, x in listed.items())
            raise ModelError("rollout", say("the inputs have different shapes: {shapes}.", shapes))
        array = np.stack(np.broadcast_arrays(*(listed[n] for n in actuators)), axis=-1)
    else:
        array = np.asarray(inputs, dtype=float)
        if array.ndim in (1, 2) and len(actuators) == 1 and array.shape[-1:] != (1,):
            array = array[..., np.newaxis]
        array = array[np.newaxis] if array.ndim == 2 else array
    if array.ndim != 3 or array.shape[2] != len(actuators) or not array.shape[1]:
        raise ModelError(
            "rollout",
            say("the inputs have the shape {shape}.", np.shape(array)),
            say(
                "Expected (rows, steps, {count}), or (steps, {count}) for all rows: {names}.",
                len(actuators),
                ", ".join(actuators),
            ),
        )
    if not np.isfinite(array).all():
        raise ModelError("rollout", "some inputs are not finite numbers.")
    return array


def _rows(values: BatchValues, given: int) -> BatchValues:
    """The values for as many rows as inputs and values have."""
    wide = any(isinstance(x, np.ndarray) for v in (values.initial, values.parameters)
               for x in v.values())  # fmt: skip
    if wide and given > 1 and given != values.count:
        raise ModelError(
            "rollout",
            say("the inputs have {given} rows, the values {count}.", given, values.count),
            "Give one of each for every row, or one for all.",
        )
    return values if wide else replace(values, count=given)


def _stepped(
    model: CompiledModel, names: tuple[str, ...] | None, how: tuple[float, Method],
    values: tuple[Any, Any], forces: Array,
) -> Run:  # fmt: skip
    """One row, step by step: of what lanes do not move."""
    sample, method = how
    moving = Stepper(
        model, sample, actuators=names, initial=values[0],
        parameters={**model.given, **values[1]}, method=method,
    )  # fmt: skip
    states = []
    for force in (*forces, forces[-1]):
        moving.hold(force)
        states.append(moving.y)
        if len(states) <= len(forces):
            moving.step(force)
    t = sample * np.arange(len(states))
    return Run.of_states(moving.model, t, np.array(states))
