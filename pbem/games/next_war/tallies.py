"""What is counted and noted in a turn of the Next War series: weather, points, missions, supply. More events."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.next_war.state import ALLIED, OPPOSED, SIDES, State

# -- turns and segments --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnCleared:
    """[3.0] [8.5.8] What holds for one turn only is forgotten: sea zones, landings, passages, assaults."""

    rule: str = "3.0"

    def apply(self, g: State) -> None:
        g.zones_entered, g.landed, g.unloaded, g.shipped, g.assaulted = {}, {}, {}, {}, []
        g.grounded = []  # who fled while the turn before ended


@dataclass(frozen=True, slots=True)
class WeatherSet:
    """[4.0] The weather of the turn."""

    weather: str
    rule: str = "4.0"

    def apply(self, g: State) -> None:
        g.weather = self.weather


@dataclass(frozen=True, slots=True)
class TurnOpened:
    """[5.1] A Contested Turn, or one in which a side has the Initiative. Victory Points of the turn begin at zero."""

    contested: bool
    rule: str = "5.1"

    def apply(self, g: State) -> None:
        g.contested, g.vp_turn = self.contested, {ALLIED: 0, OPPOSED: 0}


@dataclass(frozen=True, slots=True)
class InitiativeHeld:
    """[5.1] Who has the Initiative."""

    side: str
    rule: str = "5.1"

    def apply(self, g: State) -> None:
        g.first = self.side


@dataclass(frozen=True, slots=True)
class MovementBegan:
    """[8.2.2] [8.5.8.2] [8.5.7.3] Who stands in enemy zones at the beginning; what a segment may ship begins anew."""

    in_zone: tuple[str, ...]
    rule: str = "8.2.2"

    def apply(self, g: State) -> None:
        g.started_in_zone = list(self.in_zone)
        g.unloaded = {h: n for h, n in g.unloaded.items() if h not in g.beachheads}
        g.shipped = {key: n for key, n in g.shipped.items() if key.startswith("airborne")}


@dataclass(frozen=True, slots=True)
class UnitsDone:
    """[8.5] These have moved in this segment."""

    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.moved.extend(self.units)


@dataclass(frozen=True, slots=True)
class UsedUp:
    """Ships, lifts and bridges that have done their work in this segment."""

    things: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.fired.extend(self.things)


@dataclass(frozen=True, slots=True)
class AttacksOpen:
    """[9.1] Units that may still attack in this segment."""

    units: tuple[str, ...]
    rule: str = "9.1"

    def apply(self, g: State) -> None:
        g.may_attack = list(self.units)


@dataclass(frozen=True, slots=True)
class Reorganized:
    """[6.5.2] [6.2] Helicopters are ready again, Air Points left over are gone."""

    rule: str = "6.5.2"

    def apply(self, g: State) -> None:
        g.flown, g.missions, g.grounded, g.air = [], {}, [], dict.fromkeys(SIDES, 0)


@dataclass(frozen=True, slots=True)
class EntriesForgotten:
    """[8.4] [8.4.1.3] Who entered which hex, and which markers came off, counts for one turn."""

    rule: str = "8.4"

    def apply(self, g: State) -> None:
        g.entered, g.cleared = {}, []


# -- air and sea ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AirPointsReceived:
    """[6.1] Air Points of the turn."""

    side: str
    points: int
    rule: str = "6.1"

    def apply(self, g: State) -> None:
        g.air_received[self.side] = g.air[self.side] = self.points


@dataclass(frozen=True, slots=True)
class AirPointsSpent:
    """[6.2] Air Points that a side has left."""

    side: str
    left: int
    rule: str

    def apply(self, g: State) -> None:
        g.air[self.side] = self.left


@dataclass(frozen=True, slots=True)
class AirPointLost:
    """[6.3] One Air Point more is lost for good."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.air_lost[self.side] += 1


