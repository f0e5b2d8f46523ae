"""What is counted and noted in a game of Empire of the Sun: shipping, passes, tracks, markers in force. More events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, Marker, State, offensive

# -- who acts, cards and passes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActiveSet:
    """[4.22] Whose impulse is next."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.active = self.side


@dataclass(frozen=True, slots=True)
class InitiativeSeized:
    """[7.29] A future offensive takes the initiative; no card: it has been used."""

    card: str
    rule: str = "7.29"

    def apply(self, g: State) -> None:
        g.seized = self.card


@dataclass(frozen=True, slots=True)
class PassesSet:
    """[12.4] The passes that a side has."""

    side: str
    passes: int
    rule: str = "12.4"

    def apply(self, g: State) -> None:
        g.passes = {**g.passes, self.side: self.passes}


@dataclass(frozen=True, slots=True)
class ExtraDrawsBegan:
    """[5.35] No card has been drawn by an event in this phase yet."""

    rule: str = "5.35"

    def apply(self, g: State) -> None:
        g.extra = {JAPAN: 0, ALLIES: 0}


@dataclass(frozen=True, slots=True)
class ExtraDrawn:
    """[5.35] A side draws one card more by an event."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.extra = {**g.extra, self.side: g.extra[self.side] + 1}


@dataclass(frozen=True, slots=True)
class ReshuffleDue:
    """[5.37] A side shuffles its discard pile at the end of the turn."""

    side: str
    rule: str = "5.37"

    def apply(self, g: State) -> None:
        g.reshuffle = [*g.reshuffle, self.side]


@dataclass(frozen=True, slots=True)
class TurnCleared:
    """[5.37] [6.23] Reshuffles are done, the Tokyo Express is gone."""

    rule: str = "5.37"

    def apply(self, g: State) -> None:
        g.reshuffle, g.express = [], 0
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class DealLossSet:
    """[12.2] Cards that Japan loses in the next deal."""

    cards: int
    rule: str

    def apply(self, g: State) -> None:
        g.deal_loss = self.cards


# -- shipping, replacements, forces out of play --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShippingSet:
    """[10.31] Amphibious shipping points of a side."""

    side: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.asp = {**g.asp, self.side: self.points}


@dataclass(frozen=True, slots=True)
class ShippingUsed:
    """[10.3] Those of them that are used in this turn."""

    side: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.asp_used = {**g.asp_used, self.side: self.points}


@dataclass(frozen=True, slots=True)
class ShippingReady:
    """[10.3] A new turn: none is used."""

    rule: str = "10.3"

    def apply(self, g: State) -> None:
        g.asp_used = {JAPAN: 0, ALLIES: 0}


@dataclass(frozen=True, slots=True)
class PointsSaved:
    """[5.33] [11.0] Replacement points that Japan keeps."""

    pool: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.points = {**g.points, self.pool: self.points}


@dataclass(frozen=True, slots=True)
class DivisionsSet:
    """[11.23] Japanese divisions in China."""

    divisions: int
    rule: str = "11.23"

    def apply(self, g: State) -> None:
        g.divisions = self.divisions


@dataclass(frozen=True, slots=True)
class EscortSet:
    """[12.2] The modifier of Japanese escorts."""

    escort: int
    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.escort = self.escort


@dataclass(frozen=True, slots=True)
class EscortsStopped:
    """[12.2] Japanese escorts are no use any more."""

    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.no_escort, g.escort = True, 0


@dataclass(frozen=True, slots=True)
class BombingSucceeded:
    """[12.3] Japan was bombed with success in this turn; `in_vain`: it cost no card, so that Will does not rise [1e-16.43]."""

    in_vain: bool
    rule: str = "12.3"

    def apply(self, g: State) -> None:
        g.bombing = [*g.bombing, g.turn]
        if self.in_vain:
            g.bombing_in_vain = g.turn


@dataclass(frozen=True, slots=True)
class ReinforcementsBegan:
    """[12.52] [16.47] The war in Europe and what Japan held, as the turn began."""

    level: int
    rule: str = "12.52"

    def apply(self, g: State) -> None:
        g.europe_at_start = self.level
        g.japanese_before = sorted(h for h, side in g.control.items() if side == JAPAN)


@dataclass(frozen=True, slots=True)
class HeadquartersDue:
    """[10.11] Headquarters that come in this turn."""

    hqs: tuple[str, ...]
    rule: str = "10.11"

    def apply(self, g: State) -> None:
        g.new_hqs = list(self.hqs)


@dataclass(frozen=True, slots=True)
class ProgressSet:
    """[16.47] The shipping points by which progress of the war is measured."""

    points: int
    rule: str = "16.47"

    def apply(self, g: State) -> None:
        g.asp_for_progress = self.points


@dataclass(frozen=True, slots=True)
class ArrivalsPunctual:
    """[10.2] A delay of Allied reinforcements is over."""

    rule: str = "10.2"

    def apply(self, g: State) -> None:
        g.in_force = [marker for marker in g.in_force if marker != "delayed_next"]


# -- politics --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EuropeMoved:
    """[15.0] The War in Europe marker."""

    points: int
    rule: str = "15.0"

    def apply(self, g: State) -> None:
        g.europe = self.points


@dataclass(frozen=True, slots=True)
class IndiaMoved:
    """[13.62] The marker of India."""

    box: int
    rule: str = "13.62"

    def apply(self, g: State) -> None:
        g.india = self.box


@dataclass(frozen=True, slots=True)
class IndiaWatched:
    """[1e-12.62] Turns in the present box of India, and whether all of its north is lost."""

    turns: int
    lost: bool
    rule: str = "13.62"

    def apply(self, g: State) -> None:
        g.india_turns, g.northern_lost, g.northern_regained = self.turns, self.lost, False


@dataclass(frozen=True, slots=True)
class ChinaMoved:
    """[13.72] The China front."""

    box: int
    rule: str

    def apply(self, g: State) -> None:
        g.china = self.box


@dataclass(frozen=True, slots=True)
class ChinaOffensiveMade:
    """[13.72] There was a China offensive in this turn."""

    rule: str = "13.72"

    def apply(self, g: State) -> None:
        g.china_turn = g.turn


@dataclass(frozen=True, slots=True)
class GroundPenalty:
    """[5.33] Commonwealth ground units do worse until this turn."""

    turn: int
    rule: str = "5.33"

    def apply(self, g: State) -> None:
        g.ground_penalty = self.turn


@dataclass(frozen=True, slots=True)
class RivalryBegan:
    """[14.0] Inter-Service Rivalry of a side."""

    side: str
    rule: str = "14.0"

    def apply(self, g: State) -> None:
        g.rivalry = [*g.rivalry, self.side]


@dataclass(frozen=True, slots=True)
class RivalryEnded:
    """[14.0] Its end: the Strategic Agreement."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.rivalry = [side for side in g.rivalry if side != self.side]


