"""What is public can be looked at, looked up, copied and sent to other processes."""

import copy
import inspect
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from public_results import EXAMPLES, RESULTS, mechanism, run
from stubs import stubs

import torseur as ts
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.model.parameters import with_values
from torseur.model.values.fingerprint import fingerprint
from torseur.public_names import NAMESPACES, public_homes

LONGEST = 400  # letters of a repr: a few lines
NAMES = sorted(x.name for x in EXAMPLES.iterdir() if x.name.endswith(".yaml"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_shown_in_a_few_lines_copied_and_pickled(name):
    result = RESULTS[name]()
    shown = repr(result)
    assert len(shown) <= LONGEST
    assert " object at 0x" not in shown
    for other in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert type(other) is type(result)
        assert repr(other) == shown
        assert (other == result) in (True, False)  # what holds arrays can be compared too
    assert result == result
    assert result in [other, result]


def test_torseurs_are_equal_where_their_components_are():
    one, same, other = (ts.Torseur([1, 2, 3], [0, 0, m], [0, 0, 0]) for m in (4, 4, 5))
    assert one == same != other
    assert len({one, same, other}) == 2
    assert one == one.at([1, 0, 0]).at(one.point)
    assert one != "a torseur"


def moved(subject, start):
    """The last angle of a run, made in another process."""
    return float(ts.simulate(subject, 0.2, initial={"phi": start})["phi"][-1])


def test_a_process_pool_takes_mechanisms_models_and_runs():
    pendulum = mechanism("simple_pendulum")
    longer = ts.compile(pendulum).with_parameters(a=2.0)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for subject in (pendulum, longer):
            assert pool.submit(moved, subject, 0.3).result() == moved(subject, 0.3)
        again = pool.submit(copy.copy, run()).result()
    np.testing.assert_array_equal(again["alpha"], run()["alpha"])
    np.testing.assert_allclose(again.reaction("A"), run().reaction("A"), atol=1e-9)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", NAMES)
def test_a_mechanism_equals_what_was_saved_of_it_and_no_other(name, tmp_path):
    described = ts.load(EXAMPLES / name)
    again = ts.load(described.save(tmp_path / name))
    assert again == described == pickle.loads(pickle.dumps(described))
    assert hash(again) == hash(described)
    assert described != replace(described, gravity=described.gravity + 1)
    assert described != name


def test_an_expression_comes_back_as_itself_however_deep_it_is():
    x = ts.derive(mechanism("simple_pendulum")).M[0, 0]
    for k in range(3000):
        x = x.sin() * k + 1
    assert pickle.loads(pickle.dumps(x)) is x
    assert copy.deepcopy(x) is x


# --- names --------------------------------------------------------------------------------------


def test_the_package_gives_the_names_of_the_list():
    assert {*NAMESPACES, *public_homes(), "__version__"} == {*ts.__all__} == {*dir(ts)}
    assert all(hasattr(ts, name) for name in ts.__all__)
    for name in NAMESPACES:
        namespace = getattr(ts, name)
        assert dir(namespace) == namespace.__all__ == sorted(public_homes(name))
        assert all(hasattr(namespace, x) for x in namespace.__all__)
        assert import_module(f"torseur.{name}") is namespace


def test_the_stubs_are_those_of_the_list():
    """`make format` writes them."""
    folder = Path(ts.__file__).parent
    assert {*stubs()} == {*folder.glob("*.pyi")}
    for file, text in stubs().items():
        assert file.read_text(encoding="utf-8") == text
    assert (folder / "py.typed").exists()


def test_a_package_does_not_take_the_place_of_a_function():
    import torseur.export.export

    assert inspect.isfunction(ts.export)
    assert torseur.export is ts.export


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_a_compiled_model_is_a_method_with_signature_and_words(name):
    method = getattr(ts.CompiledModel, name)
    letters = [x for x in inspect.signature(method).parameters if len(x) == 1 and x != "t"]
    assert "".join(letters) == FUNCTIONS[name].arguments
    assert FUNCTIONS[name].result[1:] in method.__doc__
    assert name in dir(ts.CompiledModel)


def test_arguments_of_a_compiled_function_may_be_given_by_their_letters():
    f, q = ts.compile(mechanism("double_pendulum")), np.array([0.1, 0.2])
    expected = f.inverse_dynamics(q, 2 * q, 3 * q)
    np.testing.assert_array_equal(f.inverse_dynamics(q, a=3 * q, v=2 * q), expected)
    assert [*inspect.signature(f.inverse_dynamics).parameters][:3] == ["q", "v", "a"]
    for wrong in ({"q": q}, {"z": q}):
        with pytest.raises(ts.ModelError, match="argument"):
            f.gravity(q, **wrong)


# --- saved --------------------------------------------------------------------------------------


def valued(original, **values):
    """The same mechanism with other values of parameters."""
    return replace(original, parameter_table=with_values(original.parameter_table, values))


def same(first, second):
    return fingerprint(first) == fingerprint(second) and first.name == second.name


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_saved_and_loads_back_equal(name, tmp_path):
    original = ts.load(EXAMPLES / name)
    again = ts.load(original.save(tmp_path / "other.yaml"))
    assert same(again, original)
    assert again.parameters == original.parameters
    assert again.initial == original.initial


def test_a_phrase_a_dict_a_gravity_and_other_values_are_saved(tmp_path):
    path = tmp_path / "model.yaml"
    arm = ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2);", masses="lever", gravity=(0, "-g", 0))
    for original in (arm, valued(arm, L1=0.5)):
        again = ts.load(original.save(path))
        assert same(again, original)
        assert again.parameters == original.parameters
    turned = ts.load(EXAMPLES / "slider_crank.yaml", gravity=(0, 0, -1))
    longer = valued(turned, l1=0.2)
    again = ts.load(longer.save(path))
    assert same(again, longer)
    assert again.parameters == pytest.approx(longer.parameters)
    built = ts.Builder("pendulum", gravity=[0, -9.81, 0])
    built.body("bob", mass=1, centre=[0, -1, 0])
    built.joint("O", "pivot", "ground", "bob", axis="z", coordinate="q")
    assert same(ts.load(built.build().save(path)), built.build())


def test_the_points_of_a_table_are_saved_in_the_place_of_its_file(tmp_path):
    (tmp_path / "lift.csv").write_text("x [mm],F [N]\n0,0\n10,2\n20,5\n")
    (tmp_path / "model.yaml").write_text(
        "tables: {lift: {file: lift.csv}}\n"
        "bodies: {slide: {mass: 1}}\n"
        "joints: {P: {type: glissiere, bodies: [ground, slide], axis: x, coordinate: x}}\n"
        "forces: {push: {type: joint, joint: P, value: lift(x)}}\n"
    )
    original = ts.load(tmp_path / "model.yaml")
    (tmp_path / "elsewhere").mkdir()
    assert same(ts.load(original.save(tmp_path / "elsewhere" / "saved.yaml")), original)


def test_what_was_changed_since_it_was_read_is_not_saved_as_something_else(tmp_path):
    lighter = replace(mechanism("slider_crank"), loads={}, motors={}, motions={})
    with pytest.raises(ts.ModelError, match="changed after it was read"):
        lighter.save(tmp_path / "model.yaml")
    with pytest.raises(ts.ModelError, match=r"Endings: \.yaml"):
        lighter.save(tmp_path / "model.json")


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (lambda: run()[0], 'coordinate "0" does not exist'),
        (lambda: run().reaction(0), 'joint "0" does not exist'),
        (lambda: run().multiplier(2), 'constraint "2" does not exist'),
        (lambda: ts.linkages.constraint_kinds("slider_crank")[0], 'constraint "0" does not exist'),
        (lambda: ts.first_integrals("elliptic_pendulum")["zz"], 'integral "zz" does not exist'),
    ],
)
def test_what_is_no_name_is_refused_by_the_names_that_there_are(read, told):
    with pytest.raises(ts.ModelError, match=told):
        read()


def test_first_integrals_are_found_by_name_and_by_place():
    found = ts.first_integrals("elliptic_pendulum")
    assert [found[k].name for k in range(len(found))] == list(found.names)
    assert found["E"] is found[0]
