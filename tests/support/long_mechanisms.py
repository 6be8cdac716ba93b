"""Mechanisms of any number of bodies: hanging chains, the windows of IFToMM benchmark A02."""

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.model.description import GROUND, Body, Joint, Mechanism, Point
from torseur.model.joints.library import Revolute
from torseur.spatial.pose import Pose

EARTH = np.array([0.0, -9.81, 0.0])


def chain(bodies, length=1.0, spatial=False):
    """Links of one kilogram, hanging from the ground; out of the plane, axes alternate."""
    inertia = length**2 * np.diag([0.01, 1 / 12, 1 / 12])
    links, joints, before = {}, {}, GROUND
    for k in range(bodies):
        name = f"link{k}"
        links[name] = Body(name, 1.0, np.array([length / 2, 0.0, 0.0]), inertia)
        end = Pose(np.array([length if k else 0.0, 0.0, 0.0]))
        axis = 1 + (k + 1) % 2 if spatial else 2
        joints[f"pin{k}"] = _pin(f"pin{k}", axis, before, name, end)
        before = name
    return Mechanism("chain", {}, links, joints, EARTH)


def windows(count):
    """Benchmark A02: rods of 1 m and 1 kg, count + 1 of them upright on the ground, B0 at 1 m/s."""
    rod = np.diag([1e-4, 1 / 12, 1 / 12])
    centre, end = np.array([0.5, 0.0, 0.0]), Pose(np.array([1.0, 0.0, 0.0]))
    bodies, joints, initial = {}, {}, {}
    for k in range(count + 1):
        bodies[f"V{k}"] = Body(f"V{k}", 1.0, centre, rod)
        foot = Pose(np.array([float(k), 0.0, 0.0]))
        joints[f"G{k}"] = _pin(f"G{k}", 2, GROUND, f"V{k}", foot)
        initial |= {f"G{k}": expression(np.pi / 2), f"G{k}.": expression(-1.0)}
    for k in range(count):
        bodies[f"H{k}"] = Body(f"H{k}", 1.0, centre, rod)
        joints[f"A{k}"] = _pin(f"A{k}", 2, f"V{k}", f"H{k}", end)
        joints[f"B{k}"] = _pin(f"B{k}", 2, f"H{k}", f"V{k + 1}", end, end)
        initial |= {f"A{k}": expression(-np.pi / 2), f"A{k}.": expression(1.0)}
    points = {"B0": Point("B0", "V0", np.array([1.0, 0.0, 0.0]))}
    return Mechanism("windows", {}, bodies, joints, EARTH, initial=initial, points=points)


def _pin(name, axis, first, second, X_AF, X_BM=None):
    coordinates = (name,), (f"{name}.",)
    return Joint(name, Revolute(axis), first, second, X_AF, X_BM or Pose(), *coordinates)
