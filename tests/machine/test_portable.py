"""`make portable` runs the tests as other processors would, and its switches do what they say."""

import os
import subprocess
import sys

import portable

from torseur.machine.llvm import jit

ASKED = (
    "from numpy._core._multiarray_umath import __cpu_features__ as f; print(*(f[x] for x in {}))"
)


def test_every_kind_of_processor_has_a_switch_and_the_first_needs_nothing_of_this_one():
    kinds = portable.kinds()
    assert [x["OPENBLAS_CORETYPE"] for x in kinds.values() if "OPENBLAS_CORETYPE" in x] == [
        "Prescott",
        "Haswell",
        "SkylakeX",
    ]
    assert next(iter(kinds.values())) == {"OPENBLAS_CORETYPE": "Prescott"}
    assert {"TORSEUR_PORTABLE": "1"} in kinds.values()


def test_numpy_accepts_the_names_of_its_wide_units_and_turns_them_off():
    (switch,) = [x for x in portable.kinds().values() if "NPY_DISABLE_CPU_FEATURES" in x]
    asked = ASKED.format(portable.wide_units())
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", asked],
        env=os.environ | switch,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(answer.stdout.split()) <= {"False"}


def test_a_process_that_asks_for_it_compiles_for_any_processor(monkeypatch):
    monkeypatch.setenv("TORSEUR_PORTABLE", "")
    host = jit.target()
    assert host[0]
    monkeypatch.setenv("TORSEUR_PORTABLE", "1")
    assert jit.target() == ("", "")


def test_a_failure_is_told_with_its_test_and_fails_the_whole(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(
        portable, "kinds", lambda: {"as it is": {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}}
    )
    good, bad = tmp_path / "test_good.py", tmp_path / "test_bad.py"
    good.write_text("def test_a(): pass", encoding="utf-8")
    bad.write_text("def test_b(): assert 0", encoding="utf-8")
    monkeypatch.setattr(portable, "runs_here", lambda environment: True)
    assert portable.main(["-c", os.devnull, str(bad), str(good)]) == 1
    told = capsys.readouterr().out
    assert "as it is, cold: FAILED (1): 1 failed, 1 passed" in told
    assert "test_bad.py::test_b" in told
    assert "as it is, warm: " in told
    monkeypatch.setattr(portable, "runs_here", lambda environment: False)
    assert portable.main([str(good)]) == 1  # nothing was proved
    assert "left out" in capsys.readouterr().out
