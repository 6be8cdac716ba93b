"""The app: over a real socket it answers its own page alone, with what commands and reports say."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest
from app_served import PENDULUM, START, asked, got, packed, sent, served
from click.testing import CliRunner
from processes import LIMITED

import torseur as ts
from torseur.cli.app import edits, shared_links, site
from torseur.cli.app.answers import ANSWERS, controls
from torseur.cli.app.edits import Desk, Edit, mechanism_of
from torseur.cli.app.jobs import Jobs, PanelRequest
from torseur.cli.app.server import LARGEST, Server
from torseur.cli.app.site import AppSite
from torseur.cli.commands import commands
from torseur.cli.describe import app as command
from torseur.model.values.fingerprint import fingerprint
from torseur.named_words import teach_words
from torseur.report.editor.editor_page import PANELS, editor
from torseur.teach.tell import FORMALISMS

EXAMPLES = files("torseur.examples")
PHRASE = "RY(q1), TYK(L1), RX(q2), TYK(L2);"
CHAOTIC = (EXAMPLES / "double_pendulum.yaml").read_text(encoding="utf-8")
LONG = {"text": CHAOTIC, "duration": 1e6, "rate": 0.1, "edit": 1}  # minutes to compute
EVIL = "</script><script>alert('&')</script>"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


@pytest.fixture(scope="module")
def server():
    with served() as one:
        yield one


@pytest.fixture(scope="module")
def run():
    return ts.simulate(ts.load(EXAMPLES / "simple_pendulum.yaml"), 0.2)


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "desk"  # what stands around it is of this test alone
    place.mkdir()
    with served(place) as one:
        yield one, place


# --- who is answered ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/wrong/", "/{token}", "/{token}x/", "/../{token}/"])
def test_nobody_is_answered_without_the_token(server, path):
    status, _, content = sent(server, "GET", path.format(token=server.token))
    assert status == HTTPStatus.FORBIDDEN
    assert server.token not in content


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", ""])
def test_nobody_is_answered_who_calls_this_machine_by_another_name(server, host):
    host = host.format(port=server.server_port)
    status, _, content = sent(server, "GET", f"/{server.token}/", Host=host)
    assert status == HTTPStatus.MISDIRECTED_REQUEST
    assert "Torseur" not in content


def test_the_page_is_answered_under_both_names_of_this_machine_and_kept_by_nobody(server):
    for name in server.hosts:
        status, headers, content = sent(server, "GET", f"/{server.token}/", Host=name)
        assert status == HTTPStatus.OK
        assert "<textarea" in content
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Content-Type": "text/plain"}, "{}", HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
        ({"Content-Type": "application/json"}, "{", HTTPStatus.BAD_REQUEST),
        ({"Content-Length": str(LARGEST + 1)}, None, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
        ({"Content-Length": "-1"}, None, HTTPStatus.LENGTH_REQUIRED),
        ({"Content-Length": "9" * 5000}, None, HTTPStatus.BAD_REQUEST),
        ({"Content-Length": "0" * 5000}, None, HTTPStatus.BAD_REQUEST),
    ],
)
def test_what_is_no_question_is_refused_before_it_is_read(server, headers, body, status):
    assert sent(server, "POST", f"/{server.token}/reading", body, **headers)[0] == status


def test_there_is_nothing_at_other_paths(server):
    for path in (
        "../../etc/passwd",
        "example/../__init__",
        "picture/nothing",
        "example",
        "files",
        "save",
    ):
        assert got(server, path)[0] == HTTPStatus.NOT_FOUND
    assert asked_status(server, "nothing") == HTTPStatus.NOT_FOUND


def asked_status(server, path):
    kind = {"Content-Type": "application/json"}
    return sent(server, "POST", f"/{server.token}/{path}", "{}", **kind)[0]


@pytest.mark.parametrize(
    "document",
    [{"text": 1}, {"values": []}, {"page": "a"}, {"file": "../a.yaml"}, {"file": "/etc/a.yaml"},
     {"duration": "long"}, {"duration": [1]}, {"values": {"a": {}}}, {"values": {"b": 1}},
     {"durations": 1}, {"what": "page"}, {"text": "x" * 5_000_001}],
)  # fmt: skip
def test_a_wrong_question_is_one_message(server, document):
    status, answer = asked(server, "reading", **document)
    assert status == HTTPStatus.OK
    (fault,) = answer["faults"]
    assert fault["message"]
    assert "Traceback" not in fault["message"]


def test_what_nobody_foresaw_is_one_message_and_no_traceback(server, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr(site, "edit_of", broken)
    monkeypatch.setattr(edits, "crash_message", lambda error: f"it failed ({error})")
    status, answer = asked(server, "reading")
    assert status == HTTPStatus.INTERNAL_SERVER_ERROR
    assert [x["message"] for x in answer["faults"]] == ["it failed (unforeseen)"]


# --- what is answered -----------------------------------------------------------------------------


def test_faults_are_those_of_check_with_their_lines_and_columns(folder):
    server, place = folder
    wrong = PENDULUM.replace("pivot", "pivo").replace("mass: m,", "mass: mm,")
    (place / "arm.yaml").write_text(wrong, encoding="utf-8")
    with pytest.raises(ts.ModelError) as raised:
        ts.load(place / "arm.yaml")
    faults = asked(server, "reading", text=wrong)[1]["faults"]
    assert "\n".join(x["message"] for x in faults) == str(raised.value)
    assert all(f":{x['line']}:{x['column']}:" in x["message"] for x in faults)


@pytest.mark.parametrize("form", ["{}", "torseur: 1\nphrase: {}\n"])
def test_faults_of_a_phrase_have_their_places_in_the_text(server, form):
    text = form.format("RY(q1), TYK(L1), QX(q2);")
    (fault,) = asked(server, "reading", text=text)[1]["faults"]
    line = text.splitlines()[fault["line"] - 1]
    assert line[fault["column"] - 1 :].startswith("QX")


def test_an_edit_gives_other_numbers(server, run):
    first = asked(server, "motion", duration=0.2, edit=1, page=1)[1]
    moved = asked(server, "motion", duration=0.2, edit=2, page=1, values={"phi": "60 deg"})[1]
    assert first["final"] == pytest.approx(run.end)
    assert moved["final"]["phi"] != pytest.approx(first["final"]["phi"], rel=1e-3)
    assert "data-scene" in moved["page"]
    assert any("energy drift" in line for line in moved["lines"])


def test_every_panel_is_answered(server):
    edit = {"page": 2, "edit": 1}
    checked = asked(server, "check", **edit)[1]
    assert checked["degrees_of_freedom"] == 1
    assert "<table>" in checked["html"]
    equations = asked(server, "equations", formalism="lagrange", **edit)[1]
    assert "<math" in equations["html"]
    assert r"\ddot" in equations["latex"]
    for panel in ("scheme", "graph"):
        assert "image/svg+xml" in asked(server, panel, **edit)[1]["html"]
    assert set(PANELS) == set(ANSWERS) - {"reading", "written"}


def test_a_phrase_without_values_shows_its_poses_and_says_what_is_missing(server):
    answer = asked(server, "motion", text=PHRASE, masses="lever", page=3)[1]
    assert "data-scene" in answer["page"]
    assert "L1" in answer["lines"][0]


def test_parameters_and_the_start_have_sliders_about_their_values(server):
    found = {x["name"]: x for x in asked(server, "reading")[1]["controls"]}
    mechanism = ts.load(EXAMPLES / "simple_pendulum.yaml")
    assert set(found) == {*mechanism.parameters, *mechanism.coordinates, *mechanism.speeds}
    assert all(x["low"] <= x["value"] <= x["high"] for x in found.values())
    crank = ts.load(EXAMPLES / "slider_crank.yaml")
    changed = mechanism_of(Desk(), Edit(crank.yaml(), values=(("l1", 0.15), ("alpha.", 2))))
    found = {x["name"]: x for x in controls(crank, changed)}
    assert (found["l1"]["value"], found["alpha."]["value"]) == (0.15, 2.0)
    assert found["l1"]["high"] == pytest.approx(0.2)
    driven = ts.load(EXAMPLES / "cardan_shaft.yaml")
    names = {x["name"] for x in controls(driven, driven)}
    assert not names & {one.rows.coordinate for one in driven.motions.values()}


def test_what_follows_from_others_cannot_be_moved():
    text = PENDULUM.replace("parameters:", "parameters:\n  twice: 2*a", 1)
    found = {x["name"]: x for x in controls(*[mechanism_of(Desk(), Edit(text))] * 2)}
    assert not found["twice"]["free"]
    assert found["a"]["free"]


def test_examples_are_listed_with_their_pictures(server):
    page = got(server, "")[2]
    for name in ("slider_crank", "puma560"):
        assert f'src="picture/{name}"' in page
    _, headers, picture = got(server, "picture/simple_pendulum")
    assert headers.get_content_type() == "image/svg+xml"
    assert picture.startswith("<svg")
    assert asked(server, "example", name="simple_pendulum")[1]["text"] == PENDULUM


def test_descriptions_of_the_folder_are_listed_and_opened(folder):
    server, place = folder
    for name, content in {"b.yaml": "# b", "a.yml": "# a", "c.txt": "", ".d.yaml": ""}.items():
        (place / name).write_text(content, encoding="utf-8")
    assert asked(server, "files")[1]["files"] == ["a.yml", "b.yaml"]
    opened_file = asked(server, "file", name="b.yaml")[1]
    assert (opened_file["text"], opened_file["known"]) == ("# b", "# b")
    for name, problem in (("c.txt", "not the name"), ("e.yaml", "does not exist"), (3, "text")):
        (fault,) = asked(server, "file", name=name)[1]["faults"]
        assert problem in fault["message"]
    (fault,) = asked(server, "example", name="pendulum")[1]["faults"]
    assert "simple_pendulum" in fault["message"]


def test_a_file_that_is_included_is_read_each_time(folder):
    server, place = folder
    part = "bodies: {rod: {mass: 1}}\njoints: {A: {type: pivot, bodies: [ground, rod], axis: z}}\n"
    whole = "include:\n- {file: part.yaml, prefix: p_}\nbodies: {b: {mass: 1}}\n"
    whole += "joints: {B: {type: prismatic, bodies: [ground, b], axis: x}}\n"
    for name in ("A", "C"):
        (place / "part.yaml").write_text(part.replace("A:", f"{name}:"), encoding="utf-8")
        controls = asked(server, "reading", text=whole)[1]["controls"]
        assert f"p_{name}" in {x["name"] for x in controls}


def test_a_kind_of_motion_is_chosen_and_another_is_refused(server):
    assert asked(server, "motion", page=5, duration=0.1, kind="recorded")[1]["page"]
    (fault,) = asked(server, "motion", page=5, duration=0.1, kind="other")[1]["faults"]
    assert '"other"' in fault["message"] and "recorded" in fault["message"]
    assert '<option value="live">live</option>' in got(server, "")[2]
    live = asked(server, "motion", page=5, duration=0.1, kind="live")[1]
    assert "WebAssembly" in live["page"]


def test_french_is_spoken_throughout():
    with served(lang="fr") as server:
        assert "paramètres:" in asked(server, "example", name="simple_pendulum")[1]["text"]
        assert "Graphe des liaisons" in got(server, "")[2]
        text = PENDULUM.replace("ground", "groond")
        assert "n'existe pas" in asked(server, "reading", text=text)[1]["faults"][0]["message"]
        answer = asked(server, "motion", duration=0.1)[1]
        assert answer["lines"][0].startswith("dérive de l'énergie")
        assert "mobilité" in asked(server, "check")[1]["html"]


# --- jobs -----------------------------------------------------------------------------------------


def processes(jobs):
    """The processes that a server has started and that still run."""
    return {x._process.pid for x in (*jobs._running, *jobs._idle) if x.alive}


def is_running(process):
    """Whether a process is there and is no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition):
    """Look again and again; a test that waits for ever is ended by whoever runs it."""
    while not condition():
        time.sleep(0.01)


