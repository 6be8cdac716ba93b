"""Studies from text: a YAML file, or the same as Python data; every fault with its place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, symbol
from torseur.errors import ModelError, unknown
from torseur.language.load import named_model
from torseur.language.text.expression import RESERVED, Names, parse_expression
from torseur.language.text.given import given_number, given_parameters, given_state, unknown_state
from torseur.language.yaml.fields import Faults, Fields, entries, listed, text
from torseur.language.yaml.source import Item, read_data, read_text, read_yaml
from torseur.language.yaml.translated_keys import english, written_as
from torseur.model.description import Mechanism
from torseur.simulation.run.reductions import REDUCED
from torseur.spatial.in_words import listed as in_a_row
from torseur.study.design import METHODS
from torseur.study.distributions import KINDS, Distribution, Levels, read_tolerance
from torseur.study.sample_measures import (
    CURVE,
    EVENT,
    LINEAR,
    SampleMeasure,
    extract_measures,
)
from torseur.study.study_description import (
    TIME_AXIS,
    Design,
    Factor,
    Study,
    StudyOutput,
    factor_units,
)
from torseur.words.entries import shown_key
from torseur.words.sentence import say

KEYS = ("study", "model", "run", "vary", "method", "samples", "seed", "outputs")
RUN = ("duration", "rate", "rtol", "atol", "method", "step", "max_step", "initial", "parameters")
_OUTPUT = ("value", "unit")
_NUMBERS = ("duration", "rate", "rtol", "atol", "step", "max_step")
_EXAMPLE = "max(theta)"
_FEWEST = 1
_MOST = 100_000_000


def read_study(source: str | os.PathLike[str] | Mapping[str, Any] | Study) -> Study:
    """The study of a file or of a dict; all faults are shown at once."""
    if isinstance(source, Study):
        return source
    if isinstance(source, Mapping):
        key = written_as("model", source) or "model"
        model = source.get(key)
        if isinstance(model, Mechanism):
            source = {**source, key: read_text(model.yaml(), "model").plain}
        return _read(read_data(source, "study"), Path(), "study")
    path = Path(source)
    item = read_yaml(path, say("A study is a YAML file; docs/studies.md shows one."))
    return _read(item, path.parent, path.stem)


def _read(item: Item, folder: Path, name: str) -> Study:
    faults = Faults()
    fields = Fields(item, say("a study"), KEYS, faults)
    given = fields.required("model", "pendulum.yaml")
    fields.required("vary", "{l: 1 m ± 1 mm}")
    fields.required("outputs", f"{{top: {_EXAMPLE}}}")
    faults.raised()
    assert given is not None, "its absence is a fault"
    mechanism = named_model(given, folder)
    run, initial, parameters = fields.read("run", ({}, {}, {}), _run, mechanism, faults)
    factors = fields.read("vary", (), _factors, mechanism, faults)
    used_names = {*mechanism.parameter_table, *RESERVED, *(x.name for x in factors)}
    outputs = fields.read("outputs", (), _outputs, mechanism, used_names, faults)
    design = _design(fields, factors)
    faults.raised()
    title = fields.text("study", name)
    known: dict[str, Any] = {"run": run, "initial": initial, "parameters": parameters}
    source = {english(key, KEYS): x for key, x in item.plain.items()}
    result = Study(title, mechanism, factors, design, outputs, **known, source=source)
    if result.moves and "duration" not in run:
        moving = next(x.text for x in outputs if any(m.moves for m in x.measures.values()))
        raise item.fault(
            say('"{text}" needs a run, of which no duration is given.', moving),
            "For instance: run: {duration: 2 s}.",
        )
    if result.curves and any(x.name == TIME_AXIS for x in outputs):
        raise _name_error(item, TIME_AXIS)
    return result


def _run(
    item: Item, mechanism: Mechanism, faults: Faults
) -> tuple[dict[str, Any], dict[str, float], dict[str, float]]:
    """Options of `simulate`, initial values and parameters."""
    fields = Fields(item, say("a run"), RUN, faults)
    result: dict[str, Any] = {
        key: faults.attempt(0.0, _number, one)
        for key in _NUMBERS
        if (one := fields.item(key)) is not None
    }
    if fields.item("method") is not None:
        result["method"] = fields.text("method")
    initial = fields.read("initial", {}, _values, mechanism, given_state)
    parameters = fields.read("parameters", {}, _values, mechanism, given_parameters)
    return result, initial, parameters


def _values(item: Item, mechanism: Mechanism, given: Any) -> dict[str, float]:
    texts = {name: text(x) for name, x in entries(item).items()}
    result: dict[str, float] = given(mechanism, texts, str(item.place))
    return result


def _number(item: Item) -> float:
    return given_number(text(item), str(item.place))


# --- varied quantities --------------------------------------------------------------------------


def _factors(item: Item, mechanism: Mechanism, faults: Faults) -> tuple[Factor, ...]:
    units, result = factor_units(mechanism), []
    for name, one in entries(item).items():
        if name not in units:
            place = str(item.keys.get(name, item.place))
            faults.found.append(unknown_state(place, "parameter or coordinate", name, units))
            continue
        distribution = faults.attempt(None, _distribution, one, name, mechanism)
        if distribution is not None:
            result.append(Factor(name, distribution, units[name]))
    return tuple(result)


def _distribution(item: Item, name: str, mechanism: Mechanism) -> Distribution:
    """A tolerance, a list of levels, or a distribution by its name."""

    def number(written: str) -> float:
        table = {name: written}
        reading = given_parameters if name in mechanism.parameter_table else given_state
        return reading(mechanism, table, str(item.place))[name]

    if isinstance(item.value, tuple):
        return Levels(tuple(number(text(x)) for x in listed(item, "")))
    if isinstance(item.value, str):
        dimension = read_tolerance(item.value, number)
        if dimension is not None:
            return dimension
        raise item.fault(
            say("{item} does not say how it varies.", item),
            "For instance: 10 mm ± 0.1, [1, 2, 3], {normal: [1, 0.01]}, {grid: [0, 1, 11]}.",
        )
    if len(entries(item)) != 1:
        raise item.fault(
            say("{item} is not one distribution.", item), "For instance: {normal: [1, 0.01]}."
        )
    written, values = next(iter(entries(item).items()))
    kind = english(written, ("grid", *KINDS))
    if kind == "grid":
        low, high, count = listed(values, say("a grid"), 3)
        spaced = np.linspace(number(text(low)), number(text(high)), _whole(count, 2, _MOST))
        return Levels(tuple(map(float, spaced)))
    if kind not in KINDS:
        known = map(shown_key, ("grid", *KINDS))
        raise unknown(str(item.place), "distribution", kind, known)
    entry = KINDS[kind]
    given = listed(values, say("{kind} ({words})", kind, ", ".join(entry.words)), len(entry.words))
    numbers = [
        given_number(text(x), str(x.place)) if k in entry.scales else number(text(x))
        for k, x in enumerate(given)
    ]
    if not entry.holds(*numbers):
        wrong = ", ".join(text(x) for x in given)
        raise item.fault(
            say("there is no {kind} distribution of {written}.", written, wrong),
            say("Its values are: {words}.", ", ".join(entry.words)),
        )
    return entry.make(*numbers)


def _whole(item: Item, least: int, most: int) -> int:
    value = _number(item)
    if value != int(value) or not least <= value <= most:
        raise item.fault(
            say("a whole number from {least} to {most} is expected, not {item}.", least, most, item)
        )
    return int(value)


def _design(fields: Fields, factors: tuple[Factor, ...]) -> Design:
    levels = all(isinstance(x.distribution, Levels) for x in factors)
    method = english(fields.text("method", "grid" if levels else "random"), METHODS)
    place = getattr(fields.item("method"), "place", fields.at.place)
    if method not in METHODS:
        known = map(shown_key, METHODS)
        fields.faults.found.append(unknown(str(place), "method", method, known))
    if method == "grid" and not levels:
        others = [x.name for x in factors if not isinstance(x.distribution, Levels)]
        fields.faults.found.append(
            ModelError(
                str(place),
                say("a grid needs levels, which {names} have not.", ", ".join(others)),
                "For instance: {grid: [0, 1, 11]} or [1, 2, 5].",
            )
        )
    samples = fields.read("samples", 0, _whole, _FEWEST, _MOST)
    if not samples and method != "grid":
        fields.required("samples", "1000")
    return Design(method, samples, fields.read("seed", 0, _whole, 0, 2**63))


# --- outputs ------------------------------------------------------------------------------------


def _outputs(
    item: Item, mechanism: Mechanism, used_names: set[str], faults: Faults
) -> tuple[StudyOutput, ...]:
    """Each may be made of those before it; none has a name that is taken."""
    result: list[StudyOutput] = []
    for name, one in entries(item).items():
        if name in used_names:
            faults.found.append(_name_error(one, name))
            continue
        output = faults.attempt(None, _output, name, one, mechanism, tuple(x.name for x in result))
        if output is not None:
            result.append(output)
    return tuple(result)


def _name_error(item: Item, name: str) -> ModelError:
    problem = say('an output cannot be called "{name}".', name)
    return item.fault(problem, "The name has another meaning.")


def _output(name: str, item: Item, mechanism: Mechanism, before: tuple[str, ...]) -> StudyOutput:
    unit = ""
    if isinstance(item.value, Mapping):
        errors = Faults()
        fields = Fields(item, say("an output"), _OUTPUT, errors)
        inner = fields.required("value", _EXAMPLE)
        errors.raised()
        assert inner is not None, "its absence is a fault"
        unit, item = fields.text("unit"), inner
    written = text(item)
    plain, measures = extract_measures(written)
    known = {n: symbol(n) for n in (*mechanism.parameter_table, *before)}
    known |= {n: symbol(n, "input") for n in measures}
    if any(x.kind == CURVE for x in measures.values()) and plain not in measures:
        raise item.fault(say('"{written}" is more than a curve.', written), "Write curve(…) alone.")
    for measure in measures.values():
        _check(item, measure, mechanism)
    try:
        value = parse_expression(plain, Names(known)) if plain not in known else known[plain]
    except ModelError as error:
        raise ModelError(
            str(item.place), say('"{value}": {problem}', written, error.problem), *error.advice
        ) from None
    return StudyOutput(name, written, value if value is not None else ZERO, measures, unit)


def _check(item: Item, measure: SampleMeasure, mechanism: Mechanism) -> None:
    """The arguments of a measure; names of curves are looked up in the first run."""
    kind, arguments = measure.kind, measure.arguments
    counts = {"growth": (0,), EVENT: (1, 2)}.get(kind, (1,))
    if len(arguments) not in counts:
        expected = in_a_row([str(count) for count in counts], "or")
        raise item.fault(
            say("{measure}: {wanted} argument(s) are expected.", str(measure), expected)
        )
    if kind == EVENT and arguments[0] not in mechanism.events:
        raise unknown(str(item.place), "event", arguments[0], mechanism.events)
    numbered = arguments[1:] if kind == EVENT else ()
    if kind in LINEAR and kind != "equilibrium":
        numbered = arguments
    for number in numbered:
        if not number.isdigit() or not int(number):
            raise item.fault(
                say('{measure}: "{number}" is not 1, 2, 3, …', str(measure), number),
            )
    if kind == "equilibrium" and arguments[0] not in mechanism.every_coordinate:
        raise unknown(str(item.place), "coordinate", arguments[0], mechanism.every_coordinate)
    assert kind in (*REDUCED, EVENT, *LINEAR, CURVE), "only these are taken out"
