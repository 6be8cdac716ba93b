"""What a result has by declaring its fields: text, data, notebook view, equality, pickling."""

import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from functools import cached_property

import numpy as np
import pytest

import torseur as ts
from torseur.result import Result


class Swing(Result, document=("name", "angles", "largest")):
    """A result that writes no text of its own."""

    name: str
    angles: np.ndarray
    units: Mapping[str, str]

    @property
    def largest(self) -> float:
        return float(np.abs(self.angles).max())

    @cached_property
    def code(self):
        return lambda: self.name  # as machine code, it cannot be pickled


class Told(Result):
    """A result with a text."""

    unit: str
    mean: float

    def __str__(self) -> str:
        return self.say("mean {mean:.6g} {unit}, lines every {resolution:.4g} Hz", resolution=0.5)


def swing(*angles, name="θ"):
    return Swing(name, np.array(angles), {"θ": "rad"})


def test_a_result_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        swing(1.0).name = "φ"


def test_plain_data_are_the_attributes_that_are_declared_or_else_the_fields():
    assert swing(0.5, -2.0).document == {"name": "θ", "angles": [0.5, -2.0], "largest": 2.0}
    assert Told("m", 1.5).document == {"unit": "m", "mean": 1.5}


def test_its_line_shows_long_fields_by_their_size():
    assert repr(swing(*range(9))) == "Swing(name='θ', angles=<array 9>, units={'θ': 'rad'})"


def test_results_are_equal_where_their_fields_are():
    assert swing(1.0, 2.0) == swing(1.0, 2.0) != swing(1.0, 2.5)
    assert swing(1.0) != swing(1.0, name="φ") and swing(1.0) != Told("m", 1.0)
    assert len({swing(1.0, 2.0), swing(1.0, 2.0), swing(1.0, 3.0)}) == 2


def test_a_result_is_pickled_without_what_it_has_computed():
    result = swing(1.0, 2.0)
    assert result.code() == "θ"
    assert pickle.loads(pickle.dumps(result)) == result


def test_a_sentence_of_a_result_names_its_attributes_in_every_language():
    told = Told("m", 1.5)
    assert str(told) == told.said("en") == "mean 1.5 m, lines every 0.5 Hz"
    assert told.said("fr") != str(told)
    with ts.speaking("fr"):
        assert str(told) == told.said("fr")


def test_a_notebook_shows_the_text_or_else_a_table_of_the_fields():
    assert Told("m<", 1.5)._repr_html_() == "<pre>mean 1.5 m&lt;, lines every 0.5 Hz</pre>"
    assert "<table" in swing(1.0)._repr_html_()
