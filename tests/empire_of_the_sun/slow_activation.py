"""A second, slow reading of activation: which units the HQ of an operations card may call, how many, and which together.

Written from the rules alone: second edition 6.11, 6.12, 6.25, 6.3, 7.21, 12.31, 13.74, 13.79, 14.0; first edition 5.12, 6.21,
7.52, 7.53, 11.5, 14.0. Lines and paths are those of slow_supply.py.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property

from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from tests.empire_of_the_sun.slow_supply import INDIAN_FIELDS, KUNMING, RANGOON, Second

CHINA_BURMA_INDIA = ("Burma", "NIndia", "Ceylon")
SPARE = 0  # units more than the rules allow: set by a test that wants the judge to be wrong


class Calls:
    """What one HQ may activate in one position."""

    def __init__(self, g: State, hq: str, value: int) -> None:
        self.g, self.hq, self.value = g, hq, value
        self.slow = Second(g)
        self.path = self.slow.reach(hq)
        self.side = self.slow.side(hq)

    def may(self, unit: str) -> bool:
        """[7.21] Of its own side, under its command, in supply, at the end of an activation path."""
        counter, piece = self.slow.counters[unit], self.g.pieces[unit]
        if counter.side != self.side or counter.kind == "hq" or piece.box not in ("map", "china"):
            return False
        if piece.bombed == self.g.turn or not self.slow.may_call(self.slow.counters[self.hq], unit):
            return False
        return self._may_in_china(unit) if piece.box == "china" else unit in self.slow.fed and piece.at in self.path

    def _may_in_china(self, unit: str) -> bool:
        """[13.74] Supplied by the road or over the Hump; reached through Kunming, or a supplied airfield of Northern India."""
        supplied = self.slow.road_open() or self.slow.hump_works()
        only_b29 = not self.g.second and not self.slow.counters[unit].b29
        fields = [h for h in INDIAN_FIELDS[:2] if h in self.path] if self.g.has("hump") else []
        reached = KUNMING in self.path or any(self.slow.friendly(ALLIES, h) for h in fields)
        return reached and (supplied or only_b29)

    def most(self, units: Sequence[str]) -> int:
        """[7.21] The card's value and the efficiency of the HQ."""
        counter = self.slow.counters[self.hq]
        rating = counter.efficiency
        if self.g.second and self.side == ALLIES:
            rating -= counter.nation in ("us", "joint") and not self.to_the_east
        if self.g.second and self.side == JAPAN and any(self._in_burma(u) for u in units) and RANGOON in self.slow.hexes:
            rating -= not self.g.has("kwai") and self.slow.friendly(ALLIES, RANGOON)
        return self.value + max(0, rating) + SPARE

    @cached_property
    def to_the_east(self) -> bool:
        """[6.25] A supply line leads from the east edge of the map to the HQ."""
        east = [h for h in self.slow.hexes if h // 100 == self.g.board.edges[1]]
        ports = self.slow.eligible_ports(ALLIES)
        return self.g.pieces[self.hq].at in {h for h, _, _ in self.slow.line(ALLIES, east, 10**6, 10**6, ports)}

    def _in_burma(self, unit: str) -> bool:
        piece = self.g.pieces[unit]
        return piece.box == "map" and self.slow.hexes[piece.at].region in CHINA_BURMA_INDIA

    def doubtful(self, units: Sequence[str]) -> bool:
        """[13.79] Whether a supply line over the Kwai, which is not looked for here, decides about one unit more."""
        return self.g.second and self.side == JAPAN and self.g.has("kwai") and any(self._in_burma(u) for u in units)

    def rivals(self, units: Sequence[str]) -> bool:
        """[14.1] [14.2] Units of the Army and of the Navy of one power."""
        nation = "us" if self.side == ALLIES else "japan"
        services = {self.slow.counters[u].service for u in units if self.slow.counters[u].nation == nation}
        return self.side in self.g.rivalry and {"army", "navy"} <= services


def disagreements_on_activation(g: State, ask: Ask, dice: random.Random, groups: int = 6) -> list[str]:
    """At the activation of an operations card: every unit alone, and groups of the largest number, one more, and any."""
    o = g.offensive
    if o is None or o.event or not o.hq or ask.kind != "activate":
        return []
    calls = Calls(g, o.hq, o.allowance)
    units = [u for u in g.pieces if g.pieces[u].box in ("map", "china") and calls.slow.counters[u].kind != "hq"]
    able = [u for u in units if calls.may(u)]
    found = []
    for unit in units:
        enough = calls.doubtful([unit]) or calls.most([unit]) >= 1
        if enough:
            found += _differs(ask, [unit], unit in able, o.hq)
    for _ in range(groups if able else 0):
        most = calls.most(able[:1])
        group = dice.sample(able, min(len(able), dice.choice((most, most + 1, max(1, most - 1)))))
        if group and not calls.doubtful(group):
            found += _differs(ask, group, len(group) <= calls.most(group) and not calls.rivals(group), o.hq)
    return found


def _differs(ask: Ask, units: Sequence[str], legal: bool, hq: str) -> list[str]:
    order: Plain = {"activate": list(units)}
    try:
        ask.read(order)
    except Rejected as refused:
        return [f"{hq}: {order} was refused: {refused}"] if legal else []
    return [] if legal else [f"{hq}: {order} was accepted"]
