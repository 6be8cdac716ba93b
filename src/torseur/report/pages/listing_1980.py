"""The tables of Liégeois and Aldon (1980), §4, for any mechanism of revolute and prismatic joints.

The same sections serve the terminal, the page and JSON.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import final

import numpy as np

from torseur.algebra.core.expr import PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.forms.condensed import condensed
from torseur.algebra.forms.identities import without_zeros
from torseur.algebra.forms.listing import ListedEquation
from torseur.algebra.forms.program import unsigned
from torseur.algebra.printing.decimals import with_decimals
from torseur.algebra.printing.reading_order import layout
from torseur.algebra.printing.text import write
from torseur.algebra.printing.tree import written
from torseur.dynamics.tree.augmented_bodies import AugmentedBody
from torseur.equations.expressions.sampling import vanishes
from torseur.equations.motion.equations import Equations
from torseur.language.phrase.chain import CodingTables
from torseur.language.phrase.chain import tables as phrase_tables
from torseur.language.phrase.phrase_text import parse_phrase
from torseur.model.description import Mechanism
from torseur.model.mass.properties import COMPONENTS
from torseur.named_words import Words, report_words
from torseur.notices import text_table
from torseur.report.pages import named_formulas as formulas
from torseur.report.pages.cells import table_decimal
from torseur.report.pages.content import components, moving_bodies, operations
from torseur.report.pages.named_formulas import FormulaNaming, Table

Row = tuple[str, ...]
Array = np.ndarray
WIDTH = 79
_WRITE = with_decimals(write, table_decimal)
_MODEL = ("V", "W", "J", "moving", "Q", "A")


@final
@dataclass(frozen=True)
class TableOf1980:
    """A table under a title: rows of strings under a header, or formulas."""

    key: str
    title: str
    header: Row = ()
    rows: tuple[Row, ...] = ()
    equations: tuple[ListedEquation, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Its content as text, a row or a formula a line."""
        rows = [self.header, *self.rows] if self.header else self.rows
        return (*text_table(rows, gap="   "), *map(line, self.equations))


def line(equation: ListedEquation) -> str:
    """A formula as text: A13 = A14 + L3*VZ6*S5*S23."""
    return " = ".join([*equation.names, written(equation.value, _WRITE)])


def listing(equations: Equations, *, lang: str | None = None) -> str:
    """Every section as text for the terminal."""
    return _printed(sections(equations, lang=lang))


def short_listing(equations: Equations, *, lang: str | None = None) -> str:
    """The lumped constants, the gravity torques and the inertia coefficients as text."""
    return _printed(x for x in sections(equations, lang=lang) if x.key in _MODEL)


def sections(equations: Equations, *, lang: str | None = None) -> tuple[TableOf1980, ...]:
    """The tables of a mechanism and its coefficients; those that are empty are left out.

    The equations come from the formalism "augmented-bodies".
    """
    words, mechanism = report_words(lang), equations.system.mechanism
    phrase = parse_phrase(mechanism.phrase) if mechanism.phrase else None
    tables = [
        *(() if phrase is None else _geometry(phrase_tables(phrase, None), words)),
        _limits(mechanism, words),
        _masses(mechanism, words),
        _inertias(mechanism, words),
        *coefficients(equations, words),
        _operations(equations, words),
    ]
    return tuple(section for section in tables if section.rows or section.equations)


def coefficients(equations: Equations, words: Words) -> list[TableOf1980]:
    """V, W, J, then the gravity forces Q, the inertia coefficients A, the velocity terms."""
    outputs = lumped_values(equations)
    arrays = {name: without_zeros(equations.output(name)) for name in ("Qg", "A", "B", "C")}
    outputs += [expression(x) for array in arrays.values() for x in np.ravel(array)]
    naming = FormulaNaming(outputs, equations.symbols)
    constants = lumped_constants(equations, naming)
    named = [x for entries in constants.values() for x in entries if x.names]
    arrays = {name: condensed(x, [y.value for y in named]) for name, x in arrays.items()}
    formulas_by_key = {
        key: tuple(x.equation(naming.abbreviated) for x in entries)
        for key, entries in constants.items()
    }
    names = {x.value.key: x.label for x in named}
    formulas_by_key |= formulas.equations(_tables(naming, arrays), names, naming)
    return [
        TableOf1980(key, words[f"table {key}"], equations=x) for key, x in formulas_by_key.items()
    ]


