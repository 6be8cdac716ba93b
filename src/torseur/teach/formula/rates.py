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


def with_rates(tokens: list[Token]) -> list[Token]:
    """The tokens with each derivative as `rate { what }`, or `rate` before what follows."""
    return _rates(_primes(_of_time(tokens)))


def _is(tokens: list[Token], at: int, kind: str, text: str | None = None) -> bool:
    inside = 0 <= at < len(tokens) and tokens[at].kind == kind
    return inside and (text is None or tokens[at].text == text)


def _of_time(tokens: list[Token]) -> list[Token]:
    """`theta(t)` and `theta''[t]` are theta and theta''."""
    rest: list[Token] = []
    at = 0
    while at < len(tokens):
        rest.append(tokens[at])
        at += 1
        named = rest[-1].kind in ("name", "prime")
        if named and _is(tokens, at, "(") and _is(tokens, at + 1, "name", "t"):
            at += 3 if _is(tokens, at + 2, ")") else 0
    return rest


def _primes(tokens: list[Token]) -> list[Token]:
    r"""`^{\prime\prime}` and `^\prime` as one token."""
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        braced = _is(tokens, at + 1, "{")
        end = at + 2 if braced else at + 1
        dots = 0
        while _is(tokens, at, "^") and _is(tokens, end, "prime"):
            dots += tokens[end].dots
            end += 1
        if dots and (not braced or _is(tokens, end, "}")):
            joined.append(Token("prime", "'", tokens[at].place, dots))
            at = end + braced
        else:
            joined.append(tokens[at])
            at += 1
    return joined


# --- quotients of differentials -------------------------------------------------------------------


@final
@dataclass(frozen=True)
class _Differential:
    """d or d^n: its order, what is written together with it, and where what follows starts."""

    order: int
    glued: Token | None
    end: int


def _differential(tokens: list[Token], at: int) -> _Differential | None:
    braced = _is(tokens, at, "{") and _is(tokens, at + 1, "name", "d") and _is(tokens, at + 2, "}")
    token = tokens[at + braced] if at + braced < len(tokens) else None
    if token is None or token.kind != "name" or not token.text.startswith("d"):
        return None
    if token.text == "d" and not token.dots:
        order, end = _exponent(tokens, at + (3 if braced else 1))
        return _Differential(order, None, end)
    rest = token.text[1:]
    order = 1
    if rest[:1].isdigit() and rest[1:]:  # d2theta
        order, rest = int(rest[0]), rest[1:]
    return _Differential(order, Token("name", rest, token.place + 1, token.dots), at + 1)


def _exponent(tokens: list[Token], at: int) -> tuple[int, int]:
    """The whole number after a `^`, 1 if there is none, and where what follows starts."""
    braced = _is(tokens, at + 1, "{")
    inner = at + 1 + braced
    if not _is(tokens, at, "^") or not _is(tokens, inner, "number"):
        return 1, at
    if not tokens[inner].text.isdigit() or (braced and not _is(tokens, inner + 1, "}")):
        return 1, at
    return int(tokens[inner].text[:2]), inner + 1 + braced


def _of_seconds(tokens: list[Token], at: int) -> tuple[int, int] | None:
    """The order of dt, dt^n or dt2 and where what follows starts; None if it is something else."""
    d = _differential(tokens, at)
    if d is None or d.order != 1:
        return None
    end = d.end
    if d.glued is None:
        if not _is(tokens, end, "name", "t"):
            return None
        return _exponent(tokens, end + 1)
    if d.glued.text == "t":
        return _exponent(tokens, end)
    digits = d.glued.text[1:]
    return (int(digits[:2]), end) if d.glued.text[0] == "t" and digits.isdigit() else None


def _closed(tokens: list[Token], at: int) -> int | None:
    """Where the bracket that opens here closes."""
    opening, closing, depth = tokens[at].kind, _CLOSING[tokens[at].kind], 0
    for k in range(at, len(tokens)):
        depth += (tokens[k].kind == opening) - (tokens[k].kind == closing)
        if not depth:
            return k
    return None


def _rates(tokens: list[Token]) -> list[Token]:
    marked: list[Token] = []
    at = 0
    while at < len(tokens):
        read = _fraction(tokens, at) or _quotient(tokens, at)
        if read is None:
            marked.append(tokens[at])
            at += 1
            continue
        order, inner, end = read
        marked.append(Token("rate", "d/dt", tokens[at].place, order))
        if inner:
            place = inner[0].place
            marked += [Token("{", "{", place), *_rates(inner), Token("}", "}", place)]
        at = end
    return marked


def _fraction(tokens: list[Token], at: int) -> tuple[int, list[Token], int] | None:
    r"""\frac{d what}{dt}: its order, what is differentiated, and where what follows starts."""
    if not (
        _is(tokens, at, "command") and tokens[at].text in FRACTIONS and _is(tokens, at + 1, "{")
    ):
        return None
    middle = _closed(tokens, at + 1)
    if middle is None or not _is(tokens, middle + 1, "{"):
        return None
    end = _closed(tokens, middle + 1)
    above, below = _differential(tokens, at + 2), _of_seconds(tokens, middle + 2)
    if end is None or above is None or below != (above.order, end):
        return None
    glued = [] if above.glued is None else [above.glued]
    return above.order, [*glued, *tokens[above.end : middle]], end + 1


def _quotient(tokens: list[Token], at: int) -> tuple[int, list[Token], int] | None:
    """dtheta/dt, d(what)/dt or d/dt on a line."""
    above = _differential(tokens, at)
    if above is None:
        return None
    start = end = above.end
    if above.glued is None and _is(tokens, start, "("):
        closed = _closed(tokens, start)
        end = start if closed is None else closed + 1
    elif above.glued is None and _is(tokens, start, "name"):
        end = start + 1
    while _is(tokens, end, "prime") or (_is(tokens, end, "_") and not _is(tokens, end + 1, "{")):
        end += 1 if _is(tokens, end, "prime") else 2
    if not _is(tokens, end, "/"):
        return None
    enclosed = _is(tokens, end + 1, "(")
    below = _of_seconds(tokens, end + 1 + enclosed)
    if below is None or below[0] != above.order or (enclosed and not _is(tokens, below[1], ")")):
        return None
    glued = [] if above.glued is None else [above.glued]
    return above.order, [*glued, *tokens[start:end]], below[1] + enclosed
