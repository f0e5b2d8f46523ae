"""Keys, raw signatures, SSH signatures."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

from pbem.protocol import sshsig
from tests.protocol.vector_sets.form import Vector, failing, person, plain, public

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
MESSAGE = '{"a":1}'
SMALL = {
    "order-1": "0100000000000000000000000000000000000000000000000000000000000000",
    "order-2": "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "order-4": "0000000000000000000000000000000000000000000000000000000000000000",
    "order-4-negative": "0000000000000000000000000000000000000000000000000000000000000080",
    "order-8-a": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "order-8-a-negative": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "order-8-b": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "order-8-b-negative": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
}
NOT_CANONICAL = {
    "y-is-p": "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "y-is-p-plus-1": "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "y-is-2-to-255-minus-1": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "minus-zero": "0100000000000000000000000000000000000000000000000000000000000080",
}
OFF_CURVE = "0200000000000000000000000000000000000000000000000000000000000000"
KEY_HEAD = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"


def text_of(raw: bytes, head: bytes = KEY_HEAD, kind: str = "ssh-ed25519") -> bytes:
    """A public key line."""
    return f"{kind} {base64.b64encode(head + raw).decode()}".encode()


def key_vectors() -> Iterator[Vector]:
    """Public keys."""
    good = public().encode()
    raw = base64.b64decode(good.split(b" ")[1])[len(KEY_HEAD) :]
    for name in ("yamada", "nowak", "dubois"):
        yield Vector("key", f"good-{name}", "done", "an ordinary key", public(name).encode(), covers="SPEC 2")
    points = {**{f"small-{k}": v for k, v in SMALL.items()}, **{f"not-canonical-{k}": v for k, v in NOT_CANONICAL.items()}}
    cases = {name: ("a point that is refused", text_of(bytes.fromhex(value))) for name, value in points.items()}
    yield from failing("key", "wrong key", good, cases, "attack: key with a low-order point")
    other: dict[str, tuple[str, bytes]] = {
        "off-curve": ("no x belongs to this y", text_of(bytes.fromhex(OFF_CURVE))),
        "31-bytes": ("one byte short", text_of(raw[:31])),
        "33-bytes": ("one byte more", text_of(raw + b"\x00")),
        "length-33-stated": ("the inner length is not 32", text_of(raw, KEY_HEAD[:-1] + b"\x21")),
        "comment": ("a comment follows", good + b" me@home"),
        "line-end": ("a line end follows", good + b"\n"),
        "two-blanks": ("two blanks", good.replace(b" ", b"  ")),
        "rsa": ("another kind of key", text_of(raw, kind="ssh-rsa")),
        "inner-kind": ("the kind inside differs", text_of(raw, KEY_HEAD.replace(b"ssh-ed25519", b"ssh-ed25518"))),
        "no-base64": ("not base64", b"ssh-ed25519 !!!!"),
        "url-base64": ("the alphabet of URLs", text_of(b"\xff" * 31 + b"\x7e").replace(b"/", b"_")),
        "nothing": ("an empty key", b""),
    }
    yield from failing("key", "wrong key", good, other, "SPEC 2")


def _preimage(namespace: bytes, hash_name: bytes, message: bytes) -> bytes:
    digest = {b"sha512": hashlib.sha512, b"sha256": hashlib.sha256}[hash_name](message).digest()
    return b"SSHSIG" + b"".join(map(_string, (namespace, b"", hash_name, digest)))


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def signature_body(signature: bytes | str, key: str = "", message: str = MESSAGE) -> bytes:
    """The body of a raw signature vector."""
    text = signature if isinstance(signature, str) else base64.b64encode(signature).decode()
    return plain({"key": key or public(), "message": message, "signature": text})


def signature_vectors() -> Iterator[Vector]:
    """The 64 bytes as they stand in a document."""
    private = person().private
    raw = base64.b64decode(sshsig.sign(private, MESSAGE.encode()))
    good = signature_body(raw)
    text = base64.b64encode(raw).decode()
    yield Vector("signature", "good", "done", "an ordinary signature", good, covers="SPEC 2")
    yield Vector(
        "signature",
        "good-long-message",
        "done",
        "a message of several blocks",
        signature_body(sshsig.sign(private, b"x" * 1000), message="x" * 1000),
        covers="SPEC 2",
    )
    larger = (int.from_bytes(raw[32:], "little") + ORDER).to_bytes(32, "little")
    cases: dict[str, tuple[str, bytes]] = {
        "scalar-beyond-the-order": ("S + L: another encoding of the same scalar", signature_body(raw[:32] + larger)),
        "scalar-all-ones": ("S is 2^256 - 1", signature_body(raw[:32] + b"\xff" * 32)),
        "zeros": ("64 zero bytes", signature_body(bytes(64))),
        "63-bytes": ("cut by a byte", signature_body(raw[:63])),
        "65-bytes": ("a byte more", signature_body(raw + b"\x00")),
        "loose-base64": ("unused bits of base64 are set", signature_body(_loosened(text))),
        "base64-without-padding": ("no padding", signature_body(text.rstrip("="))),
        "base64-with-line-end": ("a line end inside", signature_body(text[:40] + "\n" + text[40:])),
        "other-message": ("another message", signature_body(raw, message='{"a":2}')),
        "other-key": ("another player's key", signature_body(raw, public("nowak"))),
        "scalar-changed": ("one bit of S", signature_body(raw[:63] + bytes([raw[63] ^ 1]))),
        "plain-ed25519": ("signed without the SSHSIG pre-image", signature_body(private.sign(MESSAGE.encode()))),
        "other-namespace": (
            "a good signature for namespace file",
            signature_body(private.sign(_preimage(b"file", b"sha512", MESSAGE.encode()))),
        ),
        "other-hash": (
            "a good signature over a SHA-256 pre-image",
            signature_body(private.sign(_preimage(b"pbem-v1", b"sha256", MESSAGE.encode()))),
        ),
    }
    for name, value in {**SMALL, **NOT_CANONICAL}.items():
        cases[f"r-{name}"] = ("R is a point that is refused", signature_body(bytes.fromhex(value) + raw[32:]))
    yield from failing("signature", "bad signature", good, cases, "attack: good signature, other namespace; SPEC 2")
    weak = text_of(bytes.fromhex(SMALL["order-1"])).decode()
    forged = signature_body(raw, weak)
    yield Vector("signature", "low-order-key", "wrong key", "a key for which anything verifies", forged, good, "SPEC 2")


def _loosened(text: str) -> str:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return text[:-3] + alphabet[alphabet.index(text[-3]) ^ 1] + "=="


def armor(
    raw: bytes,
    magic: bytes = b"SSHSIG",
    version: int = 1,
    namespace: bytes = b"pbem-v1",
    reserved: bytes = b"",
    hash_name: bytes = b"sha512",
    kind: bytes = b"ssh-ed25519",
    after: bytes = b"",
    inside: bytes = b"",
    cut: int = 0,
    key: str = "",
) -> bytes:
    """The body of an SSH signature vector, with one thing changed."""
    blob = base64.b64decode((key or public()).split(" ")[1])
    head = magic + version.to_bytes(4, "big") + b"".join(map(_string, (blob, namespace, reserved, hash_name)))
    packed = head + _string(_string(kind) + _string(raw) + inside) + after
    text = base64.b64encode(packed[: len(packed) - cut]).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    armored = "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])
    return plain({"key": public(), "message": MESSAGE, "armored": armored})


def sshsig_vectors() -> Iterator[Vector]:
    """Whole SSH SIGNATURE texts."""
    private, message = person().private, MESSAGE.encode()
    raw = base64.b64decode(sshsig.sign(private, message))
    good = armor(raw)
    assert sshsig.armored(public(), base64.b64encode(raw).decode()).encode() in good.replace(b"\\n", b"\n")
    yield Vector("sshsig", "good", "done", "as ssh-keygen -Y sign writes it", good, covers="SPEC 2")
    cases: dict[str, tuple[str, bytes]] = {
        "namespace": (
            "a good signature for namespace file",
            armor(private.sign(_preimage(b"file", b"sha512", message)), namespace=b"file"),
        ),
        "namespace-relabelled": (
            "signed for namespace file, labelled pbem-v1",
            armor(private.sign(_preimage(b"file", b"sha512", message))),
        ),
        "hash": (
            "a good signature with sha256",
            armor(private.sign(_preimage(b"pbem-v1", b"sha256", message)), hash_name=b"sha256"),
        ),
        "magic": ("another magic", armor(raw, magic=b"SSHSIH")),
        "version": ("version 2", armor(raw, version=2)),
        "reserved": ("the reserved field is not empty", armor(raw, reserved=b"x")),
        "algorithm": ("the inner algorithm is another", armor(raw, kind=b"ssh-rsa")),
        "truncated": ("the last byte is missing", armor(raw, cut=1)),
        "cut-in-half": ("half of it is missing", armor(raw, cut=60)),
        "trailing-bytes": ("four bytes follow the signature", armor(raw, after=b"\x00\x00\x00\x00")),
        "one-trailing-byte": ("a byte follows the signature", armor(raw, after=b"\x00")),
        "trailing-bytes-inside": ("a string follows the 64 bytes", armor(raw, inside=_string(b"x"))),
        "63-bytes": ("the signature has 63 bytes", armor(raw[:63])),
        "other-key": ("signed by another key", armor(base64.b64decode(sshsig.sign(person("nowak").private, message)))),
        "no-base64": ("a damaged line", good.replace(b"U1NIU0lH", b"U1NI!0lH")),
    }
    yield from failing("sshsig", "bad signature", good, cases, "SPEC 2")


def vectors() -> Iterator[Vector]:
    """Keys and signatures."""
    yield from key_vectors()
    yield from signature_vectors()
    yield from sshsig_vectors()
