"""Keys that only an ssh-agent has: a real one signs a whole opening; false ones lie, hang, cut and talk too long."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from pbem.protocol import agent as messages
from pbem.protocol import keys, sshsig
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document
from pbem.store import agent, passphrase, private
from tests.commands import ALLIES, ORDERS, begun, inside, must, prepare, run
from tests.manual import page, told


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("PBEM_PASSPHRASE", "PBEM_PASSPHRASE_FILE", "SSH_AUTH_SOCK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    private.forget()
    with inside(tmp_path):
        yield
    private.forget()


@pytest.fixture
def real_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A real ssh-agent that holds a fresh key, of which only the public half is a file: `mine.pub`."""
    where = f"/tmp/pbem-agent-{os.getpid()}"  # a socket's path must be short
    process = subprocess.Popen(["ssh-agent", "-D", "-a", where], stdout=subprocess.DEVNULL)
    try:
        monkeypatch.setenv("SSH_AUTH_SOCK", where)
        for kind in ("ed25519", "ecdsa"):
            subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", f"a {kind} key", "-f", f"mine-{kind}"], check=True)
            while subprocess.run(["ssh-add", "-q", f"mine-{kind}"], capture_output=True).returncode:
                assert process.poll() is None, "the agent does not start"
        Path("mine-ed25519").unlink()
        yield Path("mine-ed25519.pub")
    finally:
        process.terminate()
        process.wait()
        Path(where).unlink(missing_ok=True)


def private_files(folder: str) -> set[str]:
    return {p.name for p in Path(folder, "private").iterdir()}


# -- a real agent ----------------------------------------------------------------------------------------------------------


def test_the_agent_lists_its_ed25519_keys_and_signs_like_a_private_key(real_agent: Path) -> None:
    public = keys.read_public(real_agent.read_text())
    assert agent.held() == [(public, "a ed25519 key")]
    found = agent.find({public})
    assert found is not None and keys.public_text(found) == public and agent.find({"ssh-ed25519 other"}) is None
    signed = sshsig.sign(found, b"message")
    sshsig.verify(public, b"message", signed)
    with pytest.raises(ProtocolError):
        sshsig.verify(public, b"another", signed)


def test_a_game_is_begun_and_played_with_a_key_that_only_the_agent_has(real_agent: Path) -> None:
    public = keys.read_public(real_agent.read_text())
    shown = must("key", "yamada", "--use", str(real_agent))
    assert public in shown and "the ssh-agent holds it" in shown
    must("new", "axis")
    must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    assert read_document(Path("axis/charter.yaml").read_bytes())[0]["players"]["yamada"]["key"] == public
    must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
    must("accept", "-g", "allies")
    must("accept", "allies/charter.yaml", "-g", "axis")
    must("accept", "axis/charter.yaml", "-g", "allies")
    Path("o.yaml").write_text(ORDERS)
    must("send", "o.yaml", "-g", "axis", "--yes")
    must("receive", "axis/outbox/0001-yamada.eml", "-g", "allies")
    must("receive", "allies/outbox", "-g", "axis")
    must("verify", "-g", "axis")
    must("resign", "--yes", "-g", "axis")
    assert "key" not in private_files("axis") and "key.pub" in private_files("axis")
    must("backup", "b.zip", "-g", "axis")
    shutil.rmtree("axis")
    must("restore", "b.zip", "axis")
    assert (Path("axis/private/key.pub")).read_text().strip() == public


