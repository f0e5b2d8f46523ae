"""Mail: writing an .eml ready to send, reading .eml and mbox, files, folders and texts."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import TypeVar, cast

from msgspec import Struct, field

from pbem.kernel.canon import canonical
from pbem.kernel.wording import msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.transport.armor import MAX_TEXT, sift, write_block
from pbem.transport.message import Document, Read, decode, heading, in_message
from pbem.transport.message import one_line as one_line

T = TypeVar("T")
READABLE = (".yaml", ".yml", ".txt", ".eml", ".mbox", ".json", ".pbem", ".html", ".htm")
Found = tuple[str, Read]
_POSTMARK = re.compile(rb"^From ([^\n]*)\n", re.MULTILINE)
_TIME = re.compile(rb"[0-9]{1,2}:[0-9]{2}")
_HEADER = re.compile(rb"\A(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2}")
_OURS = re.compile(rb"BEGIN PBEM|^\W{0,4}pbem\W{0,2}:", re.MULTILINE)
_LEAST = 300  # bytes: no mail that is shorter holds a document


def write_eml(document: Document, game: str, due: str, reminder: bool = False, subject: str = "") -> bytes:
    """A message with subject (else game id and place), what is due, block and file attached; its sender addresses it."""
    seq = int(document.get("seq", 0))
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = one_line(f"{'Reminder: ' if reminder else ''}{subject or f'[pbem {game}] #{seq}'}")
    message.set_content(f"{due}\n\n{write_block(document)}")
    text = strict_yaml.write_document(document).encode()
    message.add_attachment(text, maintype="application", subtype="yaml", filename=one_line(f"pbem-{game}-{seq:04d}.yaml"))
    return message.as_bytes()


def in_mail(data: bytes) -> list[Read]:
    """Every document in one mail, and why a block in it is none; nothing for a mail of other things."""
    return _marked(data, in_message(data.replace(b"\r\n", b"\n")))


def _marked(data: bytes, found: list[Read]) -> list[Read]:
    """The same, each error with the bytes that could not be read."""
    for error in found:
        if isinstance(error, ProtocolError):
            error.source = data
    return found


def gather(source: Path | str) -> list[Found]:
    """Every document in a file, a folder or a text, sorted by seq, then what could not be read: (where, which or why).

    In a folder only what concerns pbem is looked at. What comes more than once, byte by byte, is read once; an error has
    the bytes that could not be read as `source`. Raises OSError when the source itself cannot be read.
    """
    reader = _Reader()
    if isinstance(source, str):
        found = [("the text", f) for f in _marked(source.encode("utf-8", "replace"), list(sift(source)))]
    elif source.is_dir():
        files = [p for p in sorted(source.iterdir()) if p.suffix.lower() in READABLE and p.is_file()]
        found = [pair for p in files for pair in reader.in_folder(p)]
    else:
        found = reader.file(source) or [(source.name, unreadable(msg("no mail in it holds a pbem file")))]
    return _sorted(found)


def files_of(source: Path) -> list[Path]:
    """The files that may hold something: the source itself, or a folder's by their endings, of a Maildir every mail.

    Raises OSError when there is no such source or the folder cannot be read.
    """
    if not source.is_dir():
        source.stat()
        return [source]
    found = [p for p in sorted(source.iterdir()) if p.suffix.lower() in READABLE and p.is_file()]
    boxes = [source / name for name in ("cur", "new")]
    if all(box.is_dir() for box in boxes):
        found += [p for box in boxes for p in sorted(box.iterdir()) if p.is_file()]
    return found


def gather_one(path: Path, named: bool) -> list[Found]:
    """What one file holds, in the order in which it stands there; nothing is raised.

    `named`: somebody names it, so that it is told where it holds nothing of pbem; else it is one of many in a folder.
    """
    found = _Reader().in_folder(path)
    return found or ([(path.name, unreadable(msg("no mail in it holds a pbem file")))] if named else [])


def gather_bytes(data: bytes) -> list[Found]:
    """The same for the content of one file: a mail, an mbox, a block or a text that holds some."""
    return _sorted(_Reader().content(data, "the file"))


def _sorted(found: Sequence[Found]) -> list[Found]:
    """Each document once, in the order in which they are taken."""
    good = {canonical(d): (where, d) for where, d in found if isinstance(d, dict)}
    return in_order([*good.values(), *((where, d) for where, d in found if isinstance(d, ProtocolError))])


def in_order(found: Sequence[tuple[T, Read]]) -> list[tuple[T, Read]]:
    """Charters, files by their place in the game, slips, notes; then what could not be read."""
    good = sorted((p for p in found if isinstance(p[1], dict)), key=lambda pair: _place(cast("Document", pair[1])))
    return [*good, *(p for p in found if isinstance(p[1], ProtocolError))]


def _place(document: Document) -> tuple[int, int]:
    seq = document.get("seq")
    kind = {"charter": 0, "slip": 2, "note": 3}.get(str(document.get("type")), 1)
    return kind, seq if isinstance(seq, int) else 0


class _Reader(Struct):
    """Reads files and the mails in them; what comes again, byte by byte, is passed over."""

    known: set[bytes] = field(default_factory=set)

    def in_folder(self, path: Path) -> list[Found]:
        """What concerns pbem in one of many files: an order file or a report that lies there too is no mistake."""
        try:
            return [pair for pair in self.file(path) if _is_ours(pair[1])]
        except OSError as error:
            return [(path.name, unreadable(msg("the file cannot be read: {strerror}", strerror=error.strerror or "")))]

    def file(self, path: Path) -> list[Found]:
        """What is in a file and was in none before."""
        if path.stat().st_size > 4 * MAX_TEXT:
            return [(path.name, ProtocolError(Outcome.TOO_LARGE, msg("more than {part} bytes", part=4 * MAX_TEXT)))]
        return self.content(path.read_bytes(), path.name)

    def content(self, data: bytes, name: str) -> list[Found]:
        """The same of a file's content."""
        data = _without_mark(data).replace(b"\r\n", b"\n")
        if name.endswith(".mbox") or _is_mbox(data):
            return [(f"{name}, {heading(m)}", f) for m in _messages(data) for f in self._once(m, in_message)]
        if name.endswith(".eml") or _is_mail(data):
            return [(f"{name}, {heading(data)}", f) for f in self._once(data, in_message)]
        return [(name, f) for f in self._once(data, lambda text: list(sift(decode(text, None))))]

    def _once(self, data: bytes, read: Callable[[bytes], list[Read]]) -> list[Read]:
        name = hashlib.sha256(data).digest()
        if name in self.known:
            return []
        self.known.add(name)
        return _marked(data, read(data))


