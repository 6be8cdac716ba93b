"""A mechanism as a language needs it: identifiers, parameters with their values, routines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import free_symbols, tables
from torseur.algebra.core.tabulated import Table
from torseur.algebra.printing.text import text
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.formalisms import newton_euler
from torseur.equations.functions.catalogue import (
    FUNCTIONS,
    OF_LOOPS,
    generalised_forces,
    multiplier_names,
)
from torseur.equations.functions.kernel import Kernel, kernel_of
from torseur.equations.functions.placed import named_function, place_in
from torseur.equations.motion.diagnosis import inertia_notices
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.export.names import MATHEMATICS, Identifiers, Language, spelled
from torseur.export.notation import identifiers as identifiers_of
from torseur.export.routine import ArgumentEntry, Routine, routine
from torseur.model.checks.mechanism_checks import require_coordinates
from torseur.model.description import Mechanism
from torseur.model.values.numbers import entries, expressions_in
from torseur.units import force_unit
from torseur.words.sentence import say, worded

MEMORY = "memory"  # what a law of control remembers from call to call
_ARRAYS = frozenset(("p", "c", "q", "v", "a", "Q", "L", "t", "u", MEMORY, "result"))
_RESULTS = {  # the argument whose units a result has, or its unit
    "inverse_dynamics": "Q",
    "forward_dynamics": "a",
    "bias": "Q",
    "gravity": "Q",
    "applied": "Q",
    "kinetic_energy": "J",
    "potential_energy": "J",
}


@final
@dataclass(frozen=True)
class Model:
    """Contents of an export: the parameters p, the arrays of the state, the routines."""

    name: str  # as the user says it
    identifier: str
    description: str
    system: System
    arrays: Mapping[str, tuple[ArgumentEntry, ...]]  # p, q, v, a and Q
    routines: tuple[Routine, ...]
    identifiers: Identifiers
    equations: Equations  # its nodes bear the names of what a recursion computes

    def routine(self, kernel: Kernel, words: str, hints: Mapping[int, str]) -> Routine:
        """A routine of this model; `hints` proposes names for nodes."""
        names = dict(self.equations.hints) | dict(hints)
        return routine(kernel, words, self.arrays, self.identifiers, names)

    @property
    def parameters(self) -> tuple[ArgumentEntry, ...]:
        """The entries of p."""
        return self.arrays["p"]

    @property
    def prefix(self) -> str:
        """Prefix of function names, in a language without modules."""
        return self.identifier.rstrip("_")

    @property
    def values(self) -> list[float] | None:
        """The values of the parameters, or None if one has none."""
        known = [p.value for p in self.parameters if p.value is not None]
        return known if len(known) == len(self.parameters) else None

    def result_units(self, name: str) -> str:
        """The units of a result's entries, or its one unit, or nothing where they are mixed."""
        text = _RESULTS.get(name, "")
        return ", ".join(x.unit for x in self.arrays[text]) if text in self.arrays else text


def model(
    system: System,
    functions: Sequence[str],
    language: Language,
    *,
    name: str = "",
    closed: Mapping[str, Kernel] | None = None,
) -> Model:
    """The model of a system for a language; `closed` are the kernels of functions with loops."""
    mechanism = system.mechanism
    require_coordinates(mechanism, say("an export"))
    for function in functions:
        if function in OF_LOOPS and not system.constrained:
            problem = say(
                "it has no constraint besides its tree: {function} has nothing to compute.",
                function,
            )
            raise ModelError(f'mechanism "{mechanism.name}"', problem)
    words = language.reserved | MATHEMATICS | _of_tables(mechanism, language)
    chosen = Identifiers(words | set(FUNCTIONS), case_sensitive=language.case_sensitive)
    identifiers = Identifiers(words | _ARRAYS, case_sensitive=language.case_sensitive)
    parameters = tuple(_parameters(mechanism, functions, identifiers))
    arrays = _arrays(system, identifiers) | {"p": parameters}
    described = Model(
        name or mechanism.name,
        chosen.take(name or mechanism.name),
        mechanism.description,
        system,
        arrays,
        (),
        identifiers,
        newton_euler.derive(system),
    )
    return _with_routines(described, functions, language, closed or {})


