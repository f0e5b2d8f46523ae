"""The strict reader: YAML 1.2 restricted to the protocol's data model, every error with line and column."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem.kernel.canon import MAX_INT, Plain
from pbem.kernel.wording import Message, msg, verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES, MAX_DEPTH, MAX_NODES = 1 << 20, 32, 100_000
Path = tuple[str | int, ...]
Marks = dict[Path, tuple[int, int]]
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_WORDS: dict[str, Plain] = {"null": None, "~": None, "": None, "true": True, "false": False}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")  # what an escape could bring into a text


def read_document(source: str | bytes) -> tuple[dict[str, Plain], Marks]:
    """A document and the place of each of its values (path -> line, column from 1).

    Raises ProtocolError: too large, or unreadable with line and column.
    """
    text = _decode(source)
    builder = _Builder()
    value = builder.document(_events(text))
    if not isinstance(value, dict):
        raise unreadable(msg("a document is a mapping of keys and values"), 1, 1)
    return value, builder.marks


@lru_cache(maxsize=64)
def as_json(source: bytes) -> str:
    """A document as JSON, its keys in the order given: for files that a command looks at several times.

    Raises ProtocolError as `read_document` does.
    """
    return json.dumps(read_document(source)[0])


def _decode(source: str | bytes) -> str:
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    if len(data) > MAX_BYTES:
        raise ProtocolError(
            Outcome.TOO_LARGE, msg("{number} bytes; a document has at most {most}", number=len(data), most=MAX_BYTES)
        )
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise unreadable(msg("the text is not UTF-8"), line, 1) from None
    bad = _CONTROL.search(text)
    if bad:
        raise unreadable(msg("control character U+{code}", code=f"{ord(bad.group()):04X}"), *_place(text, bad.start()))
    return text


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def _events(text: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return events_with(loader, text)


_WRONG = (  # what the parser says, both of them, in words for a player
    ("node content", msg("a value is missing, or a bracket is not closed")),
    ("',' or ']'", msg("between [ and ] a comma or the ] is missing")),
    ("',' or '}'", msg("between curly brackets a comma or the closing bracket is missing")),
    ("mapping values", msg("a colon stands where none may: begin a new line, or put the text between quotes")),
    ("expected key", msg("a line is not indented like those above it")),
    ("'-' indicator", msg("a line is not indented like those above it")),
    ("<block end>", msg("a line is not indented like those above it")),
    ("start any token", msg("something begins with a sign that may not stand there, such as a tab, @ or %")),
    ("end of stream", msg("a quote is not closed")),
)
_GLUED_COMMENT = re.compile(r"[|>][-+0-9]*#")


def events_with(loader: Any, text: str) -> Iterator[Any]:
    """The events of a loader (the C one, or the pure one that must agree with it). Syntax errors get their place."""
    import yaml

    try:
        for event in yaml.parse(text, Loader=loader):
            _check_block(event, text)
            yield event
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in (error.problem or ""):  # libyaml from 0.2.6 on scans no deeper than 1,000 brackets
            raise _too_deep() from None
        mark = error.problem_mark or error.context_mark
        where = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise unreadable(msg("not YAML: {problem}", problem=_told(error.problem or error.context or "")), *where) from None
    except yaml.YAMLError as error:
        raise unreadable(msg("not YAML: {error}", error=str(error)), 1, 1) from None
    except RecursionError:
        raise _too_deep() from None


def _too_deep() -> ProtocolError:
    return ProtocolError(Outcome.TOO_LARGE, msg("more than {max_depth} levels deep", max_depth=MAX_DEPTH))


def _told(problem: str) -> Message:
    return next((told for said, told in _WRONG if said in problem), verbatim(problem))


def _check_block(event: Any, text: str) -> None:
    """The C loader takes `|#` for an empty block text, the pure one for an error: it is one."""
    if getattr(event, "style", None) in ("|", ">") and _GLUED_COMMENT.match(text, event.start_mark.index):
        raise unreadable(msg("a comment stands apart from the sign of a block text"), *_mark(event))


class _Builder:
    """Builds plain values from parser events, one pass, without ever following an alias."""

    def __init__(self) -> None:
        self.marks: Marks = {}
        self.nodes = 0

    def document(self, events: Iterator[Any]) -> Plain:
        value: Plain = None
        documents = 0
        for event in events:
            match type(event).__name__:
                case "DocumentStartEvent":
                    documents += 1
                    if documents > 1:
                        raise unreadable(msg("a second document begins here"), *_mark(event))
                case "StreamStartEvent" | "StreamEndEvent" | "DocumentEndEvent":
                    continue
                case _:
                    value = self.value(event, events, ())
        return value

    def value(self, event: Any, events: Iterator[Any], path: Path) -> Plain:
        self._check(event, path)
        self.marks[path] = _mark(event)
        match type(event).__name__:
            case "ScalarEvent":
                return _scalar(event)
            case "SequenceStartEvent":
                return self._sequence(events, path)
            case _:  # an alias was refused: it has an anchor
                return self._mapping(events, path)

    def _check(self, event: Any, path: Path) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise ProtocolError(Outcome.TOO_LARGE, msg("more than {max_nodes} values", max_nodes=MAX_NODES), *_mark(event))
        if len(path) > MAX_DEPTH:
            raise ProtocolError(Outcome.TOO_LARGE, msg("more than {max_depth} levels deep", max_depth=MAX_DEPTH), *_mark(event))
        if getattr(event, "anchor", None) is not None:
            word = "aliases" if type(event).__name__ == "AliasEvent" else "anchors"
            raise unreadable(msg("{word} are not allowed", word=word), *_mark(event))
        if getattr(event, "tag", None) is not None:
            raise unreadable(msg("the tag {tag} is not allowed", tag=event.tag), *_mark(event))

    def _sequence(self, events: Iterator[Any], path: Path) -> Plain:
        items: list[Plain] = []
        for event in events:
            if type(event).__name__ == "SequenceEndEvent":
                return items
            items.append(self.value(event, events, (*path, len(items))))
        raise AssertionError("the parser always ends a sequence")

    def _mapping(self, events: Iterator[Any], path: Path) -> Plain:
        pairs: dict[str, Plain] = {}
        for event in events:
            if type(event).__name__ == "MappingEndEvent":
                return pairs
            key = self._key(event, path)
            if key in pairs:
                raise unreadable(msg("the key {key!r} stands twice", key=key), *_mark(event))
            pairs[key] = self.value(next(events), events, (*path, key))
        raise AssertionError("the parser always ends a mapping")

    def _key(self, event: Any, path: Path) -> str:
        self._check(event, path)
        if type(event).__name__ != "ScalarEvent":
            raise unreadable(msg("a key is a word, not a list or mapping"), *_mark(event))
        if event.value == "<<" and event.implicit[0]:
            raise unreadable(msg("merge keys are not allowed"), *_mark(event))
        return _text(event)


def _mark(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _scalar(event: Any) -> Plain:
    if not event.implicit[0]:  # quoted or block text
        return _text(event)
    if event.value in _WORDS:
        return _WORDS[event.value]
    if _INTEGER.fullmatch(event.value):
        return _integer(event)
    return _text(event)


def _integer(event: Any) -> int:
    if len(event.value) > 17 or abs(int(event.value)) > MAX_INT:
        raise unreadable(msg("the integer {value} is too large", value=event.value[:20]), *_mark(event))
    return int(event.value)


def _text(event: Any) -> str:
    text: str = event.value
    if not unicodedata.is_normalized("NFC", text):
        raise unreadable(msg("text is not in Unicode normal form C"), *_mark(event))
    if _NO_TEXT.search(text):
        raise unreadable(msg("a character that no text may hold"), *_mark(event))
    return text


# -- writing -------------------------------------------------------------------------------------------------------

_PLAIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9 _./()+-]*[A-Za-z0-9)]|[A-Za-z]")


def write_document(document: Plain) -> str:
    """Readable YAML that reads back to the same value; keys in the order given."""
    return "\n".join(_lines(document, 0)) + "\n"


def _lines(value: Plain, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(value, dict) and value:
        return [line for k, v in value.items() for line in _entry(f"{pad}{_word(k)}:", v, depth)]
    if isinstance(value, list) and value:
        return [line for v in value for line in _entry(f"{pad}-", v, depth)]
    return [pad + _inline(value)]


def _entry(head: str, value: Plain, depth: int) -> list[str]:
    inline = _inline(value)
    if not isinstance(value, dict | list) or not value or (len(head) + len(inline) < 100 and _is_flat(value)):
        return [f"{head} {inline}"]
    return [head, *_lines(value, depth + 1)]


def _is_flat(value: dict[str, Plain] | list[Plain]) -> bool:
    items = value.values() if isinstance(value, dict) else value
    return all(not isinstance(v, dict | list) or not v for v in items)


def _inline(value: Plain) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_word(k)}: {_inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, str):
        return _word(value)
    if value is None:
        return "null"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _word(text: str) -> str:
    if text not in _WORDS and _PLAIN_WORD.fullmatch(text) and not any(part in text for part in ("  ", " -", "PBEM")):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    escaped = escaped.replace("PBEM", "\\u0050BEM")  # no text looks like the marker of a block
    return f'"{"".join(c if c.isprintable() else _escape(c) for c in escaped)}"'


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
