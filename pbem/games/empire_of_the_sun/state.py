"""The state of a game of Empire of the Sun: plain records, and the questions every chapter asks of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from pbem.games.empire_of_the_sun.board import EMPTY_BOARD, KUNMING, TOKYO, Board, Counter, distance
from pbem.games.empire_of_the_sun.fields import Field
from pbem.games.empire_of_the_sun.standing import Standing, standing
from pbem.kernel.events import Cursor, Event
from pbem.kernel.memo import Memo
from pbem.kernel.records import Mark

JAPAN, ALLIES = "japan", "allies"
SIDES = (ALLIES, JAPAN)  # [4.11] the Allies place first
FOE = {JAPAN: ALLIES, ALLIES: JAPAN}
COLLAPSED = 5
INDIA = ("Stable", "Unrest", "Strikes", "Unstable", "Revolts")
YEARS = {1: 1941, 2: 1942, 3: 1942, 4: 1942, 5: 1943, 6: 1943, 7: 1943, 8: 1944, 9: 1944, 10: 1944, 11: 1945, 12: 1945}
Marker = Literal["delayed_next", "doctrine", "doolittle", "hump", "interceptors", "kwai", "soviets", "tojo"]
MARKERS: tuple[Marker, ...] = get_args(Marker)
LANDINGS = ("assault", "organic", "barge")  # how troops land from the sea
OFF_MAP = ("china", "delayed", "track", "schedule", "event", "eliminated", "removed")


class Piece(Struct, frozen=True):
    """Where a counter is. `box`: map, or one of OFF_MAP; `due`: the turn in which it enters from track or schedule."""

    at: int = 0
    box: str = "map"
    reduced: bool = False
    due: int = 0
    undelayable: bool = False
    bombed: int = 0  # [12.3] the turn in which a B-29 last bombed
    rebuilt: int = 0  # [12.3] the turn in which it was last rebuilt or eliminated


class Activated(Struct):
    """One unit in an offensive: where it began, how it moved, where it fights.

    `mode`: "" not moved, sea, air, land, assault, organic, barge, strategic, placed. `came_from`: the hex before the
    present one; `far`: a leg longer than normal range was flown; `ship`: the ship that carries a brigade.
    """

    start: int
    box: str = "map"
    mode: str = ""
    came_from: int = 0
    far: bool = False
    ship: str = ""
    asp: int = 0
    battle: int = 0
    cover: int = 0
    spent: int = 0  # half movement points used so far
    out: bool = False  # turned back [8.45 B]: takes no part in the battle
    beaten: bool = False  # landed and lost: has to go back to sea


class Offensive(Struct):
    """Everything about the offensive that is going on."""

    side: str
    card: str
    event: bool
    hq: str
    ops: int
    allowance: int
    units: dict[str, Activated] = msgspec.field(default_factory=dict)
    touched: bool = False  # [7.25] E: a unit entered, left or crossed an enemy zone of influence
    battles: list[int] = msgspec.field(default_factory=list)
    special: list[int] = msgspec.field(default_factory=list)  # hexes that special reaction made battle hexes
    condition: str = "surprise"
    rolled: bool = False
    weather: bool = False
    reaction_cards: list[str] = msgspec.field(default_factory=list)
    counter: str = ""  # the counteroffensive card
    reaction_hq: str = ""
    reaction_allowance: int = 0
    reactors: dict[str, Activated] = msgspec.field(default_factory=dict)
    reaction_asp: int = 0
    fought: list[int] = msgspec.field(default_factory=list)
    asp_bonus: int = 0
    barge: bool = False
    coast_guns: list[str] = msgspec.field(default_factory=list)
    garrisoned: list[int] = msgspec.field(default_factory=list)  # battle hexes with defenders on land before the assault
    swapped: bool = False
    moving: list[str] = msgspec.field(default_factory=list)  # the stack that moved last
    hit_air: bool = False  # an event that takes effect once has done so


class Fight(Struct):
    """The battle that is being fought: where, and what it has cost so far."""

    hex: int
    losses: dict[str, int] = msgspec.field(default_factory=dict)  # unit -> steps lost in the present round
    places: dict[str, int] = msgspec.field(default_factory=dict)  # carrier -> its hex when the battle began
    garrison: int = 0  # intrinsic steps lost in this battle
    garrison_round: int = 0  # and of these in the present round
    critical: list[str] = msgspec.field(default_factory=list)  # sides that scored a critical hit


@dataclass(slots=True)
class State:
    """Everything that is remembered between two segments. Hands are lists of handles or of cards known to both."""

    options: dict[str, Any]
    stack: list[Cursor] = field(default_factory=list)
    running: Cursor | None = None
    turn: int = 1
    last_turn: int = 12
    victory: str = "campaign"
    phase: str = ""
    active: str = JAPAN
    pieces: dict[str, Piece] = field(default_factory=dict)
    control: dict[int, str] = field(default_factory=dict)  # land hex -> side
    will: int = 0
    europe: int = 0
    europe_at_start: int = 0  # [12.52] level at the start of the turn
    china: int = 0
    china_turn: int = 0  # the turn of the last China offensive by operations card
    india: int = 0
    india_turns: int = 0  # [1e-12.62]: turns in the present box
    northern_lost: bool = False
    northern_regained: bool = False  # [1e-12.62] some hex of Northern India came back since its marker was last looked at
    rivalry: list[str] = field(default_factory=list)
    asp: dict[str, int] = field(default_factory=lambda: {JAPAN: 7, ALLIES: 0})
    asp_used: dict[str, int] = field(default_factory=lambda: {JAPAN: 0, ALLIES: 0})
    asp_for_progress: int = 0  # [16.47] Allied points at the end of the Reinforcement Segment
    divisions: int = 12
    points: dict[str, int] = field(default_factory=lambda: {"air": 0, "naval": 0})  # Japanese, saved
    escort: int = 0
    no_escort: bool = False
    in_force: list[str] = field(default_factory=list)  # markers in force, in alphabetical order
    barges: str = ""  # "", on, never
    routes: list[str] = field(default_factory=list)  # built: jarhat, imphal, ledo
    express: int = 0  # [6.23] hex of the Tokyo Express marker
    surrendered: list[str] = field(default_factory=list)
    liberated: list[str] = field(default_factory=list)  # [16.41] surrendered nations whose loss was given back
    bonuses: list[str] = field(default_factory=list)  # once-per-game changes of Political Will that have been made
    ground_penalty: int = 0  # turn in which Gandhi's strike costs the Allies a ground replacement
    hands: dict[str, list[str]] = field(default_factory=lambda: {JAPAN: [], ALLIES: []})
    decks: dict[str, list[str]] = field(default_factory=lambda: {JAPAN: [], ALLIES: []})
    discards: dict[str, list[str]] = field(default_factory=lambda: {JAPAN: [], ALLIES: []})
    out_of_play: dict[str, list[str]] = field(default_factory=lambda: {JAPAN: [], ALLIES: []})
    future: dict[str, str] = field(default_factory=lambda: {JAPAN: "", ALLIES: ""})
    future_turn: dict[str, int] = field(default_factory=lambda: {JAPAN: 0, ALLIES: 0})
    passes: dict[str, int] = field(default_factory=lambda: {JAPAN: 0, ALLIES: 0})
    extra: dict[str, int] = field(default_factory=lambda: {JAPAN: 0, ALLIES: 0})  # [5.35] cards drawn by events this phase
    reshuffle: list[str] = field(default_factory=list)  # sides whose deck is shuffled at the end of the turn
    deal: dict[str, int] = field(default_factory=lambda: {JAPAN: 0, ALLIES: 0})
    small_deal: dict[str, int] = field(default_factory=dict)  # cards a turn in the scenarios of the small maps
    deal_loss: int = 0  # Japanese cards lost to submarines and bombing this turn
    bombing: list[int] = field(default_factory=list)  # turns with a successful strategic bombing
    bombing_in_vain: int = 0  # [1e-16.43] the last of them in which interceptors saved every card
    casualties: int = 0  # [16.45] last turn in which it was counted
    new_hqs: list[str] = field(default_factory=list)  # [10.11] HQs that came in this turn
    japanese_before: list[int] = field(default_factory=list)  # [16.47] hexes that began the turn Japanese
    alaska: dict[str, int] = field(default_factory=dict)  # hex -> consecutive segments
    hawaii: dict[str, int] = field(default_factory=dict)
    militia_gone: list[int] = field(default_factory=list)  # [13.94] home cities that the Allies have taken once
    cut_off: int = 0  # [13.93] consecutive segments without a line to a resource hex
    occupied_once: list[int] = field(default_factory=list)  # [17.27] J, K: Hawaiian hexes captured at the end of a turn
    seized: str = ""  # [7.29] A: the future offensives card that has taken the initiative
    one_year: bool = False  # [17.26] a card of operations value 3 may end the own rivalry
    offensive: Offensive | None = None
    fight: Fight | None = None
    winner: str = ""
    win_reason: str = ""
    win_rule: str = ""
    marks: dict[str, Mark] = field(default_factory=dict)
    board: Board = field(default=EMPTY_BOARD, metadata={"cache": True})
    events: list[Event] = field(default_factory=list, metadata={"cache": True})
    memo: Memo = field(default_factory=Memo, compare=False, metadata={"cache": True})  # forgets with every change of layout
    supplies: dict[Any, Any] = field(default_factory=dict, metadata={"cache": True})  # what supply depends on -> supply
    stood: Standing | None = field(default=None, compare=False, metadata={"cache": True})  # where units stood when last asked
    holdings: dict[str, Field] = field(default_factory=dict, compare=False, metadata={"cache": True})  # what each side holds
    held_for: int = field(default=-1, compare=False, metadata={"cache": True})  # and for which layout
    stood_for: int = field(default=-1, compare=False, metadata={"cache": True})  # and for which layout

    # -- editions and calendar -----------------------------------------------------------------------------------------

    @property
    def second(self) -> bool:
        """Second edition rules."""
        return bool(self.options["rules"] == "2nd-2015")

    @property
    def year(self) -> int:
        """The year of the present turn."""
        return YEARS[self.turn]

    def has(self, marker: Marker) -> bool:
        """A marker is in force."""
        return marker in self.in_force

    # -- counters ------------------------------------------------------------------------------------------------------

    def counter(self, unit: str) -> Counter:
        """What is printed on a unit."""
        return self.board.counters[unit]

    @property
    def standing(self) -> Standing:
        """Where units stand, and what follows from that alone."""
        if self.stood is None or self.stood_for != self.memo.layout:
            self.stood, self.stood_for = standing(self.stood, self.board, self.pieces), self.memo.layout
        return self.stood

    def changed(self, *moved: str, control: bool = False) -> None:
        """The layout is another one: these units stand elsewhere, hexes have changed hands, or something else is new."""
        known = self.stood_for == self.memo.layout
        self.memo.forget()
        if self.held_for == self.memo.layout - 1 and not control:
            self.held_for += 1
        if known and self.stood is not None:
            self.stood, self.stood_for = self.stood.after(self.pieces, moved) if moved else self.stood, self.memo.layout

    def on_map(self, side: str | None = None) -> list[str]:
        """Units on the map, one side's or all, in counter order; for reading only."""
        return self.standing.on_map(side)

    def units_at(self, place: int) -> list[str]:
        """Every unit in a hex."""
        return list(self.by_hex().get(place, ()))

    def mine_at(self, side: str, place: int, *kinds: str) -> list[str]:
        """One side's units in a hex, of some kinds or of all."""
        found = self.standing.hexes[side].get(place)
        if found is None:
            return []
        if not kinds:
            return [*found]
        counters = self.board.counters
        return [u for u in found if counters[u].kind in kinds]

    def by_hex(self) -> dict[int, list[str]]:
        """Units by hex."""
        return self.memo.cached("by hex", self._by_hex)

    def _by_hex(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for unit, piece in self.pieces.items():
            if piece.box == "map":
                found.setdefault(piece.at, []).append(unit)
        return found

    def forget(self) -> None:
        """Nothing that was computed holds any more."""
        self.memo = self.memo.fresh()

    def attack(self, unit: str) -> int:
        """Attack strength of the side that is up."""
        counter = self.board.counters[unit]
        return counter.reduced if self.pieces[unit].reduced else counter.attack

    def weak(self, unit: str) -> bool:
        """Reduced, or with one step only: the next loss eliminates it."""
        return self.pieces[unit].reduced or self.board.counters[unit].steps == 1

    def steps(self, unit: str) -> int:
        """Steps left."""
        return 1 if self.weak(unit) else 2

    def asp_cost(self, unit: str) -> int:
        """[8.45] A: shipping points for an assault; the Korean Army costs double in the second edition only."""
        counter = self.board.counters[unit]
        cost = counter.reduced_asp if self.weak(unit) else counter.asp
        return min(cost, 1 if self.weak(unit) else 2) if not self.second else cost

    # -- places --------------------------------------------------------------------------------------------------------

    def holds(self, side: str, place: int) -> bool:
        """This side controls the hex."""
        return self.control.get(place) == side

    def held(self, side: str) -> Field:
        """The hexes that this side controls as a bit field."""
        if self.held_for != self.memo.layout:
            of, holders = self.board.fields.of, self.control.items()
            self.holdings = {side: of(h for h, holder in holders if holder == side) for side in SIDES}
            self.held_for = self.memo.layout
        return self.holdings[side]

    def occupied(self, side: str, place: int) -> bool:
        """This side has a ground unit, air unit or HQ there; Kunming and its neighbours count as held [13.75]."""
        return place in self.occupied_hexes(side)

    def occupied_hexes(self, side: str) -> frozenset[int]:
        """All hexes with a ground unit, air unit or HQ of one side, garrisons and militia included."""
        return self.memo.cached(("occupied", side), lambda: self._occupied(side))

    def _occupied(self, side: str) -> frozenset[int]:
        return frozenset(self.board.fields.hexes(self.occupied_field(side)))

    def occupied_field(self, side: str) -> Field:
        """The same hexes as a bit field."""
        here = self.standing
        guards = self.held(JAPAN) & self.board.garrison_field, self.divisions, *self.militia_gone
        guarded = here.of("presence", ("guarded", side, guards), lambda: self.board.fields.of(self._guarded(side)))
        return here.ashore[side] | guarded

    def _guarded(self, side: str) -> list[int]:
        """Hexes with garrisons and militia, and those that count as held."""
        found: list[int] = []
        if side == JAPAN:
            found.extend(h for h in self.board.garrisoned if self.intrinsic(h))
        elif KUNMING in self.board.hexes:
            found.extend(n for n in (KUNMING, *self.board.near[KUNMING]) if n)
        return found

    def intrinsic(self, place: int) -> int:
        """[13.76] [13.94] Japanese garrison or militia steps of a city hex."""
        city = self.board.hexes[place].city
        if city not in ("garrison", "homeland") or not self.holds(JAPAN, place):
            return 0
        if city == "homeland":
            return int(place not in self.militia_gone)
        return max(1, -(-self.divisions // 4)) if self.board.hexes[place].region == "China" else 0

    def friendly_port(self, side: str, place: int) -> bool:
        """A port hex that this side controls."""
        return self.board.hexes[place].port and self.holds(side, place)

    def friendly_airfield(self, side: str, place: int) -> bool:
        """An airfield that this side controls."""
        return self.board.hexes[place].airfield and self.holds(side, place)

    def resources(self, side: str) -> list[int]:
        """[12.11] Resource hexes of one side."""
        return [h for h in self.board.resources if self.holds(side, h)]

    def battle_hex(self, place: int) -> bool:
        """A declared battle hex of the present offensive, or a hex with units of both sides during its moves."""
        o = self.offensive
        return o is not None and place in o.battles

    def china_box(self) -> list[str]:
        """[13.71] Allied air units in China."""
        return [u for u, p in self.pieces.items() if p.box == "china"]

    def near_tokyo(self, radius: int) -> list[int]:
        """Hexes within some distance of Tokyo."""
        return self.board.within(TOKYO, radius)

    def hand_size(self, side: str) -> int:
        """[4.14] Cards in hand: public. The future offensives card does not count."""
        return len(self.hands[side])


def side_of(g: State, unit: str) -> str:
    """Whose unit."""
    return g.board.counters[unit].side


def europe_level(points: int) -> int:
    """[15.1] War in Europe: the level of a point value."""
    return 0 if points >= 1 else 1 if points >= -2 else 2 if points >= -4 else 3 if points >= -6 else 4


def nearest_first(place: int, places: Iterable[int]) -> list[int]:
    """Hexes by distance, then by number."""
    return sorted(places, key=lambda h: (distance(place, h), h))


def china_coast_lost(g: State) -> bool:
    """[13.71] The Allies hold every port (first edition: hex) on the coasts of China and Korea."""
    wanted = [h for h in g.board.region("China", "Korea") if g.board.hexes[h].port or not g.second]
    return bool(wanted) and all(g.holds(ALLIES, h) for h in wanted)


def offensive(g: State) -> Offensive:
    """The offensive that is going on."""
    assert g.offensive is not None
    return g.offensive


def activation(g: State, unit: str) -> Activated:
    """The entry of an activated unit, on either side."""
    o = offensive(g)
    return o.units[unit] if unit in o.units else o.reactors[unit]


def fighting(g: State) -> Fight:
    """The battle that is being fought."""
    assert g.fight is not None
    return g.fight
