"""The samples of a motion of bodies that are each placed by itself, in the names of joints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.errors import unknown
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact.model import ContactModel
from torseur.model.contact.closed_contacts import closed
from torseur.model.contact.elements import elements
from torseur.model.description import Joint, Mechanism
from torseur.model.freed import freed
from torseur.simulation.observe.observer import observe
from torseur.simulation.run.contact_samples import ContactHistory, ContactSamples
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.placed_bodies import with_coordinates

Array = np.ndarray
BY_CONTACTS, BY_JOINTS = 1, 2  # how a file tells that bodies are freed: with laws of contact or not


@final
class FreedSamples:
    """Samples of bodies that are each placed by themselves; see `JointSamples`."""

    def __init__(self, model: CompiledModel, bodies: JointSamples, first: Array) -> None:
        self.model = model
        self.bodies = bodies  # of the mechanism whose bodies are free
        self._first = first  # (nq,): coordinates of the tree at the start
        self.t = bodies.t
        self.work = bodies.work
        self.inputs = bodies.inputs  # what is given while it moves
        self.kept_states = bodies.states  # of the bodies, a row a sample
        self.contacts_named = bodies.contacts_named
        self.touching = bodies.touching  # None: nothing touches as bodies of a pile do
        self.owners = bodies.owners  # of each multiplier
        self.closing, self.worst_gap = bodies.closing, bodies.worst_gap

    @property
    def freed(self) -> int:
        """The number by which a file tells these from other states of bodies."""
        return BY_CONTACTS if isinstance(self.bodies, ContactSamples) else BY_JOINTS

    @property
    def multiplier_meanings(self) -> tuple[str, ...]:
        """The force or couple that each multiplier is, in words, with its owner."""
        return self.bodies.multiplier_meanings

    def __reduce__(self) -> tuple[Any, ...]:
        return FreedSamples, (self.model, self.bodies, self._first)

    def contact(self, name: str) -> ContactHistory:
        """An element over the samples."""
        if not isinstance(self.bodies, ContactSamples):
            raise unknown("run", "contact", name, ())
        return self.bodies.contact(name)

    # --- joints -----------------------------------------------------------------------------

    @cached_property
    def q(self) -> Array:
        """The coordinates of the joints that carry bodies (samples, nq)."""
        return coordinates_read(self.model, self.bodies, self._first)

    @cached_property
    def v(self) -> Array:
        """Their speeds (samples, nv)."""
        return rates_read(self.model, self.bodies, 1)

    @cached_property
    def a(self) -> Array:
        """The rates of their speeds (samples, nv)."""
        return rates_read(self.model, self.bodies, 2)

    @cached_property
    def closing_joints(self) -> list[Joint]:
        """The joints that close loops and have coordinates."""
        return with_coordinates(self.model.system)

    # --- places -----------------------------------------------------------------------------

    seen = cached_property(observe)  # points and frames of the motion, relative to any frame

    def point(self, name: str, derivative: int, frame: str) -> Array:
        """A named point (samples, 3), its velocity or its acceleration, relative to a frame."""
        return self.seen.point(name, derivative, frame=frame)

    # --- forces and energies ----------------------------------------------------------------

    @cached_property
    def smooth_model(self) -> CompiledModel:
        """The model without what opens, sticks or slides, in the coordinates of joints."""
        return self.model.once(_without_laws).tried(**self.model.given)

    @property
    def wrenches(self) -> Mapping[str, Array]:
        """Force, couple and frame M of every joint and contact at every sample, by name."""
        tree_joints = {link.joint_name for _, link in self.bodies.model.system.tree}
        return {name: x for name, x in self.bodies.wrenches.items() if name not in tree_joints}

    @property
    def lambdas(self) -> Array:
        """The multipliers (samples, rows)."""
        return self.bodies.lambdas

    @property
    def energy(self) -> dict[str, Array]:
        """Kinetic and potential energy, and the work of the forces without potential [J]."""
        return self.bodies.energy

    @property
    def gaps(self) -> Array:
        """The largest gap of any joint at each sample [m or rad]."""
        return self.bodies.gaps

    @property
    def openings(self) -> Array:
        """Gaps relative to the size of the mechanism, or in radians."""
        return self.bodies.openings


def coordinates_read(model: CompiledModel, bodies: JointSamples, first: Array) -> Array:
    """The coordinates of a tree (samples, nq) from bodies that are placed each by itself.

    Of a quaternion a and −a, the one that is nearer to the first coordinates at first.
    """
    coordinates = rates_read(model, bodies, 0)
    for four in model.system.tree.quaternions:
        start = bodies.first_of(_joint_at(model, four))[-4:]
        coordinates[:, four] *= -1.0 if start @ first[four] < 0 else 1.0
    return coordinates


def rates_read(model: CompiledModel, bodies: JointSamples, order: int) -> Array:
    """Coordinates as poses tell them (0), speeds (1) or their rates (2) of a tree (samples, n)."""
    tree = model.system.tree
    rates = np.zeros((len(bodies.t), tree.nv if order else tree.nq))
    for _, link in tree:
        if link.joint.nv:
            joint = model.mechanism.joints[link.joint_name]
            rates[:, link.v if order else link.q] = bodies.closing(joint, order)
    return rates


def _joint_at(model: CompiledModel, four: slice) -> Joint:
    """The joint that has a quaternion."""
    links = (link for _, link in model.system.tree)
    name = next(link.joint_name for link in links if link.q.stop == four.stop)
    return model.mechanism.joints[name]


def bodies_read(
    model: CompiledModel, freed: int, t: Array, states: Array, given: Mapping[str, float]
) -> JointSamples:
    """The bodies of a file, of the model that moved."""
    free = free_model(model)
    if freed == BY_JOINTS:
        return JointSamples(free, t, states, given)
    return ContactSamples(ContactModel(free), t, states, given)


def freed_size(model: CompiledModel, freed: int) -> int:
    """The numbers of a state of the bodies of a model."""
    free = free_model(model)
    if freed == BY_CONTACTS:
        return ContactModel(free).size
    return len(free.coordinates) + len(free.speeds) + 1 + len(free.system.signals)


def free_model(model: CompiledModel) -> CompiledModel:
    """The model of the same mechanism with every body placed by itself; its code is made once."""
    return model.once(_freed).tried(**model.given)


def _freed(mechanism: Mechanism) -> CompiledModel:
    return CompiledModel(freed(mechanism))


def _without_laws(mechanism: Mechanism) -> CompiledModel:
    return CompiledModel(closed(mechanism, elements(mechanism)))
