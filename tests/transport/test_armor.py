"""Blocks and what is taken off them again, line by line: exact bytes, exact words, limits from both sides."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pbem.kernel.canon import canonical
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.transport import armor
from pbem.transport.armor import MAX_BLOCK, MAX_TEXT, crc24, difference_of, documents, sift, write_block
from pbem.transport.cleaning import bare_words, clean, readings, without_tags

TURN: dict[str, Any] = {
    "pbem": 2,
    "type": "turn",
    "orders": [{"move": "3 infantry to Łódź"}, "done"],
    "note": ["Good luck, friend."],
    "link": "ab" * 32,
}
TEXT = base64.b64encode(canonical(TURN)).decode()


def check_sum(data: bytes) -> str:
    """OpenPGP's, bit by bit."""
    crc = 0xB704CE
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc <<= 1
            if crc & 0x1000000:
                crc ^= 0x1864CFB
    return base64.b64encode((crc & 0xFFFFFF).to_bytes(3, "big")).decode()


def lines(text: str) -> list[str]:
    return [text[i : i + 64] for i in range(0, len(text), 64)]


def block(readable: str = "", armored: str = "", word: str = "TURN", end: str = "") -> str:
    return f"-----BEGIN PBEM {word}-----\n{readable}{armored}-----END PBEM {end or word}-----\n"


def armored(data: bytes, check: str = "") -> str:
    text = base64.b64encode(data).decode()
    return "\n".join(["-----PBEM ARMOR-----", *lines(text), f"={check or check_sum(data)}", ""])


def only(text: str) -> Any:
    (found,) = sift(text)
    return found


def why(text: str) -> tuple[Outcome, str]:
    found = only(text)
    assert isinstance(found, ProtocolError)
    return found.outcome, str(found)


READABLE, ARMOR = write_document(TURN), armored(canonical(TURN))


@pytest.mark.parametrize("text", ["orders:\n- done\n", "\ufeffplan: \n", "# mine\nstanding:\r\n  a: b\n", "orders: [done]\n"])
def test_orders_that_nobody_has_signed_are_no_letter(text: str) -> None:
    said = "these are orders that nobody has signed: `pbem send` makes a file of them"
    assert why(text) == (Outcome.UNREADABLE, said)


@pytest.mark.parametrize(
    "text", ["My orders:\n", " orders:\n", "ORDERS:\n", "orders: none\n", "orders: see [1]\n", "ordersX:\n"]
)
def test_a_letter_is_no_orders(text: str) -> None:
    assert why(text) == (Outcome.UNREADABLE, "no pbem file and no block that begins with -----BEGIN PBEM")


def test_the_check_sum_is_that_of_openpgp() -> None:
    assert crc24(b"123456789") == 0x21CF02 and crc24(b"") == 0xB704CE
    for data in (b"\x00", b"\xff" * 9, bytes(range(256))):
        assert base64.b64encode(crc24(data).to_bytes(3, "big")).decode() == check_sum(data)


def test_a_block_has_a_readable_copy_and_an_armored_one() -> None:
    assert write_block(TURN) == block(READABLE, ARMOR)
    for kind, word in (("charter", "CHARTER"), ("slip", "SLIP"), ("scenario", "SCENARIO"), ("undo", "TURN"), (None, "TURN")):
        document = {**TURN, "type": kind}
        assert write_block(document) == block(write_document(document), armored(canonical(document)), word)
        assert only(write_block(document)) == document
    assert [*documents(write_block(TURN) + "and\n" + write_block({**TURN, "seq": 3}))] == [TURN, {**TURN, "seq": 3}]


def test_either_copy_is_enough() -> None:
    assert only(block(READABLE)) == TURN and only(block("", ARMOR)) == TURN
    assert only(block(READABLE, armored(canonical(TURN), "AAAA"))) == TURN
    assert only(block("pbem: [\n", ARMOR)) == TURN, "a readable copy that cannot be read says nothing"
    assert only(block(READABLE, ARMOR.replace("\n", "\n  ").replace("-----PBEM", "--PBEM"))) == TURN
    assert only(block(READABLE, "PBEM  ARMOR" + ARMOR[20:])) == TURN


