"""The state of a game of Axis & Allies Pacific 1940: plain records, and the questions every chapter asks of them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from pbem.games.axis_and_allies_pacific.board import EMPTY_BOARD, Board
from pbem.games.axis_and_allies_pacific.whereabouts import Facing, Ground, Places, following, listed
from pbem.kernel.events import Cursor, Event
from pbem.kernel.images import Image
from pbem.kernel.records import Mark

POWERS = ("japan", "united-states", "china", "united-kingdom", "anzac")
SIDES = {"japan": "axis", "united-states": "allies", "china": "allies", "united-kingdom": "allies", "anzac": "allies"}
PHASES = ("purchase", "combat-move", "conduct-combat", "noncombat-move", "mobilize", "collect-income")
LAND = ("infantry", "mechanized-infantry", "artillery", "tank", "aa-gun")
AIR = ("fighter", "tactical-bomber", "strategic-bomber")
SEA = ("submarine", "transport", "destroyer", "cruiser", "aircraft-carrier", "battleship")
SURFACE_WARSHIPS = ("destroyer", "cruiser", "aircraft-carrier", "battleship")
CAPITAL_SHIPS = ("aircraft-carrier", "battleship")


class Unit(Struct):
    """One piece. `aboard` is the transport or carrier it is on; its `at` is then that ship's zone.

    Kept for one turn and cleared when the next begins: `start` (where it stood), `came_from` (the space from which it
    entered `at`, for retreats), `used` (movement points), `moved` ("combat" or "noncombat"), `fought`, `role` and
    `target`. Roles: `bomb`, `escort`, `intercept`, `scramble`, `landed` (seaborne), `submerged`, `stranded`.
    `target` is the territory that cargo is to assault.
    """

    id: int
    type: str
    owner: str
    at: str
    damaged: bool = False
    aboard: int | None = None
    start: str = ""
    came_from: str = ""
    used: int = 0
    moved: str = ""
    fought: bool = False
    role: str = ""
    target: str = ""


class Facility(Struct):
    """An industrial complex or base. `fresh`: its captor, until that power's next turn begins (CAP-05).

    `enlarged`: who made a major complex of a minor one this turn; until his next turn it makes what it made before.
    """

    type: str
    damage: int = 0
    fresh: str = ""
    enlarged: str = ""


class Snapshot(Struct):
    """[TURN-02] What stood at the start of the turn: controllers, hostile zones, wars."""

    control: dict[str, str] = msgspec.field(default_factory=dict)
    hostile_zones: list[str] = msgspec.field(default_factory=list)
    wars: list[str] = msgspec.field(default_factory=list)


class Trail(Struct):
    """How a phase began, and how many events there were each time that it asked for an order: its positions can be found again.

    `first`: how many there were when it began; `names`: of the ways that led to the positions, as far as a bot has wanted them.
    """

    start: Image[Any]
    first: int
    stops: list[int] = msgspec.field(default_factory=list)
    names: list[str] = msgspec.field(default_factory=list)


@dataclass(slots=True)
class State:
    """Everything that is remembered between two segments. All of it is public."""

    options: dict[str, Any]
    stack: list[Cursor] = field(default_factory=list)
    running: Cursor | None = None
    round: int = 1
    power: str = "japan"  # whose turn it is
    phase: str = "purchase"
    units: dict[int, Unit] = field(default_factory=dict)
    next_id: int = 1
    control: dict[str, str] = field(default_factory=dict)
    allegiance: dict[str, str] = field(default_factory=dict)  # formerly neutral territory -> side it leans to
    facilities: dict[str, list[Facility]] = field(default_factory=dict)
    cash: dict[str, int] = field(default_factory=dict)
    purchased: dict[str, dict[str, int]] = field(default_factory=dict)  # mobilization zone: power -> type -> number
    wars: list[str] = field(default_factory=list)  # "china japan": the two powers in alphabetical order
    war_opened_by: dict[str, str] = field(default_factory=dict)  # "china japan" -> the side that opened that war
    turns_taken: dict[str, int] = field(default_factory=dict)
    start: Snapshot = field(default_factory=Snapshot)
    kamikaze_left: int = 6
    kamikaze_enabled: bool = False
    kamikaze_zones: list[str] = field(default_factory=list)  # zones attacked by kamikazes this turn
    engaged: dict[str, list[str]] = field(default_factory=dict)  # zone -> ["submarines", "transports"] the attacker engages
    sea_battles: list[str] = field(default_factory=list)  # zones in which combat took place this turn (AMP-03, GC-18)
    bombed: list[str] = field(default_factory=list)  # territories whose raid is resolved this turn
    battles_done: list[str] = field(default_factory=list)  # spaces whose battle is resolved this turn
    attacked_from: dict[str, list[str]] = field(default_factory=dict)  # space of a battle -> where its attackers came from
    landed_from: dict[int, str] = field(default_factory=dict)  # transport -> territory it offloaded on this turn
    pledged: list[int] = field(default_factory=list)  # aircraft that count on a carrier, in the order of the promises
    returned: list[str] = field(default_factory=list)  # territories liberated this turn, decided finally at its end
    captured: dict[str, str] = field(default_factory=dict)  # territory captured this turn -> controller before
    objectives_taken: list[str] = field(default_factory=list)  # once-per-game objectives already paid
    japan_fell: int = 0  # round and turn count of Japan when its capital was last captured, 0: never or freed again
    winner: str = ""
    win_reason: str = ""
    win_rule: str = ""
    marks: dict[str, Mark] = field(default_factory=dict)
    board: Board = field(default=EMPTY_BOARD, metadata={"cache": True})
    events: list[Event] = field(default_factory=list, metadata={"cache": True})
    places: Places | None = field(default=None, metadata={"cache": True})
    ground: Ground | None = field(default=None, metadata={"cache": True})
    trail: Trail | None = field(default=None, metadata={"cache": True})  # of this phase, or the last that had one

    def forget(self) -> None:
        """Who stands where is looked up anew."""
        self.places, self.ground = None, None

    def at(self, space: str) -> list[Unit]:
        """Every unit in a space, cargo included, by id."""
        return list(self._by_place().at.get(space, ()))

    def of(self, power: str) -> list[Unit]:
        """Every unit of a power."""
        return list(self._by_place().of.get(power, ()))

    def cargo(self, ship: Unit) -> list[Unit]:
        """What a transport or carrier has aboard."""
        return list(self._by_place().aboard.get(ship.id, ()))

    def memo(self) -> dict[tuple[Any, ...], Any]:
        """Answers that hold until the next event, by question."""
        places = self.places
        if places is None or places.events != len(self.events) or places.count != len(self.units):
            places = self._by_place()
        return places.memo

    def lasting(self) -> dict[tuple[Any, ...], Any]:
        """Answers that hold until land changes hands, a war is declared, a facility changes or a turn begins."""
        places = self.places
        if places is None or places.events != len(self.events) or places.count != len(self.units):
            places = self._by_place()
        if places.lasting is None:
            ground = self.ground
            facilities = [(t, f.type, f.damage, f.fresh, f.enlarged) for t, here in self.facilities.items() for f in here]
            if (
                ground is None
                or ground.start is not self.start
                or ground.control != self.control
                or ground.facilities != facilities
                or ground.wars != self.wars
                or ground.captured != self.captured
                or ground.allegiance != self.allegiance
            ):
                ground = self.ground = Ground(
                    dict(self.control),
                    dict(self.allegiance),
                    dict(self.captured),
                    list(self.wars),
                    self.start,
                    facilities,
                )
            places.lasting = ground.memo
        return places.lasting

    def facing(self, power: str) -> dict[tuple[Any, ...], Any]:
        """Answers that depend on where units that are not this power's are, and on what `lasting` answers depend on.

        They hold while only this power's units move, go aboard or ashore: not on those, nor on what they carry.
        """
        ground, places = self.lasting(), self.places
        assert places is not None  # those of the last event, since `lasting` has looked at them
        held = places.facing.get(power)
        if held is None or held.ground is not ground:
            held = places.facing[power] = Facing(ground)
        return held.memo

    def _by_place(self) -> Places:
        """The index of units, made anew after every event that may have moved one."""
        before, number, count = self.places, len(self.events), len(self.units)
        if before is not None and before.count == count and before.events <= number:
            if before.events == number:
                return before
            kept = following(before, self.events, self.units)
            if kept is not None:
                self.places = kept
                return kept
        self.places = listed(self.units, number)
        return self.places

    def facility(self, territory: str, *types: str) -> Facility | None:
        """The facility of one of these types in a territory, if there is one."""
        for found in self.facilities.get(territory, ()):
            if found.type in types:
                return found
        return None


def side_of(g: State, owner: str) -> str:
    """The side of a power or of an unplayed owner; neutral garrisons lean against who attacked them."""
    if owner in SIDES:
        return SIDES[owner]
    if owner in ("france", "netherlands"):
        return "allies"
    return ""


def war_key(one: str, other: str) -> str:
    """The name of the state of war between two powers."""
    return f"{one} {other}" if one < other else f"{other} {one}"


def at_war(g: State, one: str, other: str) -> bool:
    """[POL] Two owners are at war. France is at war with Japan from the start; a garrison is, with whom it leans against."""
    if one == other:
        return False
    if {one, other} == {"japan", "france"}:
        return True  # [POL-JP-05]
    return war_key(one, other) in g.wars


def enemies_of(g: State, power: str) -> list[str]:
    """The powers this power is at war with, in turn order."""
    return [p for p in POWERS if p != power and at_war(g, power, p)]


def friends(one: str, other: str) -> bool:
    """[SPACE-03] Two powers on the same side (a power is its own friend)."""
    return one == other or (one in SIDES and other in SIDES and SIDES[one] == SIDES[other])


def foes_of(g: State, power: str) -> Container[str]:
    """Every owner of units, played or not, that a power is at war with; garrisons of neutral land apart."""
    memo, question = g.lasting(), ("foes", power)
    if question not in memo:
        memo[question] = frozenset(o for o in (*POWERS, "france", "netherlands") if at_war(g, power, o))
    foes: Container[str] = memo[question]
    return foes


def is_enemy_unit(g: State, power: str, unit: Unit) -> bool:
    """[SPACE-04] A unit that fights this power: its owner is at war with it, or it garrisons a neutral it violates."""
    if unit.owner == "neutral":
        return g.allegiance.get(unit.at, "") not in ("", SIDES[power])
    return at_war(g, power, unit.owner)


def enemy_units(g: State, power: str, space: str) -> list[Unit]:
    """The units in a space that fight this power; cargo is not listed."""
    there = g.at(space)
    if not there:
        return there
    foes = foes_of(g, power)
    return [u for u in there if (u.owner in foes or (u.owner == "neutral" and is_enemy_unit(g, power, u))) and not is_cargo(u)]


def is_cargo(unit: Unit) -> bool:
    """[GC-03] Land units aboard a transport. Aircraft on a carrier are not cargo unless they are an attacker's guests."""
    return unit.aboard is not None and unit.type in LAND


