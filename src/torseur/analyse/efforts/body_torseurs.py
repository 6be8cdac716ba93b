"""The torseurs of a body of a mechanism: as expressions, or at every sample of a run.

Kinematic {Ω; V(A)}, kinetic {m V(G); σ_A}, dynamic {m γ(G); δ_A} and that of all actions on the
body, in ground axes at one point. The actions are counted one by one (weight, loads, joints,
teeth): that their torseur is the dynamic one is the fundamental principle, not a definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions, substitute
from torseur.algebra.forms.readable import readable
from torseur.equations.actions.efforts import Efforts
from torseur.equations.constraints.unknowns import multiplier_letters, unknown_of
from torseur.equations.expressions.linear import solve_any
from torseur.equations.expressions.sampling import independent_rows, over_samples
from torseur.equations.formalisms.isolated import At, reference
from torseur.equations.symbols.system import System, system, unit_quaternions
from torseur.errors import ModelError, require_known
from torseur.model.constraints.protocol import JointRows, MeshRow
from torseur.model.constraints.selection import restraints, ropes
from torseur.model.description import Joint, Mechanism
from torseur.model.forces.protocol import Attachment
from torseur.simulation.observe.observer import symbol_values
from torseur.simulation.run.run import Run
from torseur.spatial.torseur import Torseur, total
from torseur.words.sentence import say

Array = np.ndarray
CENTRE = "G"


def body_torseurs(
    source: Mechanism | Run, body: str | Iterable[str], at: At | None = CENTRE
) -> BodyTorseurs:
    """The torseurs of a body at its centre of mass, at a named point, or at (body, position).

    Of a mechanism they are expressions of its coordinates, speeds, accelerations and of the
    unknowns of its joints; of a run, arrays with one row a sample. Several bodies are taken
    together: their joints are those with other bodies, the point is the origin of the ground unless
    it is given, and there is no kinematic torseur.
    """
    mechanism = source.model.mechanism if isinstance(source, Run) else source
    names = (body,) if isinstance(body, str) else tuple(dict.fromkeys(body))
    if not isinstance(mechanism, Mechanism) or not names:
        problem = say(
            "bodies of a mechanism or of a run are needed, not {names} of a {kind}.",
            names,
            type(source).__name__,
        )
        raise ModelError(
            "body_torseurs", problem, 'For instance: ts.torseurs.body_torseurs(mechanism, "arm").'
        )
    require_known("body_torseurs", "body", names, mechanism.bodies)
    place = reference(mechanism, None if at == CENTRE else at, names)
    if isinstance(source, Run):
        return BodyTorseurs(source.model.system, names, place, source)
    return BodyTorseurs(system(mechanism), names, place)


@final
class BodyTorseurs:
    """The torseurs of some bodies, each computed on first use: expressions, or along a run."""

    _repr_html_ = notebook.html

    def __init__(
        self, system: System, bodies: tuple[str, ...], place: Attachment, run: Run | None = None
    ) -> None:
        self.bodies = bodies
        self.body = ", ".join(bodies)
        self._efforts = Efforts(system)
        self._places = self._efforts.places
        self._inside = [self._places.index[name] for name in bodies]
        self._place, self._run = place, run

    def __repr__(self) -> str:
        return f"<BodyTorseurs of {self.body}>"

    def _sum(self, torseur: Callable[[int], Torseur]) -> Torseur:
        return self._along_run(total([torseur(i) for i in self._inside], self._there))

    def _along_run(self, torseur: Torseur, more: Mapping[str, Array] | None = None) -> Torseur:
        """The torseur as it is, or at every sample of the run."""
        run = self._run
        if run is None:
            return self._read(torseur)
        letters = multiplier_letters(run.model.mechanism)
        tensions = {
            unknown_of(x.name, letters).name: run.multiplier(x.name)[:, 0]
            for x in ropes(run.model.mechanism)
        }
        values = symbol_values(run) | tensions | dict(more or {})
        parts = expressions([torseur.resultant, torseur.moment, torseur.point])
        return Torseur(*np.moveaxis(over_samples(parts, values, len(run.t)), 1, 0))

    def _read(self, torseur: Torseur) -> Torseur:
        """The torseur with its formulas as they are best read, those of equations too."""
        squares = unit_quaternions(self._efforts.system)
        R, M = (
            expressions(readable(expressions(x), squares))
            for x in (torseur.resultant, torseur.moment)
        )
        return Torseur(R, M, torseur.point)

    @cached_property
    def _there(self) -> Array:
        return self._places.position(self._place)

    @cached_property
    def point(self) -> Array:
        """Where the moments are taken, in the ground."""
        return self.weight.point

    @cached_property
    def kinematic(self) -> Torseur:
        """{Ω; V}: at the point of the body that is there."""
        return self._along_run(self._velocities)

    @cached_property
    def _velocities(self) -> Torseur:
        if len(self._inside) > 1:
            problem = say(
                "{body} move relative to each other: as a set they have no kinematic torseur.",
                self.body,
            )
            raise ModelError("body_torseurs", problem, "Ask for that of one body.")
        return self._moving(self._inside[0]).at(self._there)

    @cached_property
    def induced(self) -> Torseur:
        """{Ω'_t; V'_t}: what imposed motions alone give, all other speeds being zero.

        The kinematic torseur is this and what is linear in the other speeds (Llibre 2009, §2.2.10).
        Where a motion leaves a choice of the speeds that follow it, these are the first ones.
        """
        whole = self._velocities
        parts = substitute(expressions([whole.resultant, whole.moment]), self._imposed_speeds)
        rotation, velocity = readable(parts)
        return self._along_run(Torseur(rotation, velocity, whole.point))

    @property
    def _imposed_speeds(self) -> dict[Expr, Expr]:
        """v with J v + b = 0 in the rows of imposed motions, zero in what they leave free."""
        system, constraints = self._efforts.system, self._efforts.held
        imposed = [
            k for k, owner in enumerate(constraints.owners) if owner in system.mechanism.motions
        ]
        rows = [imposed[k] for k in independent_rows(constraints.J[imposed], system.mechanism)]
        J, b = constraints.J[rows], constraints.rate[rows]
        columns = independent_rows(J.T, system.mechanism)
        following = zip(system.v[columns], solve_any(J[:, columns], -b), strict=True)
        return {**dict.fromkeys(system.v, ZERO), **dict(following)}

    def _moving(self, i: int) -> Torseur:
        X, moving = self._places.poses[i], self._places.velocities[i]
        return Torseur(X.R.out(moving.w), X.R.out(moving.v), X.p)

    @cached_property
    def kinetic(self) -> Torseur:
        """{m V(G); σ}, with the spin of the rotors that the body carries."""
        return self._sum(lambda i: momentum(self._efforts, i))

    @cached_property
    def dynamic(self) -> Torseur:
        """{m γ(G); δ}."""
        return self._sum(self._efforts.dynamic)

    @cached_property
    def weight(self) -> Torseur:
        """Torseur of the weight."""
        return self._sum(self._efforts.weight)

    @cached_property
    def loads(self) -> Torseur:
        """Torseur of the forces that do not pass through joints."""
        return self._sum(self._efforts.given)

    @cached_property
    def forces(self) -> dict[str, Torseur]:
        """Torseur of each of these forces, by name; inertia of a moving ground as "frame: …"."""
        efforts = self._efforts
        return {
            name: self._sum(partial(efforts.from_source, name))
            for name, acting in efforts.by_source.items()
            if any(i in acting for i in self._inside)
        }

    @cached_property
    def joints(self) -> dict[str, Torseur]:
        """Torseur of each joint, contact and gear on the body: unknowns and drive, or values.

        Along a run it is what the joint transmits, of joints without directions of their own too.
        """
        if self._run is not None:
            return dict(self._in_run(self._run))
        torseurs = {}
        for x in self._efforts.transmitted:
            side = x.on(set(self._inside))
            if side:
                acting = x.reaction + x.driven
                torseurs[x.name] = self._read((acting if side > 0 else -acting).at(self.point))
        return torseurs

    def _in_run(self, run: Run) -> Iterator[tuple[str, Torseur]]:
        origin = np.zeros((len(run.t), 3))
        for linked in linking(run.model.mechanism):
            inside = [end in self.bodies for end in (linked.first, linked.second)]
            if inside[0] == inside[1]:
                continue
            if isinstance(linked, MeshRow):  # of a gear on its second wheel
                through = next(x for x in self._efforts.transmitted if x.name == linked.name)
                size = unknown_of(linked.name, multiplier_letters(run.model.mechanism))
                value = {size.name: run.multiplier(linked.name)[:, 0]}
                acting = self._along_run(through.reaction, value)
            else:
                both = run.reaction(linked.name, at=np.zeros(3))
                acting = Torseur(both[:, :3], both[:, 3:], origin)
            yield linked.name, (acting if inside[1] else -acting).at(self.point)

    @property
    def action(self) -> Torseur:
        """Torseur of all actions on the body."""
        return total([self.weight, self.loads, *self.joints.values()], self.point)

    @property
    def power(self) -> Any:
        """{V} · {F} of everything that acts on the body [W]."""
        return self.kinematic.comoment(self.action)

    # --- of and about the centre of mass (Koenig) -----------------------------------------------

    @cached_property
    def mass(self) -> Any:
        """Total mass of the bodies."""
        links = self._efforts.system.tree.links
        mass = expression(sum((links[i].inertia.m for i in self._inside), ZERO))
        return mass if self._run is None else float(evaluate(mass, self._run.model.parameters))

    @cached_property
    def _centred(self) -> Torseur:
        """{m; m AG}, from which G comes: a resultant of one component, moments as they are."""
        links, poses = self._efforts.system.tree.links, self._places.poses
        parts = ((links[i].inertia, poses[i]) for i in self._inside)
        first = sum((X.p * inertia.m + X.R.out(inertia.h) for inertia, X in parts), np.zeros(3))
        return self._along_run(Torseur(first, first, self._there))

    @property
    def centre(self) -> Array:
        """G of the bodies together, in the ground: the origin of Koenig's frame."""
        return np.asarray(self._centred.resultant / self._weighing)

    @property
    def _weighing(self) -> Any:
        """The mass, which is not zero."""
        if self.mass == 0:
            problem = say("{body} without mass has no centre of mass.", self.body)
            raise ModelError("body_torseurs", problem, "Ask for that of bodies with a mass.")
        return self.mass

    @property
    def centre_velocity(self) -> Array:
        """V(G): the resultant of the kinetic torseur, by the mass."""
        return np.asarray(self.kinetic.resultant / self._weighing)

    @property
    def moment_about_centre(self) -> Array:
        """σ*: the kinetic moment in Koenig's frame; σ(A) = σ* + AG × m V(G)."""
        return self.kinetic.at(self.centre).moment

    @property
    def energy_of_centre(self) -> Any:
        """½ m V(G)²: the energy of the mass at G."""
        if self.mass == 0:
            return 0 * self.kinetic_energy
        return (self.kinetic.resultant * self.centre_velocity).sum(axis=-1) / 2

    @property
    def energy_about_centre(self) -> Any:
        """T*: the energy of the motion in Koenig's frame, T = ½ m V(G)² + T*."""
        return self.kinetic_energy - self.energy_of_centre

    @property
    def kinetic_energy(self) -> Any:
        """½ {C} · {V}; for a body that carries rotors, without their own spin."""
        pairs = ((momentum(self._efforts, i), self._moving(i)) for i in self._inside)
        return (
            sum(
                self._along_run(kinetic).comoment(self._along_run(moving))
                for kinetic, moving in pairs
            )
            / 2
        )


def linking(mechanism: Mechanism) -> Iterator[Joint | JointRows | MeshRow]:
    """Links that transmit forces between bodies: joints, two-sided contacts, and gear teeth."""
    yield from mechanism.joints.values()
    rows = (constraint.rows for constraint in restraints(mechanism))
    yield from (x for x in rows if isinstance(x, JointRows | MeshRow))


def momentum(efforts: Efforts, i: int) -> Torseur:
    """The kinetic torseur of body i with α j q̇ ε of each rotor it carries, at its frame origin."""
    system = efforts.system
    moving = efforts.places.velocities[i]
    linear, angular = system.tree.links[i].inertia.momentum(moving.w, moving.v)
    for _, driven in system.tree:
        rotor = driven.rotor
        if rotor is not None and rotor.axis is not None and driven.parent == i:
            angular = angular + rotor.ratio * rotor.j * system.v[driven.v.start] * rotor.axis
    X = efforts.places.poses[i]
    return Torseur(X.R.out(linear), X.R.out(angular), X.p)