def _tables(naming: FormulaNaming, arrays: Mapping[str, Array]) -> dict[str, Table]:
    """Q, A, and B with C row by row, each from the last to the first."""
    tables = naming.labelled({"Q" if name == "Qg" else name: x for name, x in arrays.items()})
    velocity = (*tables["B"], *tables["C"])
    return {
        "Q": tables["Q"],
        "A": tables["A"],
        "B": tuple(sorted(velocity, key=lambda entry: -entry.index[0])),
    }


def _geometry(tables: CodingTables, words: Words) -> Iterator[TableOf1980]:
    """The coding of the phrase: changes of frame, levers, rotations, bodies."""
    yield TableOf1980("frames", words["Table MRR of the changes of frame"], rows=tables.mrr)
    levers = tables.translations
    if any(part != "0" for part in tables.ground):
        levers = (tables.ground, *levers)
    yield TableOf1980("translations", words["Table of constant translations"], rows=levers)
    yield TableOf1980("rotations", words["Table of rotations"], rows=tables.rotations)
    counts = (
        (words["changes of frame"], tables.frames),
        (words["degrees of freedom"], tables.freedoms),
    )
    yield TableOf1980("numbers", words["Size"], rows=counts)
    header = (words["body"], words["length"])
    yield TableOf1980("bodies", words["List of bodies"], header, tables.lengths)


def _limits(mechanism: Mechanism, words: Words) -> TableOf1980:
    rows = tuple(
        (name, str(low), str(high))
        for joint in mechanism.joints.values()
        for name, low, high, _ in joint.limited
    )
    header = (words["coordinate"], words["minimum"], words["maximum"])
    return TableOf1980("limits", words["Limits of the degrees of freedom"], header, rows)


def _masses(mechanism: Mechanism, words: Words) -> TableOf1980:
    rows = tuple(
        (name, str(body.mass), *_texts(body.centre))
        for name, body in moving_bodies(mechanism).items()
    )
    header = (words["body"], words["mass"], *(f"{words['centre']} {axis}" for axis in "xyz"))
    return TableOf1980("masses", words["Mass data"], header, rows)


def _inertias(mechanism: Mechanism, words: Words) -> TableOf1980:
    """Moments of the bodies that have some; products of inertia only where a body has one."""
    bodies = {
        name: body
        for name, body in moving_bodies(mechanism).items()
        if any(expression(x) is not ZERO for x in np.ravel(body.inertia))
    }
    entries = components(bodies.values())
    rows = tuple(
        (name, *_texts(body.inertia[index] for index in entries)) for name, body in bodies.items()
    )
    header = (words["body"], *("I" + "xyz"[i] + "xyz"[j] for i, j in entries))
    return TableOf1980("inertias", words["Tensors of inertia at the centres of mass"], header, rows)


def _operations(equations: Equations, words: Words) -> TableOf1980:
    header, *rows = operations(equations.program(), words)
    return TableOf1980("operations", words["Operation count"], header, tuple(rows))


def _texts(values: Iterable[Expr]) -> Row:
    return tuple(str(value) for value in values)


# --- text ---------------------------------------------------------------------------------------


def _printed(tables: Iterable[TableOf1980]) -> str:
    blocks = []
    for section in tables:
        title = section.title.upper()
        content = [part for text in section.lines for part in _wrapped(text)]
        blocks.append("\n".join([title, "*" * len(title), *content]))
    return "\n\n".join(blocks) + "\n"


