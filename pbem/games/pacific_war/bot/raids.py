"""Raids: carriers that strike a base or the ships in it and go home; Pearl Harbor is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.air import prospect
from pbem.games.pacific_war.state import FOE, State

SHARE = 15  # hundredths of steps of a strike that are a point of a prize's worth
FAR, FAR_BY_SURPRISE = 20, 34  # hexes to a target; the second while nobody is warned [PW-MOV-10]
FLEET_RANGE = 16  # range of a headquarters that plans raids: the smaller ones are of the army
STAND_OFF = 4  # hexes from the target: half the range of naval aircraft
ESCORTS = 4  # ships that go along
FEW_TARGETS = 12  # those with most ships and aircraft, which are looked at
LEAST = 300  # prospect of a target in hundredths of a step


def targets(g: State, side: str, wings: Sequence[str], at: int, most: int) -> Iterator[tuple[int, int]]:
    """Enemy bases that these aircraft should hurt, by what they promise: prospect and hex."""
    foe = FOE[side]
    there: dict[int, int] = {}
    for u in g.on_map(foe, "air", "naval"):
        if not g.units[u].aboard and not g.units[u].tf:
            there[g.units[u].at] = there.get(g.units[u].at, 0) + 1
    bases = [h for h in {**g.ports, **g.airfields} if h in there and distance(h, at) <= most]
    for h in sorted(bases, key=lambda h: (-there[h], distance(h, at), h))[:FEW_TARGETS]:
        if any(g.board.sea(n) for n in (h, *g.board.near(h))):
            gain = prospect(g, side, {"strike": h, "units": [*wings]})
            if gain >= LEAST:
                yield gain, h


def target(g: State, side: str, ships: Sequence[str], at: int, most: int = FAR) -> int:
    """The base that the carriers among these ships should strike from a hex; 0: none."""

    def find() -> int:
        wings = [u for s in ships if g.is_carrier(s) for u in g.air_aboard(s)]
        found = [(gain // (8 + distance(h, at)), h) for gain, h in targets(g, side, wings, at, most)] if wings else []
        return max(found, default=(0, 0))[1]

    return g.memo.cached(("bot raid", side, tuple(ships), at, most), find)


def raiders(g: State, units: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Ports with carriers that are ready, and the ships that would sail: carriers, then the strongest others."""
    decks = [u for u in units if g.is_carrier(u) and g.air_aboard(u)]
    for port in dict.fromkeys(g.units[u].at for u in decks):
        carriers = [u for u in decks if g.units[u].at == port]
        others = [u for u in units if g.units[u].at == port and g.counter(u).kind == "naval" and g.counter(u).gun[0] > 0]
        others = [u for u in others if u not in carriers]
        yield port, [*carriers, *sorted(others, key=lambda u: (-g.counter(u).gun[0], u))[:ESCORTS]]
