"""Keys that an ssh-agent holds: asked for over its socket (on Windows its named pipe), used like private keys."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.kernel.wording import Message, linked, msg
from pbem.protocol import agent, keys
from pbem.protocol.outcomes import Outcome, ProtocolError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PATIENCE = 30.0  # seconds for an answer: an agent may ask its owner first
_PIPE = r"\\.\pipe\openssh-ssh-agent"


class AgentKey(Struct, frozen=True):
    """A key whose private half only the agent has: a `keys.Signer`."""

    public: str

    def sign(self, data: bytes, /) -> bytes:
        """The agent's signature, verified before anybody uses it. Raises ProtocolError."""
        from cryptography.exceptions import InvalidSignature

        made = agent.read_signature(_exchange(agent.sign_request(self.public, data)))
        try:
            self.public_key().verify(made, data)
        except InvalidSignature:
            raise ProtocolError(
                Outcome.BAD_SIGNATURE, msg("what the ssh-agent signed does not verify: nothing was used")
            ) from None
        return made

    def public_key(self) -> Ed25519PublicKey:
        """The public half."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(keys.key_bytes(self.public))


def held() -> list[tuple[str, str]]:
    """(public key, comment) of the agent's Ed25519 keys. Raises ProtocolError where there is no agent."""
    return agent.read_list(_exchange(agent.list_request()))


def find(wanted: set[str]) -> AgentKey | None:
    """The first of these keys that the agent holds; None also where there is no agent."""
    try:
        return next((AgentKey(public) for public, _ in held() if public in wanted), None)
    except ProtocolError:
        return None


def address() -> str:
    """Where the agent listens; empty where nothing says so."""
    return os.environ.get("SSH_AUTH_SOCK", "") or (_PIPE if sys.platform == "win32" else "")


def _exchange(request: bytes) -> bytes:
    """One request, one answer. Raises ProtocolError when it does not come, is too long or is cut."""
    where = address()
    if not where:
        raise _silent(msg("SSH_AUTH_SOCK names none"))
    try:
        return _by_pipe(where, request) if sys.platform == "win32" else _by_socket(where, request)
    except TimeoutError:
        raise _silent(
            msg("{where} has not answered within {seconds} seconds", where=where, seconds=f"{PATIENCE:.0f}")
        ) from None
    except (OSError, ValueError) as error:
        raise _silent(linked(": ", where, str(error))) from None


def _silent(why: Message) -> ProtocolError:
    return ProtocolError(Outcome.WRONG_KEY, msg("there is no ssh-agent to be asked ({why})", why=why))


def _by_socket(where: str, request: bytes) -> bytes:
    import socket

    until = time.monotonic() + PATIENCE
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:

        def in_time() -> socket.socket:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
            return connection

        in_time().connect(where)
        in_time().sendall(request)
        return _answer(lambda size: in_time().recv(size))


def _by_pipe(where: str, request: bytes) -> bytes:
    """Windows has no time limit for a pipe: a thread waits for it, and is left behind when it takes too long."""
    found: list[bytes | Exception] = []

    def talk() -> None:
        try:
            with open(where, "r+b", buffering=0) as pipe:
                pipe.write(request)
                found.append(_answer(lambda size: pipe.read(size) or b""))
        except Exception as error:  # told by the thread that waits
            found.append(error)

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if not found:
        raise TimeoutError
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _answer(read: Callable[[int], bytes]) -> bytes:
    return _whole(read, agent.length(_whole(read, 4)))


def _whole(read: Callable[[int], bytes], size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = read(size - len(data))
        if not more:
            raise ConnectionError("the answer is cut short")
        data += more
    return data
