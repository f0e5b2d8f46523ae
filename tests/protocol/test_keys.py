"""Key files and the armor of signatures, byte by byte; which points are keys."""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.protocol import keys, sshsig
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.agent import AgentKey

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
RAW = PRIVATE.public_key().public_bytes_raw()
HEAD = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
PUBLIC = "ssh-ed25519 " + base64.b64encode(HEAD + RAW).decode()
MESSAGE = b'{"a":1}'
P = 2**255 - 19


def refusal(attempt: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as refused:
        attempt()
    return refused.value.outcome, str(refused.value)


def field(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


# -- public keys ---------------------------------------------------------------------------------------------------


def test_a_public_key_in_words_of_openssh() -> None:
    assert keys.public_text(PRIVATE) == PUBLIC and keys.key_bytes(PUBLIC) == RAW
    assert keys.read_public(f"{PUBLIC} nowak@home\n") == PUBLIC and keys.read_public(PUBLIC) == PUBLIC
    digest = base64.b64encode(hashlib.sha256(HEAD + RAW).digest()).decode().rstrip("=")
    assert keys.fingerprint(PUBLIC) == f"SHA256:{digest}"
    assert keys.public_text(keys.generate()) != keys.public_text(keys.generate())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ssh-ed25519",
        PUBLIC + " x",
        PUBLIC.replace("ssh-ed25519 ", "ssh-rsa "),
        "ssh-ed25519 " + base64.b64encode(HEAD + RAW + b"x").decode(),
        "ssh-ed25519 " + base64.b64encode(HEAD + RAW[:-1]).decode(),
        "ssh-ed25519 " + base64.b64encode(b"\x01" + HEAD[1:] + RAW).decode(),
        PUBLIC[:-1],
        PUBLIC + "=",
    ],
)
def test_another_text_is_no_public_key(text: str) -> None:
    why = (Outcome.WRONG_KEY, "a public key reads `ssh-ed25519 AAAA...`, without a comment")
    assert refusal(lambda: keys.key_bytes(text)) == why


def test_a_bad_point_is_no_public_key() -> None:
    for bad in (bytes(32), b"\x01" + bytes(31), (P + 3).to_bytes(32, "little"), b"\x02" + bytes(31)):
        text = "ssh-ed25519 " + base64.b64encode(HEAD + bad).decode()
        why = (Outcome.WRONG_KEY, "the public key is not a canonical point of full order")
        assert refusal(lambda text=text: keys.read_public(text)) == why  # type: ignore[misc]


def on_curve(y: int) -> bool:
    """Whether -x^2 + y^2 = 1 + d x^2 y^2 has an x, by Euler's criterion."""
    d = -121665 * pow(121666, -1, P) % P
    x2 = (y * y - 1) * pow(d * y * y + 1, -1, P) % P
    return x2 == 0 or pow(x2, (P - 1) // 2, P) == 1


def test_points_are_those_of_the_curve_encoded_in_one_way() -> None:
    small = {1, P - 1, 0}
    for y in [*range(40), *range(P - 40, P), 2**254, 2**255 - 20]:
        for sign in (0, 1):
            expected = y < P and y not in small and on_curve(y)
            assert keys.is_good_point((y + (sign << 255)).to_bytes(32, "little")) == expected, (y, sign)
    for y in (P, P + 1, P + 3, 2**255 - 1):
        assert not keys.is_good_point(y.to_bytes(32, "little"))
    assert keys.is_good_point(RAW)


def test_base64_of_an_exact_size() -> None:
    data = bytes(range(8))
    text = base64.b64encode(data).decode()
    assert keys.decode_base64(text, 8) == data
    for other, size in ((text, 7), (text, 9), (text[:-1], 8), (text + "\n", 8), (" " + text, 8), ("AAECAwQFBgd=", 8), ("ł", 8)):
        assert keys.decode_base64(other, size) == b""
    assert keys.decode_base64("", 0) == b""


# -- private keys --------------------------------------------------------------------------------------------------

FOREIGN = generate_private_key(SECP256R1()).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
)
NOT_ED25519 = (Outcome.WRONG_KEY, "the private key is not an Ed25519 key")
NO_KEY = (Outcome.WRONG_KEY, "this is no private key in the format of OpenSSH")


def test_a_private_key_survives_its_file() -> None:
    for passphrase in ("", "Łódź 1939"):
        text = keys.private_text(PRIVATE, passphrase)
        assert keys.load_private(text, passphrase).private_bytes_raw() == bytes(range(32))
        assert keys.read_header(text) == (bool(passphrase), PUBLIC)
        assert text.startswith("-----BEGIN OPENSSH PRIVATE KEY-----\n")
    assert refusal(lambda: keys.load_private(keys.private_text(PRIVATE), "x"))[0] is Outcome.WRONG_KEY


