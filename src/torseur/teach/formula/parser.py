r"""From tokens to the tree of a formula.

Products may be written without a sign (`m g l`), functions without parentheses (`sin theta`,
`\sin^2\theta`). A function without parentheses takes one factor, with a number before it if there
is one: `sin 2 theta`. `d/dt` without parentheses takes the rest of its term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import final

from torseur.language.text.arithmetic import ARGUMENTS
from torseur.teach.formula.nodes import Node, number, number_of, pair, product_of
from torseur.teach.formula.rates import FRACTIONS, with_rates
from torseur.teach.formula.tokens import (
    CONSTANTS,
    FUNCTIONS,
    FormulaError,
    KnownNames,
    Token,
    is_between_points,
    is_latex,
    plain,
    tokens,
)
from torseur.words.sentence import say

MOST_TOKENS = 600  # brackets not counted
_BRACKETS = ("(", ")", "{", "}")
_DEEPEST = 60  # brackets in brackets
_END = Token("end", "", 0)
_OVER, _LONGEST_NAME = {"dot": 1, "ddot": 2}, 60  # dots over a name, and its characters
_GLUED = "glued"  # a product of letters written together


def parse_formula(text: str, names: KnownNames) -> tuple[Node, tuple[str, ...]]:
    """The tree of a formula, and how letters written together were read."""
    signs_read = tokens(text)
    signs = [token for token in signs_read if token.kind not in _BRACKETS]
    if len(signs) > MOST_TOKENS:
        problem = say(
            "the formula has {number} signs, more than {most_tokens}.", len(signs), MOST_TOKENS
        )
        raise FormulaError(problem, signs[MOST_TOKENS].place)
    reader = _Parser(with_rates(signs_read), names, is_latex(text), len(text))
    return reader.formula(), tuple(reader.notices)


@final
class _Parser:
    def __init__(self, pieces: list[Token], names: KnownNames, latex: bool, length: int) -> None:
        self._tokens = pieces
        self._at = 0
        self._names = names
        self._latex = latex
        self._length = length
        self._depth = 0
        self.notices: list[str] = []

    # --- tokens -----------------------------------------------------------------------------------

    @property
    def _now(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else _END

    def _take(self) -> Token:
        token = self._now
        self._at += 1
        return token

    def _is(self, *kinds: str) -> bool:
        return self._now.kind in kinds

    def _expect(self, kind: str, opened: Token) -> None:
        if not self._is(kind):
            raise FormulaError(
                say('"{opened}" is not closed by "{kind}".', opened.text, kind), opened.place
            )
        self._take()

    # --- rules ------------------------------------------------------------------------------------

    def formula(self) -> Node:
        """sum [= sum]."""
        left = self._sum()
        if self._is("="):
            place = self._take().place
            left = Node("equal", (left, self._sum()), None, place)
        if not self._is("end"):
            token = self._now
            if token.kind == "=":
                raise FormulaError('there is more than one "=".', token.place)
            raise FormulaError(say('"{token}" is not expected here.', token.text), token.place)
        return left

    def _sum(self) -> Node:
        terms = [self._term()]
        while self._is("+", "-"):
            sign = self._take()
            term = self._term()
            terms.append(term if sign.kind == "+" else Node("neg", (term,), None, sign.place))
        return terms[0] if len(terms) == 1 else Node("add", tuple(terms), None, terms[0].place)

    def _signed(self, rule: Callable[[], Node]) -> Node:
        """Node of a rule, with optional signs before it."""
        if not self._is("+", "-"):
            return rule()
        sign = self._take()
        inner = self._signed(rule)
        return inner if sign.kind == "+" else Node("neg", (inner,), None, sign.place)

    def _term(self) -> Node:
        return self._signed(self._product)

    def _product(self) -> Node:
        """Factors between operators, or one after the other."""
        product = self._factor()
        while True:
            if self._is("*", "/", "cross"):
                kind = {"*": "mul", "/": "div", "cross": "cross"}[self._take().kind]
                other = self._signed(self._factor)
                product = (
                    product_of(product, other) if kind == "mul" else pair(kind, product, other)
                )
            elif self._is("number", "name", "function", "command", "rate", "(", "{"):
                product = product_of(product, self._factor())
            else:
                return product

    def _factor(self) -> Node:
        base = self._atom()
        while self._is("^"):
            sign = self._take()
            exponent = self._exponent()
            if base.value == _GLUED:  # ml^2 is m l^2
                *first, last = base.args
                raised = Node("pow", (last, exponent), None, sign.place)
                base = Node("mul", (*first, raised), None, base.place)
            else:
                base = Node("pow", (base, exponent), None, base.place)
        return base

    def _exponent(self) -> Node:
        return self._signed(self._power)

    def _power(self) -> Node:
        """a^b^c is a^(b^c)."""
        base = self._atom()
        if self._is("^"):
            self._take()
            return pair("pow", base, self._exponent())
        return base

    def _atom(self) -> Node:
        token = self._take()
        match token.kind:
            case "number":
                return number_of(token)
            case "(" | "{":
                return self._enclosed(token)
            case "|":
                inner = self._sum()
                self._expect("|", token)
                return Node("norm", (inner,), None, token.place)
            case "function":
                return self._call(token)
            case "command":
                return self._command(token)
            case "rate":
                return self._rate(token)
            case "name":
                return self._name(token)
            case "end":
                raise FormulaError("the formula is not complete.", self._length + 1)
        raise FormulaError(say('"{token}" is not expected here.', token.text), token.place)

    def _enclosed(self, opened: Token) -> Node:
        parts = self._listed(opened)
        if len(parts) == 1:
            return parts[0]
        if len(parts) != 3:
            raise FormulaError(
                say("a vector has 3 components, not {number}.", len(parts)), opened.place
            )
        return Node("tuple", tuple(parts), None, opened.place)

    def _listed(self, opened: Token) -> list[Node]:
        """Arguments between brackets, separated by commas."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FormulaError(
                say("more than {deepest} brackets are open.", _DEEPEST), opened.place
            )
        parts = [self._sum()]
        while self._is(",", ";"):
            self._take()
            parts.append(self._sum())
        self._expect({"(": ")", "{": "}"}[opened.kind], opened)
        self._depth -= 1
        return parts

    def _call(self, token: Token) -> Node:
        power = None
        if self._is("^"):
            self._take()
            power = self._exponent()
        parts = self._arguments(token)
        if power is not None and str(power) == "-1":
            name = token.text
            problem = say('"{name}^-1" is ambiguous: write arc{name} or 1/{name}.', name)
            raise FormulaError(problem, token.place)
        call = Node("call", parts, token.text, token.place)
        return call if power is None else Node("pow", (call, power), None, token.place)

    def _arguments(self, function: Token) -> tuple[Node, ...]:
        """Arguments of a function; a single one needs no brackets."""
        count, enclosed = ARGUMENTS[function.text], self._is("(", "{")
        if count == 1:
            inner = self._enclosed(self._take()) if enclosed else self._bare_argument(function)
            return (inner,)
        parts = self._listed(self._take()) if enclosed else []
        if len(parts) != count:
            given, name = len(parts), function.text
            problem = say("{name} takes {count} arguments, not {given}.", name, count, given)
            raise FormulaError(problem, function.place)
        return tuple(parts)

    def _bare_argument(self, function: Token) -> Node:
        """An optional number and one factor."""
        if self._is("number"):
            lead = self._factor()
            if self._is("name", "command"):
                return Node("mul", (lead, self._factor()), None, lead.place)
            return lead
        if not self._is("name", "command"):
            raise FormulaError(say("{function} has no argument.", function.text), function.place)
        return self._factor()

    def _command(self, token: Token) -> Node:
        if token.text in FRACTIONS:
            above, below = self._group(), self._group()
            return Node("div", (above, below), None, token.place)
        if token.text == "sqrt":
            return self._root(token)
        if token.text in _OVER:
            return self._dotted(token, _OVER[token.text])
        return self._vector(token)

    def _group(self) -> Node:
        r"""Content of braces, or the next single token: of \frac12 or \frac bm, the first sign."""
        if self._is("{"):
            return self._enclosed(self._take())
        token = self._now
        splits = token.kind == "number" or (token.kind == "name" and self._latex)
        if splits and len(token.text) > 1 and not token.single:
            rest = replace(token, text=token.text[1:], place=token.place + 1)
            self._tokens[self._at : self._at + 1] = [
                replace(token, text=token.text[0], dots=0),
                rest,
            ]
        return self._atom()

    def _root(self, token: Token) -> Node:
        r"""\sqrt{x}, or \sqrt[3]{x}."""
        if self._now.text != "[":
            return Node("call", (self._group(),), "sqrt", token.place)
        order = self._enclosed(self._take())
        exponent = Node("div", (number(1, order.place), order), None, order.place)
        return Node("pow", (self._group(), exponent), None, token.place)

    def _rate(self, token: Token) -> Node:
        """Operand of a derivative: in brackets, or the rest of the term."""
        enclosed = self._is("(", "{")
        inner = self._enclosed(self._take()) if enclosed else self._term()
        if inner.kind == "symbol":
            known = self._names.find(inner.value + "." * token.dots)
            if known is not None:
                return Node("symbol", (), known, token.place)
        return Node("rate", (inner,), token.dots, token.place)

    def _dotted(self, token: Token, dots: int) -> Node:
        r"""\dot{q}_1, \dot q_1 and \dot{q_1} are the same."""
        braces = 0
        while self._is("{"):
            self._take()
            braces += 1
        if self._is("command") and self._now.text in _OVER:
            inner = self._take()
            node = self._dotted(inner, dots + _OVER[inner.text])
            self._close(braces, token)
            return node
        name = self._take()
        if name.kind != "name":
            raise FormulaError(
                say("a dot stands over a name, not over {name}.", repr(name.text)), token.place
            )
        subscript = self._subscript()
        self._close(braces, token)
        subscript = subscript or self._subscript()
        return self._known(name.text + subscript, name.dots + dots + self._primes(), token.place)

    def _close(self, braces: int, opened: Token) -> None:
        for _ in range(braces):
            self._expect("}", opened)

    def _primes(self) -> int:
        dots = 0
        while self._is("prime"):
            dots += self._take().dots
        return dots

    def _vector(self, token: Token) -> Node:
        """Name under an arrow: letters, with a subscript."""
        braced = self._is("{", "(")
        opened = self._take() if braced else token
        written = ""
        while self._is("name", "number", "_", "{", "/"):
            written += self._braced() if self._is("{") else self._take().text
        if braced:
            self._expect({"{": "}", "(": ")"}[opened.kind], opened)
        written += self._subscript() if not self._is("end") else ""
        if not written:
            raise FormulaError("the arrow has no name under it.", token.place)
        return Node("vector", (), plain(written), token.place)

    def _subscript(self) -> str:
        if not self._is("_"):
            return ""
        self._take()
        return self._braced() if self._is("{") else self._take().text

    def _braced(self) -> str:
        """The text between braces, without those within it: a subscript may have its own."""
        opened, written = self._take(), ""
        while not self._is("}", "end"):
            written += self._braced() if self._is("{") else self._take().text
        self._expect("}", opened)
        return written

    # --- names ------------------------------------------------------------------------------------

    def _name(self, token: Token) -> Node:
        before = self._subscript()
        if token.text + before == "vec" and self._is("("):
            return self._vector(token)
        dots = token.dots + self._primes()
        text = token.text + (before or self._subscript())
        return self._known(text + self._digits(token, text, dots), dots, token.place)

    def _digits(self, token: Token, text: str, dots: int) -> str:
        """LaTeX has no digits in a name; C1 is one all the same if C alone is none."""
        after = self._now
        touching = after.kind == "number" and after.place == token.place + len(text)
        if not self._latex or dots or not touching or self._names.find(text) is not None:
            return ""
        return self._take().text if self._names.find(text + after.text) is not None else ""

    def _known(self, text: str, dots: int, place: int) -> Node:
        """A known name; letters that are known names; otherwise something unknown."""
        known = self._names.find(text + "." * dots)
        if known is not None:
            return Node("symbol", (), known, place)
        if text.lower() in CONSTANTS:  # Pi in Mathematica
            return Node("call", (), "pi", place)
        if not dots and plain(text) in self._names.vectors:
            return Node("vector", (), plain(text), place)
        if len(text) > _LONGEST_NAME:
            return Node("unknown", (), f"{text[:_LONGEST_NAME]}…", place)
        pieces = self._names.split(text) if not dots else None
        if pieces is None and dots:
            pieces = self._last_dotted(text, dots)
        if pieces is None:
            return self._glued_function(text, dots, place)
        if not self._latex:
            self.notices.append(say('"{text}" was read as {pieces}', text, "*".join(pieces)))
        return Node("mul", tuple(Node("symbol", (), x, place) for x in pieces), _GLUED, place)

    def _last_dotted(self, text: str, dots: int) -> list[str] | None:
        """Letters of which the last carry the dots: `ml'`."""
        for start in range(1, len(text)):
            last = self._names.find(text[start:] + "." * dots)
            before = self._names.split(text[:start])
            if last is not None and before:
                return [*before, last]
        return None

    def _glued_function(self, text: str, dots: int, place: int) -> Node:
        """`sintheta` is sin(theta)."""
        for word in sorted(FUNCTIONS, key=len, reverse=True):
            alone = ARGUMENTS[FUNCTIONS[word]] == 1
            if alone and text.startswith(word) and len(text) > len(word):
                known = self._names.find(text[len(word) :] + "." * dots)
                if known is not None:
                    inner = Node("symbol", (), known, place)
                    return Node("call", (inner,), FUNCTIONS[word], place)
        is_vector = not dots and is_between_points(text)
        value = plain(text) if is_vector else text + "." * dots
        return Node("vector" if is_vector else "unknown", (), value, place)
