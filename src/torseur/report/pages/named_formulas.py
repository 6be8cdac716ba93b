"""Tables of coefficients as formulas one can read, in an order in which each can be computed.

Sines and cosines are abbreviated, lumped constants and other coefficients appear by name, and a sum
that several formulas need at run time is named P1, P2, …; everything else is written out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, filterfalse
from typing import Any, final

import numpy as np

from torseur.algebra.core.coefficients import terms
from torseur.algebra.core.expr import PARAMETER, ZERO, Expr, Scalar, expression, node, symbol
from torseur.algebra.core.graph import flat, free_symbols, reachable, substitute
from torseur.algebra.forms.factoring import shortest_sum
from torseur.algebra.forms.listing import ListedEquation
from torseur.algebra.forms.normal_form import Monomial, added, normal_form
from torseur.algebra.forms.program import trigonometric_name, unsigned
from torseur.algebra.printing.reading_order import layout
from torseur.algebra.printing.text import write
from torseur.algebra.printing.tree import Tree, written
from torseur.equations.motion.equations import Equations

_LONGEST = 2000  # characters of a formula that are compared
_TERMS = 40  # of a formula whose factors are looked for
_COMPARED = 30  # formulas of a table that are told by one another
_LONG = 4  # terms from which a sum that is used twice gets a name


Index = tuple[int, ...]


@final
@dataclass(frozen=True)
class Coefficient:
    """One entry of a table, with its name."""

    label: str
    value: Expr
    index: Index = ()


Table = tuple[Coefficient, ...]  # in the order of printing


def backwards(name: str, values: Any, reserved: Iterable[str] = ()) -> Table:
    """The entries of an array from the last to the first: A12, or A[1,2] if A12 is taken.

    Of a symmetric matrix the upper triangle counts, of three dimensions (i, j, k) those with j < k.
    """
    array = np.asarray(values, dtype=object)
    indices = [index for index in np.ndindex(array.shape) if _counts(array, index)]
    short = [name + "".join(str(k + 1) for k in index) for index in indices]
    long = [f"{name}[{','.join(str(k + 1) for k in index)}]" for index in indices]
    ambiguous = array.ndim > 1 and max(array.shape, default=0) > 9
    labels = long if ambiguous or not set(reserved).isdisjoint(short) else short
    return tuple(
        Coefficient(label, expression(array[index]), index)
        for label, index in reversed(list(zip(labels, indices, strict=True)))
    )


def _counts(array: np.ndarray, index: Index) -> bool:
    if array.ndim == 3:
        return index[1] < index[2]
    symmetric = array.ndim == 2 and all(
        x is y for x, y in zip(array.flat, array.T.flat, strict=True)
    )
    return not symmetric or index[0] <= index[1]


def abbreviations(outputs: Iterable[Expr], reserved: Iterable[str] = ()) -> dict[int, str]:
    """C23 for cos(q2 + q3) …, where no symbol has this name and it is not reserved."""
    nodes = reachable(outputs)
    used = {*reserved, *(x.name for x in nodes if x.op == "symbol")}
    names: dict[int, str] = {}
    for x in nodes:
        name = trigonometric_name(x)
        if name is not None and name not in used:
            used.add(name)
            names[x.key] = name
    return names


@final
class FormulaNaming:
    """The names of one listing, each with one meaning: symbols, sines and cosines, then labels."""

    def __init__(self, outputs: Iterable[Expr], symbols: Iterable[str] = ()) -> None:
        outputs = list(outputs)
        reserved = {*symbols, *(x.name for x in free_symbols(outputs))}
        self.abbreviated = abbreviations(outputs, reserved)
        self.taken = reserved | set(self.abbreviated.values())

    def labelled(self, arrays: Mapping[str, Any]) -> dict[str, Table]:
        """The entries of each array under labels of their own."""
        tables = {}
        for name, values in arrays.items():
            tables[name] = backwards(name, values, self.taken)
            self.taken |= {entry.label for entry in tables[name]}
        return tables

    def label(self, name: str) -> str:
        """A label of one's own: VX1, or V[X1] if VX1 is taken."""
        free = name if name not in self.taken else f"{name[0]}[{name[1:]}]"
        self.taken.add(free)
        return free