def test_without_the_agent_the_message_says_what_to_do(real_agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    must("key", "yamada", "--use", str(real_agent))
    must("new", "axis")
    must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
    must("accept", "-g", "allies")
    monkeypatch.setenv("SSH_AUTH_SOCK", "nothing-there")
    done = run("accept", "allies/charter.yaml", "-g", "axis")
    assert done.code == 7 and "ssh-add" in done.err and "What can be done" in done.err
    assert "no ssh-agent holds it now" in must("key", "yamada")
    monkeypatch.delenv("SSH_AUTH_SOCK")
    done = run("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    assert done.code == 7 and "ssh-add" in done.err
    must("status", "-g", "axis")


def test_a_key_whose_file_is_gone_is_found_in_the_agent(real_agent: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "moved"], check=True)
    must("key", "nowak", "--use", "moved")
    begun()
    Path("o.yaml").write_text(ORDERS)
    must("send", "o.yaml", "-g", "axis", "--yes")
    Path("allies/private/key").unlink()
    done = run("receive", "axis/outbox", "-g", "allies")
    assert done.code == 7 and "allies/private/key is missing" in done.out and "What can be done" in done.out, done
    subprocess.run(["ssh-add", "-q", "moved"], check=True)
    assert "written by itself" in must("receive", "axis/outbox", "-g", "allies")


def test_a_key_is_chosen_once_and_only_if_it_can_sign(real_agent: Path) -> None:
    must("key", "yamada", "--use", str(real_agent))
    assert "the ssh-agent holds it" in must("key", "yamada", "--use", str(real_agent))
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "other"], check=True)
    for words in (["--use", "other"], ["--use", "other.pub"], ["--new"]):
        done = run("key", "yamada", *words)
        assert done.code == 1 and "has a key already" in done.err
    done = run("key", "nowak", "--use", "other.pub")
    assert done.code == 7 and "ssh-add" in done.err and "a ed25519 key" in done.err
    assert run("key", "nowak", "--use", "mine-ecdsa").code == 7
    assert run("key", "nowak", "--use", "mine-ecdsa.pub").code == 7
    assert run("key", "nowak", "--use", "none-such").code == 5
    assert run("key", "nowak", "--use", "other", "--new").code == 2
    assert keys.read_public(Path("other.pub").read_text()) in must("key", "nowak", "--use", "other")
    assert Path("home/keys/nowak").stat().st_mode & 0o777 == 0o600


def test_secrets_of_an_agents_key_have_a_passphrase_of_their_own(real_agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    must("key", "yamada", "--use", str(real_agent))
    must("new", "axis")
    monkeypatch.setenv("PBEM_PASSPHRASE", "open sesame")
    must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    assert private_files("axis") == {"lock.json", "key.pub", "secrets.json", "place.json"} - (
        set() if Path("axis/private/place.json").exists() else {"place.json"}
    )
    monkeypatch.delenv("PBEM_PASSPHRASE")
    private.forget()
    done = run("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    assert done.code == 7 and "PBEM_PASSPHRASE_FILE" in done.err


def test_the_lines_of_the_manual_run_as_they_stand(real_agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = told(page("keys"))
    assert [words[0] for words in lines] == ["key", "key", "passphrase", "passphrase"]
    (tmp_path / "made").mkdir()
    running = prepare(tmp_path / "made")["running"]
    shutil.copytree(running / "axis", tmp_path / "pacific")
    shutil.copytree(running / "home", tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ".ssh/id_ed25519"], check=True)
    subprocess.run(["ssh-add", "-q", ".ssh/id_ed25519"], check=True)
    kept: dict[str, bytes] = {}
    monkeypatch.setattr(passphrase, "from_keyring", lambda name: kept.get(name, b""))
    monkeypatch.setattr(passphrase, "into_keyring", kept.__setitem__)
    monkeypatch.setattr(passphrase, "at_terminal", lambda: True)
    monkeypatch.setattr(passphrase, "typed", lambda prompt: "correct horse")
    for words in lines:
        private.forget()
        shutil.rmtree("home/keys", ignore_errors=True)  # each line for a key is another way to begin
        assert must(*map(os.path.expanduser, words))
    assert len(kept) == 1
    private.forget()
    monkeypatch.setattr(passphrase, "typed", lambda prompt: pytest.fail("somebody was asked"))
    (tmp_path / "o.yaml").write_text(ORDERS)
    must("send", "o.yaml", "-g", "pacific", "--yes")


# -- agents that are none --------------------------------------------------------------------------------------------------


@pytest.fixture
def false_agent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[bytes], Iterable[bytes]]], None]]:
    """An agent that answers each request with what a function makes of it, part by part."""
    where = f"/tmp/pbem-false-agent-{os.getpid()}"
    server = socket.socket(socket.AF_UNIX)
    server.bind(where)
    server.listen()
    monkeypatch.setenv("SSH_AUTH_SOCK", where)
    monkeypatch.setattr(agent, "PATIENCE", 0.3)
    held: list[socket.socket] = []

    def start(answer: Callable[[bytes], Iterable[bytes]]) -> None:
        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                held.append(connection)
                size = int.from_bytes(connection.recv(4), "big")
                data = b""
                while len(data) < size and (more := connection.recv(size - len(data))):
                    data += more
                with contextlib.suppress(OSError):
                    for part in answer(data):
                        connection.sendall(part)

        threading.Thread(target=serve, daemon=True).start()

    yield start
    server.close()
    for connection in held:
        connection.close()
    Path(where).unlink()


