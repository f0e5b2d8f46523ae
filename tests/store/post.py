"""Mail servers that are folders of the current one: what is sent goes to `post`, what is to be fetched lies in `mailbox`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

POST, MAILBOX, MARKED = Path("post"), Path("mailbox"), Path("marked")


def settle(folder: str, me: str, other: str) -> None:
    """Settings for both servers."""
    server = "  host: localhost\n  port: 9\n  security: none\n  user: me\n"
    text = f"from: {me}@example.org\nto:\n  {other}: {other}@example.org\nsmtp:\n{server}imap:\n{server}"
    Path(folder, "mail.yaml").write_text(text)


def deliver_to_mailbox(mail: Path) -> None:
    """Message 1."""
    MAILBOX.mkdir()
    (MAILBOX / "1.eml").write_bytes(mail.read_bytes())


def sent() -> set[str]:
    """What reached the server: the names of the mails."""
    return {p.stem.partition(".")[0] for p in POST.glob("*.eml")}


def marked() -> list[str]:
    """Messages marked as taken."""
    return sorted(set(MARKED.read_text().split())) if MARKED.exists() else []


class Mailbox:
    """As much of a mailbox as is asked for."""

    validity = 1

    def candidates(self) -> list[int]:
        return sorted(int(p.stem) for p in MAILBOX.glob("*.eml"))

    def size(self, uid: int) -> int:
        return (MAILBOX / f"{uid}.eml").stat().st_size

    def message(self, uid: int) -> bytes:
        return (MAILBOX / f"{uid}.eml").read_bytes()

    def mark(self, uid: int) -> None:
        with MARKED.open("a") as file:
            file.write(f"{uid}.eml\n")


def stand_for_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's connections lead here."""

    @contextmanager
    def open_mailbox(server: Any) -> Iterator[Mailbox]:
        yield Mailbox()

    @contextmanager
    def open_smtp(server: Any) -> Iterator[None]:
        yield None

    def deliver(connection: None, server: Any, sender: str, envelope: Any) -> None:
        POST.mkdir(exist_ok=True)
        (POST / f"{envelope.key}.eml").write_bytes(envelope.message(sender))

    monkeypatch.setattr("pbem.transport.fetching.open_mailbox", open_mailbox)
    monkeypatch.setattr("pbem.transport.sending.open_smtp", open_smtp)
    monkeypatch.setattr("pbem.transport.sending.deliver", deliver)


def reminders() -> list[str]:
    """What the reminders say that were sent, in the order in which they went out."""
    mails = sorted(POST.glob("reminder.*.eml"), key=lambda file: file.stat().st_mtime_ns)
    return [_text(mail.read_bytes()) for mail in mails]


def _text(mail: bytes) -> str:
    body = message_from_bytes(mail, policy=default).get_body(("plain",))
    assert body is not None
    return str(body.get_content())
