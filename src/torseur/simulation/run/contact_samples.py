"""The samples of a motion with contacts: forces and accelerations by the modes of each sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.brief import numbered
from torseur.equations.actions.reactions import wrench_names
from torseur.equations.symbols.system import System
from torseur.errors import require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.pool import Pool
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.touching import PileContacts

Array = np.ndarray
STATES = ("open", "stick", "slip")  # by the modes of the layout
UNKNOWN = -1.0  # the mode of an element before any was chosen


@final
class ContactSamples(JointSamples):
    """Samples of (q, v, work, work of friction and mode of each element)."""

    def __init__(
        self,
        contacts: ContactModel,
        t: Array,
        states: Array,
        given: Mapping[str, float] | None = None,
        whole: ContactSamples | None = None,
    ) -> None:
        super().__init__(contacts.model, t, states, given, whole)
        self.contacts = contacts
        where = contacts.in_state
        self.modes = states[:, where["modes"]].astype(int)
        self.friction_work = states[:, where["work"]]
        self.kept_states = states[:, where["all"]]  # what must be kept besides

    def __reduce__(self) -> tuple[Any, ...]:
        given = self.contacts.model, self.t, self.states, self._given
        return _rebuilt, given

    @cached_property
    def _pool(self) -> Pool:
        """The contacts among bodies, of a mechanism that has such."""
        return Pool(self.contacts.model)

    @cached_property
    def touching(self) -> PileContacts | None:  # type: ignore[override]
        """Contacts among bodies; None without any."""
        return PileContacts(self._pool, self.t, self.states) if self.contacts.reported else None

    @cached_property
    def _at_samples(self) -> dict[str, Array]:
        """Accelerations; forces, speeds and gaps of rows; loads of elements, at every sample."""
        if self.touching is not None:
            pairs = zip(self.states, self.t, strict=True)
            steps = [self._pool.step(y, float(t)) for y, t in pairs]
            named = {"a": "a", "z": "forces", "u": "u", "gap": "gap", "load": "load"}
            return {x: np.array([getattr(one, y) for one in steps]) for x, y in named.items()}
        columns: dict[str, list[Array]] = {name: [] for name in ("a", "z", "u", "gap", "load")}
        for t, y in zip(self.t, self.states, strict=True):
            a, load = self.contacts.at_state(y, float(t))
            columns["a"].append(a)
            columns["load"].append(load)
            for name in ("z", "u", "gap"):
                columns[name].append(self.contacts[name].copy())
        return {name: np.array(values) for name, values in columns.items()}

    @cached_property
    def _solved(self) -> tuple[Array, Array]:
        return self._at_samples["a"], self._at_samples["z"]

    @property
    def contacts_named(self) -> tuple[str, ...]:  # type: ignore[override]
        """The contacts, stops and frictions."""
        return tuple(one.name for one in self.contacts.parts)

    @property
    def smooth_model(self) -> CompiledModel:
        return self.contacts.held

    @property
    def owners(self) -> tuple[str, ...]:
        return self.contacts.state.constraints.owners

    @cached_property
    def wrenches(self) -> Mapping[str, Array]:
        constraints = self.contacts.held
        if self.inputs.shape[1]:
            constraints = constraints.with_signals(self.t, self.inputs)
        multipliers = [self.lambdas] if self.lambdas.shape[1] else []
        arguments = self.q, self.v, self.a, *multipliers, self.t
        rows = np.asarray(constraints.timed("joint_wrenches")(*arguments))
        if self.touching is not None:
            rows = rows + touched_wrenches(constraints.system, rows, self.touching)
        names = wrench_names(constraints.system)
        return {name: rows[:, k] for k, name in enumerate(names)}

    def contact(self, name: str) -> ContactHistory:
        """An element over the samples."""
        require_known("run", "contact", name, self.contacts_named)
        k = self.contacts_named.index(name)
        one, rows = self.contacts.parts[k], list(self.contacts.state.rows[k])
        normal = rows.pop(0) if one.pushes else -1
        columns, empty = self._at_samples, np.zeros(len(self.t))
        couple, spin = empty, empty
        if one.patch is not None:
            row, radius = rows.pop(), self.contacts.number(one.patch.radius)
            couple, spin = columns["z"][:, row] * radius, columns["u"][:, row] / radius
        return ContactHistory(
            self.t,
            columns["gap"][:, normal] if normal >= 0 else empty,
            np.array([STATES[mode] for mode in self.modes[:, k]]),
            columns["z"][:, normal] if normal >= 0 else columns["load"][:, k],
            columns["z"][:, rows],
            columns["u"][:, rows],
            self.friction_work[:, k],
            couple,
            spin,
        )


def touched_wrenches(system: System, rows: Array, touching: PileContacts) -> Array:
    """(samples, joints, numbers): what contacts among bodies add to the wrenches of joints.

    A joint that carries a body carries the forces on it.
    """
    added, links = np.zeros_like(rows), {link.name: i for i, link in system.tree}
    for sample in range(len(touching)):
        for touch in touching[sample]:
            for name, force in ((touch.first, touch.force), (touch.second, -touch.force)):
                for i in system.tree.ancestors(links[name]) if name in links else ():
                    sign = 1 if system.tree.links[i].joint.backwards else -1
                    arm = touch.point - rows[sample, i, 6:9]
                    added[sample, i, :3] += sign * force
                    added[sample, i, 3:6] += sign * np.cross(arm, force)
    return added


def _rebuilt(model: Any, t: Array, states: Array, given: Any) -> ContactSamples:
    return ContactSamples(ContactModel(model), t, states, given)


@final
@dataclass(frozen=True, repr=False)
class ContactHistory:
    """A contact, a stop or a friction over the samples of a run."""

    t: Array
    gap: Array  # (samples) [m or rad]
    state: Array  # (samples): "open", "stick" or "slip"
    normal: Array  # (samples): what presses, in joints times the arm [N or N m]
    tangential: Array  # (samples, directions): friction
    slip: Array  # (samples, directions): the speed of sliding
    work: Array  # (samples): of friction and shocks, not positive; of a spring too [J]
    couple: Array  # (samples): what resists pivoting of a patch, about the normal [N m]
    spin: Array  # (samples): at which that pivots [rad/s]

    @property
    def force(self) -> Array:
        """(samples, 1 + directions): the normal force, then friction, on the second body."""
        return np.column_stack([self.normal, self.tangential])

    @property
    def adherence(self) -> Array:
        """(samples): |T| / N; not a number where nothing presses."""
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.linalg.norm(self.tangential, axis=1)
            return np.where(self.normal > 0, size / self.normal, np.nan)

    def __repr__(self) -> str:
        states = ", ".join(dict.fromkeys(self.state))
        return f"<contact over {numbered(len(self.t), 'sample')}: {states}>"
