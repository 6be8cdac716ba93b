"""Base of results: text, plain data, notebook view, equality and pickling follow from the fields.

A subclass declares its fields and becomes a frozen dataclass. What it can add: `__str__` for its
text, `document=(…)` in the line of the class for the attributes of its plain data, a method that
draws it. `self.say(…)` writes a sentence whose places are attributes of the result.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, dataclass_transform

from torseur import notebook
from torseur.brief import brief
from torseur.plain import entries, same
from torseur.words.sentence import Sentence, in_language, places


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Result:
    """Abstract base of the values that computations return; its subclasses are final."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _exported: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, document: tuple[str, ...] = ()) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, eq=False, repr=False)(cls)
        cls._exported = document or tuple(x.name for x in fields(cls))

    __repr__ = brief
    said = in_language

    def say(self, template: str, **values: object) -> str:
        """Sentence whose places are given values or attributes of the result."""
        named = {x: values[x] if x in values else getattr(self, x) for x in places(template)}
        return Sentence(template, named)

    @property
    def document(self) -> Any:
        """Plain data: numbers, texts, lists and dicts, as JSON has them."""
        return entries(self, *self._exported)

    def _repr_html_(self) -> str | None:
        writes_text = type(self).__str__ is not object.__str__
        return notebook.preformatted(self) if writes_text else notebook.html(self)

    def __eq__(self, other: object) -> bool:
        return same(self, other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        values = (getattr(self, x.name) for x in fields(self))
        return hash((type(self), *(x for x in values if isinstance(x, str | int | float))))

    def __reduce__(self) -> tuple[Any, ...]:
        """Fields only: cached values, which may be machine code, are computed again."""
        return type(self), tuple(getattr(self, x.name) for x in fields(self))
