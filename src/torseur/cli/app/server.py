"""The server of the app: HTTP on this machine alone, for whoever knows the token of its address.

Other pages of the browser may reach a local port by a name of their own that means 127.0.0.1 (DNS
rebinding), other users of the machine by its number: the first have another Host, the second lack
the token. A page of another origin names it, or the browser does, and is refused. Scripts run only
if their hashes are in the policy of the response: text that becomes a script by mistake does not.
"""

from __future__ import annotations

import io
import json
import secrets
import time
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import MSG_PEEK, socket
from typing import Any, final
from urllib.parse import unquote, urlsplit

LARGEST = 8_000_000  # bytes of a request: a description, escaped
_DIGITS = 18  # of a length that may be meant
PATIENCE = 30.0  # s for a request to arrive whole, and for its response to be taken
_POLICY = (  # nothing is asked of anyone else; motions in a page are WebAssembly
    "default-src 'none'; script-src 'wasm-unsafe-eval' {scripts}; style-src 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
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
    request_queue_size = 64

    def __init__(
        self,
        page: Page,
        answer: Answering,
        port: int = 0,
        scripts: Iterable[str] = (),
        patience: float = PATIENCE,
    ) -> None:
        self.page, self.answer, self.token = page, answer, secrets.token_urlsafe(18)
        self.policy, self.patience = policy(scripts), patience
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


def policy(scripts: Iterable[str]) -> str:
    """The content security policy under which these scripts run, and no others."""
    hashes = [b64encode(sha256(x.encode()).digest()).decode() for x in scripts]
    return _POLICY.format(scripts=" ".join(f"'sha256-{x}'" for x in hashes))


@final
class _RequestStream(io.RawIOBase):
    """Bytes of a request, all of which have to arrive before a deadline."""

    def __init__(self, connection: socket, seconds: float) -> None:
        self._connection, self._deadline = connection, time.monotonic() + seconds

    def readable(self) -> bool:
        """True: the stream has no other direction."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes; a TimeoutError after the deadline, however they trickle in."""
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        self._connection.settimeout(remaining)
        return self._connection.recv_into(buffer)


@final
class _Handler(BaseHTTPRequestHandler):
    """One request: refused, or answered by the server's functions."""

    server: Server  # type: ignore[assignment, unused-ignore]
    server_version, sys_version = "Torseur", ""

    def setup(self) -> None:
        """Open the streams of the connection, the incoming one with a deadline."""
        super().setup()
        self.rfile = io.BufferedReader(_RequestStream(self.connection, self.server.patience))

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
        if self._is_foreign():
            self._refuse(HTTPStatus.FORBIDDEN)
            return None
        try:
            path = urlsplit(self.path).path
        except ValueError:  # brackets of an address that are not closed
            self._refuse(HTTPStatus.BAD_REQUEST)
            return None
        token, slash, rest = path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(HTTPStatus.FORBIDDEN)
            return None
        return unquote(rest)

    def _is_foreign(self) -> bool:
        """Whether a page of another origin asks; a link on it may still lead here."""
        origin = self.headers.get("Origin")
        if origin is not None and origin not in [f"http://{host}" for host in self.server.hosts]:
            return True
        elsewhere = self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin")
        return elsewhere and self.headers.get("Sec-Fetch-Mode") != "navigate"

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
            self.connection.settimeout(0)
            return not self.connection.recv(1, MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self._send(HttpResponse("text/plain", f"{status.value} {status.phrase}\n", status))

    def _send(self, response: HttpResponse | None) -> None:
        if response is None:
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        content = response.content.encode("utf-8", errors="replace")
        self.connection.settimeout(self.server.patience)
        self.send_response(response.status)
        self.send_header("Content-Type", f"{response.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", self.server.policy)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Suppress HTTP request logging."""
