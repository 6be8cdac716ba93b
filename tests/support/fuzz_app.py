"""Questions of a page to the app, as they are asked and with entries of any value."""

import json
import random
import sys
from typing import Any

from fuzz_inputs import EXTREMES, VALUES, Input, damaged, seldom_other
from fuzz_operations import example

MODELS = ("cart_pendulum.yaml", "slider_crank.yaml", "bouncing_ball.yaml", "simple_pendulum.yaml")
PANELS = ("reading", "written", "check", "equations", "scheme", "graph", "motion")
SAVED = {"description": "new.yaml", "page": "new.html", "run": "new.csv"}
NUMBERS = {"duration": 0.1, "rate": 50, "rtol": 1e-6, "page": 1, "edit": 3}


def questions() -> list[Input]:
    """Every panel of some examples, and every kind of file."""
    files = [{"m.yaml": example(name)} for name in MODELS]
    asked = [(path, NUMBERS) for path in PANELS]
    asked += [("equations", NUMBERS | {"formalism": "lagrange"})]
    asked += [("save", NUMBERS | {"what": what, "as": name, "replace": False, "known": None})
              for what, name in SAVED.items()]  # fmt: skip
    return [Input([], content, question=x) for content in files for x in asked]


def spoilt_questions(rng: random.Random) -> Input:
    """A changed text, or a document with entries of any value."""
    given = rng.choice(questions())
    assert given.question is not None
    path, document = given.question
    if rng.random() < 0.5:
        return damaged(given, rng)
    names = [*document, "values", "masses", "file", "text", "x"]
    changed: dict[str, Any] = dict(document)
    for _ in range(rng.randint(1, 2)):
        name = rng.choice(names)
        changed[name] = seldom_other(rng, [[1, 2], {"m": 1}], *VALUES, *EXTREMES)
    if rng.random() < 0.3:
        changed["values"] = {rng.choice(["m", "phi", "x", "l1", ""]): rng.choice(VALUES)}
    return Input([], given.files, question=(path, changed))


def answer(path: str, document: dict[str, Any]) -> None:
    """Ask as the server does, in this process; messages of errors go to standard error."""
    from torseur.cli.app.answering import answered
    from torseur.cli.app.edits import Answer, Desk, reply
    from torseur.cli.app.site import _question

    document = json.loads(json.dumps(document))

    def asked() -> Answer:
        question = _question(path, document, lambda: False)
        return answered(Desk(), path, dict(question.document))

    _, text = reply("en", asked)
    faults = json.loads(text)["faults"]
    print(text)
    print(*(x["message"] for x in faults), sep="\n", file=sys.stderr)
    sys.exit(bool(faults))