def equations(
    tables: Mapping[str, Table],
    hints: Mapping[int, str],
    naming: FormulaNaming | None = None,
) -> dict[str, tuple[ListedEquation, ...]]:
    """The formulas of each table; equal entries share a line, and so do those that are zero.

    A formula may use the names of those before it, in its own table and in the tables before.
    `naming` is that of a larger listing.
    """
    outputs = [entry.value for table in tables.values() for entry in table]
    naming = FormulaNaming(outputs) if naming is None else naming
    used = naming.taken | set(hints.values())
    used |= {entry.label for table in tables.values() for entry in table}
    names = {**hints, **naming.abbreviated}
    given = set(names)
    owners = _owners(tables, given)
    owned = {key: name for part in owners.values() for key, name in part.items()}
    shared = {x.key for x in _shared_sums(outputs, names, owned)}
    fresh = filterfalse(used.__contains__, (f"P{n}" for n in count(1)))
    order, printed = _Order(given, shared), {}
    for name, table in tables.items():
        names |= owners[name]
        steps = list(order.of(table, owners[name]))
        names |= {x.key: next(fresh) for x in steps if x.key in shared}
        printed[name] = tuple(_printed(table, steps, names))
    return printed


def entries_listed(
    motion: Equations, arrays: Mapping[str, Any], *, first: bool = False
) -> dict[str, tuple[ListedEquation, ...]]:
    """The formulas of the entries of arrays, from the last or from the first on."""
    entries = flat([x for array in arrays.values() for x in np.ravel(array)])
    naming = FormulaNaming(entries, motion.symbols)
    tables = naming.labelled(arrays)
    if first:
        tables = {name: tuple(reversed(table)) for name, table in tables.items()}
    return equations(tables, {}, naming)


def _owners(tables: Mapping[str, Table], given: set[int]) -> dict[str, dict[int, str]]:
    """The nodes that the entries of each table name; one that is minus a node names it "-Q4"."""
    visited = set(given)
    owners: dict[str, dict[int, str]] = {}
    for name, table in tables.items():
        owners[name] = {}
        for entry in table:
            x = unsigned(entry.value)
            if x.args and x.key not in visited:
                visited.add(x.key)
                owners[name][x.key] = entry.label if x is entry.value else f"-{entry.label}"
    return owners


def _shared_sums(
    outputs: Iterable[Expr], given: Mapping[int, str], owners: Mapping[int, str]
) -> Iterator[Expr]:
    """The sums that would be written more than once, each product being written out.

    A short sum within sums is written out too: its terms may meet like terms there.
    """
    times: Counter[int] = Counter()
    factors: set[int] = set()
    known = {**given, **owners}
    for x in reversed(reachable(outputs)):  # what uses a node comes before it
        written = 1 if x.key in owners else times[x.key]
        if not written or x.key in given or x.op in ("sin", "cos"):
            continue
        if x.op == "add" and x.key not in owners and written > 1:
            long = len(terms(x, known)) > _LONG
            if long or (x.key in factors and x.stage > PARAMETER):
                written = 1
                yield x
        for argument in map(unsigned, x.args):
            times[argument.key] += written
            if x.op != "add" and unsigned(x) is x:
                factors.add(argument.key)


@final
class _Order:
    """Named nodes met so far; each node comes after those its formula uses."""

    def __init__(self, given: set[int], shared: set[int]) -> None:
        self._given = given
        self._named = set(shared)
        self._done: set[int] = set()

    def of(self, table: Table, owners: Iterable[int]) -> Iterator[Expr]:
        """The named nodes that a table needs and that were not listed before."""
        self._named |= set(owners)
        for entry in table:
            pending = [unsigned(entry.value)]
            while pending:
                x = pending[-1]
                needed = [a for a in self._needs(x) if a.key not in self._done]
                if needed:
                    pending.append(needed[-1])
                    continue
                pending.pop()
                if x.key in self._named and x.key not in self._done:
                    self._done.add(x.key)
                    yield x

    def _needs(self, x: Expr) -> list[Expr]:
        """The named nodes in the formula of a node."""
        needed: dict[int, Expr] = {}
        visited: set[int] = {x.key}
        pending = [] if x.key in self._given else list(x.args)
        while pending:
            part = pending.pop()
            if part.key in visited or part.key in self._given:
                continue
            visited.add(part.key)
            if part.key in self._named:
                needed[part.key] = part
            else:
                pending.extend(part.args)
        return [needed[key] for key in sorted(needed)]


