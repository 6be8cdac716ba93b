"""One catalogue of words: a sentence is a template with values, English and French are tables."""

import ast
import copy
import pickle

import pytest
from source_code import MODULES, nodes
from translations import texts

from torseur.algebra.forms.dimensions import _NAMES, dimension
from torseur.errors import ModelError, SolveError, all_faults, unknown
from torseur.language.packaged import described, example_description
from torseur.model.joints.catalogue import JOINTS, called
from torseur.model.joints.library import Revolute
from torseur.model.mass.solids import SOLIDS
from torseur.named_words import counted, listed, report_words
from torseur.output import reason
from torseur.words.sentence import Sentence, meaning_text, said, say

NAMING = ("unknown", "require_known")  # functions that take a place, then a kind of name
LEVER = "lever of body {body}"


def test_a_sentence_is_its_english_text_and_can_be_said_in_french():
    sentence = say(LEVER, 3)
    assert sentence == str(sentence) == sentence.said("en") == "lever of body 3"
    assert sentence.said("fr") == "levier du solide 3"
    assert (sentence.template, sentence.values) == (LEVER, {"body": 3})


def test_a_sentence_within_a_sentence_is_said_too():
    bodies = say("bodies {bodies}", "1, 2")
    sentence = say("No lever, therefore no mass: {bodies}.", bodies)
    assert sentence == "No lever, therefore no mass: bodies 1, 2."
    assert sentence.said("fr") == "Sans levier, donc sans masse : solides 1, 2."


def test_what_is_not_in_the_catalogue_stays_as_it_is():
    assert said("a sentence of the user", "fr") == "a sentence of the user"
    assert say("a sentence without French: {x:.3g}", 2.5).said("fr").endswith(": 2.5")


def test_values_keep_their_format_and_braces_of_the_user_their_place():
    assert say("{x:.2f} of {what}", 1.0, "{y}") == "1.00 of {y}"
    assert say("{{F}} at {point}", ["A"]) == "{F} at ['A']"


def test_values_stand_in_the_order_of_the_template_each_once():
    assert say("{a}, {b:.1f} and {a}", "x", 1) == "x, 1.0 and x"
    with pytest.raises(ValueError, match="shorter"):
        say("{a} and {b}", "x")


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_can_be_said_in_french_as_well(copied):
    sentence = copied(say(LEVER, 3))
    assert isinstance(sentence, Sentence)
    assert sentence.said("fr") == "levier du solide 3"
    error = copied(ModelError("place", say(LEVER, 3)))
    assert error.said("fr") == "place: levier du solide 3"


def test_an_error_is_printed_in_english_and_can_be_said_in_french():
    error = unknown("model.yaml:3:1", "body", "cranck", ["crank", "rod"])
    assert str(error) == (
        'model.yaml:3:1: body "cranck" does not exist.\n'
        "  Known bodies: crank, rod.\n"
        '  Did you mean "crank"?'
    )
    assert error.said("fr") == (
        "model.yaml:3:1: le solide « cranck » n'existe pas.\n"
        "  Solides connus : crank, rod.\n"
        "  Vouliez-vous dire « crank » ?"
    )
    assert unknown("", "joint", "A", ()).said("fr").endswith("Liaisons connues : aucune.")
    assert unknown("", "body", "A", ()).said("fr").endswith("Solides connus : aucun.")


def test_every_fault_of_an_error_is_said():
    faults = [unknown("a", "point", "P", ()), SolveError("b", "a text of the user")]
    both = all_faults([faults[0], ModelError("b", say(LEVER, 1))])
    assert both.said("fr").splitlines()[0] == "a: le point « P » n'existe pas."
    assert both.said("fr").splitlines()[-1] == "b: levier du solide 1"
    assert faults[1].said("fr") == str(faults[1]) == "b: a text of the user"


def test_every_kind_of_name_has_its_two_sentences_in_french():
    calls = [node for module in MODULES for node in nodes(module, ast.Call)]
    named = [call.args[1] for call in calls if getattr(call.func, "id", "") in NAMING]
    kinds = {kind.value for kind in named if isinstance(kind, ast.Constant)}
    errors = (unknown("", kind, "x", ["y"]) for kind in sorted(kinds))
    assert kinds
    assert not [str(x) for x in errors if str(x) == x.said("fr") or "Known" in x.said("fr")]


def test_one_thing_and_several():
    words = report_words("fr")
    assert counted(words["1 body|{} bodies"], 1) == "1 solide"
    assert counted(words["1 degree of freedom|{} degrees of freedom"], 6) == "6 degrés de liberté"
    assert listed(["a", "b", "c"], words) == "a, b et c"
    assert listed(["a"], words) == "a"


def test_what_parameters_of_examples_are_is_said_in_french_and_nothing_else():
    """Words of sentences may be the same in English and others in French: a restitution."""
    assert texts("fr")["restitution"] == "une restitution"
    assert meaning_text("restitution", "fr") == "coefficient de restitution"
    assert meaning_text("restitution", "en") == meaning_text("restitution") == "restitution"
    assert meaning_text("my own words", "fr") == "my own words"


def test_a_page_says_in_french_what_an_example_is_and_leaves_other_descriptions():
    name, english = "slider-crank", example_description("slider_crank", "en")
    assert described(name, english, "fr").startswith("Manivelle, bielle et piston")
    assert described(name, english, "en") == english
    assert described(name, "My own crank", "fr") == "My own crank"
    assert described("my-crank", english, "fr") == english


def test_every_joint_is_called_by_its_french_name():
    assert not [x for x in JOINTS if called(x).said("fr") == called(x)]
    assert called(Revolute).said("fr") == "une liaison pivot"


@pytest.mark.parametrize("problem", [FileNotFoundError("x"), PermissionError(13, "Denied", "x")])
def test_what_the_system_says_of_a_file_is_a_sentence(problem):
    assert reason(problem).said("fr") != reason(problem)
    assert reason(OSError(28, "No space left on device")).said("fr") == "le disque est plein"
    assert reason(OSError("Odd.")) == "odd"


def test_what_has_a_dimension_and_what_sizes_a_solid_is_told_in_french():
    sizes = {told for solid in SOLIDS.values() for told in solid.parameters.values()}
    assert not {*_NAMES.values(), "a quantity", *sizes} - set(texts("fr"))
    assert dimension("kg.m").in_words.said("fr") == "une masse multipliée par une longueur [kg.m]"
    assert dimension("kg.m").in_words == "a mass times a length [kg.m]"
