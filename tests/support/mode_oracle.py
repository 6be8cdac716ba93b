"""Impulses and accelerations of small systems that touch, by trying every mode of every contact.

Plain NumPy, from M, J, mu and e alone: nothing of Torseur is used. A contact has a normal row and
one tangential row; it is open, sticks, or slides one way or the other. A solution is kept if all
its signs are right. Where solutions move differently there is no single answer, and none is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

Array = np.ndarray
SIGN = 1e-9  # of speeds, accelerations and impulses about 1: what counts as zero
SINGULAR = 1e10  # a condition number above it: modes that hold more rows than can move
OPEN, STICK, FORWARD, BACK = "open", "stick", "forward", "back"
MODES = (OPEN, STICK, FORWARD, BACK)


@dataclass(frozen=True)
class System:
    """Contacts that touch: rows of normal and tangential speeds, friction, restitution."""

    M: Array  # (n, n)
    normal: Array  # (contacts, n)
    tangent: Array  # (contacts, n)
    friction: Array  # (contacts,)
    held: Array | None = None  # (rows, n): rows that always hold

    @property
    def rows(self) -> Array:
        """Normals, then tangents."""
        return np.vstack([self.normal, self.tangent])

    @property
    def compliance(self) -> Array:
        """Speeds by impulses along them: M⁻¹, less what rows that hold take back."""
        inverse = np.linalg.inv(self.M)
        if self.held is None or not len(self.held):
            return inverse
        return np.asarray(inverse - self.by_held @ self.held @ inverse)

    @property
    def by_held(self) -> Array:
        """(n, rows): speeds by which rows that hold, and nothing else, get speeds of one."""
        assert self.held is not None, "rows hold"
        moved = np.linalg.solve(self.M, self.held.T)
        return np.asarray(moved @ np.linalg.pinv(self.held @ moved, rcond=1e-9, hermitian=True))

    @property
    def response(self) -> Array:
        """A = J M⁻¹ Jᵀ, other rows being held."""
        return np.asarray(self.rows @ self.compliance @ self.rows.T)

    def pushed(self, z: Array) -> Array:
        """Speeds by impulses of the rows, or accelerations by their forces."""
        return np.asarray(self.compliance @ self.rows.T @ z)

    def part(self, keep: Array) -> System:
        """Only some contacts."""
        kept = self.normal[keep], self.tangent[keep], self.friction[keep]
        return System(self.M, *kept, self.held)


@dataclass(frozen=True)
class Pushing:
    """What rows must be: their values without forces, least values, least and given normals."""

    free: Array  # (2 contacts,): of rows, without forces
    bound: Array  # (contacts,): least value of each normal row
    least: Array  # (contacts,): least normal force, which acts on what is open
    slides: Array  # (contacts,): the sense of a sliding that goes on; 0 where it may begin or end


def solutions(system: System, pushing: Pushing) -> list[Array]:
    """All forces (or impulses) of the rows that agree with some modes."""
    A, mu = system.response, system.friction
    tried = product(*(_options(sense) for sense in pushing.slides))
    found = ((modes, _solved(A, mu, pushing, modes)) for modes in tried)
    return [z for modes, z in found if z is not None and _agrees(A, mu, pushing, modes, z)]


def _options(slides: float) -> tuple[str, ...]:
    if slides == 0:
        return MODES
    return (OPEN, FORWARD if slides > 0 else BACK)


def _solved(A: Array, mu: Array, pushing: Pushing, modes: tuple[str, ...]) -> Array | None:
    """The forces of given modes; None where these do not determine them."""
    count = len(modes)
    S, right = np.zeros((2 * count, 2 * count)), np.zeros(2 * count)
    for k, mode in enumerate(modes):
        n, t = k, count + k
        if mode == OPEN:
            S[n, n], right[n] = 1.0, pushing.least[k]
        else:
            S[n], right[n] = A[n], pushing.bound[k] - pushing.free[n]
        if mode == STICK or (mode == OPEN and pushing.least[k] > 0 and mu[k] > 0):
            S[t], right[t] = A[t], -pushing.free[t]
        else:
            sense = {FORWARD: 1.0, BACK: -1.0}.get(mode, 0.0)
            S[t, t], S[t, n] = 1.0, sense * mu[k]
    return _regular(S, right)


def _regular(S: Array, right: Array) -> Array | None:
    """The solution of S z = right, where it is the only one."""
    return np.linalg.solve(S, right) if np.linalg.cond(S) < SINGULAR else None


def _agrees(A: Array, mu: Array, pushing: Pushing, modes: tuple[str, ...], z: Array) -> bool:
    count = len(modes)
    w = A @ z + pushing.free
    for k, mode in enumerate(modes):
        n, t = k, count + k
        if mode == OPEN:
            if w[n] < pushing.bound[k] - SIGN:
                return False
            if pushing.least[k] == 0:
                continue
        elif z[n] < pushing.least[k] - SIGN:
            return False
        if mode in (STICK, OPEN) and abs(z[t]) > mu[k] * z[n] + SIGN:
            return False
        along = {FORWARD: w[t], BACK: -w[t]}.get(mode, 0.0)
        if pushing.slides[k] == 0 and along < -SIGN:
            return False
    return True


# --- shocks -----------------------------------------------------------------------------------


def after_newton(system: System, v: Array, e: Array) -> Array | None:
    """Speeds after all shocks of an instant, by Newton's rule; None without a single answer.

    What touches and does not open takes part; where a shock closes what opened, there is another.
    Where the rule would create energy, which it may with friction, there is no answer either.
    """
    return _until_nothing_closes(system, v, lambda part, now, own: _newton(part, now, e[own]))


def _newton(system: System, v: Array, e: Array) -> Array | None:
    u = system.rows @ v
    count = len(e)
    least = np.zeros(count)
    bound = np.where(u[:count] < 0, -e * u[:count], 0.0)
    return _single(system, Pushing(u, bound, least, least))


def after_poisson(system: System, v: Array, e: Array) -> Array | None:
    """The same by Poisson's: compression, then e times its normal impulses, or more.

    Where rows that hold together leave the normal impulses of compression a choice, so do speeds.
    """
    return _until_nothing_closes(system, v, lambda part, now, own: _poisson(part, now, e[own]))


def _poisson(system: System, v: Array, e: Array) -> Array | None:
    none = np.zeros(len(e))
    first = _single(system, Pushing(system.rows @ v, none, none, none), normals=True)
    if first is None:
        return None
    between = v + system.pushed(first)
    least = e * np.maximum(first[: len(e)], 0.0)
    # friction of what is given back and leaves: it sticks, or slides either way
    return _sum_or_none(first, _expansion(system, between, least))


def _expansion(system: System, v: Array, least: Array) -> Array | None:
    """Impulses of expansion: each normal one is its part and leaves, or more and stays."""
    u, A, mu, count = system.rows @ v, system.response, system.friction, len(least)
    found: list[Array] = []
    for stays in product((False, True), repeat=count):
        for modes in product((STICK, FORWARD, BACK), repeat=count):
            S, right = np.zeros((2 * count, 2 * count)), np.zeros(2 * count)
            for k in range(count):
                n, t = k, count + k
                if stays[k]:
                    S[n], right[n] = A[n], -u[n]
                else:
                    S[n, n], right[n] = 1.0, least[k]
                if modes[k] == STICK:
                    S[t], right[t] = A[t], -u[t]
                else:
                    S[t, t], S[t, n] = 1.0, (1.0 if modes[k] == FORWARD else -1.0) * mu[k]
            z = _regular(S, right)
            if z is not None and _expands(z, u + A @ z, mu, least, stays, modes):
                found.append(z)
    return _only(system, found)


def _expands(
    z: Array, w: Array, mu: Array, least: Array, stays: tuple[bool, ...], modes: tuple[str, ...]
) -> bool:
    count = len(least)
    for k in range(count):
        n, t = k, count + k
        if z[n] < least[k] - SIGN or (not stays[k] and w[n] < -SIGN):
            return False
        if modes[k] == STICK and abs(z[t]) > mu[k] * z[n] + SIGN:
            return False
        if modes[k] != STICK and w[t] * (1 if modes[k] == FORWARD else -1) < -SIGN:
            return False
    return True


def _single(system: System, pushing: Pushing, normals: bool = False) -> Array | None:
    """The forces of the only motion, and perhaps of the only normals; None where there are more."""
    return _only(system, solutions(system, pushing), normals)


def _only(system: System, found: list[Array], normals: bool = False) -> Array | None:
    if not found:
        return None
    compared = [system.pushed(z) for z in found]
    if normals:
        compared = [z[: len(system.friction)] for z in found]
    same = all(np.allclose(x, compared[0], atol=1e-7, rtol=1e-7) for x in compared)
    return found[0] if same else None


def _sum_or_none(first: Array, second: Array | None) -> Array | None:
    return None if second is None else np.asarray(first + second)


def _until_nothing_closes(system: System, v: Array, strike) -> Array | None:
    """Speeds after shocks of what touches, one after the other until nothing closes."""
    now = np.array(v, float)
    for _ in range(100):
        speed = system.normal @ now
        if (speed > -SIGN).all():
            return now
        own = _joined(system, speed)
        part = system.part(own)
        P = strike(part, now, own)
        if P is None:
            return None
        after = now + part.pushed(P)
        if energy(system, after) > energy(system, now) * (1 + 1e-12):
            return None
        now = after
    return None


def _joined(system: System, speed: Array) -> Array:
    """Contacts that take part: those that touch without opening."""
    return np.asarray(speed <= SIGN)


def energy(system: System, v: Array) -> float:
    """Kinetic."""
    return float(v @ system.M @ v) / 2


# --- accelerations ----------------------------------------------------------------------------


def acceleration(
    system: System, v: Array, force: Array, curvature: Array, held: Array | None = None
) -> Array | None:
    """a of M a = force + Jᵀ z; `curvature` is what rows have of it besides J a, `held` that of rows
    that always hold.

    Normal speeds are zero, or opening, which leaves a contact out.
    """
    closed = system.normal @ v <= SIGN
    part = system.part(closed)
    count = int(closed.sum())
    free = system.compliance @ force
    if held is not None and len(held):
        free = free - system.by_held @ held
    if not count:
        return free
    kept = np.concatenate([closed, closed])
    slip = part.tangent @ v
    slides = np.where(np.abs(slip) > SIGN, np.sign(slip), 0.0)
    none = np.zeros(count)
    z = _single(part, Pushing(part.rows @ free + curvature[kept], none, none, slides))
    return None if z is None else np.asarray(free + part.pushed(z))
