"""Bearing life from a run: the basic rating life of ISO 281:2007 with the loads of its reactions.

P = X F_r + Y F_a at every instant; the mean load of a variable load is that of Palmgren and Miner,
P_m = (∫ P^p |ω| dt/∫ |ω| dt)^(1/p), and L10 = (C/P_m)^p millions of turns: p = 3 for balls, 10/3
for rollers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import final

import numpy as np

from torseur.analyse.efforts.impulse import span_of
from torseur.analyse.sizing.bearing_types import Bearing
from torseur.analyse.sizing.summary import within
from torseur.errors import ModelError, require_known
from torseur.notices import noticed
from torseur.plain import plain
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say, worded

Array = np.ndarray
LIFE_FACTORS: Mapping[float, float] = MappingProxyType(  # a₁ of ISO 281:2007, table 12
    {0.90: 1.0, 0.95: 0.64, 0.96: 0.55, 0.97: 0.47, 0.98: 0.37, 0.99: 0.25}
)
_HEAVY = 0.5  # of C: the standard holds below
_COUPLE = 1e-6  # of the largest force times the size: what one bearing may leave out


@final
class BearingLife(Result):
    """The life of one bearing under the loads of a run."""

    bearing: Bearing
    place: float | None  # along the axis of the joint [m]; None: the only bearing
    radial: float  # largest radial load [N]
    axial: float  # largest axial load [N]
    mean_load: float  # equivalent, of Palmgren and Miner [N]
    speed: float  # mean of |ω| [rad/s]
    factor: float  # a₁ of the reliability

    @property
    def millions(self) -> float:
        """The life [millions of turns]."""
        return self.factor * self.bearing.life(self.mean_load)

    @property
    def hours(self) -> float:
        """The life at the mean speed of the run [h]."""
        return self.millions * 1e6 * 2 * float(np.pi) / self.speed / 3600

    @property
    def document(self) -> dict[str, object]:
        """Plain data."""
        names = ("place", "radial", "axial", "mean_load", "speed", "millions", "hours")
        given = {"type": self.bearing.type, "rating": self.bearing.rating}
        return given | {name: plain(getattr(self, name), finite=True) for name in names}

    def __str__(self) -> str:
        where = "" if self.place is None else say(" at {place:g} m", self.place)
        loads = self.say(
            "radial load up to {radial:.5g} N, axial up to {axial:.5g} N, "
            "mean equivalent {mean_load:.5g} N"
        )
        life = self.say("life {millions:.4g} million turns, {hours:.5g} h")
        return f"{worded(self.bearing.type)}{where}{worded(': ')}{loads}\n  {life}"


@final
class BearingLives(Result, document=("joint", "reliability", "bearings", "notices")):
    """The lives of the bearings of a joint."""

    joint: str
    reliability: float
    bearings: tuple[BearingLife, ...]
    notices: tuple[str, ...] = ()

    @property
    def hours(self) -> float:
        """The shortest life [h]."""
        return min(one.hours for one in self.bearings)

    def __getitem__(self, k: int) -> BearingLife:
        return self.bearings[k]

    def __len__(self) -> int:
        return len(self.bearings)

    def __str__(self) -> str:
        head = say("{joint}, reliability {percent:.0f} %", self.joint, 100 * self.reliability)
        return "\n".join([head, *map(str, self.bearings), *noticed(self.notices)])


def bearing_life(
    run: Run,
    joint: str,
    bearing: Bearing | Sequence[Bearing],
    *,
    places: Sequence[float] | None = None,
    reliability: float = 0.90,
    start: float | None = None,
    stop: float | None = None,
) -> BearingLives:
    """The basic rating life of the bearings of a joint (ISO 281), from the reactions of a run.

    The joint turns about an axis. One bearing carries its force; two, at `places` along the axis
    from the origin of the joint [m], carry force and couple, and the first the axial load too.
    `reliability` is one of 0.90, 0.95, 0.96, 0.97, 0.98 and 0.99. The run between `start` and
    `stop` [s] stands for the whole life.
    """
    require_known("bearing", "joint", joint, run.model.mechanism.joints)
    if reliability not in LIFE_FACTORS:
        listed = ", ".join(f"{x:g}" for x in LIFE_FACTORS)
        problem = say("no factor is given for the reliability {value:g}.", reliability)
        raise ModelError("bearing", problem, say("Reliabilities: {listed}.", listed))
    given = _given(bearing, places)
    part = within(run, *span_of(run, start, stop, "bearing"), "bearing")
    turn = np.abs(_speed(part, joint))
    loads, notices = _loads(part, joint, places)
    turned = float(np.trapezoid(turn, part.t))
    if not turned > 0:
        problem = say('joint "{joint}" does not turn during the run.', joint)
        raise ModelError("bearing", problem, "The life counts turns: simulate a motion.")
    speed, lives = turned / float(part.t[-1] - part.t[0]), []
    for k, (one, (radial, axial)) in enumerate(zip(given, loads, strict=True)):
        p = one.exponent
        P = one.load(radial, axial)
        mean = float((np.trapezoid(P**p * turn, part.t) / turned) ** (1 / p))
        place = None if places is None else float(places[k])
        most = float(radial.max()), float(np.abs(axial).max())
        lives.append(BearingLife(one, place, *most, mean, speed, LIFE_FACTORS[reliability]))
        if mean > _HEAVY * one.rating:
            notices += (
                say("the mean load {load:.5g} N exceeds C/2: the life is not valid.", mean),
            )
    return BearingLives(joint, reliability, tuple(lives), notices)


def _given(
    bearing: Bearing | Sequence[Bearing], places: Sequence[float] | None
) -> tuple[Bearing, ...]:
    """One bearing, or two at different places."""
    listed = (bearing,) if isinstance(bearing, Bearing) else tuple(bearing)
    if places is None:
        if len(listed) == 1:
            return listed
        problem = say("{number} bearings are given without places.", len(listed))
        raise ModelError("bearing", problem, "Give places=(z1, z2) along the axis [m].")
    listed = listed * 2 if len(listed) == 1 else listed
    if len(listed) != 2 or len(places) != 2 or places[0] == places[1]:
        problem = say("two bearings at two different places are expected, not {places}.", places)
        raise ModelError("bearing", problem, "For instance: places=(-0.05, 0.05) [m].")
    return listed


def _axis(run: Run, joint: str) -> int:
    """The axis of the frame of a joint that turns about it."""
    described = run.model.mechanism.joints[joint]
    axis = getattr(described.kind, "axis", None)
    turns = [x for x in described.coordinates if run.names.get(x) == "rad"]
    if axis not in (0, 1, 2) or len(turns) != 1:
        problem = say('joint "{joint}" does not turn about one axis.', joint)
        raise ModelError("bearing", problem, "Bearings are in revolute and cylindrical joints.")
    return int(axis)


def _speed(run: Run, joint: str) -> Array:
    """The speed of rotation of a joint (samples) [rad/s]."""
    described = run.model.mechanism.joints[joint]
    _axis(run, joint)
    (turn,) = (x for x in described.coordinates if run.names.get(x) == "rad")
    return np.asarray(run[f"{turn}."], dtype=float)


def _loads(
    run: Run, joint: str, places: Sequence[float] | None
) -> tuple[list[tuple[Array, Array]], tuple[str, ...]]:
    """Radial and axial load of each bearing, and what one bearing leaves out."""
    axis = _axis(run, joint)
    wrench = run.reaction(joint, frame="joint")
    across = [(axis + 1) % 3, (axis + 2) % 3]
    force = wrench[:, across[0]] + 1j * wrench[:, across[1]]
    axial = wrench[:, axis]
    moment = wrench[:, 3 + across[1]] - 1j * wrench[:, 3 + across[0]]  # of forces: Σ z R
    if places is not None:
        first, second = map(float, places)
        beyond = (moment - first * force) / (second - first)
        return [(np.abs(force - beyond), axial), (np.abs(beyond), 0.0 * axial)], ()
    most, size = float(np.abs(moment).max()), run.model.sizes.scales.length
    if most <= _COUPLE * size * float(np.abs(force).max()):
        return [(np.abs(force), axial)], ()
    left_out = say(
        "the joint also carries a couple of up to {couple:.5g} N·m, which one bearing does not: "
        "give two bearings and their places.",
        most,
    )
    return [(np.abs(force), axial)], (left_out,)
