"""The form of a vector: header lines, a blank line, exact bytes; and fixed keys to make them with."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pbem.kernel.canon import canonical
from pbem.protocol import keys
from tests.toygame.party import Person

LARGE = 50_000  # a longer body is kept compressed


@dataclass(frozen=True)
class Vector:
    """One case. `good` is the body without the fault: the same case, expected to be done."""

    kind: str
    name: str
    expect: str
    comment: str
    body: bytes
    good: bytes | None = None
    covers: str = ""
    needs: str = ""  # "rules": only an implementation that knows the rules of the game can find the fault
    more: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Where it is kept below tests/vectors."""
        return f"{self.kind}/{self.name}.txt"

    def text(self) -> bytes:
        """The file."""
        lines = {"expect": self.expect, "kind": self.kind, "comment": self.comment, "covers": self.covers, "needs": self.needs}
        body = self.body
        if len(body) > LARGE:
            lines["encoding"] = "zlib+base64"
            body = base64.b64encode(zlib.compress(body, 9)) + b"\n"
        lines.update(self.more)
        head = "".join(f"{k}: {v}\n" for k, v in lines.items() if v)
        return head.encode() + b"\n" + body


def read(data: bytes) -> tuple[dict[str, str], bytes]:
    """Headers and body of a vector file."""
    head, _, body = data.partition(b"\n\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\n"))
    if headers.get("encoding") == "zlib+base64":
        body = zlib.decompress(base64.b64decode(body))
    return headers, body


def plain(value: Any) -> bytes:
    """A JSON body in canonical form."""
    return canonical(value) + b"\n"


def loose(value: Any) -> bytes:
    """A JSON body that canonical form would refuse to write."""
    return json.dumps(value, ensure_ascii=True).encode() + b"\n"


def person(name: str = "yamada") -> Person:
    """A player with fixed keys."""
    return Person(name, [])


def public(name: str = "yamada") -> str:
    """The public key of a player."""
    return keys.public_text(person(name).private)


def failing(
    kind: str, expect: str, good: bytes, cases: dict[str, tuple[str, bytes]], covers: str = "", **more: str
) -> Iterator[Vector]:
    """Variations of one good body: name -> (comment, body)."""
    for name, (comment, body) in cases.items():
        assert body != good, f"{kind}/{name} is the good body"
        yield Vector(kind, name, expect, comment, body, good, covers, more=more)