@pytest.mark.parametrize(
    "broken",
    [
        "-----PBEM ARMOR-----\n",
        "-----PBEM ARMOR-----\nAAAA\n",
        "-----PBEM ARMOR-----\nA=AAAA\n",
        "-----PBEM ARMOR-----\n!!!!=AAAA\n",
        armored(canonical(TURN))[:-3] + "\n",
        armored(canonical(TURN), "AAAA"),
        armored(canonical(TURN)).replace(TEXT[:8], TEXT[1:9]),
    ],
)
def test_a_damaged_armor_leaves_the_readable_copy(broken: str) -> None:
    assert only(block(READABLE, broken)) == TURN
    outcome, told = why(block("pbem: [\n" + "# filled up " * 10 + "\n", broken + "\n\n"))
    assert outcome is Outcome.UNREADABLE
    assert told.startswith("both copies of the block are damaged; ask for the file again (") or broken.strip().endswith("-----")


def test_a_readable_copy_alone_that_cannot_be_read_is_told_as_it_is() -> None:
    outcome, told = why(block("a: 1\na: 2\n" + "# filled up " * 10 + "\n"))
    assert (outcome, told) == (Outcome.UNREADABLE, "line 2, column 1: the key 'a' stands twice")


def test_copies_that_differ_are_refused_with_the_difference() -> None:
    other = {**TURN, "orders": ["other"]}
    outcome, told = why(block(write_document(other), ARMOR))
    assert outcome is Outcome.UNREADABLE
    expected = 'orders: ["other"] and [{"move": "3 infantry to Łódź"}, "done"]'
    assert told == f"the readable copy says something else than the armored one: {expected}"


def test_what_mail_programs_do_to_a_text_is_no_difference() -> None:
    assert difference_of(TURN, TURN) == ""
    assert difference_of({**TURN, "note": ["Good  luck,\u00a0\u201cfriend\u201d."]}, TURN) == ""
    assert difference_of({**TURN, "note": ["Good luck, foe."]}, TURN) == 'note: ["Good luck, foe."] and ["Good luck, friend."]'
    assert difference_of({**TURN, "pbem": True}, TURN) == "pbem: true and 2"
    assert difference_of({k: v for k, v in TURN.items() if k != "note"}, TURN) == 'note: null and ["Good luck, friend."]'
    assert difference_of({**TURN, "more": 1}, TURN) == "more: 1 and null"
    assert difference_of({**TURN, "orders": TURN["orders"][:1]}, TURN).startswith("orders: ")
    flat = {**TURN, "orders": [{"move": None}, "3 infantry to Łódź", "done"]}
    assert difference_of(flat, TURN) == "", "indentation was lost: the same words are there"
    long = difference_of({"note": "x" * 200}, {"note": "y" * 200})
    assert long == f'note: "{"x" * 79} and "{"y" * 79}'
    assert difference_of({"a": None, "b": "1"}, {"a": None, "b": 1}) == "", "a number in a text that came by mail is one"


SWAPPED: dict[str, Any] = {
    "orders": [{"move": "3 to A"}, {"move": "2 to B"}],
    "standing": {"yes": "pass", "no": "fire"},
    "n": 1,
}


