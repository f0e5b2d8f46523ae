"""Which requests are answered: only those of the page that this program has opened. Judged before a body is read."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from pbem.transport.armor import MAX_TEXT

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


@dataclass(frozen=True, slots=True)
class Denied:
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
