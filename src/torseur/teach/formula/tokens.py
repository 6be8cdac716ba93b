r"""A formula cut into tokens: the same for plain text, LaTeX and Mathematica.

`theta''` and `theta..` become the name theta with two dots, `\frac` keeps its braces, brackets of
Mathematica are parentheses, a column (`\begin{pmatrix}`) is a list of components.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import final

from torseur.algebra.printing.names import GREEK
from torseur.words.sentence import say


class FormulaError(Exception):
    """The formula cannot be read; `place` is the column."""

    def __init__(self, problem: str, place: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place


@final
@dataclass(frozen=True)
class Token:
    r"""A piece of a formula: its kind, its text, the column where it starts."""

    kind: str  # number, name, function, command, prime, rate, or the sign itself
    text: str
    place: int
    dots: int = 0
    single: bool = False  # a name that is one sign, such as \theta


_SIGNS = {
    "−": "-", "–": "-", "·": "*", "⋅": "*", "×": "cross", "∧": "cross", "⋀": "cross", "÷": "/",
    "[": "(", "]": ")", "≡": "=",
}  # fmt: skip
_POWERS = {"⁰": 0, "¹": 1, "²": 2, "³": 3, "⁴": 4, "⁵": 5, "⁶": 6, "⁷": 7, "⁸": 8, "⁹": 9}
_FRACTIONS = {"½": "(1/2)", "⅓": "(1/3)", "¼": "(1/4)", "¾": "(3/4)", "⅔": "(2/3)"}
_DOTS = {"\u0307": 1, "\u0308": 2, "\u20db": 3}  # combining dot, two dots, three dots
_PRIMES = {"'": 1, "′": 1, "’": 1, '"': 2, "″": 2, "”": 2, "‴": 3} | _DOTS
_IGNORED = {"left", "right", "displaystyle", "textstyle", "quad", "qquad", "mathrm", "mathbf",
            "mathit", "mathcal", "mathsf", "text", "big", "Big", "limits", "operatorname", "bigl",
            "bigr", "rm"}  # fmt: skip
_COMMANDS = {"frac", "dfrac", "tfrac", "cfrac", "sqrt", "dot", "ddot", "vec", "overrightarrow",
             "overline", "boldsymbol"}  # fmt: skip
_MEANINGS = {"cdot": "*", "ast": "*", "times": "cross", "wedge": "cross", "land": "cross",
             "div": "/", "lbrace": "(", "rbrace": ")", "lbrack": "(", "rbrack": ")", "vert": "|",
             "lvert": "|", "rvert": "|", "Vert": "|"}  # fmt: skip
_SINGLE = {"|": "|", "{": "(", "}": ")", "\\": ","}  # after a backslash; a line of a column ends so
_NUMBER = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[^\W\d_][^\W⁰¹²³⁴⁵⁶⁷⁸⁹½⅓¼¾⅔]*")
_TAIL = re.compile(r"[^\W⁰¹²³⁴⁵⁶⁷⁸⁹½⅓¼¾⅔]+")  # of a word whose first letter has dots
_AFTER_BACKSLASH = re.compile(r"\\([A-Za-z]+)|\\(.)", re.DOTALL)
_UPRIGHT = re.compile(r"\\(?:math[a-z]+|text|operatorname) ?\{ ?([A-Za-z]+) ?\}")  # \mathrm{lam}
_COLUMN = re.compile(r"\\(begin|end) ?\{([pbv]?matrix|array)\}(?:\{[lcr]{1,9}\})?")
_DOTS_BEFORE_INDEX = re.compile(r"([\u0307\u0308\u20db]+)([₀-₉]+|_\w+)")  # θ̈₁, q̈_j
LONGEST = 5000  # characters


def is_latex(text: str) -> bool:
    """Whether a formula is written in LaTeX."""
    return "\\" in text or re.search(r"[\^_]\{", text) is not None


def check_length(text: str) -> None:
    """Refuse a text that is too long to be a formula."""
    if len(text) > LONGEST:
        problem = say(
            "the formula has {number} characters, more than {longest}.", len(text), LONGEST
        )
        raise FormulaError(problem, LONGEST)


def tokens(text: str) -> list[Token]:
    """The tokens of a formula, in a time linear in its length."""
    check_length(text)
    latex = is_latex(text)
    text = unicodedata.normalize("NFD", _COLUMN.sub(_bracket, text.replace("$", " ")))
    text = _DOTS_BEFORE_INDEX.sub(r"\2\1", text)
    pieces: list[Token] = []
    at = 0
    while at < len(text):
        if text[at].isspace() or text[at] in "&~":
            at += 1
            continue
        token, at = _next(text, at, latex)
        pieces += token
    return pieces


def _bracket(match: re.Match[str]) -> str:
    r"""A column of components is a bracket of them; what follows keeps its place."""
    return ("(" if match[1] == "begin" else ")").ljust(len(match[0]))


def _next(text: str, at: int, latex: bool) -> tuple[list[Token], int]:
    letter, place = text[at], at + 1
    if letter in _POWERS:
        return [Token("^", "^", place), Token("number", str(_POWERS[letter]), place)], at + 1
    if letter in _FRACTIONS:
        return [replace(x, place=place) for x in tokens(_FRACTIONS[letter])], at + 1
    if letter == "√":
        return [Token("function", "sqrt", place)], at + 1
    if letter in _PRIMES:
        return [Token("prime", letter, place, _PRIMES[letter])], at + 1
    if letter == "\\":
        return _command(text, at)
    number = _NUMBER.match(text, at)
    if number:
        return [Token("number", number.group(), place)], number.end()
    word = _WORD.match(text, at)
    if word:
        return _word(text, word, latex)
    if text.startswith("**", at):
        return [Token("^", "^", place)], at + 2
    if text.startswith("==", at):
        return [Token("=", "=", place)], at + 2
    sign = _SIGNS.get(letter, letter)
    if sign in {"+", "-", "*", "/", "^", "=", "(", ")", "{", "}", ",", "|", "_", ";", "cross"}:
        return [Token(sign, letter, place)], at + 1
    raise FormulaError(say('unexpected character "{letter}".', letter), place)


def _command(text: str, at: int) -> tuple[list[Token], int]:
    r"""A word after a backslash, or a name in a font of its own; `\,` and its like are blanks."""
    upright = _UPRIGHT.match(text, at)
    if upright is not None:
        word, place = upright.group(1), upright.start(1) + 1
        kind, name = ("function", FUNCTIONS[word]) if word in FUNCTIONS else ("name", word)
        return [Token(kind, name, place, single=True)], upright.end()
    match = _AFTER_BACKSLASH.match(text, at)
    if match is None:
        raise FormulaError('"\\" stands alone.', at + 1)
    word, place = match.group(1), at + 1
    if word is None:
        sign = _SINGLE.get(match.group(2))
        return ([Token(sign, match.group(), place)] if sign else []), match.end()
    if word == "prime":
        return [Token("prime", word, place, 1)], match.end()
    if word in _IGNORED:
        return [], match.end()
    if word in _MEANINGS:
        return [Token(_MEANINGS[word], word, place)], match.end()
    if word in _COMMANDS:
        return [Token("command", word, place)], match.end()
    if word in FUNCTIONS:
        return [Token("function", FUNCTIONS[word], place)], match.end()
    return [Token("name", word, place, single=True)], match.end()


def _word(text: str, word: re.Match[str], latex: bool) -> tuple[list[Token], int]:
    """A name with its dots or primes, or a function; letters in LaTeX have no digits behind."""
    written, end, place = word.group(), word.end(), word.start() + 1
    if latex:
        written = re.match(r"[^\W\d_]+", written).group()  # type: ignore[union-attr]
        end = word.start() + len(written)
    dots = 0
    while end < len(text):
        if text[end] in _DOTS:
            dots += _DOTS[text[end]]
            end += 1
            tail = _TAIL.match(text, end)
            if tail and not latex:  # θ̇1, ṡpin: the dot stands over a letter before the others
                written, end = written + tail.group(), tail.end()
        elif text[end] in _PRIMES or (text[end] == "." and not latex):
            dots += _PRIMES.get(text[end], 1)
            end += 1
        else:
            break
    called = written.islower() or text[end : end + 1] in ("[", "(")
    if not dots and written.lower() in FUNCTIONS and called:
        return [Token("function", FUNCTIONS[written.lower()], place)], end
    return [Token("name", spelled(written), place, dots)], end


# --- formula names --------------------------------------------------------------------------------

# Meanings of the names of a formula: `\theta_1`, `θ1`, `theta_1` are all theta1.
#
# A name may carry dots (`theta.`, `\dot\theta`, `theta'`); letters written together, as in `mgl`,
# are a product if each is known.

_OWN = "sin cos tan sqrt exp log asin acos atan sinh cosh tanh abs sign max min atan2 if"
FUNCTIONS = {name: name for name in _OWN.split()} | {
    "ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sgn": "sign",
}  # fmt: skip
CONSTANTS = ("pi",)
_MOST_LETTERS = 12  # written together
_OTHERS = {"ϕ": "phi", "ϑ": "theta", "ϵ": "epsilon"}
_LETTERS = {letter: word for word, letter in GREEK.items()} | _OTHERS
_VARIANTS = {"varphi": "phi", "vartheta": "theta", "varepsilon": "epsilon", "lam": "lambda"}
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def spelled(text: str) -> str:
    """A text with Greek letters by their names and small digits as digits."""
    return "".join(_LETTERS.get(letter, letter) for letter in text.translate(_SUBSCRIPTS))


def plain(name: str) -> str:
    """The key under which a name is known: without underscores, variants of letters as one."""
    dots = len(name) - len(name.rstrip("."))
    bare = spelled(name.rstrip(".")).replace("_", "").replace("{", "").replace("}", "")
    for variant, letter in _VARIANTS.items():
        if bare == variant or re.fullmatch(rf"{variant}[\dA-Z]\w*", bare):
            bare = letter + bare.removeprefix(variant)
    return bare + "." * dots


@final
@dataclass(frozen=True)
class KnownNames:
    """The names a formula may use, and the names in the model they stand for."""

    names: Mapping[str, str] = field(default_factory=dict)  # as one may write it → in the model
    vectors: frozenset[str] = frozenset()  # vectors that may be written without an arrow

    @cached_property
    def _keys(self) -> dict[str, str]:
        keys: dict[str, str] = {}
        for written, name in self.names.items():
            keys.setdefault(plain(written), name)
        return keys

    def find(self, written: str) -> str | None:
        """The name in the model, None if nothing is called so."""
        return self.names.get(written) or self._keys.get(plain(written))

    def split(self, letters: str) -> list[str] | None:
        """Known names that make up letters written together, the longest first; None if none do."""
        if len(letters) > _MOST_LETTERS:
            return None
        best: list[list[str] | None] = [[]]  # of the last letters, by their number
        for start in range(len(letters) - 1, -1, -1):
            pieces = None
            for end in range(len(letters), start, -1):
                rest = best[len(letters) - end]
                name = None if rest is None else self.find(letters[start:end])
                if name is not None and rest is not None:
                    pieces = [name, *rest]
                    break
            best.append(pieces)
        return best[-1]

    def also(self, more: Mapping[str, str]) -> KnownNames:
        """These names, followed by others."""
        return KnownNames({**more, **self.names}, self.vectors)

    def all(self) -> Iterable[str]:
        """The names in the model."""
        return dict.fromkeys(self.names.values())


_BETWEEN_POINTS = re.compile(r"[A-Z][A-Z]\d?")


def is_between_points(name: str) -> bool:
    """Whether a name is that of a vector between points, with or without an arrow: OM, AB1."""
    return _BETWEEN_POINTS.fullmatch(name) is not None


_THIN = re.compile(r"(?<!\\)\\[,;:!]")  # spaces of LaTeX, which separate nothing

# --- statements -----------------------------------------------------------------------------------

# A text cut into its answer and the definitions beside it, with decimal commas as points.
#
# `x.. + omega_0^2 x = 0, omega_0^2 = k/m` or `… with omega_0^2 = k/m` is an answer and a
# definition; `0,5 m` is half of m. Nothing changes its column.

_OPENING, _CLOSING = "([{", ")]}"
_WORDS = re.compile(
    r"\\(?:text|mathrm|hbox|mbox) ?\{ ?(?:with|where|and|avec|où|et) ?\}"
    r"|(?<![\w\\])(?:with|where|and|avec|où|et)(?!\w)"
)


@final
@dataclass(frozen=True)
class Definition:
    """name^power = formula."""

    name: str
    power: int
    formula: str


@final
@dataclass
class _Bracket:
    """The separators that stand in a bracket, not in one within it."""

    tight: list[int] = field(default_factory=list)  # commas between two digits
    loose: list[int] = field(default_factory=list)
    semicolons: list[int] = field(default_factory=list)


def _brackets(text: str) -> Iterator[tuple[int, _Bracket]]:
    """Every bracket with its depth; the text outside all of them last, at the depth 0."""
    open_ones = [_Bracket()]
    for k, letter in enumerate(text):
        now = open_ones[-1]
        if letter in _OPENING:
            open_ones.append(_Bracket())
        elif letter in _CLOSING and len(open_ones) > 1:
            yield len(open_ones) - 1, open_ones.pop()
        elif letter == ",":
            digits = text[k - 1 : k].isdigit() and text[k + 1 : k + 2].isdigit()
            (now.tight if digits else now.loose).append(k)
        elif letter in ";\n":
            now.semicolons.append(k)
    while open_ones:
        yield len(open_ones) - 1, open_ones.pop()


def statements(text: str, *, vector: bool) -> list[str]:
    """The statements of a text, each in its columns; `vector` tells `(0,5,1)` from 0.5."""
    check_length(text)
    text = _THIN.sub("  ", text)
    text = _WORDS.sub(lambda word: ";".ljust(len(word.group())), text)
    letters, ends = list(text), list[int]()
    for depth, bracket in _brackets(text):
        separated = (
            depth and len(bracket.tight) + len(bracket.loose) == 2 and not bracket.semicolons
        )
        if not (separated and (vector or bracket.loose)):
            for k in bracket.tight:
                letters[k] = "."
        if not depth:
            ends = sorted(k for k in (*bracket.loose, *bracket.semicolons) if k < text.rfind("="))
    text = "".join(letters)
    bounds = [-1, *ends, len(text)]
    cut = [" " * (a + 1) + text[a + 1 : b] for a, b in pairwise(bounds)]
    return [part for part in cut if part.strip()] or [text]


def sides(text: str) -> tuple[str, str] | None:
    """Sides left and right of the first "=" outside brackets, each in its columns."""
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "=" and depth == 0:
            end = k + 2 if text.startswith("==", k) else k + 1
            return text[:k], " " * end + text[end:]
    return None


def definition(text: str) -> Definition | None:
    """A statement `name = formula` or `name^2 = formula`; None if it is something else."""
    pair = sides(text)
    if pair is None or not pair[1].strip():
        return None
    name, rest = _name(tokens(pair[0]))
    if name is None or len(rest) not in (0, 2, 4):
        return None
    signs = [token.kind for token in rest]
    if signs not in ([], ["^", "number"], ["^", "{", "number", "}"]):
        return None
    power = [token.text for token in rest if token.kind == "number"]
    if power and not (power[0].isdigit() and 0 < int(power[0][:3]) < 10):
        return None
    return Definition(name, int(power[0]) if power else 1, pair[1])


def _name(pieces: list[Token]) -> tuple[str | None, list[Token]]:
    """A name with its subscript at the start, and the tokens after it."""
    if not pieces or pieces[0].kind != "name" or pieces[0].dots:
        return None, pieces
    name, rest = pieces[0].text, pieces[1:]
    if rest and rest[0].kind == "_":
        closing = next((k for k, x in enumerate(rest) if x.kind == "}"), 1)
        braced = len(rest) > 1 and rest[1].kind == "{"
        end = closing if braced else 1
        name += "".join(x.text for x in rest[1 : end + 1] if x.kind not in "{}")
        rest = rest[end + 1 :]
    return name, rest
