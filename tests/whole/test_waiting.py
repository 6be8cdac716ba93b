"""Waits: nothing is shown at first, then a bar with its text on standard error."""

import time

import pytest

from torseur import waiting as waits
from torseur.waiting import waiting


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(waits, "_PATIENCE", 0.01)


def shown(wait):
    """Go on when the bar of a wait has appeared."""
    for _ in range(1000):
        if wait._bar is not None:
            return
        time.sleep(0.01)
    raise AssertionError("no bar appeared")


def test_a_short_wait_shows_nothing(capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with waiting("assembling") as change:
        change(total=2.0, completed=1.0)
    assert capfd.readouterr() == ("", "")


def test_a_long_wait_shows_its_text_and_how_far_it_is_on_standard_error(capfd, terminal):
    with waiting("assembling") as change:
        shown(waits._waits[-1])
        change(description="simulating", total=4.0, completed=1.0)
    out, err = capfd.readouterr()
    assert out == "" and "simulating" in err and "25%" in err
    assert not waits._waits


def test_what_is_no_terminal_gets_no_bar(capfd, monkeypatch):
    monkeypatch.setattr(waits, "_PATIENCE", 0.0)
    with waiting("assembling"):
        waits._waits[-1]._patience.join()
    assert capfd.readouterr() == ("", "")


def test_a_wait_inside_another_lends_its_text_to_the_bar_at_hand(capfd, terminal):
    with waiting("outside"):
        (wait,) = waits._waits
        with waiting("inside") as change:
            assert waits._waits == [wait] and wait.fields["description"] == "inside"
            change(completed=1.0)
        assert wait.fields["description"] == "outside"


def test_a_bar_goes_with_the_error_that_ends_a_wait(terminal):
    with pytest.raises(ZeroDivisionError), waiting("assembling"):
        raise ZeroDivisionError
    assert not waits._waits