@contextmanager
def computing(server, page, path="motion", **document):
    """A page whose long motion has begun; it closes its connection at the end."""
    body = json.dumps({**LONG, "page": page, **document})
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    kind = {"Content-Type": "application/json"}
    connection.request("POST", f"/{server.token}/{path}", body, kind)
    until(lambda: server.jobs._running)
    (worker,) = server.jobs._running
    try:
        yield connection, worker._process.pid
    finally:
        connection.close()


def test_a_page_does_not_wait_for_the_long_motion_of_another():
    with served() as server, computing(server, page=1) as (_, process):
        for panel in ("reading", "check", "motion"):
            assert not asked(server, panel, page=2, duration=0.1)[1]["faults"]
        assert is_running(process), "the other one computes all the while"


def test_a_job_ends_when_its_page_goes_away():
    with served() as server:
        with computing(server, page=1) as (_, process):
            assert is_running(process)
        until(lambda: not server.jobs._running)
        assert not is_running(process)


def test_a_job_ends_when_its_page_is_edited_and_what_is_asked_then_is_answered():
    with served() as server, computing(server, page=1) as (connection, process):
        assert asked(server, "reading", page=1, edit=2)[1]["controls"]
        response = connection.getresponse()
        assert response.status == HTTPStatus.CONFLICT
        assert json.loads(response.read())["superseded"]
        until(lambda: not is_running(process))


