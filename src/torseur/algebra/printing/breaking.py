"""Formulas broken into lines that fit the page, between terms, and displayed in LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from torseur.algebra.printing.notation import (
    FENCES,
    Accent,
    Fence,
    Fraction,
    Grid,
    Node,
    Root,
    Row,
    Script,
    Sign,
    Space,
    read,
)

WIDEST = 36.0  # of a line on paper [em]: A4 with margins of 25 mm holds 38 in letters of 11 pt
INDENT = 2.0  # of further lines [em]
LONG = 14.0  # of brackets that may break inside [em]
NARROW = 8.0  # of fractions and roots that stay as they are, however deep [em]
_BREAKING = ("=", "+", "−", "<", ">", "≤", "≥", "→")
_HALF = Row((Sign("1", "number", "1"), Sign("/", "operator", "/"), Sign("2", "number", "2")))
_SMALL = 0.7  # of scripts
_SPACED = 1.3  # a sign between terms with its spaces [em]
_WIDE = {"w": 0.72, "M": 1.08, "W": 1.08, "m": 0.88}  # letters of Computer Modern [em]
_LABEL = 9.0  # of a label before its formula, at most [em]
_BRACES = {left: right for right, left in FENCES.items()}


def display(latex: Iterable[str]) -> str:
    """Displayed formulas, each in as many lines as it needs (environment align* of amsmath)."""
    rows: list[str] = []
    for one in latex:
        first, *others = _lines(one, WIDEST)
        rows += [f"& {first}", *(rf"& \quad {row}" for row in others)]
    return _environment(rows)


def aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Formulas after their labels, all beginning at one place (environment align* of amsmath).

    A label that is itself long, such as the names of many equal entries, is part of its formula.
    """
    listed = list(rows)
    wide = max((x for x in (width(read(label)) for label, _ in listed) if x <= _LABEL), default=0.0)
    done: list[str] = []
    for label, one in listed:
        if width(read(label)) > _LABEL:
            label, one = "", f"{label} {one}"
        first, *others = _lines(one, WIDEST - wide)
        done += [f"{label} &{first}".lstrip(), *(rf"&\quad {row}" for row in others)]
    return _environment(done)


def _environment(rows: Iterable[str]) -> str:
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _lines(latex: str, widest: float) -> list[str]:
    """A formula as it is where it fits, else broken."""
    broken = lines(read(latex), widest)
    return [latex] if len(broken) == 1 else [formula(row) for row in broken]


def formula(node: Node) -> str:
    """A tree as LaTeX."""
    match node:
        case Sign(_, _, latex) | Space(_, latex):
            return latex
        case Row(items):
            return " ".join(map(formula, items))
        case Script(base, below, above):
            low = "" if below is None else f"_{{{formula(below)}}}"
            return f"{_base(base)}{low}{_above(above)}"
        case Fraction(above, below):
            return rf"\frac{{{formula(above)}}}{{{formula(below)}}}"
        case Root(body):
            return rf"\sqrt{{{formula(body)}}}"
        case Accent(mark, body):
            return rf"\{mark}{{{formula(body)}}}"
        case Fence(left, right, body):
            return rf"\left{_BRACES[left]} {formula(body)} \right{_BRACES[right]}"
        case Grid(kind, rows):
            listed = " \\\\ ".join(" & ".join(map(formula, row)) for row in rows)
            return rf"\begin{{{kind}}} {listed} \end{{{kind}}}"


def _base(node: Node) -> str:
    single = isinstance(node, Sign | Accent | Grid | Fence)
    return formula(node) if single else f"{{{formula(node)}}}"


def _above(node: Node | None) -> str:
    if node is None:
        return ""
    primes = isinstance(node, Sign) and node.text == "′"
    return "'" if primes else f"^{{{formula(node)}}}"


def width(node: Node | None) -> float:
    """About how wide a formula is on paper [em]."""
    match node:
        case None:
            return 0.0
        case Sign(text, kind):
            return _SPACED if kind == "operator" and text in _BREAKING else sum(map(letter, text))
        case Space(wide):
            return wide
        case Row(items):
            return sum(map(width, items))
        case Script(base, below, above):
            return width(base) + _SMALL * max(width(below), width(above))
        case Fraction(above, below):
            return 0.2 + max(width(above), width(below))
        case Root(body):
            return 0.8 + width(body)
        case Accent(_, body):
            return width(body)
        case Fence(_, _, body):
            return 0.9 + width(body)
        case Grid(_, rows):
            return 1.0 + sum(max(map(width, column)) + 0.8 for column in zip(*rows, strict=True))


