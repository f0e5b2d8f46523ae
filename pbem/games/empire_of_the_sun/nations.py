"""[6.12] Which HQs may activate and feed which units, by their nations."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import Counter
from pbem.games.empire_of_the_sun.state import State


def commands(g: State, hq: Counter, unit: Counter) -> bool:
    """[6.12] National limits of activation and supply."""
    return hq.side == unit.side and may_command(g, hq.nation, unit.allegiance)


def may_command(g: State, hq: str, allegiance: str) -> bool:
    """Nation of an HQ, allegiance of a unit. Marine air is air under a Commonwealth HQ in the second edition only [7.21]."""
    match hq:
        case "japan" | "joint":
            return True
        case "us":
            return allegiance in ("chinese", "us", "us air", "us marine air")
    return allegiance in ("chinese", "commonwealth", "us air") or (allegiance == "us marine air" and g.second)
