"""The state of a game of Pacific War: its fields, and the questions every chapter asks of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pbem.games.pacific_war.board import CARRIERS, EMPTY_BOARD, FORT, Board, Counter, X, distance
from pbem.games.pacific_war.records import Account, Base, Headquarters, Marker, Mission, Operation, Sea, Secret, Unit, Work
from pbem.kernel.events import Cursor, Event
from pbem.kernel.memo import PLACES, PRESENCE, Memo
from pbem.kernel.records import Mark

JAPAN, ALLIES = "japan", "allies"
SIDES = (JAPAN, ALLIES)
FOE = {JAPAN: ALLIES, ALLIES: JAPAN}
NOBODY = "nobody"  # [PW-BID-05] after a claimed operation that activated nothing
WRITTEN = {"plain": True}  # what is in the field is replaced, never changed
LIGHTS = ("am", "random", "pm", "dusk", "night")  # [PW-LUM-02] clockwise
ENGAGEMENT, BATTLE, CAMPAIGN, STRATEGIC = "engagement", "battle", "campaign", "strategic"


@dataclass(slots=True)
class State:
    """Everything that is remembered between two segments."""

    options: dict[str, Any]
    stack: list[Cursor] = field(default_factory=list)
    running: Cursor | None = None
    scenario: str = ""
    level: str = BATTLE
    month: int = 44  # 44 is December 1941
    day: int = 0
    days: int = 0
    cycle: int = 0
    cycles: int = 0
    phase: str = ""
    operator: str = JAPAN  # the operations player
    condition: str = "intercept"
    light: str = "am"
    light_used: bool = False
    advantage: str = JAPAN
    units: dict[str, Unit] = field(default_factory=dict)
    markers: dict[str, Marker] = field(default_factory=dict)
    forces: dict[str, list[int]] = field(default_factory=dict)  # [PW-FOG-01] hexes with a Force marker of a side
    in_secret: dict[str, list[Secret]] = field(default_factory=dict)  # orders that concern sealed units, by side
    stirring: dict[str, bool] = field(default_factory=dict)  # sides with activated units in their sealed forces
    airfields: dict[int, Base] = field(default_factory=dict)
    ports: dict[int, Base] = field(default_factory=dict)
    seaplanes: dict[str, int] = field(default_factory=dict)  # [PW-BAS-03] tender -> cycles it has stayed in its hex
    osbs: dict[int, Base] = field(default_factory=dict)
    control: dict[int, str] = field(default_factory=dict)
    sieges: dict[int, str] = field(default_factory=dict)  # hex -> besieging side
    fallen: dict[int, str] = field(default_factory=dict)  # [PW-MOV-04] anchorages overrun in this operation, and by whom
    entries: list[str] = field(default_factory=list)  # [PW-MOV-03] "side from to"
    barred: list[str] = field(default_factory=list)  # "side hex": closed to a retreat or withdrawal, as owners of Forces state
    searched: list[str] = field(default_factory=list)  # what has been searched or has searched this increment or phase
    targeted: list[int] = field(default_factory=list)  # [PW-AIR-02] hexes a mission has flown to this phase
    tested: list[str] = field(default_factory=list)  # troop quality tests of this phase
    moved: dict[str, int] = field(default_factory=dict)  # hexes or movement points spent this phase
    steps_made: int = 0  # naval movement marker of the operations player
    reaction_steps: int = 0
    stopped: bool = False  # [PW-MOV-10] for the record alone: a stop ends the naval phase, and no rule asks for it later
    waves: dict[str, int] = field(default_factory=dict)  # [PW-AIR-19] unit -> hex it waits in for its simultaneous strike
    patrols: dict[str, list[int]] = field(default_factory=dict)  # [PW-OPT-17] unit -> hex it patrols over, hexes it flew there
    submarine_shots: list[str] = field(default_factory=list)  # [PW-SUB-05] crippled ships already shot at
    mission: Mission | None = None
    sea: Sea | None = None
    hqs: dict[str, Headquarters] = field(default_factory=dict)
    purse: dict[str, int] = field(default_factory=dict)  # command points of the month, not yet allocated
    reserve: dict[str, list[int]] = field(default_factory=dict)  # [PW-CMD-05] month and points
    secrets: dict[str, str] = field(default_factory=dict)  # dice that one side alone has seen
    operation: Operation | None = None
    accounts: dict[str, Account] = field(default_factory=dict)  # sealed points; those of a headquarters: the most it can have
    covers: dict[str, dict[int, str]] = field(default_factory=dict)  # [PW-CMD-09] hexes of hidden aircraft: air or 1E, by side
    cover_of: dict[str, str] = field(default_factory=dict)  # by side: digest of the position for which it was stated
    claims_next: str = ""  # [PW-BID-05] the side that may become operations player without a bid; or NOBODY
    last_month: int = 0
    points_table: dict[str, Any] = field(default_factory=dict, metadata=WRITTEN)  # command points by month, as printed
    schedule: dict[str, Any] = field(default_factory=dict, metadata=WRITTEN)  # reinforcements and replacements by month
    pools: dict[str, dict[str, int]] = field(
        default_factory=dict
    )  # replacement steps: side -> "ground us", "air 1", "air from 40"
    works: dict[int, Work] = field(default_factory=dict)
    express: dict[str, list[int]] = field(default_factory=dict)  # emergency links: name -> start and end hex
    plan: dict[str, list[int]] = field(default_factory=dict)  # [PW-SOL-01] routes written in advance
    boats: str = ""  # [PW-OPT-18] where the PT boats are, in secret
    boat_places: list[int] = field(default_factory=list)  # hexes that could have them when they were stationed
    weather: dict[str, str] = field(default_factory=dict)  # [PW-WX-01] condition by zone; empty without the rules
    initiative: int = 0  # [PW-SI-01] space of the marker; positive: Japanese
    abroad: dict[str, Any] = field(default_factory=dict)  # [PW-EXT-01] unit -> edge, boxes left, the ship that carries it
    ledger: dict[str, int] = field(default_factory=dict)  # counts of the strategic game
    script: dict[str, Any] = field(default_factory=dict, metadata=WRITTEN)  # what is fixed: light, advantage, first cycle
    victory: dict[str, Any] = field(default_factory=dict, metadata=WRITTEN)
    winner: str = ""
    win_reason: str = ""
    win_rule: str = ""
    marks: dict[str, Mark] = field(default_factory=dict)
    board: Board = field(default=EMPTY_BOARD, metadata={"cache": True})
    events: list[Event] = field(default_factory=list, metadata={"cache": True})
    memo: Memo = field(default_factory=Memo, compare=False, metadata={"cache": True})  # forgets with every change of layout
    reaches: dict[Any, Any] = field(default_factory=dict, metadata={"cache": True})  # linked hexes by position

    def forget(self) -> None:
        """Drops what was computed."""
        self.memo, self.reaches = self.memo.fresh(), {}

    def airborne(self, unit: str) -> bool:
        """[PW-AIR-19] [PW-OPT-17] It waits for its strike or patrols: it is in the air, not at its base."""
        return unit in self.waves or unit in self.patrols

    # -- installations -------------------------------------------------------------------------------------------------

    def bases(self, kind: str) -> dict[int, Base]:
        """The installations of a kind by hex: airfield, port, osb."""
        match kind:
            case "airfield":
                return self.airfields
            case "port":
                return self.ports
            case "osb":
                return self.osbs
            case _:
                raise ValueError(f"{kind!r} is no kind of installation")

    def target(self, kind: str, place: int) -> Base | Work | None:
        """What of a kind can be hit in a hex: an installation, or a construction."""
        return self.works.get(place) if kind == "construction" else self.bases(kind).get(place)

    # -- counters ------------------------------------------------------------------------------------------------------

    def orders_given(self, unit: str) -> int:
        """How many secret orders the side of a unit has given: older ones do not concern what is seen now."""
        return len(self.in_secret.get(self.side(unit), ()))

    def counter(self, unit: str) -> Counter:
        """What is printed on a unit."""
        return self.board.counters[unit]

    def side(self, unit: str) -> str:
        """Whose unit."""
        return self.board.counters[unit].side

    def on_map(self, side: str, *kinds: str) -> Iterator[str]:
        """One side's units on the map, of some kinds or of all, in counter order."""
        mine: dict[str, str] = self.memo.cached("on map", self._on_map, PRESENCE).get(side, {})
        if not kinds:
            return iter(mine)
        return iter(self.memo.cached((side, kinds), lambda: [n for n, kind in mine.items() if kind in kinds], PRESENCE))

    def _on_map(self) -> dict[str, dict[str, str]]:
        """By side the units on the map with their kinds."""
        found: dict[str, dict[str, str]] = {}
        counters = self.board.counters
        for unit, u in self.units.items():
            if u.box == "map":
                c = counters[unit]
                found.setdefault(c.side, {})[unit] = c.kind
        return found

    def here(self, side: str, place: int, *kinds: str) -> list[str]:
        """One side's units in a hex."""
        found = self.memo.cached("by hex", self._by_hex, PLACES).get((side, place), ())
        return [u for u in found if not kinds or self.board.counters[u].kind in kinds]

    def paratroops(self, side: str, place: int) -> list[str]:
        """Its troops there that drop from aircraft [PW-AIR-20]."""
        return [u for u in self.here(side, place, "ground") if self.board.counters[u].type == "airborne"]

    def _by_hex(self) -> dict[tuple[str, int], list[str]]:
        found: dict[tuple[str, int], list[str]] = {}
        counters = self.board.counters
        for unit, u in self.units.items():
            if u.box == "map":
                found.setdefault((counters[unit].side, u.at), []).append(unit)
        return found

    def steps(self, unit: str) -> int:
        """Steps left of an air or ground unit; hits a ship can still take."""
        c, u = self.board.counters[unit], self.units[unit]
        return (c.capacity if c.kind == "naval" else c.steps) - u.hits

    def strength(self, unit: str, printed: int) -> int:
        """[PW-DMG-02] [PW-DMG-03] A printed strength less hits; -1 is zero-four, X stays X."""
        return X if printed == X else -1 if printed < 0 else max(-1, printed - self.units[unit].hits)

    def crippled(self, unit: str) -> bool:
        """[PW-UNT-05] A ship one hit from sinking that can be crippled."""
        c = self.board.counters[unit]
        return c.cripples and self.units[unit].hits == c.capacity - 1

    def launch(self, ship: str) -> int:
        """[PW-UNT-07] What a carrier can carry now; a crippled one launches nothing."""
        return max(0, self.board.counters[ship].launch - self.units[ship].hits)

    def air_aboard(self, ship: str) -> list[str]:
        """Air units on a carrier or tender."""
        return [u for u in self.aboard(ship) if self.counter(u).kind == "air"]

    def cargo(self, ship: str) -> list[str]:
        """Ground units on a ship."""
        return [u for u in self.aboard(ship) if self.counter(u).kind == "ground"]

    def aboard(self, ship: str) -> list[str]:
        """All that is on a ship."""

        def find() -> dict[str, list[str]]:
            return _grouped((x.aboard, u) for u, x in self.units.items() if x.aboard and x.box == "map")

        return self.memo.cached("aboard", find, PLACES).get(ship, [])

    def ashore(self, side: str, place: int) -> list[str]:
        """Ground units of a side on land in a hex."""
        return [u for u in self.here(side, place, "ground") if not self.units[u].aboard]

    def overrun(self, side: str, place: int) -> bool:
        """[PW-MOV-04] Only enemy troops stand in a hex."""
        return bool(self.ashore(FOE[side], place)) and not self.ashore(side, place)

    def ships(self, side: str, place: int) -> list[str]:
        """Ships of a side in a hex, in task forces or not; never submarines."""
        return self.here(side, place, "naval")

    def members(self, tf: str) -> list[str]:
        """Ships of a task force."""

        def find() -> dict[str, list[str]]:
            return _grouped((x.tf, u) for u, x in self.units.items() if x.tf and x.box == "map")

        return [*self.memo.cached("task forces", find).get(tf, ())]

    def forces_at(self, side: str, place: int) -> list[str]:
        """Task force markers of a side in a hex."""
        return [m for m, x in self.markers.items() if x.side == side and x.at == place]

    def bombers(self, place: int) -> list[str]:
        """[PW-STB-02] The groups of strategic bombers on an airfield."""
        return [group for group in ("20th", "21st") if self.ledger.get(f"{group} at") == place]

    def fort(self, side: str, place: int) -> str:
        """[PW-BAS-05] The fortification of a side in a hex, or ""."""
        return next((s for s in self.ships(side, place) if self.board.counters[s].type == FORT), "")

    def is_carrier(self, unit: str) -> bool:
        """[PW-UNT-07] A ship that is an air base."""
        return self.board.counters[unit].type in CARRIERS

    # -- time, light, places -------------------------------------------------------------------------------------------

    @property
    def night(self) -> bool:
        """[PW-LUM-03] Night."""
        return self.light == "night"

    @property
    def reactor(self) -> str:
        """The reaction player."""
        return FOE[self.operator]

    def in_penalty(self, side: str) -> bool:
        """[PW-TIM-04] [PW-TIM-05] The side may not start combat any more."""
        o = self.operation
        if o is None:
            return False
        return bool(o.penalty) if side == self.operator else o.last_cycles > 1

    def search_part(self) -> str:
        """[PW-SRC-03] Which part of a search chart holds."""
        return "night" if self.night and self.phase != "contact" else "day"

    def airfield(self, side: str, place: int) -> Base | None:
        """A side's airfield in a hex."""
        base = self.airfields.get(place)
        return base if base is not None and base.side == side else None

    def port(self, side: str, place: int) -> Base | None:
        """A side's port in a hex."""
        base = self.ports.get(place)
        return base if base is not None and base.side == side else None

    def anchorage(self, place: int) -> bool:
        """[PW-MAP-02] A port, restricted water or an atoll."""
        h = self.board.hex(place)
        return place in self.ports or h.water == "restricted" or h.land == "atoll"

    def near_air(self, side: str, place: int, radius: int, *types: str) -> bool:
        """An air unit of a side, of some types or any, within a distance."""
        return any(
            distance(place, self.units[u].at) <= radius
            for u in self.on_map(side, "air")
            if not types or self.board.counters[u].type in types
        )

    def afloat(self, side: str, place: int) -> bool:
        """Ships of a side in a hex, or a sealed task force."""
        return bool(self.ships(side, place)) or any(
            m.side == side and m.at == place and m.handle for m in self.markers.values()
        )

    def sails(self, mover: str, goal: int) -> bool:
        """[PW-MAP-01] A task force or unit afloat may pass to a neighbour; out of a double-coastline hex on its own side."""
        place = self.markers[mover].at if mover in self.markers else self.units[mover].at
        return all(self.board.sails(place, goal, came) for came in self._shores(mover))

    def _shores(self, mover: str) -> set[int]:
        if mover not in self.markers:
            return {self.units[mover].shore}
        return {self.markers[mover].shore, *(self.units[s].shore for s in self.members(mover))}

    def marker_at(self, side: str, place: int) -> bool:
        """A task force of a side is in the hex."""
        return any(x.side == side and x.at == place for x in self.markers.values())


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
