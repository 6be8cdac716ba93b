"""Linear motions as systems: state space, transfer functions, frequency response, files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, final

import numpy as np

from torseur.analyse.at_a_state.channels import Channels
from torseur.errors import ModelError, SolveError, unknown
from torseur.output import replacing, write_text
from torseur.plain import entries
from torseur.words.sentence import say

Array = np.ndarray


class LinearSystem(Protocol):
    """What a linear system tells about itself."""

    @property
    def A(self) -> Array: ...

    @property
    def B(self) -> Array: ...

    @property
    def inputs(self) -> tuple[str, ...]: ...

    @property
    def coordinates(self) -> tuple[str, ...]: ...

    @property
    def states(self) -> tuple[str, ...]: ...

    @property
    def channels(self) -> Channels: ...


def state_space(system: LinearSystem, outputs: Sequence[str]) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D; without names the outputs are the independent coordinates."""
    rows = [system.channels.output(name) for name in outputs or system.coordinates]
    C = np.array([c for c, _ in rows]).reshape(len(rows), len(system.A))
    D = np.array([d for _, d in rows]).reshape(len(rows), system.B.shape[1])
    return system.A, system.B, C, D


def _single(system: LinearSystem, input: str, output: str) -> tuple[Array, Array, Array, float]:
    """A, b, c, d of one input and one output."""
    if input not in system.inputs:
        advice = unknown("linear system", "input", input, system.inputs)
        raise type(advice)(*advice.args, "Name it in inputs=(…) when you linearise.")
    k = system.inputs.index(input)
    A, B, C, D = state_space(system, [output])
    return A, B[:, k], C[0], float(D[0, k])


def response(system: LinearSystem, frequencies: Any, input: str, output: str) -> Array:
    """c (i ω − A)⁻¹ b + d at each ω [rad/s]."""
    A, b, c, d = _single(system, input, output)
    return amplitudes(A, c, lambda p: (b, d), frequencies, input)


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


@final
@dataclass(frozen=True)
class Transfer:
    """numerator(p)/denominator(p), coefficients of the highest power first."""

    input: str
    output: str
    numerator: Array
    denominator: Array
    zeros: Array
    poles: Array

    def __call__(self, p: Any) -> Any:
        return np.polyval(self.numerator, p) / np.polyval(self.denominator, p)

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return entries(self, "input", "output", "numerator", "denominator", "zeros", "poles")

    def __str__(self) -> str:
        roots = [
            f"{name} {_roots(x)}" for name, x in (("zeros", self.zeros), ("poles", self.poles))
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


def transfer(system: LinearSystem, input: str, output: str) -> Transfer:
    """det(p − A + b c)/det(p − A) + d − 1: the transfer function of one input and one output."""
    A, b, c, d = _single(system, input, output)
    denominator = np.poly(A)
    numerator = np.poly(A - np.outer(b, c)) + (d - 1) * denominator
    size = np.abs(numerator).max(initial=0.0) + np.abs(denominator).max()
    numerator = np.where(np.abs(numerator) > 1e-13 * size, numerator, 0.0)
    numerator = np.trim_zeros(numerator, "f") if numerator.any() else np.zeros(1)
    zeros, poles = (x.astype(complex) for x in (np.roots(numerator), np.linalg.eigvals(A)))
    return Transfer(input, output, numerator.real, denominator.real, zeros, poles)


def matlab_text(system: LinearSystem, outputs: Sequence[str]) -> str:
    """Matrices with their names, and an ss object where the toolbox exists."""
    A, B, C, D = state_space(system, outputs)
    listed = tuple(outputs or system.coordinates)
    lines = [
        "% Small motions: xdot = A x + B u, y = C x + D u, in SI units.",
        f"% states: {', '.join(system.states)}",
        f"% inputs: {', '.join(system.inputs) or 'none'}",
        f"% outputs: {', '.join(listed)}",
    ]
    for name, matrix in (("A", A), ("B", B), ("C", C), ("D", D)):
        lines += _matrix(name, matrix)
    names = ", ".join(
        f"'{key}', {{{', '.join(repr(x) for x in own)}}}"
        for key, own in (
            ("StateName", system.states),
            ("InputName", system.inputs),
            ("OutputName", listed),
        )
        if own
    )
    lines += ["if exist('ss') == 2", f"    model = ss(A, B, C, D, {names});", "end", ""]
    return "\n".join(lines)


def write_matlab(system: LinearSystem, path: str | Path, outputs: Sequence[str]) -> Path:
    """A script (.m), or a file of matrices and names (.mat) that MATLAB, Octave and SciPy load."""
    place = Path(path)
    if place.suffix == ".m":
        return write_text(place, matlab_text(system, outputs))
    if place.suffix != ".mat":
        raise ModelError(
            "MATLAB file", say('cannot write "{path}".', path), "Use the ending .m or .mat."
        )
    from scipy.io import savemat

    A, B, C, D = state_space(system, outputs)
    names = {
        "states": system.states,
        "inputs": system.inputs,
        "outputs": tuple(outputs or system.coordinates),
    }
    listed = {key: np.array(own, dtype=object).reshape(-1, 1) for key, own in names.items()}
    with replacing(place) as file:
        savemat(file, {"A": A, "B": B, "C": C, "D": D, **listed}, oned_as="column")
    return place


def control_system(system: LinearSystem, outputs: Sequence[str]) -> Any:
    """A StateSpace of python-control with the same names; a speed is called theta_dot there.

    A dot in a name would be read as that between a system and its signal.
    """
    try:
        from control import ss
    except ImportError:
        raise ModelError(
            "to_control", 'the package "control" is not installed.', "pip install control"
        ) from None
    A, B, C, D = state_space(system, outputs)
    listed = {
        "states": system.states,
        "inputs": system.inputs,
        "outputs": tuple(outputs or system.coordinates),
    }
    names = {key: [_spelt(name) for name in own] for key, own in listed.items()}
    return ss(A, B, C, D, **names)


def _spelt(name: str) -> str:
    return f"{name[:-1]}_dot" if name.endswith(".") else name


def _matrix(name: str, matrix: Array) -> list[str]:
    if not matrix.size:
        return [f"{name} = zeros({matrix.shape[0]}, {matrix.shape[1]});"]
    rows = ["    " + " ".join(f"{x:.17g}" for x in row) + ";" for row in matrix]
    return [f"{name} = [", *rows, "];"]