def test_a_passphrase_is_as_dear_as_ssh_keygen_makes_it() -> None:
    lines = keys.private_text(PRIVATE, "sesame").splitlines()[1:-1]
    head = base64.b64decode("".join(lines))[: len(b"openssh-key-v1\0") + 14 + 10 + 28]
    assert head.startswith(b"openssh-key-v1\0\0\0\0\x0aaes256-ctr\0\0\0\x06bcrypt\0\0\0\x18\0\0\0\x10")
    assert head.endswith(b"\0\0\0\x10"), "16 rounds"


def test_a_private_key_that_does_not_open_is_the_wrong_one() -> None:
    locked = keys.private_text(PRIVATE, "sesame")
    for text, passphrase in ((locked, ""), (locked, "x"), ("nonsense", ""), ("", "")):
        outcome, why = refusal(lambda text=text, passphrase=passphrase: keys.load_private(text, passphrase))  # type: ignore[misc]
        assert outcome is Outcome.WRONG_KEY and why.startswith("the private key cannot be read: ")
        assert why != "the private key cannot be read: None"
    assert refusal(lambda: keys.load_private(FOREIGN.decode())) == NOT_ED25519
    _, unasked = refusal(lambda: keys.load_private(locked))
    _, wrong = refusal(lambda: keys.load_private(locked, "x"))
    assert "password" in unasked.lower() and unasked != wrong, "whoever gave no passphrase is told that there is one"


def test_a_key_that_an_agent_holds_has_no_file() -> None:
    with pytest.raises(TypeError, match=r"^the private half of this key is not here$"):
        keys.private_text(AgentKey(PUBLIC))


def private_file(body: bytes, begin: str = "-----BEGIN OPENSSH PRIVATE KEY-----") -> str:
    text = base64.b64encode(body).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return "\n".join([begin, *lines, "", "-----END OPENSSH PRIVATE KEY-----", ""])


def header(cipher: bytes = b"none", number: int = 1, blob: bytes = HEAD + RAW) -> bytes:
    fields = field(cipher) + field(b"bcrypt") + field(b"options")
    return b"openssh-key-v1\x00" + fields + struct.pack(">I", number) + field(blob) + b"rest"


def test_the_public_half_is_read_without_the_passphrase() -> None:
    assert keys.read_header(private_file(header())) == (False, PUBLIC)
    for odd in ("*", " ", "\u0142"):
        assert refusal(lambda odd=odd: keys.read_header(private_file(header()).replace("\n", f"\n{odd}", 1))) == NO_KEY, odd  # type: ignore[misc]
    assert keys.read_header(private_file(header(b"aes256-ctr"))) == (True, PUBLIC)
    assert keys.read_header(private_file(header(b"none "))) == (True, PUBLIC)
    assert refusal(lambda: keys.read_header(FOREIGN.decode())) == NOT_ED25519
    for body in (header(number=2), header(number=0), header(blob=HEAD + RAW + b"x"), header(blob=HEAD[:-1] + b"\x21" + RAW)):
        assert refusal(lambda body=body: keys.read_header(private_file(body))) == NOT_ED25519  # type: ignore[misc]
    assert refusal(lambda: keys.read_header(private_file(header()[:20]))) == NOT_ED25519


def test_another_file_is_no_private_key() -> None:
    others = [
        "",
        "nonsense",
        private_file(header(), "-----BEGIN PRIVATE KEY-----"),
        private_file(b"openssh-key-v2\x00" + header()[15:]),
        "-----BEGIN OPENSSH PRIVATE KEY-----\n",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n!!!!\n",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nA\n",
    ]
    for text in others:
        assert refusal(lambda text=text: keys.read_header(text)) == NO_KEY  # type: ignore[misc]


# -- signatures ----------------------------------------------------------------------------------------------------

SIGNATURE = sshsig.sign(PRIVATE, MESSAGE)
ORDER = 2**252 + 27742317777372353535851937790883648493


def test_what_is_signed_and_how_it_is_armored() -> None:
    signed = b"SSHSIG" + field(b"pbem-v1") + field(b"") + field(b"sha512") + field(hashlib.sha512(MESSAGE).digest())
    assert sshsig.preimage(MESSAGE) == signed and base64.b64encode(PRIVATE.sign(signed)).decode() == SIGNATURE
    assert sshsig.NAMESPACE == "pbem-v1"
    blob = b"SSHSIG" + struct.pack(">I", 1) + field(HEAD + RAW) + field(b"pbem-v1") + field(b"") + field(b"sha512")
    blob += field(field(b"ssh-ed25519") + field(base64.b64decode(SIGNATURE)))
    text = base64.b64encode(blob).decode()
    lines = "\n".join(text[i : i + 70] for i in range(0, len(text), 70))
    armored = f"-----BEGIN SSH SIGNATURE-----\n{lines}\n-----END SSH SIGNATURE-----\n"
    assert sshsig.armored(PUBLIC, SIGNATURE) == armored
    assert sshsig.from_armored(armored) == (PUBLIC, SIGNATURE)
    assert sshsig.from_armored(armored.replace("\n", "\n\n")) == (PUBLIC, SIGNATURE)


