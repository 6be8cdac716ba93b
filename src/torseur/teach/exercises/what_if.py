"""Effects of another joint or symmetry: mobility, unknowns, inertias, equations, reactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

from torseur import notebook
from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.forms.equation import ReadEquation
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.text import text
from torseur.analyse.mobility.balance import balance
from torseur.analyse.mobility.mobility import mobility
from torseur.brief import brief
from torseur.equations.formalisms.derive import derive
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.model.joints.catalogue import joint_class
from torseur.model.joints.protocol import JointType
from torseur.model.mass.properties import COMPONENTS as ENTRIES
from torseur.named_words import Words, exercise_words
from torseur.plain import entries
from torseur.teach.answers.right_model import RightModel
from torseur.teach.exercises.answer_checking import carried
from torseur.teach.exercises.cases import case
from torseur.teach.exercises.changes import LETTERS, with_joint, with_symmetries
from torseur.teach.exercises.exercise_entries import (
    Exercise,
    TextByLanguage,
    in_all_languages,
    model_document,
    texts_in_all_languages,
)
from torseur.teach.exercises.exercise_quantities import COMPONENTS, symmetry
from torseur.words.catalogue import ENGLISH
from torseur.words.sentence import type_words

_COUNTS = ("degree", "overconstraint", "unknown_count", "equation_count")
_LONGEST = 200  # characters of an equation


@final
@dataclass(frozen=True)
class WhatIf:
    """A mechanism before and after a change. It prints as text; `text("fr")` is in French."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    name: str
    changes: tuple[TextByLanguage, ...]
    counts: Mapping[str, tuple[int, int]]  # mobility, over-constraint, unknowns, equations
    carried: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]  # by the joints that change
    zeros: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]  # of inertia, of the bodies
    equations: Mapping[str, tuple[str | None, str | None]]  # those that change, by coordinate
    unchanged: tuple[str, ...]  # coordinates whose equations stay
    reactions: tuple[str, ...]  # components that change, such as L_O

    def text(self, lang: str | None = None) -> str:
        """The changes as text, in a language."""
        labels = exercise_words(lang)
        colon = labels["colon"]
        lines = [f"{self.name}{colon}{x.said(lang)}" for x in self.changes]
        lines += [f"  {labels[key]}{colon}{a} → {b}" for key, (a, b) in self.counts.items()]
        for words, table in (("torseur of", self.carried), ("zeros of", self.zeros)):
            for name, (a, b) in table.items():
                both = f"{_row(a, labels)} → {_row(b, labels)}"
                lines.append(f"  {labels[words].format(name)}{colon}{both}")
        lines.append(labels["equations"])
        lines += [f"  {name}{colon}{labels['unchanged']}" for name in self.unchanged]
        for name, (old, now) in self.equations.items():
            word = "" if old is not None and now is not None else labels["new" if now else "gone"]
            lines.append(f"  {name}{colon}" + ", ".join(x for x in (word, now) if x))
        changed = ", ".join(self.reactions)
        key = "reactions changed" if changed else "no reaction changed"
        return "\n".join([*lines, labels[key].format(changed)])

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The result as plain data."""
        entry = {"name": self.name, "changes": [x.said(ENGLISH) for x in self.changes]}
        tables = ("counts", "carried", "zeros", "equations", "unchanged", "reactions")
        return entry | entries(self, *tables)


def what_if(
    model: Exercise | str | Mapping[str, Any],
    *,
    joints: Mapping[str, str] | None = None,
    symmetries: Mapping[str, Sequence[str]] | None = None,
) -> WhatIf:
    """Change types of joints or symmetries of bodies, and compare the mechanism with before.

    The model is an exercise, an example by name, or a dict of the YAML form. `joints` are types by
    joint: {"rail": "cylindrical"}. `symmetries` are lists by body, of "plane z" (its normal),
    "revolution z" or "fold3 z"; an empty list takes all symmetry away.
    """
    if not joints and not symmetries:
        raise ModelError(
            "what_if",
            "no change is given.",
            'For instance: ts.exercises.what_if("slider_crank", joints={"B": "spherical"}).',
        )
    before = model_document(model.model if isinstance(model, Exercise) else model)
    after, told_changes = before, []
    for joint, kind in (joints or {}).items():
        joined = case(after).mechanism.joints
        motors, after = case(after).mechanism.motors, with_joint(after, joint, kind)
        told_changes.append(_joint_told(joint, joint_class(kind, "what_if"), joined[joint].kind))
        left_out = [name for name in motors if name not in case(after).mechanism.motors]
        told_changes += [_motor_told(name, joint) for name in left_out]
    for body, listed in (symmetries or {}).items():
        after = with_symmetries(after, body, [symmetry(x) for x in listed])
        told_changes.append(_symmetry_told(body, listed))
    first, second = case(before), case(after)
    old, now = first.mechanism, second.mechanism
    equations, unchanged = _equations(first.right(), second.right())
    return WhatIf(
        old.name,
        tuple(told_changes),
        _counts(old, now),
        {x: (carried(old, x), carried(now, x)) for x in joints or {}},
        {x: (_zeros(old, x), _zeros(now, x)) for x in symmetries or {}},
        equations,
        unchanged,
        _reactions(first.right(), second.right()),
    )


def _joint_told(joint: str, after: type[JointType], before: JointType) -> TextByLanguage:
    def text(lang: str) -> str:
        kinds = (type_words(x.words, lang) for x in (after, before))
        return exercise_words(lang)["what if joint"].format(joint, *kinds)

    return texts_in_all_languages(text)


def _motor_told(motor: str, joint: str) -> TextByLanguage:
    return in_all_languages(lambda words: words["what if no motor"].format(motor, joint))


def _symmetry_told(body: str, listed: Sequence[str]) -> TextByLanguage:
    key = "what if symmetry" if listed else "what if no symmetry"
    return in_all_languages(lambda words: words[key].format(body, ", ".join(listed)))


def _row(entries: Sequence[str], words: Words) -> str:
    return ", ".join(entries) if entries else words["none"]


def _counts(old: Mechanism, now: Mechanism) -> dict[str, tuple[int, int]]:
    before, after = ((mobility(x), balance(x)) for x in (old, now))
    counts: dict[str, tuple[int, int]] = {}
    for key in _COUNTS:
        side = 0 if hasattr(before[0], key) else 1
        counts[key] = (getattr(before[side], key), getattr(after[side], key))
    return counts


def _zeros(mechanism: Mechanism, body: str) -> tuple[str, ...]:
    """The products of inertia at the centre of mass that are zero, by their French letters."""
    inertia = mechanism.bodies[body].inertia
    zero = (x for pair, x in LETTERS.items() if text(expression(inertia[ENTRIES[pair]])) == "0")
    return tuple(sorted(zero))


def _equations(
    first: RightModel, second: RightModel
) -> tuple[dict[str, tuple[str | None, str | None]], tuple[str, ...]]:
    """The equations that change, come or go, and the names of those that do not."""
    old, now = (
        dict(zip(x.coordinates, map(expression, x.rows), strict=True)) for x in (first, second)
    )
    same = tuple(name for name in old if name in now and vanishes(old[name] - now[name]))
    names = [name for name in dict.fromkeys((*old, *now)) if name not in same]
    before, after = _Lines(first), _Lines(second)
    return {x: (before.of(x, old.get(x)), after.of(x, now.get(x))) for x in names}, same


@final
class _Lines:
    """Readable equations of a model, derived on first use."""

    def __init__(self, model: RightModel) -> None:
        self._model = model

    @cached_property
    def _lines(self) -> dict[str, ReadEquation | None]:
        formulas = derive(self._model.mechanism).formulas()
        return {line.name: line.equation for line in formulas.lines}

    def of(self, name: str, row: Expr | None) -> str | None:
        """The line of a coordinate; a row that fills a page is cut off."""
        if row is None:
            return None
        line, ranks = self._lines.get(name), self._model.ranks
        if line is None:
            return f"0 = {text(expression(readable(row)), limit=_LONGEST, ranks=ranks)}"
        return " = ".join(text(x, ranks=ranks) for x in (line.left, line.right))


def _reactions(first: RightModel, second: RightModel) -> tuple[str, ...]:
    """The components, X to N in the frame of each joint, that are other functions of the motion."""
    shared = [joint for joint in first.wrenches if joint in second.wrenches]
    pairs = (
        (f"{name}_{joint}", first.reaction(joint, k), second.reaction(joint, k))
        for joint in shared
        for k, name in enumerate(COMPONENTS)
    )
    return tuple(name for name, a, b in pairs if not vanishes(a - b))
