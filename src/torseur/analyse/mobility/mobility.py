"""Mobility and over-constraint, from ranks at the assembled configuration, contacts included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

import numpy as np

from torseur import notebook
from torseur.analyse.at_a_state.pose import Posed, inside, posed, ranks
from torseur.analyse.mobility.contact_modes import (
    assembled_to_read,
    counted,
    counted_at,
    gaps_only,
    has_rigid_gap,
    touching,
)
from torseur.analyse.mobility.internal import internal_motions
from torseur.errors import unknown
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.joint_graph import spanning
from torseur.result import Result
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import Assembled
from torseur.spatial.in_words import listed, spanned
from torseur.words.sentence import say

Array = np.ndarray
Parts = str | Iterable[str]


@final
class Mobility(Result):
    """m, h and γ of a mechanism, with what is constrained twice and what moves inside.

    m counts the freedoms of the linkage, whoever drives them: a crank that a motor turns at a given
    speed is one. `driven` of them have an imposed motion; `left` are free to move besides.
    """

    _repr_html_ = notebook.html

    degree: int  # m: the mobility of the linkage, imposed motions left out
    overconstraint: int  # h: the degree of over-constraint
    loops: int  # γ: the independent loops
    freedoms: int  # I_c: the freedoms of all the joints
    directions: tuple[str, ...]  # what is constrained more than once, in words
    moving: Array  # (n, m): the motions that remain, in the speeds of the tree
    internal: int = 0  # motions that nothing outside a piece of the mechanism sees
    internal_motions: tuple[str, ...] = ()  # the same in words
    relations: int = 0  # conditions that are no joint's: gears, contacts, given relations
    driven: int = 0  # freedoms, of the m, that imposed motions decide
    kept: tuple[str, ...] = ()  # contacts that count as closed
    degree_open: int = 0  # the mobility with all contacts open
    touching: tuple[str, ...] = ()  # contacts and stops that touch
    degree_touching: int | None = None  # the mobility while all of them touch; None where none does

    @property
    def left(self) -> int:
        """Freedoms left beside the imposed motions: m less those driven."""
        return self.degree - self.driven

    @property
    def useful(self) -> int:
        """The motions that are not internal."""
        return self.degree - self.internal

    def __str__(self) -> str:
        rows = f" + {self.relations}" if self.relations else ""
        lines = [
            say("mobility m = {degree}", self.degree),
            self.say(
                "over-constraint h = m + 6 γ{r} − I_c = {degree} + 6×{loops}{rows} − {freedoms} = "
                "{overconstraint}",
                r=" + r" if rows else "",
                rows=rows,
            ),
        ]
        if self.internal:
            lines[0] += say(": {useful} useful, {internal} internal", self.useful, self.internal)
            lines[1:1] = [say("  internal: {text}", text) for text in self.internal_motions]
        if set(self.touching) - set(self.kept):
            names = _quoted(self.touching)
            lines.insert(
                1, say("  m = {degree} while contact is kept: {names}", self.degree_touching, names)
            )
        if self.kept:
            names = _quoted(self.kept)
            lines.insert(1, say("  m = {degree} without contact: {names}", self.degree_open, names))
        if self.driven:
            lines.insert(
                1,
                self.say("  of these {driven} driven by imposed motions, {left} left"),
            )
        return "\n".join(
            [*lines, *(say("  constrained twice: {text}", text) for text in self.directions)]
        )


def _quoted(names: Iterable[str]) -> str:
    return listed([say('"{value}"', name) for name in names])


def mobility(
    mechanism: Mechanism | Assembled,
    *,
    input: Parts = (),
    output: Parts = (),
    modes: Mapping[str, str] | None = None,
) -> Mobility:
    """Mobility at the assembled configuration, from ranks and not from counting alone.

    `input` and `output` name bodies or coordinates: motions in which none of them moves are
    internal. Without them, a motion is internal when a piece of one to three bodies, joined to at
    least two others of a loop, moves while all the others rest. Imposed motions are left out of m
    and h, which are those of the linkage: `driven` says how many freedoms they take, `left` what
    remains. A contact that touches at this configuration counts as closed and sliding;
    `modes` gives others: {"floor": "stick"}, or "open". Stops are left out: `degree_touching` is
    the mobility while all that touches goes on touching, without friction.
    """
    if isinstance(mechanism, Mechanism) and without_numbers(mechanism):
        n = len(mechanism.speeds)
        driven = len(imposed_coordinates(mechanism))
        return Mobility(n, 0, 0, n, (), np.eye(n), driven=driven)
    state = mechanism if isinstance(mechanism, Assembled) else assembled_to_read(mechanism)
    contacts = counted(state.model.mechanism, modes)
    without = posed(state)
    pose = posed(counted_at(state, contacts)) if contacts.names else without
    n, result = len(pose.numbers.speeds), pose.ranks
    closing = [cut for cut in pose.numbers.cuts if cut.name in pose.mechanism.joints]
    watched = [*_named(input), *_named(output)]
    internal, texts = _internal(pose, watched)
    names, degree_touching = touching_together(without)
    return Mobility(
        degree=n - result.rank,
        overconstraint=len(pose.J) - result.rank,
        loops=len(closing),
        freedoms=n + sum(cut.joint.nv for cut in closing),
        directions=_directions(pose),
        moving=result.kernel,
        internal=internal,
        internal_motions=texts,
        relations=len(pose.J) - sum(cut.rows for cut in closing),
        driven=pose.driven,
        kept=contacts.names,
        degree_open=without.ranks.kernel.shape[1],
        touching=names,
        degree_touching=degree_touching if names else None,
    )


def without_numbers(mechanism: Mechanism) -> bool:
    """Whether a tree of bodies has parameters without a value: only its joints tell of it."""
    known = all(value is not None for value in mechanism.parameters.values())
    return not (known or mechanism.constraints or spanning(mechanism).closing)


def _named(parts: Parts) -> list[str]:
    return [parts] if isinstance(parts, str) else list(parts)


def _internal(pose: Posed, watched: list[str]) -> tuple[int, tuple[str, ...]]:
    """Number of internal motions, and each in words."""
    if not watched:
        result = internal_motions(pose)
        return sum(part.motions.shape[1] for part in result), tuple(part.text for part in result)
    space = inside(pose.ranks.kernel, np.concatenate([_rows(pose, name) for name in watched]))
    named = internal_motions(pose, space)
    texts = [part.text for part in named]
    if sum(part.motions.shape[1] for part in named) < space.shape[1]:
        twists = pose.plain_twists.items()
        moving = [name for name, twist in twists if np.abs(twist @ space).max() > 1e-6]
        texts.append(say("{moving} move while {resting} rest", listed(moving), listed(watched)))
    return space.shape[1], tuple(texts)


def _rows(pose: Posed, name: str) -> Array:
    """Rows that vanish when a body or a coordinate rests."""
    if name in pose.twists:
        return pose.plain_twists[name]
    if name in pose.rates:
        return pose.rates[name][np.newaxis] / pose.unit(name)
    raise unknown("mobility", "body", name, [*pose.twists, *pose.rates])


def _directions(pose: Posed) -> tuple[str, ...]:
    """The wrenches that loops can hold in themselves, told joint by joint in ground axes."""
    redundant, result, start = pose.ranks.cokernel, [], 0
    for closure in pose.closures:
        rows = redundant[start : start + closure.cut.rows]
        start += closure.cut.rows
        into = closure.X_WM.R.out
        couples = closure.T[:3] / pose.size
        for what, part in (
            (say("rotation about"), couples),
            (say("translation along"), closure.T[3:]),
        ):
            wrenches = np.asarray(into(part @ rows), dtype=float)
            result += [
                say('{what} {axis} (joint "{name}")', what, axis, closure.cut.name)
                for axis in spanned(wrenches)
            ]
    return tuple(dict.fromkeys(result))


def touching_together(pose: Posed) -> tuple[tuple[str, ...], int]:
    """Names of the contacts and stops that touch, and the freedoms that they leave together."""
    parts = [one for one in elements(pose.mechanism) if has_rigid_gap(one)]
    names = touching(pose, parts) if parts else ()
    if not names:
        return (), pose.ranks.kernel.shape[1]
    model = gaps_only(pose, [one for one in parts if one.name in names])
    rows = NumericConstraints(model)
    J = model.sizes.without_dimension(rows.J(pose.q, 0.0))
    return names, J.shape[1] - ranks(J).rank
