r"""From tokens to the tree of a formula.

Products may be written without a sign (`m g l`), functions without parentheses (`sin theta`,
`\sin^2\theta`). A function without parentheses takes one factor, with a number before it if there
is one: `sin 2 theta`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import final

from torseur.told.formula.names import CONSTANTS, FUNCTIONS, KnownNames
from torseur.told.formula.nodes import Node, number
from torseur.told.formula.tokens import FormulaError, Token, is_latex, tokens

MOST_TOKENS = 600
_DEEPEST = 60  # brackets in brackets
_END = Token("end", "", 0)
_FRACTIONS = ("frac", "dfrac", "tfrac")
_LONGEST_NUMBER = 40  # characters
_GLUED = "glued"  # a product of letters written together


def parse_formula(text: str, names: KnownNames) -> tuple[Node, tuple[str, ...]]:
    """The tree of a formula, and how letters written together were read."""
    found = tokens(text)
    if len(found) > MOST_TOKENS:
        problem = f"the formula has {len(found)} signs, more than {MOST_TOKENS}."
        raise FormulaError(problem, found[MOST_TOKENS].place)
    reader = _Parser(found, names, is_latex(text), len(text))
    return reader.formula(), tuple(reader.notices)


def _number(token: Token) -> Node:
    if len(token.text) > _LONGEST_NUMBER or not 1e-300 < abs(float(token.text) or 1.0) < 1e300:
        raise FormulaError(f'the number "{token.text[:20]}" is out of range.', token.place)
    return number(Fraction(token.text), token.place)


def _product(left: Node, right: Node) -> Node:
    """Factors in a row are one product, however many."""
    before = left.args if left.kind == "mul" else (left,)
    return Node("mul", (*before, right), None, left.place)


def _pair(kind: str, left: Node, right: Node) -> Node:
    return Node(kind, (left, right), None, left.place)


@final
class _Parser:
    def __init__(self, found: list[Token], names: KnownNames, latex: bool, length: int) -> None:
        self._tokens = found
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
            raise FormulaError(f'"{opened.text}" is not closed by "{kind}".', opened.place)
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
            raise FormulaError(f'"{token.text}" is not expected here.', token.place)
        return left

    def _sum(self) -> Node:
        terms = [self._term()]
        while self._is("+", "-"):
            sign = self._take()
            term = self._term()
            terms.append(term if sign.kind == "+" else Node("neg", (term,), None, sign.place))
        return terms[0] if len(terms) == 1 else Node("add", tuple(terms), None, terms[0].place)

    def _term(self) -> Node:
        if self._is("+", "-"):
            sign = self._take()
            term = self._term()
            return term if sign.kind == "+" else Node("neg", (term,), None, sign.place)
        made = self._factor()
        while True:
            if self._is("*", "/", "cross"):
                sign = self._take()
                if self._is("-"):
                    minus = self._take()
                    other = Node("neg", (self._factor(),), None, minus.place)
                else:
                    other = self._factor()
                kind = {"*": "mul", "/": "div", "cross": "cross"}[sign.kind]
                made = _product(made, other) if kind == "mul" else _pair(kind, made, other)
            elif self._starts_factor():
                made = _product(made, self._factor())
            else:
                return made

    def _starts_factor(self) -> bool:
        return self._is("number", "name", "function", "command", "(", "{")

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
        if self._is("-", "+"):
            sign = self._take()
            inner = self._exponent()
            return inner if sign.kind == "+" else Node("neg", (inner,), None, sign.place)
        base = self._atom()
        if self._is("^"):  # a^b^c is a^(b^c)
            self._take()
            return _pair("pow", base, self._exponent())
        return base

    def _atom(self) -> Node:
        token = self._take()
        match token.kind:
            case "number":
                return _number(token)
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
            case "name":
                return self._name(token)
            case "end":
                raise FormulaError("the formula is not complete.", self._length + 1)
        raise FormulaError(f'"{token.text}" is not expected here.', token.place)

    def _enclosed(self, opened: Token) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FormulaError(f"more than {_DEEPEST} brackets are open.", opened.place)
        parts = [self._sum()]
        while self._is(",", ";"):
            self._take()
            parts.append(self._sum())
        self._expect({"(": ")", "{": "}"}[opened.kind], opened)
        self._depth -= 1
        if len(parts) == 1:
            return parts[0]
        if len(parts) != 3:
            raise FormulaError(f"a vector has 3 components, not {len(parts)}.", opened.place)
        return Node("tuple", tuple(parts), None, opened.place)

    def _call(self, token: Token) -> Node:
        power = None
        if self._is("^"):
            self._take()
            power = self._exponent()
        enclosed = self._is("(", "{")
        inner = self._enclosed(self._take()) if enclosed else self._bare_argument(token)
        if power is not None and str(power) == "-1":
            name = token.text
            problem = f'"{name}^-1" is ambiguous: write arc{name} or 1/{name}.'
            raise FormulaError(problem, token.place)
        made = Node("call", (inner,), token.text, token.place)
        return made if power is None else Node("pow", (made, power), None, token.place)

    def _bare_argument(self, function: Token) -> Node:
        """An optional number and one factor."""
        if self._is("number"):
            lead = self._factor()
            if self._is("name", "command"):
                return Node("mul", (lead, self._factor()), None, lead.place)
            return lead
        if not self._is("name", "command"):
            raise FormulaError(f"{function.text} has no argument.", function.place)
        return self._factor()

    def _command(self, token: Token) -> Node:
        if token.text in _FRACTIONS:
            above, below = self._group(), self._group()
            return Node("div", (above, below), None, token.place)
        if token.text == "sqrt":
            return Node("call", (self._group(),), "sqrt", token.place)
        if token.text in ("dot", "ddot"):
            return self._dotted(token, 1 if token.text == "dot" else 2)
        return self._vector(token)

    def _group(self) -> Node:
        """What is in braces, or the next single thing."""
        if self._is("{"):
            return self._enclosed(self._take())
        return self._atom()

    def _dotted(self, token: Token, dots: int) -> Node:
        r"""\dot{q}_1, \dot q_1 and \dot{q_1} are the same."""
        braced = self._is("{")
        if braced:
            self._take()
        name = self._take()
        if name.kind != "name":
            raise FormulaError(f"a dot stands over a name, not over {name.text!r}.", token.place)
        subscript = self._subscript()
        if braced:
            self._expect("}", token)
        subscript = subscript or self._subscript()
        return self._known(name.text + subscript, name.dots + dots, token.place)

    def _vector(self, token: Token) -> Node:
        """What stands under an arrow: letters, with a subscript."""
        braced = self._is("{", "(")
        opened = self._take() if braced else token
        written = ""
        while self._is("name", "number", "_", "{", "/"):
            part = self._take()
            written += part.text if part.kind != "{" else ""
            if part.kind == "{":
                while not self._is("}", "end"):
                    written += self._take().text
                self._expect("}", part)
        if braced:
            self._expect({"{": "}", "(": ")"}[opened.kind], opened)
        written += self._subscript() if not self._is("end") else ""
        if not written:
            raise FormulaError("nothing stands under the arrow.", token.place)
        return Node("vector", (), written.replace("_", ""), token.place)

    def _subscript(self) -> str:
        if not self._is("_"):
            return ""
        self._take()
        if not self._is("{"):
            return self._take().text
        opened, written = self._take(), ""
        while not self._is("}", "end"):
            written += self._take().text
        self._expect("}", opened)
        return written

    # --- names ------------------------------------------------------------------------------------

    def _name(self, token: Token) -> Node:
        text = token.text + self._subscript()
        if text == "vec" and self._is("("):
            return self._vector(token)
        dots = token.dots
        if self._latex and self._is("'"):
            self._take()
            dots += 1
        return self._known(text, dots, token.place)

    def _known(self, text: str, dots: int, place: int) -> Node:
        """A known name; letters that are known names; otherwise something unknown."""
        found = self._names.find(text + "." * dots)
        if found is not None:
            return Node("symbol", (), found, place)
        if text in CONSTANTS:
            return Node("call", (), "pi", place)
        pieces = self._names.split(text) if not dots else None
        if pieces is None and dots:
            pieces = self._last_dotted(text, dots)
        if pieces is None:
            return self._glued_function(text, dots, place)
        if not self._latex:
            self.notices.append(f'"{text}" was read as {"*".join(pieces)}')
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
            if text.startswith(word) and len(text) > len(word):
                found = self._names.find(text[len(word) :] + "." * dots)
                if found is not None:
                    inner = Node("symbol", (), found, place)
                    return Node("call", (inner,), FUNCTIONS[word], place)
        return Node("unknown", (), text + "." * dots, place)