@pytest.mark.parametrize(
    ("copy", "told"),
    [
        ({**SWAPPED, "orders": [*reversed(SWAPPED["orders"])]}, "orders: "),
        ({**SWAPPED, "orders": [{"move": "2 to A"}, {"move": "3 to B"}]}, "orders: "),
        ({**SWAPPED, "standing": {"yes": "fire", "no": "pass"}}, "standing: "),
        ({**SWAPPED, "n": "orders", "orders": [1]}, "orders: "),
        ({"orders": [*reversed(SWAPPED["orders"])], "standing": None, "yes": "pass", "no": "fire", "n": 1}, "orders: "),
        ({"orders": SWAPPED["orders"], "standing": None, "yes": "pass", "no": "fire", "n": 1}, ""),
        ({"n": 1, "standing": {"no": "fire", "yes": "pass"}, "orders": SWAPPED["orders"]}, ""),
    ],
)
def test_the_same_words_in_other_places_say_something_else(copy: dict[str, Any], told: str) -> None:
    """The orders of a text that a person reads stand in the order in which the file that the program takes has them."""
    found = difference_of(copy, SWAPPED)
    assert found.startswith(told) and bool(found) is bool(told)


def test_the_difference_that_counts_is_named() -> None:
    exact = {"a": "x  y", "b": "1", "c": None, "d": 1}
    assert difference_of({**exact, "a": "x y", "b": "2"}, exact) == 'b: "2" and "1"', "not the blanks before it"
    assert difference_of({**exact, "d": True}, exact) == "d: true and 1"
    assert difference_of({"a": "x  y", "b": "1", "d": 1}, exact) == "c: null and null"
    assert difference_of({**exact, "e": None}, exact) == "e: null and null"


def test_a_part_that_became_something_else_is_a_difference() -> None:
    for copy, exact in (({"b": 1}, "x"), ("x", {"b": 1}), (["x"], "y"), ("y", ["x"]), ([1], {"a": 2}), (None, {"a": 2})):
        assert difference_of({"a": copy}, {"a": exact}).startswith("a: ")
    assert difference_of({"a": "x y"}, {"a": ["x y"]}) == ""


def test_an_armored_copy_alone() -> None:
    assert armor.write_armored(TURN) == block("", ARMOR) and only(armor.write_armored(TURN)) == TURN


def test_readable_copies_that_were_moved_or_begin_oddly() -> None:
    document = {"Xa": "aX", "note": ["long enough to be a file " * 5]}
    text = write_document(document)
    assert only(block(text)) == document == only(block(text, armored(canonical(document))))
    moved = "".join(f"  {line}\n" for line in text.splitlines())
    assert only(block(moved)) == document
    other = moved.replace("aX", "bX")
    assert "Xa" in why(block(other, armored(canonical(document))))[1]
    assert only('\n  {"pbem": 2}') == {"pbem": 2}


def test_what_both_copies_lack_is_told_once() -> None:
    told = why(block("a: 1\na: 2\n" + "# filled up " * 10 + "\n", armored(canonical(TURN), "AAAA")))[1]
    assert told == ("both copies of the block are damaged; ask for the file again (line 2, column 1: the key 'a' stands twice)")


def test_each_reading_of_a_readable_copy_counts() -> None:
    marks = {**TURN, "note": ["a &amp; b &lt; c"]}
    assert only(write_block(marks)) == marks, "what a mail program has not done is not undone"
    escaped = READABLE.replace("done", "&quot;other&quot;", 1)
    assert "says something else" in why(block(escaped, ARMOR))[1]


CURLED = {
    "whole": ("\u201c", "\u201d"),
    "german": ("\u201e", "\u201c"),
    "french": ("\u00ab", "\u00bb"),
    "same": ("\u201d", "\u201d"),
}


@pytest.mark.parametrize("marks", CURLED.values(), ids=CURLED)
def test_a_bare_file_whose_quotation_marks_were_made_pretty(marks: tuple[str, str]) -> None:
    halves = READABLE.split('"')
    text = "".join(part + marks[n % 2] for n, part in enumerate(halves[:-1])) + halves[-1]
    assert '"' not in text and only(text) == TURN


def test_a_text_may_hold_pretty_marks_of_its_own() -> None:
    own = {**TURN, "note": ["\u201cAh\u201d, he said: \u201cwell\u201d", "a - \u00abb\u00bb"]}
    assert only(write_document(own)) == own


