"""The state of a game of the Next War series: plain records, and the questions every chapter asks of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from pbem.games.next_war.board import EMPTY_BOARD, PEAKS, Board, Counter, Strength
from pbem.kernel.events import Cursor, Event
from pbem.kernel.memo import MISSING, Memo
from pbem.kernel.records import Mark

T = TypeVar("T")
ALLIED, OPPOSED = "allied", "non-allied"
SIDES = (ALLIED, OPPOSED)
FOE = {ALLIED: OPPOSED, OPPOSED: ALLIED}
LEVELS = ("contested", "advantage", "superiority", "supremacy")
NEWER = "newer"


class Piece(Struct):
    """Where a counter is: in a hex (`at`), in an area or box (`box`), or aboard an AMPH (`aboard`).

    Boxes: the ids of sea areas, `due` (reinforcement of turn `due`), `eliminated`, `removed`.
    """

    at: int = 0
    box: str = ""
    reduced: bool = False
    aboard: str = ""
    due: int = 0


class Clearing(Struct):
    """[8.4.1] A Clearing marker; the number is 0 until it is turned up."""

    side: str
    number: int = 0


class Beachhead(Struct):
    """[8.5.8.2] A Beachhead marker on the map."""

    side: str
    steps: int
    placed: int  # movement segments that had begun when it was placed


class Mines(Struct):
    """[7.5] A mine marker."""

    side: str
    density: int
    layer: str = ""  # the naval unit that laid them last


class Fight(Struct):
    """[9.2] The combat that is being resolved."""

    side: str
    target: int
    units: list[str]
    lead: str
    amphibious: list[str] = msgspec.field(default_factory=list)
    shift: int = 0  # of the segment: exploitation
    defenders: list[str] = msgspec.field(default_factory=list)  # who fights
    present: list[str] = msgspec.field(default_factory=list)  # who is there
    defender_lead: str = ""
    support: dict[str, int] = msgspec.field(default_factory=dict)  # side -> combat support after Air Defense Fire
    lost: dict[str, int] = msgspec.field(default_factory=dict)  # unit -> steps lost
    retreated: int = 0  # hexes the defender had to retreat
    column: int = 0
    helos: dict[str, list[str]] = msgspec.field(default_factory=dict)
    points: dict[str, int] = msgspec.field(default_factory=dict)
    ships: dict[str, list[str]] = msgspec.field(default_factory=dict)


def _both() -> dict[str, int]:
    return {ALLIED: 0, OPPOSED: 0}


@dataclass(slots=True)
class State:
    """Everything that is remembered between two segments."""

    options: dict[str, Any]
    stack: list[Cursor] = field(default_factory=list)
    running: Cursor | None = None
    turn: int = 0
    phase: str = ""
    segment: str = ""
    moment: int = 0  # movement segments that have begun
    weather: str = "clear"
    contested: bool = False
    first: str = ALLIED  # Initiative player, or First Player of a Contested Turn
    pieces: dict[str, Piece] = field(default_factory=dict)
    control: dict[int, str] = field(default_factory=dict)
    entered: dict[int, str] = field(default_factory=dict)  # hexes that a side entered this turn and has not lost
    clearing: dict[int, Clearing] = field(default_factory=dict)
    cleared: list[int] = field(default_factory=list)  # hexes from which a Clearing marker was taken this turn
    fallen: list[int] = field(default_factory=list)  # fortifications, and DMZ hexes, that have been captured
    ferries_lost: list[int] = field(default_factory=list)  # hexsides, 10000 * lower + higher hex
    bridges_down: list[int] = field(default_factory=list)
    beachheads: dict[int, Beachhead] = field(default_factory=dict)
    beachheads_out: list[int] = field(default_factory=list)  # 10 * turn of return + side index
    mines: dict[int, Mines] = field(default_factory=dict)
    mine_pool: dict[str, int] = field(default_factory=_both)
    vp: dict[str, int] = field(default_factory=_both)
    vp_turn: dict[str, int] = field(default_factory=_both)
    throws: dict[str, int] = field(default_factory=_both)
    capital: dict[str, int] = field(default_factory=_both)  # capital hexes taken this turn
    air: dict[str, int] = field(default_factory=_both)  # Air Points left this turn
    air_received: dict[str, int] = field(default_factory=_both)
    air_lost: dict[str, int] = field(default_factory=_both)
    air_level: int = 0  # from -3 (supremacy of the non-allied side) to 3
    lift: dict[str, int] = field(default_factory=_both)  # airmobile capacity left this turn, in half stacking points
    lift_points: dict[str, int] = field(default_factory=_both)  # airmobile points owned
    shared_lift: dict[int, int] = field(default_factory=dict)  # start hex -> half point left over
    sea_control: dict[str, str] = field(default_factory=dict)
    threat: dict[str, int] = field(default_factory=_both)
    asw: dict[str, int] = field(default_factory=_both)
    moved: list[str] = field(default_factory=list)  # units done for this movement segment
    started_in_zone: list[str] = field(default_factory=list)  # units in an enemy zone when the segment began
    flown: list[str] = field(default_factory=list)  # helicopters that flew in this segment
    missions: dict[str, int] = field(default_factory=dict)  # helicopter -> missions this turn
    grounded: list[str] = field(default_factory=list)  # helicopters that rebased this turn
    overrun: dict[str, int] = field(default_factory=dict)  # helicopter -> turn in which it rebased over the limit
    zones_entered: dict[str, int] = field(default_factory=dict)  # naval unit -> sea zones entered this turn
    assaulted: list[str] = field(default_factory=list)  # AMPHs that carried an assault this turn
    poised: dict[str, int] = field(default_factory=dict)  # unit aboard -> beach it is about to assault
    unloaded: dict[int, int] = field(default_factory=dict)  # port or beachhead -> half stacking points
    shipped: dict[str, int] = field(default_factory=dict)  # limits used: name -> half stacking points
    landed: dict[str, str] = field(default_factory=dict)  # unit -> how it landed this turn
    fired: list[str] = field(default_factory=list)  # naval units that gave support in this segment
    attacked: list[int] = field(default_factory=list)  # hexes attacked in this combat segment
    may_attack: list[str] = field(default_factory=list)  # units adjacent to the enemy when the segment began
    fought: list[str] = field(default_factory=list)  # units that attacked in this combat segment
    refugees: dict[str, int] = field(default_factory=dict)  # unit that retreated in this segment -> hex
    replacements: dict[str, int] = field(default_factory=dict)  # nation -> points
    restored: list[str] = field(default_factory=list)  # units that got a step this turn
    unsupplied: list[str] = field(default_factory=list)
    fight: Fight | None = None
    winner: str = ""
    win_reason: str = ""
    win_rule: str = ""
    level: str = ""
    marks: dict[str, Mark] = field(default_factory=dict)
    board: Board = field(default=EMPTY_BOARD, metadata={"cache": True})
    events: list[Event] = field(default_factory=list, metadata={"cache": True})
    memo: Memo = field(default_factory=Memo, compare=False, metadata={"cache": True})  # forgets with every change of layout
    changes: dict[str, int] = field(default_factory=_both, metadata={"cache": True})  # of the layout, by one side's units alone
    kept: dict[str, tuple[int, dict[Any, Any]]] = field(default_factory=dict, metadata={"cache": True})
    armies: dict[str, dict[int, list[str]]] = field(default_factory=dict, compare=False, metadata={"cache": True})  # by hex
    searches: dict[Any, Any] = field(default_factory=dict, compare=False, metadata={"cache": True})  # of marches

    # -- options ---------------------------------------------------------------------------------------------------------

    @property
    def newer(self) -> bool:
        """The rules of the newer English printing, where they differ and are known exactly."""
        return bool(self.options["edition"] == NEWER)

    def on(self, option: str) -> bool:
        """An optional rule is in force."""
        return bool(self.options.get(option) == "on")

    @property
    def p(self) -> Any:
        """The parameters of the scenario."""
        return self.board.p

    @property
    def storm(self) -> bool:
        """Storm this turn."""
        return self.weather == "storm"

    def order(self) -> tuple[str, str]:
        """Initiative or First Player, then the other."""
        return self.first, FOE[self.first]

    # -- counters --------------------------------------------------------------------------------------------------------

    def counter(self, unit: str) -> Counter:
        """What is printed on a unit."""
        return self.board.counters[unit]

    def values(self, unit: str) -> Strength:
        """The side of a ground counter that is up."""
        counter = self.board.counters[unit]
        found = counter.back if self.pieces[unit].reduced and counter.back is not None else counter.front
        assert found is not None
        return found

    def steps(self, unit: str) -> int:
        """Steps left."""
        return 1 if self.pieces[unit].reduced else self.board.counters[unit].steps

    def lost_steps(self, unit: str) -> int:
        """[9.7.1] Steps that the unit has lost, whenever that was."""
        return self.board.counters[unit].steps - self.steps(unit)

    def seat(self, unit: str) -> str:
        """Whose unit."""
        return self.board.counters[unit].seat

    # -- places ----------------------------------------------------------------------------------------------------------

    def cached_of(self, side: str, key: Any, make: Callable[[], T]) -> T:
        """A value on which the other side's units have no bearing, computed once between two other changes."""
        stamp = self.memo.layout - self.changes[FOE[side]]
        held = self.kept.get(side)
        if held is None or held[0] != stamp:
            held = self.kept[side] = (stamp, {})
        found: T = held[1].get(key, MISSING)
        if found is MISSING:
            found = make()
            held[1][key] = found
        return found

    def forget(self) -> None:
        """Drops what was computed: for a copy of a state that is changed by hand."""
        self.memo, self.changes = self.memo.fresh(), _both()
        self.kept, self.armies, self.searches = {}, {}, {}

    def by_hex(self) -> dict[int, list[str]]:
        """Counters by hex, those aboard a ship left out."""
        return self.memo.cached("by hex", self._by_hex)

    def _by_hex(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for unit, piece in self.pieces.items():
            if piece.at and not piece.aboard:
                found.setdefault(piece.at, []).append(unit)
        return found

    def ground(self, side: str, place: int) -> list[str]:
        """One side's ground units in a hex."""
        return self.occupied(side).get(place, [])

    def occupied(self, side: str) -> dict[int, list[str]]:
        """Hexes with ground units of a side."""
        found = self.armies.get(side)
        if found is None:
            found = self.armies[side] = self._army(side)
        return found

    def changed(self, side: str) -> None:
        """The layout is another one, by what units of one side are or where they stand alone."""
        self.memo.forget()
        self.changes[side] += 1

    def displaced(self, *units: str) -> None:
        """These units of one side stand elsewhere."""
        self.changed(self.seat(units[0]))
        for unit in units:
            if self.board.counters[unit].ground:
                self.armies.pop(self.seat(unit), None)

    def _army(self, side: str) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        pieces = self.pieces
        for unit in self.board.armies[side]:
            piece = pieces[unit]
            if piece.at and not piece.aboard:
                found.setdefault(piece.at, []).append(unit)
        return found

    def points(self, side: str) -> dict[int, int]:
        """[2.3.7] Half stacking points of a side's ground units by hex."""
        return self.cached_of(side, "points", lambda: {h: self.stack_points(u) for h, u in self.occupied(side).items()})

    def here(self, side: str, place: int, *kinds: str) -> list[str]:
        """One side's counters in a hex, of some kinds or of all."""
        pieces = self.pieces
        return [u for u in self.on_map(side, *kinds) if pieces[u].at == place and not pieces[u].aboard]

    def on_map(self, side: str, *kinds: str) -> Iterator[str]:
        """One side's counters in hexes or aboard, in counter order."""
        pieces = self.pieces
        for unit in self.memo.cached(("on map", side, kinds), lambda: self._on_map(side, kinds)):
            if pieces[unit].at:  # it may leave while others are looked at
                yield unit

    def _on_map(self, side: str, kinds: tuple[str, ...]) -> list[str]:
        pieces = self.pieces
        return [u for u in self.board.mine(side, kinds) if u in pieces and pieces[u].at]

    def cargo(self, ship: str) -> list[str]:
        """Units aboard an AMPH."""
        return [u for u, piece in self.pieces.items() if piece.aboard == ship]

    def stack_points(self, units: Iterable[str]) -> int:
        """[2.3.7] Half stacking points of ground units."""
        return sum(self.values(u).sp for u in units)

    def limit(self, place: int) -> int:
        """[8.1.1.1] Stacking limit in half stacking points; six points at a Beachhead."""
        if place in self.beachheads:
            return 12
        return 6 if self.board.hexes[place].terrain in PEAKS else 8

    def holds(self, side: str, place: int) -> bool:
        """This side controls the hex."""
        return self.control.get(place) == side

    def under_marker(self, place: int, side: str) -> bool:
        """[8.4.1.5] This side's units there are under a Clearing marker."""
        marker = self.clearing.get(place)
        return marker is not None and marker.side == side

    def works_fort(self, place: int, side: str) -> bool:
        """[8.3.1.10] A fortification of this side's own country, never captured, under its control."""
        fort = self.board.hexes[place].fort
        return bool(fort) and self.p["countries"].get(fort) == side and place not in self.fallen and self.holds(side, place)

    def in_dmz(self, place: int, side: str) -> bool:
        """[KOREA-DMZ] A hex of this side's country beside the border that the enemy has not captured yet; by option."""
        return place in self.board.dmz and self.on("dmz") and self.board.owner(place) == side and place not in self.fallen

    def base(self, side: str, place: int, airfield: bool = True) -> bool:
        """[8.2.2] An own Airbase (or Airfield) that may be used: no enemy ground units stand in it."""
        hex_ = self.board.hexes[place]
        return (hex_.airbase or (airfield and hex_.airfield)) and self.holds(side, place) and not self.ground(FOE[side], place)

    def own_port(self, side: str, place: int) -> bool:
        """[8.2.2] A Port that this side controls and no enemy ground unit stands in."""
        return self.board.hexes[place].port and self.holds(side, place) and not self.ground(FOE[side], place)

    def favour(self, side: str) -> int:
        """[6.4] Air Superiority level in a side's favour: 3 Supremacy to -3 the enemy's Supremacy."""
        return self.air_level if side == ALLIED else -self.air_level

    def area_of(self, unit: str) -> str:
        """[7.1] The Inshore or At Sea area that a naval unit is in; that of its sea hex or Port."""
        piece = self.pieces[unit]
        return piece.box if piece.box in self.board.areas else self.area_at(piece.at) if piece.at else ""

    def area_at(self, place: int) -> str:
        """The Inshore area of a sea hex, or of a coastal hex (that of the first sea hex beside it)."""
        hex_ = self.board.hexes[place]
        if hex_.zone:
            return hex_.zone
        return next((self.board.hexes[n].zone for n in self.board.near[place] if self.board.hexes[n].zone), "")