def test_a_process_is_used_again_if_its_superseded_job_ends_soon_and_ended_if_not():
    with closing(Jobs(Desk())) as jobs:
        first, second = (PanelRequest(page, 0, "check", {}) for page in (1, 2))
        jobs._newest = {1: 0, 2: 0}
        turns = [threading.Lock(), threading.Lock()]
        short, long = jobs._worker_for(first, turns[0]), jobs._worker_for(second, turns[1])
        short.ask("check", {"text": PENDULUM})
        assert short.answer(None)  # what it needs is imported
        short.ask("check", {"text": PENDULUM})
        long.ask("motion", LONG)
        for worker, turn in zip((short, long), turns, strict=True):
            jobs._let_end(worker, turn)
            assert not turn.locked()
        assert jobs._idle == [short]
        assert not long.alive and not jobs._running


def test_a_short_question_of_a_page_does_not_wait_for_its_motion():
    with served() as server, computing(server, page=1) as (_, process):
        assert asked(server, "written", page=1, edit=1)[1]["text"] == PENDULUM
        assert is_running(process)


@pytest.mark.parametrize(("lang", "told"), [("en", "stopped after 0.5 s"), ("fr", "après 0.5 s")])
def test_a_job_that_lasts_too_long_is_ended_with_a_message(lang, told):
    with served(lang=lang, limit=0.5) as server, computing(server, page=1) as (connection, process):
        (fault,) = json.loads(connection.getresponse().read())["faults"]
        assert re.search(told, fault["message"])
        until(lambda: not is_running(process))


