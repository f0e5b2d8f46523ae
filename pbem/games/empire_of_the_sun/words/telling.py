"""Every event of Empire of the Sun in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pbem.games.empire_of_the_sun.numbering import section
from pbem.games.empire_of_the_sun.state import State
from pbem.games.empire_of_the_sun.words import (
    telling_battles,
    telling_cards,
    telling_offensives,
    telling_politics,
    telling_units,
)
from pbem.kernel.wording import Told


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    told = words(g, event) if words else None
    return replace(told, rule=section(g, told.rule)) if told else None


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    **telling_cards.TELL,
    **telling_offensives.TELL,
    **telling_battles.TELL,
    **telling_units.TELL,
    **telling_politics.TELL,
}
