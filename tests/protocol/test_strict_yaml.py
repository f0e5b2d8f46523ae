"""The strict reader: what it takes, what it refuses, and where."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document

TEXTS = [
    "NO",
    "on",
    "12:30",
    "1_000",
    "0o17",
    "-0",
    "+5",
    "007",
    "0512",
    "1942-06-04",
    "1.5",
    "1e3",
    "yes",
    "True",
    "Null",
    "=",
]


@pytest.mark.parametrize("word", TEXTS)
def test_readings_of_yaml_1_1_are_off(word: str) -> None:
    assert read_document(f"a: {word}\n")[0] == {"a": word}


@pytest.mark.parametrize(
    ("word", "value"), [("0", 0), ("-7", -7), ("12", 12), ("true", True), ("null", None), ("~", None), ("", None)]
)
def test_plain_values(word: str, value: object) -> None:
    assert read_document(f"a: {word}\n")[0] == {"a": value}


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("a: 1\na: 2\n", 2, 1, "twice"),
        ("a: &x 1\n", 1, 4, "anchors"),
        ("a: 1\nb: *x\n", 2, 4, "not YAML|aliases"),
        ("a: !!str 1\n", 1, 4, "tag"),
        ("<<: {a: 1}\n", 1, 1, "merge"),
        ("a: 1\n---\nb: 2\n", 2, 1, "second document"),
        ("a: [1\n", 2, 1, "not YAML"),
        ("a: 99999999999999999999\n", 1, 4, "too large"),
        ("a: e\u0301\n", 1, 4, "normal form"),
        ("? [a]\n: 1\n", 1, 3, "key"),
        ("- 1\n", 1, 1, "mapping"),
        ("a: \x07\n", 1, 4, "control"),
        ('a: "x\\Ny"\n', 1, 4, "no text may hold"),
    ],
)
def test_refused_with_line_and_column(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ProtocolError, match=reason) as caught:
        read_document(text)
    assert caught.value.outcome is Outcome.UNREADABLE
    assert (caught.value.line, caught.value.column) == (line, column) or reason == "not YAML|aliases"


@pytest.mark.parametrize("text", ["a: " + "x" * (1 << 20), "a: " + "[" * 40 + "]" * 40, "a: [" + "1," * 100_001 + "]"])
def test_too_large(text: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_document(text)
    assert caught.value.outcome is Outcome.TOO_LARGE


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40)]
    with pytest.raises(ProtocolError, match="anchors"):
        read_document("\n".join(lines))


def test_the_pure_loader_gives_the_same_tree() -> None:
    text = "a: 1\nb: [x, 'y', \"z\", 0512]\nc:\n  d: null\n  e: |\n    text\n"
    trees = [
        strict_yaml._Builder().document(strict_yaml.events_with(kind, text)) for kind in (yaml.CSafeLoader, yaml.SafeLoader)
    ]
    assert trees[0] == trees[1] == {"a": 1, "b": ["x", "y", "z", "0512"], "c": {"d": None, "e": "text\n"}}


def test_marks_point_at_values() -> None:
    marks = read_document("orders:\n  - buy: x\n  - done\n")[1]
    assert marks[("orders", 1)] == (3, 5)


TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=20).map(
    lambda s: __import__("unicodedata").normalize("NFC", s)
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(TEXT, PLAIN, max_size=5))
def test_written_documents_read_back(document: dict[str, object]) -> None:
    assert read_document(write_document(document))[0] == document  # type: ignore[arg-type]
