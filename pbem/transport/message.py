"""One mail taken apart: attachments, text, and what they hold; whatever a mail does, nothing but a word about it comes out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from email.policy import EmailPolicy
from typing import Any

from pbem.kernel.canon import canonical
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError, unreadable
from pbem.transport.armor import difference_of, sift
from pbem.transport.cleaning import without_tags

Document = dict[str, Any]
Read = Document | ProtocolError
LONG_HEAD, LONG_HEADER = 1 << 16, 1000  # bytes of all headers of a mail, characters of one: what is longer is cut
MOST_NESTED, MOST_PARTS = 100, 1000  # parts that hold parts, and parts; a mail has a handful
_BOUNDARY = re.compile(rb"boundary\s*=\s*\"?([^\s\";]{1,200})", re.IGNORECASE)
_NESTING = re.compile(rb"content-type\s*:\s*(?:multipart/|message/)", re.IGNORECASE)


def in_message(data: bytes) -> list[Read]:
    """The documents of a mail, each once; why there is none, when nothing can be read. Empty for a mail of other things."""
    try:
        attached, texts = _parts(data)
    except ProtocolError as error:
        return [error]
    except Exception as fault:  # the library fails on some mails in ways that it does not name
        return [unreadable(msg("the parts of the mail cannot be told apart ({kind})", kind=type(fault).__name__))]
    first = [found for text in attached for found in sift(text)]
    then = [found for text in texts for found in sift(text)]
    good = _agreeing([f for f in first if isinstance(f, dict)], [f for f in then if isinstance(f, dict)])
    return good or then or first


def _agreeing(attached: Sequence[Document], shown: Sequence[Document]) -> list[Read]:
    """Attached files and those of the text. Of two for one place that say different things neither is taken."""
    found: dict[bytes, Read] = {canonical(d): d for d in attached}
    for copy in shown:
        for exact in (d for d in attached if _place(d) == _place(copy) and canonical(d) != canonical(copy)):
            difference = difference_of(copy, exact)
            if difference:
                reason = msg(
                    "its text and its attached file say different things: {difference}; neither is taken: ask which "
                    "of them counts",
                    difference=difference,
                )
                found[canonical(exact)] = found[canonical(copy)] = unreadable(reason)
            else:  # the same, but for what mail programs do to a text
                found[canonical(copy)] = found[canonical(exact)]
        found.setdefault(canonical(copy), copy)
    return list({id(f): f for f in found.values()}.values())


def _place(document: Document) -> tuple[str, ...]:
    """What there can be only one of."""
    places = {"charter": ("nonce",), "slip": ("slip", "game", "head", "player")}
    return tuple(str(document.get(key)) for key in places.get(str(document.get("type")), ("game", "seq", "player")))


class _Careful(EmailPolicy):
    """Headers cut to what one may be: the library's readers take quadratic time, or nest calls, for some."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONG_HEADER]


_CAREFUL = _Careful()


def _parts(data: bytes) -> tuple[list[str], list[str]]:
    """The texts of a message that may concern pbem: attachments, and its text, plain before HTML. Raises ProtocolError."""
    if _nested(data) > MOST_NESTED or _counted(data) > MOST_PARTS:
        raise unreadable(
            msg(
                "the mail has more than {most_nested} parts in each other or {most_parts} in all: nobody writes such",
                most_nested=MOST_NESTED,
                most_parts=MOST_PARTS,
            )
        )
    attached: list[str] = []
    plain: list[str] = []
    pages: list[str] = []
    for part in message_from_bytes(data, policy=_CAREFUL).walk():
        raw = part.get_payload(decode=True)
        if not isinstance(raw, bytes):  # a part that holds parts
            continue
        text = decode(raw, part.get_content_charset())
        if (part.get_filename() or "").lower().endswith((".yaml", ".yml")):
            attached.append(text)
        elif "PBEM" in text:
            (pages if part.get_content_type() == "text/html" else plain).append(text)
    return attached, plain or [without_tags(page) for page in pages]


def _nested(data: bytes) -> int:
    return len(_NESTING.findall(data))


def _counted(data: bytes) -> int:
    """How many parts the boundaries of a mail may begin, at most."""
    boundaries = {*_BOUNDARY.findall(data)}
    too_many = len(boundaries) > MOST_NESTED
    return MOST_PARTS + 1 if too_many else sum(data.count(b"\n--" + boundary) for boundary in boundaries)


def decode(data: bytes, charset: str | None) -> str:
    """Text of bytes whose declared character set may be wrong or unknown: what is valid UTF-8 hardly ever is not."""
    declared = charset or "utf-8"
    for name in (declared,) if declared.startswith("utf-") else ("utf-8", declared, "cp1252"):
        try:
            return data.decode(name)
        except (LookupError, ValueError):
            continue
    return data.decode("utf-8", "replace")


def heading(data: bytes) -> str:
    """Sender and subject of a mail for a line on the screen: cut, no control characters."""
    try:
        message = BytesHeaderParser(policy=policy.compat32).parsebytes(data[:LONG_HEAD])
        words = [_decoded(str(message.get(name, ""))[:300]) for name in ("From", "Subject")]
    except Exception:  # headers that the library cannot take apart, in whatever way
        return "a mail"
    return one_line(", ".join(w[:80] for w in words if w)) or "a mail"


def _decoded(text: str) -> str:
    """A header without the encoding of its words."""
    return str(make_header(decode_header(text)))


def one_line(text: str) -> str:
    """Text for a header: nothing in it ends the line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