def test_marks_that_cannot_be_made_straight_again_are_told() -> None:
    text = write_document({**TURN, "note": ["a - \u201cb\u201d, c"]}).replace('"', "\u201d")
    assert why(text)[1] == "the quotation marks of this file were changed on its way: ask for it as an attachment"


def test_a_bare_file_with_no_break_spaces_and_what_it_says_when_that_is_not_all() -> None:
    assert only(READABLE.replace(" ", "\u00a0")) == TURN
    assert "not YAML" in why(READABLE.replace(" ", "\u00a0") + "}")[1]


def test_what_is_no_file_is_told() -> None:
    none = (Outcome.UNREADABLE, "no pbem file and no block that begins with -----BEGIN PBEM")
    assert why("") == none and why("Dear friend,\nnothing today.\n") == none
    assert only("pbem: 2\nnote: x\n") == {"pbem": 2, "note": "x"} and only('{"pbem": 2}') == {"pbem": 2}
    assert only("# first\n'pbem' : 2\n") == {"pbem": 2} and only("\ufeffpbem: 2\n") == {"pbem": 2}
    cut = (Outcome.UNREADABLE, "a block begins but its end is missing: the text was cut; ask for the file again")
    assert why(write_block(TURN)[:-20]) == cut and why("-----BEGIN PBEM TURN-----") == cut
    assert why(block(READABLE, ARMOR, end="SLIP")) == cut
    assert why(block()) == (Outcome.UNREADABLE, "1 block holds nothing that could be a file")
    assert why(block() * 3) == (Outcome.UNREADABLE, "3 blocks hold nothing that could be a file")


def test_a_block_of_100_characters_could_be_a_file() -> None:
    for size, told in ((99, "1 block holds nothing that could be a file"), (100, "a document is a mapping")):
        assert told in why(f"-----BEGIN PBEM TURN-----{'x' * size}-----END PBEM TURN-----")[1]


def test_every_block_of_a_text_stands_alone() -> None:
    found = [*sift(block() + write_block(TURN) + block("a: 1\na: 2\n" + "# x " * 40 + "\n") + "-----BEGIN PBEM SLIP-----\n")]
    told = [f if isinstance(f, dict) else english(f.message).split(":")[0].split(" ")[0] for f in found]
    assert told == [TURN, "the", "1", "a"]
    assert next(sift("-----BEGIN PBEM TURN-----\n" + write_block(TURN))) == TURN
    with pytest.raises(ProtocolError, match="1 block holds nothing"):
        list(documents(write_block(TURN) + block()))


def test_the_words_of_markers_may_be_torn_apart_a_little() -> None:
    torn = write_block(TURN).replace("BEGIN PBEM TURN-----", "BEGIN  PBEM\nTURN ---").replace("-----END", "-- END")
    assert only(torn) == TURN
    assert only(write_block(TURN).replace("-----", "\u2014\u2014")) == TURN


def test_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (MAX_TEXT, MAX_BLOCK) == (33554432, 16777216)
    monkeypatch.setattr(armor, "MAX_TEXT", len(write_block(TURN)))
    assert only(write_block(TURN)) == TURN
    assert why(write_block(TURN) + "x") == (Outcome.TOO_LARGE, f"more than {armor.MAX_TEXT} characters")
    monkeypatch.undo()
    inner = len(write_block(TURN)) - len("-----BEGIN PBEM TURN-----") - len("-----END PBEM TURN-----\n")
    monkeypatch.setattr(armor, "MAX_BLOCK", inner)
    assert only(write_block(TURN)) == TURN
    monkeypatch.setattr(armor, "MAX_BLOCK", inner - 1)
    assert why(write_block(TURN)) == (Outcome.TOO_LARGE, f"a block of more than {inner - 1} characters")
    monkeypatch.undo()
    monkeypatch.setattr(strict_yaml, "MAX_BYTES", 300)
    large = armored(b"\x00" * 453)
    assert why(block("", large)) == (Outcome.TOO_LARGE, "an armored copy of more than 300 bytes")
    assert why(block("", armored(b"\x00" * 450)))[1] != "an armored copy of more than 300 bytes"


