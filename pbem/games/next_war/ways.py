"""[8.5] The way that a march takes which names its end alone, for who writes it; and another one that costs as much."""

from __future__ import annotations

from pbem.games.next_war.movement import Path
from pbem.games.next_war.searches import find_path
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected, judged, verb_of
from pbem.kernel.stretches import swapped
from pbem.kernel.wording import Message, msg

MARCH = "move"


def chosen_way(g: State, ask: Ask, order: Plain) -> Message | None:
    """The hexes of a march; None for other orders, and where there is no hex between. The order may not stand."""
    if ask.kind != "movement" or verb_of(order) != MARCH:
        return None
    try:
        _, (units, path) = judged(ask.read, order)
    except Rejected:
        return None
    if len(path.hexes) < 3:
        return None
    told = {"units": ", ".join(g.counter(u).name for u in units), "way": _told(g, path.hexes)}
    other = _another(g, ask.seat, units, path)
    if other is None:
        return msg("{units}: by way of {way}", **told)
    return msg(
        "{units}: by way of {way}; over {place} it costs as much, and zones and mines on it may differ (`via` names hexes)",
        place=g.board.name(other),
        **told,
    )


def _told(g: State, hexes: tuple[int, ...]) -> str:
    return ", ".join(g.board.hexes[h].label for h in hexes[1:-1])


def _another(g: State, side: str, units: list[str], path: Path) -> int | None:
    """A hex over which another way of the same cost leads."""
    start, to = path.hexes[0], path.hexes[-1]
    for place, _ in swapped(path.hexes, lambda at: g.board.near[at]):
        try:
            found = find_path(g, side, units, start, to, (place,))
        except Rejected:
            continue
        if found.spent == path.spent:
            return place
    return None
