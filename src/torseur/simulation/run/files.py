"""Runs read from files, as `saving` writes them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, final

import numpy as np
import scipy

from torseur.errors import ModelError, require_known
from torseur.language.saved import described
from torseur.language.yaml.form import yaml_mechanism
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.collision.tables import piles_of
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact.layout import TOLD
from torseur.machine.contact.model import ContactModel
from torseur.model.commands import with_commanded
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.output import reason
from torseur.simulation.constraints.moving_model import moving_model
from torseur.simulation.run.absolute_samples import AbsoluteSamples
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.freed_samples import FreedSamples, bodies_read, freed_size
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.poses import Poses
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.run import Run
from torseur.simulation.run.samples import Happened
from torseur.simulation.run.saving import TEXTS, Content
from torseur.simulation.run.touching import touching
from torseur.version import __version__
from torseur.words.sentence import say

Array = np.ndarray
WRONG = (TypeError, ValueError, KeyError, IndexError, AttributeError, AssertionError,
          ArithmeticError, MemoryError, EOFError, RecursionError)  # fmt: skip


@final
@dataclass(frozen=True)
class SavedRun:
    """Content of a file without a description: time, quantities by name, energies, remarks."""

    t: Array
    values: dict[str, Array]
    energy: dict[str, Array]
    notices: tuple[str, ...]
    name: str
    units: dict[str, str] = field(default_factory=dict)
    mechanism: Mechanism | None = None

    def __getitem__(self, name: str) -> Array:
        """A coordinate or a speed by name."""
        require_known("run", "coordinate", name, self.values)
        return self.values[name]


def load_run(path: str | Path) -> Run | SavedRun:
    """The run of a file written by `Run.save`, with its model: reactions and points follow.

    A file that holds no YAML form, as those of the first version, gives a SavedRun.
    """
    data = file_bytes(path)
    try:
        with scipy.io.netcdf_file(BytesIO(data), "r", mmap=False) as file:
            if getattr(file, "format", None) is None:
                return _first_version(file)
            content, digest = _read(file), file.digest.decode()
    except WRONG as error:
        raise ModelError(
            str(path),
            say("it is not a netCDF file of a run, or it is damaged ({said}).", _one_line(error)),
        ) from None
    if content.digest != digest:
        problem = "it is damaged: its content does not match its digest."
        raise ModelError(str(path), problem, "Use a copy, or simulate again.")
    try:
        return _restored(content)
    except (ModelError, *WRONG) as error:
        problem = say("its description cannot be read ({said}).", _one_line(error))
        advice = say(
            "It was written by {get}; this is Torseur {version}.",
            content.texts.get("source"),
            __version__,
        )
        raise ModelError(str(path), problem, advice) from None


def _one_line(error: BaseException) -> str:
    """Message of a library's error, on one line."""
    return " ".join(str(error).split())[:120] or type(error).__name__


def file_bytes(path: str | Path) -> bytes:
    if not isinstance(path, str | Path):
        problem = say("a run cannot be read from a value of type {kind}.", type(path).__name__)
        raise ModelError("load_run", problem, "Give the path of a file (.nc).")
    try:
        place = Path(path)
        if place.exists() and not place.is_file():
            raise ModelError(str(path), say('"{path}" is not a file.', path))
        return place.read_bytes()
    except FileNotFoundError:
        raise ModelError(str(path), say('the file "{path}" does not exist.', path)) from None
    except (OSError, ValueError) as error:
        raise ModelError(str(path), say("it cannot be read: {reason}.", reason(error))) from None


def _read(file: scipy.io.netcdf_file) -> Content:
    """The content of a file, whatever it is worth."""
    texts = {name: getattr(file, name).decode() for name in TEXTS}
    kinds: dict[str, dict[str, Curve]] = {"states": {}, "energies": {}, "others": {}}
    for coded, variable in file.variables.items():
        name = coded.encode("latin-1").decode()
        kind = getattr(variable, "kind", b"").decode()
        if kind in kinds:
            label = variable.long_name.decode(), variable.units.decode()
            kinds[kind][name] = Curve(*label, _array(variable))
    bodies = file.variables.get("absolute_state")
    absolute = None if bodies is None else _array(bodies)
    freed = int(getattr(bodies, "freed", 0))
    t = _array(file.variables["time"])
    return Content(texts, t, **kinds, absolute=absolute, freed=freed)


