"""[PW-RPL-04] [PW-RPL-07] Air units whose level rises or falls: another counter takes their place."""

from __future__ import annotations

from pbem.games.pacific_war.engagements import AlertedAs
from pbem.games.pacific_war.events import Exchanged
from pbem.games.pacific_war.secret.forces import roster
from pbem.games.pacific_war.secret.pools import uses_in_secret
from pbem.games.pacific_war.state import State
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import msg, recorded_as, verbatim

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


def exchange(g: State, unit: str, level: int, rule: str, other: str = "") -> Flow[str]:
    """The unit becomes one of the other level, as its owner picks; without a counter nothing changes. The unit's name.

    `other`: the one that a sealed order names. Raises Rejected.
    """
    able, side = spares(g, unit, level), g.side(unit)
    if other:
        if other not in able:
            raise illegal(msg("{unit} does not become {other}", unit=unit, other=other), rule, verbatim(*able))
        emit(g, Exchanged(unit, other, rule))
        return other
    prompt = msg("which counter takes the place of {unit}", unit=unit)
    while True:
        other = yield from choose_unit(
            g.board.unit_index, side, "counter", rule, prompt, able, default=able[0] if able else None, reaction=True
        )
        if not other:
            return unit
        if not uses_in_secret(g, side) or (yield _is_spare(g, side, other, rule)) is True:
            emit(g, Exchanged(unit, other, rule))
            return other
        able.remove(other)


def _is_spare(g: State, side: str, counter: str, rule: str) -> Claim:
    """[PW-FOG-01] A new unit may be hidden: only its owner can say that the counter is not in play."""
    about = recorded_as(counter, msg("this counter is not in play: {unit}", unit=counter))
    return Claim(side, "spare", about, rule, lambda reveal: counter not in roster(g, side, reveal))


def promote(g: State) -> Flow[None]:
    """[PW-RPL-07] Who rolled a zero as CAP or escort and did not abort rises one level at the end of the mission."""
    m = g.mission
    assert m is not None
    for unit in m.experienced:
        if g.units[unit].box == "map" and unit not in m.aborted:
            other = yield from exchange(g, unit, g.counter(unit).level + 1, "PW-RPL-07")
            if unit in m.alerted and other != unit:
                emit(g, AlertedAs(unit, other))
