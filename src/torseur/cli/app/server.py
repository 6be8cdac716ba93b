"""The server of the app: HTTP on this machine alone, for whoever knows the token of its address.

Other pages of the browser may reach a local port by a name of their own that means 127.0.0.1 (DNS
rebinding), other users of the machine by its number: the first have another Host, the second lack
the token. Nothing else of the network is spoken to.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from select import select
from socket import MSG_PEEK
from typing import Any, final
from urllib.parse import unquote, urlsplit

LARGEST = 8_000_000  # bytes of a request: a description, escaped
_DIGITS = 18  # of a length that may be meant
_PATIENCE = 60.0  # s for a request to come
_POLICY = (  # scripts and styles stand in the page; nothing is asked of anyone else
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_HOME = "127.0.0.1"


@final
@dataclass(frozen=True)
class HttpResponse:
    """An HTTP response: type, content and status."""

    kind: str
    content: str
    status: HTTPStatus = HTTPStatus.OK


Gone = Callable[[], bool]  # whether the browser waits no more
Page = Callable[[str, Gone], HttpResponse | None]  # of a path; None where there is nothing
Answering = Callable[[str, Any, Gone], HttpResponse | None]  # of a path and a JSON document


@final
class Server(ThreadingHTTPServer):
    """A socket on a free port of this machine; every request has a thread of its own."""

    daemon_threads = True

    def __init__(self, page: Page, answer: Answering, port: int = 0) -> None:
        self.page, self.answer, self.token = page, answer, secrets.token_urlsafe(18)
        super().__init__((_HOME, port), _Handler)

    @property
    def address(self) -> str:
        """Address to open in a browser."""
        return f"http://{_HOME}:{self.server_port}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names by which it may be called."""
        return tuple(f"{name}:{self.server_port}" for name in (_HOME, "localhost"))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away while it is answered is nothing to tell."""


@final
class _Handler(BaseHTTPRequestHandler):
    """One request: refused, or answered by the server's functions."""

    server: Server  # type: ignore[assignment, unused-ignore]
    server_version, sys_version = "Torseur", ""
    timeout = _PATIENCE

    def do_GET(self) -> None:
        """A page or a picture."""
        path = self._allowed()
        if path is not None:
            self._send(self.server.page(path, self._gone))

    def do_POST(self) -> None:
        """A question: a JSON document, answered by another."""
        path = self._allowed()
        if path is None:
            return
        document = self._document()
        if document is not None:
            self._send(self.server.answer(path, document[0], self._gone))

    def _allowed(self) -> str | None:
        """Path of the request after the token; None if the request was refused."""
        if self.headers.get("Host", "") not in self.server.hosts:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
            return None
        token, slash, rest = urlsplit(self.path).path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(HTTPStatus.FORBIDDEN)
            return None
        return unquote(rest)

    def _document(self) -> tuple[Any] | None:
        """The document that was sent; None where it was refused."""
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            self._refuse(HTTPStatus.LENGTH_REQUIRED)
        elif len(length) > _DIGITS:
            self._refuse(HTTPStatus.BAD_REQUEST)
        elif int(length) > LARGEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        elif self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        else:
            try:
                return (json.loads(self.rfile.read(int(length))),)
            except (ValueError, RecursionError):
                self._refuse(HTTPStatus.BAD_REQUEST)
        return None

    def _gone(self) -> bool:
        """Whether the browser has closed the connection: it has nothing more to send."""
        try:
            ready, _, _ = select([self.connection], [], [], 0)
            return bool(ready) and not self.connection.recv(1, MSG_PEEK)
        except (OSError, ValueError):
            return True

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self._send(HttpResponse("text/plain", f"{status.value} {status.phrase}\n", status))

    def _send(self, response: HttpResponse | None) -> None:
        if response is None:
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        content = response.content.encode("utf-8", errors="replace")
        self.send_response(response.status)
        self.send_header("Content-Type", f"{response.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Suppress HTTP request logging."""
