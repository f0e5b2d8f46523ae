"""The server of the page: this machine alone, one request at work at a time, every request judged before its body is read."""

from __future__ import annotations

import gzip
import hmac
import json
import secrets
import sys
import threading
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct

from pbem.board import routes
from pbem.board.hall import Hall
from pbem.board.order_file import ChangedElsewhere
from pbem.board.routes import read_asked
from pbem.board.services import Services
from pbem.kernel.canon import Plain
from pbem.report.board import texts
from pbem.transport.armor import MAX_TEXT

PATIENCE = 30  # seconds for a request to come in
KEY_BYTES = 24
WORTH_PACKING = 1400  # bytes
HOST = "127.0.0.1"
KEY_HEADER = "X-Pbem-Key"
JSON, BYTES = "application/json", "application/octet-stream"
MOST = {JSON: 1 << 20, BYTES: MAX_TEXT}  # bytes of a body
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}  # with every answer


# -- which requests are answered: only those of the page that this program has opened -------------------------------------


class Denied(Struct, frozen=True):
    """Why a request is not answered."""

    status: HTTPStatus
    why: str


def host_denied(given: list[str], port: int) -> Denied | None:
    """The name by which this machine was asked for: ours exactly, once. Another one means that a name was bent to us."""
    return None if given == [f"{HOST}:{port}"] else Denied(HTTPStatus.FORBIDDEN, "host")


def post_denied(given: Sequence[tuple[str, str]], port: int, key: str) -> Denied | None:
    """Everything else that a request which does something must bring, each header once."""
    headers = {name.title(): value for name, value in given}
    if len(headers) < len(given):
        return Denied(HTTPStatus.BAD_REQUEST, "header")
    if headers.get("Origin") != f"http://{HOST}:{port}":
        return Denied(HTTPStatus.FORBIDDEN, "origin")
    if headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return Denied(HTTPStatus.FORBIDDEN, "site")
    if not hmac.compare_digest(headers.get(KEY_HEADER, "").encode(), key.encode()):
        return Denied(HTTPStatus.FORBIDDEN, "key")
    kind = headers.get("Content-Type", "")
    if kind not in MOST:
        return Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "content type")
    if "Transfer-Encoding" in headers or "Content-Encoding" in headers:
        return Denied(HTTPStatus.BAD_REQUEST, "encoding")
    length = headers.get("Content-Length", "")
    if not (length.isascii() and length.isdigit()):
        return Denied(HTTPStatus.LENGTH_REQUIRED, "length")
    if len(length) > 12 or int(length) > MOST[kind]:
        return Denied(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "size")
    return None


# -- the server ---------------------------------------------------------------------------------------------------------


class Server:
    """Answers the page until it is stopped."""

    def __init__(self, hall: Hall, services: Services) -> None:
        self.hall, self.services, self.key = hall, services, secrets.token_urlsafe(KEY_BYTES)
        self.lock = threading.Lock()
        self._http = _Http((HOST, 0), _Handler)
        self._http.board = self
        self.port: int = self._http.server_address[1]

    @property
    def address(self) -> str:
        """Where the page is, with the key behind the sign that no browser sends on."""
        return f"http://{HOST}:{self.port}/#{self.key}"

    def serve(self) -> None:
        """Until `stop`, or an exception in this thread."""
        try:
            self._http.serve_forever()
        finally:
            self._http.server_close()

    def stop(self) -> None:
        """From another thread."""
        self._http.shutdown()

    def answer(self, address: str, body: bytes) -> tuple[HTTPStatus, Mapping[str, Plain]]:
        """What one request asks for, or what is wrong in sentences."""
        try:
            with self.lock:
                if address == routes.RECEIVE:
                    return HTTPStatus.OK, self.hall.receive(body)
                return HTTPStatus.OK, routes.ASKED[address](self.hall, read_asked(body))
        except ChangedElsewhere as changed:
            return HTTPStatus.CONFLICT, {"theirs": changed.text, "stamp": changed.stamp}
        except Exception as error:
            return HTTPStatus.UNPROCESSABLE_ENTITY, {"problems": texts(self.services.explain(error))}


class _Http(ThreadingHTTPServer):
    board: Server
    daemon_threads = True
    allow_reuse_address = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that went away before its answer is no error."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pbem", ""
    timeout = PATIENCE

    def do_GET(self) -> None:
        """A file of the page. Changes nothing."""
        if self._denied_by_host():
            return
        found = routes.page_file(self.path, self.server.board.hall)
        if found is None:
            self._deny(Denied(HTTPStatus.NOT_FOUND, "address"))
        else:
            self._put(HTTPStatus.OK, *found)

    def do_POST(self) -> None:
        """Something that the page asks or does."""
        if self._denied_by_host():
            return
        denied = post_denied(self.headers.items(), self.server.board.port, self.server.board.key)
        kind = self.headers.get("Content-Type", "")
        if denied is None and self.path not in (*routes.ASKED, routes.RECEIVE):
            denied = Denied(HTTPStatus.NOT_FOUND, "address")
        if denied is None and (kind == BYTES) != (self.path == routes.RECEIVE):
            denied = Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "content type")
        if denied is not None:
            self._deny(denied)
            return
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return
        status, plain = self.server.board.answer(self.path, body)
        self._put(status, JSON, json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))

    def _denied_by_host(self) -> bool:
        denied = host_denied(self.headers.get_all("Host", []), self.server.board.port)
        if denied is not None:
            self._deny(denied)
        return denied is not None

    def _deny(self, denied: Denied) -> None:
        """An answer without having read the body: the connection ends with it."""
        self.close_connection = True
        self._put(denied.status, "text/plain", denied.why.encode())

    def _put(self, status: HTTPStatus, kind: str, data: bytes) -> None:
        packed = len(data) > WORTH_PACKING and "gzip" in self.headers.get("Accept-Encoding", "")
        if packed:
            data = gzip.compress(data, 1, mtime=0)
        self.send_response(status)
        more = {"Content-Type": kind, "Content-Length": str(len(data)), **({"Content-Encoding": "gzip"} if packed else {})}
        if self.close_connection:
            more["Connection"] = "close"
        for name, value in {**HEADERS, **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged: they hold orders."""
