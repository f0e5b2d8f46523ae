"""Keys and SSHSIG signatures, also against the real ssh-keygen; encodings that must be refused."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.protocol import keys, sshsig
from pbem.protocol.outcomes import ProtocolError

MESSAGE = b'{"a":1}'
needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
ORDER = 2**252 + 27742317777372353535851937790883648493
SMALL = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
]
NOT_CANONICAL = [
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]


def text_of(raw: bytes) -> str:
    blob = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20" + raw
    return "ssh-ed25519 " + base64.b64encode(blob).decode()


@pytest.mark.parametrize("encoding", SMALL + NOT_CANONICAL)
def test_bad_points_are_refused_as_keys(encoding: str) -> None:
    with pytest.raises(ProtocolError):
        keys.key_bytes(text_of(bytes.fromhex(encoding)))


@pytest.mark.parametrize("encoding", SMALL + NOT_CANONICAL)
def test_bad_points_are_refused_in_signatures(encoding: str) -> None:
    private = keys.generate()
    raw = base64.b64decode(sshsig.sign(private, MESSAGE))
    forged = base64.b64encode(bytes.fromhex(encoding) + raw[32:]).decode()
    with pytest.raises(ProtocolError, match="canonical"):
        sshsig.verify(keys.public_text(private), MESSAGE, forged)


def test_a_scalar_beyond_the_order_is_refused() -> None:
    private = keys.generate()
    raw = base64.b64decode(sshsig.sign(private, MESSAGE))
    larger = (int.from_bytes(raw[32:], "little") + ORDER).to_bytes(32, "little")
    with pytest.raises(ProtocolError, match="canonical"):
        sshsig.verify(keys.public_text(private), MESSAGE, base64.b64encode(raw[:32] + larger).decode())


@pytest.mark.parametrize("text", ["", "ssh-ed25519", "ssh-ed25519 AAAA", "ssh-rsa AAAA", "ssh-ed25519 !!!!"])
def test_other_texts_are_no_keys(text: str) -> None:
    with pytest.raises(ProtocolError):
        keys.key_bytes(text)


def test_a_comment_or_loose_base64_is_refused() -> None:
    text = keys.public_text(keys.generate())
    for other in (text + " me@home", text + "\n", text.replace("ssh-ed25519 ", "ssh-ed25519  ")):
        with pytest.raises(ProtocolError):
            keys.key_bytes(other)


def test_a_changed_message_or_another_key_is_noticed() -> None:
    private, other = keys.generate(), keys.generate()
    made = sshsig.sign(private, MESSAGE)
    sshsig.verify(keys.public_text(private), MESSAGE, made)
    for public, message in ((keys.public_text(private), MESSAGE + b" "), (keys.public_text(other), MESSAGE)):
        with pytest.raises(ProtocolError, match="does not fit"):
            sshsig.verify(public, message, made)


def test_a_private_key_survives_its_file_with_a_passphrase() -> None:
    private = keys.generate()
    text = keys.private_text(private, "open sesame")
    assert keys.public_text(keys.load_private(text, "open sesame")) == keys.public_text(private)
    with pytest.raises(ProtocolError):
        keys.load_private(text, "wrong")


@needs_ssh
def test_ssh_keygen_verifies_our_signature(tmp_path: Path) -> None:
    private = keys.generate()
    public = keys.public_text(private)
    (tmp_path / "sig").write_text(sshsig.armored(public, sshsig.sign(private, MESSAGE)))
    (tmp_path / "signers").write_text(f"nowak {public}\n")
    command = ["ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "nowak", "-n", "pbem-v1", "-s", "sig"]
    done = subprocess.run(command, cwd=tmp_path, input=MESSAGE, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@needs_ssh
@pytest.mark.parametrize(("namespace", "good"), [("pbem-v1", True), ("file", False)])
def test_we_verify_what_ssh_keygen_signs(tmp_path: Path, namespace: str, good: bool) -> None:
    private = keys.generate()
    (tmp_path / "key").write_text(keys.private_text(private))
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "m").write_bytes(MESSAGE)
    subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-f", "key", "-n", namespace, "m"], cwd=tmp_path, capture_output=True, check=True
    )
    armored = (tmp_path / "m.sig").read_text()
    if not good:
        with pytest.raises(ProtocolError, match="namespace"):
            sshsig.from_armored(armored)
        return
    public, made = sshsig.from_armored(armored)
    assert public == keys.public_text(private)
    sshsig.verify(public, MESSAGE, made)


@needs_ssh
def test_fingerprints_are_those_of_ssh_keygen(tmp_path: Path) -> None:
    public = keys.public_text(keys.generate())
    (tmp_path / "k.pub").write_text(public + "\n")
    shown = subprocess.run(["ssh-keygen", "-l", "-f", "k.pub"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert keys.fingerprint(public) in shown.stdout
