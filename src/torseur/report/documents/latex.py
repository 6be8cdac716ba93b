"""Documents as LaTeX that plain pdflatex compiles, and whose lines fit the page."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

from torseur.algebra.printing.names import GREEK
from torseur.report.documents.breaking import WIDEST, lines, width
from torseur.report.documents.notation import (
    FENCES,
    SIGNS,
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
from torseur.report.documents.parts import (
    Document,
    Formulas,
    Heading,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    Picture,
    Table,
    Text,
    runs,
)

_PACKAGES = (r"[utf8]{inputenc}", "[T1]{fontenc}", "{lmodern}", "[a4paper,margin=25mm]{geometry}",
             "{amsmath}", "{amssymb}", "{array}", "{longtable}", "{booktabs}", "{xcolor}",
             "{tikz}")  # fmt: skip
_SECTIONS = {1: "section", 2: "subsection", 3: "subsubsection"}
_GAP = 1.1  # between columns of a table [em]
_SPECIAL = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": r"\ensuremath{-}",
    "\u202f": r"\,", "\u00a0": "~", "½": r"\ensuremath{\frac12}", "∝": r"\ensuremath{\propto}",
    "√": r"\ensuremath{\surd}", "″": "''", "′": "'", "ⁿ": r"\textsuperscript{n}",
    "\u0307": r"", "\u0308": "", "\u200b": "", "⟨": r"\ensuremath{\langle}",
    "⟩": r"\ensuremath{\rangle}",
}  # fmt: skip
_KEPT = set("–—…‘’“”«»°·²³µ×±œŒ")
_RAISED = dict(zip("⁰¹⁴⁵⁶⁷⁸⁹⁻", "01456789-", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_COMMANDS = {text: name for name, text in (*SIGNS.items(), *GREEK.items())}
_BRACES = {left: right for right, left in FENCES.items()}


def written(document: Document) -> str:
    """The whole document."""
    babel = {"fr": "[french]{babel}", "en": "[english]{babel}"}[document.lang]
    head = [
        r"\documentclass[11pt]{article}",
        *(rf"\usepackage{package}" for package in (*_PACKAGES, babel)),
        r"\allowdisplaybreaks",
        r"\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\setlength{\LTleft}{0pt}",
        r"\emergencystretch=3em",
        rf"\title{{{words(document.title)}}}",
        rf"\author{{{words(document.kicker)}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        *(words(line) + r"\par" for line in document.lede),
        r"\tableofcontents",
    ]
    return "\n".join(
        [*head, fragment(document.parts), "", words(document.footer), r"\end{document}", ""]
    )


def fragment(parts: Parts) -> str:
    """Parts alone, to be included."""
    return "\n\n".join(map(_part, parts))


def _part(part: Part) -> str:
    match part:
        case Heading(text, level):
            return rf"\{_SECTIONS[level]}{{{words(text)}}}"
        case Paragraph(text, beware):
            return rf"\textit{{{_line(text)}}}" if beware else _line(text)
        case Table():
            return _table(part)
        case Picture(_, tikz, caption):
            told = rf"\\[2pt]{{\small {words(caption)}}}" if caption else ""
            return f"\\begin{{center}}\n{tikz.strip()}{told}\n\\end{{center}}"
        case Formulas(latex):
            return display(latex)
        case Items(texts):
            items = "\n".join(rf"\item {_line(text)}" for text in texts)
            return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"


def display(latex: Iterable[str]) -> str:
    """Displayed formulas, each in as many lines as it needs."""
    rows: list[str] = []
    for one in latex:
        first, *others = lines(read(one))
        rows += [f"& {formula(first)}", *(rf"& \quad {formula(row)}" for row in others)]
    return "\\begin{flalign*}\n" + " & \\\\\n".join(rows) + " &\n\\end{flalign*}"


def _line(text: Text) -> str:
    return "".join(f"${x.latex}$" if isinstance(x, Math) else words(x) for x in runs(text))


# --- words --------------------------------------------------------------------------------------


def words(text: str) -> str:
    """Words with the signs that TeX would read, or does not know, as commands."""
    return "".join(map(_letter, normalize("NFC", text)))


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter.isascii() or letter in _KEPT or "À" <= letter <= "ſ":
        return letter
    if letter in _COMMANDS:
        return rf"\ensuremath{{\{_COMMANDS[letter]}}}"
    if letter in _RAISED:
        return rf"\textsuperscript{{{_RAISED[letter]}}}"
    if letter in _LOWERED:
        return rf"\textsubscript{{{_LOWERED[letter]}}}"
    return "".join(x for x in normalize("NFKD", letter) if x.isascii()) or "?"


# --- tables -------------------------------------------------------------------------------------


def _table(table: Table) -> str:
    spec = _columns(table)
    rows = [" & ".join(map(_line, row)) + r" \\" for row in table.rows]
    head = " & ".join(rf"\textbf{{{_line(cell)}}}" for cell in table.header)
    start = rf"{{\small\begin{{longtable}}{{@{{}}{spec}@{{}}}}"
    return "\n".join(
        [
            start,
            rf"\toprule {head} \\ \midrule \endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable}}",
        ]
    )


def _columns(table: Table) -> str:
    """Columns as wide as their cells, or shares of the page where these are too wide for it."""
    columns = list(zip(table.header, *table.rows, strict=True))
    wide = [max(map(_cell_width, cells)) for cells in columns]
    page = WIDEST * 11 / 10  # letters of tables are smaller
    if sum(wide) + _GAP * len(wide) <= page:
        return ("l" + "r" * (len(wide) - 1)) if table.numbers else "l" * len(wide)
    room = page - _GAP * len(wide)
    shares = _shares(wide, room)
    return "".join(
        rf">{{\raggedright\arraybackslash}}p{{{share / page:.3f}\linewidth}}" for share in shares
    )


def _shares(wide: list[float], room: float) -> list[float]:
    """Narrow columns keep their width, wide ones share what is left."""
    fair = room / len(wide)
    narrow = sum(x for x in wide if x <= fair)
    rest = sum(x for x in wide if x > fair)
    return [x if x <= fair else x * (room - narrow) / rest for x in wide]


def _cell_width(text: Text) -> float:
    return sum(width(read(x.latex)) if isinstance(x, Math) else 0.5 * len(x) for x in runs(text))


# --- formulas -----------------------------------------------------------------------------------


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
