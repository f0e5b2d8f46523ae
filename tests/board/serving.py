"""A Pacific game whose page is served in this process, and requests to it over a plain socket."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.board.server import Server
from pbem.cli import board, local

ALLIES = ("united-states", "china", "united-kingdom", "anzac")


def found(folder: Path, system: str = "axis-and-allies-pacific", scenario: str = "spring-1940") -> Path:
    """The folder of the player of Japan in a game that has begun; the other's lies beside it, keys in `keys`."""
    local.found(folder, system, scenario, [], {"yamada": ["japan"], "nowak": ALLIES})
    return folder / "yamada"


def unsent(folder: Path) -> Path:
    """His order file that is not sent."""
    return folder / "yamada" / "unsent.yaml"


@contextmanager
def served(folder: Path, file: Path | None = None) -> Iterator[Server]:
    """The board of a folder, in a thread of its own."""
    with board.prepared(board.Wanted(folder, file, browser=False)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


@dataclass(frozen=True)
class Answer:
    """Status, headers in small letters, body unpacked."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def plain(self) -> Any:
        return json.loads(self.body)


def raw(server: Server, request: bytes) -> Answer:
    """Bytes as they are, over a socket of their own."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        data = b""
        while chunk := connection.recv(1 << 16):
            data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    return Answer(int(first.split()[1]), headers, body)


def usual(server: Server, body: bytes, kind: str = "application/json") -> dict[str, str]:
    """The headers that the page's own requests have."""
    return {
        "Host": f"127.0.0.1:{server.port}",
        "Origin": f"http://127.0.0.1:{server.port}",
        "Sec-Fetch-Site": "same-origin",
        "X-Pbem-Key": server.key,
        "Content-Type": kind,
        "Content-Length": str(len(body)),
    }


def send(server: Server, method: str, address: str, headers: dict[str, str], body: bytes = b"") -> Answer:
    """A request with just these headers; an empty value leaves one out."""
    lines = [f"{method} {address} HTTP/1.1", *(f"{n}: {v}" for n, v in headers.items() if v), "Connection: close", "", ""]
    return raw(server, "\r\n".join(lines).encode("latin-1") + body)


def post(server: Server, address: str, plain: Any = None, **changed: str) -> Answer:
    """What the page would send, with some headers changed: `Host="..."`, `Sec_Fetch_Site=""`."""
    body = json.dumps(plain if plain is not None else {}).encode()
    return send(server, "POST", address, {**usual(server, body), **{n.replace("_", "-"): v for n, v in changed.items()}}, body)


def ask(server: Server, address: str, **plain: Any) -> Any:
    """What the page is answered about its first game; asserts that it is."""
    answer = post(server, address, {"game": 0, **plain})
    assert answer.status == 200, answer
    return answer.plain
