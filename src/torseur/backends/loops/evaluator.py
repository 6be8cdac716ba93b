"""The functions of a large mechanism as loop kernels, behind the same entries as machine code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from types import SimpleNamespace
from typing import final

import numpy as np

from torseur.backends.evaluator import Evaluator
from torseur.backends.functions import FUNCTIONS, inputs_of, kernel_of
from torseur.backends.kernel import Kernel
from torseur.backends.llvm import jit
from torseur.backends.loops import places as at
from torseur.backends.loops.arrays import TreeArrays, covers, tree_arrays
from torseur.backends.loops.entry_points import entry_points
from torseur.backends.loops.machine import loop_code
from torseur.backends.memory import addresses, view
from torseur.errors import SolveError
from torseur.formalisms.system import System
from torseur.mechanism.description import BodyLoad, JointLoad, Mechanism
from torseur.mechanism.numeric import numeric_mechanism, tree_parameters
from torseur.topology.graph import spanning
from torseur.topology.spanning import tree_of
from torseur.topology.structure import state_names

# Above this many speeds functions run in loops. Measured on chains of revolute joints (AMD Zen 3):
# straight-line forward dynamics takes 4 s to compile for 40 speeds, 8 s for 48 and 10 s for 64,
# where a loop is ready in 0.05 s and takes twice as long a call; for 80 speeds straight-line code
# is past what the optimiser takes, and slower. The mass matrix of 48 speeds already is.
LARGE = 48

# The functions that have a kernel: how many numbers a body needs to work in, and the dimensions of
# the result.
KERNELS = {
    "inverse_dynamics": (at.INVERSE_WIDTH, 1),
    "forward_dynamics": (at.FORWARD_WIDTH, 1),
    "bias": (at.INVERSE_WIDTH, 1),
    "gravity": (at.INVERSE_WIDTH, 1),
    "mass_matrix": (at.COMPOSITE_WIDTH, 2),
    "kinetic_energy": (at.COMPOSITE_WIDTH, 0),
    "potential_energy": (at.COMPOSITE_WIDTH, 0),
}


def room(name: str, bodies: int, speeds: int) -> int:
    """How many numbers a kernel works in."""
    return (bodies + 1) * KERNELS[name][0] + speeds * (at.COLUMN_WIDTH + 1)


def suits(mechanism: Mechanism, name: str) -> bool:
    """Whether a function of a mechanism is better run by a loop over its bodies."""
    if name not in KERNELS or len(mechanism.speeds) <= LARGE or find_spec("numba") is None:
        return False
    if name == "forward_dynamics" and spanning(mechanism).closing:
        return False  # the forces of closing joints are unknown too
    loads = mechanism.loads.values()
    plain = all(isinstance(x, JointLoad | BodyLoad) for x in loads)
    weight_only = mechanism.frame is None and plain
    if name == "potential_energy" and not weight_only:
        return False  # springs and a ground that moves store energy too
    return covers(joint.kind for joint in mechanism.joints.values())


@final
@dataclass(frozen=True)
class Source:
    """What the kernels need to know of a mechanism."""

    bodies: int
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    parameters: tuple[str, ...]
    arrays: Callable[[Mapping[str, float]], TreeArrays]


def source(mechanism: Mechanism) -> Source:
    """The source of a mechanism: parameters become numbers before its tree is built."""

    def arrays(values: Mapping[str, float]) -> TreeArrays:
        numbers = numeric_mechanism(mechanism, values)
        return tree_arrays(tree_of(numbers, spanning(numbers)), numbers.gravity)

    bodies = len(spanning(mechanism).carrying)
    return Source(bodies, *state_names(mechanism), tree_parameters(mechanism), arrays)


@final
class Loops:
    """The loop kernels of a mechanism; its numbers are computed once for all its functions."""

    def __init__(self, given: Source, known_system: Callable[[], System]) -> None:
        self._source = given
        self._known_system = known_system
        self._arrays: Callable[[tuple[float, ...]], TreeArrays] = lru_cache(4)(self._numeric)

    def _numeric(self, values: tuple[float, ...]) -> TreeArrays:
        """The arrays at values of the parameters, in the order of their names."""
        return self._source.arrays(dict(zip(self._source.parameters, values, strict=True)))

    def evaluator(self, name: str) -> Evaluator:
        """The entries of one function."""
        function, given = FUNCTIONS[name], self._source
        nv, dimensions = len(given.speeds), KERNELS[name][1]
        inputs = inputs_of(function, given.coordinates, given.speeds)
        kernel = Kernel(name, inputs, (nv,) * dimensions, ())
        space = room(name, given.bodies, nv)
        code = entry_points(kernel, loop_code(name).address, space)
        return Evaluator(
            name,
            inputs,
            kernel.shape,
            given.parameters,
            (given.bodies + 1) * at.MODEL_WIDTH,
            replace(jit.load(jit.object_code(code)), constants=self._constants(name)),
            lambda: kernel_of(function, self._known_system()),
            self._swept,
        )

    def _constants(self, name: str) -> Callable[[int], None]:
        """The entry that makes the model from the parameters."""

        def constants(both: int) -> None:
            given, out = addresses(both, 2)
            arrays = self._arrays(tuple(view(given, (len(self._source.parameters),))))
            if name == "forward_dynamics" and (loose := arrays.loose):
                raise SolveError(
                    f'joint "{loose[0]}"',
                    f"no inertia resists its motion; {len(loose)} joints are such.",
                    "Give an inertia to the body it carries, or a rotor inertia to its motor.",
                )
            view(out, arrays.bodies.shape)[:] = arrays.bodies

        return constants

    def _swept(self, made: Evaluator) -> Evaluator:
        """The same function with its parameters as a last input: each row has its own model."""
        inputs = (*made.inputs, ("parameters", made.parameters))
        sizes = [len(names) for _, names in inputs] + [int(np.prod(made.shape))]

        def batch(table: int) -> None:
            count, _, *starts = addresses(table, len(inputs) + 3)
            for k in range(int(view(count, (1,), np.int64)[0])):
                moved = zip(starts, sizes, strict=True)
                *states, parameters, output = (start + 8 * k * size for start, size in moved)
                model = self._arrays(tuple(view(parameters, (sizes[-2],)))).bodies
                row = np.array([model.ctypes.data, *states, output], dtype=np.int64)
                made.entries.single(row.ctypes.data)

        return replace(made, inputs=inputs, entries=SimpleNamespace(batch=batch), make_swept=None)