def _wrapped(text: str) -> list[str]:
    if len(text) <= WIDTH:
        return [text]
    return wrap(text, WIDTH, subsequent_indent="    ", break_long_words=False,
                break_on_hyphens=False)  # fmt: skip


# --- lumped ---------------------------------------------------------------------------------------

# The lumped constants of the 1980 report: first moments V, lumped inertias W, total inertias J.

_ENTRIES = tuple(COMPONENTS.values())  # of a symmetric tensor


@final
@dataclass(frozen=True)
class LumpedConstant:
    """A constant that is not zero: its name, its value and how it is printed."""

    label: str
    value: Expr
    shown: Expr

    def equation(self, abbreviated: Mapping[int, str]) -> ListedEquation:
        """label = formula."""
        return ListedEquation((self.label,), layout(self.shown, abbreviated))

    @property
    def names(self) -> bool:
        """Whether formulas write it by name: a symbol, a number or an opposite is written out."""
        return bool(self.value.args) and unsigned(self.value) is self.value


def lumped_constants(
    equations: Equations, naming: FormulaNaming
) -> dict[str, tuple[LumpedConstant, ...]]:
    """Constants that are not zero, by letter: "V", "W", "J"; "moving" depends on coordinates."""
    constants: dict[str, list[LumpedConstant]] = {"V": [], "W": [], "J": [], "moving": []}
    at_centre = _inertias_at_centre(equations)
    for name, body in equations.output("bodies").items():
        for letter, constant in _constants(name, body, at_centre.get(name), naming):
            varies = constant.value.stage > PARAMETER
            constants["moving" if varies else letter].append(constant)
    return {letter: tuple(lines) for letter, lines in constants.items()}


def lumped_values(equations: Equations) -> list[Expr]:
    """Every entry of V, W and J."""
    bodies = equations.output("bodies").values()
    arrays = (array for body in bodies for array in (body.V, body.W, body.J))
    return [expression(x) for array in arrays for x in np.ravel(array)]


def _inertias_at_centre(equations: Equations) -> dict[str, Array]:
    """The tensor that the user gave for each body, in its computing axes."""
    system = equations.system
    bodies = system.mechanism.bodies
    return {
        link.name: link.X_MB.R.tensor_out(np.asarray(bodies[link.name].inertia, dtype=object))
        for _, link in system.tree
    }


def _constants(
    body: str, lumped: AugmentedBody, I: Array | None, naming: FormulaNaming
) -> Iterator[tuple[str, LumpedConstant]]:
    """V, W and J of a body, each under its letter; J = I + W where this is the whole of J.

    Of masses on one lever along y there is one WY1, else WX1 … WYZ1.
    """
    suffix = body if body[:1].isdigit() else f"_{body}"
    V = {axis: expression(x) for axis, x in zip("XYZ", lumped.V, strict=True)}
    levers = [axis for axis, value in V.items() if value is not ZERO]
    for axis in levers:
        yield "V", LumpedConstant(naming.label(f"V{axis}{suffix}"), V[axis], V[axis])
    names = {ij: f"W{levers[0] if len(levers) == 1 else _axes(*ij)}{suffix}" for ij in _ENTRIES}
    labels: dict[str, str] = {}  # of W: wanted → given
    for ij in _ENTRIES:
        W = expression(lumped.W[ij])
        if W is not ZERO and names[ij] not in labels:
            labels[names[ij]] = naming.label(names[ij])
            yield "W", LumpedConstant(labels[names[ij]], W, W)
    for ij in _ENTRIES:
        J, W = expression(lumped.J[ij]), expression(lumped.W[ij])
        if J is ZERO:
            continue
        inertia = J
        if I is not None and W is not ZERO and vanishes(expression(J - I[ij] - W)):
            inertia = I[ij] + symbol(labels[names[ij]])
        yield "J", LumpedConstant(naming.label(f"J{_axes(*ij)}{suffix}"), J, inertia)


def _axes(i: int, j: int) -> str:
    return "XYZ"[i] if i == j else "XYZ"[i] + "XYZ"[j]
