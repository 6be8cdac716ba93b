"""Joints as elements: code from their rows in `dynamics.absolute`, one for each kind of joint.

The outputs are the rows of a joint, as those of other elements, then for each of its coordinates
that is measured what it is read from, and its row; see `body_tables`. The numbers are those of the
frames F and M, then the lengths and leads of the joint, or the parameters of its definition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.dynamics.absolute.defined import defined_rows
from torseur.dynamics.absolute.joint_rows import (
    Advance,
    Angle,
    DefinedCoordinate,
    Frame,
    Reading,
    Spin,
    elementary_rows,
    measure_row,
    readings,
)
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.constraint_elements import RowElement, row_sizes
from torseur.machine.absolute.forms import FormElement, slot_symbols
from torseur.machine.absolute.loads import Naming
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joints.defined import Defined
from torseur.model.joints.elementary import Orthogonal
from torseur.model.values.scales import Scales
from torseur.spatial.triples import attitude, dot, mapped, mapped_back, times

Row = Any  # see `dynamics.absolute.elementary_rows`
_STILL, _UNTURNED = (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1)
ROW = 11  # value, second rate without accelerations, n, a_i and a_j of a row
LENGTH = symbol("length of the mechanism")
_FRAME = 12  # numbers: the origin from the centre of its body, then the axes by rows


def joint_elements(
    mechanism: Mechanism,
    numbers: Mechanism,
    measures: Iterable[Measure],
    values: Mapping[str, Any],
    known: Scales,
) -> list[RowElement]:
    """Every joint that holds or measures something; those that users define come last."""
    measured: dict[str, list[Reading]] = {name: [] for name in mechanism.joints}
    for measure in measures:
        measured[measure.joint].append(measure.freedom)
    elements = []
    for joint in sorted(numbers.joints.values(), key=lambda x: x.kind.elementary is None):
        if joint.kind.elementary is None:
            given = mechanism.joints[joint.name]
            rows, _ = _defined_rows(given.kind, _are_bodies(given))
            element = _defined_joint(given, numbers, values)
            angles = [all(x == 0 for x in row[1]) for row in rows[given.kind.nv :]]  # no force
        else:
            element = _composed_joint(joint, measured[joint.name], numbers)
            parts = joint.kind.elementary
            angles = [isinstance(part, Orthogonal) for part in parts for _ in range(part.rows)]
        if element.outputs:
            n, sizes = len(angles), row_sizes(known, [not x for x in angles])
            elements.append(RowElement(joint.name, element, n, n, sizes, joint.name, tuple(angles)))
    return elements


# --- what acts on two frames --------------------------------------------------------------------


@final
class _End:
    """A frame of the body at a place, or of the ground, with symbols for its numbers."""

    def __init__(self, place: int | None, first: int) -> None:
        numbers = [_number(first + k) for k in range(_FRAME)]
        p, axes = numbers[:3], np.array(numbers[3:]).reshape(3, 3)
        self._is_body, self._R, end = place is not None, _UNTURNED, (_STILL, _STILL, _STILL)
        if place is not None:
            r, four, v, w = np.split(np.array(slot_symbols(place)), [3, 7, 10])
            self._R = attitude(2 / (four @ four), *four)
            end = tuple(r), tuple(v), mapped(self._R, w)
        turned = np.array([mapped(self._R, axes[:, k]) for k in range(3)]).T
        self.frame: Frame = end, mapped(self._R, p), turned

    def six(self, n: Any, a: Any) -> list[Any]:
        """A force in ground axes and a couple in body axes; none on the ground."""
        return [*n, *mapped_back(self._R, a)] if self._is_body else []


Ends = tuple[_End, _End]


def _number(k: int) -> Expr:
    return symbol(f"number {k}", "input")


def _ends(first: bool, second: bool) -> Ends:
    return _End(0 if first else None, 0), _End(int(first) if second else None, _FRAME)


def _acting(row: Row, ends: Ends) -> tuple[list[Any], list[Any]]:
    """A row on the speeds of both bodies."""
    _, n, a_i, a_j, _ = row
    return ends[0].six(times(-1, n), a_i), ends[1].six(n, a_j)


def _holding(row: Row, ends: Ends, inputs: int = 0) -> list[Any]:
    """A row that holds a joint, which does not depend on the speeds of its inputs."""
    first, second = _acting(row, ends)
    return [row[0], ZERO, row[4], *(ZERO for _ in range(inputs)), *first, *second]


def _measuring(read: Sequence[Any], row: Row, ends: Ends) -> list[Any]:
    """A row of a coordinate; on the ground it is zero."""
    first, second = (six or [ZERO] * 6 for six in _acting(row, ends))
    return [*read, row[4], *first, *second]


def _bodies(joint: Joint) -> tuple[str, ...]:
    return tuple(name for name in (joint.first, joint.second) if name != GROUND)


def _are_bodies(joint: Joint) -> tuple[bool, bool]:
    return joint.first != GROUND, joint.second != GROUND


def _frames(joint: Joint, numbers: Mechanism) -> list[float]:
    """The numbers of F and M."""
    p_i, F = frame_of(numbers, joint.first, joint.X_AF)
    p_j, M = frame_of(numbers, joint.second, joint.X_BM)
    return [*p_i, *F.ravel(), *p_j, *M.ravel()]


# --- joints composed of elementary constraints --------------------------------------------------


def _composed_joint(joint: Joint, freedoms: Iterable[Reading], numbers: Mechanism) -> FormElement:
    given = _frames(joint, numbers)
    parts = tuple(_with_symbols(joint.kind.elementary or (), given))
    read = tuple(_with_symbols(freedoms, given))
    outputs = _composed_outputs(parts, read, _are_bodies(joint))
    return FormElement(outputs, _bodies(joint), (), tuple(given))


def _with_symbols(parts: Iterable[Any], numbers: list[float]) -> Iterator[Any]:
    """Parts of a joint with symbols for their lengths and leads, which join the numbers."""
    for part in parts:
        for name in {"length", "lead"}.intersection(vars(part)):
            if (value := getattr(part, name)) != 1:
                part = replace(part, **{name: _number(len(numbers))})
                numbers.append(float(value))
        yield part


@lru_cache(maxsize=256)
def _composed_outputs(
    parts: tuple[Any, ...], freedoms: tuple[Any, ...], are_bodies: tuple[bool, bool]
) -> tuple[Expr, ...]:
    ends = _ends(*are_bodies)
    frames = ends[0].frame, ends[1].frame
    rows = [row for part in parts for row in elementary_rows(part, *frames)]
    outputs = [x for row in rows for x in _holding(row, ends)]
    for freedom in freedoms:
        row = measure_row(freedom, *frames)
        outputs += _measuring(_reading(freedom, row, *frames), row, ends)
    return tuple(map(expression, outputs))


def _reading(freedom: Reading, row: Row, first: Frame, second: Frame) -> tuple[Any, Any]:
    """The sine and the cosine of an angle, or a distance."""
    if not isinstance(freedom, Angle):
        return row[0], ZERO
    F, M = first[2], second[2]
    (a, b), (c, d) = freedom.sine, freedom.cosine
    return freedom.sign * dot(F[:, a], M[:, b]), dot(F[:, c], M[:, d])


# --- joints that users define -------------------------------------------------------------------


def _defined_joint(joint: Joint, numbers: Mechanism, values: Mapping[str, Any]) -> FormElement:
    """The coordinates follow the bodies as part of the state: all of them are measured."""
    rows, ends = _defined_rows(joint.kind, _are_bodies(joint))
    n = joint.kind.nv
    holding = [x for row in rows[n:] for x in _holding(row, ends, n)]
    read = [x for row in rows[:n] for x in _measuring((row[0], ZERO), row, ends)]
    return _at_values([*holding, *read], joint, numbers, values)


def ground_rows(joint: Joint, numbers: Mechanism, values: Mapping[str, Any]) -> FormElement:
    """Value, γ, n, a_i and a_j of each row of a defined joint, those of its coordinates first."""
    rows, _ = _defined_rows(joint.kind, _are_bodies(joint))
    outputs = [x for value, n, a_i, a_j, bias in rows for x in (value, bias, *n, *a_i, *a_j)]
    return _at_values(outputs, joint, numbers, values)


@lru_cache(maxsize=64)
def _defined_rows(kind: Any, are_bodies: tuple[bool, bool]) -> tuple[list[Row], Ends]:
    assert isinstance(kind, Defined)
    q = np.array([symbol(f"coordinate {n}", "coordinate") for n in range(kind.nv)])
    ends = _ends(*are_bodies)
    return defined_rows(kind, q, ends[0].frame, ends[1].frame, LENGTH), ends


def _at_values(
    outputs: Sequence[Any], joint: Joint, numbers: Mechanism, values: Mapping[str, Any]
) -> FormElement:
    """Outputs of two bodies and the coordinates of a joint, with numbers for the parameters."""
    symbolic = expressions(list(outputs))
    parameters = [x for x in free_symbols(symbolic) if x.kind == "parameter"]
    given = _frames(numbers.joints[joint.name], numbers)
    new = {x: _number(len(given) + k) for k, x in enumerate(parameters)}
    given += [float(values[x.name]) for x in parameters]
    numbered = tuple(map(expression, substitute(symbolic, new) if new else symbolic))
    return FormElement(numbered, _bodies(joint), joint.coordinates, tuple(given))


# --- measures: coordinates and speeds of joints that are read -------------------------------------


Array = np.ndarray
_KINDS = {Angle: at.TURN, Advance: at.SLIDE, Spin: at.SPIN_ONLY, DefinedCoordinate: at.GIVEN}


@final
@dataclass(frozen=True)
class Measure:
    """A coordinate of a joint, or a speed that is no rate of a coordinate."""

    name: str
    joint: str
    freedom: Reading
    index: int  # among the speeds of the joint

    @property
    def followed(self) -> bool:
        """Whether the state has its value: angles, and the coordinates of defined joints."""
        return isinstance(self.freedom, Angle | DefinedCoordinate)


Measures = Mapping[str, tuple[int, Measure]]  # by name, with their numbers


def measures_of(joint: Joint) -> Iterator[Measure]:
    """One for each speed of a joint; its name is that of its coordinate, if it has one."""
    for k, freedom in enumerate(readings(joint.kind)):
        name = joint.speeds[k] if isinstance(freedom, Spin) else joint.coordinates[k]
        yield Measure(name, joint.name, freedom, k)


def naming(mechanism: Mechanism, values: Mapping[str, Any]) -> Naming:
    """The names of all measures."""
    measured: dict[str, str] = {}
    speeds: dict[str, str] = {}
    for joint in mechanism.joints.values():
        for measure in measures_of(joint):
            speed = joint.speeds[measure.index]
            measured |= {measure.name: measure.name, speed: measure.name}
            speeds[measure.name] = speed
    return Naming(measured, speeds, values)


def needed(mechanism: Mechanism, spoken: Collection[str]) -> list[Measure]:
    """All that is followed, and everything that is spoken of."""
    return [
        measure
        for joint in mechanism.joints.values()
        for measure in measures_of(joint)
        if measure.followed or measure.name in spoken
    ]


def measure_table(
    mechanism: Mechanism,
    measures: list[Measure],
    spoken: Collection[str],
    index: Mapping[str, int],
    places: Mapping[str, int],
) -> Array:
    """The rows of measures; those that are followed are so in their order.

    `places` are those where the readings of each joint begin.
    """
    table = np.zeros((len(measures), at.MEASURE_WIDTH), dtype=np.int64)
    followers, following = 0, dict(places)
    for row, measure in zip(table, measures, strict=True):
        joint = mechanism.joints[measure.joint]
        row[at.MEASURE_KIND] = _KINDS[type(measure.freedom)]
        row[at.FOLLOWER] = followers if measure.followed else -1
        row[at.SPOKEN] = measure.name in spoken
        row[at.PLACE] = following[measure.joint]
        row[at.BODY_I], row[at.BODY_J] = index[joint.first], index[joint.second]
        following[measure.joint] += at.READING_WIDTH
        followers += measure.followed
    return table


def frame_of(numbers: Mechanism, body: str, pose: Any) -> tuple[Array, Array]:
    """The origin of a frame from the centre of its body, and its axes as columns, body axes."""
    centre = np.zeros(3) if body == GROUND else numbers.bodies[body].centre
    return np.asarray(pose.p - centre, dtype=float), np.asarray(pose.R.matrix, dtype=float)
