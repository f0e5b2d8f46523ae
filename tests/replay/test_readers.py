"""Two readers of YAML, one in Python, one in JavaScript: no text is one document to the one and another to the other."""

from __future__ import annotations

import base64
import random

import pytest

from pbem.kernel.canon import canonical
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from tests.protocol.make_vectors import FOLDER
from tests.protocol.vector_sets.form import read
from tests.replay.node import needs_node, run
from tests.report import recorded

pytestmark = needs_node
REFUSED = "refused"
SMALL = 3000
TEXTS = 1500
BITS = [
    *("\n", "\n\n", "\r\n", "  ", "\t", "- ", "- a\n", "  - b\n", ": ", ":", "::", ":x", "x:", "a: b\n", "k: v\n", "  x: y\n"),
    *("'", '"', "\\", "[", "]", "{", "}", ",", "|\n  a\n", ">-\n  x\n  y\n", "? ", "?", "-", "# c", " #", "&a ", "*a", "!x "),
    *("~", "null", "-1", "0x1", "---\n", "...\n", "é", "%", "@", "`", "<<: {a: 1}", "a", "b"),
]


def in_python(text: bytes) -> str:
    try:
        return canonical(strict_yaml.read_document(text)[0]).decode()
    except ProtocolError:
        return REFUSED


def in_javascript(texts: list[bytes]) -> list[str]:
    answers: list[str] = run("yaml.js", stdin=[base64.b64encode(text).decode() for text in texts])
    return [REFUSED if answer.startswith("!") else answer for answer in answers]


def seeds() -> list[str]:
    """The bodies of the smaller vectors."""
    found = [read(path.read_bytes())[1] for path in sorted(FOLDER.glob("[cfsy]*/*.txt"))]
    return [body.decode() for body in found if len(body) < SMALL and body.isascii()]


def changed(text: str, dice: random.Random) -> str:
    """A text with a few things put in, taken out, indented or moved."""
    lines = text.split("\n")
    start = dice.randrange(len(lines))
    text = "\n".join(lines[start : start + dice.randrange(2, 8)]) if dice.random() < 0.6 else text
    for _ in range(dice.randrange(1, 5)):
        at, way = dice.randrange(len(text) + 1), dice.randrange(4)
        if way < 2:
            text = text[:at] + dice.choice(BITS) + text[at:]
        elif way == 2:
            text = text[:at] + text[at + dice.randrange(1, 4) :]
        else:
            lines = text.split("\n")
            line = dice.randrange(len(lines))
            lines[line] = dice.choice(["  ", "    ", " ", "- ", ""]) + lines[line].lstrip()
            text = "\n".join(lines)
    return text


def soup(dice: random.Random) -> str:
    return "".join(dice.choice(BITS) for _ in range(dice.randrange(1, 9)))


@pytest.mark.parametrize("seed", [11, 12])
def test_no_text_is_read_as_two_documents(seed: int) -> None:
    dice, bodies = random.Random(seed), seeds()
    texts = [changed(dice.choice(bodies), dice).encode() for _ in range(TEXTS)]
    texts += [soup(dice).encode() for _ in range(TEXTS)]
    pairs = [(text, in_python(text), there) for text, there in zip(texts, in_javascript(texts), strict=True)]
    assert [text for text, here, there in pairs if REFUSED not in (here, there) and here != there] == []
    both = sum(REFUSED not in (here, there) for _, here, there in pairs)
    one = [text for text, here, there in pairs if (here == REFUSED) != (there == REFUSED)]
    assert both > TEXTS / 5
    assert len(one) < TEXTS / 100, one


def test_both_read_what_the_program_writes() -> None:
    texts = [strict_yaml.write_document(document).encode() for document in recorded.documents()]
    assert in_javascript(texts) == [in_python(text) for text in texts]
    assert REFUSED not in in_javascript(texts)
