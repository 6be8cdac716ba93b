"""Laws of actuators of MJCF as texts: activation, gain and bias, those of muscles too.

The force is gain × input + bias; the input is the command, or an activation with a rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

FIXED, AFFINE, MUSCLE = 0, 1, 2  # mjtGain and, for no bias instead of a fixed one, mjtBias
NO_DYNAMICS, INTEGRATOR, FILTER, EXACT_FILTER, MUSCLE_LAG = 0, 1, 2, 3, 4  # mjtDyn
_LEAST = 1e-15  # mjMINVAL


@final
@dataclass(frozen=True)
class Lengths:
    """The length of a transmission and its rate, as texts; none where MuJoCo has no length."""

    length: str = "0"
    rate: str = ""


def affine(terms: Sequence[float], motion: Lengths) -> str | None:
    """a₀ + a₁ l + a₂ l̇ as text; None where the rate is wanted that is not known."""
    if terms[2] and not motion.rate:
        return None
    variables = ("", f"*({motion.length})", f"*({motion.rate})")
    parts = (f"({float(a)!r}){x}" for a, x in zip(terms, variables, strict=False) if a)
    return " + ".join(parts) or "0"


def known_laws(model: Any, k: int) -> bool:
    """Whether the activation, the gain and the bias of an actuator are of the kinds read here."""
    kinds = (int(getattr(model, f"actuator_{x}type")[k]) for x in ("gain", "bias", "dyn"))
    return all(kind <= last for kind, last in zip(kinds, (MUSCLE, MUSCLE, MUSCLE_LAG), strict=True))


def gain(model: Any, k: int, motion: Lengths) -> str | None:
    """The gain of an actuator."""
    kind, terms = int(model.actuator_gaintype[k]), model.actuator_gainprm[k]
    if kind == FIXED:
        return f"({float(terms[0])!r})"
    return affine(terms[:3], motion) if kind == AFFINE else _muscle_gain(model, k, motion)


def bias(model: Any, k: int, motion: Lengths) -> str | None:
    """The force of an actuator that does not depend on its input."""
    kind, terms = int(model.actuator_biastype[k]), model.actuator_biasprm[k]
    if kind == FIXED:
        return "0"
    return affine(terms[:3], motion) if kind == AFFINE else _muscle_bias(model, k, motion)


def activation_rate(model: Any, k: int, command: str, state: str) -> str:
    """The rate of the activation of an actuator; at the ends of its range it does not go on."""
    kind, terms = int(model.actuator_dyntype[k]), [float(x) for x in model.actuator_dynprm[k]]
    if kind == INTEGRATOR:
        rate = command
    elif kind == MUSCLE_LAG:
        rate = _muscle_rate(terms, command, state)
    else:
        rate = f"({command} - {state})/{max(terms[0], _LEAST)!r}"
    if not model.actuator_actlimited[k]:
        return rate
    low, high = (repr(float(x)) for x in model.actuator_actrange[k])
    inside = f"if({low} - {state}, max({rate}, 0), {rate})"
    return f"if({state} - ({high}), min({rate}, 0), {inside})"


# --- muscles (Millard et al. 2013 for the lag; the curves are those of MuJoCo's documentation) ----


def _muscle_rate(terms: Sequence[float], command: str, state: str) -> str:
    rising, falling, width = terms[:3]
    scale = f"(0.5 + 1.5*clip({state}, 0, 1))"
    excess = f"(clip({command}, 0, 1) - {state})"
    up, down = f"{rising!r}*{scale}", f"{falling!r}/{scale}"
    if width < _LEAST:
        return f"{excess}/if({excess}, {up}, {down})"
    x = f"clip({excess}/{width!r} + 0.5, 0, 1)"
    blend = f"{x}^3*(6*{x}^2 - 15*{x} + 10)"
    return f"{excess}/({down} + ({up} - {down})*{blend})"


@final
@dataclass(frozen=True)
class _Muscle:
    """Parameters of a muscle, and its lengths by the optimum length."""

    start: float
    optimum: float  # L₀ [m]
    strongest: float  # [N]
    low: float
    high: float
    fastest: float
    passive: float
    lengthening: float
    shortest: float  # of the transmission

    def length(self, motion: Lengths) -> str:
        """The length over the optimum one."""
        shift = self.start - self.shortest / self.optimum
        return f"(({motion.length})*{1 / self.optimum!r} + ({shift!r}))"

    def rate(self, motion: Lengths) -> str:
        """The rate over the greatest one."""
        return f"(({motion.rate})*{1 / max(_LEAST, self.optimum * self.fastest)!r})"


def _muscle(model: Any, k: int, terms: Sequence[float]) -> _Muscle:
    first, last, force, scale, low, high, fastest, passive, lengthening = map(float, terms[:9])
    shortest, longest = (float(x) for x in model.actuator_lengthrange[k])
    if force < 0:
        force = scale / max(_LEAST, float(model.actuator_acc0[k]))
    optimum = max(_LEAST, (longest - shortest) / max(_LEAST, last - first))
    return _Muscle(first, optimum, force, low, high, fastest, passive, lengthening, shortest)


def _muscle_gain(model: Any, k: int, motion: Lengths) -> str | None:
    """−F × a curve of the length × a curve of the rate."""
    if not motion.rate:
        return None
    m = _muscle(model, k, model.actuator_gainprm[k])
    x, v, y = m.length(motion), m.rate(motion), m.lengthening - 1
    first, last = 0.5 * (m.low + 1), 0.5 * (1 + m.high)

    def half(of: str, size: float) -> str:
        return f"0.5*({of})^2*{1 / max(_LEAST, size) ** 2!r}"

    rising, falling = (
        half(f"{x} - {m.low!r}", first - m.low),
        half(f"{m.high!r} - {x}", m.high - last),
    )
    left, right = half(f"1 - {x}", 1 - first), half(f"{x} - 1", last - 1)
    middle = f"if(1 - {x}, 1 - {left}, if({last!r} - {x}, 1 - {right}, {falling}))"
    inside = f"if({first!r} - {x}, {rising}, {middle})"
    by_length = f"if({x} - {m.low!r}, if({m.high!r} - {x}, {inside}, 0), 0)"
    beyond = f"{m.lengthening!r} - ({y!r} - {v})^2*{1 / max(_LEAST, y)!r}"
    positive = f"if({y!r} - {v}, {beyond}, {m.lengthening!r})"
    by_rate = f"if({v}, {positive}, if({v} + 1, ({v} + 1)^2, 0))"
    return f"-({m.strongest!r})*({by_length})*({by_rate})"


def _muscle_bias(model: Any, k: int, motion: Lengths) -> str:
    """−F × the curve of the passive force: half a parabola, then a line."""
    m = _muscle(model, k, model.actuator_biasprm[k])
    x, last = m.length(motion), 0.5 * (1 + m.high)
    size = 1 / max(_LEAST, last - 1)
    curve = f"if({last!r} - {x}, 0.5*({x} - 1)^2*{size**2!r}, 0.5 + ({x} - {last!r})*{size!r})"
    return f"-({m.strongest * m.passive!r})*if({x} - 1, {curve}, 0)"
