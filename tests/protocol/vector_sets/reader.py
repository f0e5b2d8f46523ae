"""The strict reader, canonical form and ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol import ids
from tests.protocol.vector_sets.form import Vector, loose, plain

GOOD = b"a: 1\nb: [x, y]\n"

READINGS = b"""no: NO
on: on
time: 12:30
thousand: 1_000
octal: 0o17
minus: -0
plus: +5
zeros: 007
date: 1942-06-04
float: 1.5
exponent: 1e3
yes: yes
big: True
null-text: Null
"""

DONE: dict[str, tuple[str, bytes, Any]] = {
    "readings-of-yaml-1-1": (
        "NO, on, 12:30, 0o17, 1.5 and dates are text",
        READINGS,
        {line.split(": ")[0]: line.split(": ")[1] for line in READINGS.decode().splitlines()},
    ),
    "plain-values": (
        "integers, booleans, three forms of null",
        b"a: 0\nb: -7\nc: true\nd: false\ne: null\nf: ~\ng:\n",
        {"a": 0, "b": -7, "c": True, "d": False, "e": None, "f": None, "g": None},
    ),
    "quoted-values-are-text": ("quotes make text", b"a: '12'\nb: \"null\"\nc: 'true'\n", {"a": "12", "b": "null", "c": "true"}),
    "largest-integers": (
        "2^53-1 and its negative",
        b"a: 9007199254740991\nb: -9007199254740991\n",
        {"a": 2**53 - 1, "b": 1 - 2**53},
    ),
    "byte-order-mark": ("a byte order mark is ignored", b"\xef\xbb\xbfa: 1\n", {"a": 1}),
    "carriage-returns": ("lines may end in CRLF", b"a: 1\r\nb:\r\n  - x\r\n", {"a": 1, "b": ["x"]}),
    "comments": ("comments and blank lines are no content", b"# hello\n\na: 1 # one\n---x: 2\n", {"a": 1, "---x": 2}),
    "block-text": (
        "literal and folded text",
        b"a: |\n  one\n  two\nb: >\n  three\n  four\n",
        {"a": "one\ntwo\n", "b": "three four\n"},
    ),
    "number-as-key": ("a key is text, whatever it looks like", b"1: a\ntrue: b\n", {"1": "a", "true": "b"}),
    "integer-like-keys": ("their order says nothing", b"9: a\n10: b\n'1': c\n", {"10": "b", "1": "c", "9": "a"}),
    "thirty-two-levels": (
        "the deepest document",
        b"a: " + b"[" * 31 + b"1" + b"]" * 31 + b"\n",
        {"a": eval("[" * 31 + "1" + "]" * 31)},
    ),
    "bidi-in-a-note": (
        "direction marks in text are content; who prints them escapes them",
        'note: ["\u202eabc"]\n'.encode(),
        {"note": ["\u202eabc"]},
    ),
}

BOMB = "\n".join(["a0: &a0 [x, x]", *(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 30))])

UNREADABLE: dict[str, tuple[str, bytes]] = {
    "duplicate-key": ("the key a stands twice", b"a: 1\na: 2\nb: [x, y]\n"),
    "duplicate-key-inside": ("the key b stands twice, one level down", b"a: {b: 1, b: 1}\n"),
    "duplicate-key-quoted": ("quoting makes no other key", b'a: 1\n"a": 1\n'),
    "anchor": ("an anchor", b"a: &x 1\nb: [x, y]\n"),
    "alias": ("an alias", b"a: &x 1\nb: *x\n"),
    "alias-bomb": ("aliases that would grow to 2^30 values", BOMB.encode() + b"\n"),
    "tag": ("an explicit tag", b"a: !!int 1\nb: [x, y]\n"),
    "own-tag": ("a tag that loaders turn into objects", b"a: !!python/object/apply:os.getcwd []\n"),
    "merge-key": ("a merge key", b"<<: {a: 1}\nb: [x, y]\n"),
    "second-document": ("a second document", b"a: 1\n---\nb: [x, y]\n"),
    "list-at-the-top": ("a document is a mapping", b"- a\n- b\n"),
    "text-at-the-top": ("a document is a mapping", b"hello\n"),
    "empty": ("nothing at all", b""),
    "only-a-comment": ("no content", b"# a: 1\n"),
    "unclosed-list": ("a list without its end", b"a: 1\nb: [x, y\n"),
    "tab-as-indentation": ("a tab cannot indent", b"a:\n\tb: 1\n"),
    "nul": ("a NUL byte", b"a: 1\x00\nb: [x, y]\n"),
    "bell": ("a C0 control", b"a: 1\nb: [x, \x07y]\n"),
    "delete": ("U+007F", b"a: 1\nb: [x, \x7fy]\n"),
    "c1-control": ("a C1 control", "a: 1\nb: [x, \u009by]\n".encode()),
    "escaped-nul": ("a NUL written as an escape", b'a: 1\nb: [x, "\\0"]\n'),
    "escaped-control": ("a terminal's escape character written as an escape", b'a: "\\x1b[2J"\n'),
    "half-a-character": ("a lone surrogate written as an escape", b'a: "\\ud800"\n'),
    "not-normal": ("e and a combining acute accent", "a: 1\nb: [x, e\u0301]\n".encode()),
    "key-not-normal": ("a key that is not in normal form C", "e\u0301: 1\n".encode()),
    "latin-1": ("not UTF-8", b"a: 1\nb: [x, \xe9]\n"),
    "overlong-utf-8": ("a slash in two bytes", b"a: \xc0\xaf\n"),
    "utf-16": ("UTF-16", "a: 1\n".encode("utf-16")),
    "integer-too-large": ("2^53", b"a: 9007199254740992\n"),
    "integer-too-small": ("-2^53", b"a: -9007199254740992\n"),
    "integer-of-a-hundred-digits": ("an integer of a hundred digits", b"a: " + b"9" * 100 + b"\n"),
    "list-as-key": ("a key is a word", b"? [a]\n: 1\n"),
    "mapping-as-key": ("a key is a word", b"{a: 1}: 1\n"),
}

TOO_LARGE: dict[str, tuple[str, bytes]] = {
    "too-many-bytes": ("one byte more than 1 MiB", b"a: " + b"x" * ((1 << 20) - 3) + b"\n"),
    "too-deep": ("33 levels", b"a: " + b"[" * 33 + b"1" + b"]" * 33 + b"\n"),
    "very-deep": ("100,000 levels", b"a: " + b"[" * 100_000 + b"]" * 100_000 + b"\n"),
    "too-many-values": ("more than 100,000 values", b"a: [" + b"1," * 100_001 + b"]\n"),
    "two-megabytes": ("a file far over the limit", b"a: 1\n" * 400_000),
}

DOCUMENTS: dict[str, tuple[str, Any]] = {
    "keys-sorted-by-utf-16": ("U+1F3B2 comes before U+FF21", {"\uff21": 1, "\U0001f3b2": 2, "a": 3, "B": 4, "": 5}),
    "integer-like-keys": ("keys are text: 10 comes before 9, and both before a", {"9": 1, "10": 2, "a": 3, "-1": 4, "1": 5}),
    "escapes": ("the seven short escapes, \\u00xx, and nothing else", {"a": '\b\t\n\f\r"\\/\u0001\u007f\u2028é€🎲'}),
    "numbers": ("integers as they are", {"a": [0, -1, 2**53 - 1, 1 - 2**53, 10**15]}),
    "nested": ("no blanks anywhere", {"b": [[], {}, [None, True, False, {"z": "", "a": [1]}]], "a": {"b": {"c": {}}}}),
    "signature-left-out": ("the id does not depend on the signature", {"type": "turn", "a": 1, "signature": "AAAA"}),
    "signature-inside-counts": ("only at the top level is it left out", {"type": "turn", "a": {"signature": "x"}}),
    "charter-signatures-left-out": (
        "a charter leaves out `signatures`, not `signature`",
        {"type": "charter", "signature": "counts", "signatures": {"nowak": "AAAA"}},
    ),
}

NOT_PLAIN: dict[str, tuple[str, bytes]] = {
    "fraction": ("a fraction", loose({"a": 1.5})),
    "integer-too-large": ("2^53", loose({"a": 2**53})),
    "not-normal": ("text that is not in normal form C", loose({"a": "e\u0301"})),
    "key-not-normal": ("a key that is not in normal form C", loose({"e\u0301": 1})),
    "half-a-character": ("a lone surrogate", loose({"a": "\ud800"})),
}


def vectors() -> Iterator[Vector]:
    """Reader, canonical form, ids."""
    for name, (comment, body, value) in DONE.items():
        more = {"canonical-sha256": sha256_hex(canonical(value))}
        yield Vector("yaml", name, "done", comment, body, covers="SPEC 1", more=more)
    for expect, cases in (("unreadable", UNREADABLE), ("too large", TOO_LARGE)):
        for name, (comment, body) in cases.items():
            yield Vector("yaml", name, expect, comment, body, GOOD, "SPEC 1")
    for name, (comment, value) in DOCUMENTS.items():
        more = {"canonical-sha256": sha256_hex(canonical(ids.signed_part(value))), "id": ids.document_id(value)}
        yield Vector("document", name, "done", comment, plain(value), covers="SPEC 1", more=more)
    for name, (comment, body) in NOT_PLAIN.items():
        yield Vector("document", name, "unreadable", comment, body, plain({"a": 1}), "SPEC 1")
