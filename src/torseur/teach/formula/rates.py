r"""Derivatives with respect to time, however they are written, marked in the tokens of a formula.

`dtheta/dt`, `d²theta/dt²`, `d(m*v)/dt`, `d/dt(m*v)`, `\frac{d^2\theta}{dt^2}` and
`\frac{\mathrm d}{\mathrm dt}(…)` become a token `rate` before what is differentiated;
`^{\prime\prime}` is two primes, and `theta(t)` is theta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from torseur.teach.formula.tokens import Token

FRACTIONS = ("frac", "dfrac", "tfrac", "cfrac")
_CLOSING = {"(": ")", "{": "}"}


def with_rates(found: list[Token]) -> list[Token]:
    """The tokens with each derivative as `rate { what }`, or `rate` before what follows."""
    return _rates(_primes(_of_time(found)))


def _is(found: list[Token], at: int, kind: str, text: str | None = None) -> bool:
    inside = 0 <= at < len(found) and found[at].kind == kind
    return inside and (text is None or found[at].text == text)


def _of_time(found: list[Token]) -> list[Token]:
    """`theta(t)` and `theta''[t]` are theta and theta''."""
    made: list[Token] = []
    at = 0
    while at < len(found):
        made.append(found[at])
        at += 1
        named = made[-1].kind in ("name", "prime")
        if named and _is(found, at, "(") and _is(found, at + 1, "name", "t"):
            at += 3 if _is(found, at + 2, ")") else 0
    return made


def _primes(found: list[Token]) -> list[Token]:
    r"""`^{\prime\prime}` and `^\prime` as one token."""
    made: list[Token] = []
    at = 0
    while at < len(found):
        braced = _is(found, at + 1, "{")
        end = at + 2 if braced else at + 1
        dots = 0
        while _is(found, at, "^") and _is(found, end, "prime"):
            dots += found[end].dots
            end += 1
        if dots and (not braced or _is(found, end, "}")):
            made.append(Token("prime", "'", found[at].place, dots))
            at = end + braced
        else:
            made.append(found[at])
            at += 1
    return made


# --- quotients of differentials -------------------------------------------------------------------


@final
@dataclass(frozen=True)
class _Differential:
    """d or d^n: its order, what is written together with it, and where what follows starts."""

    order: int
    glued: Token | None
    end: int


def _differential(found: list[Token], at: int) -> _Differential | None:
    braced = _is(found, at, "{") and _is(found, at + 1, "name", "d") and _is(found, at + 2, "}")
    token = found[at + braced] if at + braced < len(found) else None
    if token is None or token.kind != "name" or not token.text.startswith("d"):
        return None
    if token.text == "d" and not token.dots:
        order, end = _exponent(found, at + (3 if braced else 1))
        return _Differential(order, None, end)
    rest = token.text[1:]
    order = 1
    if rest[:1].isdigit() and rest[1:]:  # d2theta
        order, rest = int(rest[0]), rest[1:]
    return _Differential(order, Token("name", rest, token.place + 1, token.dots), at + 1)


def _exponent(found: list[Token], at: int) -> tuple[int, int]:
    """The whole number after a `^`, 1 if there is none, and where what follows starts."""
    braced = _is(found, at + 1, "{")
    inner = at + 1 + braced
    if not _is(found, at, "^") or not _is(found, inner, "number"):
        return 1, at
    if not found[inner].text.isdigit() or (braced and not _is(found, inner + 1, "}")):
        return 1, at
    return int(found[inner].text[:2]), inner + 1 + braced


def _of_seconds(found: list[Token], at: int) -> tuple[int, int] | None:
    """The order of dt, dt^n or dt2 and where what follows starts; None if it is something else."""
    d = _differential(found, at)
    if d is None or d.order != 1:
        return None
    end = d.end
    if d.glued is None:
        if not _is(found, end, "name", "t"):
            return None
        return _exponent(found, end + 1)
    if d.glued.text == "t":
        return _exponent(found, end)
    digits = d.glued.text[1:]
    return (int(digits[:2]), end) if d.glued.text[0] == "t" and digits.isdigit() else None


def _closed(found: list[Token], at: int) -> int | None:
    """Where the bracket that opens here closes."""
    opening, closing, depth = found[at].kind, _CLOSING[found[at].kind], 0
    for k in range(at, len(found)):
        depth += (found[k].kind == opening) - (found[k].kind == closing)
        if not depth:
            return k
    return None


def _rates(found: list[Token]) -> list[Token]:
    made: list[Token] = []
    at = 0
    while at < len(found):
        read = _fraction(found, at) or _quotient(found, at)
        if read is None:
            made.append(found[at])
            at += 1
            continue
        order, inner, end = read
        made.append(Token("rate", "d/dt", found[at].place, order))
        if inner:
            place = inner[0].place
            made += [Token("{", "{", place), *_rates(inner), Token("}", "}", place)]
        at = end
    return made


def _fraction(found: list[Token], at: int) -> tuple[int, list[Token], int] | None:
    r"""\frac{d what}{dt}: its order, what is differentiated, and where what follows starts."""
    if not (_is(found, at, "command") and found[at].text in FRACTIONS and _is(found, at + 1, "{")):
        return None
    middle = _closed(found, at + 1)
    if middle is None or not _is(found, middle + 1, "{"):
        return None
    end = _closed(found, middle + 1)
    above, below = _differential(found, at + 2), _of_seconds(found, middle + 2)
    if end is None or above is None or below != (above.order, end):
        return None
    glued = [] if above.glued is None else [above.glued]
    return above.order, [*glued, *found[above.end : middle]], end + 1


def _quotient(found: list[Token], at: int) -> tuple[int, list[Token], int] | None:
    """dtheta/dt, d(what)/dt or d/dt on a line."""
    above = _differential(found, at)
    if above is None:
        return None
    start = end = above.end
    if above.glued is None and _is(found, start, "("):
        closed = _closed(found, start)
        end = start if closed is None else closed + 1
    elif above.glued is None and _is(found, start, "name"):
        end = start + 1
    while _is(found, end, "prime") or (_is(found, end, "_") and not _is(found, end + 1, "{")):
        end += 1 if _is(found, end, "prime") else 2
    if not _is(found, end, "/"):
        return None
    enclosed = _is(found, end + 1, "(")
    below = _of_seconds(found, end + 1 + enclosed)
    if below is None or below[0] != above.order or (enclosed and not _is(found, below[1], ")")):
        return None
    glued = [] if above.glued is None else [above.glued]
    return above.order, [*glued, *found[start:end]], below[1] + enclosed
