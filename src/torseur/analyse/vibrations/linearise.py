"""Small motions about an equilibrium, a steady motion or any state: M s̈ + D ṡ + K s = B u.

s are independent displacements; every other coordinate follows. Derivatives are exact, from the
graph of the equations. With rolling there are more displacements than speeds: then K is not square.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from torseur.analyse.at_a_state.channels import Channels, Forces, coordinate_rows, input_forces
from torseur.analyse.at_a_state.chart import Reduced
from torseur.analyse.at_a_state.statics import Here
from torseur.analyse.equilibria.energy_kept import has_energy
from torseur.analyse.equilibria.steady import Steady, dry_notices, state
from torseur.analyse.equilibria.verdict import Evidence, Verdict, verdict
from torseur.analyse.vibrations import response as systems
from torseur.analyse.vibrations.base_motion import base_response, is_base
from torseur.analyse.vibrations.modes import (
    Mode,
    Spectrum,
    conservative,
    general,
    modes,
    negligible,
)
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.simulation.start.assemble import Assembled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = np.ndarray


@final
@dataclass(frozen=True)
class Linear:
    """The small motions about a state, in independent coordinates s and speeds w (= ṡ).

    `A`, `B` and `states` are the first-order form of x = (s, w). About a steady motion the
    displacements of the coordinates that turn are left out, because nothing depends on them.
    """

    steady: Steady
    coordinates: tuple[str, ...]  # s, in order
    speeds: tuple[str, ...]  # w, in order
    M: Array
    D: Array
    K: Array
    A: Array
    B: Array
    inputs: tuple[str, ...]
    forces: Forces  # the inputs as slopes of the equations

    @property
    def here(self) -> Here:
        """The state."""
        return self.steady.here

    @cached_property
    def channels(self) -> Channels:
        """How every coordinate and speed is read from x and the inputs."""
        at = self.here.chart.shifts
        kept = tuple(k for k, i in enumerate(at) if i not in self.steady.turning)
        return Channels(self.here, kept, coordinate_rows(self.here), self.forces.slopes)

    @property
    def states(self) -> tuple[str, ...]:
        """The names of x: the coordinates, then the speeds."""
        return (*self.coordinates, *self.speeds)

    # --- parts ----------------------------------------------------------------------------------

    @property
    def dissipation(self) -> Array:
        """The symmetric part of D: what takes energy away."""
        return (self.D + self.D.T) / 2

    @property
    def gyroscopic(self) -> Array:
        """The skew part of D: forces of rotation, which do not work."""
        return (self.D - self.D.T) / 2

    @property
    def stiffness(self) -> Array:
        """The symmetric part of K: the curvature of an energy."""
        return (self._square_K + self._square_K.T) / 2

    @property
    def circulatory(self) -> Array:
        """The skew part of K: forces without a potential, such as those that follow a body."""
        return (self._square_K - self._square_K.T) / 2

    @property
    def _square_K(self) -> Array:
        if self.K.shape[0] != self.K.shape[1]:
            raise SolveError(
                "linearise",
                f"K has the shape {self.K.shape}: it has no symmetric part.",
                "There are more displacements than speeds (rolling), or cyclic ones are left out.",
            )
        return self.K

    # --- modes ----------------------------------------------------------------------------------

    @cached_property
    def spectrum(self) -> Spectrum:
        """Eigenvalues, vectors and what rounding can do to them."""
        speeds = self.here.tangent.model.sizes.displacements[list(self.here.chart.speeds)]
        M = speeds[:, np.newaxis] * (self.M + self.M.T) / 2 * speeds
        softest = float(np.linalg.eigvalsh(M)[0])
        error = self.here.rounding / softest
        if self._plain and negligible(self.D, self._damping_size) and self._symmetric:
            return conservative(self.M, self.K, error)
        n = len(self.coordinates)
        errors = np.zeros_like(self.A)
        errors[n:, :n] = error * speeds[:, np.newaxis] / self._units
        D = np.abs(speeds[:, np.newaxis] * self.D * speeds).max(initial=0.0)
        errors[n:, n:] = 1e-12 * D / softest * speeds[:, np.newaxis] / speeds
        return general(self.A, errors)

    @property
    def _units(self) -> Array:
        """(s): what the displacements are counted in."""
        at = self.here.chart.shifts
        kept = [k for k, i in enumerate(at) if i not in self.steady.turning]
        return self.here.units[kept]

    @property
    def _plain(self) -> bool:
        """Whether w = ṡ."""
        n = len(self.speeds)
        upper = np.concatenate([np.zeros((n, n)), np.eye(n)], axis=1)
        return self.A.shape == (2 * n, 2 * n) and bool(np.allclose(self.A[:n], upper, atol=1e-12))

    @property
    def _damping_size(self) -> float:
        """A damping that would count."""
        return float(np.sqrt(np.abs(self.M).max(initial=0.0) * np.abs(self.K).max(initial=0.0)))

    @property
    def _symmetric(self) -> bool:
        return negligible(self.K - self.K.T, float(np.abs(self.K).max(initial=0.0)))

    @property
    def eigenvalues(self) -> Array:
        """λ of A [1/s], each conjugate pair next to each other; zeros are exact zeros."""
        return np.where(self.spectrum.zero, 0.0, self.spectrum.values)

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """The modes, slow ones first, with the motion of every coordinate of every joint.

        What turns in a steady motion is told by its speed.
        """
        rows = dict(self.channels.positions)
        for k in self.steady.turning:
            speed = self.here.tangent.speeds[k]
            rows.pop(displacement_name(speed), None)
            rows[speed] = self.channels.speeds[speed]
        return modes(self.spectrum, rows)

    @cached_property
    def _oscillating(self) -> list[Mode]:
        return [mode for mode in self.modes if mode.kind != "drift" and mode.oscillates]

    @property
    def frequencies(self) -> Array:
        """|λ| of the modes that oscillate [rad/s], in increasing order."""
        return np.array([mode.frequency for mode in self._oscillating])

    @property
    def hertz(self) -> Array:
        """The same in Hz."""
        return self.frequencies / (2 * np.pi)

    @property
    def damping(self) -> Array:
        """ζ = −Re λ/|λ| of the same modes."""
        return np.array([mode.damping for mode in self._oscillating])

    @cached_property
    def stable(self) -> Verdict:
        """The verdict with its reason and its limits; true when stable."""
        if not self.steady.is_steady:
            limits = "A and the modes hold at this instant only."
            return Verdict("undecided", f"the state is not steady: {self._unsteady}.", limits)
        return verdict(self._evidence)

    @property
    def _unsteady(self) -> str:
        """What changes in a state that is not steady: an acceleration, or a shape."""
        names, a = self.here.tangent.speeds, self.here.a
        worst = int(np.abs(a).argmax()) if len(a) else 0
        softest = np.linalg.eigvalsh((self.M + self.M.T) / 2)[0]
        if len(a) and abs(a[worst]) > 1e-9 * self.here.largest / softest:
            return f"{names[worst]} changes by {a[worst]:.3g} m/s² or rad/s²"
        v = np.abs(self.here.v)
        moving = [names[i] for i in self.here.chart.shifts if v[i] > 1e-9 * v.max()]
        return f"{', '.join(moving)} move, and what acts depends on where they are"

    @property
    def _evidence(self) -> Evidence:
        curvature, potential = None, "E_p − K0" if self.here.v.any() else "E_p"
        K = self._routh if self.steady.turning else self.K if self._plain else None
        even = K is not None and negligible(K - K.T, 1e3 * self.here.largest)
        if K is not None and even and self.here.tangent.holonomic and has_energy(self.here):
            curvature = np.linalg.eigvalsh(self._units[:, np.newaxis] * (K + K.T) / 2 * self._units)
        if self.steady.turning:
            potential = "the potential at constant momenta"
        if self.steady.held_by:
            potential = "E_p less the work of what holds it"
        flat = 1e2 * self.here.rounding
        turning = bool(self.steady.turning)
        low = (
            ""
            if curvature is None or turning or self.steady.held_by
            else self._valley(curvature, flat)
        )
        return Evidence(self.spectrum, self.modes, potential, curvature, flat, turning, low)

    def _valley(self, curvature: Array, flat: float) -> str:
        """What the potential does where it has no curvature, if that is in one direction only."""
        from torseur.analyse.equilibria.flatness import valley

        if not (np.abs(curvature) <= flat).sum() == 1 == (curvature <= flat).sum():
            return ""
        found = valley(self.here)
        # what does not rise is held or not by rotation: no theorem says
        if found is None or (found.kind == "falls" and self.here.v.any()):
            return ""
        return found.kind

    @property
    def _routh(self) -> Array | None:
        """The stiffness of the shape when the momenta p of what turns stay the same.

        Their rows read d/dt (M_tt w_t + M_ts ṡ + D_ts s) = 0, which gives w_t.
        """
        speeds = self.here.chart.speeds
        t = [k for k, i in enumerate(speeds) if i in self.steady.turning]
        s = [k for k in range(len(speeds)) if k not in t]
        size = self._damping_size + float(np.abs(self.D).max(initial=0.0))
        unfelt = negligible(self.K[t], 1e2 * self.here.largest)
        if len(s) != len(self.coordinates) or not unfelt:
            return None
        if not negligible(self.dissipation, 1e2 * size):
            return None
        D_st, D_ts = self.D[np.ix_(s, t)], self.D[np.ix_(t, s)]
        return self.K[s] - D_st @ np.linalg.solve(self.M[np.ix_(t, t)], D_ts)

    @property
    def notices(self) -> tuple[str, ...]:
        """What linear terms leave out, and what holds the pose."""
        told = [f"{name} {x:.6g}" for name, x in self.steady.held_by.items()]
        listed = f"Held by constant forces (N or N m): {', '.join(told)}."
        return (*((listed,) if told else ()), *dry_notices(self.here.tangent.model))

    # --- use ------------------------------------------------------------------------------------

    def state_space(self, outputs: Sequence[str] = ()) -> tuple[Array, Array, Array, Array]:
        """A, B, C, D of ẋ = A x + B u, y = C x + D u; y are the coordinates s unless named."""
        return systems.state_space(self, outputs)

    def response(self, frequencies: Any, input: str, output: str) -> Array:
        """The complex amplitude of an output for a unit input at each frequency [rad/s].

        An input is one of `inputs`, or a base that shakes: an imposed motion by its name, or the
        ground along an axis ("ground.x"), a displacement; with two dots an acceleration.
        """
        if is_base(self.here.tangent.model.mechanism, input):
            return base_response(self, frequencies, input, output)
        return systems.response(self, frequencies, input, output)

    def transfer(self, input: str, output: str) -> systems.Transfer:
        """The transfer function from an input to an output: polynomials, zeros and poles."""
        return systems.transfer(self, input, output)

    def plot(self, path: str | Path | None = None) -> Figure:
        """The eigenvalues in the complex plane and the shapes of the modes."""
        from torseur.analyse.vibrations.diagrams import modes_figure

        return modes_figure(self, path)

    def plot_response(
        self, input: str, output: str, frequencies: Any, path: str | Path | None = None
    ) -> Figure:
        """Amplitude and phase of an output for a unit input, against the frequency [rad/s]."""
        from torseur.analyse.vibrations.diagrams import response_figure

        return response_figure(self, input, output, frequencies, path)

    def to_matlab(self, outputs: Sequence[str] = ()) -> str:
        """The text of a MATLAB (and Octave) script that makes the same state space."""
        return systems.matlab_text(self, outputs)

    def save_matlab(self, path: str | Path, outputs: Sequence[str] = ()) -> Path:
        """Write that script (.m), or the matrices and names as a file (.mat)."""
        return systems.write_matlab(self, path, outputs)

    def to_control(self, outputs: Sequence[str] = ()) -> Any:
        """The state space of python-control, with the names of states, inputs and outputs."""
        return systems.control_system(self, outputs)

    def __str__(self) -> str:
        lines = [f"{self.steady}", f"{self.stable}", *(f"  {mode}" for mode in self.modes)]
        return "\n".join([*lines, *(f"notice: {x}" for x in self.notices)])


def linearise(
    mechanism: Mechanism | CompiledModel | Steady | Assembled | None,
    at: Steady | Assembled | Mapping[str, float] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    held: bool = False,
) -> Linear:
    """The small motions of a mechanism about `at`; a state alone brings its mechanism with it.

    `at` is an equilibrium or a steady motion that was found, an assembled state, coordinates and
    speeds by name (what is not given comes from the initial values, speeds are zero), or nothing:
    the equilibrium nearest to the initial configuration. `inputs` name motors, joint forces,
    coordinates, joints and parameters; without them, every motor and joint force. `independent`
    names coordinates to keep as independent ones. With `held`, constant generalised forces hold the
    pose `at`, by name, at rest: the small motions are about a pose that is no equilibrium without
    them, and `.steady.held_by` says what they are.
    """
    if held:
        from torseur.analyse.equilibria.holding import held_pose

        pose = held_pose(mechanism, at, independent=independent, parameters=parameters, t=t)
        return linear(pose, inputs)
    found = state(mechanism, at, independent, parameters, t)
    return linear(found, inputs)


def linear(steady: Steady, inputs: Sequence[str] | None = None) -> Linear:
    """The small motions about a state that is known."""
    here = steady.here
    made, model = here.reduced, here.tangent.model
    shifts = [k for k, i in enumerate(here.chart.shifts) if i not in steady.turning]
    kept = [
        *shifts,
        *range(len(here.chart.shifts), len(here.chart.shifts) + len(here.chart.speeds)),
    ]
    _check_inertia(here, made)
    names, forces = input_forces(here, inputs)
    return Linear(
        steady,
        tuple(displacement_name(model.speeds[here.chart.shifts[k]]) for k in shifts),
        tuple(model.speeds[i] for i in here.chart.speeds),
        made.M + 0.0,  # no zeros with a sign
        made.D + 0.0,
        made.K[:, shifts] + 0.0,
        made.A[np.ix_(kept, kept)] + 0.0,
        forces.B(here)[kept] + 0.0,
        names,
        forces,
    )


def displacement_name(speed: str) -> str:
    """The coordinate of a speed; for an angular velocity, the small rotation it makes."""
    return speed.removesuffix(".") if speed.endswith(".") else f"∫{speed}"


def _check_inertia(here: Here, made: Reduced) -> None:
    """M must resist every independent motion."""
    if not len(made.M):
        raise SolveError(
            f'mechanism "{here.tangent.model.mechanism.name}"',
            f"it has {len(made.M)} free motions: nothing can vibrate.",
            "Every coordinate is imposed or held.",
        )
    sizes = np.linalg.eigvalsh((made.M + made.M.T) / 2)
    if sizes[0] <= 1e-13 * sizes[-1]:
        shape = np.linalg.eigh((made.M + made.M.T) / 2)[1][:, 0]
        name = here.tangent.speeds[here.chart.speeds[int(np.abs(shape).argmax())]]
        raise SolveError(
            f'mechanism "{here.tangent.model.mechanism.name}"',
            f"no inertia resists {name.removesuffix('.')} at this configuration "
            f"(inertia {sizes[0]:.3g}, the largest being {sizes[-1]:.3g}).",
            "Give the body a mass or an inertia, or use coordinates that are not singular here.",
        )
