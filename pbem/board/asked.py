"""What the page sent, each part checked when it is looked at."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Partial
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError

MOST_CHOSEN, LONGEST = 2000, 200  # picks of one order; letters of one


@dataclass(frozen=True, slots=True)
class Asked:
    """The body of a request. Its methods raise ProtocolError (unreadable)."""

    plain: Mapping[str, Any]

    def text(self, name: str, most: int = 1 << 20) -> str:
        """A text; empty where it is missing."""
        value = self.plain.get(name, "")
        if not isinstance(value, str) or len(value) > most:
            raise strange(name)
        return value

    def number(self, name: str, missing: int | None = None) -> int:
        """A whole number."""
        value = self.plain.get(name, missing)
        if not isinstance(value, int) or isinstance(value, bool):
            raise strange(name)
        return value

    def texts(self, name: str) -> Sequence[str]:
        """A few texts; none where they are missing."""
        value = self.plain.get(name, [])
        if not isinstance(value, list) or not all(
            isinstance(text, str) and len(text) <= LONGEST for text in value[:MOST_CHOSEN]
        ):
            raise strange(name)
        return value[:MOST_CHOSEN]

    def names(self, name: str) -> Mapping[str, str]:
        """Texts by name; none where it is missing."""
        value = self.plain.get(name, {})
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise strange(name)
        return value

    def part(self, name: str) -> Asked:
        """Several things under one name; nothing where it is missing."""
        value = self.plain.get(name) or {}
        if not isinstance(value, dict):
            raise strange(name)
        return Asked(value)

    def orders(self) -> Sequence[Plain]:
        """Whole orders, whatever they are."""
        value = self.plain.get("orders")
        if not isinstance(value, list) or len(value) > MOST_CHOSEN:
            raise strange("orders")
        return value

    def partial(self) -> Partial:
        """What is picked so far: [slot, value, count] each."""
        chosen = self.plain.get("chosen", [])
        if not isinstance(chosen, list) or len(chosen) > MOST_CHOSEN:
            raise strange("chosen")
        return Partial(self.text("verb", LONGEST), tuple(_chosen(one) for one in chosen))


def _chosen(one: Any) -> Chosen:
    match one:
        case [str(slot), str(value), int(count)] if len(value) <= 10 * LONGEST and 0 < count <= 10_000:
            return Chosen(slot, value, count)
    raise strange("chosen")


def strange(name: str) -> ProtocolError:
    """What is said of something that the page would not send."""
    return ProtocolError(Outcome.UNREADABLE, msg("the page sent something strange: {name}", name=name))


def read_asked(body: bytes) -> Asked:
    """The body of a request. Raises ProtocolError (unreadable)."""
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError):
        raise strange("JSON") from None
    if not isinstance(plain, dict):
        raise strange("JSON")
    return Asked(plain)