@dataclass(frozen=True, slots=True)
class CutOff:
    """[13.93] Segments in a row without a line from the home cities to a resource."""

    segments: int
    rule: str = "13.93"

    def apply(self, g: State) -> None:
        g.cut_off = self.segments


@dataclass(frozen=True, slots=True)
class BonusTaken:
    """[16.4] What moves Political Will once only has done so."""

    what: str
    rule: str

    def apply(self, g: State) -> None:
        g.bonuses = [*g.bonuses, self.what]


@dataclass(frozen=True, slots=True)
class OccupationCounted:
    """[16.42] Segments that Japan has held hexes of Alaska or Hawaii."""

    area: Literal["alaska", "hawaii"]
    held: tuple[tuple[str, int], ...]
    rule: str = "16.42"

    def apply(self, g: State) -> None:
        if self.area == "alaska":
            g.alaska = dict(self.held)
        else:
            g.hawaii = dict(self.held)


@dataclass(frozen=True, slots=True)
class CasualtiesCounted:
    """[16.45] US casualties have moved Political Will in this turn."""

    rule: str = "16.45"

    def apply(self, g: State) -> None:
        g.casualties = g.turn


@dataclass(frozen=True, slots=True)
class HawaiiOccupied:
    """[17.27] Hexes of Hawaii that Japan has held and occupied."""

    hexes: tuple[int, ...]
    rule: str = "17.27"

    def apply(self, g: State) -> None:
        g.occupied_once = sorted({*self.hexes, *g.occupied_once})


@dataclass(frozen=True, slots=True)
class InForce:
    """A marker that comes into force."""

    marker: Marker
    rule: str

    def apply(self, g: State) -> None:
        if self.marker not in g.in_force:
            g.in_force = sorted([*g.in_force, self.marker])
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class BargesSet:
    """[8.47] Japanese barges: `on`, or `never` any more."""

    state: str
    rule: str = "8.47"

    def apply(self, g: State) -> None:
        g.barges = self.state


@dataclass(frozen=True, slots=True)
class RouteBuilt:
    """[13.77] A transport route."""

    route: str
    rule: str = "13.77"

    def apply(self, g: State) -> None:
        g.routes = [*g.routes, self.route]
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class ExpressPlaced:
    """[6.23] The Tokyo Express."""

    place: int
    rule: str = "6.23"

    def apply(self, g: State) -> None:
        g.express = self.place
        g.memo.forget()


# -- the offensive ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StackMoving:
    """[8.43] The stack that moved last."""

    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        offensive(g).moving = list(self.units)


@dataclass(frozen=True, slots=True)
class ZoneTouched:
    """[7.25] A unit touched an enemy zone of influence."""

    rule: str = "7.25"

    def apply(self, g: State) -> None:
        offensive(g).touched = True


@dataclass(frozen=True, slots=True)
class ReactionShipping:
    """[8.45] Shipping points used in the reaction."""

    points: int
    rule: str = "8.45"

    def apply(self, g: State) -> None:
        offensive(g).reaction_asp = self.points


@dataclass(frozen=True, slots=True)
class BargesUsed:
    """[8.47] Japanese barges carry this landing."""

    rule: str = "8.47"

    def apply(self, g: State) -> None:
        offensive(g).barge = True


@dataclass(frozen=True, slots=True)
class Garrisoned:
    """[9.4] Battle hexes where the defender stood on land."""

    hexes: tuple[int, ...]
    rule: str = "9.4"

    def apply(self, g: State) -> None:
        offensive(g).garrisoned = list(self.hexes)


@dataclass(frozen=True, slots=True)
class IntelligenceRolled:
    """[7.25] The one roll for intelligence has been made."""

    rule: str

    def apply(self, g: State) -> None:
        offensive(g).rolled = True


@dataclass(frozen=True, slots=True)
class ConditionSet:
    """[7.25] The condition of intelligence."""

    condition: str
    rule: str = "7.25"

    def apply(self, g: State) -> None:
        offensive(g).condition = self.condition


@dataclass(frozen=True, slots=True)
class ReactionCardPlayed:
    """[5.32] A reaction card; a counteroffensive is the card of the reaction."""

    card: str
    counter: bool
    rule: str = "5.32"

    def apply(self, g: State) -> None:
        o = offensive(g)
        o.reaction_cards = [*o.reaction_cards, self.card]
        if self.counter:
            o.counter = self.card


@dataclass(frozen=True, slots=True)
class ReactionLed:
    """[7.26] The headquarters of the reaction."""

    hq: str
    rule: str = "7.26"

    def apply(self, g: State) -> None:
        offensive(g).reaction_hq = self.hq
