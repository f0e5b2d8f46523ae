"""Properties of the strict reader, the writer and the canonical form."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.kernel.canon import MAX_INT, NotPlain, canonical
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from tests.fuzz.amounts import quick


def is_allowed(text: str) -> bool:
    """Text that the protocol's data model holds."""
    return unicodedata.is_normalized("NFC", text) and not strict_yaml._NO_TEXT.search(text)


NASTY = st.sampled_from([
    "~", "null", "true", "No", "0x1f", "1_000", "1e3", ".5", "-", "- a", "? b", "a: b", "#x", "a #x", "&a", "*a", "!t", "|",
    "'", '"', "\\", "{", "[", "}", "%", "@", "`", " a", "a ", "\n", "\n\n a", "\t", "\u2028", "\u0085", "\ufeff", "---", "...",
    ">", "<<", "=", "0512", "12:30", "2026-11-21", "\U0001f600", "\u202ea", "-----BEGIN PBEM TURN-----", "{{ 7 }}", "",
])  # fmt: skip
TEXT = (NASTY | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)).filter(is_allowed)
SCALAR = st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | TEXT
PLAIN = st.recursive(SCALAR, lambda of: st.lists(of, max_size=4) | st.dictionaries(TEXT, of, max_size=4), max_leaves=20)
DOCUMENTS = st.dictionaries(TEXT, PLAIN, max_size=5)
YAMLISH = st.lists(st.sampled_from(list("abc:-?,[]{}#&*!|>'\"%@` \n\t01.~=\\")) | NASTY | st.text(max_size=3), max_size=40).map(
    "".join
)


@quick
@given(DOCUMENTS)
def test_written_documents_read_back_in_their_order(document: dict[str, Any]) -> None:
    back = read_document(write_document(document))[0]
    assert back == document and json.dumps(back) == json.dumps(document)


@quick
@given(YAMLISH | st.text(max_size=100) | st.binary(max_size=100))
def test_any_text_is_read_or_refused_and_what_is_read_stays_the_same(source: str | bytes) -> None:
    try:
        document, marks = read_document(source)
    except ProtocolError as error:
        assert error.outcome in (Outcome.UNREADABLE, Outcome.TOO_LARGE) and str(error)
        return
    assert read_document(write_document(document))[0] == document
    assert read_document(canonical(document))[0] == document
    assert all(line > 0 and column > 0 for line, column in marks.values())


def outcome(loader: Any, text: str) -> Any:
    try:
        return strict_yaml._Builder().document(strict_yaml.events_with(loader, text))
    except ProtocolError as error:
        return error.outcome


@quick
@given(st.builds(write_document, DOCUMENTS) | st.lists(st.sampled_from(list("abc:-,[]{}#'\"| \n01")), max_size=40).map("".join))
@example("|#")
@example("a: >-2#b\n  c")
@example("é: |+#")
def test_both_loaders_read_the_same(text: str) -> None:
    assert outcome(yaml.CSafeLoader, text) == outcome(yaml.SafeLoader, text)


def by_hand(value: Any) -> str:
    """Canonical form written down once more: keys by their UTF-16 units, no blanks."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda k: [int.from_bytes(k.encode("utf-16-be")[i : i + 2]) for i in range(0, 99, 2)])
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{by_hand(value[k])}" for k in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(by_hand, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@quick
@given(PLAIN)
def test_the_canonical_form_is_one_and_reads_back(value: Any) -> None:
    data = canonical(value)
    assert data.decode() == by_hand(value)
    assert json.loads(data) == value
    assert canonical(json.loads(data)) == data


@quick
@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_count(document: dict[str, Any], dice: Any) -> None:
    pairs = list(document.items())
    dice.shuffle(pairs)
    assert canonical(dict(pairs)) == canonical(document)


@quick
@given(st.recursive(st.floats() | st.binary() | st.integers(2**53) | st.just("\ud800") | st.just("e\u0301"), st.lists))
def test_what_is_not_plain_is_refused(value: Any) -> None:
    try:
        canonical({"a": value})
    except NotPlain:
        return
    assert not any(isinstance(v, float | bytes | int | str) for v in leaves(value))


def leaves(value: Any) -> list[Any]:
    return [x for v in value for x in leaves(v)] if isinstance(value, list) else [value]
