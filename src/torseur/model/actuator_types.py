"""Actuators of a description: each becomes a force along a coordinate and, if it lags, a state.

An actuator declares its entries in the YAML form as forces do. Adding one is adding one class and
one row of `ACTUATORS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.algebra.core.rules import clipped
from torseur.errors import unknown
from torseur.model.description import FirstOrderState, Joint, JointLoad
from torseur.model.forces.joint import freedom_index
from torseur.model.forces.protocol import COORDINATE_RATE, EFFORT, OF_COORDINATE, Key, Kind
from torseur.model.joints.catalogue import plain, shown_name, type_called
from torseur.model.joints.mesh_points import SIGNAL

_COORDINATE = Key("coordinate", Kind.ANY_COORDINATE, "q1")
_LIMIT = Key("limit", Kind.TWO_CONSTANTS, unit=EFFORT)
_RATIO = Key("ratio", Kind.CONSTANT, unit=f"rad/{OF_COORDINATE}")
Range = tuple[Expr, Expr]


@final
@dataclass(frozen=True)
class Parts:
    """Parts of a mechanism that an actuator stands for."""

    load: JointLoad
    states: tuple[FirstOrderState, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Actuator(ABC):
    """An actuator along a coordinate; q is that coordinate, v its speed."""

    names: ClassVar[tuple[str, ...]]  # English first, then French
    keys: ClassVar[tuple[Key, ...]]  # its entries
    commanded_entry: ClassVar[str]  # the entry that commands it
    clips: ClassVar[bool] = True  # its force stays within the effort of a joint that clips
    lags: ClassVar[Mapping[str, tuple[str, str]]] = {}  # states: entry that makes each, unit
    name: str
    coordinate: str
    limit: Range | None = None  # of its force or couple
    place: str = ""

    def parts(self, joint: Joint) -> Parts:
        """The force, and the states, in the joint that has the coordinate."""
        index = freedom_index(self.place, joint, self.coordinate)
        q, v = symbol(self.coordinate, "coordinate"), symbol(joint.speeds[index], "speed")
        force, rates = self.law(q, v)
        if self.limit is not None:
            force = clipped(force, *self.limit)
        if joint.clip and self.clips and index < len(joint.effort):
            force = clipped(force, -joint.effort[index], joint.effort[index])
        load = JointLoad(self.name, joint.name, force, self.place, self.coordinate)
        states = (
            FirstOrderState(self.state_name(lag), rate, ZERO, self.lags[lag][1], self.place)
            for lag, rate in rates.items()
        )
        return Parts(load, tuple(states))

    @property
    def set_point(self) -> Expr:
        """The entry that commands it."""
        value: Expr = getattr(self, self.commanded_entry)
        return value

    @property
    def set_point_limits(self) -> Range | None:
        """The range of its command, if it is that of its force."""
        return self.limit if self.commanded_entry == "force" else None

    @property
    def set_point_is_coordinate(self) -> bool:
        """Whether its command is a value of its coordinate."""
        return self.commanded_entry == "position"

    def commanded(self, command: Expr) -> Actuator:
        """The actuator with another command."""
        entries: dict[str, Any] = {self.commanded_entry: command}
        return replace(self, **entries)

    @abstractmethod
    def law(self, q: Expr, v: Expr) -> tuple[Expr, Mapping[str, Expr]]:
        """Its force or couple before the limit, and the rates of its states."""

    def state_name(self, lag: str) -> str:
        """The name of one of its states."""
        return f"{self.name}_{lag}"

    def state(self, lag: str) -> Expr:
        """The symbol of one of its states."""
        return symbol(self.state_name(lag), SIGNAL)


@final
@dataclass(frozen=True, kw_only=True)
class Servo(Actuator):
    """A position servo: gain × (position − q) − damping × v."""

    position: Expr
    gain: Expr
    damping: Expr = ZERO

    names = ("servo", "asservissement")
    commanded_entry = "position"
    keys = (
        _COORDINATE,
        Key("position", Kind.VARYING, "30 deg", unit=OF_COORDINATE),
        Key("gain", Kind.CONSTANT, "50", unit=f"{EFFORT}/{OF_COORDINATE}"),
        Key("damping", Kind.CONSTANT, unit=f"{EFFORT}/{COORDINATE_RATE}"),
        _LIMIT,
    )

    def law(self, q: Expr, v: Expr) -> tuple[Expr, Mapping[str, Expr]]:
        return self.gain * (self.position - q) - self.damping * v, {}


@final
@dataclass(frozen=True, kw_only=True)
class VelocityServo(Actuator):
    """A velocity servo: gain × (velocity − v)."""

    velocity: Expr
    gain: Expr

    names = ("velocity servo", "asservissement de vitesse")
    commanded_entry = "velocity"
    keys = (
        _COORDINATE,
        Key("velocity", Kind.VARYING, "2 rad/s", unit=COORDINATE_RATE),
        Key("gain", Kind.CONSTANT, "5", unit=f"{EFFORT}/{COORDINATE_RATE}"),
        _LIMIT,
    )

    def law(self, q: Expr, v: Expr) -> tuple[Expr, Mapping[str, Expr]]:
        return self.gain * (self.velocity - v), {}


@final
@dataclass(frozen=True, kw_only=True)
class ForceMotor(Actuator):
    """A motor whose force or couple is given."""

    force: Expr

    names = ("motor", "moteur")
    commanded_entry = "force"
    keys = (_COORDINATE, Key("force", Kind.VARYING, "3", unit=EFFORT), _LIMIT)

    def law(self, q: Expr, v: Expr) -> tuple[Expr, Mapping[str, Expr]]:
        return self.force, {}


@final
@dataclass(frozen=True, kw_only=True)
class CurrentMotor(Actuator):
    """A DC motor behind a gear: couple N k i, with L di/dt = U − R i − k N v.

    N is the ratio, k the torque constant. Without inductance the current is (U − k N v)/R.
    """

    voltage: Expr
    resistance: Expr
    torque_constant: Expr
    inductance: Expr | None = None
    ratio: Expr = ONE

    names = ("DC motor", "moteur à courant continu")
    commanded_entry = "voltage"
    keys = (
        _COORDINATE,
        Key("voltage", Kind.VARYING, "24 V", unit="V"),
        Key("resistance", Kind.CONSTANT, "0.5 ohm", unit="ohm"),
        Key("inductance", Kind.CONSTANT, unit="H"),
        Key("torque_constant", Kind.CONSTANT, "0.05 N.m/A", unit="N.m/A"),
        _RATIO,
        _LIMIT,
    )
    lags: ClassVar[Mapping[str, tuple[str, str]]] = {"current": ("inductance", "A")}

    def law(self, q: Expr, v: Expr) -> tuple[Expr, Mapping[str, Expr]]:
        factor = self.torque_constant * self.ratio
        driving = self.voltage - factor * v
        if self.inductance is None:
            return factor * driving / self.resistance, {}
        i = self.state("current")
        return factor * i, {"current": (driving - self.resistance * i) / self.inductance}


@final
@dataclass(frozen=True, kw_only=True)
class ActivatedForce(Actuator):
    """A force F a whose activation follows a command with a lag: da/dt = (u − a)/time."""

    command: Expr
    time: Expr
    force: Expr

    names = ("activation", "activation du premier ordre")
    commanded_entry = "command"
    keys = (
        _COORDINATE,
        Key("command", Kind.VARYING, "0.5", unit="1"),
        Key("time", Kind.CONSTANT, "50 ms", unit="s"),
        Key("force", Kind.VARYING, "20", unit=EFFORT),
        _LIMIT,
    )
    lags: ClassVar[Mapping[str, tuple[str, str]]] = {"activation": ("time", "1")}

    def law(self, q: Expr, v: Expr) -> tuple[Expr, Mapping[str, Expr]]:
        a = self.state("activation")
        return self.force * a, {"activation": (self.command - a) / self.time}


@final
@dataclass(frozen=True, kw_only=True)
class ElasticGear(Actuator):
    """A motor behind an elastic gear: force k e + damping ė, e = δ/N less the play, ė = Ω/N − v.

    N is the ratio, δ = θ − N q the twist on the side of the motor, Ω = θ' the speed of its rotor,
    with J Ω' = torque − friction Ω − force/N. The rotor turns about its own axis only, as if its
    carrier did not (Spong 1987): couples of its inertia on the carrier do not count.
    """

    torque: Expr
    rotor_inertia: Expr
    stiffness: Expr
    ratio: Expr = ONE
    damping: Expr = ZERO
    friction: Expr = ZERO
    play: Expr | None = None

    names = ("elastic gear", "réducteur élastique")
    commanded_entry = "torque"
    clips = False  # of its spring
    keys = (
        _COORDINATE,
        Key("torque", Kind.VARYING, "0.5 N.m", unit="N.m"),
        Key("rotor_inertia", Kind.CONSTANT, "1e-4 kg.m^2", unit="kg.m^2"),
        Key("stiffness", Kind.CONSTANT, "300", unit=f"{EFFORT}/{OF_COORDINATE}"),
        Key("damping", Kind.CONSTANT, unit=f"{EFFORT}/{COORDINATE_RATE}"),
        Key("friction", Kind.CONSTANT, unit="N.m.s/rad"),
        Key("play", Kind.CONSTANT, unit=OF_COORDINATE),
        _RATIO,
    )
    lags: ClassVar[Mapping[str, tuple[str, str]]] = {
        "twist": ("stiffness", "rad"),
        "speed": ("stiffness", "rad/s"),
    }

    def law(self, q: Expr, v: Expr) -> tuple[Expr, Mapping[str, Expr]]:
        twist, speed = self.state("twist"), self.state("speed")
        stretch, rate = twist / self.ratio, speed / self.ratio - v
        if self.play is not None:
            stretch = stretch - clipped(stretch, -self.play / 2, self.play / 2)
        force = self.stiffness * stretch + self.damping * rate
        turning = self.torque - self.friction * speed - force / self.ratio
        return force, {"twist": self.ratio * rate, "speed": turning / self.rotor_inertia}


ACTUATORS: tuple[type[Actuator], ...] = (
    Servo,
    VelocityServo,
    ForceMotor,
    CurrentMotor,
    ActivatedForce,
    ElasticGear,
)
_BY_NAME = {plain(name): kind for kind in ACTUATORS for name in kind.names}


def actuator_class(name: str, place: str) -> type[Actuator]:
    """The actuator of this name."""
    kind = type_called(name, _BY_NAME)
    if kind is None:
        raise unknown(place, "actuator type", name, [shown_name(x.names) for x in ACTUATORS])
    return kind