def test_a_process_that_breaks_off_is_one_message_and_the_next_question_is_answered():
    with served() as server, computing(server, page=1) as (connection, process):
        os.kill(process, signal.SIGKILL)
        (fault,) = json.loads(connection.getresponse().read())["faults"]
        assert "exit code -9" in fault["message"]
        assert not asked(server, "check", page=1, edit=1)[1]["faults"]


def test_a_save_that_is_ended_leaves_nothing_behind(folder):
    server, place = folder
    with computing(server, 1, "save", what="page", **{"as": "film.gif"}):
        pass
    until(lambda: not server.jobs._running)
    assert list(place.iterdir()) == []


def test_no_process_is_left_when_the_server_ends():
    with served() as server, computing(server, page=1):
        server.jobs.start()
        known = processes(server.jobs)
    assert len(known) > 1
    assert not any(map(is_running, known))


def started_by(threads):
    """The children of a process, by its threads."""
    return {int(x) for one in threads.iterdir() for x in (one / "children").read_text().split()}


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_a_server_that_is_ended(sign):
    code = "from torseur.cli import main; main()"
    line = [sys.executable, "-c", code, "app", "--no-browser"]
    running = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, **LIMITED)
    address = re.search(r"http://[^ ;]+", running.stdout.readline())[0]
    server = urlsplit(address)
    connection = http.client.HTTPConnection(server.hostname, server.port)
    body = json.dumps({**LONG, "page": 1})
    connection.request("POST", f"{server.path}motion", body, {"Content-Type": "application/json"})
    threads = Path(f"/proc/{running.pid}/task")
    until(lambda: len(started_by(threads)) > 1)
    known = started_by(threads)
    running.send_signal(sign)
    running.wait()
    running.stdout.close()
    connection.close()
    until(lambda: not any(map(is_running, known)))


def test_a_question_that_came_too_late_is_told_so(server):
    assert asked(server, "scheme", page=4, edit=2)[0] == HTTPStatus.OK
    status, answer = asked(server, "motion", page=4, edit=1)
    assert status == HTTPStatus.CONFLICT
    assert answer["superseded"]


# --- files ----------------------------------------------------------------------------------------


def test_what_is_saved_loads_back_equal_with_its_values(folder):
    server, place = folder
    values = {"a": 0.7, "phi": "30 deg", "phi.": 1.5}
    answer = asked(server, "save", what="description", values=values, **{"as": "new.yaml"})[1]
    loaded = ts.load(place / "new.yaml")
    meant = mechanism_of(Desk(), Edit(PENDULUM, values=tuple(values.items())))
    assert answer["text"] == (place / "new.yaml").read_text(encoding="utf-8")
    assert loaded.parameters == meant.parameters
    assert fingerprint(loaded) == fingerprint(meant)
    first, second = (ts.simulate(x, 0.1).end for x in (loaded, meant))
    assert first == pytest.approx(second, rel=1e-12)


