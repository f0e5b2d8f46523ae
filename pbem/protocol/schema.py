"""Reading plain data against a shape: typed fields, unknown keys refused, all mistakes with their path."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.kernel.canon import Plain
from pbem.protocol.keys import decode_base64
from pbem.protocol.outcomes import ProtocolError, unreadable

Check = Callable[[Plain], str]  # "" or what is wrong
_HEX32 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")


def hex32(value: Plain) -> str:
    """32 bytes in lower-case hex."""
    return "" if isinstance(value, str) and _HEX32.fullmatch(value) else "32 bytes in lower-case hex are needed"


def name(value: Plain) -> str:
    """A player, seat or side: small letters, digits and hyphens, at most 32."""
    return "" if isinstance(value, str) and _NAME.fullmatch(value) else "a name has small letters, digits, hyphens"


def signature(value: Plain) -> str:
    """64 bytes in canonical base64."""
    return "" if isinstance(value, str) and decode_base64(value, 64) else "64 bytes in base64 are needed"


def text(limit: int) -> Check:
    """Text of at most `limit` characters."""
    return lambda v: "" if isinstance(v, str) and len(v) <= limit else f"text of at most {limit} characters is needed"


def number(low: int, high: int) -> Check:
    """A whole number in a range."""

    def check(value: Plain) -> str:
        good = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return "" if good else f"a whole number from {low} to {high} is needed"

    return check


def anything(value: Plain) -> str:
    """Any plain value."""
    return ""


def one_of(*values: Plain) -> Check:
    """One of these values."""
    return lambda v: "" if any(v == x and type(v) is type(x) for x in values) else f"one of {values} is needed"


def maybe(check: Check) -> Check:
    """null, or what `check` wants."""
    return lambda v: "" if v is None else check(v)


def list_of(check: Check, limit: int = 10_000) -> Check:
    """A list whose items all pass."""

    def inner(value: Plain) -> str:
        if not isinstance(value, list) or len(value) > limit:
            return f"a list of at most {limit} is needed"
        return next((f"item {i + 1}: {wrong}" for i, v in enumerate(value) if (wrong := check(v))), "")

    return inner


def map_of(check: Check, key: Check = anything) -> Check:
    """A mapping whose keys and values all pass."""

    def inner(value: Plain) -> str:
        if not isinstance(value, dict):
            return "a mapping is needed"
        return next((f"{k}: {w}" for k, v in value.items() if (w := key(k) or check(v))), "")

    return inner


def record(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """A mapping with exactly these keys."""

    def inner(value: Plain) -> str:
        return "; ".join(problems(value, required, optional or {}))

    return inner


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
        raise unreadable(f"{what}: " + "; ".join(wrong), path=_first_key(wrong))
    return value


def _first_key(wrong: Sequence[str]) -> str:
    head = wrong[0].split(":")[0] if wrong else ""
    return head.removeprefix("unknown key ").strip("'") if " is missing" not in head else ""


__all__ = [
    "Check",
    "ProtocolError",
    "anything",
    "check",
    "hex32",
    "list_of",
    "map_of",
    "maybe",
    "name",
    "number",
    "one_of",
    "problems",
    "record",
    "signature",
    "text",
]