def _restored(content: Content) -> Run | SavedRun:
    """The run as it was."""
    texts = {name: json.loads(content.texts[name]) for name in TEXTS[2:]}
    values = {curve.name: curve for curve in content.states.values()}
    energy = {n.removeprefix("energy_"): x.values for n, x in content.energies.items()}
    notices, description = tuple(texts["notices"]), texts["description"]
    if not isinstance(description, str):
        return SavedRun(
            t=content.t,
            values={name: curve.values for name, curve in values.items()},
            energy=energy,
            notices=notices,
            name=content.texts["title"],
            units={name: curve.unit for name, curve in values.items()},
        )
    mechanism = described(yaml_mechanism(description, ""), description)
    stored = content.absolute
    mechanism = _commanded(mechanism, stored, content.freed)
    model = moving_model(mechanism, texts["given"])
    names = (*model.coordinates, *model.speeds)
    states = np.column_stack([*(values[name].values for name in names), energy["work"]])
    event_texts = texts["events"]
    events = tuple(
        Happened(name, t, np.array(state), *more) for name, t, state, *more in event_texts
    )
    besides = len(mechanism.commanded) + len(mechanism.states)
    reported = besides + TOLD  # numbers that steps with a pile keep
    by_steps = bool(piles_of(mechanism)) and stored is not None and stored.shape[1] == reported
    if stored is not None and not content.freed and (elements(mechanism) or by_steps):
        contacts, both = ContactModel(model), np.column_stack([states, stored])
        if both.shape[1] == contacts.in_state["all"].stop:
            return Run(ContactSamples(contacts, content.t, both), notices, events)
    if stored is not None and content.freed:
        given = dict(zip(model.coordinates, map(float, states[0]), strict=False))
        bodies = bodies_read(model, content.freed, content.t, stored, given)
        return Run(FreedSamples(model, bodies, states[0]), notices, events)
    if stored is not None and besides:
        states, stored = np.column_stack([states, stored]), None
    if stored is None:
        return Run(JointSamples(model, content.t, states), notices, events)
    absolute_model = AbsoluteModel(model.mechanism, model.parameters)
    poses = Poses(
        absolute_model, content.t, stored, touching=touching(absolute_model, content.t, stored)
    )
    return Run(AbsoluteSamples(model, poses), notices, events)


def _commanded(mechanism: Mechanism, absolute: Array | None, freed: int) -> Mechanism:
    """The mechanism with the forces that a law gave, if what was kept besides has them."""
    if absolute is None or not mechanism.inputs:
        return mechanism
    ruled = with_commanded(mechanism, mechanism.inputs)
    if freed:
        return ruled if absolute.shape[1] == freed_size(CompiledModel(ruled), freed) else mechanism
    if not elements(mechanism):
        reported = TOLD if piles_of(mechanism) else 0
        besides = len(mechanism.inputs) + len(mechanism.states) + reported
        return ruled if absolute.shape[1] == besides else mechanism
    part = ContactModel(CompiledModel(ruled)).in_state["all"]
    return ruled if absolute.shape[1] == part.stop - part.start else mechanism


def _first_version(file: scipy.io.netcdf_file) -> SavedRun:
    """Files of version 0.1.0, with variables called state_0, state_1, …"""
    variables = file.variables
    states = [x for n, x in variables.items() if n.startswith("state_")]
    if "time" not in variables or not states:
        raise ValueError("it holds no samples of a run")
    energy = {n.removeprefix("energy_"): _array(x) for n, x in variables.items() if "energy_" in n}
    return SavedRun(
        t=_array(variables["time"]),
        values={x.long_name.decode(): _array(x) for x in states},
        energy=energy,
        notices=tuple(json.loads(file.notices.decode())),
        name=file.title.decode(),
        units={x.long_name.decode(): x.units.decode() for x in states},
    )


def _array(variable: Any) -> Array:
    return np.array(variable[:], dtype=float)
