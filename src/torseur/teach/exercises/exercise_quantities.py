"""Answers as data: each quantity that a question may name, and how it is found of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import evaluate
from torseur.algebra.printing.text import text
from torseur.analyse.integrals.integrals import first_integrals
from torseur.analyse.letters.named import closed_form
from torseur.analyse.mobility.balance import balance
from torseur.analyse.mobility.kinds import holonomy
from torseur.analyse.mobility.twists import rigidity
from torseur.analyse.vibrations.linearise import linearise
from torseur.equations.symbols.texts import read_text
from torseur.errors import unknown
from torseur.language.text.expression import Names
from torseur.language.text.given import given_state
from torseur.model.mass.properties import COMPONENTS as ENTRIES
from torseur.model.mass.symmetry import FoldAxis, Plane, Revolution, Symmetry, deduce
from torseur.model.values.named_numbers import named_numbers
from torseur.simulation.run.run import Run
from torseur.teach.exercises.cases import Case
from torseur.teach.exercises.changes import LETTERS
from torseur.teach.exercises.exercise_entries import Spec

Array = np.ndarray
COMPONENTS = ("X", "Y", "Z", "L", "M", "N")
_RATE = 100.0  # samples a second
_SAME = 1e-9  # relative: what rounding leaves of an equality


def computed(case: Case, spec: Spec) -> float | str:
    """The answer that a model gives: a number, or the key of a choice."""
    name = spec["of"]
    if name not in QUANTITIES:
        raise unknown("exercise", "computed quantity", name, QUANTITIES)
    value = QUANTITIES[name](case, spec)
    return value if isinstance(value, str) else float(value)


# --- what a linkage is ----------------------------------------------------------------------------


def _balance(case: Case, spec: Spec) -> Any:
    friction = tuple(spec.get("friction", ()))
    return getattr(balance(case.mechanism, friction=friction), spec.get("part", "unknown_count"))


def _holonomy(case: Case, spec: Spec) -> str:
    result = holonomy(case.mechanism)
    name = spec["constraint"]
    kinds = {
        "positions": result.positions,
        "integrable": result.integrable,
        "nonholonomic": result.nonholonomic,
    }
    return next(kind for kind, names in kinds.items() if name in names)


def _rigid(case: Case, spec: Spec) -> str:
    """Rigidity of a velocity field: always, or under conditions on parameters."""
    field = rigidity(spec["field"])
    return "rigid" if field.rigid else " and ".join(f"{text(x)} = 0" for x in field.conditions)


def _zeros(case: Case, spec: Spec) -> str:
    """The products of inertia that symmetries make zero, by their French letters."""
    known = deduce([symmetry(x) for x in spec["symmetries"]])
    letters = "".join(sorted(LETTERS[pair] for pair in known.products))
    return f"{letters} {len(known.moments)}".removesuffix(" 0").strip() or "none"


def symmetry(text: str) -> Symmetry:
    """The symmetry of a text: "plane z" (its normal), "revolution x", "fold3 z"."""
    kind, _, axis = text.partition(" ")
    if axis not in ("x", "y", "z"):
        raise unknown("symmetry", "axis", axis, "xyz")
    if kind.startswith("fold") and kind[4:].isdigit():
        return FoldAxis(axis, int(kind[4:]))
    kinds: dict[str, Callable[[str], Symmetry]] = {"plane": Plane, "revolution": Revolution}
    if kind not in kinds:
        raise unknown("symmetry", "symmetry", kind, (*kinds, "fold2", "fold3"))
    return kinds[kind](axis)


def _inertia(case: Case, spec: Spec) -> float:
    """An entry of the inertia of a body, xx to zz, at its centre of mass."""
    body = case.mechanism.bodies[spec["body"]]
    entry = expression(body.inertia[ENTRIES[spec["entry"]]])
    return float(evaluate(entry, case.mechanism.parameters))


def _compared(case: Case, spec: Spec) -> str:
    """Which of two computed numbers is the larger one."""
    left, right = (float(computed(case, spec[side])) for side in ("left", "right"))
    if abs(left - right) <= _SAME * max(abs(left), abs(right)):
        return "equal"
    return "less" if left < right else "greater"


# --- rest and small motions -----------------------------------------------------------------------


def _equilibria(case: Case, spec: Spec) -> Any:
    equilibria = list(case.equilibria)
    part = spec.get("part", "count")
    if part == "count":
        return len(equilibria)
    if part in ("stable", "unstable"):
        return sum(str(x.stable.word) == part for x in equilibria)
    return equilibria[int(spec.get("number", 0))].coordinates[part]


def _small_motions(case: Case, spec: Spec) -> Any:
    """About a state `at`, or about the equilibrium nearest to a pose of the start."""
    if "at" in spec:
        return linearise(case.compiled, at=given_state(case.mechanism, spec["at"]))
    return linearise(case.compiled)


def _pulsation(case: Case, spec: Spec) -> float:
    """One of the pulsations, counted from 0 at the slowest that is not zero."""
    modes = _small_motions(case, spec).modes
    oscillating = sorted(abs(mode.eigenvalue.imag) for mode in modes if mode.oscillates)
    return float(oscillating[int(spec.get("number", 0))])


# --- states and runs ------------------------------------------------------------------------------


def _run(case: Case, spec: Spec) -> float:
    """A value at an instant of a run, or its least, largest or mean value."""
    run = case.run(float(spec["duration"]), float(spec.get("rate", _RATE)))
    if "event" in spec:
        return _event(run, spec["event"])
    if "at" in spec:
        return float(read_out(run.at([float(spec["at"])]), spec)[0])
    over: dict[str, Callable[[Array], Any]] = {
        "least": np.min,
        "largest": np.max,
        "mean": np.mean,
        "spread": np.ptp,
    }
    return float(over[spec["over"]](read_out(run, spec)))


def _event(run: Run, words: str) -> float:
    """When an event of this cause happens first."""
    causes = [x.cause for x in run.events]
    if words not in causes:
        raise unknown("run", "event", words, dict.fromkeys(causes))
    return float(run.events[causes.index(words)].t)


def read_out(run: Run, spec: Spec) -> Array:
    """A quantity at every sample, by its name or by what it belongs to."""
    if "reaction" in spec:
        frame = spec.get("frame", "joint")
        wrench = run.reaction(spec["reaction"], frame=frame)
        return wrench[:, COMPONENTS.index(spec["component"])]
    if "adherence" in spec:
        return run.adherence(spec["adherence"])
    if "multiplier" in spec:
        return run.multiplier(spec["multiplier"])[:, int(spec.get("row", 0))]
    if "drive" in spec:
        return run.drive(spec["drive"])
    if "energy" in spec:
        return run.energy[spec["energy"]]
    if "point" in spec:
        values = run.point(spec["point"], int(spec.get("derivative", 0)))
        return values[:, "xyz".index(spec["axis"])]
    return run[spec["name"]]


# --- formulas -------------------------------------------------------------------------------------


def _formula(case: Case, spec: Spec) -> float:
    """A formula of the parameters of the model."""
    values = case.mechanism.parameters
    names = {name: symbol(name) for name in case.mechanism.parameter_table}
    return float(evaluate(read_text(spec["text"], Names(names), "exercise"), values))


def _closed_form(case: Case, spec: Spec) -> float:
    """A closed form by its name (Omega_c, F_c2, "Gamma when psi.. = 0"), at the model's values."""
    form = closed_form(case.mechanism, spec["name"]).formula
    named = named_numbers(case.mechanism)
    values = dict(named.parameters)
    values |= {k: float(evaluate(x, values)) for k, x in named.initial.items()}
    return float(evaluate(form, values))


QUANTITIES: Mapping[str, Callable[[Case, Spec], Any]] = {
    "balance": _balance,
    "closed form": _closed_form,
    "comparison": _compared,
    "equilibria": _equilibria,
    "first integrals": lambda case, spec: len(first_integrals(case.mechanism)),
    "formula": _formula,
    "holonomy": _holonomy,
    "inertia": _inertia,
    "mobility": lambda case, spec: getattr(case.mobility, spec.get("part", "degree")),
    # its unknowns: accelerations and multipliers
    "bordered system": lambda case, spec: (
        len(case.right().coordinates) + len(case.right().multipliers)
    ),
    # a coordinate of the equilibrium nearest to the start
    "pose": lambda case, spec: _small_motions(case, {}).steady.coordinates[spec["name"]],
    "pulsation": _pulsation,
    "rigidity of a field": _rigid,
    "run": _run,
    "stability": lambda case, spec: str(_small_motions(case, spec).stable.word),
    "state": lambda case, spec: read_out(
        case.at(spec.get("at", {}), float(spec.get("t", 0))), spec
    )[0],
    "zeros of inertia": _zeros,
}