def test_a_text_is_saved_as_it_stands_faults_and_all(folder):
    server, place = folder
    text = "# not finished\nbodies: {arm: {mass: }\n"
    assert asked(server, "save", what="description", text=text, **{"as": "arm.yaml"})[1]["saved"]
    assert (place / "arm.yaml").read_text(encoding="utf-8") == text


def test_a_phrase_is_saved_with_its_masses_values_and_start(folder):
    server, place = folder
    more = {"masses": "lever", "values": {"L1": 0.4, "q1": 0.2}, "as": "arm.yaml"}
    asked(server, "save", what="description", text=PHRASE, **more)
    loaded = ts.load(place / "arm.yaml")
    assert loaded.parameters["L1"] == 0.4
    assert set(loaded.initial) == {"q1"}
    assert loaded.parameters.keys() == ts.load(PHRASE, masses="lever").parameters.keys()


def test_a_file_is_replaced_when_it_is_known_or_when_told_so(folder):
    server, place = folder
    own = place / "arm.yaml"
    own.write_text("first", encoding="utf-8")
    question = {"what": "description", "as": "arm.yaml"}
    assert asked(server, "save", **question)[1]["exists"] == "arm.yaml"
    assert asked(server, "save", known="other", **question)[1]["exists"] == "arm.yaml"
    assert own.read_text(encoding="utf-8") == "first"
    assert asked(server, "save", known="first", **question)[1]["saved"] == "arm.yaml"
    assert asked(server, "save", replace=True, **question)[1]["saved"] == "arm.yaml"
    assert own.read_text(encoding="utf-8") == PENDULUM


@pytest.mark.parametrize(
    ("what", "name"),
    [("page", "a.yaml"), ("description", "a.html"), ("description", "../a.yaml"),
     ("description", "sub/a.yaml"), ("other", "a.yaml"), ("run", "a")],
)  # fmt: skip
def test_nothing_is_written_elsewhere_or_as_something_else(folder, what, name):
    server, place = folder
    answer = asked(server, "save", what=what, **{"as": name})[1]
    assert answer["faults"]
    assert "saved" not in answer
    assert list(place.parent.rglob("a.*")) == []


def test_the_page_and_the_run_are_saved(folder):
    server, place = folder
    for what, name in (("page", "arm.html"), ("run", "arm.nc"), ("run", "arm.csv")):
        assert asked(server, "save", what=what, duration=0.1, **{"as": name})[1]["saved"] == name
    assert "data-scene" in (place / "arm.html").read_text(encoding="utf-8")
    assert ts.load_run(place / "arm.nc").t[-1] == pytest.approx(0.1)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("replace", [False, True])
def test_a_save_does_not_follow_a_link_to_nothing(folder, replace):
    server, place = folder
    (place / "arm.yaml").symlink_to(place.parent / "elsewhere.yaml")
    question = {"what": "description", "as": "arm.yaml", "replace": replace}
    (fault,) = asked(server, "save", **question)[1]["faults"]
    assert '"arm.yaml" is a link to a file that does not exist' in fault["message"]
    assert not (place.parent / "elsewhere.yaml").exists()


@pytest.mark.slow
def test_the_report_is_saved(folder):
    server, place = folder
    more = {"what": "report", "duration": 0.1, "as": "arm.tex"}
    assert asked(server, "save", **more)[1]["saved"] == "arm.tex"
    assert r"\section" in (place / "arm.tex").read_text(encoding="utf-8")


# --- the command ----------------------------------------------------------------------------------


def opened(*arguments):
    """What the page of a command starts with; the command ends at once."""
    found = {}

    def stay(server, jobs, browser, address):
        with server:
            content = server.page("", lambda: False).content
        found.update(json.loads(re.search(r'id="start">(.*?)</script>', content)[1]))
        found["browser"] = browser

    with patch.object(command, "serve", stay):
        answer = CliRunner().invoke(commands, ["app", *arguments], standalone_mode=False)
    assert answer.exception is None, answer.exception
    return found, answer.stdout


