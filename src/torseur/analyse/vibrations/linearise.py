"""Small motions about a state with inputs and outputs, M s̈ + D ṡ + K s = B u, as one asks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, final, overload

import numpy as np

from torseur import notebook
from torseur.analyse.at_a_state.channels import Channels, input_forces, input_matrix
from torseur.analyse.at_a_state.tangent import Slopes
from torseur.analyse.equilibria.holding import held_pose, state
from torseur.analyse.letters.linear import LinearInLetters, linear_in_letters
from torseur.analyse.stability.small_motions import SmallMotions
from torseur.analyse.stability.steady import Steady, dry_notices
from torseur.analyse.stability.vibration_modes import Eigensystem, Mode, Verdict
from torseur.analyse.vibrations.chosen_states import ChosenStates, chosen_states
from torseur.analyse.vibrations.linear_systems import StateSpace, Transfer, base_response, is_base
from torseur.errors import ModelError, SolveError
from torseur.figures import Figure, figure, labelled, written
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.notices import noticed
from torseur.plain import entries
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say, worded

Array = np.ndarray


@final
class Linear(SmallMotions):
    """The small motions about a state, in independent coordinates s and speeds w (= ṡ).

    The matrices are in the coordinates that the description chooses, as far as these serve.
    `A`, `B` and `states` are the first-order form of x = (s, w), and of first-order states of the
    description after them. About a steady motion the displacements of the coordinates that turn are
    left out, because nothing depends on them.
    """

    _repr_html_ = notebook.html

    steady: Steady
    B: Array
    inputs: tuple[str, ...]
    forces: Slopes  # the inputs as slopes of the equations
    chosen: ChosenStates

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of s."""
        return self.chosen.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of w."""
        return self.chosen.speeds

    @property
    def spectrum(self) -> Eigensystem:
        """Eigenvalues and what rounding can do to them, with vectors in coordinates of joints."""
        return self.steady.small_motions.spectrum

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes, slow ones first, with the motion of every coordinate of every joint."""
        return self.steady.small_motions.modes

    @property
    def stable(self) -> Verdict:
        """The verdict with its reason and its limits; true when stable."""
        return self.steady.small_motions.stable

    @cached_property
    def channels(self) -> Channels:
        """Coordinates and speeds as functions of x and the inputs."""
        states = None if self.chosen.plain else self.chosen.back
        return Channels(self.places, self.forces, states)

    @property
    def states(self) -> tuple[str, ...]:
        """The names of x: the coordinates, then the speeds and the first-order states."""
        return (*self.coordinates, *self.speeds, *self.first_order)

    # --- parts ----------------------------------------------------------------------------------

    @property
    def dissipation(self) -> Array:
        """The symmetric part of D: what takes energy away."""
        return np.asarray((self.D + self.D.T) / 2)

    @property
    def gyroscopic(self) -> Array:
        """The skew part of D: forces of rotation, which do not work."""
        return np.asarray((self.D - self.D.T) / 2)

    @property
    def stiffness(self) -> Array:
        """The symmetric part of K: the curvature of an energy."""
        return np.asarray((self._square_K + self._square_K.T) / 2)

    @property
    def circulatory(self) -> Array:
        """The skew part of K: forces without a potential, such as those that follow a body."""
        return np.asarray((self._square_K - self._square_K.T) / 2)

    @property
    def _square_K(self) -> Array:
        if self.K.shape[0] != self.K.shape[1]:
            raise SolveError(
                "linearise",
                say("K has the shape {shape}: it has no symmetric part.", self.K.shape),
                "There are more displacements than speeds (rolling), or cyclic ones are left out.",
            )
        return self.K

    # --- modes ----------------------------------------------------------------------------------

    @cached_property
    def _oscillating(self) -> list[Mode]:
        return [mode for mode in self.modes if mode.kind != "drift" and mode.oscillates]

    @property
    def frequencies(self) -> Array:
        """|λ| of the modes that oscillate [rad/s], in increasing order."""
        return np.array([mode.frequency for mode in self._oscillating])

    @property
    def hertz(self) -> Array:
        """Frequencies of the modes that oscillate [Hz]."""
        return self.frequencies / (2 * np.pi)

    @property
    def damping(self) -> Array:
        """ζ = −Re λ/|λ| of the same modes."""
        return np.array([mode.damping for mode in self._oscillating])

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices: effects that linear terms leave out, and forces that hold the pose."""
        parts = [f"{name} {x:.6g}" for name, x in self.steady.held_by.items()]
        listed = say("Held by constant forces (N or N m): {told}.", ", ".join(parts))
        model = self.here.tangent.model
        pressed = (
            say('"{name}" slides, pressed by {force:.6g} N.', name, force)
            for name, force in _normal_forces(self.steady).items()
        )
        return (*((listed,) if parts else ()), *pressed, *dry_notices(model))

    # --- use ------------------------------------------------------------------------------------

    def system(self, outputs: Sequence[str] = ()) -> StateSpace:
        """The first-order form with its names; y are the coordinates s and states unless named."""
        listed = tuple(outputs or (*self.coordinates, *self.first_order))
        rows = [self.channels.output(name) for name in listed]
        C = np.array([c for c, _ in rows]).reshape(len(rows), len(self.A))
        D = np.array([d for _, d in rows]).reshape(len(rows), self.B.shape[1])
        return StateSpace(self.A, self.B, C, D, self.states, self.inputs, listed)

    def state_space(self, outputs: Sequence[str] = ()) -> tuple[Array, Array, Array, Array]:
        """A, B, C, D of ẋ = A x + B u, y = C x + D u; y are the coordinates s unless named."""
        system = self.system(outputs)
        return system.A, system.B, system.C, system.D

    def response(self, frequencies: Any, input: str, output: str) -> Array:
        """The complex amplitude of an output for a unit input at each frequency [rad/s].

        An input is one of `inputs`, or a base that shakes: an imposed motion by its name, or the
        ground along an axis ("ground.x"), a displacement; with two dots an acceleration.
        """
        if is_base(self.here.tangent.model.mechanism, input):
            return base_response(self.steady.small_motions, frequencies, input, output)
        return self.system([output]).response(frequencies, input)

    def transfer(self, input: str, output: str) -> Transfer:
        """The transfer function from an input to an output: polynomials, zeros and poles."""
        return self.system([output]).transfer(input)

    def plot(self, path: str | Path | None = None) -> Figure:
        """The eigenvalues in the complex plane and the shapes of the modes as bars."""
        drawn = figure(8.0, 4.5)
        left, right = drawn.subplots(1, 2)
        values = self.eigenvalues
        left.plot(values.real, values.imag, "x", color="C0")
        left.axvline(0.0, color="k", linewidth=0.8)
        labelled(left, "Re λ [1/s]", "Im λ [rad/s]")
        plotted = self.modes[:6]
        names = list(self.modes[0].shape) if plotted else []
        width, quarter = 0.8 / max(len(plotted), 1), ""
        for k, mode in enumerate(plotted):
            heights = np.array([mode.shape[name] for name in names])
            places = np.arange(len(names)) + k * width
            what = f"{mode.frequency:.4g} rad/s" if mode.oscillates else worded(mode.kind)
            right.bar(places, heights.real, width, label=say("mode {number}: {what}", k + 1, what))
            if np.abs(heights.imag).max(initial=0.0) > 0.01:
                right.plot(places, heights.imag, "kx", markersize=5)
                quarter = "×: a quarter of a period earlier"
        right.set_xticks(np.arange(len(names)) + 0.4 - width / 2, names)
        labelled(right, quarter, "amplitude [rad or m], the largest being 1")
        right.legend(loc="upper left", bbox_to_anchor=(0.0, -0.16), ncols=2, frameon=False)
        return written(drawn, path, self.here.tangent.model.mechanism.name)

    def plot_response(
        self, input: str, output: str, frequencies: Any, path: str | Path | None = None
    ) -> Figure:
        """Amplitude and phase of an output for a unit input, against the frequency [rad/s]."""
        omegas = np.asarray(frequencies, dtype=float)
        values = self.response(omegas, input, output)
        drawn = figure(7.0, 5.0)
        upper, lower = drawn.subplots(2, 1, sharex=True)
        upper.loglog(omegas, np.abs(values))
        lower.semilogx(omegas, np.degrees(np.unwrap(np.angle(values))))
        units = self.here.pose.units
        # a unit where the input is the force of a coordinate
        force = {"m": "N", "rad": "N m"}.get(units.get(input, ""), "")
        unit = f"[{units.get(output, '')}/{force}]" if force else ""
        labelled(upper, "", f"|{output}/{input}| {unit}")
        labelled(lower, "ω [rad/s]", "phase [°]")
        return written(drawn, path, self.here.tangent.model.mechanism.name)

    def to_matlab(self, outputs: Sequence[str] = ()) -> str:
        """The text of a MATLAB (and Octave) script that makes the same state space."""
        return self.system(outputs).matlab

    def save_matlab(self, path: str | Path, outputs: Sequence[str] = ()) -> Path:
        """Write that script (.m), or the matrices and names as a file (.mat)."""
        return self.system(outputs).save_matlab(path)

    def to_control(self, outputs: Sequence[str] = ()) -> Any:
        """The state space of python-control, with the names of states, inputs and outputs."""
        return self.system(outputs).control()

    def to_scipy(self, outputs: Sequence[str] = ()) -> Any:
        """The state space of scipy.signal, which knows no names."""
        return self.system(outputs).scipy()

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        parts = ("stiffness", "circulatory") if self.K.shape[0] == self.K.shape[1] else ()
        known = ("states", "inputs", "M", "D", "K", "A", "B", "dissipation", "gyroscopic", *parts)
        results = ("eigenvalues", "frequencies", "hertz", "damping", "notices")
        return {
            "at": {**self.steady.coordinates, **self.steady.speeds},
            **entries(self, *known, *results),
            "modes": [entries(mode, "eigenvalue", "kind", "shape") for mode in self.modes],
            "stable": bool(self.stable),
            "verdict": str(self.stable),
        }

    def __str__(self) -> str:
        lines = [f"{self.steady}", f"{self.stable}", *(f"  {mode}" for mode in self.modes)]
        return "\n".join([*lines, *noticed(self.notices)])


@overload
def linearise(
    mechanism: Mechanism | CompiledModel | Steady | Assembled | None,
    at: Steady | Assembled | Mapping[str, float] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    held: bool = False,
    modes: Mapping[str, str] | None = None,
) -> Linear: ...


@overload
def linearise(
    mechanism: Mechanism | CompiledModel,
    at: Mapping[str, float] | None = None,
    *,
    letters: bool,
    given: Sequence[str] | Mapping[str, Any] = (),
    turning: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    modes: Mapping[str, str] | None = None,
) -> LinearInLetters: ...


def linearise(
    mechanism: Mechanism | CompiledModel | Steady | Assembled | None,
    at: Steady | Assembled | Mapping[str, float] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    held: bool = False,
    modes: Mapping[str, str] | None = None,
    letters: bool = False,
    given: Sequence[str] | Mapping[str, Any] = (),
    turning: Sequence[str] = (),
) -> Linear | LinearInLetters:
    """The small motions of a mechanism about `at`; a state alone brings its mechanism with it.

    `at` is an equilibrium or a steady motion that was found, an assembled state, coordinates and
    speeds by name (what is not given comes from the initial values, speeds are zero), or nothing:
    the equilibrium nearest to the initial configuration. `inputs` name motors, joint forces,
    coordinates, joints and parameters; without them, every motor, joint force and input of the
    description. `independent` names coordinates to keep as independent ones. With `held`, constant
    generalised forces hold the pose `at`, by name, at rest: the small motions are about a pose that
    is no equilibrium without them, and `.steady.held_by` says what they are. With `modes`,
    contacts, stops and frictions keep them: "open", "stick" or "slip", those that are not named
    being open; what slides goes on sliding, and its friction follows the normal force and the
    speed.

    With `letters`, M, D, G, K and the pulsations are formulas, about the equilibrium that has the
    coordinates `at` or is nearest to the start; `given` and `turning` are those of
    `ts.equilibria(…, letters=True)`.
    """
    if letters:
        return _in_letters(mechanism, at, given, turning, parameters, modes)
    if held and modes is not None:
        problem = say("contact modes do not apply to a held pose.")
        raise ModelError("linearise", problem, "Use held=True with ts.in_mode(mechanism, modes).")
    options: dict[str, Any] = {"independent": independent, "parameters": parameters, "t": t}
    steady = (
        held_pose(mechanism, at, **options)
        if held
        else state(mechanism, at, **options, modes=modes)
    )
    check_pressed(steady)
    free = steady.small_motions
    equilibrium = free.here
    names, forces = input_forces(equilibrium, inputs)
    B = input_matrix(equilibrium, forces)[free.places.rows] + 0.0
    chosen = chosen_states(free)
    known = {x.name: getattr(free, x.name) for x in fields(free)} | chosen.matrices(free)
    B = B if chosen.plain else chosen.X @ B
    return Linear(**known, steady=steady, B=B, inputs=names, forces=forces, chosen=chosen)


def _in_letters(
    mechanism: object,
    at: object,
    given: Sequence[str] | Mapping[str, Any],
    turning: Sequence[str],
    parameters: Mapping[str, float] | None,
    modes: Mapping[str, str] | None,
) -> LinearInLetters:
    """Small motions as formulas, of a mechanism at coordinates by name."""
    model = mechanism.mechanism if isinstance(mechanism, CompiledModel) else mechanism
    if not isinstance(model, Mechanism) or not isinstance(at, Mapping | None):
        problem = say("letters need a mechanism, and coordinates by name.")
        raise ModelError("linearise", problem, "Give at={{…}}, or nothing.")
    named = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
    values = {**(parameters or {}), **named}
    return linear_in_letters(model, at, given=values, turning=turning, modes=modes)


def check_pressed(steady: Steady) -> None:
    """Reject sliding contacts that are not pressed together."""
    for name, force in _normal_forces(steady).items():
        if force <= 0:
            raise SolveError(
                "linearise",
                say('"{name}" would be pulled by {force:.6g} N: it lifts.', name, -force),
                'Let it be open: modes={"…": "open"}.',
            )


def _normal_forces(steady: Steady) -> dict[str, float]:
    """Normal forces of sliding contacts [N]."""
    slides = steady.here.tangent.slides
    listed = () if slides is None else slides.parts
    return {
        one.name: float(steady.multipliers[one.rows[0].name][0]) for one in listed if one.has_gap
    }
