"""Both verifiers hold the same texts for names, and the same names for alike."""

from __future__ import annotations

from pbem.protocol import names
from tests.replay.node import needs_node, run

pytestmark = needs_node


def test_every_letter_is_judged_alike_in_both_languages() -> None:
    letters = [chr(i) for i in range(0x10000) if not 0xD800 <= i < 0xE000]
    texts = [*letters, *(f"{x}{y}" for x in "aλж山김" for y in letters if names.name(y) == "" or y.isascii()), "a" * 33, ""]
    found = run("names.js", stdin=texts)
    ours = [[names.name(t) == "", sorted(names.skeletons(t)) if names.name(t) == "" else []] for t in texts]
    assert [(t, js, py) for t, js, py in zip(texts, found, ours, strict=True) if js != py] == []
