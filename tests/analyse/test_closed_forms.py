"""Closed forms of the sources: ours are equal, no longer, and those of the numerical road."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from closed_forms import (
    CLOSED_FORMS,
    LIFT,
    UP,
    answer,
    coefficient,
    lengths,
    rest,
    source_of,
    table,
    threshold,
)

import torseur as ts
from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.at_a_state.initial_states import model_of
from torseur.equations.symbols.texts import read_text
from torseur.language.text.expression import Names
from torseur.model.parameters import values
from torseur.model.values.named_numbers import named_numbers
from torseur.simulation.run.run import Run
from torseur.simulation.start.assemble import assemble

SETS = 20
CLOSE = 1e-8  # relative, of numbers that iterations find


@pytest.mark.parametrize("row", CLOSED_FORMS, ids=lambda x: x.name)
def test_a_closed_form_is_that_of_the_source_and_no_longer(row):
    """Equal at 20 random sets of letters to 1e-11, with no more signs than the source."""
    ours, source = answer(row), source_of(row)
    rng = np.random.default_rng(1788)
    for _ in range(SETS):
        drawn = {x.name: float(rng.uniform(0.5, 1.5)) for x in free_symbols([ours, source])}
        one, other = (float(evaluate(x, drawn)) for x in (ours, source))
        assert one == pytest.approx(other, rel=1e-11, nan_ok=True), drawn
    theirs, signs = lengths(row)
    assert signs <= theirs


def test_the_page_of_formulas_has_these_answers():
    page = (Path(__file__).parents[2] / "docs" / "formulas.md").read_text(encoding="utf-8")
    assert table() in page
    assert len({(x.problem, x.of) for x in CLOSED_FORMS}) >= 32


# --- the numerical road -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("row", CLOSED_FORMS, ids=lambda x: x.name)
def test_numbers_say_the_same_at_random_parameters(row):
    """Equilibria, eigenvalues, events, accelerations and reactions at 20 sets of parameters."""
    way, *details = row.number
    ours, rng = answer(row), np.random.default_rng(1834)
    compared = 0
    for _ in range(8 * SETS):
        drawn = draw(row, rng)
        try:
            agrees = WAYS[way](row, ours, drawn, *details)
        except ts.ModelError:  # no body has these moments of inertia
            continue
        if agrees:
            compared += 1
            if compared == SETS:
                return
    raise AssertionError(f"only {compared} sets were compared")


@cache
def _named(model):
    return named_numbers(ts.load(model) if isinstance(model, str) else model)


def draw(row, rng):
    """Values of parameters and of speeds that are kept, about those of the description."""
    table = values(_named(row.model).parameter_table)
    drawn = {k: (1.0 if x is None else x) * 2 ** rng.uniform(-0.3, 0.3) for k, x in table.items()}
    drawn = {k: x * row.above.get(k, 1.0) for k, x in drawn.items()} | dict(row.given)
    start = {k: float(evaluate(x, drawn)) for k, x in _named(row.model).initial.items()}
    return drawn | start | {"theta..": 0.0}


def numbers(model, drawn, **changed):
    table = _named(model).parameter_table
    return model_of(_named(model), {k: (drawn | changed)[k] for k in table})


def value(x, drawn):
    return float(evaluate(expression(x), drawn))


def placed(places, drawn):
    """Coordinates by number or by a formula of the parameters."""
    names = Names({k: symbol(k) for k in drawn})
    return {
        k: float(x) if not isinstance(x, str) else value(read_text(x, names, "test"), drawn)
        for k, x in places.items()
    }


def at_once(compiled, state):
    """A state as the only sample of a run."""
    start = assemble(compiled, state)
    return Run.of_states(compiled, np.zeros(1), np.array([[*start.q, *start.v, 0.0]]))


def same(one, other, size=0.0):
    assert one == pytest.approx(other, rel=CLOSE, abs=CLOSE * size)
    return True


def _state(row, ours, drawn, model, name):
    run = at_once(numbers(model, drawn), {})
    return same(value(ours, drawn), float(run[name][0]))


def _multiplier(row, ours, drawn, model, contact, k):
    run = at_once(numbers(model, drawn), {})
    return same(value(ours, drawn), float(run.multiplier(contact)[0, k]))


def _adherence(row, ours, drawn, model, contact):
    run = at_once(numbers(model, drawn), {})
    return same(value(ours, drawn), float(run.adherence(contact)[0]))


def _event(row, ours, drawn, model, name):
    drawn |= {"f": 0.3 * 2 ** (drawn["f"] - 0.3)}
    run = ts.simulate(numbers(model, drawn), 3.0, rate=20.0, rtol=1e-11, atol=1e-12)
    first = next(x for x in run.events if "stick" in str(x))
    if name == "t":
        return same(value(ours, drawn), first.t, 1e-1)
    return same(value(ours, drawn), float(run.at([first.t])[name][0]))


def _vanishes(row, ours, drawn, model, parameter, name, state):
    sought = value(ours, drawn)
    at_value = at_once(numbers(model, drawn, **{parameter: sought}), state)[name][0]
    beside = at_once(numbers(model, drawn, **{parameter: 1.1 * sought}), state)[name][0]
    assert abs(at_value) < CLOSE * abs(beside)
    return True


@cache
def _lifting_couple():
    return threshold(*LIFT, at=UP)()


def _lift(row, ours, drawn, of, k=None):
    gamma = value(_lifting_couple(), drawn)
    run = at_once(numbers("motorcycle", drawn, Gamma=gamma), UP)
    number = run[of][0] if k is None else run.multiplier(of)[0, k]
    return same(value(ours, drawn), float(number))


def _linear(model, drawn, places, **changed):
    return ts.linearise(numbers(model, drawn, **changed), placed(places, drawn | changed))


def _omega(row, ours, drawn, model, places):
    places = placed(places, drawn)
    eigenvalues = _linear(model, drawn, places).eigenvalues
    sought = 1j * np.sqrt(complex(value(ours, drawn | places)))
    assert np.abs(eigenvalues - sought).min() < 1e-6 * np.abs(eigenvalues).max()
    return True


def _polynomial(row, ours, drawn, model, places):
    eigenvalues = _linear(model, drawn, places).eigenvalues
    a = [value(coefficient(model, k, **places)(), drawn) for k in range(3)]
    squares = np.roots(a[::-1])
    for x in squares:
        assert np.abs(eigenvalues**2 + x).min() < 1e-6 * np.abs(eigenvalues**2).max()
    return True


def _rests(row, ours, drawn, model, places, loads=()):
    for load in loads:
        drawn[load] = value(ours, drawn | placed(places, drawn))
    chosen = {k: value(ours, drawn) if x == row.of else float(x) for k, x in places.items()}
    held = ts.stability.holding_forces(numbers(model, drawn), chosen).forces
    beside = {k: x * 1.01 + 0.01 for k, x in chosen.items()}
    moved = ts.stability.holding_forces(numbers(model, drawn), beside).forces
    for name, x in held.items():
        assert abs(x) < CLOSE * max(map(abs, moved.values())), name
    return True


def _changes(row, ours, drawn, model, parameter, places):
    """The slowest eigenvalue vanishes there and is real on one side."""
    sought = value(ours, drawn)
    at_value, below, above = (
        np.abs(_linear(model, drawn, places, **{parameter: sought * x}).eigenvalues ** 2).min()
        for x in (1.0, 0.9, 1.1)
    )
    assert at_value < 1e-6 * max(below, above)
    return True


def _rate(row, ours, drawn, model, parameter, name):
    """The stiffness of the mass on the arm vanishes: no state of rest, the same rate anywhere."""
    compiled = numbers(model, drawn, **{parameter: value(ours, drawn)})
    one, other = (at_once(compiled, {name: x})[f"{name}.."][0] for x in (0.1, 0.3))
    return same(float(one), float(other))


def _turns(row, ours, drawn, model, name, speed, other=None):
    """The angle keeps while something turns steadily."""
    drawn[speed] = drawn.get(speed, 0.0) * row.above.get(speed, 1.0)
    if other is not None:
        angle = float(np.clip(drawn[name], 0.3, 1.2))
        drawn |= {name: angle, speed: drawn[speed] or 3.0}
        state = {name: angle, speed: drawn[speed], other: value(ours, drawn)}
    else:
        cosine = value(ours, drawn)
        if not abs(cosine) < 0.95:
            return False
        angle = float(np.arccos(cosine))
        state = {name: angle, speed: drawn[speed], f"{name}.": 0.0}
        if model == "speed_governor":
            state["lam"] = drawn["c"] * np.cos(angle)
    compiled = numbers(model, drawn)
    still = at_once(compiled, state)[f"{name}.."][0]
    moved = at_once(compiled, state | {speed: 1.05 * drawn[speed]})[f"{name}.."][0]
    assert abs(still) < 1e-7 * abs(moved)
    return True


def _opens(row, ours, drawn, model):
    cosine = value(ours, drawn)
    if not abs(cosine) < 0.95:
        return False
    angle = float(np.arccos(cosine))
    place = {"alpha1": angle, "alpha2": angle, "z": 2 * drawn["a"] * cosine}
    found = ts.linearise(numbers(model, drawn), place).steady
    assert found.is_steady
    return same(found.coordinates["alpha1"], angle)


def _swings(row, ours, drawn, model):
    cosine = value(rest(model, "cos(alpha)")(), drawn)
    if not abs(cosine) < 0.95:
        return False
    angle = float(np.arccos(cosine))
    drawn = drawn | {"alpha": angle}
    place = {"alpha": angle, "beta": angle, "z": 2 * drawn["a"] * cosine}
    return _omega(row, ours, drawn, model, place)


def _orbits(row, ours, drawn, model):
    drawn |= {"a": 0.2 * drawn["a"] / 0.02}
    speed = np.sqrt(value(ours, drawn))
    compiled = numbers(model, drawn)
    state = {"r": drawn["r"], "psi": 0.0, "theta.": speed, "psi.": 0.0}
    still = at_once(compiled, state)["r.."][0]
    assert abs(still) < 1e-9 * drawn["r"] * speed**2
    return True


def _circles(row, ours, drawn, model):
    """A circle that is run through in that time stays one."""
    speed = 2 * np.pi / np.sqrt(value(ours, drawn))
    compiled = numbers(model, drawn)
    state = {"r": drawn["r"], "theta.": speed}
    still = at_once(compiled, state)["r.."][0]
    assert abs(still) < 1e-9 * drawn["r"] * speed**2
    return True


WAYS = {
    "circles": _circles,
    "adherence": _adherence,
    "changes": _changes,
    "event": _event,
    "lift": _lift,
    "multiplier": _multiplier,
    "omega^2": _omega,
    "opens": _opens,
    "orbits": _orbits,
    "polynomial": _polynomial,
    "rests": _rests,
    "state": _state,
    "state-rate": _rate,
    "swings": _swings,
    "turns": _turns,
    "vanishes": _vanishes,
}
