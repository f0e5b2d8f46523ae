"""The strict reader and writer in detail: every refusal with its words and place, every limit from both sides."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from pbem.kernel.canon import MAX_INT
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import MAX_BYTES, MAX_DEPTH, MAX_NODES, read_document, write_document

Place = tuple[int | None, int | None]


def refused(source: str | bytes) -> tuple[Outcome, Place, str]:
    with pytest.raises(ProtocolError) as caught:
        read_document(source)
    return caught.value.outcome, (caught.value.line, caught.value.column), english(caught.value.message)


UNREADABLE: list[tuple[str | bytes, Place, str]] = [
    ("- 1\n", (1, 1), "a document is a mapping of keys and values"),
    ("", (1, 1), "a document is a mapping of keys and values"),
    ("just words\n", (1, 1), "a document is a mapping of keys and values"),
    (b"a: 1\nb: 2\nc: \xff\n", (3, 1), "the text is not UTF-8"),
    (b"\xff", (1, 1), "the text is not UTF-8"),
    ("a: \ud800\n", (1, 1), "the text is not UTF-8"),
    ("a: 1\nb: \x07\n", (2, 4), "control character U+0007"),
    ("\x00", (1, 1), "control character U+0000"),
    ("\n\x07", (2, 1), "control character U+0007"),
    ("\n\n\x07", (3, 1), "control character U+0007"),
    ("\ufeffa: \x07\n", (1, 4), "control character U+0007"),
    ("a: 1\n\x9f", (2, 1), "control character U+009F"),
    ("a: \x7f\n", (1, 4), "control character U+007F"),
    ("a: \x0b\n", (1, 4), "control character U+000B"),
    ("a: \x1f\n", (1, 4), "control character U+001F"),
    ("a: \x86\n", (1, 4), "control character U+0086"),
    ("a: 1\nb: 2\na: 3\n", (3, 1), "the key 'a' stands twice"),
    ("a: {x: 1, x: 2}\n", (1, 11), "the key 'x' stands twice"),
    ("a: &x 1\n", (1, 4), "anchors are not allowed"),
    ("&x a: 1\n", (1, 1), "anchors are not allowed"),
    ("a: [1, &y [2]]\n", (1, 8), "anchors are not allowed"),
    ("a: !!str 1\n", (1, 4), "the tag tag:yaml.org,2002:str is not allowed"),
    ("a: ! x\n", (1, 4), "the tag ! is not allowed"),
    ("<<: {a: 1}\n", (1, 1), "merge keys are not allowed"),
    ("a: {<<: 1}\n", (1, 5), "merge keys are not allowed"),
    ("a: 1\n---\nb: 2\n", (2, 1), "a second document begins here"),
    ("? [a]\n: 1\n", (1, 3), "a key is a word, not a list or mapping"),
    ("? {a: 1}\n: 1\n", (1, 3), "a key is a word, not a list or mapping"),
    (f"a: {MAX_INT + 1}\n", (1, 4), "the integer 9007199254740992 is too large"),
    (f"a: -{MAX_INT + 1}\n", (1, 4), "the integer -9007199254740992 is too large"),
    ("a: 123456789012345678901234\n", (1, 4), "the integer 12345678901234567890 is too large"),
    ("a: e\u0301\n", (1, 4), "text is not in Unicode normal form C"),
    ("e\u0301: 1\n", (1, 1), "text is not in Unicode normal form C"),
    ('a: "e\u0301"\n', (1, 4), "text is not in Unicode normal form C"),
    ('a: "\\x85"\n', (1, 4), "a character that no text may hold"),
    ('a: "\\0"\n', (1, 4), "a character that no text may hold"),
    ('"\\x1f": 1\n', (1, 1), "a character that no text may hold"),
    ("a: |#\n  x\n", (1, 4), "a comment stands apart from the sign of a block text"),
    ("a: >-2#\n  x\n", (1, 4), "a comment stands apart from the sign of a block text"),
]


@pytest.mark.parametrize(("text", "place", "why"), UNREADABLE)
def test_what_cannot_be_read_is_told_with_its_place(text: str | bytes, place: Place, why: str) -> None:
    assert refused(text) == (Outcome.UNREADABLE, place, why)


@pytest.mark.parametrize(
    ("text", "place", "beginning"),
    [
        ("a: [1\n", (2, 1), "not YAML: between [ and ] a comma or the ] is missing"),
        ("a: 1\nb: *x\n", (2, 4), "aliases are not allowed"),
        ("a: 'x\n", (2, 1), "not YAML: a quote is not closed"),
        ("a:\n\t- x\n", (2, 1), "not YAML: something begins with a sign that may not stand there, such as a tab, @ or %"),
        ("a: b: c\n", (1, 5), "not YAML: a colon stands where none may: begin a new line, or put the text between quotes"),
        ("%YAML 9.9\n---\na: 1\n", (1, 1), "not YAML: found incompatible YAML document"),
    ],
)
def test_what_is_no_yaml_is_told_with_its_place(text: str, place: Place, beginning: str) -> None:
    outcome, where, why = refused(text)
    assert (outcome, where) == (Outcome.UNREADABLE, place) and why.startswith(beginning)


class Marked(yaml.MarkedYAMLError):
    """An error as a loader may raise it."""


def failing(error: BaseException) -> tuple[Outcome, Place, str]:
    class Loader:
        def __init__(self, text: str) -> None:
            raise error

    with pytest.raises(ProtocolError) as caught:
        list(strict_yaml.events_with(Loader, "a: 1"))
    return caught.value.outcome, (caught.value.line, caught.value.column), english(caught.value.message)


def mark(line: int, column: int) -> yaml.Mark:
    return yaml.Mark("", 0, line, column, None, None)


def test_whatever_a_loader_says_becomes_a_plain_sentence() -> None:
    both = Marked("context", mark(1, 1), "problem", mark(4, 6))
    assert failing(both) == (Outcome.UNREADABLE, (5, 7), "not YAML: problem")
    assert failing(Marked("context", mark(1, 2), None, None)) == (Outcome.UNREADABLE, (2, 3), "not YAML: context")
    assert failing(Marked("context")) == (Outcome.UNREADABLE, (1, 1), "not YAML: context")
    assert failing(yaml.YAMLError("odd")) == (Outcome.UNREADABLE, (1, 1), "not YAML: odd")
    assert failing(RecursionError()) == (Outcome.TOO_LARGE, (None, None), "more than 32 levels deep")


def test_the_limits_from_both_sides() -> None:
    assert (MAX_BYTES, MAX_DEPTH, MAX_NODES) == (1048576, 32, 100000)
    fits = "a: " + "x" * (MAX_BYTES - 3)
    assert len(read_document(fits)[0]["a"]) == MAX_BYTES - 3  # type: ignore[arg-type]
    assert refused(fits + "x") == (Outcome.TOO_LARGE, (None, None), "1048577 bytes; a document has at most 1048576")
    assert refused("ł" * (MAX_BYTES // 2) + "x")[2] == "1048577 bytes; a document has at most 1048576"
    deep = "a: " + "[" * 31 + "1" + "]" * 31
    assert read_document(deep)[0]
    assert refused("a: " + "[" * 32 + "1" + "]" * 32) == (Outcome.TOO_LARGE, (1, 36), "more than 32 levels deep")
    many = "a: [" + "1," * (MAX_NODES - 4) + "1]"
    assert len(read_document(many)[0]["a"]) == MAX_NODES - 3  # type: ignore[arg-type]
    outcome, (line, _), why = refused("a: [" + "1," * (MAX_NODES - 3) + "1]")
    assert (outcome, line, why) == (Outcome.TOO_LARGE, 1, "more than 100000 values")


READ: list[tuple[str | bytes, Any]] = [
    ("a: 1", {"a": 1}),
    (b"\xef\xbb\xbfa: 1\n", {"a": 1}),
    ("\ufeffa: 1\n", {"a": 1}),
    ("---\na: 1\n...\n", {"a": 1}),
    ("a: ~\nb: null\nc:\nd: true\ne: false\n", {"a": None, "b": None, "c": None, "d": True, "e": False}),
    ("a: '1'\nb: \"true\"\nc: '~'\nd: |\n  1\n", {"a": "1", "b": "true", "c": "~", "d": "1\n"}),
    (f"a: {MAX_INT}\nb: -{MAX_INT}\nc: 0\n", {"a": MAX_INT, "b": -MAX_INT, "c": 0}),
    ("1: x\ntrue: y\n~: z\n", {"1": "x", "true": "y", "~": "z"}),
    ("'<<': 1\n", {"<<": 1}),
    ("a: |2\n   x\n", {"a": " x\n"}),
    ("a: | # a comment\n  x\n", {"a": "x\n"}),
    ("a: '|#'\n", {"a": "|#"}),
    ('a: "\\u00e9\\U0001f3b2\\ue000\\ud7ff"\n', {"a": "é\U0001f3b2\ue000\ud7ff"}),
    ("a: 1\x85", {"a": 1}),
    ("a: x\ty\n", {"a": "x\ty"}),
    ("{a: [], b: {}}\n", {"a": [], "b": {}}),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_what_is_read(text: str | bytes, value: Any) -> None:
    assert read_document(text)[0] == value


def test_every_value_has_its_place() -> None:
    text = "orders:\n  - buy: x\n  - [1, done]\nnote: ''\n"
    assert read_document(text)[1] == {
        (): (1, 1),
        ("orders",): (2, 3),
        ("orders", 0): (2, 5),
        ("orders", 0, "buy"): (2, 10),
        ("orders", 1): (3, 5),
        ("orders", 1, 0): (3, 6),
        ("orders", 1, 1): (3, 9),
        ("note",): (4, 7),
    }


def test_a_surrogate_that_an_escape_brings_is_refused_by_both_loaders() -> None:
    for text in ('a: "\\ud800"\n', 'a: "\\udfff"\n'):
        assert refused(text)[0] is Outcome.UNREADABLE
        with pytest.raises(ProtocolError):
            strict_yaml._Builder().document(strict_yaml.events_with(yaml.SafeLoader, text))


# -- writing -------------------------------------------------------------------------------------------------------

WORDS: list[tuple[str, str]] = [
    ("a", "a"),
    ("ab", "ab"),
    ("Kwangsi to Yunnan", "Kwangsi to Yunnan"),
    ("a1_./()+-b", "a1_./()+-b"),
    ("x)", "x)"),
    ("X9", "X9"),
    ("", '""'),
    ("~", '"~"'),
    ("null", '"null"'),
    ("true", '"true"'),
    ("false", '"false"'),
    ("True", "True"),
    ("1", '"1"'),
    ("1a", '"1a"'),
    ("a ", '"a "'),
    (" a", '" a"'),
    ("a-", '"a-"'),
    ("a  b", '"a  b"'),
    ("a -b", '"a -b"'),
    ("a: b", '"a: b"'),
    ("a,b", '"a,b"'),
    ("ł", '"ł"'),
    ('say "x"', '"say \\"x\\""'),
    ("a\\b", '"a\\\\b"'),
    ("a\nb\tc", '"a\\nb\\tc"'),
    ("a\u2028b", '"a\\u2028b"'),
    ("a\U000e0001b", '"a\\U000e0001b"'),
    ("a\uffffb", '"a\\uffffb"'),
    ("a\u200bb", '"a\\u200bb"'),
    ("BEGIN PBEM", '"BEGIN \\u0050BEM"'),
    ("PBEM", '"\\u0050BEM"'),
    ("pbem", "pbem"),
]


@pytest.mark.parametrize(("text", "written"), WORDS)
def test_a_text_as_it_is_written(text: str, written: str) -> None:
    assert write_document({"a": text}) == f"a: {written}\n"
    assert read_document(write_document({"a": text, "b": [text], "k": {text: 1}}))[0] == {
        "a": text,
        "b": [text],
        "k": {text: 1},
    }


def test_what_is_not_printable_beyond_the_first_plane_is_escaped_in_eight_digits() -> None:
    assert strict_yaml._escape("\uffff") == "\\uffff" and strict_yaml._escape("\U00010000") == "\\U00010000"


def test_short_flat_values_stand_on_one_line_and_longer_ones_below() -> None:
    document: Any = {
        "n": None,
        "t": True,
        "f": False,
        "i": -5,
        "empty": [],
        "none": {},
        "flat": [1, "x", {}, []],
        "map": {"a": 1, "b": "two words"},
        "deep": [{"move": {"from": "a", "to": ["b"]}}, [1, 2], "done"],
        "below": {"x": {"y": 1}},
    }
    assert write_document(document) == (
        "n: null\nt: true\nf: false\ni: -5\nempty: []\nnone: {}\nflat: [1, x, {}, []]\nmap: {a: 1, b: two words}\n"
        "deep:\n  -\n    move:\n      from: a\n      to: [b]\n  - [1, 2]\n  - done\nbelow:\n  x: {y: 1}\n"
    )


def test_a_line_has_fewer_than_100_characters_where_it_can() -> None:
    for size in range(90, 100):
        line = write_document({"a": ["x" * size]})
        assert line == (f"a: [{'x' * size}]\n" if 2 + size + 2 < 100 else f"a:\n  - {'x' * size}\n")
    assert write_document({"a": "x y" * 60}) == f"a: {'x y' * 60}\n"


def test_a_document_that_is_no_mapping_is_written_too() -> None:
    assert write_document([1, [{"a": [2]}]]) == "- 1\n-\n  -\n    a: [2]\n"
    assert write_document("x") == "x\n" and write_document({}) == "{}\n" and write_document([]) == "[]\n"


# -- what the loader itself says ----------------------------------------------------------------------------------------


def test_a_loader_that_scans_no_deeper_calls_the_document_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newer versions of the C loader stop at 1,000 brackets by themselves."""

    def failing(said: str | None, context: str | None = None) -> tuple[Outcome, Place, str]:
        def parse(*_: Any, **__: Any) -> Any:
            raise yaml.MarkedYAMLError(context=context, problem=said)

        monkeypatch.setattr(yaml, "parse", parse)
        return refused("a: 1\n")

    assert failing("exceeded maximum nesting depth of 1000") == (
        Outcome.TOO_LARGE, (None, None), f"more than {MAX_DEPTH} levels deep",
    )  # fmt: skip
    assert failing("something else") == (Outcome.UNREADABLE, (1, 1), "not YAML: something else")
    assert failing(None, "while reading") == (Outcome.UNREADABLE, (1, 1), "not YAML: while reading")
    assert failing(None) == (Outcome.UNREADABLE, (1, 1), "not YAML: ")


def test_a_document_that_is_looked_at_several_times_is_kept_as_json_in_its_order() -> None:
    assert strict_yaml.as_json(b"b: [1, x]\na: {c: null}\n") == '{"b": [1, "x"], "a": {"c": null}}'
    with pytest.raises(ProtocolError, match="mapping"):
        strict_yaml.as_json(b"- 1\n")


def test_every_letter_is_written_so_that_it_is_read_again() -> None:
    for text in ("Łódź", "a\u200bb", "\U000e0001", "tab\there", "a\\b", 'a"b'):
        assert read_document(write_document({"a": text}))[0] == {"a": text}
    assert write_document({"a": "a\u200bb"}) == 'a: "a\\u200bb"\n'