def test_a_signature_is_64_canonical_bytes() -> None:
    why = (Outcome.BAD_SIGNATURE, "the signature is not 64 canonical bytes in base64")
    raw = base64.b64decode(SIGNATURE)
    scalar = int.from_bytes(raw[32:], "little")
    others = [
        "",
        SIGNATURE[:-4],
        base64.b64encode(raw + b"x").decode(),
        base64.b64encode(raw[:32] + (scalar + ORDER).to_bytes(32, "little")).decode(),
        base64.b64encode(raw[:32] + ORDER.to_bytes(32, "little")).decode(),
        base64.b64encode(bytes(32) + raw[32:]).decode(),
    ]
    for other in others:
        assert refusal(lambda other=other: sshsig.verify(PUBLIC, MESSAGE, other)) == why  # type: ignore[misc]
    sshsig.verify(PUBLIC, MESSAGE, SIGNATURE)


def test_a_signature_of_something_else_does_not_fit() -> None:
    why = (Outcome.BAD_SIGNATURE, "the signature does not fit the content and the key")
    raw = base64.b64decode(SIGNATURE)
    largest = base64.b64encode(raw[:32] + (ORDER - 1).to_bytes(32, "little")).decode()
    for public, message, signature in (
        (PUBLIC, MESSAGE + b"x", SIGNATURE),
        (keys.public_text(keys.generate()), MESSAGE, SIGNATURE),
        (PUBLIC, MESSAGE, largest),
    ):
        assert refusal(lambda p=public, m=message, s=signature: sshsig.verify(p, m, s)) == why  # type: ignore[misc]


def an_armor(body: bytes) -> str:
    return f"-----BEGIN SSH SIGNATURE-----\n{base64.b64encode(body).decode()}\n-----END SSH SIGNATURE-----\n"


def an_envelope(
    key: bytes = HEAD + RAW,
    space: bytes = b"pbem-v1",
    reserved: bytes = b"",
    hashed: bytes = b"sha512",
    made: bytes = field(b"ssh-ed25519") + field(b"s" * 64),
    head: bytes = b"SSHSIG\x00\x00\x00\x01",
) -> bytes:
    return head + field(key) + field(space) + field(reserved) + field(hashed) + field(made)


def test_only_the_armor_of_this_namespace_is_taken() -> None:
    assert sshsig.from_armored(an_armor(an_envelope())) == (PUBLIC, base64.b64encode(b"s" * 64).decode())
    why = (Outcome.BAD_SIGNATURE, "not an SSH signature of namespace pbem-v1 with sha512")
    for body in (
        an_envelope(space=b"file"),
        an_envelope(reserved=b"x"),
        an_envelope(hashed=b"sha256"),
        an_envelope(head=b"SSHSIG\x00\x00\x00\x02"),
        an_envelope() + field(b"more"),
        b"SSHSIG\x00\x00\x00\x01",
    ):
        assert refusal(lambda body=body: sshsig.from_armored(an_armor(body))) == why  # type: ignore[misc]
    no_ed25519 = (Outcome.BAD_SIGNATURE, "the SSH signature is not an Ed25519 one")
    for made in (
        field(b"ssh-rsa") + field(b"s"),
        field(b"ssh-ed25519"),
        field(b"ssh-ed25519") + field(b"s") + field(b"t"),
        b"",
    ):
        assert refusal(lambda made=made: sshsig.from_armored(an_armor(an_envelope(made=made)))) == no_ed25519  # type: ignore[misc]


def test_a_damaged_armor_is_told() -> None:
    for text in ("-----BEGIN SSH SIGNATURE-----\n!!!\n", "A", "ł"):
        assert refusal(lambda text=text: sshsig.from_armored(text)) == (  # type: ignore[misc]
            Outcome.BAD_SIGNATURE,
            "the armor of the SSH signature is damaged",
        )
    cut = (Outcome.BAD_SIGNATURE, "the SSH signature is cut short")
    for body in (
        an_envelope()[:-1],
        an_envelope()[:-70],
        an_envelope() + b"\x00",
        an_envelope(made=field(b"ssh-ed25519") + b"\x01"),
    ):
        assert refusal(lambda body=body: sshsig.from_armored(an_armor(body))) == cut  # type: ignore[misc]
