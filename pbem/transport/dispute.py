"""The dispute text: a whole game in one text file, blocks between comments that nobody has to believe (protocol, 11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from pbem.kernel.wording import msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.transport.armor import MAX_TEXT, sift, write_block
from pbem.transport.mail import one_line

FORM = 1
_FIRST = re.compile(r"(?m)^\ufeff?[> \t]{0,40}PBEM DISPUTE ([0-9]{1,4})[ \t\r]*$")
_BEGINNING = 1 << 16  # characters in which the first line stands, if a letter is wrapped around the text
_TIME = re.compile(r"(?m)^[> \t]{0,40}# .{1,200}? id ([0-9a-f]{64}), received ([0-9TZ:-]{1,24})[ \t\r]*$")


class Part(Struct, frozen=True):
    """A document, what the comment above it says, and when a folder received it (empty: it does not know)."""

    document: dict[str, Any]
    told: str
    received: str = ""


class Text(Struct):
    """What a dispute text holds: where and which document, or why there is none; and the times that its comments state."""

    found: list[tuple[str, dict[str, Any] | ProtocolError]] = field(default_factory=list)
    received: dict[str, str] = field(default_factory=dict)  # id -> time


def write(heading: str, parts: Sequence[Part]) -> str:
    """The text. Raises ProtocolError (too large)."""
    lines = [
        f"PBEM DISPUTE {FORM}",
        f"# {one_line(heading)}",
        "# `pbem judge` reads this text, without a game folder or a key.",
    ]
    lines += ["# Only what stands in blocks is signed; lines like this one, times among them, are nobody's testimony.", ""]
    text = "\n".join([*lines, *(_block(part) for part in parts)])
    if len(text) > MAX_TEXT:
        raise ProtocolError(
            Outcome.TOO_LARGE,
            msg(
                "the text would have {number} characters, more than {most}: hand over the folder `files` instead",
                number=len(text),
                most=MAX_TEXT,
            ),
        )
    return text


def _block(part: Part) -> str:
    received = f", received {part.received}" if part.received else ""
    return f"# {one_line(part.told)}; id {document_id(part.document)}{received}\n{write_block(part.document)}"


def is_dispute(text: str) -> bool:
    """Whether a text, or its beginning, is one of these."""
    return _FIRST.search(text, 0, _BEGINNING) is not None


def read(text: str) -> Text:
    """All blocks in their order, each with its number; a damaged one hinders no other."""
    first = _FIRST.search(text, 0, _BEGINNING)
    if first is None or int(first[1]) != FORM:
        number = first[1] if first else "?"
        return Text(
            [
                (
                    "the text",
                    unreadable(
                        msg(
                            "a dispute text of form {number}; this program reads form {known}: update pbem",
                            number=number,
                            known=FORM,
                        )
                    ),
                )
            ]
        )
    return Text(list(_numbered(text)), {match[1]: match[2] for match in _TIME.finditer(text)})


def _numbered(text: str) -> Iterator[tuple[str, dict[str, Any] | ProtocolError]]:
    before = "the beginning"
    for n, found in enumerate(sift(text), 1):
        yield f"block {n}, behind {before}", found
        if isinstance(found, dict):
            before = _named(found)


def _named(document: dict[str, Any]) -> str:
    kind, seq = document.get("type"), document.get("seq")
    return f"file {seq}" if isinstance(seq, int) else f"the {one_line(str(kind))[:40]}"
