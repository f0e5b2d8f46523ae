"""The ids of a document and of a scenario: hashes of their content."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.canon import Plain, canonical, digest

SCENARIO = "pbem/1 scenario"  # the tag line of its hash


def signed_part(document: Mapping[str, Plain]) -> dict[str, Plain]:
    """What is signed and hashed: everything but `signature` (in a charter or heal: `signatures`) at the top level."""
    left_out = "signatures" if document.get("type") in ("charter", "heal") else "signature"
    return {k: v for k, v in document.items() if k != left_out}


def document_id(document: Mapping[str, Plain]) -> str:
    """SHA-256 of "pbem/1 document\\n" and the canonical bytes, lower-case hex."""
    return digest("pbem/1 document", signed_part(document))


def scenario_hash(plain: Plain) -> str:
    """What a charter says of a scenario: SHA-256 of "pbem/1 scenario\\n" and the canonical bytes, lower-case hex."""
    return digest(SCENARIO, plain)


def signed_bytes(document: Mapping[str, Plain]) -> bytes:
    """The canonical bytes that a signature covers."""
    return canonical(signed_part(document))
