"""The shapes of documents as JSON Schema (draft 2020-12), made of the checks that read them.

Necessary, not sufficient: normal form C, control characters, sizes, and all that one value demands of another are SPEC's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pbem.kernel.wording import msg
from pbem.protocol import charter, heal, names, notes, schema, slips, turnfile
from pbem.protocol.outcomes import unreadable
from pbem.protocol.schema import Check, Json

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Shape = tuple[Mapping[str, Check], Mapping[str, Check]]
ShapeOf = Callable[[str, int], Shape]


def kinds() -> dict[str, Json]:
    """Every kind of document with its schema."""
    return {
        "charter": _of_versions("charter", {v: charter.shape(v) for v in charter.VERSIONS}),
        "file": _of_kinds("file of the log", "type", turnfile.TYPES, turnfile.shape),
        "slip": _of_kinds("slip", "slip", slips.KINDS, lambda kind, version: slips.shape(kind)),
        "note": _titled("note", _of_notes()),
        "heal": _titled("heal", schema.json_record(*heal.shape())),
        "seat-wanted": _titled("seat-wanted", schema.json_of(turnfile.SEAT_WANTED)),
    }


def _of_notes() -> Json:
    """A public or a private one."""
    return {"oneOf": [schema.json_record(*notes.shape(private)) for private in (False, True)]}


def text_of(kind: str) -> str:
    """The schema of a kind as it is published. Raises ProtocolError (unreadable) for a kind that there is not."""
    known = kinds()
    if kind not in known:
        raise unreadable(msg("there is no kind of document {kind!r}; kinds are {known}", kind=kind, known=", ".join(known)))
    return json.dumps(known[kind], indent=1) + "\n"


def _titled(title: str, made: Json) -> Json:
    return {"$schema": DRAFT, "title": f"pbem {title}", **made}


def _of_versions(title: str, shapes: Mapping[int, Shape]) -> Json:
    cases = {f"version-{v}": ({"pbem": v}, _in_version(v, schema.json_record(*shape))) for v, shape in shapes.items()}
    return _by_case(title, {"pbem": [*shapes]}, cases)


def _of_kinds(title: str, key: str, words: tuple[str, ...], shape: ShapeOf) -> Json:
    cases = {}
    for version in charter.VERSIONS:
        for word in words:
            made = schema.json_record(*shape(word, version))
            cases[f"{word}-{version}"] = ({"pbem": version, key: word}, _in_version(version, made))
    return _by_case(title, {"pbem": [*charter.VERSIONS], key: [*words]}, cases)


def _by_case(title: str, values: Mapping[str, list[int] | list[str]], cases: Mapping[str, tuple[Json, Json]]) -> Json:
    """One of several records, told apart by the values of these keys."""
    whole: Json = {"type": "object", "required": [*values], "properties": {k: {"enum": v} for k, v in values.items()}}
    whole["allOf"] = [
        {"if": {"properties": {k: {"const": v} for k, v in when.items()}}, "then": {"$ref": f"#/$defs/{name}"}}
        for name, (when, _) in cases.items()
    ]
    return _titled(title, {**whole, "$defs": {name: made for name, (_, made) in cases.items()}})


def _in_version(version: int, made: Json) -> Json:
    """In version 1 names of players are plain, as those of seats still are."""
    return _replaced(made, schema.json_of(names.name), schema.json_of(schema.name)) if version == 1 else made


def _replaced(made: Any, old: Json, new: Json) -> Any:
    if made == old:
        return new
    if isinstance(made, dict):
        return {key: _replaced(value, old, new) for key, value in made.items()}
    return [_replaced(value, old, new) for value in made] if isinstance(made, list) else made