def _without_mark(data: bytes) -> bytes:
    """Text in UTF-8 without the mark that some editors put before it; a Windows shell writes two bytes for each letter."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(codecs.BOM_UTF8)


def _is_ours(found: Read) -> bool:
    """A document, or bytes that were to be one."""
    if isinstance(found, dict):
        return "pbem" in found
    mail = _is_mail(found.source) and b"pbem" in found.source.lower()
    return mail or _OURS.search(found.source) is not None or found.outcome is Outcome.TOO_LARGE


def _is_mbox(data: bytes) -> bool:
    first = _POSTMARK.match(data)
    return first is not None and _TIME.search(first[1][:300]) is not None


def _messages(data: bytes) -> Iterator[bytes]:
    """The mails of an mbox, each after its postmark."""
    marks = [m for m in _POSTMARK.finditer(data) if _TIME.search(m[1][:300])]
    for mark, end in zip(marks, [*(m.start() for m in marks[1:]), len(data)], strict=False):
        if end - mark.end() >= _LEAST or b"PBEM" in data[mark.end() : end]:
            yield re.sub(rb"(?m)^>(>*From )", rb"\1", data[mark.end() : end])


def _is_mail(data: bytes) -> bool:
    """Two header lines at least, one of which only mail has."""
    head = data[:4000].lower()
    return bool(_HEADER.match(data)) and re.search(rb"(?m)^(subject|received|from|mime-version):", head) is not None
