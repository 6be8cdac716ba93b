"""Names of a model in the words of an exercise, as formulas: theta is θ, x.. is ẍ."""

from __future__ import annotations

import re
from collections.abc import Collection

from torseur.algebra.printing.names import GREEK, identifier
from torseur.teach.formula.node_latex import node_latex
from torseur.teach.formula.parser import parse_formula
from torseur.teach.formula.tokens import FormulaError, KnownNames

_WORD = re.compile(r"(?P<before>[(\[«\"]?)(?P<word>[^\s,;:?!]+)(?P<after>[,;:?!]*)")
_SIGNS = re.compile(r"[-+]?[\w.*/^()+-]+")
_NAME = re.compile(r"[^\W\d]\w*")
_FUNCTIONS = {"sin", "cos", "tan", "sqrt"}
_SENTENCE = re.compile(r"\s+[^\W\d_a-z][^\W\d_]")  # begins: a word with a capital letter
_LETTER = re.compile(r"\s+([^\W\d]\w*)")


def with_written_names(text: str, moving: Collection[str], constant: Collection[str] = ()) -> str:
    """The text with its formulas in names of a model between dollar signs.

    `moving` are coordinates, which alone have rates; a text with dollar signs stays.
    """
    if "$" in text:
        return text
    names = {*moving, *constant}
    pieces, done = [], 0
    for match in _WORD.finditer(text):
        word, after = match["word"], match["after"]
        if not after and word.endswith("."):
            word, after = _apart(word, text[match.end() :], moving, names)
        if word.endswith(")") and word.count(")") > word.count("("):
            word, after = word[:-1], f"){after}"
        formula = _formula(word, names)
        if formula:
            pieces += [text[done : match.start()], match["before"], f"${formula}$", after]
            done = match.end()
    return "".join([*pieces, text[done:]])


def _apart(
    word: str, rest: str, moving: Collection[str], names: Collection[str]
) -> tuple[str, str]:
    """A word that ends in a dot, and the dot if it ends a sentence; no word if that is not sure.

    A dot is that of a rate before a sign and before a word in small letters that is no name.
    """
    last = (_NAME.findall(word) or [""])[-1]
    if last not in moving:
        return word[:-1], "."
    ends = not rest.strip() or _SENTENCE.match(rest) is not None
    if ends:
        return ("", "") if word.endswith("..") else (word[:-1], ".")
    following = _LETTER.match(rest)
    unsure = following is not None and (following[1] in names or len(following[1]) == 1)
    return ("", "") if unsure else (word, "")


def _formula(word: str, names: Collection[str]) -> str:
    """LaTeX of a word that is a formula in names; nothing for any other."""
    present = set(_NAME.findall(word))
    if not _SIGNS.fullmatch(word) or not present & {*names}:
        return ""
    of_model = all(x in names or x in _FUNCTIONS for x in present)
    greek = any(identifier(x).stem in GREEK for x in present)
    if not of_model or not (greek or word.endswith(".") or set("*/^") & set(word)):
        return ""
    known = KnownNames({y: y for x in names for y in (x, f"{x}.", f"{x}..")})
    try:
        return node_latex(parse_formula(word, known)[0])
    except FormulaError:
        return ""
