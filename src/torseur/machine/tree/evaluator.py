"""The functions of a large mechanism as loop kernels, behind the same entries as machine code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, chain
from types import SimpleNamespace
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.branches import LINE, STRIP
from torseur.equations.functions.catalogue import FUNCTIONS, inputs_of, kernel_of
from torseur.equations.functions.kernel import Kernel
from torseur.equations.symbols.system import System
from torseur.errors import SolveError
from torseur.machine.evaluator import Evaluator
from torseur.machine.llvm import jit, levels
from torseur.machine.llvm.loaded_code import load
from torseur.machine.native import Calls
from torseur.machine.runtime.bitcode import available
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import addresses, view
from torseur.machine.tree.arrays import TreeArrays, covers, tree_arrays
from torseur.machine.tree.entry_points import Forces, Use, entry_points, forces_room
from torseur.machine.wasm import pyodide
from torseur.model.constraints.selection import restraints
from torseur.model.description import BodyLoad, JointLoad, Mechanism, Motor
from torseur.model.joint_graph import spanning
from torseur.model.values.numeric import numeric_mechanism, tree_parameters
from torseur.topology.structure import state_names, tree_of
from torseur.words.sentence import say

Array = np.ndarray

# Above this many speeds functions run in loops. Measured on chains of revolute joints (AMD Zen 3):
# straight-line forward dynamics takes 4 s to compile for 40 speeds, 8 s for 48 and 10 s for 64,
# where a loop is ready in 0.05 s and takes twice as long a call; for 80 speeds straight-line code
# is past what the optimiser takes, and slower. The mass matrix of 48 speeds already is.
LARGE = 48
# Above this many speeds derivatives do. For chains of 12 and 16 bodies those of inverse dynamics
# take 2.5 and 3.9 µs by straight-line code and 3.1 and 5.8 µs in loops, those of forward dynamics
# 5.0 and 10 µs against 7.2 and 15 µs; but compiling takes 1.5 to 7.8 s, where loops take 0.03 s.
LARGE_DERIVATIVES = 12


@final
@dataclass(frozen=True)
class LoopOf:
    """A kernel, the room that it works in, and the shape of its result."""

    width: int  # numbers for a body
    shape: tuple[int, ...] = (1,)  # in multiples of the number of speeds
    home: str = "torseur.machine.tree.kernels"
    speed_width: int = at.COLUMN_WIDTH + 1  # numbers for a speed
    pair_width: int = 0  # numbers for a pair of speeds
    largest: int = LARGE  # number of speeds of straight-line code
    differentiates: bool = False  # whether what is applied counts by its derivatives

    def room(self, bodies: int, speeds: int) -> int:
        """The number of numbers it works in."""
        for_speeds = (self.speed_width + self.pair_width * speeds) * speeds
        return (bodies + 1) * self.width + for_speeds + LINE


def _derivatives(columns: int, pair_width: int) -> LoopOf:
    return LoopOf(
        at.GROUND_WIDTH,
        (1, columns),
        "torseur.machine.tree.derivative_kernels",
        at.COLUMN_WIDTH + at.MOTION_WIDTH + 2 + STRIP,
        pair_width,
        LARGE_DERIVATIVES,
        True,
    )


# Those of inverse and forward dynamics serve the tree alone, and the tree with what is applied.
KERNELS = {
    "inverse_dynamics": LoopOf(at.INVERSE_WIDTH),
    "forward_dynamics": LoopOf(at.FORWARD_WIDTH),
    "bias": LoopOf(at.INVERSE_WIDTH),
    "gravity": LoopOf(at.INVERSE_WIDTH),
    "mass_matrix": LoopOf(at.COMPOSITE_WIDTH, (1, 1)),
    "kinetic_energy": LoopOf(at.COMPOSITE_WIDTH, ()),
    "potential_energy": LoopOf(at.COMPOSITE_WIDTH, ()),
    "inverse_dynamics_derivatives": _derivatives(2, 0),
    "forward_dynamics_derivatives": _derivatives(3, 2),
}


def suits(mechanism: Mechanism, name: str) -> bool:
    """Whether a function of a mechanism is better run by a loop over its bodies."""
    loop, speeds = KERNELS.get(kernel_name(name)), len(mechanism.every_speed)
    if loop is None or speeds <= loop.largest or not available() or pyodide.RUNS_HERE:
        return False
    has_balls = any(joint.kind.turning for joint in mechanism.joints.values())
    if loop.differentiates and "tangent" not in name and has_balls:
        return False  # a quaternion has more coordinates than there are small motions
    if FUNCTIONS[name].free and is_restrained(mechanism):
        return False  # the forces of constraints are unknown too
    loads = mechanism.loads.values()
    plain = all(isinstance(x, JointLoad | BodyLoad) for x in loads)
    weight_only = mechanism.frame is None and plain
    if name == "potential_energy" and not weight_only:
        return False  # springs and a ground that moves store energy too
    return covers(joint.kind for joint in mechanism.joints.values())


def kernel_name(function: str) -> str:
    """The kernel that a function runs."""
    return function.removeprefix("tree_").replace("_tangent", "")


def is_restrained(mechanism: Mechanism) -> bool:
    """Whether anything but the joints of a tree restrains a mechanism."""
    return bool(restraints(mechanism) or spanning(mechanism).closing)


def is_pushed(mechanism: Mechanism) -> bool:
    """Whether anything but its weight is applied to a mechanism."""
    acted_on = mechanism.loads or mechanism.commanded or mechanism.frame is not None
    return bool(acted_on) or any(map(_pushes, mechanism.motors.values()))


def _pushes(motor: Motor) -> bool:
    """Whether a motor has a torque or friction, and not its rotor's inertia only."""
    resisting = (motor.viscous_motor, motor.viscous_output, *motor.dry_motor, *motor.dry_output)
    return any(x is not ZERO for x in (motor.torque, *resisting))