@dataclass(frozen=True, slots=True)
class AirLevelSet:
    """[6.4] The Air Superiority level, from -3 to 3."""

    level: int
    rule: str = "6.4"

    def apply(self, g: State) -> None:
        g.air_level = self.level


@dataclass(frozen=True, slots=True)
class LiftSet:
    """[8.5.4.1] Airmobile Points to use in this turn, in halves."""

    halves: tuple[tuple[str, int], ...]
    rule: str = "8.5.4.1"

    def apply(self, g: State) -> None:
        g.lift = dict(self.halves)


@dataclass(frozen=True, slots=True)
class LiftUsed:
    """[8.5.4.1] What is left of them."""

    side: str
    left: int
    rule: str = "8.5.4.1"

    def apply(self, g: State) -> None:
        g.lift[self.side] = self.left


@dataclass(frozen=True, slots=True)
class LiftShared:
    """[8.5.4.1] Units of one hex that share Airmobile Points."""

    place: int
    points: int
    rule: str = "8.5.4.1"

    def apply(self, g: State) -> None:
        g.shared_lift[self.place] = self.points


@dataclass(frozen=True, slots=True)
class AirmobilePointsSet:
    """[8.5.4] The Airmobile Points that a side owns."""

    side: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.lift_points[self.side] = self.points


@dataclass(frozen=True, slots=True)
class HelicopterFlew:
    """[6.5] A mission is flown."""

    helo: str
    rule: str

    def apply(self, g: State) -> None:
        g.missions[self.helo] = g.missions.get(self.helo, 0) + 1
        g.flown.append(self.helo)


@dataclass(frozen=True, slots=True)
class HelicopterGrounded:
    """[6.5.1.2] [6.5.6] It flies no more this turn."""

    helo: str
    rule: str

    def apply(self, g: State) -> None:
        g.grounded.append(self.helo)


@dataclass(frozen=True, slots=True)
class BaseCrowded:
    """[6.5.1.2] A helicopter fled over the limit of a base in this turn; 0: that is settled."""

    helo: str
    turn: int
    rule: str = "6.5.1.2"

    def apply(self, g: State) -> None:
        if self.turn:
            g.overrun[self.helo] = self.turn
        else:
            g.overrun.pop(self.helo, None)


@dataclass(frozen=True, slots=True)
class ThreatSet:
    """[7.4.3] The submarine threat of a side."""

    side: str
    level: int
    rule: str

    def apply(self, g: State) -> None:
        g.threat[self.side] = self.level


@dataclass(frozen=True, slots=True)
class AntisubmarineSet:
    """[7.4.3] The antisubmarine level of a side."""

    side: str
    level: int
    rule: str = "7.4.3"

    def apply(self, g: State) -> None:
        g.asw[self.side] = self.level


@dataclass(frozen=True, slots=True)
class SeaControlSet:
    """[7.2] A sea area changes hands; None: it is contested."""

    area: str
    side: str | None
    rule: str = "7.2"

    def apply(self, g: State) -> None:
        if self.side is None:
            g.sea_control.pop(self.area, None)
        else:
            g.sea_control[self.area] = self.side
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class MinesSpent:
    """[7.5.2] A Mine marker that was cleared does not come back."""

    side: str
    rule: str = "7.5.2"

    def apply(self, g: State) -> None:
        g.mine_pool[self.side] -= 1


@dataclass(frozen=True, slots=True)
class ZonesEntered:
    """[8.5.6.4] At Sea areas that a ship has entered in this turn."""

    unit: str
    count: int
    rule: str = "8.5.6.4"

    def apply(self, g: State) -> None:
        g.zones_entered[self.unit] = self.count


@dataclass(frozen=True, slots=True)
class Shipped:
    """[8.5.7.3] [8.5.3.1] Stacking Points that went by sea, or by air, so far."""

    key: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.shipped[self.key] = self.points


@dataclass(frozen=True, slots=True)
class Unloaded:
    """[8.5.7.4] Stacking Points unloaded at a place so far."""

    place: int
    points: int
    rule: str = "8.5.7.4"

    def apply(self, g: State) -> None:
        g.unloaded[self.place] = self.points