def test_a_link_of_the_page_is_opened():
    document = {"file": "a.yaml", "text": PENDULUM, "values": {"a": "40 mm"}}
    for link in (packed(document), "http://127.0.0.1:80/x/" + packed(document)):
        found, _ = opened(link)
        assert (found["file"], found["text"]) == ("a.yaml", PENDULUM)
        assert (found["values"], found["known"]) == ({"a": "40 mm"}, None)


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("#s=AAAA", "holds no description"),
        (packed({"text": PENDULUM})[:-8], "holds no description"),
        (packed([1]), "holds no description"),
        (packed({"text": 1}), "holds no description"),
        (packed({"text": " " * 20_000_000}), "holds no description"),
        (packed({"text": " " * 6_000_000}), "more than"),
        (packed({"text": "", "file": "../a.yaml"}), "name of a file"),
        (packed({"text": "", "values": [1]}), "table of values"),
    ],
)
def test_a_broken_link_is_one_message(link, problem):
    with pytest.raises(ts.ModelError, match=problem):
        shared_links.opened(link)


def test_the_command_opens_files_phrases_and_robots(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("arm.yaml").write_text("bodies: {", encoding="utf-8")  # a file with faults is mended here
    found, told = opened("arm.yaml")
    assert (found["file"], found["text"], found["known"]) == ("arm.yaml", *["bodies: {"] * 2)
    assert re.search(r"http://127\.0\.0\.1:\d+/[\w-]{24}/", told)
    found, _ = opened(PHRASE, "--masses", "lever", "--no-browser")
    assert (found["text"], found["masses"], found["browser"]) == (PHRASE, "lever", False)
    found, _ = opened(PHRASE, "--gravity", "0, 0, -9.81")
    assert found["text"].startswith("torseur: 1")
    assert opened()[0]["text"] is None
    with pytest.raises(AssertionError, match="does not exist"):
        opened("missing.yaml")


def test_an_interruption_ends_it_and_frees_the_port():
    jobs = Jobs(Desk())
    site = AppSite(Desk(), lambda: START, jobs)
    server = Server(site.page, site.answer)
    port, waited = server.server_port, []

    def interrupted(*_):
        waited.append(True)
        raise KeyboardInterrupt

    with patch.object(server, "serve_forever", interrupted), pytest.raises(KeyboardInterrupt):
        command.serve(server, jobs, browser=False)
    assert waited
    assert not processes(jobs)
    with Server(site.page, site.answer, port) as again:
        assert again.server_port == port


@pytest.mark.slow
def test_ctrl_c_exits_130_and_says_nothing():
    code = "from torseur.cli import main; main()"
    line = [sys.executable, "-c", code, "app", "--no-browser"]
    running = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "http://" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    told, wrong = running.communicate()
    assert (running.returncode, told, wrong.strip()) == (130, "", "")  # a line ends after ^C


# --- the page -------------------------------------------------------------------------------------


def test_no_text_ends_the_script_that_holds_it():
    page = editor({**START, "text": EVIL}, {"a": EVIL}, "en")
    assert EVIL not in page
    assert json.loads(re.search(r'id="start">(.*?)</script>', page)[1])["text"] == EVIL


def test_the_page_needs_nothing_from_elsewhere():
    page = editor(START, {"a": "b"}, "fr")
    assert not re.search(r"(src|href)=\"(https?:)?//", page)


@needs_node
def test_the_script_of_the_page_is_one(tmp_path):
    (script,) = re.findall(r"<script>(.*?)</script>", editor(START, {}, "en"), re.S)
    (tmp_path / "page.js").write_text(script, encoding="utf-8")
    subprocess.run(["node", "--check", str(tmp_path / "page.js")], check=True)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_formalism_that_can_be_told_is_offered(lang):
    page = editor(START, {}, lang)
    for name in FORMALISMS:
        assert f'<option value="{name}">' in page
    assert {x[3:] for x in teach_words(lang) if x.startswith("by ")} == set(FORMALISMS)


def test_a_changed_start_is_saved_in_a_french_form():
    text = PENDULUM.replace("parameters:", "paramètres:").replace("initial:", "départ:")
    changed = mechanism_of(Desk(), Edit(text, values=(("a", 0.7), ("phi", 0.25))))
    saved = changed.yaml()
    assert "paramètres:" in saved
    assert "parameters:" not in saved
    loaded = mechanism_of(Desk(), Edit(saved))
    assert loaded.parameters["a"] == 0.7
    assert ts.simulate(loaded, 0.1).end == pytest.approx(ts.simulate(changed, 0.1).end)
