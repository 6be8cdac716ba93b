"""A server of the app in a thread, and requests to it over a real socket."""

import http.client
import json
import threading
import zlib
from base64 import urlsafe_b64encode
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path

from torseur.cli.app.edits import Desk
from torseur.cli.app.jobs import Jobs
from torseur.cli.app.server import PATIENCE, Server
from torseur.cli.app.site import AppSite
from torseur.report.editor.editor_page import scripts

PENDULUM = (files("torseur.examples") / "simple_pendulum.yaml").read_text(encoding="utf-8")
START = {"file": "arm.yaml", "text": PENDULUM, "masses": "", "known": None}
NOTHING = {"file": "", "text": None, "masses": "", "known": None}
_JSON = {"Content-Type": "application/json"}


@contextmanager
def served(folder=Path(), lang="en", start=None, limit=1e6, patience=PATIENCE):
    """A server in a thread, on a free port, with its jobs."""
    desk = Desk(folder, lang)
    jobs = Jobs(desk, limit)
    site = AppSite(desk, lambda: start or START, jobs)
    with Server(site.page, site.answer, 0, scripts(), patience) as server, closing(jobs):
        server.jobs = jobs
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def sent(server, method, path, body=None, **headers):
    """Status, headers and text of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    content = response.read().decode()
    connection.close()
    return response.status, response.headers, content


def got(server, path):
    """The response to a GET request below the token."""
    return sent(server, "GET", f"/{server.token}/{path}")


def asked(server, path, /, **document):
    """Status and document that answer a question about the pendulum, or another text."""
    body = json.dumps({"text": PENDULUM, "file": "arm.yaml", **document})
    status, _, content = sent(server, "POST", f"/{server.token}/{path}", body, **_JSON)
    return status, json.loads(content)


def packed(document):
    """A link as the page makes it."""
    writer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    content = writer.compress(json.dumps(document).encode()) + writer.flush()
    return "#s=" + urlsafe_b64encode(content).decode().rstrip("=")