@dataclass(frozen=True, slots=True)
class AssaultMade:
    """[8.5.8] A ship has carried its assault of this turn."""

    ship: str
    rule: str = "8.5.8"

    def apply(self, g: State) -> None:
        g.assaulted.append(self.ship)


@dataclass(frozen=True, slots=True)
class Poised:
    """[8.5.8.1] A unit waits before a beach for the Combat Segment."""

    unit: str
    beach: int
    rule: str = "8.5.8.1"

    def apply(self, g: State) -> None:
        g.poised[self.unit] = self.beach


@dataclass(frozen=True, slots=True)
class AssaultsOff:
    """[8.5.8] Assaults that were not carried out in the Combat Segment are off."""

    rule: str = "8.5.8"

    def apply(self, g: State) -> None:
        g.poised = {}


@dataclass(frozen=True, slots=True)
class Landed:
    """[8.5.3] [8.5.4] [9.9.4] A unit came this way in this turn; it waits before no beach any more."""

    unit: str
    how: str
    rule: str

    def apply(self, g: State) -> None:
        g.poised.pop(self.unit, None)
        g.landed[self.unit] = self.how


# -- land ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HexEntered:
    """[8.4] [8.3.1.10] Who went into a hex, or beside it, last in this turn."""

    place: int
    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.entered[self.place] = self.side


@dataclass(frozen=True, slots=True)
class FerryLost:
    """[8.3.1.8] A ferry is gone."""

    key: int
    rule: str = "8.3.1.8"

    def apply(self, g: State) -> None:
        g.ferries_lost.append(self.key)


@dataclass(frozen=True, slots=True)
class BridgeChanged:
    """A bridge is down, or stands again."""

    key: int
    down: bool
    rule: str = "SOP"

    def apply(self, g: State) -> None:
        left = [key for key in g.bridges_down if key != self.key]
        g.bridges_down = [*left, self.key] if self.down else left
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class SupplyJudged:
    """[13.1] Who is out of supply."""

    out: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.unsupplied = list(self.out)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Fled:
    """[9.8.6] A unit has retreated into a hex in this segment."""

    unit: str
    place: int
    rule: str = "9.8.6"

    def apply(self, g: State) -> None:
        g.refugees[self.unit] = self.place
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class ReplacementsBegan:
    """[11.2] Nobody has been reconstituted in this phase yet."""

    rule: str = "11.2"

    def apply(self, g: State) -> None:
        g.restored = []


@dataclass(frozen=True, slots=True)
class ReplacementsSet:
    """[11.0] Replacement points of a nation."""

    nation: str
    points: int
    rule: str = "11.0"

    def apply(self, g: State) -> None:
        g.replacements[self.nation] = self.points


@dataclass(frozen=True, slots=True)
class Reconstituted:
    """[11.2] A unit came back from the eliminated ones in this phase."""

    unit: str
    rule: str = "11.2"

    def apply(self, g: State) -> None:
        g.restored.append(self.unit)


# -- victory -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CapitalTaken:
    """[12.2] A side has taken a hex of the capital in this turn."""

    side: str
    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.capital[self.side] = 1


@dataclass(frozen=True, slots=True)
class PointsCounted:
    """[12.1] Victory Points of the turn are added to the others."""

    rule: str = "12.1"

    def apply(self, g: State) -> None:
        g.vp = {side: g.vp[side] + g.vp_turn[side] for side in SIDES}


@dataclass(frozen=True, slots=True)
class CapitalsJudged:
    """[12.2] Throws for capitals have been made."""

    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.capital = {ALLIED: 0, OPPOSED: 0}


@dataclass(frozen=True, slots=True)
class ThrowMade:
    """[12.2] Throws for Automatic Victory of a side so far."""

    side: str
    count: int
    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.throws[self.side] = self.count