@final
@dataclass(frozen=True)
class Source:
    """Data of a mechanism for the kernels."""

    bodies: int
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    parameters: tuple[str, ...]
    arrays: Callable[[Mapping[str, float]], TreeArrays]
    pushed: bool = False  # whether anything but its weight is applied to it


def source(mechanism: Mechanism) -> Source:
    """The source of a mechanism: parameters become numbers before its tree is built."""

    def arrays(values: Mapping[str, float]) -> TreeArrays:
        numbers = numeric_mechanism(mechanism, values)
        return tree_arrays(tree_of(numbers, spanning(numbers)), numbers.gravity)

    bodies = len(spanning(mechanism).carrying)
    needed = tree_parameters(mechanism)
    return Source(bodies, *state_names(mechanism), needed, arrays, is_pushed(mechanism))


Model = Callable[[tuple[float, ...]], Array]  # the numbers of a kernel, from its parameters


@final
class LoopFunctions:
    """The loop kernels of a mechanism; its numbers are computed once for all its functions."""

    def __init__(
        self,
        given: Source,
        known_system: Callable[[], System],
        straight: Callable[[str], Evaluator] | None = None,
    ) -> None:
        self._source = given
        self._known_system = known_system
        self._straight = straight  # other functions of the mechanism, by name

        @lru_cache(4)
        def arrays(values: tuple[float, ...]) -> TreeArrays:
            return given.arrays(dict(zip(given.parameters, values, strict=True)))

        self._arrays = arrays  # at values of the parameters, in the order of their names

    def evaluator(self, name: str) -> Evaluator:
        """The entries of one function; what is applied is part of inverse and forward dynamics."""
        function, given, loop_of = FUNCTIONS[name], self._source, KERNELS[kernel_name(name)]
        applied = self._forces(name) if function.free and given.pushed else []
        loop = loop_kernel(loop_of.home, kernel_name(name))
        named = [(kernel_name(name), loop.address)]
        named += [(x.name, x.entries.addresses["single"]) for _, x in applied]
        size = len(named) + (given.bodies + 1) * at.MODEL_WIDTH
        *starts, total = accumulate((max(x.constants, 1) for _, x in applied), initial=size)
        forces = [
            Forces(start, use, tuple(dict(x.inputs)))
            for (use, x), start in zip(applied, starts, strict=True)
        ]
        letters = {letter: names for _, x in applied for letter, names in x.inputs}
        late = tuple((letter, letters[letter]) for letter in "tu" if letter in letters)
        inputs = (*inputs_of(function, given.coordinates, given.speeds), *late)
        speeds = len(given.speeds)
        shape = tuple(speeds * count for count in loop_of.shape)
        kernel = Kernel(name, inputs, shape, (), function.solves)
        needed = (given.parameters, *(x.parameters for _, x in applied))
        parameters = tuple(dict.fromkeys(chain.from_iterable(needed)))
        tree, functions = self._model(name), np.array([x for _, x in named]).view(float)

        def model(values: tuple[float, ...]) -> Array:
            known = dict(zip(parameters, values, strict=True))
            parts = [functions, tree(values[: len(given.parameters)])]
            for _, x in applied:
                numbers = np.array([known[key] for key in x.parameters], dtype=float)
                parts.append(Calls(x, numbers).constants)
            return np.concatenate(parts)

        code = entry_points(kernel, forces, clears=loop_of.differentiates)
        return replace(
            self._assembled(kernel, parameters, total, code, model),
            room=forces_room(kernel, forces) + loop_of.room(given.bodies, speeds),
            functions=tuple((k, called) for k, (called, _) in enumerate(named)),
            tables=tuple(chain.from_iterable(x.tables for _, x in applied)),
        )

    def _forces(self, name: str) -> list[tuple[Use, Evaluator]]:
        """Code of the forces that are applied, and how a function uses it."""
        if self._straight is None:
            return []
        forward = kernel_name(name).startswith("forward")
        if not KERNELS[kernel_name(name)].differentiates:
            return [(Use.ADDED if forward else Use.TAKEN, self._straight("applied"))]
        stiffness = (Use.BEGUN_WITH, self._straight("applied_stiffness"))
        return [(Use.ADDED, self._straight("applied")), stiffness] if forward else [stiffness]

    def _model(self, name: str) -> Model:
        """The numbers of the tree, for one of its functions."""

        def model(values: tuple[float, ...]) -> Array:
            arrays = self._arrays(values)
            if kernel_name(name).startswith("forward") and (loose := arrays.loose):
                raise SolveError(
                    f'joint "{loose[0]}"',
                    say("no inertia resists its motion; {number} joints are such.", len(loose)),
                    "Give an inertia to the body it carries, or a rotor inertia to its motor.",
                )
            return arrays.bodies.ravel()

        return model

    def _assembled(
        self, kernel: Kernel, parameters: tuple[str, ...], size: int, code: str, model: Model
    ) -> Evaluator:
        """The evaluator whose constants are the numbers of a model."""

        def constants(both: int) -> None:
            given, out = addresses(both, 2)
            view(out, (size,))[:] = model(tuple(view(given, (len(parameters),))))

        function = FUNCTIONS[kernel.name]
        return Evaluator(
            kernel.name,
            kernel.inputs,
            kernel.shape,
            parameters,
            size,
            replace(load(levels.pack(jit.object_code(code))), constants=constants),
            lambda: kernel_of(function, self._known_system()),
            lambda code: _sweep(code, model),
        )


def _sweep(code: Evaluator, model: Model) -> Evaluator:
    """A function with its parameters as a last input: each row has its own model."""
    inputs = (*code.inputs, ("parameters", code.parameters))
    sizes = [len(names) for _, names in inputs] + [int(np.prod(code.shape))]

    def batch(table: int) -> None:
        count, _, *starts, room = addresses(table, len(inputs) + 4)
        for k in range(int(view(count, (1,), np.int64)[0])):
            pairs = zip(starts, sizes, strict=True)
            *states, parameters, output = (start + 8 * k * size for start, size in pairs)
            numbers = model(tuple(view(parameters, (sizes[-2],))))
            row = np.array([numbers.ctypes.data, *states, output, room], dtype=np.int64)
            code.entries.single(row.ctypes.data)

    return replace(code, inputs=inputs, entries=SimpleNamespace(batch=batch), make_swept=None)
