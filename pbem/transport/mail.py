"""Mail: writing an .eml ready to send, reading .eml and mbox."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, TypeVar, cast

from pbem.kernel.canon import canonical
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.transport.armor import MAX_TEXT, sift, write_block
from pbem.transport.cleaning import without_tags

T = TypeVar("T")
READABLE = (".yaml", ".yml", ".txt", ".eml", ".mbox", ".json", ".pbem", ".html", ".htm")
Found = tuple[str, dict[str, Any] | ProtocolError]
_POSTMARK = re.compile(rb"^From [^\n]*[0-9]{1,2}:[0-9]{2}[^\n]*\n", re.MULTILINE)
_HEADER = re.compile(rb"\A(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2}")


def write_eml(document: dict[str, Any], game: str, due: str, reminder: bool = False) -> bytes:
    """A message with subject, what is due, the block, and the file attached; addresses are left to the sender."""
    seq = int(document.get("seq", 0))
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = one_line(f"{'Reminder: ' if reminder else ''}[pbem {game}] #{seq}")
    message.set_content(f"{due}\n\n{write_block(document)}")
    text = strict_yaml.write_document(document).encode()
    message.add_attachment(text, maintype="application", subtype="yaml", filename=one_line(f"pbem-{game}-{seq:04d}.yaml"))
    return message.as_bytes()


def one_line(text: str) -> str:
    """Text for a header: nothing in it ends the line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def in_mail(data: bytes) -> list[dict[str, Any] | ProtocolError]:
    """Every document in one mail, and why a block in it is none; nothing for a mail of other things."""
    return _in_message(data.replace(b"\r\n", b"\n"))


def heading(data: bytes) -> str:
    """Sender and subject of a mail for a line on the screen: cut, no control characters."""
    try:
        message = message_from_bytes(data, policy=policy.default)
        words = [str(message.get(name, "")) for name in ("From", "Subject")]
    except (ValueError, LookupError, TypeError, AttributeError):  # headers that the library cannot parse
        return "a mail"
    return one_line(", ".join(w[:80] for w in words if w)) or "a mail"


def gather(source: Path | str) -> list[Found]:
    """Every document in a file, a folder or a text, sorted by seq, then what could not be read: (where, which or why).

    In a folder only what concerns pbem is looked at. Raises OSError when the source itself cannot be read.
    """
    if isinstance(source, str):
        found = [("the text", f) for f in sift(source)]
    elif source.is_dir():
        files = [p for p in sorted(source.iterdir()) if p.suffix.lower() in READABLE and p.is_file()]
        found = [pair for p in files for pair in _in_file(p) if _concerns_pbem(p, pair[1])]
    else:
        found = list(_in_file(source))
    good = {canonical(d): (where, d) for where, d in found if isinstance(d, dict)}
    return in_order([*good.values(), *((where, d) for where, d in found if isinstance(d, ProtocolError))])


def in_order(found: Sequence[tuple[T, dict[str, Any] | ProtocolError]]) -> list[tuple[T, dict[str, Any] | ProtocolError]]:
    """Charters, files by their place in the game, slips; then what could not be read."""
    good = sorted((p for p in found if isinstance(p[1], dict)), key=lambda pair: _place(cast("dict[str, Any]", pair[1])))
    return [*good, *(p for p in found if isinstance(p[1], ProtocolError))]


def _concerns_pbem(path: Path, found: dict[str, Any] | ProtocolError) -> bool:
    """An order file or a report that lies in the same folder is no mistake."""
    if isinstance(found, dict):
        return "pbem" in found
    return b"BEGIN PBEM" in path.read_bytes() or found.outcome is Outcome.TOO_LARGE


def _place(document: dict[str, Any]) -> tuple[int, int]:
    seq = document.get("seq")
    kind = {"charter": 0, "slip": 2}.get(str(document.get("type")), 1)
    return kind, seq if isinstance(seq, int) else 0


def _in_file(path: Path) -> Iterator[Found]:
    if path.stat().st_size > 4 * MAX_TEXT:
        yield path.name, ProtocolError(Outcome.TOO_LARGE, f"more than {4 * MAX_TEXT} bytes")
        return
    data = path.read_bytes().replace(b"\r\n", b"\n")
    if path.suffix == ".mbox" or _POSTMARK.match(data):
        messages = [re.sub(rb"(?m)^>(>*From )", rb"\1", m) for m in _POSTMARK.split(data)[1:] if m.strip()]
        found = [f for message in messages for f in _in_message(message)]
    elif path.suffix == ".eml" or _is_mail(data):
        found = _in_message(data)
    else:
        found = list(sift(_decode(data, None)))
    if not found:
        yield path.name, unreadable("no mail in it holds a pbem file")
    yield from ((path.name, f) for f in found)


def _is_mail(data: bytes) -> bool:
    """Two header lines at least, one of which only mail has."""
    head = data[:4000].lower()
    return bool(_HEADER.match(data)) and re.search(rb"(?m)^(subject|received|from|mime-version):", head) is not None


def _decode(data: bytes, charset: str | None) -> str:
    """Text of bytes whose declared character set may be wrong or unknown: what is valid UTF-8 hardly ever is not."""
    declared = charset or "utf-8"
    for name in (declared, "utf-8") if declared.startswith("utf-") else ("utf-8", declared, "cp1252"):
        try:
            return data.decode(name)
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("utf-8", "replace")


def _in_message(data: bytes) -> list[dict[str, Any] | ProtocolError]:
    """The attachments that can be read, else the blocks of the text parts, plain before HTML; why, when nothing can be."""
    attached, plain, pages = _parts(data)
    read: list[dict[str, Any] | ProtocolError] = [found for text in attached for found in sift(text)]
    good = [found for found in read if isinstance(found, dict)]
    texts = plain or [without_tags(page) for page in pages]
    return [*good] or [found for text in texts for found in sift(text)] or read


def _parts(data: bytes) -> tuple[list[str], list[str], list[str]]:
    """The texts of a message that may concern pbem: attachments, plain parts, HTML parts."""
    attached: list[str] = []
    plain: list[str] = []
    pages: list[str] = []
    for part in message_from_bytes(data, policy=policy.default).walk():
        raw = None if part.is_multipart() else part.get_payload(decode=True)
        if not isinstance(raw, bytes):
            continue
        text = _decode(raw, part.get_content_charset())
        if (part.get_filename() or "").lower().endswith((".yaml", ".yml")):
            attached.append(text)
        elif "PBEM" in text:
            (pages if part.get_content_type() == "text/html" else plain).append(text)
    return attached, plain, pages
