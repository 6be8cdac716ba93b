"""Words in LaTeX: the signs that TeX would read, or does not know, as commands; and back."""

from __future__ import annotations

import re
from unicodedata import decomposition, name, normalize

from torseur.algebra.printing.names import GREEK

SIGNS = {"cdot": "⋅", "times": "×", "wedge": "∧", "to": "→", "partial": "∂", "infty": "∞",
         "sum": "∑", "int": "∫", "le": "≤", "ge": "≥", "neq": "≠", "approx": "≈", "dots": "…",
         "ldots": "…", "cdots": "⋯", "pm": "±", "in": "∈", "mid": "|", "ell": "ℓ",
         "Delta": "Δ"}  # fmt: skip
_SPECIAL = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": r"\ensuremath{-}",
    "\u202f": r"\,", "\u00a0": "~", "″": "''", "′": "'", "ʼ": "'", "‐": "-", "\u00ad": r"\-",
    "\u200b": "",
} | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))  # fmt: skip
_KEPT = set("–—…‘’“”«»°·²³µ×±œŒ§©®€£†‡‰•¿¡¶")
_LAST_LETTER = "ſ"  # of those that the encoding T1 has with their accents
_ABSENT = set("ĦħĸĿŀŉŦŧſ")  # of those, what it has not
_MARKED = re.compile("(.)([\u0300-\u036f\u20d0-\u20ff]*)", re.DOTALL)
_MARKS = {"\u0307": "dot", "\u0308": "ddot", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar",
          "\u0305": "bar", "\u20d7": "vec", "\u0300": "grave", "\u0301": "acute",
          "\u0306": "breve", "\u030a": "mathring", "\u030c": "check"}  # fmt: skip
_COMMANDS = {text: name for name, text in (*SIGNS.items(), *GREEK.items())} | {
    "∝": "propto", "√": "surd", "⟨": "langle", "⟩": "rangle", "←": "leftarrow", "∓": "mp",
    "↔": "leftrightarrow", "∇": "nabla", "∘": "circ", "∠": "angle", "⊥": "perp", "ς": "varsigma",
    "∥": "parallel", "≃": "simeq", "≡": "equiv", "⊗": "otimes", "∅": "emptyset", "ħ": "hbar",
    "¬": "neg", "÷": "div",
}  # fmt: skip
_RAISED = {"<super>": r"\textsuperscript{{{}}}", "<sub>": r"\textsubscript{{{}}}"}
_OVER = "⁄"  # in a fraction of one letter


def words(text: str) -> str:
    """Words with the signs that TeX would read, or does not know, as commands."""
    whole = normalize("NFC", text)
    known = (x <= _LAST_LETTER or x in _COMMANDS for x in whole)
    apart = "".join(x if y else normalize("NFD", x) for x, y in zip(whole, known, strict=True))
    return "".join(_marked(*match.groups()) for match in _MARKED.finditer(apart))


def _marked(letter: str, marks: str) -> str:
    """A letter; of a formula where it has dots, hats or arrows that no letter of T1 has."""
    over = [_MARKS[mark] for mark in marks if mark in _MARKS]
    if not over:
        return _letter(letter)
    formula = rf"\{_COMMANDS[letter]}" if letter in _COMMANDS else _letter(letter)
    for mark in over:
        formula = rf"\{mark}{{{formula}}}"
    return rf"\ensuremath{{{formula}}}"


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter in _COMMANDS and letter not in _KEPT:
        return rf"\ensuremath{{\{_COMMANDS[letter]}}}"
    if letter.isascii() or letter in _KEPT:
        return letter
    if "À" <= letter <= _LAST_LETTER and letter not in _ABSENT:
        return letter
    return _decomposition(letter)


def _decomposition(letter: str) -> str:
    """A raised or lowered letter, a fraction, a variant: of what Unicode says it is composed."""
    form, *codes = decomposition(letter).split() or [""]
    parts = [chr(int(code, 16)) for code in codes]
    if _OVER in parts:
        top, _, bottom = "".join(parts).partition(_OVER)
        return rf"\ensuremath{{\frac{{{top}}}{{{bottom}}}}}"
    inside = "".join(map(_letter, parts))
    return _RAISED.get(form, "{}").format(inside) or (letter if _is_letter(letter) else "?")


def _is_letter(sign: str) -> bool:
    """Whether it is a letter of a script other than Latin or Greek."""
    return sign.isalpha() and not name(sign, "").startswith(("LATIN", "GREEK", "MODIFIER"))


def foreign(text: str) -> str:
    """The letters of a document that pdflatex has no font for, each once."""
    unknown = (x for x in text if not x.isascii() and x not in _KEPT and _letter(x) == x)
    return "".join(x for x in dict.fromkeys(unknown) if _is_letter(x))


# --- back -----------------------------------------------------------------------------------------


_SIGN_OF = {command: sign for sign, command in _COMMANDS.items()} | SIGNS
_MARK_OF = {command: mark for mark, command in _MARKS.items()}
_SPELT = {command: sign for sign, command in _SPECIAL.items() if command}
_COMMAND = re.compile(r"\\text\w+\{\}|~|\\(.)")
_FORMULA = re.compile(r"\\ensuremath\{((?:[^{}]|\{[^{}]*\})*)\}")
_ACCENT = re.compile(r"\\(" + "|".join(_MARK_OF) + r")\{([^{}]*)\}")
_SCRIPT = re.compile(r"\\text(?:super|sub)script\{([^{}]*)\}")


def plain(latex: str) -> str:
    """Words of LaTeX as plain text."""
    text = _SCRIPT.sub(r"\1", _FORMULA.sub(lambda match: _plain_formula(match[1]), latex))
    return _COMMAND.sub(lambda match: _SPELT.get(match[0]) or match[1], text)


def _plain_formula(latex: str) -> str:
    accented = _ACCENT.sub(lambda match: _plain_sign(match[2]) + _MARK_OF[match[1]], latex)
    fraction = re.sub(r"\\frac\{(\w+)\}\{(\w+)\}", r"\1/\2", accented)
    return normalize("NFC", _plain_sign(fraction))


def _plain_sign(latex: str) -> str:
    return "−" if latex == "-" else _SIGN_OF.get(latex.removeprefix("\\"), latex)
