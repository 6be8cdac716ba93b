"""The app against a hostile page, a hostile text and a hostile neighbour; it answers after each."""

import http.client
import json
import os
import re
import socket
import sys
import threading
from contextlib import closing, suppress
from http import HTTPStatus
from urllib.parse import quote

import pytest
from app_served import PENDULUM, asked, got, sent, served

from torseur.cli.app.server import policy
from torseur.report.editor.editor_page import editor

JSON = {"Content-Type": "application/json"}
EVIL = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
TRAVERSALS = (
    *("../secret.yaml", "..%2fsecret.yaml", "%2e%2e/secret.yaml", "..\\secret.yaml"),
    *("/etc/passwd", "sub/../../secret.yaml", "secret.yaml\0.yaml", "..", ".", "%00"),
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A server on a folder that stands beside a secret; one for all tests: it stays alive."""
    place = tmp_path_factory.mktemp("around") / "desk"
    place.mkdir()
    (place.parent / "secret.yaml").write_text("# secret\n", encoding="utf-8")
    with served(place) as server:
        yield server, place


def is_alive(server):
    """Whether a page is answered."""
    return not asked(server, "reading", page=99)[1]["faults"]


# --- foreign pages --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},  # another port of this machine
        {"Origin": "https://evil.example", "Sec-Fetch-Mode": "navigate"},  # a form
    ],
)
@pytest.mark.parametrize(("method", "path"), [("POST", "reading"), ("GET", "example/puma560")])
def test_a_page_of_another_origin_is_refused(desk, headers, method, path):
    server, _ = desk
    body = json.dumps({"text": PENDULUM}) if method == "POST" else None
    status, _, content = sent(server, method, f"/{server.token}/{path}", body, **JSON, **headers)
    assert status == HTTPStatus.FORBIDDEN
    assert server.token not in content
    assert is_alive(server)


def test_the_own_page_and_a_link_to_it_are_answered(desk):
    server, _ = desk
    for host in server.hosts:
        own = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        body = json.dumps({"text": PENDULUM})
        assert sent(server, "POST", f"/{server.token}/reading", body, **JSON, **own)[0] == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert sent(server, "GET", f"/{server.token}/", **link)[0] == HTTPStatus.OK


# --- scripts --------------------------------------------------------------------------------------


def test_only_the_scripts_of_torseur_run(desk):
    server, _ = desk
    _, headers, page = got(server, "")
    allowed = re.search("script-src ([^;]*)", headers["Content-Security-Policy"])[1]
    assert allowed.replace("'wasm-unsafe-eval'", "").count("unsafe") == 0
    texts = re.findall(r"<script>(.*?)</script>", page, re.S)
    motion = asked(server, "motion", duration=0.1, page=1)[1]["page"]
    texts += re.findall(r"<script>(.*?)</script>", motion, re.S)
    assert len(texts) == 2
    for text in texts:
        (digest,) = re.findall(r"'sha256-\S+'", policy([text]))
        assert digest in allowed
    assert not re.search(r"<[^>]+\son\w+=", page + motion)  # attributes that would be scripts


def hostile_text():
    """A pendulum with markup wherever a text or a name may stand."""
    text = re.sub(r"^name: .*", f"name: '{EVIL}'", PENDULUM, flags=re.M)
    text = re.sub(r"^description: .*", f"description: '{EVIL}'", text, flags=re.M)
    return text.replace("parameters:", f"parameters:\n  evil: {{value: 1, meaning: '{EVIL}'}}", 1)


def test_markup_in_a_description_stays_text(desk):
    server, _ = desk
    text = hostile_text()
    for panel in ("check", "equations", "scheme", "graph", "motion"):
        answer = asked(server, panel, text=text, page=1, duration=0.1, formalism="lagrange")[1]
        assert not answer["faults"], answer["faults"]
        shown = answer.get("page") or answer["html"]
        assert "<img src=x" not in shown
        assert "<script>alert" not in shown
    assert is_alive(server)
    page = editor({"file": EVIL, "text": EVIL, "masses": "", "known": None}, {EVIL: EVIL}, "en")
    assert "<img src=x" not in page and "<script>alert" not in page


def test_markup_in_a_name_is_one_message(desk):
    server, _ = desk
    for part in ("bodies", "joints", "parameters"):
        text = PENDULUM.replace(f"{part}:", f"{part}:\n  '{EVIL}': 1", 1)
        answer = asked(server, "reading", text=text)[1]
        assert answer["faults"] and "Traceback" not in str(answer)
    assert is_alive(server)


# --- paths ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TRAVERSALS)
def test_no_path_leaves_the_folder(desk, name):
    server, place = desk
    for folder in ("example", "picture", "exercise", "file"):
        for spelling in (name, quote(name, safe=""), quote(quote(name, safe=""), safe="")):
            if not re.fullmatch(r"[!-~]+", spelling):
                continue
            _, _, content = got(server, f"{folder}/{spelling}")
            assert "# secret" not in content and "root:" not in content
    what = {"what": "description", "text": "x", "replace": True, "as": name}
    answer = asked(server, "save", **what)[1]
    assert answer["faults"] or answer["saved"] == name  # no separator of this system
    assert (place.parent / "secret.yaml").read_text() == "# secret\n"
    text = f"include:\n  - {{file: '{name}'}}\nbodies: {{a: {{mass: 1}}}}\n".replace("\0", "")
    faults = asked(server, "reading", text=text)[1]["faults"]
    assert faults and "# secret" not in str(faults)
    assert is_alive(server)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_that_lead_outside_are_neither_read_nor_written(desk):
    server, place = desk
    (place / "link.yaml").symlink_to(place.parent / "secret.yaml")
    (place / "inside.yaml").write_text("# inside\n", encoding="utf-8")
    (place / "near.yaml").symlink_to(place / "inside.yaml")
    assert "# secret" not in got(server, "file/link.yaml")[2]
    question = {"what": "description", "replace": True, "known": "# secret\n"}
    (fault,) = asked(server, "save", **question, **{"as": "link.yaml"})[1]["faults"]
    assert "outside" in fault["message"]
    assert (place.parent / "secret.yaml").read_text() == "# secret\n"
    assert asked(server, "save", **question, **{"as": "near.yaml"})[1]["saved"] == "near.yaml"
    include = "include:\n  - {file: link.yaml}\nbodies: {a: {mass: 1}}\n"
    assert "outside" in asked(server, "reading", text=include)[1]["faults"][0]["message"]


# --- texts ----------------------------------------------------------------------------------------


LONG = (
    "bodies: {{m: {{mass: {}}}}}\njoints: {{j: {{type: revolute, bodies: [ground, m], axis: z}}}}"
)
BOMB = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{'bcdefghijklmnop'[k]}: &{'bcdefghijklmnop'[k]} [{', '.join([f'*{chr(97 + k)}'] * 8)}]\n"
    for k in range(15)
)


@pytest.mark.parametrize(
    "text",
    [
        LONG.format("+".join(["1"] * 20_000)),
        LONG.format("(" * 20_000 + "1"),
        LONG.format("-" * 20_000),
        LONG.format("^".join(["9"] * 2000)),
        LONG.format("9" * 200_000),
        LONG.format("1e999999999"),
        "a: " + "[" * 100_000,
        "\n".join(" " * k + "a:" for k in range(500)),
        BOMB,
        "a: &a {b: *a}",
        "bodies: !!python/object/apply:os.system ['exit 1']",
        "RY(q1), " * 20_000,
        "[" * 20_000 + "RY(q1)",
        "\ud800 \ufffe \x1b[2J",
        "bodies: {\u202e: {mass: 1}}",
    ],
    ids=lambda text: repr(text[:24]),
)
def test_a_hostile_text_is_answered(desk, text):
    server, _ = desk
    status, answer = asked(server, "reading", text=text)
    assert status == HTTPStatus.OK
    assert "Traceback" not in json.dumps(answer)
    assert is_alive(server)


@pytest.mark.slow
def test_an_expression_of_a_million_terms_blocks_no_other_page(desk):
    server, _ = desk
    document = {"text": LONG.format("+".join(["a"] * 1_000_000)), "page": 1}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request("POST", f"/{server.token}/reading", json.dumps(document), JSON)
    assert is_alive(server)
    with closing(connection):
        assert is_alive(server)
    while server.jobs._running:  # it ends with its page
        threading.Event().wait(0.01)
    assert is_alive(server)


def test_documents_that_are_no_questions_are_refused(desk):
    server, _ = desk
    for body in ("[" * 100_000, '{"text": ' * 50_000, "1" * 100_000, "NaN", "[]", '"x"', "null"):
        status, _, content = sent(server, "POST", f"/{server.token}/reading", body, **JSON)
        assert status == HTTPStatus.BAD_REQUEST or json.loads(content)["faults"]
    assert is_alive(server)


# --- connections ----------------------------------------------------------------------------------


def test_requests_that_never_end_are_cut_off_and_nobody_waits_for_them():
    with served(patience=0.5) as server:
        head = f"POST /{server.token}/reading HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
        beginnings = (b"", b"G", head.encode(), head.encode() + b"Content-Length: 9\r\n"
                      b"Content-Type: application/json\r\n\r\n{")  # fmt: skip
        lines = [socket.create_connection(server.server_address) for _ in range(40)]
        for k, line in enumerate(lines):
            line.sendall(beginnings[k % len(beginnings)])
        assert is_alive(server)
        for line in lines:
            assert b"200 OK" not in line.recv(1000), "closed or refused after its time"
            line.close()


def test_a_request_that_trickles_in_is_cut_off():
    with served(patience=0.3) as server, socket.create_connection(server.server_address) as line:
        with pytest.raises(OSError, match=r"reset|[Bb]roken|aborted"):
            while True:  # each byte comes in time, all of them do not
                line.sendall(b"G")
                threading.Event().wait(0.01)
        assert is_alive(server)


@pytest.mark.parametrize(
    "request_text",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",  # TLS
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET " + b"a" * 100_000,
        b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 1000 + b"\r\n",
        b"DELETE / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\0" * 1000 + b"\r\n\r\n",
        b"GET //evil.example/%2e%2e HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET http://[::1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ],
    ids=range(8),
)
def test_what_is_no_request_of_a_page_is_refused(desk, request_text):
    server, _ = desk
    address = server.server_address
    with socket.create_connection(address) as line, suppress(OSError):  # refused before its end
        line.sendall(request_text)
        line.shutdown(socket.SHUT_WR)
        assert b" 200 " not in line.recv(1000)
    assert is_alive(server)


def test_the_address_of_a_malformed_path_is_refused(desk):
    server, _ = desk
    host = f"127.0.0.1:{server.server_port}"
    for path in ("http://[::1/", f"/{server.token}/%ff%fe", f"/{server.token}/exercise/%0a"):
        with socket.create_connection(server.server_address) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert re.match(rb"HTTP/1.[01] [24]", line.recv(1000))
    assert is_alive(server)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="descriptors are numbered otherwise there")
def test_many_open_connections_do_not_end_an_answer():
    """A page is not taken for gone because its descriptor has a large number."""
    with served() as server:
        lines = [socket.create_connection(server.server_address) for _ in range(150)]
        try:
            assert is_alive(server)
        finally:
            for line in lines:
                line.close()
