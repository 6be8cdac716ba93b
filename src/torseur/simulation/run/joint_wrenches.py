"""The wrench in every joint of a motion in absolute coordinates, from its own multipliers.

What the first body of a joint does to the second: the multipliers of its rows, the drives of its
coordinates, its share of relations, and what motors, springs and loads exert between its bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.dynamics.absolute.joint_rows import joint_rows
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.forms import FormElement
from torseur.machine.absolute.joint_elements import Measure, frame_of
from torseur.model.constraints.protocol import JointRows, MeshRow
from torseur.model.constraints.selection import between_frames, meshes, restraints
from torseur.model.description import GROUND, Mechanism
from torseur.simulation.run.poses import STILL, Moving, Poses
from torseur.spatial import quaternion
from torseur.spatial.triples import cross, dot, minus, plus, times

Array = np.ndarray
WIDTH = 18  # force, couple, origin of M, axes of M row by row; all in ground axes


@final
class Wrenches(Mapping[str, Array]):
    """Wrenches by joint, contact or imposed motion of a body, each computed on first use."""

    def __init__(self, poses: Poses) -> None:
        self._poses = poses
        self._model = poses.model
        mechanism = self._model.mechanism
        self._closures = {x.name: x for x in between_frames(restraints(mechanism))}
        self._found: dict[str, Array] = {}
        self._given: dict[int, list[Array]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter((*self._model.mechanism.joints, *self._closures))

    def __len__(self) -> int:
        return len(self._model.mechanism.joints) + len(self._closures)

    def __getitem__(self, name: str) -> Array:
        if name not in self._found:
            if name in self._model.mechanism.joints:
                self._found[name] = self._of_joint(name)
            else:
                self._found[name] = self._of_closure(self._closures[name])
        return self._found[name]

    # --- joints -----------------------------------------------------------------------------

    def _of_joint(self, name: str) -> Array:
        joint, numbers = self._model.numbers.joints[name], self._model.numbers
        second = self._poses.body(joint.second)
        p_j, M = frame_of(numbers, joint.second, joint.X_BM)
        force, moment = STILL, STILL  # at the centre of the second body
        for size, (_, n, _, a_j, _) in (*self._reactions(name), *self._exerted(name)):
            force, moment = plus(force, times(size, n)), plus(moment, times(size, a_j))
        lever = second.out(p_j)
        couple = minus(moment, cross(lever, force))
        return self._table(force, couple, plus(second.end[0], lever), second, M)

    def _table(self, force: Any, couple: Any, origin: Any, second: Moving, M: Array) -> Array:
        axes = [second.out(M[:, k]) for k in range(3)]
        parts = [*force, *couple, *origin, *(axes[c][r] for r in range(3) for c in range(3))]
        samples = self._poses.t.shape
        return np.stack([np.broadcast_to(x, samples) for x in parts], axis=1).astype(float)

    def _reactions(self, name: str) -> Iterator[tuple[Array, Any]]:
        """The rows of a joint with their multipliers."""
        model, kind = self._model, self._model.numbers.joints[name].kind
        sets = {one.joint: k for k, one in enumerate(model.graph.sets) if one.joint}
        rows: Iterable[Any] = ()
        if kind.elementary is None:
            rows = self._poses.defined(name)[kind.nv :]
        elif name in sets:
            rows = joint_rows(kind, *self._poses.frames(name))
        for k, row in enumerate(rows):
            yield self.multipliers[:, sets[name], k], row

    @cached_property
    def multipliers(self) -> Array:
        """λ (samples, sets of rows, 6), with contacts and what the teeth of gears push apart."""
        pushing = [gear for gear in meshes(self._model.mechanism) if gear.pushes_apart]
        if self._poses.touching is not None and self._model.graph.sets:
            return self._poses.multipliers_with(self._touched())
        if not pushing:
            return self._poses.reported
        extra = np.sum([self._apart(gear) for gear in pushing], axis=0)
        return self._poses.multipliers_with(extra)

    def _touched(self) -> Array:
        """The forces of contacts among bodies (samples, bodies, 6)."""
        poses, index = self._poses, self._model.index
        assert poses.touching is not None, "there are contacts"
        felt = np.zeros((len(poses.t), len(self._model.graph.bodies), 6))
        for sample in range(len(poses.t)):
            for touch in poses.touching[sample]:
                for name, force in ((touch.first, touch.force), (touch.second, -touch.force)):
                    if name != GROUND:
                        state, wrench = poses.state(name)[sample], felt[sample, index[name] - 1]
                        R = quaternion.matrix(state[at.ATTITUDE : at.VELOCITY])
                        wrench[:3] += force
                        wrench[3:] += R.T @ np.cross(touch.point - state[:3], force)
        return felt

    def _apart(self, gear: MeshRow) -> Array:
        """The force that pushes two wheels apart, |λ| × apart (samples, bodies, 6)."""
        poses, model = self._poses, self._model
        names = [one.name for one in model.held]
        k, row = model.graph.places[names.index(gear.name)]
        size = np.abs(poses.reported[:, k, row])
        carrier = poses.body(gear.carrier)
        centre = _centre(model.numbers, gear.carrier)
        point, push = (
            np.asarray(evaluate(x, model.values), float) for x in (gear.point, gear.apart)
        )
        at_ground = plus(carrier.end[0], carrier.out(point - centre))
        force = times(size, carrier.out(push))
        felt = np.zeros((len(poses.t), len(model.graph.bodies), 6))
        for name, sign in ((gear.first, -1.0), (gear.second, 1.0)):
            if name != GROUND:
                body, wrench = poses.body(name), felt[:, model.index[name] - 1]
                couple = body.into(cross(minus(at_ground, body.end[0]), force))
                wrench[:, :3] += sign * np.stack(force, axis=1)
                wrench[:, 3:] += sign * np.stack(couple, axis=1)
        return felt

    # --- what acts on the coordinates of a joint ---------------------------------------------

    def _exerted(self, name: str) -> Iterator[tuple[Any, Any]]:
        """Generalised forces on the measures of a joint, with their rows."""
        places = zip(self._model.held, self._model.graph.places, strict=True)
        for one, (k, first) in places:
            for measure, n in self._measures(one.element, name):
                lam = self.multipliers[:, k, first]
                partial = self._outputs(one.element)[at.PARTIALS + n]
                yield lam * partial, self._poses.measure_row(measure)
        for load in self._model.loads:
            for measure, n in self._measures(load, name):
                size = self._outputs(load)[2 + 6 * len(load.bodies) + n]
                yield size, self._poses.measure_row(measure)
        yield from self._rotors(name)

    def _measures(self, element: FormElement, joint: str) -> Iterator[tuple[Measure, int]]:
        for n, name in enumerate(element.measures):
            measure = self._model.place[name][1]
            if measure.joint == joint:
                yield measure, n

    def _outputs(self, element: FormElement) -> list[Array]:
        """Outputs of an element, computed once."""
        if id(element) not in self._given:
            self._given[id(element)] = self._poses.outputs(element)
        return self._given[id(element)]

    def _rotors(self, name: str) -> Iterator[tuple[Any, Any]]:
        """Couple that accelerates the rotor of a motor: α² j q̈ + α j ε·ω̇."""
        numbers = self._model.numbers
        for motor in numbers.motors.values():
            if motor.joint != name or not motor.rotor_inertia:
                continue
            joint = numbers.joints[name]
            measure = self._model.place[joint.coordinates[0]][1]
            spun = motor.ratio * self._poses.rate_of_speed(measure)
            if motor.axis is not None and joint.first != GROUND:
                axis = self._poses.body(joint.first).out(motor.axis)
                spun = spun + dot(axis, self._poses.acceleration(joint.first)[1])
            yield -motor.ratio * motor.rotor_inertia * spun, self._poses.measure_row(measure)

    # --- contacts and imposed motions of bodies ------------------------------------------------

    def _of_closure(self, given: JointRows) -> Array:
        """T λ, in the axes of M at its origin."""
        names = [one.name for one in self._model.held]
        lam = self.multipliers[:, self._model.graph.places[names.index(given.name)][0]]

        def number(x: Any) -> float:
            return float(evaluate(x, self._model.values))

        X_BM = given.X_BM.numeric(number)
        lever, M = frame_of(self._model.numbers, given.second, X_BM)
        second = self._poses.body(given.second)
        origin = plus(second.end[0], second.out(lever))
        table = self._table(STILL, STILL, origin, second, M)
        for k, row in enumerate(table):
            R_WM = row[9:].reshape(3, 3)
            T = self._carried(given, row[6:9], R_WM, k, number)
            couple, force = np.split(T @ lam[k, : T.shape[1]], 2)
            row[:6] = *(R_WM @ force), *(R_WM @ couple)
        return table

    def _carried(self, given: JointRows, p: Array, R_WM: Array, k: int, number: Any) -> Array:
        """T at a sample."""
        if given.moving:
            return np.asarray(given.kind.reactions_at(np.eye(3), np.zeros(3)), dtype=float)
        X_AF = given.X_AF.numeric(number)
        lever, F = frame_of(self._model.numbers, given.first, X_AF)
        first = self._poses.body(given.first)
        R_WA = np.array([np.broadcast_to(x, self._poses.t.shape)[k] for x in first.R]).reshape(3, 3)
        origin = np.array([np.broadcast_to(x, self._poses.t.shape)[k] for x in first.end[0]])
        R_WF = R_WA @ F
        away = R_WF.T @ (p - origin - R_WA @ lever)
        return np.asarray(given.kind.numeric(number).reactions_at(R_WF.T @ R_WM, away), dtype=float)


def _centre(numbers: Mechanism, body: str) -> Array:
    return np.zeros(3) if body == GROUND else np.asarray(numbers.bodies[body].centre, dtype=float)
