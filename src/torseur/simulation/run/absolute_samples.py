"""The samples of a motion in absolute coordinates, which knows its own forces."""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from torseur.equations.formalisms.absolute import multiplier_meanings
from torseur.machine.compiled import CompiledModel
from torseur.model.description import GROUND, Joint
from torseur.simulation.observe.observer import observe
from torseur.simulation.run.joint_wrenches import Wrenches
from torseur.simulation.run.poses import Poses

Array = np.ndarray


@final
class AbsoluteSamples:
    """Samples of the poses of all bodies; see `JointSamples`."""

    def __init__(self, model: CompiledModel, poses: Poses) -> None:
        self.model = model
        self.poses = poses
        self.t = poses.t
        self.q, self.v = poses.q, poses.v  # of the tree (samples, nq), (samples, nv)
        self.work = poses.work
        self.kept_states = poses.states  # all that is integrated, a row a sample
        self.inputs = np.zeros((len(self.t), len(model.mechanism.commanded)))  # nobody gives any
        self.contacts_named: tuple[str, ...] = ()
        self.smooth_model = model
        self.closing_joints = poses.closing  # that have coordinates
        self.touching = poses.touching  # None: nothing touches

    @property
    def a(self) -> Array:
        """Its accelerations (samples, nv)."""
        return self.poses.a

    def closing(self, joint: Joint, order: int) -> Array:
        """The coordinates (order 0), speeds or accelerations of a closing joint (samples, n)."""
        reads = (self.poses.coordinates, self.poses.speeds, self.poses.accelerations)
        return np.stack(reads[order](joint), axis=1)

    seen = cached_property(observe)  # points and frames of the motion, relative to any frame

    def point(self, name: str, derivative: int, frame: str) -> Array:
        """A named point (samples, 3), its velocity or its acceleration, relative to a frame."""
        if frame == GROUND and name in self.model.mechanism.points:
            return self.poses.point(name, derivative)
        return self.seen.point(name, derivative, frame=frame)

    @cached_property
    def wrenches(self) -> Wrenches:
        """Force, couple and frame M of every joint at every sample, by name."""
        return Wrenches(self.poses)

    @property
    def owners(self) -> tuple[str, ...]:
        """Owner of each multiplier."""
        return tuple(owner for one in self.poses.model.graph.sets for owner in one.owners)

    @property
    def multiplier_meanings(self) -> tuple[str, ...]:
        """In words, what each multiplier is."""
        return multiplier_meanings(self.poses.model.mechanism, self.owners)

    @property
    def lambdas(self) -> Array:
        """The multipliers in the order of their owners (samples, rows)."""
        by_owner = self.wrenches.multipliers
        sets = enumerate(self.poses.model.graph.sets)
        parts = [by_owner[:, k, : len(one.owners)] for k, one in sets]
        return np.concatenate([np.zeros((len(self.t), 0)), *parts], axis=1)

    @cached_property
    def energy(self) -> dict[str, Array]:
        """Kinetic and potential energy, and the work of the forces without potential [J]."""
        return {
            "kinetic": np.array([report.kinetic for report in self.poses.reports]),
            "potential": np.array([report.potential for report in self.poses.reports]),
            "work": self.work,
        }

    @property
    def gaps(self) -> Array:
        """The largest gap of any joint at each sample [m or rad]."""
        return np.array([np.abs(r.gaps).max(initial=0.0) for r in self.poses.reports])

    @property
    def openings(self) -> Array:
        """Gaps relative to the size of the mechanism, or in radians."""
        opening = self.poses.model.opening
        return np.array([np.abs(opening(r.gaps)).max(initial=0.0) for r in self.poses.reports])

    def worst_gap(self, sample: int) -> tuple[str, float]:
        """Largest gap at a sample: its owner and size [m or rad]."""
        return self.poses.model.worst(self.poses.reports[sample].gaps)
