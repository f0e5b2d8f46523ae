"""The words of a game that brings none: names as they stand, no tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.events import Stated
from pbem.kernel.flow import Reveal
from pbem.kernel.wording import Message, Overview, Told, msg

SAID = {True: "yes", False: "no"}


class PlainWords:
    """Raw names. Its catalogue is one that nobody has written, so nothing is translated."""

    def __init__(self, name: str) -> None:
        self.CATALOGUE = name.replace("-", "_")

    def seat(self, name: str) -> Message:
        """The name of the seat."""
        return Message(name)

    def side(self, name: str) -> Message:
        """The name of the side."""
        return Message(name)

    def turn(self, g: Any) -> int:
        """There is one."""
        return 1

    def heading(self, g: Any) -> Message:
        """The segment that is being played."""
        return Message(str(g.running)) if g.running is not None else msg("between two segments")

    def overviews(self, g: Any) -> Sequence[Overview]:
        """None."""
        return ()

    def remarks(self, g: Any) -> Sequence[Message]:
        """None."""
        return ()

    def board(self, g: Any) -> Mapping[str, Message]:
        """No spaces."""
        return {}

    def tell(self, g: Any, event: Any) -> Told | None:
        """Statements, as the rules name them; dice are told without it."""
        if not isinstance(event, Stated):
            return None
        value = SAID.get(event.value, event.value) if isinstance(event.value, bool) else event.value
        text = Message("{kind}, {about}: {value}", {"kind": event.kind, "about": event.about, "value": str(value)})
        return Told("orders", text, event.rule)

    def asked(self, kind: str) -> Message | None:
        """The kind of the question."""
        return Message(kind)

    def kinds(self) -> Mapping[str, Message]:
        """None that are known beforehand."""
        return {}

    def item(self, g: Any, hidden: Plain) -> str | None:
        """As it stands."""
        return None

    def named(self, g: Any, word: str) -> Message | None:
        """As it stands."""
        return None

    def own(self, g: Any, seat: str, reveal: Reveal) -> Sequence[Overview]:
        """None."""
        return ()

    def scenario_names(self, scenario: Mapping[str, Any]) -> Iterable[str]:
        """None."""
        return ()