def reacts(g: State, seat: str) -> bool:
    """A question to the side whose turn it is not: the charter may name one ally who answers it."""
    return SIDES[seat] != SIDES[g.power]


def zone_is_hostile(g: State, power: str, zone: str) -> bool:
    """[SPACE-04] A sea zone holding a surface warship of a power at war with this one."""
    return zone in hostile_zones(g, power)


def hostile_zones(g: State, power: str) -> Container[str]:
    """[SPACE-04] Every space with such a warship in it."""
    memo, question = g.facing(power), ("hostile",)
    if question not in memo:
        foes = foes_of(g, power)
        memo[question] = frozenset(u.at for u in g.units.values() if u.type in SURFACE_WARSHIPS and u.owner in foes)
    zones: Container[str] = memo[question]
    return zones


def controller_side(g: State, territory: str) -> str:
    """The side that holds a territory; empty for a neutral never violated and for closed land."""
    return g.allegiance.get(territory) or side_of(g, g.control[territory])


def is_friendly(g: State, power: str, territory: str) -> bool:
    """[SPACE-03] Controlled by this power or by a power on its side (unplayed France and Netherlands are Allied)."""
    return controller_side(g, territory) == SIDES[power]


def is_hostile(g: State, power: str, territory: str) -> bool:
    """[SPACE-03] Controlled by a power at war with this one, or leaning against it after its neutrality was broken."""
    if g.control[territory] == "neutral":
        return g.allegiance.get(territory, "") not in ("", SIDES[power])
    if g.control[territory] == "netherlands":
        return power == "japan" and at_war(g, "japan", "united-kingdom")  # [POL-JP-04]
    return at_war(g, power, g.control[territory])


