"""A study of synthesis as a file: the mechanism, its variables, targets and constraints.

mechanism: four_bar.yaml          # a file beside this one, a phrase, or the YAML form itself
driver: alpha
variables: {l1: [5 cm, 20 cm], l2: [0.1, 0.5]}
targets:
  - path: {point: P, points: [[0.1, 0.2], [0.2, 0.2]]}
  - law: {output: delta, inputs: [0, 30 deg], wanted: [10 deg, 22 deg]}
constraints:
  - l1 + l4 <= l2 + l3
  - grashof: [l1, l2, l3, l4]
  - transmission: {angle: gamma, least: 40 deg}
starts: 30
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, final

import numpy as np

from torseur.design.synthesis_problem import Along, Grashof, Response, transmission, turning
from torseur.design.synthesise import Synthesis, synthesise
from torseur.design.targets import Law, Path, Peak, Shaking
from torseur.errors import ModelError
from torseur.language.load import named_model
from torseur.language.text.given import amount
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    entries,
    listed,
    text,
    yes_or_no,
)
from torseur.language.yaml.source import Item, read_yaml
from torseur.language.yaml.translated_keys import english
from torseur.model.description import Mechanism
from torseur.words.entries import shown_key
from torseur.words.sentence import say

Reading = Callable[[Item], Any]
SECTIONS = (
    *("mechanism", "driver", "speed", "variables", "targets", "constraints"),
    *("starts", "refined", "steps", "seed"),
)


@final
@dataclass(frozen=True)
class SynthesisStudy:
    """Study of synthesis, read from a file and checked."""

    mechanism: Mechanism
    driver: str
    variables: dict[str, tuple[str, str]]
    targets: tuple[Any, ...]
    constraints: tuple[Any, ...]
    options: dict[str, Any]

    def run(self) -> Synthesis:
        """The synthesis."""
        return synthesise(
            self.mechanism,
            self.driver,
            self.variables,
            self.targets,
            constraints=self.constraints,
            **self.options,
        )


def _number(item: Item) -> float:
    return amount(text(item), str(item.place))


def _whole(item: Item) -> int:
    value = _number(item)
    if value != int(value) or value < 0:
        raise item.fault(say("a whole number is expected, not {item}.", item))
    return int(value)


def _numbers(item: Item) -> Any:
    return np.array([_number(x) for x in listed(item, "")])


def _rows(item: Item) -> list[Any]:
    return [_numbers(x) for x in listed(item, "")]


def _wholes(item: Item) -> tuple[int, ...]:
    return tuple(_whole(x) for x in listed(item, ""))


TARGETS: Mapping[str, tuple[Callable[..., Any], dict[str, Reading]]] = {
    "path": (Path, {"point": text, "points": _rows, "timing": _numbers, "phase": yes_or_no,
                    "in_order": yes_or_no, "axes": text, "weight": _number}),
    "law": (Law, {"output": text, "inputs": _numbers, "wanted": _numbers, "angle": yes_or_no,
                  "offset": yes_or_no, "output_offset": yes_or_no, "weight": _number}),
    "shaking": (Shaking, {"force": _number, "moment": _number, "axes": text, "moment_axes": text,
                          "harmonics": _wholes, "count": _whole}),
    "peak": (Peak, {"output": text, "inputs": _numbers, "count": _whole, "weight": _number}),
    "response": (Response, {"output": text, "times": _numbers, "wanted": _numbers,
                            "weight": _number, "rate": _number}),
}  # fmt: skip
LIMITS: Mapping[str, tuple[Callable[..., Any], dict[str, Reading]]] = {
    "along": (Along, {"output": text, "least": _number, "most": _number, "inputs": _numbers,
                      "count": _whole}),
    "transmission": (transmission, {"angle": text, "least": _number, "count": _whole}),
    "turning": (turning, {"least": _number, "count": _whole}),
}  # fmt: skip


def load_study(path: str | FilePath) -> SynthesisStudy:
    """The study of a file; every fault with its place."""
    faults = Faults()
    fields = Fields(read_yaml(path), "a study", SECTIONS, faults)
    source, driver = fields.required("mechanism", "four_bar.yaml"), fields.required("driver", "q1")
    variables = fields.required("variables", "{l1: [0.1, 0.5]}")
    targets = fields.required("targets", "[{path: {point: P, points: [[0, 1], [1, 1]]}}]")
    lists = _list(targets, faults, _target), _list(fields.item("constraints"), faults, _constraint)
    reading = {
        "speed": _number,
        "starts": _whole,
        "refined": _whole,
        "steps": _whole,
        "seed": _whole,
    }
    options = {key: fields.read(key, None, read) for key, read in reading.items()}
    bounds = {} if variables is None else faults.attempt({}, _bounds, variables)
    faults.raised()
    assert source is not None and driver is not None, "what is missing has been told"
    given = {key: value for key, value in options.items() if value is not None}
    mechanism = named_model(source, FilePath(path).parent)
    return SynthesisStudy(mechanism, text(driver), bounds, tuple(lists[0]), tuple(lists[1]), given)


def _list(item: Item | None, faults: Faults, reading: Callable[[Item], Any]) -> list[Any]:
    if item is None:
        return []
    return [faults.attempt(None, reading, x) for x in faults.attempt((), listed, item, "")]


def _bounds(item: Item) -> dict[str, tuple[str, str]]:
    result = {}
    for name, pair in entries(item).items():
        low, high = listed(pair, name, 2)
        result[name] = text(low), text(high)
    return result


def _target(item: Item) -> Any:
    return _built_part(item, "a target", TARGETS)


def _constraint(item: Item) -> Any:
    if isinstance(item.value, str):
        return item.value
    fields = entries(item)
    if "grashof" in fields:
        crank, coupler, rocker, ground = map(text, listed(fields["grashof"], "grashof", 4))
        return Grashof(crank, coupler, rocker, ground)
    return _built_part(item, "a constraint", LIMITS)


def _named(keys: Iterable[str]) -> str:
    return ", ".join(map(shown_key, keys))


def _built_part(
    item: Item, what: str, known: Mapping[str, tuple[Callable[..., Any], dict[str, Reading]]]
) -> Any:
    """A part of one key, whose entries are the arguments of what it makes."""
    faults = Faults()
    Fields(item, what, known, faults)
    faults.raised()
    entry_by_kind = entries(item)
    if len(entry_by_kind) != 1:
        names = _named(known)
        raise item.fault(say("one of {names} is expected, not {item}.", names, item))
    ((kind, entry),) = entry_by_kind.items()
    make, readings = known[english(kind, known)]
    fields = Fields(entry, kind, readings, faults)
    given = {
        key: fields.read(key, None, read)
        for key, read in readings.items()
        if fields.item(key) is not None
    }
    faults.raised()
    try:
        return make(**given)
    except TypeError:
        raise entry.fault(
            say('"{kind}" lacks entries: it has {given}.', kind, _named(given) or "–"),
            say("Entries of {what}: {known}.", kind, _named(readings)),
        ) from None
    except ModelError as error:
        raise entry.fault(error.problem, *error.advice) from None
