"""Answers of the playground without LLVM, numba and SciPy, over unusual and damaged questions.

`python tests/support/playground_answers.py FIRST COUNT` prints a line for each answer that is no
answer, and how many were asked.
"""

import json
import random
import sys
import warnings
from pathlib import Path

ABSENT = ("llvmlite", "numba")  # no page has them
LATE = ("scipy", "sympy", "matplotlib", "PIL")


def questions(first, count):
    """Path, text and entries of questions: those of pages, then spoilt ones, YAML and phrases."""
    import fuzz_app
    import fuzz_doors

    whole = fuzz_app.questions()
    for number in range(first, first + count):
        rng = random.Random(number)
        if number < len(whole):
            given = whole[number]
        elif number % 3 == 0:
            given = fuzz_app.spoilt_questions(rng)
        else:
            given = (fuzz_doors.yaml if number % 3 == 1 else fuzz_doors.phrase)(rng)
            path = rng.choice(("reading", "check", "equations", "scheme", "graph"))
            given.question = path, {}
        path, document = given.question
        text = b"".join(given.files.values()) or " ".join(given.arguments[1:2]).encode()
        yield number, path, {"text": text.decode(errors="replace")} | document


def wrong(answer):
    """Why a text is no answer; nothing if it is one."""
    document = json.loads(answer)
    if "needs" in document:
        return f"a package is wanted that cannot come: {document['needs']}"
    return "; ".join(x["message"] for x in document["faults"] if "unexpectedly" in x["message"])


def main():
    sys.modules |= dict.fromkeys(ABSENT)
    sys.path.insert(0, str(Path(__file__).parent))
    warnings.simplefilter("ignore")
    from torseur.cli.playground import answers_in_page
    from torseur.cli.playground.late_packages import LatePackage

    answers_in_page.expect("[]")
    first, count = map(int, sys.argv[1:])
    for number, path, document in questions(first, count):
        reason = wrong(answers_in_page.answer("en", path, json.dumps(document)))
        if reason:
            print(number, path, reason)
    loaded = [x for x in LATE if not isinstance(sys.modules[x], LatePackage)]
    print("asked", count, *loaded)


if __name__ == "__main__":
    main()
