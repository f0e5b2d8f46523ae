"""Mail: writing an .eml ready to send, reading .eml and mbox."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from pbem.transport.armor import documents, write_block

READABLE = (".yaml", ".yml", ".txt", ".eml", ".mbox", ".json", ".pbem")


def write_eml(document: dict[str, Any], game: str, due: str) -> bytes:
    """A message with subject, what is due, the block, and the file attached; addresses are left to the sender."""
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = f"[pbem {game}] #{document.get('seq', 0)}"
    message.set_content(f"{due}\n\n{write_block(document)}")
    name = f"pbem-{game}-{int(document.get('seq', 0)):04d}.yaml"
    text = strict_yaml.write_document(document).encode()
    message.add_attachment(text, maintype="application", subtype="yaml", filename=name)
    return message.as_bytes()


def gather(source: Path | str) -> list[tuple[str, dict[str, Any]]]:
    """Every document in a file, a folder or a text, sorted by seq: (where it was found, document)."""
    if isinstance(source, str):
        found = [("the text", d) for d in documents(source)]
    elif source.is_dir():
        files = [p for p in sorted(source.iterdir()) if p.suffix in READABLE and p.is_file()]
        found = [pair for p in files for pair in _in_file(p)]
    else:
        found = list(_in_file(source))
    unique = {str(sorted(d.items())): (where, d) for where, d in found}
    return sorted(unique.values(), key=lambda pair: _place(pair[1]))


def _place(document: dict[str, Any]) -> tuple[int, int]:
    seq = document.get("seq")
    kind = {"charter": 0, "slip": 2}.get(str(document.get("type")), 1)
    return kind, seq if isinstance(seq, int) else 0


def _in_file(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    data = path.read_bytes()
    if path.suffix == ".mbox" or data.startswith(b"From "):
        parts = (b"\n" + data).split(b"\nFrom ")[1:]
        texts = [t for part in parts for t in _texts(part.partition(b"\n")[2])]
    elif path.suffix == ".eml" or data[:200].lower().startswith((b"subject:", b"received:", b"return-path:", b"mime-")):
        texts = _texts(data)
    else:
        texts = [data.decode("utf-8", "replace")]
    for text in texts:
        yield from ((path.name, d) for d in documents(text))


def _texts(data: bytes) -> list[str]:
    """The attachment if there is one, else the text parts."""
    message = message_from_bytes(data, policy=policy.default)
    attached, inline = [], []
    for part in message.walk():
        if part.is_multipart():
            continue
        raw = part.get_payload(decode=True)
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
        if (part.get_filename() or "").endswith((".yaml", ".yml")):
            attached.append(text)
        elif part.get_content_maintype() == "text" and "PBEM" in text:
            inline.append(text)
    return _readable(attached) or inline


def _readable(texts: list[str]) -> list[str]:
    """Attachments that can be read; a damaged one falls back to the block in the text."""
    good = []
    for text in texts:
        try:
            strict_yaml.read_document(text)
        except ProtocolError:
            continue
        good.append(text)
    return good