def letter(x: str) -> float:
    """About how wide a letter is on paper [em]."""
    return _WIDE.get(x, 0.76 if x.isupper() else 0.56)


def pieces(row: Row, widest: float = WIDEST) -> list[Row]:
    """The pieces of a formula between which a line may break, each beginning with its sign.

    Long brackets do not grow, and may break between their terms; torseurs and fractions that are
    wider than the page are written in the line.
    """
    return _pieces(_flat(row, widest), min(LONG, widest))


def _pieces(row: Row, long: float) -> list[Row]:
    pieces: list[list[Node]] = [[]]
    for item in row.items:
        if _is_break(item) and pieces[-1] and not _is_break(pieces[-1][-1]):
            pieces.append([])  # after another one, a sign belongs to what follows
        fence = item.base if isinstance(item, Script) else item
        if isinstance(fence, Fence) and _may_break(fence, long):
            first, *others = _pieces(fence.body, long)
            pieces[-1] += [_bracket(fence.left), *first.items]
            pieces += [list(other.items) for other in others]
            close = _bracket(fence.right)
            pieces[-1].append(
                Script(close, item.below, item.above) if isinstance(item, Script) else close
            )
        else:
            pieces[-1].append(item)
        if isinstance(item, Space) and item.width >= 1:
            pieces.append([])
    return [Row(tuple(piece)) for piece in pieces if piece]


def lines(row: Row, widest: float = WIDEST) -> list[Row]:
    """A formula in lines that are no wider than the page; further ones are indented."""
    done: list[list[Node]] = []
    used = 0.0
    for piece in _narrow(pieces(row, widest), widest - INDENT):
        wide = width(piece)
        if not done or used + wide > widest:
            used = INDENT if done else 0.0
            done.append([])
        done[-1] += piece.items
        used += wide
    return [Row(tuple(line)) for line in done]


def _narrow(rows: Iterable[Row], widest: float) -> Iterator[Row]:
    """Pieces that fit: one that is wider breaks between its factors."""
    for piece in rows:
        part: list[Node] = []
        for item in piece.items:
            if part and width(Row((*part, item))) > widest:
                yield Row(tuple(part))
                part = []
            part.append(item)
        yield Row(tuple(part))


def _may_break(fence: Fence, long: float) -> bool:
    """Long brackets around several terms, and very long ones around anything."""
    several = any(map(_is_break, fence.body.items[1:]))
    return width(fence) > (long if several else 2 * long)


def _is_break(item: Node) -> bool:
    return isinstance(item, Sign) and item.kind == "operator" and item.text in _BREAKING


def _bracket(sign: str) -> Sign:
    return Sign(sign, "operator", f"\\{sign}" if sign in "{}" else sign)


def _flat(row: Row, widest: float) -> Row:
    if width(row) <= widest:
        return row
    return Row(tuple(x for item in row.items for x in _in_line(item, widest)))


def _in_line(item: Node, widest: float) -> Iterator[Node]:
    """A wide torseur {R; M} or fraction in the line; everything else as it is."""
    match item:
        case Script(Grid("Bmatrix", rows), below, above) if all(len(r) == 1 for r in rows):
            yield _bracket("{")
            for k, (cell,) in enumerate(rows):
                if k:
                    yield from (Sign(";", "operator", ";"), Space(1.0, r"\quad"))
                yield from cell.items
            yield Script(_bracket("}"), below, above)
        case Fraction(above, below) if width(item) > max(widest / 2, NARROW):
            yield from _beside(_flat(_row(above), widest / 2), several=_is_sum)
            yield Sign("/", "operator", "/")
            yield from _beside(_flat(_row(below), widest / 2), several=_is_product)
        case Root(body) if width(item) > max(widest / 2, NARROW):
            yield Script(Fence("(", ")", _flat(_row(body), widest / 2)), None, _HALF)
        case Fence(left, right, body):
            yield Fence(left, right, _flat(body, widest / 2))
        case Script(Fence(left, right, body), below, above):
            yield Script(Fence(left, right, _flat(body, widest / 2)), below, above)
        case _:
            yield item


def _beside(row: Row, several: Callable[[Row], bool]) -> Iterator[Node]:
    """One side of a fraction in the line, in brackets where it has several parts."""
    if several(row):
        yield Fence("(", ")", row)
    else:
        yield from row.items


def _is_sum(row: Row) -> bool:
    return any(map(_is_break, row.items))


def _is_product(row: Row) -> bool:
    return sum(not isinstance(item, Space) for item in row.items) > 1


def _row(node: Node) -> Row:
    return node if isinstance(node, Row) else Row((node,))