def test_a_fault_of_the_reader_is_said_of_this_text_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(armor, "_read_block", lambda body: 1 // 0)
    found = [*sift(write_block(TURN) * 2)]
    assert [str(f) for f in found] == ["this text cannot be read: a fault of the program, not yours (ZeroDivisionError)"] * 2
    assert {f.outcome for f in found if isinstance(f, ProtocolError)} == {Outcome.FAULT}


# -- cleaning ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("a\u2028b\u0085c", "a\nb\nc"),
        ("a\u00a0b\u2003c\u3000d", "a b c d"),
        ("a\u200bb\u00adc\ufeffd\u2060e", "abcde"),
        ("\u2014PBEM\u2013\nx\u2014y", "-PBEM-\nx\u2014y"),
        ("> a\n>> b\n> > c\n \t> d\ne > f", "a\nb\nc\nd\ne > f"),
        (">a", "a"),
        ("plain", "plain"),
    ],
)
def test_a_text_is_cleaned(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_the_readings_of_a_text() -> None:
    assert [*readings("plain")] == ["plain"]
    assert [*readings("a &lt; b")] == ["a &lt; b", "a < b"]
    assert [*readings("\u201ca\u201d \u2018b\u2019 \u00abc\u00bb")] == [
        "\u201ca\u201d \u2018b\u2019 \u00abc\u00bb",
        '"a" \'b\' "c"',
    ]
    assert [*readings("caf=C3=A9 =\nx")] == ["caf=C3=A9 =\nx", "caf\u00e9 x"]
    assert [*readings("soft =\nbreak")] == ["soft =\nbreak", "soft break"]
    assert [*readings("a=b")] == ["a=b"] and [*readings("a=3d")] == ["a=3d"]
    assert [*readings("<p>a &amp; b</p>")] == ["<p>a &amp; b</p>", "<p>a & b</p>", "\na & b\n"]
    assert [*readings("<p>&amp;lt;</p>")] == ["<p>&amp;lt;</p>", "<p>&lt;</p>", "\n&lt;\n", "\n<\n"]
    assert [*readings("&#99999999; &#x1000000; &#65;")][1] == "\ufffd \ufffd A"


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("a < b", "a < b"),
        ("<BR>a", "\na"),
        ("<p><!-- x -->a<br>b", "\na\nb"),
        ("<p>a <! b<br>c", "\na <! b\nc"),
        ("a <b> c", "a <b> c"),
        ("<br>a<BR/>b", "\na\nb"),
        ("<p>a</p><div>b</div>", "\na\n\nb\n"),
        ("<html><span class='x>y'>a</span>", "a"),
        ("<p><!-- <p>hidden</p> -->a", "\na"),
        ("<p><!-- never ends <p>a", "\n"),
        ("<p>a < b &lt; c", "\na < b < c"),
        ('<p title="a>b">c', "\nc"),
        ("<p><!DOCTYPE html><?xml?>a", "\na"),
        ("<p><table><tr><td>a</td></tr><li>b<pre>c<blockquote>d<h1>e<h2>f<h3>g<code>h", "\n\na\n\nb\nc\nd\ne\nf\ng\nh"),
    ],
)
def test_the_words_of_a_page(page: str, words: str) -> None:
    assert without_tags(page) == words


def test_what_is_left_of_a_text_when_typography_does_not_count() -> None:
    assert bare_words(" a \"b\" 'c' \\ \u201cd\u201d \u00abe\u00bb\n") == "abcde"
    assert bare_words("a\u2013b -- c\u2014\u2014d\u2026") == "a-b-c-d..." and bare_words("a\u200bb\ufffd") == "ab"
