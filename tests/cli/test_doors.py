"""Every public function, given anything, answers or says what it expected: no raw Python error."""

import contextlib
import inspect
import pickle
import re

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.expr import symbol

PHRASE = "RZ(q1), TXK(L1), RZ(q2), TXK(L2);"
MODEL = {
    "name": "arm",
    "gravity": [0, -9.81, 0],
    "parameters": {"l": 0.5},
    "bodies": {"b": {"mass": 1, "centre": ["l", 0, 0], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"A": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z", "coordinate": "q"}},
    "points": {"P": ["b", ["l", 0, 0]]},
}


def functions_of(room, prefix=""):
    """Every public function by its name after `ts.`, those of namespaces too."""
    for name in getattr(room, "__all__", [x for x in vars(room) if not x.startswith("_")]):
        value = getattr(room, name)
        if inspect.ismodule(value):
            yield from functions_of(value, f"{prefix}{name}.")
        elif inspect.isfunction(value):
            yield f"{prefix}{name}", value


FUNCTIONS = dict(functions_of(ts))
# Formulas on vectors and tensors: their types are looked at, their shapes are the caller's.
FORMULAS = re.compile(r"torseur\.(model\.mass|spatial)\.(?!velocity_field)")
JUNK = (PHRASE, "missing.yaml", "", None, 3, -1, [], {}, [1, 2, 3], {"x": 1}, object(), np.zeros(3))
# One motion a second, of every public function, would take minutes: one value a function is enough.
LENGTHY = ("chaos.trust", "chaos.lyapunov", "chaos.poincare", "chaos.sensitivity_to_start",
           "stability.bifurcations", "stability.root_locus", "control.tracking",
           "robots.excite", "synthesis.synthesise")  # fmt: skip


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """An argument that fits, for each name a parameter has."""
    mechanism = ts.load(MODEL)
    folder = tmp_path_factory.mktemp("doors")
    run = ts.simulate(mechanism, 0.05)
    run.save(folder / "run.nc")
    t = np.linspace(0, 1, 64)
    log = ts.robots.Log(t, np.sin(3 * t)[:, None], np.cos(t)[:, None])
    path = ts.robots.quintic({"q": [0, 1]}, [0, 1])
    return {
        "mechanism": mechanism, "source": mechanism, "subject": mechanism, "run": run,
        "motion": run, "duration": 0.05, "path": folder / "page.html", "to": "c",
        "directory": folder, "body": "b", "first": "ground", "second": "b", "t": t, "q": run.q,
        "v": run.v, "a": run.a, "point": "P", "frame": "b", "wheel": "b", "radius": 0.1,
        "place": "P", "field": ["0", "x1", "0"], "points": np.eye(3), "velocities": np.eye(3),
        "parameter": "l", "values": [0.4, 0.5], "span": (0.4, 0.5), "of": ["l"], "name": "q",
        "by": 0.01, "surface": "q", "formula": "q..", "about": {"x": 0}, "order": 2, "pose": {},
        "angle": t, "signals": np.cos(t)[:, None] * [1, 2], "signal": np.cos(t), "linear": None,
        "inertia": [1, 2, 3], "spin": 1.0, "turning": [0, 1, 0], "moments": np.array([1, 2, 3.0]),
        "rates": np.array([1, 2, 3.0]), "runs": {"one": run}, "bare": None, "trials": [],
        "unbalances": [], "reference": {"q": "0.1*t"}, "kp": 10.0, "ki": 1.0, "kd": 1.0,
        "slope": 2.0, "rate": 1.0, "along": "q", "measure": "q.", "goal": 0.1, "start": {"q": 0.0},
        "end": {"q": 0.1}, "frequency": 5.0, "state_weights": 1.0, "input_weights": 1.0,
        "rows": [{"a": 0.4}], "trajectory": path, "task": path, "input": "q",
        "text": "sphere(radius=1)",
        "log": log, "unloaded": log, "loaded": log, "at": "b",
        "found": ts.robots.identify(mechanism, log, known=["Izz of b"]),
        "target": [0.3, 0.4, 0], "centre": [0, 0, 0], "axis": [0, 0, 1], "speed": 1.0,
        "acceleration": 2.0, "positions": {"q": [0, 1]}, "times": [0, 1],
        "exercise": ts.exercises.load("compound_pendulum"), "question": "1", "answer": "0",
        "answers": {"2": "X Y Z L M 0"}, "model": "compound_pendulum",
        "inputs": np.zeros((5, 1)), "driver": "q", "variables": {"l": (0.2, 0.8)},
        "targets": [ts.synthesis.Law("P.x", [0.1], [0.3])], "output": "q", "function": np.sin,
        "contact": "floor", "condition": "q.. = 0", "direction": [1, 0, 0], "between": (0.0, 1.0),
        "count": 2, "least": 0.5, "motors": {"q": {}}, "reward": "q",
    }  # fmt: skip


def required(function):
    return [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


def attempt(function, arguments):
    """A result, or an error that is meant for the user."""
    with contextlib.suppress(ts.ModelError, ts.SolveError), np.errstate(all="ignore"):
        function(**arguments)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [n for n, f in FUNCTIONS.items() if not FORMULAS.match(inspect.unwrap(f).__module__)]
)
def test_no_argument_of_a_public_function_makes_a_raw_error(name, good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = FUNCTIONS[name]
    fitting = {key: good[key] for key in required(function) if key in good}
    junk = JUNK[:1] if name in LENGTHY else JUNK
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        for value in junk:
            attempt(function, fitting | {parameter.name: value})


@pytest.mark.parametrize(("call", "problem"), [
    (lambda: ts.simulate("R(q1);", 1.0, rates=3), '"rates" does not exist.*Did you mean "rate"'),
    (lambda: ts.simulate(), 'argument "mechanism" is missing.*simulate\\(mechanism, …\\)'),
    (lambda: ts.simulate("R(q1);", mechanism="R(q1);"), 'argument "mechanism" is given twice'),
    (lambda: ts.simulate("R(q1);", 1.0, 2.0), "argument 2.0 is one too many.*rate="),
])  # fmt: skip
def test_arguments_that_a_function_does_not_take_are_named(call, problem):
    with pytest.raises(ts.ModelError, match=f"(?s){problem}"):
        call()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_keeps_its_signature_its_text_and_can_be_sent_elsewhere(name):
    function = FUNCTIONS[name]
    assert function.__doc__
    assert inspect.signature(function).parameters
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("name", [
    n for n in FUNCTIONS if "mechanism" in inspect.signature(FUNCTIONS[n]).parameters
])  # fmt: skip
def test_a_function_of_a_mechanism_takes_every_form_of_it(name, good, tmp_path, monkeypatch):
    """Whatever a mechanism gives, its dict, its path and its compiled model give too."""
    monkeypatch.chdir(tmp_path)
    if name in LENGTHY:
        pytest.skip("one form is as another")
    function = FUNCTIONS[name]
    others = {key: good[key] for key in required(function) if key != "mechanism"}
    mechanism = ts.load(MODEL)
    for form in (mechanism, MODEL, ts.compile(mechanism)):
        with contextlib.suppress(ts.SolveError):
            try:
                function(form, **others)
            except ts.ModelError as error:
                assert "Expected: a mechanism" not in str(error)


def test_a_phrase_a_path_and_a_compiled_model_are_the_mechanism_they_stand_for(tmp_path):
    (tmp_path / "arm.txt").write_text(PHRASE)
    text = ts.derive(ts.load(PHRASE)).text()
    assert ts.derive(PHRASE).text() == text
    assert ts.derive(tmp_path / "arm.txt").text() == text
    assert ts.derive(ts.compile(PHRASE)).text() == text
    longer = ts.compile(MODEL).with_parameters(l=2.0)
    assert ts.derive(longer).system.mechanism.parameters == {"l": 2.0}


def test_a_run_starts_from_what_was_assembled():
    start = ts.assemble(MODEL, {"q": 0.3, "q.": 2.0})
    run = ts.simulate(MODEL, 0.05, initial=start)
    assert run["q"][0] == 0.3
    assert run["q."][0] == 2.0


@pytest.mark.parametrize(("call", "message"), [
    (lambda: ts.simulate(MODEL, 0.1, initial=[0.1]),
     'simulate: the argument "initial" is [0.1] (list).\n  Expected: names with values'),
    (lambda: ts.simulate(MODEL, "long"), 'the argument "duration" is \'long\' (str).'),
    (lambda: ts.compile(3), "Expected: a mechanism (ts.load), a phrase, a path or a dict"),
    (lambda: ts.view(MODEL, None), "Expected: a text or the path of a file."),
    (lambda: ts.equilibria(MODEL, box={"q": 3}), 'the argument "box"'),
    (lambda: ts.rotation.free_rotation([1, 2, "x"], [1, 2, 3]), "Expected: a list of numbers."),
    (lambda: ts.Torseur([1, 0], [0, 0, 0], [0, 0, 0]), "the resultant [1, 0] is not a vector"),
    (lambda: ts.Torseur(np.zeros(2), [0, 0, 0], [0, 0, 0]), "the resultant array([0., 0.]) is not"),
    (lambda: ts.Torseur([1, 0, 0], [0, 0, 0], [0, 0, 0]).at([1, 2]), "the point [1, 2] is not"),
    (lambda: ts.Torseur([1, 0, 0], [0, 0, 0], [0, 0, 0]).comoment(3), "a torseur and 3 is not"),
    (lambda: ts.torseurs.total([3], [0, 0, 0]), "Expected: a list, each a value of the kind Tor"),
    (lambda: ts.torseurs.body_torseurs(MODEL, "b", at=[0, 0, 1]),
     "Expected: a text or 2 values (a text, a list)."),
    (lambda: ts.mass.inertia_tensor({}), "Expected: a list."),
    (lambda: ts.mass.particles([1, 2], [[0, 0, 0]]), "2 masses and 1 positions are given."),
    (lambda: ts.mass.particles([1], [[0, 0, 0]]).inertia_at([1, 2]), "point: the shape is (2,)"),
    (lambda: ts.mass.huygens(np.eye(3), 1, [0, 0], [0, 0, 0], [0, 0, 0]), "centre: the shape is"),
    (lambda: ts.mass.from_pseudo_inertia(np.eye(3)), "the shape is (3, 3), not (4, 4)"),
    (lambda: ts.torseurs.rigid_fit([[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, np.nan, 0]]),
     "velocities[1] = [0.0, nan, 0.0] is not finite."),
])  # fmt: skip
def test_a_wrong_argument_is_named_with_what_was_expected(call, message):
    with pytest.raises(ts.ModelError) as error:
        call()
    assert message in str(error.value)


def test_whole_numbers_of_any_size_are_numbers():
    still = {"control": lambda t, q, v: 0 * q, "rate": 100.0}
    assert ts.simulate(MODEL, 0.03, sample=10**30, **still).t[-1] == 0.03
    with pytest.raises(ts.ModelError, match="finite"):
        ts.simulate(MODEL, 10**400)


def test_a_torseur_is_made_of_lists_of_numbers_or_of_expressions():
    force = ts.Torseur([0, 0, 2], [1, 0, 0], [0, 0, 0])
    np.testing.assert_array_equal(force.at([0, 1, 0]).moment, [-1, 0, 0])
    x = symbol("x")
    assert ts.Torseur([0, 0, x], [0, 0, 0], [0, 0, 0]).at([1, 0, 0]).moment[1] is x
