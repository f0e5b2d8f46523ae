"""Small questions that many rules ask: one of some units, one of some hexes."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.orders import read_place, read_unit
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.flow import Flow
from pbem.kernel.questions import one_of


def choose_unit(g: State, seat: str, verb: str, rule: str, prompt: str, units: Sequence[str], none: bool = False) -> Flow[str]:
    """One of some units; "" when there is none to choose or the owner declines. Asks nothing without units."""
    names = ", ".join(g.counter(u).name for u in units[:8])
    found = yield from one_of(seat, verb, rule, prompt, units, lambda body: read_unit(g, body), names, str, none=none)
    return found or ""


def choose_place(
    g: State, seat: str, verb: str, rule: str, prompt: str, places: Sequence[int], none: bool = False
) -> Flow[int]:
    """One of some hexes; 0 when there is none to choose or the owner declines. Asks nothing without hexes."""
    names = ", ".join(g.board.name(p) for p in places[:8])
    found = yield from one_of(seat, verb, rule, prompt, places, lambda body: read_place(g, body), names, int, none=none)
    return found or 0