def is_neutral(g: State, territory: str) -> bool:
    """[NEUT-01] Neutral, and its neutrality was never violated."""
    return g.control[territory] == "neutral" and territory not in g.allegiance


def garrison(g: State, territory: str) -> int:
    """[NEUT-01] Infantry that would come out, were the neutrality of a territory violated; 0 where it is not neutral."""
    return g.board.territories[territory].garrison if is_neutral(g, territory) else 0


def is_closed(g: State, territory: str) -> bool:
    """[POL-SU-01] Soviet territory and the Himalayas: nobody enters or flies over."""
    return g.control[territory] in ("soviet-union", "none")


def capital_lost(g: State, power: str) -> bool:
    """[CAP-08] The capital of this power is in enemy hands. China has none."""
    capital = g.board.capitals.get(power)
    return capital is not None and controller_side(g, capital) != SIDES[power]


def operative(facility: Facility | None) -> bool:
    """[BASE-03] A base works below three points of damage."""
    return facility is not None and facility.damage < 3


def serving_bases(g: State, power: str, zone: str) -> list[str]:
    """[BASE-02] [CAP-05] Territories whose operative friendly naval base, held since the turn began, serves a zone."""
    return [t for t in g.board.neighbours[zone] if t in g.facilities and base_works(g, power, t, "naval-base")]


