"""The equations of a system at one state and their exact derivatives, in one compiled function.

Displacements d are counted in speeds: q changes by the rates that the speeds d would give, which
is the change of a coordinate, or the small rotation of a body whose coordinates are a quaternion.
The equations are r = M a + h + g − Q − Jᵀ λ, u = J v + b, w = J a + γ and the gap of the positions.
Small motions about a moving state obey ḋ = δv + W d, where W is not zero for quaternions only: two
small rotations do not commute.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, directional
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, symbol
from torseur.algebra.core.graph import evaluate, expressions, substitute
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.actions.applied import applied_forces
from torseur.equations.actions.reactions import wrench_names
from torseur.equations.actions.sliding import Slides
from torseur.equations.constraints.constraint_rows import Constraints, coordinate_rates
from torseur.equations.functions.catalogue import FUNCTIONS, multiplier_names
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.symbols.system import System
from torseur.errors import require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.native import compiled_function
from torseur.model.checks.mechanism_checks import require_coordinates
from torseur.model.contact.smooth import require_smooth
from torseur.model.parameters import order
from torseur.model.values.fingerprint import fingerprint, written
from torseur.words.sentence import say

Array = np.ndarray


Units = tuple[Array, Array]  # of the rows and of the columns of a matrix


@final
@dataclass(frozen=True)
class Slopes:
    """Derivatives of the equations in some directions: a column each."""

    r: Array  # (n, k)
    u: Array  # (rows, k)
    w: Array  # (rows, k)
    gap: Array  # (gaps, k)


@final
@dataclass(frozen=True)
class StateTerms:
    """The equations at one state, and their derivatives."""

    r: Array  # (n) [N or N m]
    u: Array  # (rows): the forbidden speeds
    w: Array  # (rows): the forbidden accelerations
    gap: Array  # (gaps) [m or rad]
    along: Slopes  # displacements d
    speeds: Slopes  # v; its u is J
    M: Array  # (n, n)
    W: Array  # (n, n)
    units: Units  # of J
    units_gap: Units  # of the derivatives of the gap
    pushed: Array | None = None  # (rows, n): −∂r/∂λ; None where it is J

    @property
    def T(self) -> Array:
        """The forces that each multiplier makes: J, and the friction that follows from it."""
        return self.J if self.pushed is None else self.pushed

    @property
    def J(self) -> Array:
        """The speeds that constraints forbid."""
        return self.speeds.u


@final
class Tangent:
    """The compiled derivatives of a model; other values of its parameters use the same code."""

    def __init__(self, model: CompiledModel, slides: Slides | None = None) -> None:
        what = say("an analysis at a state")
        require_coordinates(model.mechanism, what)
        require_smooth(model.mechanism, what)
        self.model, self.slides = model, slides
        self.coordinates, self.speeds = model.coordinates, model.speeds
        self._bound: dict[tuple[str, ...], Callable[..., Any]] = {}
        self._code: dict[tuple[Any, ...], Evaluator] = {}
        self._made: dict[str, Array] = {}

    def __repr__(self) -> str:
        return f"<Tangent of {self.model!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tangent, (self.model, self.slides)

    @cached_property
    def constraints(self) -> Constraints:
        """The rows of J and what they belong to."""
        return self.model.constraints

    @cached_property
    def units(self) -> Units:
        """Reference values of the rows and the columns of J."""
        sizes = self.model.sizes
        return sizes.rows if self.rows else np.zeros(0), sizes.displacements

    @cached_property
    def units_gap(self) -> Units:
        """Reference values of the rows and columns of the derivatives of the gap."""
        rows, lengths = self.units
        return rows[self.positions], lengths

    @cached_property
    def quantities(self) -> Quantities:
        """Energies, powers and wrenches."""
        return Quantities(self.model, self._made)

    @cached_property
    def _parts(self) -> _Expressions:
        return _Expressions(self.model.system, self.constraints, self.slides)

    @property
    def expressions(self) -> Array:
        """r, u, w and the gap, one below the other."""
        return self._parts.equations

    @cached_property
    def positions(self) -> list[int]:
        """The rows of J that hold positions, in the order of the gap."""
        return list(self.constraints.positions)

    @cached_property
    def holonomic(self) -> bool:
        """Whether every constraint holds positions."""
        return len(self.positions) == self.rows

    def with_parameters(self, **new: float) -> Tangent:
        """Equations at other values of the parameters; compiled code is shared."""
        other = Tangent(self.model.tried(**new), self.slides)
        other._code, other._made, other.constraints = self._code, self._made, self.constraints
        return other

    @cached_property
    def size(self) -> int:
        """The number of speeds."""
        return len(self.speeds)

    @cached_property
    def rows(self) -> int:
        """The number of constraints."""
        return len(self.constraints.owners)

    @cached_property
    def metres(self) -> list[bool]:
        """Which displacements are lengths."""
        return [unit == "m/s" for unit in self.model.sizes.speed_units]

    def lengths(self, size: float) -> Array:
        """(n): a size for displacements that are lengths, 1 for angles."""
        return np.where(self.metres, size, 1.0)

    @cached_property
    def weight(self) -> float:
        """The largest weight times the length of the mechanism: what rounding is compared with."""
        scales = self.model.sizes.scales
        g = evaluate(expressions(self.model.system.gravity), self.model.parameters)
        return float(np.linalg.norm(np.asarray(g, dtype=float)) * scales.mass * scales.length)

    @cached_property
    def _cuts(self) -> list[slice]:
        """The rows of r, u, w, the gap and W."""
        rows = self.rows
        ends = np.cumsum([0, self.size, rows, rows, len(self.positions), self.size])
        return [slice(a, b) for a, b in pairwise(ends)]

    def displacement(self, a: Array, b: Array) -> Array:
        """Displacement from one configuration to a near one."""
        displacement = np.zeros(self.size)
        for _, link in self.model.system.tree:
            gone = b[link.q] - a[link.q]
            if link.joint.turning and a[link.q][-4:] @ b[link.q][-4:] < 0:
                gone[-4:] = -b[link.q][-4:] - a[link.q][-4:]  # a quaternion and its opposite
            displacement[link.v] = link.joint.speeds(a[link.q], gone)
        return displacement

    def at(
        self,
        q: Array,
        t: float,
        v: Array | None = None,
        a: Array | None = None,
        lam: Array | None = None,
    ) -> StateTerms:
        """The equations at a state; what is not given is zero."""
        n, output = self.size, self._called((), q, t, v, a, lam)
        r, u, w, gap, W = (output[cut] for cut in self._cuts)
        d, v_, a_ = (slice(1 + k * n, 1 + (k + 1) * n) for k in range(3))
        return StateTerms(
            r[:, 0],
            u[:, 0],
            w[:, 0],
            gap[:, 0],
            Slopes(r[:, d], u[:, d], w[:, d], gap[:, d]),
            Slopes(r[:, v_], u[:, v_], w[:, v_], gap[:, v_]),
            r[:, a_],
            W[:, d],
            self.units,
            self.units_gap,
            pushed=None if self.slides is None else -r[:, 1 + 3 * n :].T,
        )

    def parameters(self, names: tuple[str, ...], q: Array, t: float, *moving: Array) -> Slopes:
        """Derivatives of the equations by parameters, through those defined from them."""
        nothing = np.zeros((self._cuts[3].stop, 0))
        output = self._called(names, q, t, *moving) if names else nothing
        return Slopes(*(output[cut] for cut in self._cuts[:4]))

    def _called(self, names: tuple[str, ...], q: Array, t: float, *moving: Array | None) -> Array:
        if names not in self._bound:
            evaluator = self._evaluator(names)
            self._bound[names] = compiled_function(evaluator, self.model.numbers(evaluator))
        sizes = (self.size, self.size, self.rows)
        given = zip_longest(moving, sizes)
        still = [np.zeros(n) if x is None else x for x, n in given]
        return np.asarray(self._bound[names](q, *still[: 3 if self.rows else 2], np.array([t])))

    def _evaluator(self, names: tuple[str, ...]) -> Evaluator:
        key = (names, tuple(sorted(self.model.given)) if names else ())
        if key not in self._code:
            rubbing = "" if self.slides is None else written(list(self.slides.parts))
            defined = parameter_definitions(self.model) if names else ""
            identity = f"tangent {names} {defined} {rubbing}"
            result = fingerprint(self.model.mechanism)
            self._code[key] = kernel_code(lambda: self._kernel(names), f"{identity} {result}")
        return self._code[key]

    def _kernel(self, names: tuple[str, ...]) -> Kernel:
        system = self.model.system
        inputs = [
            ("q", system.coordinates),
            ("v", system.speeds),
            ("a", tuple(f"{name}." for name in system.speeds)),
            ("L", multiplier_names(self.rows)),
            ("t", (TIME.name,)),
        ]
        if names:
            ways = [parameter_direction(self.model, name) for name in names]
            output = np.stack([directional(self.expressions, way) for way in ways], axis=1)
        else:
            output = self._parts.table
        listed = [(letter, names_of_input) for letter, names_of_input in inputs if names_of_input]
        return kernel("tangent", listed, expressions(output))


def parameter_definitions(model: CompiledModel) -> str:
    """Text of the definitions of parameters, part of the identity of compiled derivatives."""
    table = model.mechanism.parameter_table
    return str([(x, str(table[x].value), x in model.given) for x in table])


def parameter_direction(model: CompiledModel, name: str) -> dict[Expr, Any]:
    """The rate of every parameter when one grows at the rate 1: those defined from it follow."""
    table = model.mechanism.parameter_table
    require_known(f'mechanism "{model.mechanism.name}"', "parameter", name, table)
    along: dict[Expr, Any] = {symbol(name): ONE}
    for other in order(table):
        definition = table[other].value
        if other == name or other in model.given or definition is None:
            continue
        rate = directional(definition, along)
        if rate is not ZERO:
            along[symbol(other)] = rate
    return along


@final
class _Expressions:
    """r, u, w, the gap and W as expressions, and their derivatives."""

    def __init__(self, system: System, constraints: Constraints, slides: Slides | None) -> None:
        self._system = system
        self._held = constraints
        self._slides = slides

    @cached_property
    def equations(self) -> Array:
        """r, u, w and the gap, one below the other."""
        system, constraints = self._system, self._held
        tree = regrouped(system.tree)
        Q = constraints.opened(expressions(applied_forces(system)))
        r = inverse_dynamics(tree, system.q, system.v, system.a, system.gravity).Q - Q
        lam = self._multipliers
        if self._slides is not None:
            r = r - self._slides.forces(constraints.owners, lam)
        if not len(lam):
            return expressions(r)
        u = constraints.J @ system.v + constraints.rate
        w = constraints.J @ system.a + constraints.bias
        return expressions([*(r - constraints.J.T @ lam), *u, *w, *constraints.gap])

    @property
    def _multipliers(self) -> Array:
        names = multiplier_names(len(self._held.owners))
        return np.array([symbol(name, "input") for name in names], dtype=object)

    @cached_property
    def _rates(self) -> Array:
        return expressions(coordinate_rates(self._system))

    def _displacement(self, k: int) -> Array:
        """q̇ when only the speed k is 1."""
        unit = [ONE if i == k else ZERO for i in range(len(self._system.v))]
        return np.asarray(substitute(self._rates, dict(zip(self._system.v, unit, strict=True))))

    def _bracket(self, way: Array) -> Array:
        """A column of W: the motion along `way` carried by the motion, less the reverse."""
        system = self._system
        q = list(system.q)
        carried = directional(self._rates, dict(zip(q, way, strict=True)))
        turned = directional(way, dict(zip(q, self._rates, strict=True)))
        difference = expressions(carried - turned)
        bracket = np.zeros(len(system.v), dtype=object)
        for _, link in system.tree:
            bracket[link.v] = link.joint.speeds(system.q[link.q], difference[link.q])
        return bracket

    @property
    def table(self) -> Array:
        """Values, then derivatives by d, v, a and, if something slides, by λ; W comes last."""
        system = self._system
        n, q = len(system.v), list(system.q)
        nothing = expressions(np.zeros(n))
        columns = [[*self.equations, *nothing]]
        for k in range(n):
            way = expressions(self._displacement(k))
            slopes = directional(self.equations, dict(zip(q, way, strict=True)))
            columns.append([*slopes, *self._bracket(way)])
        forces = () if self._slides is None else self._multipliers
        for x in (*system.v, *system.a, *forces):
            columns.append([*derivative(self.equations, x), *nothing])
        return np.stack([expressions(column) for column in columns], axis=1)


@final
class Quantities:
    """Energies, powers and joint wrenches at single states, each made when it is first asked for.

    An analysis looks at a few states only: evaluating the graph is quicker than compiling it.
    Expressions are kept in `made`, which other values of the parameters share.
    """

    def __init__(self, model: CompiledModel, cache: dict[str, Array]) -> None:
        self._model = model
        self._made = cache

    def _value(self, name: str, known: dict[str, Any]) -> Any:
        if name not in self._made:
            self._made[name] = expressions(FUNCTIONS[name].build(self._model.system))
        return evaluate(self._made[name], {**self._model.parameters, **known})

    def _state(self, q: Array, v: Array, t: float) -> dict[str, Any]:
        names = (*self._model.coordinates, *self._model.speeds)
        return {**dict(zip(names, (*q, *v), strict=True)), TIME.name: t}

    def potential(self, q: Array, t: float) -> float:
        """E_p [J]."""
        still = np.zeros(len(self._model.speeds))
        return float(self._value("potential_energy", self._state(q, still, t)))

    def kinetic(self, q: Array, v: Array) -> float:
        """E_c [J]."""
        return float(self._value("kinetic_energy", self._state(q, v, 0.0)))

    def power(self, q: Array, v: Array, t: float) -> float:
        """Power of the forces without a potential [W]."""
        return float(self._value("power", self._state(q, v, t)))

    def wrenches(self, q: Array, v: Array, a: Array, lam: Array, t: float) -> dict[str, Array]:
        """Force then couple of the first body on the second, in ground axes at the joint's M."""
        known = self._state(q, v, t)
        known |= dict(zip((f"{name}." for name in self._model.speeds), a, strict=True))
        known |= dict(zip(multiplier_names(len(lam)), lam, strict=True))
        wrenches = np.asarray(self._value("joint_wrenches", known), dtype=float)
        names = wrench_names(self._model.system)
        return {name: wrenches[k, :6] for k, name in enumerate(names)}
