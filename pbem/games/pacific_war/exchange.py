"""[PW-RPL-04] [PW-RPL-07] Air units whose level rises or falls: another counter takes their place."""

from __future__ import annotations

from pbem.games.pacific_war.choices import pick
from pbem.games.pacific_war.events import Exchanged, MissionBecame
from pbem.games.pacific_war.state import State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow

OUT_OF_PLAY = ("eliminated", "reserve")


def spares(g: State, unit: str, level: int) -> list[str]:
    """Counters of the same kind and another level that are not in play."""
    c = g.counter(unit)
    kind = (c.side, c.nation, c.kind, c.type, c.carrier, c.kamikaze, level)
    found = []
    for name, s in g.board.counters.items():
        free = name not in g.units or g.units[name].box in OUT_OF_PLAY
        alike = (s.side, s.nation, s.kind, s.type, s.carrier, s.kamikaze, s.level) == kind
        if free and alike and s.steps >= g.steps(unit):
            found.append(name)
    return found


def exchange(g: State, unit: str, level: int, rule: str) -> Flow[str]:
    """The unit becomes one of the other level, as its owner picks; without a counter nothing changes. The unit's name."""
    able = spares(g, unit, level)
    prompt = f"which counter takes the place of {unit}"
    other = yield from pick(g, g.side(unit), "counter", rule, prompt, able, default=able[0] if able else None, reaction=True)
    if not other:
        return unit
    emit(g, Exchanged(unit, other, rule))
    return other


def promote(g: State) -> Flow[None]:
    """[PW-RPL-07] Who rolled a zero as CAP or escort and did not abort rises one level at the end of the mission."""
    m = g.mission
    assert m is not None
    for unit in m.experienced:
        if g.units[unit].box == "map" and unit not in m.aborted:
            other = yield from exchange(g, unit, g.counter(unit).level + 1, "PW-RPL-07")
            alerted = [other if u == unit else u for u in m.alerted]
            emit(g, MissionBecame("alerted", alerted, "PW-RPL-07"))
