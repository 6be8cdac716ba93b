"""Mechanisms of equal rods in a plane, and the same measures of a motion for every engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

Array = np.ndarray
GRAVITY = 9.81  # downwards [m/s²]
LENGTH, MASS = 1.0, 1.0  # of a rod [m] [kg]
INERTIA = MASS * LENGTH**2 / 12  # about the centre [kg m²]
BASE = -1  # the ground, where a body is meant


@final
@dataclass(frozen=True)
class Pin:
    """An end of a rod held on an end of another one, or on a point of the ground."""

    name: str
    first: int  # rod, or BASE
    at: float  # which end of the first one: 0 or 1; the abscissa of a point of the ground
    second: int  # rod
    end: float  # which end of the second one: 0 or 1


@final
@dataclass(frozen=True)
class Rods:
    """Rods, what holds them, and how they start.

    A state of a rod is x, y of its end 0, its angle to the horizontal, and their rates.
    """

    name: str
    bodies: tuple[str, ...]
    pins: tuple[Pin, ...]  # a rod is carried by the first pin whose second rod it is
    start: Array  # (rods, 6)
    watched: tuple[int, ...]  # the rods whose end 1 is compared with the reference

    @cached_property
    def carrying(self) -> dict[int, Pin]:
        """The pins of a tree, by the rod that each carries."""
        found: dict[int, Pin] = {}
        for pin in self.pins:
            found.setdefault(pin.second, pin)
        return found

    @cached_property
    def closing(self) -> tuple[Pin, ...]:
        """The pins that close loops."""
        carrying = set(self.carrying.values())
        return tuple(pin for pin in self.pins if pin not in carrying)

    def between(self, pin: Pin) -> tuple[float, float]:
        """The angle from the first rod of a pin to its second one, and its rate, at the start."""
        second = self.start[pin.second]
        first = np.zeros(6) if pin.first == BASE else self.start[pin.first]
        return float(second[2] - first[2]), float(second[5] - first[5])

    def joint_angles(self) -> tuple[Array, Array]:
        """The angle of each rod to the one that carries it, and its rate, at the start (rods)."""
        found = np.array([self.between(self.carrying[k]) for k in range(len(self.bodies))])
        return found[:, 0], found[:, 1]

    def from_joints(self, q: Array, v: Array) -> Array:
        """States of all rods (samples, rods, 6) from the angles of the tree (samples, rods)."""
        states = np.zeros((*q.shape, 6))
        for rod in self.outward:
            pin = self.carrying[rod]
            states[:, rod, 2], states[:, rod, 5] = q[:, rod], v[:, rod]
            if pin.first == BASE:
                states[:, rod, 0] = pin.at
            else:
                carrier = states[:, pin.first]
                states[:, rod, [2, 5]] += carrier[:, [2, 5]]
                states[:, rod, :2] = places(carrier, pin.at)
                states[:, rod, 3:5] = velocities(carrier, pin.at)
        return states

    @cached_property
    def outward(self) -> tuple[int, ...]:
        """The rods, each after the one that carries it, branch after branch."""
        carried: dict[int, list[int]] = {}
        for rod, pin in self.carrying.items():
            carried.setdefault(pin.first, []).append(rod)
        order, waiting = [], carried[BASE][::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += carried.get(order[-1], [])[::-1]
        return tuple(order)


def windows(count: int) -> Rods:
    """IFToMM A02: count + 1 upright rods on the ground and count across; B0 starts at 1 m/s."""
    upright = range(count + 1)
    names = (*(f"V{k}" for k in upright), *(f"H{k}" for k in range(count)))
    pins = [Pin(f"G{k}", BASE, float(k), k, 0.0) for k in upright]
    for k in range(count):
        across = count + 1 + k
        pins += [Pin(f"A{k}", k, 1.0, across, 0.0), Pin(f"B{k}", across, 1.0, k + 1, 1.0)]
    start = np.zeros((2 * count + 1, 6))
    start[: count + 1, [0, 2, 5]] = [(k, np.pi / 2, -1.0) for k in upright]
    start[count + 1 :, [0, 1, 3]] = [(k, 1.0, 1.0) for k in range(count)]
    name = f"{count} window{'s' if count > 1 else ''}"
    return Rods(name, names, tuple(pins), start, (0,))


def chain(links: int) -> Rods:
    """Rods one after the other, horizontal and at rest, the first one on the ground."""
    names = tuple(f"link{k}" for k in range(links))
    pins = [Pin("pin0", BASE, 0.0, 0, 0.0)]
    pins += [Pin(f"pin{k}", k - 1, 1.0, k, 0.0) for k in range(1, links)]
    start = np.zeros((links, 6))
    start[:, 0] = LENGTH * np.arange(links)
    return Rods(f"chain of {links} links", names, tuple(pins), start, tuple(range(links)))


# --- measures -----------------------------------------------------------------------------------


def places(states: Array, at: float) -> Array:
    """Where a point of each rod is (…, 2), a fraction `at` of its length from its end 0."""
    angle = states[..., 2]
    return states[..., :2] + at * LENGTH * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def velocities(states: Array, at: float) -> Array:
    """The velocity of a point of each rod (…, 2)."""
    angle, turning = states[..., 2], states[..., 5:6]
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=-1)
    return states[..., 3:5] + at * LENGTH * turning * across


def energies(states: Array) -> tuple[Array, Array]:
    """The kinetic and the potential energy (samples) [J]."""
    centre = velocities(states, 0.5)
    kinetic = MASS * (centre**2).sum(axis=-1) + INERTIA * states[..., 5] ** 2
    return 0.5 * kinetic.sum(axis=-1), MASS * GRAVITY * places(states, 0.5)[..., 1].sum(axis=-1)


@final
@dataclass(frozen=True)
class Quality:
    """How far a motion is from the reference, from closed joints and from constant energy."""

    error: float  # the largest of a watched end at any sample [m]
    closure: float  # the widest a pin opens at any sample [m]
    energy: float  # the largest change of T + V, relative to the largest T or spread of V


def quality(rods: Rods, states: Array, reference: Array) -> Quality:
    """The measures of a motion (samples, rods, 6); `reference` holds the watched ends."""
    off = places(states[:, list(rods.watched)], 1.0) - reference
    opened = [0.0]
    for pin in rods.pins:
        first = (
            np.array([pin.at, 0.0]) if pin.first == BASE else places(states[:, pin.first], pin.at)
        )
        gaps = places(states[:, pin.second], pin.end) - first
        opened.append(float(np.linalg.norm(gaps, axis=-1).max()))
    kinetic, potential = energies(states)
    total = kinetic + potential
    size = max(kinetic.max(), np.ptp(potential))
    return Quality(
        float(np.linalg.norm(off, axis=-1).max()),
        max(opened),
        float(np.abs(total - total[0]).max() / size),
    )
