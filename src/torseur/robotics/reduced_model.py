"""A smaller model of a robot for one task: what it leaves out, what that changes, what it costs.

The report of 1980 (§2.4, §5) proposes the arm with a frozen wrist, the neglect of velocity terms,
and to drop negligible terms by their size along a trajectory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import partials
from torseur.algebra.core.expr import Expr, number
from torseur.algebra.core.graph import evaluate, expressions, mapped, reachable, remade, substitute
from torseur.algebra.forms.count import Operations, count
from torseur.algebra.forms.listing import text_listing
from torseur.algebra.forms.program import program
from torseur.algebra.printing.text import text
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.kernel import Kernel, kernel, kernel_of
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, require_known
from torseur.export.export import export_kernel
from torseur.machine.compiled import CompiledModel, compile, compiled_at
from torseur.machine.evaluator import kernel_code
from torseur.machine.native import compiled_function
from torseur.model.description import Joint, Mechanism
from torseur.model.forces.protocol import joints_of
from torseur.model.joints.library import Fixed
from torseur.plain import entries
from torseur.result import Result
from torseur.robotics.states import States, states_of
from torseur.robotics.term_sizes import EquationTerms, TermSize, chosen_terms
from torseur.robotics.trajectory import Trajectory
from torseur.words.sentence import say

Array = np.ndarray
_TRIES = 8  # tolerances, each smaller, where errors at states that were not looked at are larger
_LESS = 0.95
_LONGEST = 100  # characters of a term that is shown
_RESULT = "the Q to apply on top, by a smaller model of one task"
Build = Callable[[System], Array]
_SAME = 1e-9  # of the largest force: two ways to write the same forces
Term = tuple[int, int]  # the key of a sum, the place of the argument that is left out
_ROUNDS = 12


@final
class DroppedTerm(Result):
    """A term that a smaller model leaves out, where it is felt most."""

    equation: str
    term: str
    share: float  # of the largest force of the equation, when it alone is left out


@final
class ReducedModel(Result):
    """Inverse dynamics of a task in fewer operations; values of parameters are part of it."""

    system: System  # of numbers
    kernel: Kernel
    full: Operations  # of the whole model at the same values
    errors: Mapping[str, float]  # the largest along the task, beside the largest force
    dropped: tuple[DroppedTerm, ...]
    samples: int  # of the task, at which the errors were measured

    def __repr__(self) -> str:
        cost = f"{self.operations.total} operations instead of {self.full.total}"
        return f'<ReducedModel of "{self.system.mechanism.name}": {cost}, error {self.error:.2%}>'

    @property
    def operations(self) -> Operations:
        """Operations of one call."""
        return count(self.kernel.outputs)

    @property
    def error(self) -> float:
        """The largest error of any force along the task, beside the largest value of that force."""
        return max(self.errors.values(), default=0.0)

    @cached_property
    def inverse_dynamics(self) -> Callable[..., Any]:
        """The function of (q, v, a) as machine code, of one state or of rows of them."""
        return compiled_function(kernel_code(self.kernel, ""), np.zeros(0))

    @property
    def expressions(self) -> Array:
        """The forces as expressions."""
        return expressions(list(self.kernel.outputs))

    def text(self) -> str:
        """The formulas, with what is used several times named."""
        names = (*self.system.coordinates, *self.system.speeds)
        return text_listing(program({"inverse_dynamics": self.expressions}, {}, names))

    def export(
        self, to: str, directory: str | os.PathLike[str] = ".", **options: Any
    ) -> list[Path]:
        """The function written as source files, as `ts.export` writes those of the whole model."""
        name = f"{self.system.mechanism.name}_reduced"
        return export_kernel(self.system, self.kernel, _RESULT, to, directory, name=name, **options)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        cost = {"operations": self.operations.total, "full_operations": self.full.total}
        return cost | entries(self, "error", "errors", "samples", "dropped")

    def __str__(self) -> str:
        lines = [
            self.say(
                "{total} operations ({operations}) instead of {full}",
                total=self.operations.total,
                full=self.full.total,
            ),
            say("largest error along the task ({samples} samples): ", self.samples)
            + ", ".join(f"{name} {100 * x:.2g} %" for name, x in self.errors.items()),
            say("terms left out: {number}", len(self.dropped)),
        ]
        if self.operations.total > self.full.total:
            lines.append(say("leaving out these terms saves nothing: the whole model is shorter"))
        return "\n".join(lines)


def reduced(
    mechanism: Mechanism | CompiledModel,
    task: Trajectory | States,
    tolerance: float = 0.01,
    *,
    frozen: Sequence[str] = (),
    velocity_terms: bool = True,
    without: Sequence[TermSize | tuple[str, str]] = (),
    parameters: Mapping[str, float] | None = None,
) -> ReducedModel:
    """The inverse dynamics of an open chain with fewer operations, for a task or a workspace.

    Terms are left out while no force of the task changes by more than `tolerance` of its largest
    value. With `frozen` coordinates, those of a wrist, forces of the arm are those with the wrist
    held at its mean posture, and forces of the wrist those with the arm held still. Without
    `velocity_terms`, centrifugal and Coriolis terms are neglected (friction stays). Terms that one
    chooses in `without`, from `term_sizes` or as ("q1", "q2. q3."), are left out
    first. What all of this changes is measured along the task: `.errors`; terms are in `.dropped`.
    Errors for states `anywhere` are those at many more than the given ones. What would cost more
    than the whole model is not left out; terms that one chooses are, with a tolerance of 0.
    """
    if not 0 <= tolerance < 1:
        problem = say("the tolerance must be between 0 and 1, got {tolerance}.", tolerance)
        raise ModelError("reduced", problem, "For instance 0.01: one part in a hundred.")
    given = compiled_at(mechanism, parameters)
    model = compile(given.mechanism, fixed=True, parameters=given.given)
    states = states_of(model, task, "reduced")
    system = model.system
    whole = kernel_of(FUNCTIONS["inverse_dynamics"], system)
    chosen, terms = chosen_terms(system, without, "reduced"), EquationTerms(system)
    build = _whole if velocity_terms else _without_velocity_terms
    outputs = terms.without(build(system), chosen, speeds=velocity_terms)
    if frozen:
        outputs = with_frozen(system, outputs, states, tuple(frozen), build)
    pruned, tried = _pruned(system, outputs, states, tolerance), states.with_others()
    most, exact = count(whole.outputs), chosen and not tolerance
    if count(pruned.outputs).total > most.total and not exact:
        chosen, pruned = (), _pruned(system, expressions(list(whole.outputs)), states, tolerance)
    full, names = Pruned(whole.outputs, tried.values(system), len(tried)), model.coordinates
    words = dict(zip(names, map(float, full.errors(pruned.outputs)), strict=True))
    dropped = [DroppedTerm(names[i], x, full.share(terms.term(i, x), i)) for i, x in chosen]
    dropped += [
        DroppedTerm(names[x.equation], text(x.term, limit=_LONGEST), x.size)
        for x in pruned.left_out
    ]
    dropped.sort(key=lambda x: -x.share)
    result = kernel(whole.name, whole.inputs, pruned.outputs)
    return ReducedModel(system, result, most, words, tuple(dropped), len(tried))


def _pruned(system: System, outputs: Array, states: States, tolerance: float) -> Pruned:
    """Forces without terms that are not felt, at other states within the same bounds either."""
    tried, within = states.with_others(), tolerance
    there = Pruned(list(outputs), tried.values(system), len(tried))
    for _ in range(_TRIES if tolerance else 0):
        result = Pruned(list(outputs), states.values(system), len(states))
        result.prune(within)
        error = float(there.errors(result.outputs).max(initial=0.0))
        if error <= tolerance:
            return result
        within *= _LESS * tolerance / error
    return there


def _whole(system: System) -> Array:
    """The forces of a system as they are."""
    return expressions(list(kernel_of(FUNCTIONS["inverse_dynamics"], system).outputs))


def _without_velocity_terms(system: System) -> Array:
    """M a + g − applied: what acts keeps its dependence on speeds."""
    outputs, still = _whole(system), dict.fromkeys(system.v, number(0))
    applied = expressions(FUNCTIONS["applied"].build(system))
    return expressions(substitute(outputs, still) + substitute(applied, still) - applied)


# --- a frozen wrist ------------------------------------------------------------------------------
#
# The wrist, welded at its mean posture, is one body with the link that carries it: fewer operations
# than the recursion over its links, with numbers in the place of their coordinates.


def with_frozen(
    system: System, outputs: Array, states: States, frozen: tuple[str, ...], build: Build
) -> Array:
    """Rows of the arm with the wrist at its mean posture, of the wrist with the arm at rest.

    `build` makes the forces of a system. Of two ways to write the rows of the arm, which agree at
    the states, the one of fewer operations is taken.
    """
    names = system.coordinates
    require_known("reduced", "coordinate", frozen, names)
    wrist = [names.index(name) for name in frozen]
    arm = [k for k in range(len(names)) if k not in wrist]
    posture = {names[k]: float(states.q[:, k].mean()) for k in wrist}
    wrist_fixed: dict[Expr, Any] = {system.q[k]: number(posture[names[k]]) for k in wrist}
    wrist_fixed |= {x[k]: number(0) for x in (system.v, system.a) for k in wrist}
    resting = {x[k]: number(0) for x in (system.v, system.a) for k in arm}
    rows = outputs.copy()
    rows[arm] = substitute(outputs[arm], wrist_fixed)
    rows[wrist] = substitute(outputs[wrist], resting)
    welded = compile(_welded(system.mechanism, posture), fixed=True).system
    if welded.coordinates != tuple(names[k] for k in arm):
        return rows  # a joint of several coordinates that is frozen in part
    other = rows.copy()
    other[arm] = substitute(build(welded), wrist_fixed)
    same = Pruned(list(rows), states.values(system), len(states)).errors(other).max() <= _SAME
    return min(rows, other, key=lambda x: count(x).total) if same else rows


def _welded(mechanism: Mechanism, posture: Mapping[str, float]) -> Mechanism:
    """The mechanism with the joints of a posture fixed, and without what acts in them."""
    fixed = {
        name: joint
        for name, joint in mechanism.joints.items()
        if joint.coordinates and set(joint.coordinates) <= posture.keys()
    }
    joints = {name: _fixed(joint, posture) for name, joint in fixed.items()}
    loads = {n: x for n, x in mechanism.loads.items() if not set(joints_of(x)) & fixed.keys()}
    motors = {name: x for name, x in mechanism.motors.items() if x.joint not in fixed}
    return replace(
        mechanism,
        joints={**mechanism.joints, **joints},
        loads=loads,
        motors=motors,
        initial={},
        events={},
        inputs=(),
    )


def _fixed(joint: Joint, posture: Mapping[str, float]) -> Joint:
    """A joint that keeps its second body where the posture has it."""
    q = np.array([number(posture[name]) for name in joint.coordinates], dtype=object)
    X_AF = joint.X_AF @ joint.kind.transform(q)
    return Joint(joint.name, Fixed(), joint.first, joint.second, X_AF, joint.X_BM)


# --- terms that results hardly feel --------------------------------------------------------------
#
# Every sum of the graph is looked at, those inside recursions too: a term adds to each result, to
# first order, the adjoint of its sum times the term. Terms are left out from the smallest on, and
# the error is measured by evaluating the shorter expressions at every sample.


@final
@dataclass(frozen=True)
class LeftOut:
    """A term, and what its sum adds to the results."""

    term: Expr
    equation: int  # the result that feels it most
    size: float  # at most, beside the largest value of that result


@final
class Pruned:
    """Expressions, their values at samples, and what they may differ by."""

    def __init__(self, outputs: Sequence[Expr], values: Mapping[str, Array], samples: int) -> None:
        self.outputs = expressions(list(outputs))
        self._values, self._samples = values, samples
        self._full = self._evaluated(self.outputs)
        largest = np.abs(self._full).max(axis=1, keepdims=True)
        self._sizes = np.where(largest > 0, largest, 1.0)
        self.left_out: list[LeftOut] = []

    def _evaluated(self, outputs: Any) -> Array:
        result = evaluate(outputs, self._values)
        return np.array([np.broadcast_to(np.asarray(x, float), self._samples) for x in result])

    def _by_key(self, nodes: Sequence[Expr]) -> dict[int, Any]:
        """The values of nodes at the samples."""
        result = evaluate(expressions(list(nodes)), self._values)
        return dict(zip((x.key for x in nodes), result, strict=True))

    def errors(self, outputs: Any) -> Array:
        """The largest error of each result beside its largest value."""
        result = self._evaluated(outputs)
        return np.asarray((np.abs(result - self._full) / self._sizes).max(axis=1))

    def share(self, term: Expr, equation: int) -> float:
        """The largest value of a term beside the largest value of a result."""
        return float(np.abs(self._evaluated([term])).max() / self._sizes[equation, 0])

    def prune(self, tolerance: float) -> None:
        """Leave out what can be, round after round, while errors stay within the tolerance."""
        for _ in range(_ROUNDS):
            result = self._terms(tolerance)
            if not self._shortened(result, tolerance):
                return

    def _shortened(self, result: list[tuple[Term, LeftOut]], tolerance: float) -> bool:
        """Whether any of the terms could be left out; groups that cannot are halved."""
        chosen: dict[int, int] = {}
        dropped: list[LeftOut] = []
        waiting = [result]
        while waiting:
            group = [x for x in waiting.pop() if x[0][0] not in chosen]
            trial = chosen | {key: place for (key, place), _ in group}
            if not group:
                continue
            if self.errors(_without(self.outputs, trial)).max() <= tolerance:
                chosen = trial
                dropped += [text for _, text in group]
            elif len(group) > 1:
                half = len(group) // 2
                waiting += [group[half:], group[:half]]  # smallest first
        self.outputs = _without(self.outputs, chosen)
        self.left_out += dropped
        return bool(chosen)

    def _terms(self, tolerance: float) -> list[tuple[Term, LeftOut]]:
        """The terms that may be left out, the smallest first; one of each sum at most."""
        nodes = reachable(list(self.outputs))
        values = self._by_key(nodes)
        slopes = self._by_key([slope for x in nodes for slope in partials(x)])
        adjoint = _adjoints(self.outputs, nodes, slopes, self._samples)
        result = []
        for x in nodes:
            if x.op != "add":
                continue
            felt = [np.abs(adjoint[x.key] * values[y.key]) / self._sizes for y in x.args]
            place = int(felt[0].max() > felt[1].max())
            most = felt[place].max(axis=1)
            if most.max() <= tolerance:
                text = LeftOut(x.args[place], int(most.argmax()), float(most.max()))
                result.append(((x.key, place), text))
        return sorted(result, key=lambda x: x[1].size)


def _without(outputs: Any, terms: Mapping[int, int]) -> Any:
    """The expressions with one argument of some sums left out."""

    def rebuild(x: Expr, args: list[Expr]) -> Expr:
        if x.key in terms:
            return args[1 - terms[x.key]]
        return x if all(a is b for a, b in zip(args, x.args, strict=True)) else remade(x, args)

    return mapped(outputs, rebuild)


def _adjoints(
    outputs: Any, nodes: Sequence[Expr], slopes: Mapping[int, Any], samples: int
) -> dict[int, Array]:
    """∂(every output)/∂(every node) at the samples: (outputs, samples) by the key of the node.

    `slopes` are the values of the derivatives of nodes by their arguments.
    """
    count = len(outputs)
    result = {x.key: np.zeros((count, samples)) for x in nodes}
    for k, x in enumerate(outputs):
        result[x.key][k] += 1.0
    for x in reversed(nodes):
        if not x.args or not result[x.key].any():
            continue
        for argument, slope in zip(x.args, partials(x), strict=True):
            if argument.op != "number":
                result[argument.key] += result[x.key] * slopes[slope.key]
    return result
