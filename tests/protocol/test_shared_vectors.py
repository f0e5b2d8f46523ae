"""Numbers that an independent implementation computed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol import chain, dice, ids

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "protocol-1.json").read_text())


def test_link() -> None:
    nonce, link = bytes.fromhex(VECTORS["nonce"]), bytes.fromhex(VECTORS["link"])
    assert chain.previous(nonce, link).hex() == VECTORS["previous_link"]


def test_canonical_form_and_id() -> None:
    document = VECTORS["document"]
    assert sha256_hex(canonical(ids.signed_part(document))) == VECTORS["canonical_sha256"]
    assert ids.document_id(document) == VECTORS["id"]


def test_seed() -> None:
    document = VECTORS["document"]
    seed = dice.seed(bytes.fromhex(VECTORS["link"]), document["game"], document["seq"], VECTORS["id"])
    assert seed.hex() == VECTORS["seed"]


@pytest.mark.parametrize("roll", VECTORS["rolls"], ids=lambda r: r["label"])
def test_rolls(roll: dict[str, Any]) -> None:
    made = dice.roll(bytes.fromhex(VECTORS["seed"]), roll["index"], roll["label"], roll["n"], roll["sides"])
    assert list(made) == roll["dice"]
