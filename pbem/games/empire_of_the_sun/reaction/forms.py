"""Reaction movement, picked: a headquarters, its units, then for each stack that moves its units and its end [7.26]."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.activation import check, eligible
from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.labels import SPOKEN
from pbem.games.empire_of_the_sun.lines import sea_field
from pbem.games.empire_of_the_sun.movement.land import land_costs
from pbem.games.empire_of_the_sun.movement.limits import naval_allowance
from pbem.games.empire_of_the_sun.orders import ASSAULT, MOVE, read_route, read_unit, read_units, split_order
from pbem.games.empire_of_the_sun.picks import hex_of, hex_word, picker, where
from pbem.games.empire_of_the_sun.state import State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Form, Pick, Read, Step, refused, verdict
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.picking import Taken, Taking, finished, no_picks, sole, table
from pbem.kernel.questions import NONE
from pbem.kernel.wording import msg

BY_SEA = {ASSAULT: msg("amphibious assault"), "organic": msg("organic naval transport")}
Most = Callable[[str, Sequence[str]], int]  # HQ, units -> how many it may activate


class Stack(Struct):
    """Units that react together: where to, and how, where that is not plain from their kinds."""

    units: list[str] = field(default_factory=list)
    to: str = ""
    way: str = ""


def counters(g: State, side: str, leaders: Sequence[str], base: Callable[[str], int], most: Most, read: Read) -> Form:
    """The form of reaction movement. `base`: units that an HQ may activate before its efficiency; `most`: with it."""
    return sole("counter", Reaction(g, side, leaders, base, most, read), read)


class Reaction(Taking, Struct, frozen=True):
    """The gesture: HQ, units, then for each stack that moves its units and its end."""

    g: State
    side: str
    leaders: Sequence[str]
    base: Callable[[str], int]
    most: Most
    read: Read

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        if not chosen:
            return Step((Pick("word", NONE, SPOKEN["counter: none"]), *picker(self.g).units("hq", self.leaders)))
        if chosen[0].slot == "word":
            return finished(self.read, {"counter": NONE}) if len(chosen) == 1 else Step()
        taken, stacks = Taken(chosen), self._stacks(chosen)
        units, hq = taken.all("unit"), taken.one("hq")
        told = msg("units: {n} of {most}", n=len(units), most=self.most(hq, units))
        more = () if stacks else tuple(self._joining(hq, units))
        going = tuple(self._going(hq, units, stacks))
        if stacks and not stacks[-1].to:
            return Step((*going, *self._ends(hq, stacks[-1].units, stacks)), budget=told)
        step, left = finished(self.read, _order(self.g, hq, units, stacks)), self._left(hq, units, stacks)
        if left and not verdict(self.read, [_order(self.g, hq, [u for u in units if u not in left], stacks)]):
            step = Step(note=msg("still to be sent into a battle: {units}", units=tuple(self.g.counter(u).name for u in left)))
        ends = self._ends(hq, left, stacks) if len({where(self.g, u) for u in left}) == 1 else ()
        return replace(step, picks=(*more, *going, *ends), budget=told)

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        """HQ, units and stacks of a written reaction; battles that it names are left to the text. Raises Rejected."""
        if body == NONE:
            return (Chosen("word", NONE),)
        f = table(body)
        if "hq" not in f or f.get("battles"):
            raise no_picks()
        listed, moves = f.get("activate"), f.get("moves")
        units = read_units(self.g, listed) if listed and listed != NONE else []
        stacks = [self._stack(m) for m in (moves if isinstance(moves, list) else [moves] if moves else [])]
        return (Chosen("hq", read_unit(self.g, f["hq"])), *(Chosen("unit", u) for u in units), *_written(stacks))

    # -- candidates

    def _joining(self, hq: str, units: Sequence[str]) -> Iterator[Pick]:
        """Units that the HQ can call, those that cannot join the others with the reason."""
        o = offensive(self.g)
        card = self.g.board.cards[o.counter] if o.counter else None
        for pick in picker(self.g).units("unit", (u for u in eligible(self.g, hq, card) if u not in units)):
            try:
                check(self.g, hq, [*units, pick.value], self.base(hq), card)
                if not (self._stands_ready(hq, pick.value) or self._ends(hq, [pick.value])):
                    raise illegal(msg("{unit} reaches no battle", unit=pick.name), "7.26")
            except Rejected as refusal:
                pick = refused(pick, refusal.problems)
            yield pick

    def _stands_ready(self, hq: str, unit: str) -> bool:
        """It fights from where it is."""
        return not verdict(self.read, [_order(self.g, hq, [unit], [])])

    def _going(self, hq: str, units: Sequence[str], stacks: Sequence[Stack]) -> list[Pick]:
        """Activated units that may still move; how a stack of ground units that has its end comes there."""
        g, stay = self.g, self._staying(units, stacks)
        if stacks and not stacks[-1].to:
            stay = [u for u in stay if where(g, u) == where(g, stacks[-1].units[0])]
        *before, last = stacks or (Stack(),)
        ways = [
            w
            for w in self._by_sea(last.units)
            if last.to and not last.way and self._is_legal(hq, last.units, last.to, w, before)
        ]
        joined = last.units if not last.to else []
        going = (u for u in stay if self._ends(hq, [*joined, u], stacks))
        return [*picker(g).units("with", going), *(Pick("word", w, BY_SEA[w]) for w in ways)]

    def _staying(self, units: Sequence[str], stacks: Sequence[Stack]) -> list[str]:
        g, gone = self.g, [u for s in stacks for u in s.units]
        return [u for u in units if u not in gone and (g.counter(u).flies or not g.battle_hex(g.pieces[u].at))]

    def _left(self, hq: str, units: Sequence[str], stacks: Sequence[Stack]) -> list[str]:
        """Who has to be sent: an end without units before it is for all of them."""
        return [u for u in self._staying(units, stacks) if not self._stands_ready(hq, u)]

    def _ends(self, hq: str, units: Sequence[str], stacks: Sequence[Stack] = ()) -> list[Pick]:
        """Battle hexes in reach by sea or land; airfields from which a battle can be reached; where they may come."""
        g, o = self.g, offensive(self.g)
        start, kinds = g.pieces[units[0]].at, {g.counter(u).kind for u in units}
        if kinds == {"air"}:
            reach = min(g.counter(u).reach for u in units)
            able = [h for h in g.board.airfields if h != start and g.friendly_airfield(self.side, h)]
            found = picker(g).places("to", (h for h in able if any(distance(h, b) <= reach for b in o.battles)))
        else:
            near = sea_field(g, start, naval_allowance(g))
            by_land = land_costs(g, self.side, units, start, 2 * o.ops, True)[0] if kinds == {"ground"} else {}
            found = picker(g).places("to", (h for h in o.battles if g.board.fields.has(near, h) or h in by_land), "attack")
        return [p for p in found if any(self._is_legal(hq, units, p.value, w, stacks) for w in ("", *self._by_sea(units)))]

    def _by_sea(self, units: Sequence[str]) -> Collection[str]:
        """How troops among them may come over the sea."""
        return BY_SEA if any(self.g.counter(u).kind == "ground" for u in units) else ()

    def _is_legal(self, hq: str, units: Sequence[str], to: str, way: str, stacks: Sequence[Stack]) -> bool:
        """Units may go there so, behind stacks that have their ends."""
        going = [*(s for s in stacks if s.to), Stack([*units], to, way)]
        return not verdict(self.read, [_order(self.g, hq, [u for s in going for u in s.units], going)])

    def _stacks(self, chosen: tuple[Chosen, ...]) -> list[Stack]:
        found, taken = list[Stack](), Taken(chosen)
        for one in chosen:
            if one.slot in ("with", "to") and (not found or found[-1].to):
                found.append(Stack(self._left(taken.one("hq"), taken.all("unit"), found) if one.slot == "to" else []))
            if one.slot == "with":
                found[-1].units.append(one.value)
            elif one.slot == "to":
                found[-1].to = one.value
            elif one.slot == "word" and found:
                found[-1].way = one.value
        return found

    def _stack(self, move: Plain) -> Stack:
        """A move of an order. Raises Rejected."""
        verb, rest = split_order(move, (MOVE, ASSAULT))
        route = read_route(self.g, rest)
        if route.via or route.way not in ("", "organic"):
            raise no_picks()
        by_sea = verb == ASSAULT and all(self.g.counter(u).kind == "ground" for u in route.units)
        return Stack([*route.units], hex_word(route.to), route.way or (ASSAULT if by_sea else ""))


def _written(stacks: Sequence[Stack]) -> Iterator[Chosen]:
    for one in stacks:
        yield from (Chosen("with", unit) for unit in one.units)
        yield Chosen("to", one.to)
        yield from [Chosen("word", one.way)] if one.way else []


def _order(g: State, hq: str, units: Sequence[str], stacks: Sequence[Stack]) -> Plain:
    moves: list[Plain] = []
    for one in stacks:
        kinds = {g.counter(u).kind for u in one.units}
        verb = ASSAULT if one.way or ("ground" in kinds and len(kinds) > 1) else MOVE
        by = " by organic" if one.way == "organic" else ""
        moves.append({verb: f"{', '.join(one.units)} to {hex_of(one.to):04}{by}"})
    return {"counter": {"hq": hq, "activate": [*units], "moves": moves}}
