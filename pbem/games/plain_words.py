"""The words of a game that brings none: names as they stand, no tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.events import Stated
from pbem.kernel.flow import Reveal
from pbem.kernel.wording import Message, Overview, Told, counted, msg

SAID = {True: "yes", False: "no"}


class AsTheyStand(Mapping[str, Message]):
    """Every name is called what it is; none is known beforehand."""

    def __getitem__(self, name: str) -> Message:
        return Message(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class PlainWords:
    """Raw names. Its catalogue is one that nobody has written, so nothing is translated."""

    SEATS = SIDES = ASKED = AsTheyStand()
    LATER = counted("{n} turn later", "{n} turns later", 1)

    def __init__(self, name: str) -> None:
        self.CATALOGUE = name.replace("-", "_")

    def turn(self, g: Any) -> int:
        """There is one."""
        return 1

    def part(self, g: Any, *, whole: bool = False) -> Message:
        """The turn."""
        return msg("This turn")

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

    def item(self, g: Any, hidden: Plain) -> str | None:
        """As it stands."""
        return None

    def named(self, g: Any, word: str) -> Message | None:
        """As it stands."""
        return None

    def own(self, g: Any, seat: str, reveal: Reveal, asked: str = "") -> Sequence[Overview]:
        """None."""
        return ()

    def scenario_names(self, scenario: Mapping[str, Any]) -> Iterable[str]:
        """None."""
        return ()
