"""[CM] [NCM] Combat and noncombat moves pick by pick: a space, its units with what is free, where they can go.

What a mixed stack does at one end are several orders: land, sea and air units move separately, and a landing from a
coast is loading, sailing and going ashore. An end is shown when every one of them is accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from pbem.games.axis_and_allies_pacific.crossing import crossing, shores
from pbem.games.axis_and_allies_pacific.moves import select
from pbem.games.axis_and_allies_pacific.notation import Body, groups_of, line_of, read_body, units_text
from pbem.games.axis_and_allies_pacific.orders import Group
from pbem.games.axis_and_allies_pacific.paths import reach
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    POWERS,
    State,
    Unit,
    enemy_units,
    is_hostile,
    is_neutral,
    movement_points,
)
from pbem.games.axis_and_allies_pacific.terms import OWNERS, place, some
from pbem.kernel.canon import Plain
from pbem.kernel.forms import VERB, Chosen, Form, Lead, Partial, Pick, Read, Step, WhyNot, fields, refused, verdict
from pbem.kernel.orders import Rejected
from pbem.kernel.picking import finished
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg, verbatim

ROUTES = ("move", "load", "assault", "bomb", "unload")  # units, from, to
CARRIER = "aircraft-carrier"
NO_END = msg("can go nowhere now, or not with the units that are picked")
HAS_MOVED = msg("has moved or fought already")
ABOARD = {
    "assault": msg("is aboard a transport and sails with it; `assault` takes it ashore"),
    "unload": msg("is aboard a transport and sails with it; `unload` takes it ashore"),
}
Stack = tuple[str, str, int]  # what orders call it, its type, how many are free
WORDS = {"submarines": msg("submarines"), "transports": msg("transports")}


def moves(g: State, power: str, verbs: Sequence[str], read: Read) -> Form:
    """The form of a movement phase."""
    return Moves(g, power, tuple(verbs), read)


class Moves:
    """Moves of one power in one phase."""

    def __init__(self, g: State, power: str, verbs: tuple[str, ...], read: Read) -> None:
        self._g, self._power, self._verbs, self._read = g, power, verbs, read
        self._stacks: dict[tuple[str, str], tuple[Stack, ...]] = {}
        self._known: dict[tuple[object, ...], tuple[Pick, ...]] = {}

    def step(self, partial: Partial) -> Step:
        """A verb, or a space at once; then units, then where they go."""
        verb, chosen = partial.verb, partial.chosen
        if not verb and not chosen:
            return Step((*self._verb_picks(), *self._spaces("")))
        if verb in ROUTES or not verb:
            return self._route(verb, chosen)
        if verb == "declare war":
            return self._war(chosen)
        if verb == "engage":
            return self._engage(chosen)
        return finished(self._read, verb) if verb in self._verbs and not chosen else Step()

    def partial(self, order: Plain) -> Partial:
        """The picks of an order, however it was written."""
        if not isinstance(order, dict):
            return Partial(str(order))
        (verb, body), *_ = order.items()
        if verb == "declare war":
            powers = body if isinstance(body, list) else [body]
            return Partial(verb, tuple(Chosen("power", str(p)) for p in powers))
        if verb == "engage" and isinstance(body, str):
            words, _, where = body.rpartition(" in ")
            kinds = [w for w in WORDS if w in words]
            return Partial(verb, (Chosen("at", where), *(Chosen("word", w) for w in kinds)))
        if verb not in ROUTES:
            return fields(order)
        said = read_body(self._g.board, verb, body)
        between = [Chosen("via", space) for space in said.via]
        units = [Chosen("unit", self._offered(verb, said.origin, name), n) for name, n in said.units.items()]
        return Partial(verb, (Chosen("at", said.origin), *units, *between, Chosen("to", said.to)))

    def _offered(self, verb: str, origin: str, name: str) -> str:
        """The name under which units are picked: an empty transport among empty ones is a transport."""
        names, kind = [n for n, _, _ in self._there(verb, origin)], name.rpartition(" ")[2]
        return kind if name not in names and kind in names else name

    def line(self, order: Plain) -> Plain:
        """`move: 3 infantry from Kwangsi to Yunnan`."""
        return line_of(self._g.board, order, self._read)

    # -- verbs ---------------------------------------------------------------------------------------------------------

    def _verb_picks(self) -> tuple[Pick, ...]:
        leads: tuple[Lead, ...] = ("ends-phase",)
        able = (v for v in self._verbs if self._can_begin(v))
        return tuple(self._verb(verb, leads if verb == DONE else ()) for verb in able)

    def _verb(self, verb: str, leads: tuple[Lead, ...]) -> Pick:
        return refused(Pick(VERB, verb, verbatim(verb), leads=leads), verdict(self._read, [verb]) if verb == DONE else ())

    def _can_begin(self, verb: str) -> bool:
        """Something can be ordered with a verb."""
        if verb in ROUTES:
            return any(self._goes_from(verb, s) for s in dict.fromkeys(u.at for u in self._g.of(self._power)))
        return verb not in ("declare war", "engage") or bool(self.step(Partial(verb)).picks)

    def _goes_from(self, verb: str, space: str) -> bool:
        return any(free and self._leads_on(verb, {n: 1}, space) for n, _, free in self._there(verb, space))

    def _war(self, chosen: tuple[Chosen, ...]) -> Step:
        taken = [c.value for c in chosen]
        order: Plain = {"declare war": taken[0] if len(taken) == 1 else [*taken]}
        rest = (p for p in POWERS if p not in taken and not verdict(self._read, [{"declare war": [*taken, p]}]))
        step = finished(self._read, order) if taken else Step()
        return replace(step, picks=tuple(Pick("power", p, OWNERS[p]) for p in rest))

    def _engage(self, chosen: tuple[Chosen, ...]) -> Step:
        if not chosen:
            able = (z for z in self._g.board.zones if any(self._engaged(z, w) for w in WORDS))
            return Step(tuple(self._place("at", z, ("attack",)) for z in able))
        zone, words = chosen[0].value, [c.value for c in chosen[1:]]
        picks = tuple(Pick("word", w, WORDS[w]) for w in WORDS if w not in words and self._engaged(zone, w))
        step = finished(self._read, {"engage": f"{' and '.join(words)} in {zone}"}) if words else Step()
        return replace(step, picks=picks)

    def _engaged(self, zone: str, word: str) -> bool:
        return not verdict(self._read, [{"engage": f"{word} in {zone}"}])

    # -- units and ways --------------------------------------------------------------------------------------------------

    def _route(self, verb: str, chosen: tuple[Chosen, ...]) -> Step:
        if not chosen:
            return Step(self._spaces(verb))
        origin, rest = chosen[0].value, chosen[1:]
        units = groups_of([c for c in rest if c.slot == "unit"])
        via = [c.value for c in rest if c.slot == "via"]
        ends = [c.value for c in rest if c.slot == "to"]
        if ends:
            return self._ended(verb, Body(units, origin, ends[0], tuple(via)))
        more = self._units(verb, origin, units)
        if not units:
            return Step(more)
        return Step((*more, *self._ends(verb, units, origin)), budget=verbatim(units_text(units)))

    def _spaces(self, verb: str) -> tuple[Pick, ...]:
        if ("spaces", verb) not in self._known:
            own = dict.fromkeys(u.at for u in self._g.of(self._power))
            able = (s for s in own if self._goes_from(verb, s))
            self._known["spaces", verb] = tuple(self._place("at", s) for s in able)
        return self._known["spaces", verb]

    def _place(self, slot: str, space: str, leads: tuple[Lead, ...] = ()) -> Pick:
        return Pick(slot, space, place(self._g, space), space, leads=leads)

    def _units(self, verb: str, origin: str, taken: dict[str, int]) -> tuple[Pick, ...]:
        """Units of a space by type, each with how many more can be taken; those that are spent with their reason."""
        picks: list[Pick] = []
        for name, kind, free in self._there(verb, origin):
            left = free - taken.get(name, 0)
            able = self._leads_on(verb, _more(taken, name, 1), origin)
            most = next((n for n in range(left, 0, -1) if able and self._leads_on(verb, _more(taken, name, n), origin)), 0)
            if most:
                picks.append(Pick("unit", name, some(kind, most), origin, most))
            elif left > 0:
                picks.append(Pick("unit", name, some(kind), origin, why_not=WhyNot(NO_END)))
            elif not free:
                picks.append(Pick("unit", name, some(kind), origin, why_not=self._why_not(kind, origin)))
        return tuple(picks)

    def _why_not(self, kind: str, origin: str) -> WhyNot:
        """Why no unit of a type can be taken: at sea it is cargo, where it is not of the sea itself."""
        own = [u for u in self._g.at(origin) if u.owner == self._power and u.type == kind]
        ashore = next((verb for verb in ABOARD if verb in self._verbs), "")
        if ashore and all(u.aboard is not None and not u.target for u in own):
            return WhyNot(ABOARD[ashore], "TRN-02")
        return WhyNot(HAS_MOVED, "NCM-01")

    def _there(self, verb: str, origin: str) -> tuple[Stack, ...]:
        """Names that orders have for the units of a space, their types, and how many are free; a spent type once."""
        if (verb, origin) not in self._stacks:
            found: list[Stack] = []
            own = [u for u in self._g.at(origin) if u.owner == self._power and _fits(verb, u)]
            for kind in [t for t in self._g.board.types if any(u.type == t for u in own)]:
                free = self._free(verb, kind, origin)
                found += [(kind, kind, free)]
                found += [(n, kind, self._free(verb, n, origin)) for n in _marks(self._g, kind, own) if free]
            self._stacks[verb, origin] = tuple(found)
        return self._stacks[verb, origin]

    def _free(self, verb: str, name: str, origin: str) -> int:
        """How many units of a type, or of a type with a mark, an order can name."""
        g, (mark, _, kind) = self._g, name.rpartition(" ")
        own = [u for u in g.at(origin) if u.owner == self._power and u.type == kind]
        aboard = [u for u in own if u.aboard is not None and u.type in LAND]
        if verb in ("assault", "unload") and origin in g.board.zones:
            return sum(not u.target for u in aboard)
        least, most = 0, len(own) - len(aboard)
        while least < most:
            middle = (least + most + 1) // 2
            if self._can_take(Group(kind, middle, mark), origin):
                least = middle
            else:
                most = middle - 1
        return least

    def _can_take(self, group: Group, origin: str) -> bool:
        try:
            able = select(self._g, self._power, (group,), origin, "CM-10")
        except Rejected:
            return False
        return any(movement_points(self._g, u) > u.used for u in able)

    # -- ends --------------------------------------------------------------------------------------------------------------

    def _ends(self, verb: str, units: dict[str, int], origin: str) -> tuple[Pick, ...]:
        question = (verb, origin, *units.items())
        if question not in self._known:
            self._known[question] = self._ends_of(verb, units, origin)
        return self._known[question]

    def _ends_of(self, verb: str, units: dict[str, int], origin: str) -> tuple[Pick, ...]:
        found = dict.fromkeys(self._each_end(verb, units, origin))
        return tuple(self._place("to", s, self._leads(verb, s, units)) for s in found)

    def _each_end(self, verb: str, units: dict[str, int], origin: str) -> Iterator[str]:
        for which in self._ways(verb):
            yield from (s for s in self._near(which, units, origin) if self._orders(which, Body(units, origin, s)))
        yield from shores(self._g, self._power, verb, units, origin)

    def _leads_on(self, verb: str, units: dict[str, int], origin: str) -> bool:
        """These units can go somewhere."""
        if not verb and any(self._leads_on(which, units, origin) for which in self._ways("")):
            return True
        question = ("leads on", verb, origin, *sorted(units.items()))
        if question not in self._known:
            self._known[question] = tuple(self._place("to", s) for s in islice(self._each_end(verb, units, origin), 1))
        return bool(self._known[question])

    def _ways(self, verb: str) -> list[str]:
        return [verb] if verb else [v for v in ("move", "assault", "unload", "load") if v in self._verbs]

    def _near(self, verb: str, units: dict[str, int], origin: str) -> list[str]:
        """Spaces that could be an end, nearest first; more than are legal."""
        g = self._g
        if verb not in ("move", "bomb"):
            return list(g.board.neighbours[origin])
        kinds = [name.rpartition(" ")[2] for name in units]
        points = [movement_points(g, u) - u.used for u in g.at(origin) if u.owner == self._power and u.type in kinds]
        spaces = reach(g, origin, lambda _: True, max(points, default=0))
        is_land = any(k in LAND for k in kinds)
        closed = g.board.zones if is_land else g.board.territories if any(k not in AIR for k in kinds) else ()
        return [s for s in spaces if s != origin and s not in closed]

    def _leads(self, verb: str, space: str, units: dict[str, int]) -> tuple[Lead, ...]:
        g = self._g
        if g.phase == "combat-move" and verb != "load":
            if space in g.board.territories:
                is_foe = is_hostile(g, self._power, space) or is_neutral(g, space)
            else:
                is_foe = bool(enemy_units(g, self._power, space))
            return ("attack",) if is_foe else ("move",)
        return ("land",) if all(kind in AIR for kind in units) else ("move",)

    def _orders(self, verb: str, said: Body) -> tuple[Plain, ...]:
        """The orders of one gesture, each accepted as things stand, else none. Without a verb: the first that can be."""
        if verb:
            tried = [(verb, said)] if verb != "move" else [("move", part) for part in _by_kind(self._g, self._flying(said))]
            orders = [part.order(which) for which, part in tried]
            return () if verdict(self._read, orders) else tuple(orders)
        for which in self._ways(""):
            found = self._orders(which, said)
            if found:
                return found
        return ()

    def _flying(self, said: Body) -> Body:
        """[NCM-07] Without the aircraft that sail along on the carriers that are named."""
        carriers = [
            Group(CARRIER, n, mark)
            for name, n in said.units.items()
            for mark, _, kind in [name.rpartition(" ")]
            if kind == CARRIER
        ]
        if not carriers or self._g.phase != "noncombat-move":
            return said
        try:
            ships = select(self._g, self._power, carriers, said.origin, "CM-10")
        except Rejected:
            return said
        aboard = Counter(p.type for ship in ships for p in self._g.cargo(ship) if p.owner == self._power)
        return replace(said, units={name: n - aboard[name] for name, n in said.units.items() if n > aboard[name]})

    def _ended(self, verb: str, said: Body) -> Step:
        orders = self._orders(verb, said)
        if (not orders and not verb) or verb in ("assault", "unload"):
            orders = orders or crossing(self._g, self._power, said)
        if orders:
            return Step(orders=orders)
        return Step(problems=verdict(self._read, [said.order(verb or "move")]))


def _more(units: dict[str, int], name: str, count: int) -> dict[str, int]:
    return {**units, name: units.get(name, 0) + count}


def _fits(verb: str, unit: Unit) -> bool:
    if verb == "bomb":
        return unit.type in ("strategic-bomber", "fighter")
    if verb == "load":
        return unit.type in LAND and unit.aboard is None
    if verb in ("assault", "unload"):
        return unit.type in LAND
    return True


def _marks(g: State, kind: str, own: Sequence[Unit]) -> list[str]:
    """More names of a type: damaged, loaded and empty ones."""
    there = [u for u in own if u.type == kind]
    names = [f"damaged {kind}"] if any(u.damaged for u in there) else []
    if kind == "transport" and any(g.cargo(u) for u in there):
        names += ["loaded transport", "empty transport"]
    return names


def _by_kind(g: State, said: Body) -> list[Body]:
    """Land, sea and air units apart, ships first: what flies to them comes after."""
    found = []
    for kind in ("sea", "land", "air"):
        units = {u: n for u, n in said.units.items() if g.board.types[u.rpartition(" ")[2]].kind == kind}
        if units:
            found.append(Body(units, said.origin, said.to, said.via))
    return found