def base_works(g: State, power: str, territory: str, kind: str) -> bool:
    """[CAP-05] An operative friendly base, not captured since its captor's last turn began."""
    if territory not in g.facilities:
        return False
    memo, question = g.lasting(), ("base", power, territory, kind)
    if question not in memo:
        memo[question] = _base_works(g, power, territory, kind)
    return bool(memo[question])


def _base_works(g: State, power: str, territory: str, kind: str) -> bool:
    base = g.facility(territory, kind)
    held = g.start.control.get(territory, g.control[territory])
    return (
        operative(base)
        and base is not None
        and not base.fresh
        and is_friendly(g, power, territory)
        and held == g.control[territory]
    )


def movement_points(g: State, unit: Unit) -> int:
    """[BASE-01] [BASE-02] A unit's whole movement this turn: printed value, plus one from a base where it started."""
    memo, question = g.lasting(), ("movement", unit.type, unit.owner, unit.start)
    if question not in memo:
        memo[question] = _movement_points(g, unit)
    return int(memo[question])


def _movement_points(g: State, unit: Unit) -> int:
    points = g.board.types[unit.type].move
    if unit.type in AIR and unit.start in g.board.territories:
        return points + int(base_works(g, unit.owner, unit.start, "air-base"))
    if unit.type in SEA and unit.start:
        return points + int(bool(serving_bases(g, unit.owner, unit.start)))
    return points
