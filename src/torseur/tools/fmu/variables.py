"""Variables of an FMU in the order of their value references, and units in base units of the SI."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import free_symbols
from torseur.errors import ModelError
from torseur.export.exported_model import Model
from torseur.model.values.scales import state_units
from torseur.tools.fmu.model import FmuModel
from torseur.units import SI_UNITS, unit_parts
from torseur.words.sentence import meaning_text, say

_BASE = {  # powers of kg, m, s, A, K, rad
    "kg": (1, 0, 0, 0, 0, 0), "m": (0, 1, 0, 0, 0, 0), "s": (0, 0, 1, 0, 0, 0),
    "A": (0, 0, 0, 1, 0, 0), "K": (0, 0, 0, 0, 1, 0), "rad": (0, 0, 0, 0, 0, 1),
    "N": (1, 1, -2, 0, 0, 0), "J": (1, 2, -2, 0, 0, 0), "W": (1, 2, -3, 0, 0, 0),
    "Pa": (1, -1, -2, 0, 0, 0), "Hz": (0, 0, -1, 0, 0, 0), "V": (1, 2, -3, -1, 0, 0),
    "ohm": (1, 2, -3, -2, 0, 0), "H": (1, 2, -2, -2, 0, 0),
}  # fmt: skip
INDICATOR = "event"  # begins the names of indicators
BASE_UNITS = ("kg", "m", "s", "A", "K", "rad")


@final
@dataclass(frozen=True)
class Variable:
    """A number that an importer knows by its value reference."""

    reference: int
    name: str
    unit: str
    meaning: str
    causality: str
    variability: str = "continuous"
    initial: str = ""
    start: float | None = None
    derivative_of: int | None = None  # value reference of a state
    depends_on: tuple[int, ...] | None = None  # value references; None: on all that it may


def si_unit(text: str) -> str:
    """A unit in units of the SI: rad for deg, m for mm; empty where it is none."""
    parts: dict[str, int] = {}
    for name, power in unit_parts(text) or ():
        for base, one in unit_parts(SI_UNITS[name]) or ():
            parts[base] = parts.get(base, 0) + one * power
    return ".".join(n if p == 1 else f"{n}{p}" for n, p in parts.items() if p)


def base_powers(unit: str) -> dict[str, int]:
    """Powers of base units of a unit that `si_unit` wrote."""
    powers = [0] * len(BASE_UNITS)
    for part in unit.split("."):
        name = part.rstrip("-0123456789")
        power = int(part[len(name) :] or 1)
        powers = [x + power * one for x, one in zip(powers, _BASE[name], strict=True)]
    return {name: power for name, power in zip(BASE_UNITS, powers, strict=True) if power}


def variables(fmu: FmuModel, written: Model) -> list[Variable]:
    """All variables, the time first."""
    named = [Variable(0, "time", "s", say("time"), "independent")]
    for one in _named(fmu, written):
        named.append(Variable(len(named), *one))
    counts = Counter(x.name for x in named)
    for name in (x for x, count in counts.items() if count > 1):
        problem = say('{count} variables would be called "{name}".', counts[name], name)
        raise ModelError(fmu.place, problem, say("Rename a point, a coordinate or a parameter."))
    known = _dependencies(fmu, named)
    return [replace(x, depends_on=known.get(x.name)) for x in named]


def _dependencies(fmu: FmuModel, named: Sequence[Variable]) -> dict[str, tuple[int, ...]]:
    """States, inputs and the time that rates and outputs depend on.

    Where states are projected, and with contacts, they may depend on all: those are left out.
    """
    if fmu.engine is not None or set(fmu.kernels) - {"rate", "outputs", "events"}:
        return {}
    mechanism, system = fmu.mechanism, fmu.system
    states = [*system.coordinates, *system.speeds, *mechanism.states]
    inputs = [x.reference for x in named if x.causality == "input"]
    signals = [x.name for x in system.signals][: len(inputs)]
    references = {x.name: x.reference for x in named if x.name in states}
    references |= {TIME.name: 0, **dict(zip(signals, inputs, strict=True))}
    nv = len(system.coordinates) + len(system.speeds)
    rates = [*fmu.kernels["rate"].outputs[:nv],
             *fmu.kernels["rate"].outputs[nv + 1 + len(inputs) :]]  # fmt: skip
    values = {f"der({name})": x for name, x in zip(states, rates, strict=True)}
    if fmu.outputs:
        given = fmu.kernels["outputs"].outputs
        values |= {output.name: x for output, x in zip(fmu.outputs, given, strict=True)}
    listed = {
        name: tuple(sorted(references[s.name] for s in free_symbols([x]) if s.name in references))
        for name, x in values.items()
    }
    return listed | {name: (references[name],) for name in states}


def _named(fmu: FmuModel, written: Model) -> Iterator[tuple]:  # type: ignore[type-arg]
    """States, their rates, inputs, outputs and parameters."""
    mechanism, system = fmu.mechanism, fmu.system
    units, y = state_units(mechanism), fmu.begin.y.tolist()
    states = [*system.coordinates, *system.speeds, *mechanism.states]
    first = len(y) - len(mechanism.states)
    starts = [*y[: len(system.coordinates) + len(system.speeds)], *y[first:]]
    kinds = {**dict.fromkeys(system.coordinates, "coordinate"),
             **dict.fromkeys(system.speeds, "speed")}  # fmt: skip
    for name, start in zip(states, starts, strict=True):
        kind = kinds.get(name, "first-order state")
        yield (name, si_unit(units[name]), f"{kind} {name}", "output", "continuous", "exact", start)
    for k, name in enumerate(states):
        unit = si_unit(f"{units[name]}/s" if units[name] != "1" else "1/s")
        meaning = f"rate of {name}"
        yield (
            f"der({name})", unit, meaning, "local", "continuous", "calculated", None, 1 + k
        )  # fmt: skip
    nv = len(system.coordinates) + len(system.speeds) + 1
    for k, (name, unit) in enumerate(zip(fmu.inputs, fmu.input_units, strict=True)):
        is_speed = fmu.mechanism.commanded[k] in system.speeds
        label = f"{name}.input" if name in (*states, *written.system.mechanism.points) else name
        label = label if is_speed or label != name else f"{name}.input"
        meaning = f"force along {name}" if is_speed else f"command of {name}"
        yield (label, si_unit(unit), meaning, "input", "continuous", "", y[nv + k])
    for output in fmu.outputs:
        yield (
            output.name, si_unit(output.unit), output.meaning, "output", "continuous", "calculated"
        )  # fmt: skip
    for x in fmu.indicators:
        label = f"{INDICATOR} {x.name}"
        yield (label, "", f"indicator of {x.name}", "local", "continuous", "calculated")
    for p in written.parameters:
        meaning = meaning_text(p.meaning)
        yield (p.name, si_unit(p.unit), meaning, "parameter", "tunable", "exact", p.value)
