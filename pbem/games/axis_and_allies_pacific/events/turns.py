"""Turns, phases, war and the end of the game: what happens between powers."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.state import Snapshot, State, war_key
from pbem.games.axis_and_allies_pacific.stillness import still, still_but_for_land
from pbem.kernel.wording import Message


@still_but_for_land
class TurnBegan(Struct, frozen=True):
    """[TURN-02] A power's turn begins: the state of things is frozen, last turn's traces are cleared."""

    power: str
    snapshot: Snapshot
    rule: str = "TURN-02"

    def apply(self, g: State) -> None:
        g.power, g.start = self.power, self.snapshot
        g.engaged, g.landed_from, g.captured = {}, {}, {}
        g.kamikaze_zones, g.sea_battles, g.bombed, g.battles_done, g.returned = [], [], [], [], []
        g.attacked_from, g.pledged = {}, []
        for unit in g.units.values():
            unit.start, unit.came_from, unit.used, unit.moved = unit.at, "", 0, ""
            unit.fought, unit.role, unit.target = False, "", ""
        for facilities in g.facilities.values():
            for facility in facilities:
                facility.fresh = "" if facility.fresh == self.power else facility.fresh
                facility.enlarged = "" if facility.enlarged == self.power else facility.enlarged


@still
class PhaseBegan(Struct, frozen=True):
    """[TURN-02] A phase of the turn begins."""

    power: str
    phase: str
    rule: str = "TURN-02"

    def apply(self, g: State) -> None:
        g.power, g.phase = self.power, self.phase


@still
class TurnEnded(Struct, frozen=True):
    """[TURN-01] A power's turn is over."""

    power: str
    rule: str = "TURN-01"

    def apply(self, g: State) -> None:
        g.turns_taken[self.power] = g.turns_taken.get(self.power, 0) + 1


@still
class RoundBegan(Struct, frozen=True):
    """[TURN-01] A new round."""

    round: int
    rule: str = "TURN-01"

    def apply(self, g: State) -> None:
        g.round = self.round


@still_but_for_land
class WarDeclared(Struct, frozen=True):
    """[POL] Two powers are at war from now on; `opened_by` is the side that began it."""

    one: str
    other: str
    opened_by: str
    rule: str

    def apply(self, g: State) -> None:
        key = war_key(self.one, self.other)
        g.wars.append(key)
        g.wars.sort()
        g.war_opened_by[key] = self.opened_by


class NeutralityBroken(Struct, frozen=True):
    """[NEUT-02] A neutral territory was attacked; it leans to the side opposed to the attacker."""

    territory: str
    side: str
    rule: str = "NEUT-02"

    def apply(self, g: State) -> None:
        g.allegiance[self.territory] = self.side


class Won(Struct, frozen=True):
    """[VIC] The game is over."""

    side: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.win_reason, g.win_rule = self.side, str(self.reason), self.rule