def _printed(table: Table, steps: list[Expr], names: Mapping[int, str]) -> Iterator[ListedEquation]:
    """Each step with the entries equal to it, then those equal to its opposite; zeros last."""
    labels: dict[Expr, list[str]] = {}
    for entry in table:
        labels.setdefault(entry.value, []).append(entry.label)
    zeros = tuple(reversed(labels.pop(ZERO, [])))
    entries = [x for x in steps if x in labels or -x in labels]
    listed: dict[str, ListedEquation] = {}  # by what follows the equal sign
    for x in steps:
        value = -x if names[x.key].startswith("-") else x
        tree = _shortest(x, value, steps, entries, names)
        _gather(listed, labels.pop(value, [names[x.key]]), tree)
        if unsigned(-value) is x:
            _gather(listed, labels.pop(-value, []), layout(-value, names))
    for value, same in labels.items():
        _gather(listed, same, layout(value, names))
    yield from listed.values()
    if zeros:
        yield ListedEquation(zeros, layout(ZERO, names))


def _gather(listed: dict[str, ListedEquation], labels: list[str], tree: Tree) -> None:
    """One more equation, or more names for the same formula."""
    if labels:
        text = written(tree, write)
        before = listed[text].names if text in listed else ()
        listed[text] = ListedEquation((*before, *labels), tree)


def _shortest(
    x: Expr, value: Expr, steps: list[Expr], entries: list[Expr], names: Mapping[int, str]
) -> Tree:
    """The formula of a step, with the names of other steps unless it is shorter without them."""
    keys = {x.key}
    products = {step.key for step in steps if step.op != "add"}
    choices = [
        layout(value, {key: name for key, name in names.items() if key not in left_out})
        for left_out in (keys, keys | products, keys | {step.key for step in steps})
    ]
    later = {step.key for step in steps[steps.index(x) :]}
    before = {key: name for key, name in names.items() if key not in later}
    choices += [layout(read, before) for read in _read(value, entries, before)]
    return min(choices, key=lambda tree: len(written(tree, write, _LONGEST)))


def _read(value: Expr, entries: list[Expr], names: Mapping[int, str]) -> Iterator[Expr]:
    """A formula with common factors taken out, and what it has more than an entry before it."""
    named = set(names) - {entry.key for entry in entries}
    opened, letters = _opened(value, named)
    form = normal_form(opened, most=_TERMS)
    if form is None:
        return
    yield _factored(form.terms, letters)
    for entry in entries if len(entries) <= _COMPARED else ():
        if entry.key not in names:  # the formula itself
            return
        signed = -entry if names[entry.key].startswith("-") else entry
        known, more = _opened(signed, named)
        part = normal_form(known, most=_TERMS)
        left = added(dict(form.terms), dict(part.terms), -1) if part is not None else {}
        if 0 < len(left) < len(form.terms):
            rest = _factored(left, letters | more)
            yield node("add", (signed, rest), None, max(signed.stage, rest.stage))


def _opened(value: Expr, named: set[int]) -> tuple[Expr, dict[Expr, Expr]]:
    """A formula with a symbol for each node that has a name, and the nodes by these symbols."""
    parts = {x: symbol(f"#{x.key}", "input") for x in reachable([value]) if x.key in named}
    return expression(substitute(value, parts)), {y: x for x, y in parts.items()}


def _factored(terms: Mapping[Monomial, Scalar], letters: Mapping[Expr, Expr]) -> Expr:
    return expression(substitute(shortest_sum(dict(terms)), letters))
