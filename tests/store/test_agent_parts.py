"""Asking an ssh-agent: where it is sought, what is said when it is not there, and what goes over its socket or pipe."""

from __future__ import annotations

import socket
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.protocol import agent as messages
from pbem.protocol import keys
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import agent

WHERE = "/run/agent"
EMPTY = b"\x0c\x00\x00\x00\x00"  # an agent's list without keys


def field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def told(call: Any) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


@pytest.fixture(autouse=True)
def system(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Linux, with the agent's address in the environment."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("SSH_AUTH_SOCK", WHERE)
    return monkeypatch


def test_where_an_agent_listens(system: Any) -> None:
    for platform, otherwise in (("linux", ""), ("win32", r"\\.\pipe\openssh-ssh-agent")):
        system.setattr(sys, "platform", platform)
        system.setenv("SSH_AUTH_SOCK", WHERE)
        assert agent.address() == WHERE
        system.setenv("SSH_AUTH_SOCK", "")
        assert agent.address() == otherwise
        system.delenv("SSH_AUTH_SOCK")
        assert agent.address() == otherwise


def test_why_nobody_answers_is_told(system: Any) -> None:
    def fails(error: Exception) -> Any:
        def ask(where: str, request: bytes) -> bytes:
            assert (where, request) == (WHERE, messages.list_request())
            raise error

        return ask

    for error, why in (
        (TimeoutError(), f"{WHERE} has not answered within 30 seconds"),
        (OSError("gone"), f"{WHERE}: gone"),
        (ValueError("odd"), f"{WHERE}: odd"),
    ):
        system.setattr(agent, "_by_socket", fails(error))
        assert told(agent.held) == (Outcome.WRONG_KEY, f"there is no ssh-agent to be asked ({why})")
        assert agent.find({"a key"}) is None
    system.delenv("SSH_AUTH_SOCK")
    none = "there is no ssh-agent to be asked (SSH_AUTH_SOCK names none)"
    assert told(agent.held) == (Outcome.WRONG_KEY, none)


def test_the_first_key_that_is_wanted_is_found(system: Any) -> None:
    public = [keys.public_text(keys.generate()) for _ in range(3)]
    blobs = [field(field(b"ssh-ed25519") + field(keys.key_bytes(one))) + field(b"mine") for one in public]
    system.setattr(agent, "_by_socket", lambda where, request: b"\x0c" + (3).to_bytes(4, "big") + b"".join(blobs))
    assert agent.find({public[2], public[1]}) == agent.AgentKey(public[1]) and agent.find(set()) is None


def test_a_signature_is_verified_before_it_is_used(system: Any) -> None:
    private = keys.generate()
    key = agent.AgentKey(keys.public_text(private))

    def sign(where: str, request: bytes) -> bytes:
        assert request == messages.sign_request(key.public, b"data")
        return b"\x0e" + field(field(b"ssh-ed25519") + field(signer.sign(b"data")))

    system.setattr(agent, "_by_socket", sign)
    signer = private
    assert key.sign(b"data") == private.sign(b"data")
    signer = keys.generate()
    false = "what the ssh-agent signed does not verify: nothing was used"
    assert told(lambda: key.sign(b"data")) == (Outcome.BAD_SIGNATURE, false)


class Line:
    """A socket to an agent: every act on it takes a second of the clock, and the answer comes in parts."""

    def __init__(self, *parts: bytes) -> None:
        self.parts, self.done, self.limits, self.at = [*parts], [], [], 0.0  # type: ignore[var-annotated]

    def __call__(self, *kind: Any) -> Line:
        assert kind == (socket.AF_UNIX, socket.SOCK_STREAM)
        return self

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.done.append("closed")

    def settimeout(self, seconds: float) -> None:
        self.limits.append(seconds)

    def _act(self, *what: Any) -> None:
        self.done.append(what)
        self.at += 1

    def connect(self, where: str) -> None:
        self._act("connect", where)

    def sendall(self, data: bytes) -> None:
        self._act("send", data)

    def recv(self, size: int) -> bytes:
        self._act("read", size)
        return self.parts.pop(0) if self.parts else b""


def line(system: Any, *parts: bytes) -> Line:
    made = Line(*parts)
    system.setattr(socket, "socket", made)
    system.setattr(agent, "time", SimpleNamespace(monotonic=lambda: made.at))
    return made


def test_an_answer_is_read_to_its_length_and_no_further(system: Any) -> None:
    used = line(system, b"\0\0", b"\0\5", EMPTY[:2], EMPTY[2:], b"more")
    assert agent.held() == []
    asked = [("connect", WHERE), ("send", messages.list_request()), ("read", 4), ("read", 2), ("read", 5), ("read", 3)]
    assert used.done == [*asked, "closed"] and used.limits == [30, 29, 28, 27, 26, 25], "all of it has the same time"


def test_an_answer_that_is_cut_or_never_ends_is_told(system: Any) -> None:
    start = f"there is no ssh-agent to be asked ({WHERE}"
    for parts in ((), (b"\0\0",), (b"\0\0\0\5", EMPTY[:4])):
        line(system, *parts)
        assert told(agent.held) == (Outcome.WRONG_KEY, f"{start}: the answer is cut short)"), parts
    system.setattr(agent, "PATIENCE", 4.0)
    for parts, late in (([b"\0\0\0\5", EMPTY], False), ([b"\0\0", b"\0\5", EMPTY], True)):
        line(system, *parts)
        if late:
            assert told(agent.held) == (Outcome.WRONG_KEY, f"{start} has not answered within 4 seconds)")
        else:
            assert agent.held() == []


class Pipe:
    """A named pipe of Windows, opened."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.sent = [*answers], b""

    def __call__(self, *words: Any, **more: Any) -> Pipe:
        assert (words, more) == ((WHERE, "r+b"), {"buffering": 0})
        return self

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *_: object) -> None: ...

    def write(self, data: bytes) -> None:
        self.sent += data

    def read(self, size: int) -> Any:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_a_pipe_is_asked_like_a_socket(system: Any) -> None:
    system.setattr(sys, "platform", "win32")
    system.setattr(agent, "open", pipe := Pipe(b"\0\0\0\5", EMPTY), raising=False)
    assert agent.held() == [] and pipe.sent == messages.list_request()
    for answers, why in (([None], "the answer is cut short"), ([b"\0\0\0\5", OSError("broken pipe")], "broken pipe")):
        system.setattr(agent, "open", Pipe(*answers), raising=False)
        assert told(agent.held) == (Outcome.WRONG_KEY, f"there is no ssh-agent to be asked ({WHERE}: {why})")


def test_a_pipe_that_hangs_keeps_nothing_waiting(system: Any) -> None:
    """The thread that waits for it is left behind, and does not hold the program at its end."""
    started: list[Any] = []

    class Thread:
        def __init__(self, target: Any, daemon: bool) -> None:
            started.append(daemon)

        def start(self) -> None:
            started.append("started")

        def join(self, seconds: float) -> None:
            started.append(seconds)

    system.setattr(sys, "platform", "win32")
    system.setattr(agent, "threading", SimpleNamespace(Thread=Thread))
    assert told(agent.held)[1] == f"there is no ssh-agent to be asked ({WHERE} has not answered within 30 seconds)"
    assert started == [True, "started", 30]
