"""Documents as LaTeX that plain pdflatex compiles, and whose lines fit the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from torseur.algebra.printing.breaking import WIDEST, display, formula, letter, lines, width
from torseur.algebra.printing.latex_words import foreign, words
from torseur.algebra.printing.notation import read
from torseur.errors import ModelError
from torseur.report.documents.page_parts import (
    CodeText,
    FormulaLines,
    Heading,
    Inline,
    Items,
    Math,
    Paragraph,
    Part,
    Parts,
    PartsDocument,
    Picture,
    TablePart,
    Text,
    runs,
)
from torseur.words.catalogue import translated
from torseur.words.sentence import TYPOGRAPHY, say

_PACKAGES = ("[a4paper,margin=25mm]{geometry}", "{amsmath}", "{amssymb}", "{array}", "{longtable}",
             "{booktabs}", "{xcolor}", "{tikz}")  # fmt: skip
_LANGUAGE = "english"  # as babel calls it; catalogues give the name of theirs
_FITTED = r"""\begin{{center}}
\setbox0=\hbox{{{}}}%
\ifdim\wd0>\linewidth\setbox0=\hbox{{\resizebox{{\linewidth}}{{!}}{{\box0}}}}\fi
\ifdim\ht0>0.8\textheight\setbox0=\hbox{{\resizebox{{!}}{{0.8\textheight}}{{\box0}}}}\fi
\leavevmode\box0{}
\end{{center}}"""
_SECTIONS = {1: "section", 2: "subsection", 3: "subsubsection"}
_GAP = 1.1  # between columns of a table [em]
_PAGE = WIDEST * 11 / 10  # letters of tables are smaller [em]
_NARROW = 7.0  # a column of formulas is not narrower [em]
_LETTER, _BOLD = 0.53, 1.2  # of text [em], and how much wider bold text is


def written(document: PartsDocument) -> str:
    """The whole document."""
    body = [
        *(words(line) + r"\par" for line in document.lede),
        *([r"\tableofcontents"] if document.contents else []),
        fragment(document.parts),
        "",
        words(document.footer),
    ]
    return standalone("\n".join(body), document.title, document.kicker, document.lang)


def standalone(body: str, title: str, kicker: str, lang: str) -> str:
    """LaTeX under a title, as a document of its own."""
    settings = [
        r"\usetikzlibrary{babel}",
        r"\allowdisplaybreaks",
        r"\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\setlength{\LTleft}{0pt}",
        r"\emergencystretch=3em",
        rf"\title{{{words(title)}}}",
        rf"\author{{{words(kicker)}}}",
        r"\date{}",
    ]
    babel = f"[{translated(_LANGUAGE, lang, TYPOGRAPHY)}]{{babel}}"
    packages = (*_PACKAGES, babel)
    return tex_document("[11pt,fleqn]{article}", packages, settings, [r"\maketitle", body])


def fragment(parts: Parts) -> str:
    """Parts alone, to be included."""
    return "\n\n".join(map(_part, parts))


def _part(part: Part) -> str:
    match part:
        case Heading(text, level):
            return rf"\{_SECTIONS[level]}{{{words(text)}}}"
        case Paragraph(text, beware):
            return rf"\textit{{{_line(text)}}}" if beware else _line(text)
        case TablePart():
            return _table(part)
        case Picture(_, tikz, caption):
            note = rf"\\[2pt]{{\small {words(caption)}}}" if caption else ""
            return _FITTED.format(tikz.strip(), note)
        case FormulaLines(latex):
            return display(latex)
        case Items(texts):
            items = "\n".join(rf"\item {_line(text)}" for text in texts)
            return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"


def _line(text: Text, room: float = 0.0) -> str:
    """Words and formulas; those wider than the `room` of a column go on in further lines."""
    return "".join(_inline(x, room) for x in runs(text))


def _inline(run: Inline | CodeText, room: float) -> str:
    match run:
        case Math():
            return _formula(run, room)
        case CodeText(typed):
            return rf"\texttt{{{words(typed)}}}"
        case told:
            return words(told)


def _formula(x: Math, room: float) -> str:
    rows = lines(read(x.latex), room) if room else []
    return " ".join(f"${formula(row)}$" for row in rows) if len(rows) > 1 else f"${x.latex}$"


# --- tables -------------------------------------------------------------------------------------


def _table(table: TablePart) -> str:
    shares = _shares_of(table)
    rows = [
        " & ".join(_line(cell, room) for cell, room in zip(row, shares, strict=True))
        + _row_end(row)
        for row in table.rows
    ]
    head = " & ".join(rf"\textbf{{{_line(cell)}}}" for cell in table.header)
    start = rf"{{\small\begin{{longtable}}{{@{{}}{_columns(table, shares)}@{{}}}}"
    return "\n".join(
        [
            start,
            rf"\toprule {head} \\ \midrule \endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable}}",
        ]
    )


def _row_end(row: tuple[Text, ...]) -> str:
    """Rows of torseurs stand apart."""
    tall = any(isinstance(x, Math) and "matrix" in x.latex for cell in row for x in runs(cell))
    return r" \\[9pt]" if tall else r" \\"


def _columns(table: TablePart, shares: list[float]) -> str:
    """Columns as wide as their cells, or of given shares of the page."""
    if not any(shares):
        return ("l" + "r" * (len(shares) - 1)) if table.numbers else "l" * len(shares)
    return "".join(
        rf">{{\raggedright\arraybackslash}}p{{{share / _PAGE:.3f}\linewidth}}" for share in shares
    )


def _shares_of(table: TablePart) -> list[float]:
    """The widths of the columns of a table that is wider than the page [em]; else zeros."""
    columns = list(zip(table.header, *table.rows, strict=True))
    wide = [_cells_width(cells, _cell_width) for cells in columns]
    if sum(wide) + _GAP * len(wide) <= _PAGE:
        return [0.0] * len(wide)
    least = [_cells_width(cells, _word_width) for cells in columns]
    return _shares(wide, least, _PAGE - _GAP * len(wide))


def _shares(wide: list[float], least: list[float], room: float) -> list[float]:
    """Narrow columns keep their width, wide ones share what is left; a word is never cut."""
    fair = room / len(wide)
    fixed = [x if x <= fair else low for x, low in zip(wide, least, strict=True)]
    more = [x - y for x, y in zip(wide, fixed, strict=True)]
    part = max(room - sum(fixed), 0.0) / sum(more) if sum(more) else 0.0
    return [x + min(part, 1.0) * y for x, y in zip(fixed, more, strict=True)]


def _cells_width(cells: Sequence[Text], measure: Callable[[Text], float]) -> float:
    """Width of a column: of its bold header and of its cells."""
    return max(_BOLD * measure(cells[0]), *(measure(cell) for cell in cells[1:]), 0.0)


def _cell_width(text: Text) -> float:
    return sum(
        _math_width(x) if isinstance(x, Math) else _words_width(_run_text(x)) for x in runs(text)
    )


def _run_text(run: str | CodeText) -> str:
    return run.text if isinstance(run, CodeText) else run


def _words_width(text: str) -> float:
    return _LETTER * sum(map(letter, text)) / letter("x")


def _word_width(text: Text) -> float:
    """Width of the longest word, which a line cannot break; formulas can be broken."""
    widths = (
        min(_math_width(x), _NARROW)
        if isinstance(x, Math)
        else max(map(_words_width, _run_text(x).split()), default=0.0)
        for x in runs(text)
    )
    return max(widths, default=0.0)


def _math_width(x: Math) -> float:
    return width(read(x.latex))


# --- LaTeX documents of their own: one beginning for reports, equations and pictures alike --------

_ALWAYS = ("[utf8]{inputenc}", "[T1]{fontenc}")
_SCALABLE = r"\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}"  # letters of any size


def tex_document(
    kind: str, packages: Iterable[str], settings: Iterable[str], lines: Iterable[str]
) -> str:
    """A document of a class that pdflatex compiles; letters it has no font for are refused."""
    body = [*settings, r"\begin{document}", *lines, r"\end{document}", ""]
    if letters := foreign("".join(body)):
        raise ModelError(
            "LaTeX",
            say('pdflatex has no letters for "{letters}".', letters),
            "Write .html, .pdf or .svg, or name things in Latin or Greek letters.",
        )
    used = (rf"\usepackage{package}" for package in (*_ALWAYS, *packages))
    return "\n".join([rf"\documentclass{kind}", *used, _SCALABLE, *body])