def message(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def signature(raw: bytes, kind: bytes = b"ssh-ed25519") -> bytes:
    return message(bytes([14]) + field(field(kind) + field(raw)))


LIES = {
    "another key's signature": (lambda data: signature(keys.generate().sign(data)), Outcome.BAD_SIGNATURE),
    "a constant": (lambda data: signature(bytes(64)), Outcome.BAD_SIGNATURE),
    "a short signature": (lambda data: signature(bytes(63)), Outcome.UNREADABLE),
    "another kind": (lambda data: signature(bytes(64), b"ssh-rsa"), Outcome.UNREADABLE),
    "two": (lambda data: message(bytes([14]) + 2 * field(field(b"ssh-ed25519") + field(bytes(64)))), Outcome.UNREADABLE),
    "a failure": (lambda data: message(bytes([5])), Outcome.WRONG_KEY),
    "nothing": (lambda data: message(b""), Outcome.TOO_LARGE),
    "silence": (lambda data: b"", Outcome.WRONG_KEY),
    "a part": (lambda data: signature(bytes(64))[:-1], Outcome.WRONG_KEY),
    "fields that end too late": (lambda data: message(bytes([14]) + b"\x00\x00\xff\xff" + bytes(20)), Outcome.UNREADABLE),
    "a length of 256 KiB and one": (lambda data: (2**18 + 1).to_bytes(4, "big"), Outcome.TOO_LARGE),
    "a length of 4 GiB": (lambda data: b"\xff" * 4, Outcome.TOO_LARGE),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_a_false_agent_says_is_never_used(lie: str, false_agent: Callable[..., None]) -> None:
    answer, outcome = LIES[lie]
    false_agent(lambda data: [answer(data)])
    key = agent.AgentKey(keys.public_text(keys.generate()))
    with pytest.raises(ProtocolError) as caught:
        key.sign(b"message")
    assert caught.value.outcome is outcome, caught.value


@pytest.mark.parametrize("parts", [[], [bytes([b]) for b in message(bytes([12]) + bytes(4))]], ids=["hangs", "dribbles"])
def test_an_agent_that_takes_its_time_is_left(parts: list[bytes], false_agent: Callable[..., None]) -> None:
    enough = threading.Event()

    def slowly(data: bytes) -> Iterator[bytes]:
        yield from (part for part in parts if not enough.wait(0.1))
        enough.wait(3)

    false_agent(slowly)
    began = time.monotonic()
    with pytest.raises(ProtocolError, match="has not answered within"):
        agent.held()
    assert time.monotonic() - began < 2
    enough.set()


@pytest.mark.parametrize(
    "listed",
    [
        bytes([5]),
        bytes([12]),
        bytes([12]) + (1).to_bytes(4, "big"),
        bytes([12]) + (1).to_bytes(4, "big") + field(b"blob"),
        bytes([12]) + (2**31).to_bytes(4, "big") + field(b"blob") + field(b"comment"),
        bytes([12]) + (1).to_bytes(4, "big") + b"\xff\xff\xff\xff",
    ],
)
def test_a_list_that_is_none_holds_no_key(listed: bytes, false_agent: Callable[..., None]) -> None:
    false_agent(lambda data: [message(listed)])
    with pytest.raises(ProtocolError):
        agent.held()
    assert agent.find({keys.public_text(keys.generate())}) is None


def test_keys_of_small_order_and_other_kinds_are_left_out() -> None:
    good = keys.public_text(keys.generate())
    raw = [(b"ssh-ed25519", bytes(32)), (b"ssh-rsa", b"x"), (b"ssh-ed25519", bytes(31)), (b"ssh-ed25519", keys.key_bytes(good))]
    blobs = [field(kind) + field(data) for kind, data in raw]
    body = b"".join(field(blob) + field(b"\xff comment") for blob in blobs)
    listed = messages.read_list(bytes([12]) + len(blobs).to_bytes(4, "big") + body)
    assert listed == [(good, "\ufffd comment")]


def test_requests_are_those_of_the_agent_protocol() -> None:
    public = keys.public_text(keys.generate())
    assert messages.list_request() == b"\x00\x00\x00\x01\x0b"
    request = messages.sign_request(public, b"data")
    blob = field(b"ssh-ed25519") + field(keys.key_bytes(public))
    assert request == message(b"\x0d" + field(blob) + field(b"data") + bytes(4))
    with pytest.raises(ProtocolError):
        messages.sign_request(public, bytes(messages.LIMIT))


class Pipe:
    """What Windows opens for the name of a pipe."""

    def __init__(self, *answers: bytes, hangs: bool = False) -> None:
        self.answers, self.hangs, self.sent = list(answers), hangs, b""

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.sent += data

    def read(self, size: int) -> bytes:
        if self.hangs:
            time.sleep(1)
        part = self.answers.pop(0) if self.answers else b""
        self.answers[:0] = [part[size:]] if part[size:] else []
        return part[:size]


def test_on_windows_the_agent_is_asked_through_its_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "PATIENCE", 0.2)
    monkeypatch.setattr("sys.platform", "win32")
    assert agent.address() == r"\\.\pipe\openssh-ssh-agent"
    opened: list[str] = []

    def at(pipe: Pipe) -> None:
        monkeypatch.setattr(agent, "open", lambda name, *_, **__: opened.append(name) or pipe, raising=False)

    at(whole := Pipe(b"\x00\x00", b"\x00\x05\x0c\x00", b"\x00\x00\x00"))
    assert agent.held() == [] and whole.sent == messages.list_request() and opened == [agent.address()]
    for broken in (Pipe(b"\x00\x00\x00\x05\x0c"), Pipe(hangs=True), Pipe()):
        at(broken)
        with pytest.raises(ProtocolError):
            agent.held()


def everything() -> dict[str, bytes]:
    """Every file of the folder that signs, and the record outside it, but locks and what can be computed again."""
    roots = [Path("axis"), Path("home/signed")]
    found = [p for root in roots for p in sorted(root.rglob("*")) if p.is_file()]
    return {str(p): p.read_bytes() for p in found if "lock" not in (p.name, p.suffix[1:]) and p.name != "checkpoint.json"}


def test_an_agent_that_turns_false_or_hangs_in_mid_game_leaves_folder_and_record_as_they_were(
    false_agent: Callable[..., None],
) -> None:
    """A plain sentence in time, nothing signed, nothing written; later it goes through."""
    private_key, enough, ways = keys.generate(), threading.Event(), {"now": "good"}
    public = keys.public_text(private_key)

    def answer(data: bytes) -> Iterator[bytes]:
        blob = field(b"ssh-ed25519") + field(keys.key_bytes(public))
        if data[0] == 11:
            yield message(bytes([12]) + (1).to_bytes(4, "big") + field(blob) + field(b"mine"))
            return
        start = 5 + len(blob)
        asked = data[start + 4 : start + 4 + int.from_bytes(data[start : start + 4], "big")]
        if ways["now"] == "hangs":
            enough.wait(3)
        yield signature({"lies": keys.generate()}.get(ways["now"], private_key).sign(asked))

    false_agent(answer)
    Path("mine.pub").write_text(public)
    must("key", "yamada", "--use", "mine.pub")
    must("new", "axis")
    must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
    must("accept", "-g", "allies")
    must("accept", "allies/charter.yaml", "-g", "axis")
    Path("o.yaml").write_text(ORDERS)
    before = everything()
    for way, words in {"lies": "does not verify: nothing was used", "hangs": "has not answered within"}.items():
        ways["now"] = way
        began = time.monotonic()
        done = run("send", "o.yaml", "-g", "axis", "--yes")
        assert done.code == {"lies": 6, "hangs": 7}[way] and words in done.err and "Traceback" not in done.err, done
        assert everything() == before, way
        assert time.monotonic() - began < 20, "it is not waited for ever"
    enough.set()
    ways["now"] = "good"
    must("send", "o.yaml", "-g", "axis", "--yes")
    assert everything() != before
