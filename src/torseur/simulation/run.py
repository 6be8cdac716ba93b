"""The result of a simulation: coordinates, points, reactions and energies by name."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.graph import evaluate
from torseur.backends.compiled import CompiledModel
from torseur.dynamics.closure import closures
from torseur.dynamics.kinematics import ground_poses, velocities
from torseur.dynamics.newton_euler import InverseDynamics, Wrench, inverse_dynamics
from torseur.errors import unknown
from torseur.mechanism.description import GROUND, Joint, Mechanism
from torseur.mechanism.numeric import numeric_mechanism
from torseur.spatial.vectors import cross
from torseur.topology.structure import Cut, structure
from torseur.topology.tree import Tree

Array = np.ndarray


@final
class Run:
    """Samples of a motion. `run["alpha"]` is a coordinate, `run["alpha."]` its speed."""

    def __init__(
        self, model: CompiledModel, t: Array, states: Array, notices: tuple[str, ...] = ()
    ) -> None:
        nq, nv = len(model.coordinates), len(model.speeds)
        self.model = model
        self.t = t  # (samples) [s]
        self.q = states[:, :nq]  # the coordinates of the tree
        self.v = states[:, nq : nq + nv]  # its speeds
        self.work = states[:, nq + nv]  # of the forces without potential [J]
        self.notices = notices
        self.events: tuple[str, ...] = ()

    @cached_property
    def _solved(self) -> tuple[Array, Array]:
        from torseur.simulation.integrate import solved

        both = [solved(self.model, q, v) for q, v in zip(self.q, self.v, strict=True)]
        return np.array([a for a, _ in both]), np.array([lam for _, lam in both])

    @property
    def a(self) -> Array:
        """The accelerations of the tree (samples, nv)."""
        return self._solved[0]

    @property
    def lambdas(self) -> Array:
        """The multipliers of the closing joints (samples, rows)."""
        return self._solved[1]

    def __getitem__(self, name: str) -> Array:
        """A coordinate or a speed by name, those of closing joints too."""
        if name in self.model.coordinates:
            return self.q[:, self.model.coordinates.index(name)]
        if name in self.model.speeds:
            return self.v[:, self.model.speeds.index(name)]
        for number, cut in enumerate(self.model.system.cuts):
            if name in cut.coordinates:
                return self._closing_coordinates[number][:, cut.coordinates.index(name)]
        known = [*self.model.coordinates, *self.model.speeds]
        known += [n for cut in self.model.system.cuts for n in cut.coordinates]
        raise unknown("run", "coordinate", name, known)

    @cached_property
    def _numbers(self) -> Mechanism:
        """The mechanism at the values of its parameters."""
        return numeric_mechanism(self.model.mechanism, self.model.parameters)

    @cached_property
    def _numeric(self) -> tuple[Tree, tuple[Cut, ...]]:
        """The tree and the closing joints with numbers."""
        found = structure(self._numbers)
        return found.tree, found.cuts

    @cached_property
    def _closing_coordinates(self) -> list[Array]:
        tree, cuts = self._numeric
        rows = [[c.coordinates for c in closures(tree, cuts, q)] for q in self.q]
        return [_unwound(cut, np.array([row[k] for row in rows])) for k, cut in enumerate(cuts)]

    def point(self, name: str, derivative: int = 0) -> Array:
        """A named point in the ground (samples, 3), its velocity or its acceleration."""
        points = self.model.mechanism.points
        if name not in points:
            raise unknown("run", "point", name, points)
        tree, _ = self._numeric
        index = {link.name: i for i, link in tree} | {GROUND: -1}
        i = index[points[name].body]
        values = evaluate(points[name].position, self.model.parameters)
        local = np.asarray(values, dtype=float)
        if i < 0:
            return np.tile(local if derivative == 0 else np.zeros(3), (len(self.t), 1))
        r = tree.links[i].X_MB.point(local)
        return np.array([self._point(k, i, r, derivative) for k in range(len(self.t))])

    def _point(self, k: int, i: int, r: Array, derivative: int) -> Array:
        tree, _ = self._numeric
        X = ground_poses(tree, self.q[k])[i]
        if derivative == 0:
            return X.point(r)
        if derivative == 1:
            moving = velocities(tree, self.q[k], self.v[k])[i]
            return X.R.out(moving.v + cross(moving.w, r))
        still = np.zeros(3)
        motion = inverse_dynamics(tree, self.q[k], self.v[k], self.a[k], still).motions[i]
        return X.R.out(motion.acc + motion.U @ r)

    # --- forces and energies --------------------------------------------------------------------

    @cached_property
    def _wrenches(self) -> list[InverseDynamics]:
        """The wrenches in all the joints, with the closing joints' as external ones."""
        tree, cuts = self._numeric
        gravity = self._numbers.gravity
        found = []
        for q, v, a, lam in zip(self.q, self.v, self.a, self.lambdas, strict=True):
            external = _closing_wrenches(closures(tree, cuts, q), ground_poses(tree, q), lam)
            found.append(inverse_dynamics(tree, q, v, a, gravity, external))
        return found

    def reaction(self, joint: str, at: Array | None = None, frame: str = "ground") -> Array:
        """Force then couple of the first body on the second (samples, 6), with what motors give.

        At the origin of the joint's frame M unless `at` gives a point of the ground; in ground
        axes, or in those of M with frame="joint".
        """
        joints = self.model.mechanism.joints
        if joint not in joints:
            raise unknown("run", "joint", joint, joints)
        rows = []
        for k in range(len(self.t)):
            X, force, couple = self._joint_wrench(joint, k)
            if at is not None:
                arm = np.asarray(at, dtype=float) - X.p
                couple = couple - np.cross(arm, force)
            if frame == "joint":
                force, couple = X.R.into(force), X.R.into(couple)
            rows.append(np.concatenate([force, couple]))
        return np.array(rows)

    def _joint_wrench(self, joint: str, k: int) -> tuple[Any, Array, Array]:
        """Frame M in the ground, and the wrench there in ground axes."""
        tree, cuts = self._numeric
        start = 0
        for closure in closures(tree, cuts, self.q[k]):
            rows = closure.cut.rows
            if closure.cut.name == joint:
                wrench = closure.T @ self.lambdas[k][start : start + rows]
                X = closure.X_WM
                return X, X.R.out(wrench[3:]), X.R.out(wrench[:3])
            start += rows
        i, link = next((i, link) for i, link in tree if link.joint_name == joint)
        found, X = self._wrenches[k], ground_poses(tree, self.q[k])[i]
        sign = 1.0 if self.model.mechanism.joints[joint].second == link.name else -1.0
        return X, sign * X.R.out(found.forces[i]), sign * X.R.out(found.couples[i])

    @cached_property
    def energy(self) -> dict[str, Array]:
        """Kinetic and potential energy, and the work of the forces without potential [J]."""
        pairs = list(zip(self.q, self.v, strict=True))
        return {
            "kinetic": np.array([self.model.kinetic_energy(q, v) for q, v in pairs]),
            "potential": np.array([self.model.potential_energy(q) for q in self.q]),
            "work": self.work,
        }

    @property
    def energy_drift(self) -> float:
        """The largest error of T + V − work, relative to the largest kinetic energy."""
        total = self.energy["kinetic"] + self.energy["potential"] - self.energy["work"]
        size = max(self.energy["kinetic"].max(), np.ptp(self.energy["potential"]), 1e-300)
        return float(np.abs(total - total[0]).max() / size)

    @property
    def closure_error(self) -> float:
        """The largest gap of any loop at any sample [m or rad]."""
        if not self.model.system.cuts:
            return 0.0
        return float(max(np.abs(self.model.closure_gap(q)).max() for q in self.q))

    def save(self, path: str | Path) -> None:
        """The run as a netCDF file that other programs open (xarray, MATLAB, Panoply)."""
        from torseur.simulation.files import save

        save(self, path)

    @property
    def names(self) -> dict[str, str]:
        """Every coordinate and speed with its unit, those of closing joints after the others."""
        joints = self.model.mechanism.joints.values()
        units = {n: u for j in joints for n, u in zip(j.coordinates, _units(j), strict=True)}
        units |= {n: u for j in joints for n, u in zip(j.speeds, j.kind.speed_units, strict=True)}
        closing = [name for cut in self.model.system.cuts for name in cut.coordinates]
        listed = (*self.model.coordinates, *self.model.speeds, *closing)
        return {name: units[name] for name in listed}

    @property
    def table(self) -> Array:
        """The samples of everything in `names`, a column each."""
        return np.column_stack([self[name] for name in self.names])

    def to_csv(self, path: str | Path) -> None:
        """Time, coordinates and speeds, one row a sample, with a line of names and units."""
        names = ["t [s]", *(f"{name} [{unit}]" for name, unit in self.names.items())]
        table = np.column_stack([self.t, self.table])
        np.savetxt(path, table, delimiter=",", header=",".join(names), comments="", fmt="%.17g")


def _unwound(cut: Cut, samples: Array) -> Array:
    """Coordinates read from poses, with angles followed beyond a half turn."""
    angles = [unit == "rad" for unit in cut.joint.coordinate_units]
    return np.where(angles, np.unwrap(samples, axis=0), samples)


def _units(joint: Joint) -> tuple[str, ...]:
    return joint.kind.coordinate_units


def _closing_wrenches(found: list, placed: list, lam: Array) -> dict[int, Wrench]:
    """What the closing joints do to their two bodies, at the origins of their frames."""
    external: dict[int, Wrench] = {}
    start = 0
    for closure in found:
        rows = closure.cut.rows
        wrench = closure.T @ lam[start : start + rows]
        start += rows
        force, couple = closure.X_WM.R.out(wrench[3:]), closure.X_WM.R.out(wrench[:3])
        for i, sign in ((closure.cut.A, -1.0), (closure.cut.B, 1.0)):
            if i >= 0:
                X = placed[i]
                moved = couple + np.cross(closure.X_WM.p - X.p, force)
                own = (sign * X.R.into(force), sign * X.R.into(moved))
                before = external.get(i, (np.zeros(3), np.zeros(3)))
                external[i] = (before[0] + own[0], before[1] + own[1])
    return external
