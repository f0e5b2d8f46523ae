"""Reading plain data against a shape: typed fields, unknown keys refused, all mistakes with their path.

Every check also says itself as JSON Schema (draft 2020-12), so that what is published is what is enforced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.wording import linked
from pbem.protocol.keys import decode_base64
from pbem.protocol.outcomes import ProtocolError, unreadable

Check = Callable[[Plain], str]  # "" or what is wrong
Json = dict[str, Any]
_HEX32 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_JSON: dict[Check, Callable[[], Json]] = {}


def described(json: Json | Callable[[], Json]) -> Callable[[Check], Check]:
    """Decorates a check with what JSON Schema can say of it (of a check made of others: when it is asked for)."""

    def note(check: Check) -> Check:
        _JSON[check] = json if callable(json) else lambda: json
        return check

    return note


def json_of(check: Check) -> Json:
    """A check as JSON Schema. Raises KeyError for one that is not `described`."""
    return _JSON[check]()


@described({"type": "string", "pattern": "^[0-9a-f]{64}$"})
def hex32(value: Plain) -> str:
    """32 bytes in lower-case hex."""
    return "" if isinstance(value, str) and _HEX32.fullmatch(value) else "32 bytes in lower-case hex are needed"


@described({"type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$"})
def name(value: Plain) -> str:
    """A player, seat or side: small letters, digits and hyphens, at most 32."""
    return "" if isinstance(value, str) and _NAME.fullmatch(value) else "a name has small letters, digits, hyphens"


@described({"type": "string", "pattern": "^[A-Za-z0-9+/]{85}[AQgw]==$"})
def signature(value: Plain) -> str:
    """64 bytes in canonical base64."""
    return "" if isinstance(value, str) and decode_base64(value, 64) else "64 bytes in base64 are needed"


@described({"type": "string", "pattern": "^[A-Za-z0-9+/]{106}[AEIMQUYcgkosw048]=$"})
def sealed_secret(value: Plain) -> str:
    """80 bytes in canonical base64: a secret in escrow."""
    return "" if isinstance(value, str) and decode_base64(value, 80) else "80 bytes in base64 are needed"


def text(limit: int) -> Check:
    """Text of at most `limit` characters."""

    @described({"type": "string", "maxLength": limit})
    def check(value: Plain) -> str:
        return "" if isinstance(value, str) and len(value) <= limit else f"text of at most {limit} characters is needed"

    return check


def number(low: int, high: int) -> Check:
    """A whole number in a range."""

    @described({"type": "integer", "minimum": low, "maximum": high})
    def check(value: Plain) -> str:
        good = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return "" if good else f"a whole number from {low} to {high} is needed"

    return check


@described({})
def anything(value: Plain) -> str:
    """Any plain value."""
    return ""


def one_of(*values: Plain) -> Check:
    """One of these values."""

    @described({"enum": [*values]})
    def check(value: Plain) -> str:
        return "" if any(value == x and type(value) is type(x) for x in values) else f"one of {values} is needed"

    return check


def maybe(check: Check) -> Check:
    """null, or what `check` wants."""

    @described(lambda: {"anyOf": [{"type": "null"}, json_of(check)]})
    def inner(value: Plain) -> str:
        return "" if value is None else check(value)

    return inner


def either(choose: Callable[[Plain], Check], *checks: Check) -> Check:
    """What `choose` finds for a value, one of these checks. No value passes two of them."""

    @described(lambda: {"oneOf": [json_of(check) for check in checks]})
    def inner(value: Plain) -> str:
        return choose(value)(value)

    return inner


def by_key(checks: Mapping[str, Check]) -> Check:
    """A mapping of the kind that it has the key of; the last kind where it has none."""
    *_, last = checks.values()

    def choose(value: Plain) -> Check:
        return next((check for key, check in checks.items() if isinstance(value, dict) and key in value), last)

    return either(choose, *checks.values())


def list_of(check: Check, limit: int = 10_000, least: int = 0) -> Check:
    """A list whose items all pass."""
    length: Json = {"minItems": least, "maxItems": limit} if least else {"maxItems": limit}
    size = f"{limit}" if least == limit else f"{least} to {limit}" if least else f"at most {limit}"

    @described(lambda: {"type": "array", "items": json_of(check), **length})
    def inner(value: Plain) -> str:
        if not isinstance(value, list) or not least <= len(value) <= limit:
            return f"a list of {size} is needed"
        return next((f"item {i + 1}: {wrong}" for i, v in enumerate(value) if (wrong := check(v))), "")

    return inner


def map_of(check: Check, key: Check = anything) -> Check:
    """A mapping whose keys and values all pass."""

    def json() -> Json:
        keys: Json = {} if key is anything else {"propertyNames": json_of(key)}
        return {"type": "object", "additionalProperties": json_of(check) or True, **keys}

    @described(json)
    def inner(value: Plain) -> str:
        if not isinstance(value, dict):
            return "a mapping is needed"
        return next((f"{k}: {w}" for k, v in value.items() if (w := key(k) or check(v))), "")

    return inner


def record(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """A mapping with exactly these keys."""

    @described(lambda: json_record(required, optional or {}))
    def inner(value: Plain) -> str:
        return "; ".join(problems(value, required, optional or {}))

    return inner


def json_record(required: Mapping[str, Check], optional: Mapping[str, Check]) -> Json:
    """A mapping with exactly these keys as JSON Schema."""
    properties: Json = {key: json_of(check) for key, check in {**required, **optional}.items()}
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


def problems(value: Plain, required: Mapping[str, Check], optional: Mapping[str, Check]) -> list[str]:
    """Everything that is wrong with a mapping, each line beginning with the key."""
    if not isinstance(value, dict):
        return ["a mapping is needed"]
    found = [f"{k} is missing" for k in required if k not in value]
    found += [f"unknown key {k!r}" for k in value if k not in required and k not in optional]
    checks = {**optional, **required}
    found += [f"{k}: {wrong}" for k, v in value.items() if k in checks and (wrong := checks[k](v))]
    return found


def check(value: Plain, required: Mapping[str, Check], optional: Mapping[str, Check], what: str) -> dict[str, Any]:
    """The mapping itself. Raises ProtocolError (unreadable) with all that is wrong."""
    wrong = problems(value, required, optional)
    if wrong or not isinstance(value, dict):
        raise unreadable(linked(": ", what, "; ".join(wrong)), path=_first_key(wrong))
    return value


def _first_key(wrong: Sequence[str]) -> str:
    head = wrong[0].split(":")[0]
    return head.removeprefix("unknown key ").strip("'") if " is missing" not in head else ""


__all__ = [
    "Check",
    "ProtocolError",
    "anything",
    "by_key",
    "check",
    "described",
    "either",
    "hex32",
    "json_of",
    "json_record",
    "list_of",
    "map_of",
    "maybe",
    "name",
    "number",
    "one_of",
    "problems",
    "record",
    "sealed_secret",
    "signature",
    "text",
]
