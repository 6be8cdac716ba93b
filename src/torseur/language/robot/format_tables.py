"""Tables of the values that a format of robots has, and the one reader of them.

A table gives the place of each value in its element: the tags down to it, then `@name` for an
attribute; a path that ends with a tag is that of the text in it. Whatever else a file holds is
reported, by tag and number: nothing has to be foreseen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple, final

from torseur.language.robot.placement import Array, Numbers, turned_inertia
from torseur.language.robot.robot_parts import ONE_COORDINATE, RobotJoint, RobotLink
from torseur.language.robot.xml_tree import XmlElement
from torseur.model.checks.limits import LARGEST
from torseur.words.sentence import say

MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
REQUIRED = "required"  # instead of an absent value
Kind = Callable[[XmlElement, str, str], Any]  # element, last step of the path and text → value
_XACRO = "This is a macro of xacro: name the file .xacro, or expand it: xacro FILE > robot.urdf"
_WHOLE = 1e15  # below this, whole numbers are written without a point
_SMALLEST = 1 / LARGEST  # below this, a number is zero
_NO_STEPS: set[str] = set()
_NOTHING: Mapping[str, str] = {}
_ACTING = ("damping", "friction", "stiffness", "rest")
_BOUNDS = ("effort", "velocity")


# --- kinds of values ----------------------------------------------------------------------------


def text(element: XmlElement, step: str, written: str) -> str:
    """The text itself."""
    return written


def number(element: XmlElement, step: str, written: str) -> float:
    """A number; its shortest decimals are those that were written, so that 0.1 is one tenth."""
    try:
        value = float(written)
    except ValueError:
        problem = say('{name} is "{text}", not a number.', _name(element, step), written[:40])
        raise element.fault(problem, *((_XACRO,) if "${" in written else ())) from None
    size = abs(value)
    if _SMALLEST <= size < _WHOLE:
        return int(value) if value.is_integer() else value
    if size < _SMALLEST:
        return 0
    if not size <= LARGEST:
        raise element.fault(
            say("{name} is {text}, not a finite number.", _name(element, step), written[:40])
        )
    return value


def numbers(count: int) -> Kind:
    """The kind of `count` numbers, separated by blanks."""
    return partial(_numbers, count)


def _numbers(count: int, element: XmlElement, step: str, written: str) -> Numbers:
    usual = _usual_numbers(written)
    if usual is not None and len(usual) == count:
        return usual
    parts = written.split()
    if len(parts) != count:
        raise element.fault(
            say(
                '{name} has {number} numbers, not {count}: "{text}".',
                _name(element, step),
                len(parts),
                count,
                written[:60],
            )
        )
    return tuple(number(element, step, part) for part in parts)


@lru_cache(maxsize=128)  # files repeat axes, and places without a distance
def _usual_numbers(written: str) -> Numbers | None:
    """Numbers of usual sizes; None where one of them needs a closer look."""
    try:
        values = [float(part) for part in written.split()]
    except ValueError:
        return None
    if all([-_WHOLE < x <= -_SMALLEST or _SMALLEST <= x < _WHOLE or not x for x in values]):
        return tuple([int(x) if x.is_integer() else x for x in values])
    return None


def finite(element: XmlElement, step: str, written: str) -> float | None:
    """A number; None where it is infinite."""
    infinite = written.lower().lstrip("+-") in ("inf", "infinity")
    return None if infinite else number(element, step, written)


def positive(kind: Kind) -> Kind:
    """A limit of effort or speed; None where it is zero, negative or infinite."""

    def read(element: XmlElement, step: str, written: str) -> float | None:
        value = kind(element, step, written)
        return value if value is not None and value > 0 else None

    return read


def _name(element: XmlElement, step: str) -> str:
    """`xyz of <origin>`, or `<mass>` for the text in an element."""
    tag = f"<{element.tag}>"
    return say("{attribute} of {tag}", step[1:], tag) if step.startswith("@") else tag


@cache
def _split(path: str) -> list[str]:
    return path.split("/")


# --- tables -------------------------------------------------------------------------------------


@final
class Field(NamedTuple):
    """A value: its path in an element, its kind, and the value of an absent one."""

    path: str
    kind: Kind = number
    absent: Any = 0

    def of(self, element: XmlElement) -> Any:
        """The value in an element."""
        *tags, last = _split(self.path)
        for tag in tags:
            inner = element.first(tag)
            if inner is None:
                return self._absent(element, tag)
            element = inner
        holder = element if last.startswith("@") else element.first(last)
        written = (
            "" if holder is None else holder.get(last[1:]) if holder is element else holder.text
        )
        if holder is None or not written:
            return self._absent(element, last)
        return self.kind(holder, last, written)

    def _absent(self, element: XmlElement, step: str) -> Any:
        if self.absent != REQUIRED:
            return self.absent
        if step.startswith("@"):
            raise element.fault(say('<{tag}> has no attribute "{key}".', element.tag, step[1:]))
        name = element.get("name")
        label = say('<{tag}> "{name}"', element.tag, name) if name else f"<{element.tag}>"
        raise element.fault(say("{element} has no <{tag}>.", label, step))


@final
class _Step(NamedTuple):
    """A value in its holder."""

    field: Field
    last: str  # step of its path
    key: str  # of its attribute; empty where it is the text in an element
    kind: Kind
    replaced: bool  # where it is absent, another value takes its place


_Plan = list[tuple[list[str], list[_Step]]]  # tags of a holder; values in it


def _plan(fields: list[Field]) -> _Plan:
    """Runs of fields with the same holder."""
    plan: _Plan = []
    for field in fields:
        *tags, last = _split(field.path)
        if not plan or plan[-1][0] != tags:
            plan.append((tags, []))
        key, replaced = last[1:] if last[0] == "@" else "", field.absent != REQUIRED
        plan[-1][1].append(_Step(field, last, key, field.kind, replaced))
    return plan


@final
@dataclass(frozen=True)
class RobotFormat:
    """A format: its tables by tag, further paths that are read, and paths without effect.

    `tag=text` and `@name=text` are without effect with this text only.
    """

    tables: Mapping[str, Mapping[str, Field]]
    types: Mapping[str, str]  # of joints, in the format → in the YAML form
    read: str = ""
    idle: str = ""

    def value(self, element: XmlElement, name: str) -> Any:
        """A value of the table of an element."""
        return self.tables[element.tag][name].of(element)

    def values(self, element: XmlElement, *names: str) -> list[Any]:
        """Several values of the table of an element; each of their holders is searched once."""
        plan = self._plans.get((element.tag, names))
        if plan is None:
            plan = _plan([self.tables[element.tag][name] for name in names])
            self._plans[element.tag, names] = plan
        read: list[Any] = []
        for tags, steps in plan:
            holder = element.at(tags) if tags else element
            attributes = _NOTHING if holder is None else holder.attributes
            for field, last, key, kind, replaced in steps:
                written = attributes.get(key, "").strip() if key else ""
                if holder is not None and written:
                    read.append(kind(holder, last, written))
                elif replaced and (key or holder is None):
                    read.append(field.absent)
                else:
                    read.append(field.of(element))
        return read

    @cached_property
    def _plans(self) -> dict[tuple[str, tuple[str, ...]], _Plan]:
        return {}

    def link(self, element: XmlElement, pose: tuple[Numbers, Array], **shapes: Any) -> RobotLink:
        """A link whose inertial frame has a pose."""
        centre, R = pose
        *six, mass, name = self.values(element, *MOMENTS, "mass", "name")
        inertia = turned_inertia(tuple(six), R)
        return RobotLink(name, element.line, mass, centre, inertia, **shapes)

    def joint_type(self, element: XmlElement) -> str:
        """The type of a joint in the YAML form."""
        name, kind = self.values(element, "name", "type")
        if kind not in self.types:
            problem = say('the joint "{name}" has the type "{kind}".', name, kind)
            raise element.fault(
                problem, say("Types that are read: {known}.", ", ".join(self.types))
            )
        return self.types[kind]

    def acting(self, element: XmlElement, kind: str) -> dict[str, Any]:
        """Damping, friction, spring and bounds of a joint, by the fields of a `RobotJoint`."""
        known = self._known(element.tag, kind in ONE_COORDINATE)
        return dict(zip(known, self.values(element, *known), strict=True))

    def _known(self, tag: str, bounded: bool) -> tuple[str, ...]:
        """The fields of `acting` that the table of a tag has."""
        if (tag, bounded) not in self._acting:
            names = (*_ACTING, *(_BOUNDS if bounded else ()))
            self._acting[tag, bounded] = tuple([x for x in names if x in self.tables[tag]])
        return self._acting[tag, bounded]

    @cached_property
    def _acting(self) -> dict[tuple[str, bool], tuple[str, ...]]:
        return {}

    @cached_property
    def _steps(self) -> tuple[Mapping[str, set[str]], Mapping[str, set[str]]]:
        """Children and attributes of each tag: those that are read, and all that are known."""
        fields = [f"{tag}/{x.path}" for tag, table in self.tables.items() for x in table.values()]
        read = [*fields, *self.read.split()]
        return _by_tag(read), _by_tag([*read, *self.idle.split()])

    @cached_property
    def _attributes(self) -> Mapping[str, set[str]]:
        """Known attributes of each tag."""
        known = self._steps[1].items()
        return {tag: {x[1:] for x in steps if x.startswith("@")} for tag, steps in known}

    def unread(self, root: XmlElement) -> Counter[str]:
        """Numbers of the elements and attributes below a root that the format does not know."""
        counts: Counter[str] = Counter()
        (steps_read, steps_known), attributes = self._steps, self._attributes
        pending = [root]
        while pending:
            element = pending.pop()
            tag = element.tag
            if not attributes.get(tag, _NO_STEPS).issuperset(element.attributes):
                _count_attributes(element, steps_known.get(tag, _NO_STEPS), counts)
            if not element.children:
                continue
            read, known = steps_read.get(tag, _NO_STEPS), steps_known.get(tag, _NO_STEPS)
            outer = "" if element is root else f"<{tag}>"
            for child in element.children:
                if child.tag in read:
                    pending.append(child)
                elif child.tag not in known and f"{child.tag}={child.text}" not in known:
                    counts[f"{outer}<{child.tag}>"] += 1
        return Counter(dict(sorted(counts.items())))


def _count_attributes(element: XmlElement, known: set[str], counts: Counter[str]) -> None:
    """Count the attributes of an element that are not known, or not with their values."""
    for name, written in element.attributes.items():
        listed = f"@{name}" in known or f"@{name}={written}" in known
        if not listed and ":" not in name and name != "xmlns":
            counts[f"<{element.tag} {name}>"] += 1


def _by_tag(paths: Iterable[str]) -> Mapping[str, set[str]]:
    """The steps of paths by the tag that they start from."""
    steps: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        for outer, inner in pairwise(path.split("/")):
            steps[outer].add(inner)
    return steps


def add_once(parts: dict[str, Any], part: RobotLink | RobotJoint, element: XmlElement) -> None:
    """Add a link or a joint; one whose name is taken is refused."""
    if part.name in parts:
        problem = say(
            '<{tag}> "{name}" is defined twice, first on line {line}.',
            element.tag,
            part.name,
            parts[part.name].line,
        )
        raise element.fault(problem, "Rename one of them.")
    parts[part.name] = part


def zero_axis(element: XmlElement, name: str) -> Exception:
    """The error of a joint whose axis has no direction."""
    return element.fault(say('the axis of the joint "{name}" is zero.', name))
