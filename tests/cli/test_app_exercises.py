"""Exercises in the app: listed, shown, answered, with hints, lessons and marks."""

import http.client
import json
import re
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from app_served import served

from torseur.cli.app.edits import Desk
from torseur.cli.app.exercise_answers import EXERCISE_ANSWERS
from torseur.errors import ModelError

OWN = Path(__file__).parents[1] / "teach" / "own"


def asked(server, path, document=None):
    address = urlsplit(server.address)
    with closing(http.client.HTTPConnection(address.hostname, address.port)) as line:
        headers = {"Content-Type": "application/json"}
        method, body = ("GET", None) if document is None else ("POST", json.dumps(document))
        line.request(method, address.path + path, body, headers)
        response = line.getresponse()
        return response.status, response.read().decode()


@pytest.mark.slow
def test_an_exercise_is_listed_shown_and_answered_over_a_socket():
    with served(OWN) as server:
        _, page = asked(server, "")
        assert 'href="exercises"' in page
        status, listed = asked(server, "exercises")
        assert status == 200
        assert 'href="exercise/swing.yaml"' in listed and "A swing" in listed
        assert 'href="exercise/compound_pendulum"' in listed
        _, shown = asked(server, "exercise/swing.yaml")
        assert "Write the kinetic energy." in shown and "data:image/svg" in shown
        assert "m*l^2*theta.^2/2" not in shown
        again = asked(server, "exercise/swing.yaml")[1]
        first, second = (re.search(r'data-page="(\d+)"', x)[1] for x in (shown, again))
        assert first != second, "pages do not wait for each other"
        question = {"exercise": "swing.yaml", "question": "1"}
        _, text = asked(server, "reply", {**question, "answer": "m*l*theta.^2/2"})
        wrong = json.loads(text)
        assert wrong["right"] is False and "to be squared" in wrong["text"]
        _, text = asked(server, "reply", {**question, "answer": "½ m l² θ̇²", "hinted": True})
        right = json.loads(text)
        assert right["right"] is True and (right["points"], right["total"]) == (1.5, 7)
        assert "V(M)" in json.loads(asked(server, "hint", question)[1])["text"]
        assert json.loads(asked(server, "solution", question)[1])["text"] == "m*l^2*theta.^2/2"
        _, refused = asked(server, "exercise/nothing.yaml")
        assert "does not exist" in json.loads(refused)["faults"][0]["message"]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({"exercise": "../own/swing.yaml", "question": "1", "answer": "m"}, "name of a file"),
        ({"exercise": "swing.yaml", "question": "9", "answer": "m"}, '"9" does not exist'),
        ({"exercise": "swing.yaml", "question": "1", "answer": "m" * 5000}, "5000 characters"),
        ({"exercise": "swing.yaml", "question": "1", "answer": 3}, "is not a text"),
        ({"exercise": "swing.yaml", "question": "1", "more": "m"}, '"more" does not exist'),
    ],
)
def test_what_an_exercise_cannot_answer_is_refused(document, problem):
    with pytest.raises(ModelError, match=problem.replace("(", r"\(")):
        EXERCISE_ANSWERS["reply"](Desk(OWN, "en"), document)


def test_a_broken_exercise_of_the_folder_is_reported_in_the_list(tmp_path):
    (tmp_path / "mine.yaml").write_text("title: Mine\nquestions: {}\n", encoding="utf-8")
    page = EXERCISE_ANSWERS["exercises"](Desk(tmp_path, "en"), {})["html"]
    assert "mine.yaml" in page and "statement" in page
