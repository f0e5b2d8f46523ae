"""[7.26] A reaction pick by pick: an HQ, units that narrow each other, then stack after stack with its battle hex."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pbem.games.empire_of_the_sun.activation import check, eligible
from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.labels import SPOKEN, unread, written
from pbem.games.empire_of_the_sun.lines import sea_field
from pbem.games.empire_of_the_sun.movement.land import land_costs
from pbem.games.empire_of_the_sun.movement.limits import naval_allowance
from pbem.games.empire_of_the_sun.orders import ASSAULT, MOVE, read_route, read_unit, read_units, split_order
from pbem.games.empire_of_the_sun.picks import (
    hex_of,
    hex_word,
    place_pick,
    unit_picks,
    where,
)
from pbem.games.empire_of_the_sun.state import State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Form, Pick, Read, Step, WhyNot, verdict
from pbem.kernel.orders import Rejected, unreadable
from pbem.kernel.picking import Taken, Verbs
from pbem.kernel.questions import NONE
from pbem.kernel.wording import NO_WORDS, Message, msg

BY_SEA = {ASSAULT: msg("amphibious assault"), "organic": msg("organic naval transport")}
Most = Callable[[str, Sequence[str]], int]  # HQ, units -> how many it may activate


@dataclass(slots=True)
class Stack:
    """Units that react together: where to, and how, where that is not plain from their kinds."""

    units: list[str] = field(default_factory=list)
    to: str = ""
    way: str = ""


def counters(
    g: State,
    side: str,
    leaders: Sequence[str],
    base: Callable[[str], int],
    most: Most,
    read: Read,
) -> Form:
    """The form of reaction movement. `base`: units that an HQ may activate before its efficiency; `most`: with it."""
    return Verbs(read, ("counter",), {"counter": Reaction(g, side, leaders, base, most, read)}, bare=("counter",))


@dataclass(frozen=True)
class Reaction:
    """The gesture: HQ, units, then for each stack that moves its units and its end."""

    g: State
    side: str
    leaders: Sequence[str]
    base: Callable[[str], int]
    most: Most
    read: Read

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """What may come next."""
        if not chosen:
            return Step((Pick("word", NONE, SPOKEN["counter: none"]), *unit_picks(self.g, "hq", self.leaders)))
        if chosen[0].slot == "word":
            return self._finished({"counter": NONE}, (), NO_WORDS) if len(chosen) == 1 else Step()
        taken, stacks = Taken(chosen), _stacks(chosen)
        units = taken.all("unit")
        told = msg("units: {n} of {most}", n=len(units), most=self.most(taken.one("hq"), units))
        more = () if stacks else tuple(self._joining(taken.one("hq"), units))
        going = tuple(self._going(units, stacks))
        if stacks and not stacks[-1].to:
            return Step((*going, *self._ends(stacks[-1].units)), budget=told)
        able = (
            p for p in going if p.slot != "word" or not verdict(self.read, [self._made((*chosen, Chosen("word", p.value)))])
        )
        return self._finished(self._made(chosen), (*more, *able), told)

    def _made(self, chosen: tuple[Chosen, ...]) -> Plain:
        taken = Taken(chosen)
        return _order(self.g, taken.one("hq"), taken.all("unit"), _stacks(chosen))

    def _finished(self, order: Plain, picks: tuple[Pick, ...], told: Message) -> Step:
        problems = verdict(self.read, [order])
        return Step(picks, () if problems else (order,), told, problems=problems)

    def takes(self, chosen: tuple[Chosen, ...]) -> bool:
        """It begins with an HQ that may react."""
        return chosen[0].value in (NONE, *self.leaders)

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        """HQ, units and stacks of a written reaction; battles that it names are left to the text. Raises Rejected."""
        if body == NONE:
            return (Chosen("word", NONE),)
        if not isinstance(body, dict) or "hq" not in body or body.get("battles"):
            raise unreadable(unread("counter", body), written("counter: {hq: HQ, activate: [UNITS], moves: [...]}"))
        listed, moves = body.get("activate"), body.get("moves")
        units = read_units(self.g, listed) if listed and listed != NONE else []
        stacks = [self._stack(m) for m in (moves if isinstance(moves, list) else [moves] if moves else [])]
        return (Chosen("hq", read_unit(self.g, body["hq"])), *(Chosen("unit", u) for u in units), *_written(stacks))

    # -- candidates

    def _joining(self, hq: str, units: Sequence[str]) -> Iterator[Pick]:
        """Units that the HQ can call, those that cannot join the others with the reason."""
        o = offensive(self.g)
        card = self.g.board.cards[o.counter] if o.counter else None
        for pick in unit_picks(self.g, "unit", (u for u in eligible(self.g, hq, card) if u not in units)):
            try:
                check(self.g, hq, [*units, pick.value], self.base(hq), card)
            except Rejected as refusal:
                (problem, *_) = refusal.problems
                pick = replace(pick, why_not=WhyNot(problem.reason, problem.rule))
            else:
                if not (self._stands_ready(pick.value) or self._ends([pick.value])):
                    pick = replace(pick, why_not=WhyNot(msg("{unit} reaches no battle", unit=pick.name), "7.26"))
            yield pick

    def _stands_ready(self, unit: str) -> bool:
        """It flies from where it is, or its hex is fought for."""
        return bool(self.g.counter(unit).flies or self.g.battle_hex(self.g.pieces[unit].at))

    def _going(self, units: Sequence[str], stacks: Sequence[Stack]) -> list[Pick]:
        """Activated units that may still move; how a stack of ground units that has its end comes there."""
        g, gone = self.g, [u for s in stacks for u in s.units]
        stay = [u for u in units if u not in gone and (g.counter(u).flies or not g.battle_hex(g.pieces[u].at))]
        if stacks and not stacks[-1].to:
            stay = [u for u in stay if where(g, u) == where(g, stacks[-1].units[0])]
        ways = [Pick("word", w, BY_SEA[w]) for w in BY_SEA] if stacks and stacks[-1].to and not stacks[-1].way else []
        ashore = bool(stacks) and any(g.counter(u).kind == "ground" for u in stacks[-1].units)
        joined = stacks[-1].units if stacks and not stacks[-1].to else []
        return [*unit_picks(g, "with", (u for u in stay if self._ends([*joined, u]))), *(ways if ashore else [])]

    def _ends(self, units: Sequence[str]) -> list[Pick]:
        """Battle hexes in reach by sea or land; airfields from which a battle can be reached."""
        g, o = self.g, offensive(self.g)
        start, kinds = g.pieces[units[0]].at, {g.counter(u).kind for u in units}
        if kinds == {"air"}:
            reach = min(g.counter(u).reach for u in units)
            able = [h for h in g.board.airfields if h != start and g.friendly_airfield(self.side, h)]
            return [place_pick(g, "to", h) for h in able if any(distance(h, b) <= reach for b in o.battles)]
        near = sea_field(g, start, naval_allowance(g))
        by_land = land_costs(g, self.side, units, start, 2 * o.ops, True)[0] if kinds == {"ground"} else {}
        hexes = [h for h in o.battles if g.board.fields.has(near, h) or h in by_land]
        return [place_pick(g, "to", h, leads=("attack",)) for h in hexes]

    def _stack(self, move: Plain) -> Stack:
        """A move of an order. Raises Rejected."""
        verb, rest = split_order(move, (MOVE, ASSAULT))
        route = read_route(self.g, rest)
        if route.via or route.way not in ("", "organic"):
            raise unreadable(unread(verb, rest), written("move: UNITS to HEX"))
        by_sea = verb == ASSAULT and all(self.g.counter(u).kind == "ground" for u in route.units)
        return Stack([*route.units], hex_word(route.to), route.way or (ASSAULT if by_sea else ""))


def _stacks(chosen: Sequence[Chosen]) -> list[Stack]:
    found: list[Stack] = []
    for one in chosen:
        if one.slot == "with":
            if not found or found[-1].to:
                found.append(Stack())
            found[-1].units.append(one.value)
        elif one.slot == "to" and found:
            found[-1].to = one.value
        elif one.slot == "word" and found:
            found[-1].way = one.value
    return found


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
