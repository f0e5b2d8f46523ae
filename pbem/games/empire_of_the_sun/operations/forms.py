"""[7.2] An offensive pick by pick: activation that narrows, moves with their ends, battles and covers; [7.26] the reaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.lines import sea_field
from pbem.games.empire_of_the_sun.movement.land import land_costs
from pbem.games.empire_of_the_sun.movement.landings import barges_carry
from pbem.games.empire_of_the_sun.movement.limits import asp_left, naval_allowance
from pbem.games.empire_of_the_sun.movement.sea import sea_left
from pbem.games.empire_of_the_sun.orders import ASSAULT, MOVE, STRATEGIC, read_route, read_units
from pbem.games.empire_of_the_sun.picks import CHINA, hex_word, picker, units_of, where
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, State, offensive
from pbem.games.empire_of_the_sun.supply import in_zone
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Form, Lead, Pick, Read, Step
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs, only, sole
from pbem.kernel.questions import NONE, accepted
from pbem.kernel.wording import NO_WORDS, Message, msg

TRIED = 8  # ends next to a hex of the way: where none of them can be reached over it, none that is farther can
WAYS = {"organic": msg("organic naval transport"), "barge": msg("by barge")}


# -- activation --------------------------------------------------------------------------------------------------------


def activations(g: State, able: Sequence[str], allowance: Callable[[Sequence[str]], int], read: Read, judge: Read) -> Form:
    """[7.21] Units one by one; those that cannot join what is picked stand there with the reason. Nothing picked is none.

    `judge`: `read` without what only the whole list has to hold.
    """

    def told(taken: Taken) -> Message:
        units = taken.all("unit")
        return msg("units: {n} of {most}", n=len(units), most=allowance(units))

    def said(body: Plain) -> Said:
        return {} if body == NONE else {"unit": read_units(g, body)}

    field = Field("unit", lambda _: picker(g).units("unit", able), 0, MANY, grey=True)
    gesture = Fields((field,), lambda taken: {"activate": [*taken.all("unit")] or NONE}, said, read, told, judge)
    return sole("activate", gesture, read)


# -- moves -------------------------------------------------------------------------------------------------------------


def moves(g: State, verbs: Sequence[str], read: Read) -> Form:
    """[7.23] A stack, then where it goes and how."""
    gestures = {verb: Routes(g, verb, _route(g, verb, read)) for verb in (MOVE, ASSAULT, STRATEGIC)}
    return Verbs(read, verbs, {**gestures, "track": _track(g, read)}, bare=(MOVE, ASSAULT, STRATEGIC))


def _waiting(g: State) -> list[str]:
    """Activated units that have not moved, and the stack that may go on by land."""
    o = offensive(g)
    boxes = ("map", CHINA)
    return [u for u, a in o.units.items() if g.pieces[u].box in boxes and (not a.mode or (a.mode == "land" and u in o.moving))]


class Routes:
    """Moves that may lead over hexes of one's choice: over none where the stack can end nowhere, and over those alone from
    which it can go on to an end."""

    def __init__(self, g: State, verb: str, route: Fields) -> None:
        self._g, self._verb, self._route = g, verb, route
        self.takes, self.picks = route.takes, route.picks

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """What may come next."""
        step = self._route.step(chosen)
        ends = {p.value: None for p in step.picks if p.slot == "to"}
        rest = [p for p in step.picks if p.slot != "via"]
        over = [p for p in step.picks if p.slot == "via"] if ends else []
        inner = self._inner(chosen)
        return replace(step, picks=(*rest, *(p for p in over if self._leads_on(chosen, p.value, ends, inner))))

    def _inner(self, chosen: tuple[Chosen, ...]) -> Collection[int] | None:
        """Hexes that ships reach with a hex of their allowance left: a whole ocean, too many to read a route over each."""
        g, taken = self._g, Taken(chosen)
        units, over = taken.all("unit"), [int(hex) for hex in taken.all("via")]
        if self._verb != MOVE or not units or any(g.counter(u).kind != "naval" for u in units):
            return None
        start = g.pieces[units[0]].at
        left = sea_left(g, start, over, naval_allowance(g))
        return {*g.board.fields.hexes(sea_field(g, (over or [start])[-1], left - 1))} if left > 0 else ()

    def _leads_on(self, chosen: tuple[Chosen, ...], over: str, ends: Mapping[str, None], inner: Collection[int] | None) -> bool:
        here = int(over)
        if inner is not None and here not in inner:
            return False
        beside = [to for h in self._g.board.near[here] if (to := hex_word(h)) in ends]
        if inner is not None and beside:
            return True
        near = beside or sorted((to for to in ends if to not in (over, CHINA)), key=lambda to: distance(here, int(to)))
        ways = ((*chosen, Chosen("via", over), Chosen("to", to)) for to in near[:TRIED])
        return any(True for _ in accepted(self._route.read, (self._route.make(Taken(way)) for way in ways)))


def _route(g: State, verb: str, read: Read) -> Fields:
    def ends(taken: Taken) -> Iterable[Pick]:
        units = taken.all("unit")
        return [_end(g, h, verb) for h in _near(g, verb, units) if hex_word(h) != where(g, units[0])]

    def via(taken: Taken) -> Iterable[Pick]:
        return picker(g).places("via", (h for h in _near(g, verb, taken.all("unit")) if h > 0))

    def ways(taken: Taken) -> Iterable[Pick]:
        units = taken.all("unit")
        may = {"organic": any(g.counter(u).organic for u in units), "barge": barges_carry(g, offensive(g).side, units)}
        return [Pick("word", way, WAYS[way]) for way in WAYS if may[way]] if verb == ASSAULT else ()

    def make(taken: Taken) -> Plain:
        text = f"{', '.join(taken.all('unit'))} to {taken.one('to')}"
        text += f" via {', '.join(taken.all('via'))}" if taken.all("via") else ""
        return {verb: text + (f" by {taken.one('word')}" if taken.one("word") else "")}

    def said(body: Plain) -> Said:
        route = read_route(g, body)
        to = CHINA if route.box == CHINA else hex_word(route.to)
        way = [route.way] if route.way in WAYS else []
        via = [hex_word(h) for h in route.via]
        return {"at": [where(g, route.units[0])], "unit": route.units, "via": via, "to": [to], "word": way}

    at, units = picker(g).stack(lambda: _waiting(g), MANY)
    units = replace(units, gathers=verb == ASSAULT)
    fields = (at, units, Field("via", via, 0, MANY, trusted=True), Field("word", ways, 0), Field("to", ends))
    return Fields(fields, make, said, read, lambda taken: _told(g, verb, taken.all("unit")))


def _near(g: State, verb: str, units: Sequence[str]) -> list[int]:
    """Hexes where a stack could end; more than are legal. 0: the China box."""
    kinds, start, side = {g.counter(u).kind for u in units}, g.pieces[units[0]].at, offensive(g).side
    if kinds == {"air"} and verb != ASSAULT:
        box = [0] if side == ALLIES else []
        return [*(h for h in g.board.airfields if g.friendly_airfield(side, h)), *box]
    if "air" in kinds or not start:
        return []
    if verb == MOVE and kinds == {"ground"}:
        return list(land_costs(g, side, units, start, 2 * offensive(g).ops, False)[0])
    if verb == STRATEGIC:
        return [h for h in g.board.ports if g.friendly_port(side, h)]
    reach = g.board.fields.hexes(sea_field(g, start, naval_allowance(g)))
    if verb == ASSAULT:
        return [h for h in reach if g.board.hexes[h].coastal] if "ground" in kinds else []
    return list(reach) if kinds == {"naval"} else []


def _end(g: State, place: int, verb: str) -> Pick:
    """A hex with what comes of it: a battle, a base, an enemy zone."""
    if place <= 0:
        return picker(g).place("to", place, leads=("base",))
    side, here = offensive(g).side, g.board.hexes[place]
    foe = FOE[side]
    lead: Lead = "move"
    if g.mine_at(foe, place) or (side == ALLIES and g.intrinsic(place)) or (verb == ASSAULT and g.holds(foe, place)):
        lead = "attack"
    elif g.friendly_port(side, place) or (here.airfield and g.holds(side, place)):
        lead = "base"
    elif in_zone(g, foe, place):
        lead = "enters-zone"
    zone = msg("enemy zone of influence") if in_zone(g, foe, place) else NO_WORDS
    return picker(g).place("to", place, zone, (lead,))


def _told(g: State, verb: str, units: Sequence[str]) -> Message:
    """What the stack has to go with."""
    if not units:
        return NO_WORDS
    kinds, side, ops = {g.counter(u).kind for u in units}, offensive(g).side, offensive(g).ops
    if verb == ASSAULT:
        need = sum(g.asp_cost(u) for u in units if g.counter(u).kind == "ground")
        return msg("shipping points needed: {n}; left: {left}", n=need, left=asp_left(g, side))
    if len(kinds) > 1:
        return NO_WORDS
    if kinds == {"air"}:
        return msg("legs: {n}", n=ops * (2 if verb == STRATEGIC else 1))
    if kinds == {"naval"}:
        return msg("hexes by sea: {n}", n=naval_allowance(g) * (2 if verb == STRATEGIC else 1))
    return msg("movement points: {n}", n=ops)


def _track(g: State, read: Read) -> Fields:
    """[8.33] Air units that go to the turn track."""

    def able() -> list[str]:
        return [u for u in _waiting(g) if g.counter(u).kind == "air" and not offensive(g).units[u].mode]

    return only(
        "track", Field("unit", lambda _: picker(g).units("unit", able()), most=MANY), lambda body: units_of(g, body), read
    )


# -- battles -----------------------------------------------------------------------------------------------------------

Declared = Callable[[Plain], tuple[int, list[str]]]  # hex and units of a body


def declarations(
    g: State, verbs: Sequence[str], mandatory: Sequence[int], assigned: Sequence[str], written: Declared, read: Read
) -> Form:
    """[7.24] Units that fight from outside, then the hex: a battle, or an own landing that they cover."""
    o = offensive(g)
    free = [u for u, a in o.units.items() if g.counter(u).flies and g.pieces[u].box == "map" and u not in assigned]
    outside = [u for u in free if g.pieces[u].at not in mandatory]
    foes = dict.fromkeys([*mandatory, *sorted(g.pieces[u].at for u in g.on_map(FOE[o.side]))])
    landed = dict.fromkeys(sorted(g.pieces[u].at for u, a in o.units.items() if a.asp or a.mode in WAYS))

    def gesture(verb: str, places: Iterable[int], least: int) -> Fields:
        def ends(taken: Taken) -> Iterable[Pick]:
            units = taken.all("unit")
            near = [h for h in places if all(distance(g.pieces[u].at, h) <= g.counter(u).reach for u in units)]
            return picker(g).places("to", near, *(("attack",) if verb == "battle" else ()))

        def able(taken: Taken) -> Iterable[Pick]:
            return (p for p in picker(g).units("unit", outside) if any(ends(Taken((*taken.chosen, Chosen("unit", p.value))))))

        def make(taken: Taken) -> Plain:
            units = taken.all("unit")
            return {verb: f"{taken.one('to')} with {', '.join(units)}" if units else taken.one("to")}

        def said(body: Plain) -> Said:
            place, units = written(body)
            return {"unit": units, "to": [hex_word(place)]}

        fields = (Field("unit", able, least, MANY), Field("to", ends))
        return Fields(fields, make, said, read)

    gestures = {"battle": gesture("battle", foes, 0), "cover": gesture("cover", landed, 1)}
    return Verbs(read, verbs, gestures, bare=("battle", "cover"))