def _with_routines(
    described: Model, functions: Sequence[str], language: Language, closed: Mapping[str, Kernel]
) -> Model:
    routines = []
    mechanism = described.system.mechanism
    identifiers = Identifiers(
        language.reserved | {*FUNCTIONS}, case_sensitive=language.case_sensitive
    )
    for name in functions:
        if name.startswith("forward_dynamics") and name not in closed:
            _require_inertia(described, name)
        function = named_function(name, mechanism)
        kernel = closed[name] if name in closed else kernel_of(function, described.system)
        if name not in FUNCTIONS:
            kernel = replace(kernel, name=identifiers.take(name))
        if not language.tables:
            _require_no_table(kernel, language)
        routines.append(described.routine(kernel, worded(function.result), {}))
    return replace(described, routines=tuple(routines))


def _require_no_table(kernel: Kernel, language: Language) -> None:
    for table in tables(list(kernel.outputs)):
        problem = say(
            'it looks up the table "{table}", which cannot be written for {language}.',
            table.name,
            language.name,
        )
        advice = "Export it to another language, or give the table as a formula."
        raise ModelError(f'function "{kernel.name}"', problem, advice)


def _of_tables(mechanism: Mechanism, language: Language) -> set[str]:
    """The identifiers of the tables of a mechanism; two tables must not share them."""
    owners: dict[str, Table] = {}
    for table in tables([value for _, _, value in entries(mechanism)]):
        word = spelled(table.name)
        key = word if language.case_sensitive else word.lower()
        if owners.setdefault(key, table) != table:
            problem = say(
                'the tables "{owners}" and "{table}" are both "{word}".',
                owners[key].name,
                table.name,
                word,
            )
            raise ModelError(f"export to {language.name}", problem, "Rename one of them.")
    return {name for table in owners.values() for name in identifiers_of(table)}


def _require_inertia(described: Model, name: str) -> None:
    """Accelerations exist where every motion carries inertia."""
    notices = inertia_notices(described.equations)
    if notices:
        place = f'mechanism "{described.name}"'
        raise ModelError(place, say("{name} cannot be written.", name), *notices)


def _parameters(
    mechanism: Mechanism, functions: Sequence[str], identifiers: Identifiers
) -> Iterator[ArgumentEntry]:
    """The parameters the functions may depend on, in the order of the description."""
    needed = _mentioned_names(mechanism, functions)
    values = mechanism.parameters
    for name, p in mechanism.parameter_table.items():
        if name in needed:
            defined = p.value is not None and bool(free_symbols(p.value))
            yield ArgumentEntry(
                name,
                identifiers.take(name),
                p.unit,
                values[name],
                text(p.value) if defined and p.value is not None else "",
                p.meaning,
            )


def _mentioned_names(mechanism: Mechanism, functions: Sequence[str]) -> set[str]:
    """Names that bodies, joints, motors, loads, gravity and the places of functions mention."""
    values = [
        value
        for place, what, value in entries(replace(mechanism, points={}, frames={}))
        if what != "limit" and not place.startswith("initial ")
    ]
    places = (place_in(name, mechanism) for name in functions)
    values += [x for place in places if place is not None for x in expressions_in(place.pose)]
    return {x.name for x in free_symbols(values) if x.kind == "parameter"}


def _arrays(system: System, identifiers: Identifiers) -> dict[str, tuple[ArgumentEntry, ...]]:
    """The entries of q, v, a, Q, the multipliers L, the time t and states u, with their units."""
    mechanism = system.mechanism
    carrying = {link.joint_name for _, link in system.tree}
    kinds = [joint.kind for joint in mechanism.joints.values() if joint.name in carrying]
    of_q = [unit for kind in kinds for unit in kind.coordinate_units]
    of_v = [unit for kind in kinds for unit in kind.speed_units]
    multipliers, states = multiplier_names(len(constraints_of(system).owners)), mechanism.states
    table = {
        "q": (system.coordinates, of_q),
        "v": (system.speeds, of_v),
        "a": ([x.name for x in system.a], [f"{unit}^2" for unit in of_v]),
        "Q": ([x.name for x in generalised_forces(system)], list(map(force_unit, of_v))),
        "L": (multipliers, ["N or N.m"] * len(multipliers)),
        "t": ([TIME.name], ["s"]),
        "u": (list(states), [x.unit or "1" for x in states.values()]),
    }
    return {
        letter: tuple(
            ArgumentEntry(name, identifiers.take(name), unit)
            for name, unit in zip(names, units, strict=True)
        )
        for letter, (names, units) in table.items()
    }
