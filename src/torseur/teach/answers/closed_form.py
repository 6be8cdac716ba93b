"""Closed forms as quantities that a formula may answer: omega^2, Omega_c, alpha_eq, t_star, …"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from torseur.algebra.core.expr import Expr, expression, number, symbol
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.algebra.forms.dimensions import dimension, known_dimension
from torseur.analyse.letters.named import NamedFormula, closed_form_if_any
from torseur.model.values.named_numbers import named_numbers
from torseur.teach.answers.question import AskedQuantity, quantity_key
from torseur.teach.answers.right_model import RightModel

_SQUARE = re.compile(r"(\^\{?2\}?|\*\*2|²)\s*$")
_WAVE = re.compile(r"\s*\\?(cos|sin|tan)(?![a-z])")  # left of the "="
_ROOTS = ("w", "w0", "omega", "omega0")  # names of a pulsation
_NAMES = {"omega^2": ("omega^2", "omega0^2", "omega_0^2", "w^2", "w0^2"), "t_star": ("t*", "t_s")}


def closed_form_asked(model: RightModel, formula: Any, of: str) -> list[AskedQuantity]:
    """Quantities of a closed form of that name, each form of it; none if there is none.

    The square of a speed or of a pulsation may be answered for it: `Omega_c^2 = …`.
    """
    if model.lagrangian is not None or of in model.coordinates:
        return []
    left = formula.partition("=")[0] if isinstance(formula, str) and "=" in formula else ""
    wave = _WAVE.match(left)
    if wave is not None and of.endswith("_eq"):
        return _of_wave(model, wave[1], of)
    if of == "omega^2" and quantity_key(left) in _ROOTS:
        of = "omega"
    pulsation = of in _ROOTS
    answer = closed_form_if_any(model.mechanism, "omega^2" if pulsation else of)
    if answer is None:
        return []
    squared = bool(_SQUARE.search(left))
    return list(_quantities(model, answer, of, squared=squared, rooted=pulsation))


def _of_wave(model: RightModel, wave: str, of: str) -> list[AskedQuantity]:
    """The cosine, the sine or the tangent of an angle at rest: cos α = …."""
    answer = closed_form_if_any(model.mechanism, f"{wave}({of})")
    if answer is None:
        return []
    names = (f"{wave}({of})", f"{wave}({of.removesuffix('_eq')})")
    return [_quantity(names[0], _numbered(model, x), None, names) for x in answer.forms]


def _quantities(
    model: RightModel, answer: NamedFormula, of: str, *, squared: bool, rooted: bool
) -> Iterator[AskedQuantity]:
    name = answer.name
    unit = known_dimension(answer.unit) if answer.unit else None
    for form in answer.forms:
        value = _numbered(model, form)
        if rooted:
            if squared:
                yield _quantity(of, value, unit, (f"{of}^2", *_NAMES["omega^2"]))
            else:
                root = dimension("Hz") if unit else None
                yield _quantity(of, expression(value.sqrt()), root, (of, *_ROOTS))
        elif squared and not name.endswith("^2"):
            power = unit * unit if unit else None
            yield _quantity(f"{name}^2", expression(value**2), power, (f"{name}^2",))
        else:
            others = (*_NAMES.get(name, ()), name.removesuffix("_eq"))
            yield _quantity(name, value, unit, (name, *others))


def _quantity(name: str, value: Expr, unit: Any, names: tuple[str, ...]) -> AskedQuantity:
    return AskedQuantity(name, value, False, unit, names)


def _numbered(model: RightModel, form: Expr) -> Expr:
    """With numbers for letters that the model does not have."""
    table = model.mechanism.parameter_table
    letters = named_numbers(model.mechanism).parameters
    put = {
        x: number(letters[x.name])
        for x in free_symbols([form])
        if x.name not in table and letters.get(x.name) is not None
    }
    known = {x: symbol(x.name) for x in free_symbols([form]) if x.kind == "parameter"}
    return expression(substitute(form, {**known, **put}))
