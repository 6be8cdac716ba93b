"""Operation counts beside the published ones."""

from __future__ import annotations

from benchmarks import robots
from benchmarks.outcome import Bar, Cell, Part, Table
from torseur.algebra.core.graph import flat
from torseur.algebra.forms.count import Operations, count
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.symbols.system import system
from torseur.model.description import Mechanism

FEATHERSTONE = "Featherstone 2008, table 10.1"
AKB = "Armstrong, Khatib, Burdick 1986"
SET = "figure the bar was set from, not counted here"
UNCONFIRMED = "as remembered, unconfirmed"

# (function, robot) → what others count: method, multiplications, additions, source
PUBLISHED: dict[tuple[str, str], list[tuple[str, int | None, int | None, int, str]]] = {
    ("inverse_dynamics", "general 6R"): [
        ("Balafoutis-Patel 1991: 93n−108, 81n−100", 450, 386, 836, FEATHERSTONE),
        ("Featherstone 1987: 130n−68, 101n−56", 712, 550, 1262, "Park, Bobrow, Ploen 1995"),
        ("Newton-Euler, 6 degrees of freedom", None, None, 1560, f"{AKB}, table 1"),
        ("Khalil-Kleinfinger 1987: 92n−127, 81n−117", 425, 369, 794, UNCONFIRMED),
    ],
    ("mass_matrix", "general 6R"): [
        ("Featherstone 2005: 10n²+22n−32, 6n²+37n−43", 460, 395, 855, FEATHERSTONE)
    ],
    ("forward_dynamics", "general 6R"): [
        ("RNEA + CRBA + solution", 996, 846, 1842, FEATHERSTONE),
        ("McMillan, Orin, McGhee 1995: 224n−259, 205n−248", 1085, 982, 2067, FEATHERSTONE),
    ],
    ("inverse_dynamics", "Puma 560, every parameter"): [
        ("CasADi", None, None, 708, SET),
        ("OpenSYMORO", None, None, 747, SET),
        ("SymPyBotics", None, None, 957, SET),
    ],
    ("mass_matrix", "Puma 560, every parameter"): [
        ("the best other generator", None, None, 632, SET),
        ("the next", None, None, 773, SET),
    ],
    ("inverse_dynamics", "Puma 560, zeros kept"): [
        ("explicit model, in full", 739, 426, 1165, f"{AKB}, p. 510"),
        ("explicit model, terms under 1 % left out", None, None, 305, f"{AKB}, table 1"),
        ("simplified Newton-Euler, Leahy 1986", 224, 174, 398, UNCONFIRMED),
    ],
    ("mass_matrix", "Puma 560, zeros kept"): [
        ("Walker-Orin", None, None, 2737, f"{AKB}, table 3"),
        ("explicit, in full", None, None, 278, f"{AKB}, table 3"),
    ],
    ("inverse_dynamics", "Stanford arm, zeros kept"): [
        ("Kane, by hand: Kane and Levinson 1983", 646, 394, 1040, UNCONFIRMED),
        ("Khalil-Kleinfinger 1987, simpler inertias", 142, 99, 241, UNCONFIRMED),
    ],
}


def run(*, quick: bool) -> Part:
    """The counts of five cases and four bars."""
    del quick  # counting takes a second
    puma, stanford = robots.puma(), robots.stanford()
    cases = {
        "general 6R": robots.general_six(),
        "Puma 560, every parameter": puma.mechanism,
        "Puma 560, zeros kept": puma.with_zeros,
        "Stanford arm, every parameter": stanford.mechanism,
        "Stanford arm, zeros kept": stanford.with_zeros,
    }
    names = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
    counts = {
        (name, case): counted(mechanism, name)
        for case, mechanism in cases.items()
        for name in names
    }
    tables = [_table(case, counts) for case in cases]
    general = counts["inverse_dynamics", "general 6R"]
    symbolic = "Puma 560, every parameter"
    return Part(
        "operations",
        tables,
        [
            Bar("general 6R, inverse dynamics: multiplications", general.mul, 450),
            Bar("general 6R, inverse dynamics: additions", general.add, 386),
            Bar("Puma 560, inverse dynamics, in all", counts[names[0], symbolic].total, 699),
            Bar("Puma 560, mass matrix, in all", counts[names[1], symbolic].total, 599),
        ],
        [
            "Counted: what is computed at run time. Products and sums of parameters alone are "
            "computed once per set of parameters, and a change of sign is free.",
            "general 6R: three lengths and angles, ten inertial parameters a body and three "
            "components of gravity, all symbols.",
            "zeros kept: a parameter whose published value is zero is left out, the others are "
            "symbols. In all: sines, cosines and divisions too; published totals leave them out.",
        ],
    )


def counted(mechanism: Mechanism, function: str) -> Operations:
    """The run-time cost of a function of a mechanism."""
    return count(flat(FUNCTIONS[function].build(system(mechanism))))


def _table(case: str, counts: dict[tuple[str, str], Operations]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (function, other), found in counts.items():
        if other != case:
            continue
        what = function.replace("_", " ")
        rest = found.div + found.trig + found.other
        rows.append((what, "Torseur", found.mul, found.add, rest, found.total, ""))
        for method, mul, add, total, source in PUBLISHED.get((function, case), []):
            rows.append(("", method, mul, add, None, total, source))
    return Table(case, ("", "by", "mul", "add", "other", "in all", "source"), rows)
