"""Linear systems: state space, transfer functions, response to forces and to a base, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate, expressions
from torseur.analyse.at_a_state.channels import Channels, input_matrix, zero_slopes
from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.at_a_state.tangent import Slopes
from torseur.analyse.stability.small_motions import SmallMotions
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.errors import ModelError, SolveError, unknown
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import GROUND, Mechanism
from torseur.output import replacing, write_text
from torseur.packages import package
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
_AXES = {f"{GROUND}.{axis}": k for k, axis in enumerate("xyz")}


@final
class Transfer(Result, document=("input", "output", "numerator", "denominator", "zeros", "poles")):
    """numerator(p)/denominator(p), coefficients of the highest power first."""

    input: str
    output: str
    numerator: Array
    denominator: Array
    zeros: Array
    poles: Array

    def __call__(self, p: Any) -> Any:
        return np.polyval(self.numerator, p) / np.polyval(self.denominator, p)

    def __str__(self) -> str:
        roots = [
            f"{name} {_roots(x)}"
            for name, x in ((say("zeros"), self.zeros), (say("poles"), self.poles))
        ]
        above, below = _polynomial(self.numerator), _polynomial(self.denominator)
        return f"({above})/({below})\n  " + "\n  ".join(roots)


def _polynomial(coefficients: Array) -> str:
    """In powers of p, the highest first."""
    last = len(coefficients) - 1
    terms = []
    for k, x in enumerate(coefficients):
        power = {0: "", 1: " p"}.get(last - k, f" p^{last - k}")
        if x or not last:
            terms.append(f"{x:.6g}{power}")
    return " + ".join(terms).replace("+ -", "- ")


def _roots(values: Array) -> str:
    return ", ".join(f"{x.real:.6g}{x.imag:+.6g}i" if x.imag else f"{x.real:.6g}" for x in values)


@final
class StateSpace(Result):
    """ẋ = A x + B u, y = C x + D u, with the names of x, u and y."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def matrices(self) -> dict[str, Array]:
        """A, B, C and D by name."""
        return {"A": self.A, "B": self.B, "C": self.C, "D": self.D}

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The names of x, u and y."""
        return {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}

    def _first(self, input: str) -> tuple[Array, Array, float]:
        """b, c, d of one input and the first output."""
        if input not in self.inputs:
            advice = unknown("linear system", "input", input, self.inputs)
            raise type(advice)(*advice.args, "Name it in inputs=(…) when you linearise.")
        k = self.inputs.index(input)
        return self.B[:, k], self.C[0], float(self.D[0, k])

    def response(self, frequencies: Any, input: str) -> Array:
        """c (i ω − A)⁻¹ b + d of the first output at each ω [rad/s]."""
        b, c, d = self._first(input)
        return amplitudes(self.A, c, lambda p: (b, d), frequencies, input)

    def transfer(self, input: str) -> Transfer:
        """det(p − A + b c)/det(p − A) + d − 1: the transfer function to the first output."""
        b, c, d = self._first(input)
        denominator = np.poly(self.A)
        numerator = np.poly(self.A - np.outer(b, c)) + (d - 1) * denominator
        size = np.abs(numerator).max(initial=0.0) + np.abs(denominator).max()
        numerator = np.where(np.abs(numerator) > 1e-13 * size, numerator, 0.0)
        numerator = np.trim_zeros(numerator, "f") if numerator.any() else np.zeros(1)
        zeros, poles = (x.astype(complex) for x in (np.roots(numerator), np.linalg.eigvals(self.A)))
        return Transfer(input, self.outputs[0], numerator.real, denominator.real, zeros, poles)

    @property
    def matlab(self) -> str:
        """Matrices with their names, and an ss object where the toolbox exists."""
        lines = ["% Small motions: xdot = A x + B u, y = C x + D u, in SI units."]
        lines += [f"% {key}: {', '.join(listed) or 'none'}" for key, listed in self.names.items()]
        for name, matrix in self.matrices.items():
            lines += _matrix(name, matrix)
        names = ", ".join(
            f"'{key.removesuffix('s').capitalize()}Name', {{{', '.join(map(repr, listed))}}}"
            for key, listed in self.names.items()
            if listed
        )
        lines += ["if exist('ss') == 2", f"    model = ss(A, B, C, D, {names});", "end", ""]
        return "\n".join(lines)

    def save_matlab(self, path: str | Path) -> Path:
        """A script (.m), or a file of matrices and names (.mat) for MATLAB, Octave and SciPy."""
        place = Path(path)
        if place.suffix == ".m":
            return write_text(place, self.matlab)
        if place.suffix != ".mat":
            problem = say('cannot write "{path}".', path)
            raise ModelError("MATLAB file", problem, "Use the ending .m or .mat.")
        from scipy.io import savemat

        listed = {key: np.array(names, object).reshape(-1, 1) for key, names in self.names.items()}
        with replacing(place) as file:
            savemat(file, self.matrices | listed, oned_as="column")
        return place

    def control(self) -> Any:
        """A StateSpace of python-control with the same names; a speed is called theta_dot there.

        A dot in a name would be read as that between a system and its signal.
        """
        ss = package("control", None, "to_control").ss
        names = {
            key: [f"{name[:-1]}_dot" if name.endswith(".") else name for name in labels]
            for key, labels in self.names.items()
        }
        return ss(*self.matrices.values(), **names)

    def scipy(self) -> Any:
        """A StateSpace of scipy.signal; its matrices are in the order of these names."""
        from scipy.signal import StateSpace as Space

        return Space(*self.matrices.values())


def amplitudes(
    A: Array,
    c: Array,
    driven: Callable[[complex], tuple[Array, complex]],
    frequencies: Any,
    input: str,
) -> Array:
    """c (p − A)⁻¹ b + d at each p = i ω, with (b, d) that `driven` gives at p."""
    omegas = np.atleast_1d(np.asarray(frequencies, dtype=float))
    values = np.empty(len(omegas), dtype=complex)
    for k, omega in enumerate(omegas):
        b, d = driven(1j * omega)
        try:
            values[k] = c @ np.linalg.solve(1j * omega * np.eye(len(A)) - A, b) + d
        except np.linalg.LinAlgError:
            raise SolveError(
                "response",
                say("at ω = {omega:g} rad/s the response to {input} is not bounded.", omega, input),
                "It is the frequency of a mode without damping.",
            ) from None
    return values


def _matrix(name: str, matrix: Array) -> list[str]:
    if not matrix.size:
        return [f"{name} = zeros({matrix.shape[0]}, {matrix.shape[1]});"]
    rows = ["    " + " ".join(f"{x:.17g}" for x in row) + ";" for row in matrix]
    return [f"{name} = [", *rows, "];"]


# --- a base that shakes --------------------------------------------------------------------------
#
# A displacement u of the base, which is an imposed motion or the ground, enters the constraints by
# u, u̇ and ü, and the weights by ü where the ground shakes. Each is an input; the response is the
# sum of (i ω)ᵏ times their responses.


def is_base(mechanism: Mechanism, name: str) -> bool:
    """Whether an input is the displacement, or with two dots the acceleration, of a base."""
    plain = name.removesuffix("..")
    return plain in _AXES or plain in imposed_coordinates(mechanism)


def base_response(motions: SmallMotions, frequencies: Any, input: str, output: str) -> Array:
    """The complex amplitude of an output, relative to the ground, for a unit of the base."""
    state, plain = motions.here, input.removesuffix("..")
    states = motions.places.rows
    orders = _ground(state, plain) if plain in _AXES else _imposed(state, plain)
    columns = {}
    for order, slopes in orders.items():
        c, d = Channels(motions.places, slopes).output(output)
        columns[order] = (input_matrix(state, slopes)[states, 0], float(d[0]))

    def driven(p: complex) -> tuple[Any, complex]:
        b = sum(p**order * column for order, (column, _) in columns.items())
        return b, sum(p**order * d for order, (_, d) in columns.items())

    result = amplitudes(motions.A, c, driven, frequencies, input)
    return result if plain == input else result / -(np.asarray(frequencies, dtype=float) ** 2)


def _imposed(state: AtState, name: str) -> dict[int, Slopes]:
    """q − law = 0: a larger law opens the gap, its rates forbid other speeds and accelerations."""
    row = state.tangent.constraints.owners.index(name)
    orders = {order: zero_slopes(state, 1) for order in range(3)}
    orders[0].gap[state.tangent.positions.index(row)] = -1.0
    orders[1].u[row] = -1.0
    orders[2].w[row] = -1.0
    return orders


def _ground(state: AtState, name: str) -> dict[int, Slopes]:
    """In the frame of a ground that accelerates, gravity is less by its acceleration."""
    system = state.tangent.model.system
    still = np.zeros(system.tree.nv)
    pull = -np.eye(3)[_AXES[name]]
    forces = expressions(inverse_dynamics(system.tree, system.q, still, still, pull).Q)
    known = dict(zip(state.tangent.coordinates, map(float, state.q), strict=True))
    slopes = zero_slopes(state, 1)
    slopes.r[:, 0] = np.asarray(
        evaluate(forces, {**state.tangent.model.parameters, **known}), dtype=float
    )
    return {2: slopes}
