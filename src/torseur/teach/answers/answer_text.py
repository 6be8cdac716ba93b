"""What is said of an answer, in English or in French."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from torseur.algebra.printing.text import text
from torseur.teach.answers.groups import EXTRA, FACTOR, MISSING, PART, SIGN, SWAPPED, TermDifference
from torseur.teach.words import Words, words

if TYPE_CHECKING:
    from torseur.teach.answers.verdicts import Answer

_LONGEST = 300  # characters of a formula
_SETTLED = ("equal", "sign", "factor", "constant", "consequence")
_MOST = 12  # names of a state


def answer_text(answer: Answer, lang: str) -> str:
    """The sentences, line by line."""
    said = words(lang)
    name = said["equation of"].format(answer.name) if answer.equation else answer.name
    lines = [fault.told(said) for fault in answer.faults]
    lines.append(_verdict(answer, name, said))
    if answer.defined:
        lines += [_where(answer, said)]
    if answer.verdict in _SETTLED:
        tested = said["tested"].format(answer.states, answer.tolerance)
        lines.append(said["proved"] if answer.exact else tested)
    if answer.verdict == "different":
        if answer.factor is not None:
            lines.append(said["rewritten"].format(text(answer.factor, limit=_LONGEST)))
        lines += [f"  {_told(x, said)}" for x in answer.differences]
        lines += dict.fromkeys(h for x in answer.differences for h in _hints(x, said))
        lines += _example(answer, said)
    lines += [remark.told(said) for remark in answer.remarks]
    return "\n".join([*lines, *(said["read as"].format(x) for x in answer.notices)])


def _verdict(answer: Answer, name: str, said: Words) -> str:
    verdict = answer.verdict
    if verdict in ("sign", "factor") and not answer.equation:
        verdict = f"{verdict} of a quantity"
    if answer.verdict == "factor":
        assert answer.factor is not None, "a factor was found"
        return said[verdict].format(name, text(answer.factor, limit=_LONGEST))
    if verdict == "combination":
        key = "own combination" if answer.right else verdict
        return said[key].format(_sum(answer.combination, said))
    if verdict == "constant":
        assert answer.constant is not None, "a constant was found"
        more = text(answer.constant, limit=_LONGEST)
        sign = "- " + more.removeprefix("-") if more.startswith("-") else "+ " + more
        return said[verdict].format(name, sign)
    if verdict == "equal" and answer.held:
        return said["with constraints"].format(name)
    return said[verdict].format(name)


def _where(answer: Answer, said: Words) -> str:
    """The letters that follow from the formula."""
    made = (said["with"].format(n, text(x, limit=_LONGEST)) for n, x in answer.defined.items())
    return " ".join(made)


def _sum(parts: Mapping[str, float], said: Words) -> str:
    made = ""
    for name, factor in parts.items():
        sign = " - " if factor < 0 else " + "
        size = "" if abs(factor) == 1 else f"{abs(factor):g} × "
        made += f"{sign}{size}{said['equation of'].format(name)}"
    return made.removeprefix(" + ").strip()


def _told(x: TermDifference, said: Words) -> str:
    group = x.group
    label = said[group.kind].format(group.of)
    expected, given = (text(y, limit=_LONGEST) for y in (group.expected, group.given))
    if x.how == MISSING:
        return said["missing"].format(label, expected)
    if x.how == EXTRA:
        return said["extra"].format(label, given)
    if x.how == SIGN:
        return said["wrong sign"].format(label, expected)
    if x.how == FACTOR:
        assert x.factor is not None, "a factor was found"
        large = abs(x.factor) > 1
        times = abs(x.factor) if large else 1 / abs(x.factor)
        size = said["large" if large else "small"]
        return said["wrong factor"].format(label, times, size, expected, given)
    if x.how == PART:
        assert x.lacking is not None, "a part lacks something"
        return said["part"].format(text(x.lacking, limit=_LONGEST), label, expected, given)
    return said["swapped" if x.how == SWAPPED else "other"].format(label, expected, given)


def _hints(x: TermDifference, said: Words) -> list[str]:
    """Classical traps that look like this."""
    if x.group.kind == "speed" and x.factor == 2:
        return [said["hint dissipation"]]
    mixed = x.group.kind == "product" and "*" in x.group.of
    if mixed and x.factor == Fraction(1, 2):
        return [said["hint coriolis"]]
    if x.group.kind in ("gravity", "force") and x.how == SIGN:
        return [said["hint potential"]]
    return []


def _example(answer: Answer, said: Words) -> list[str]:
    if answer.values is None:
        return []
    shown = [f"{name} = {x:g}" for name, x in list(answer.state.items())[:_MOST]]
    more = ["…"] if len(answer.state) > _MOST else []
    values = said["both values"].format(*answer.values)
    return [said["at state"].format(", ".join([*shown, *more])), values]
