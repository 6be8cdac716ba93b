"""Projection of positions onto their constraints by Newton's method, for all formulations.

Openings and displacements have no dimension: they are in parts of the size of the mechanism, or in
radians. Positions are closed when no opening is larger than rounding explains. A step is made whole
if it does not go far, and halved until it narrows the opening noticeably: where a hundred steps
would narrow it by a tenth there is nothing to reach. Where no step does, an opening that is not far
from closed passes: it is that of a singular position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, final

import numpy as np

from torseur.errors import SolveError

Array = np.ndarray
Q = TypeVar("Q")  # positions: coordinates, or a configuration with all that is known there
LOOSE = 1e3  # an opening that no longer shrinks passes if it is less than this many closed ones
_FAR = 0.5  # the most that a step moves anything [rad, or part of the size]
_SOLVED = 1e-6  # of the opening: what a longer step may leave, as of gears, which are linear
_HALVINGS = 12
_NARROWED = 0.999  # of the opening: the most that a step may leave


@final
@dataclass(frozen=True)
class Look(Generic[Q]):
    """The constraints at some positions."""

    opening: Array  # how far everything is from where it should be
    step: Callable[[], Array]  # the smallest displacement that removes it to first order
    moved: Callable[[Array], Q]  # the positions after a displacement


@final
@dataclass(frozen=True)
class Returned(Generic[Q]):
    """Result of Newton's method."""

    q: Q
    opening: Array
    is_closed: bool


def returned(
    look: Callable[[Q], Look[Q]],
    q: Q,
    within: Callable[[Q, float], float],
    *,
    steps: int = 100,
    growth: float = 1.0,
    loose: float = LOOSE,
) -> Returned[Q]:
    """The nearest closed positions, or those nearest to closed that were found.

    `within` is the largest opening of closed positions; its factor widens all but their rounding.
    `growth` is what a step may multiply the opening by; `loose`, how many times wider than closed
    an opening passes that no step narrows.
    """
    current = look(q)
    for _ in range(steps):
        if not largest(current.opening) >= within(q, 1.0):
            return Returned(q, current.opening, bool(np.isfinite(current.opening).all()))
        step, size = current.step(), growth * _norm(current.opening)
        longest = largest(step)
        if longest == 0.0:  # nothing that moves would narrow it
            break
        for part, enough in _parts(longest):
            trial = current.moved(part * step)
            next_look = look(trial)
            if _norm(next_look.opening) < enough * size:
                break
        else:
            break
        q, current = trial, next_look
    return Returned(q, current.opening, largest(current.opening) < within(q, loose))


def kept_by_kernels(
    kernels: Mapping[str, Callable[[Array, Array], Array]],
    t: float,
    y: Array,
    within: Callable[[Array, float], float],
    failed: Callable[[Returned[Array]], SolveError],
    sizes: Array | float = 1.0,
) -> Array:
    """A state on its constraints, positions then speeds, by the kernels of its motion.

    The first of them gives the state a step further, and the square of the opening before.
    """
    clock = np.array([t])
    last = y, y  # a state that was looked at, and the state a step further

    def project(state: Array) -> tuple[Array, Array]:
        nonlocal last
        output = kernels["project_positions"](state, clock)
        last = state, output[:-1]
        return output[:-1], np.sqrt(output[-1:])

    result = Returned(y, np.zeros(1), True)
    if "project_positions" in kernels:
        look = look_by_kernel(project, sizes)
        result = returned(look, y, within)
        if not result.is_closed:  # a first step may only bring quaternions to unit norm
            result = returned(look, project(y)[0], within)
        if not result.is_closed:
            raise failed(result)
        # a step further, which has quaternions of unit norm too
        y = last[1] if last[0] is result.q else project(result.q)[0]
    y = kernels["project_speeds"](y, clock) if "project_speeds" in kernels else y
    if not np.isfinite(y).all():  # the constraints are dependent there
        raise failed(result)
    return y


def look_by_kernel(
    project: Callable[[Array], tuple[Array, Array]], sizes: Array | float = 1.0
) -> Callable[[Array], Look[Array]]:
    """States that a kernel moves: it gives the state a step further, and the opening before.

    `sizes` are what the components of a state are compared with.
    """

    def look(y: Array) -> Look[Array]:
        target, opening = project(y)
        return Look(opening, lambda: (target - y) / sizes, lambda step: y + step * sizes)

    return look


def _parts(longest: float) -> Iterator[tuple[float, float]]:
    """The parts of a step that are tried: all of it, then no more than is far, then halves.

    Each with the part of the opening that it must leave behind.
    """
    whole = min(1.0, _FAR / max(longest, 1e-300))
    if whole < 1.0:
        yield 1.0, _SOLVED
    yield from ((whole / 2**halving, _NARROWED) for halving in range(_HALVINGS))


def largest(sizes: Array) -> float:
    """The largest of some sizes; zero if there is none."""
    return float(np.maximum.reduce(np.abs(sizes), axis=None, initial=0.0))


def _norm(sizes: Array) -> float:
    return float(np.sqrt(np.vdot(sizes, sizes)))
