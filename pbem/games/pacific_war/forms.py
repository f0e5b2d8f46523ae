"""[PW-MOV-14] [PW-BOM-01] Ships pick by pick: several markers sail in one order, each gun has its target; [PW-FOG-02] forces
put together; [PW-MOV-02] [PW-AMP-01] troops: a march hex by hex with its cost, going aboard, ashore, off the map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.pacific_war.nouns import range_named, target_named
from pbem.games.pacific_war.orders import OFF, read_places, read_unit, read_units
from pbem.games.pacific_war.picks import hex_word, picker, place_word, where
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Form, Pick, Read, Step
from pbem.kernel.gathering import Pairs
from pbem.kernel.picking import (
    MANY,
    Field,
    Fields,
    Said,
    Taken,
    Taking,
    Verbs,
    Worded,
    ahead,
    entry,
    finished,
    sole,
    table,
    worded,
)
from pbem.kernel.wording import Message, msg, verbatim

Cost = Callable[[str, int, int], int | None]  # unit, from, to
Fits = Callable[[Sequence[str]], bool]
Markers = Callable[[Sequence[str]], Sequence[str]]  # task forces that may still be named after some
Named = Sequence[tuple[str, str]]
SHOTS = {
    "both": msg("with guns and torpedoes"),
    "guns": msg("with guns"),
    "torpedoes": msg("with torpedoes"),
}
BY = " with "


def sailings(g: State, side: str, verbs: Sequence[str], able: Sequence[str], at: Callable[[str], int], read: Read) -> Form:
    """Task forces and submarines, each with a hex beside it; who is not named stays."""

    def ends(mover: str, done: Named) -> list[Pick]:
        return [*(picker(g).place("to", n) for n in g.board.near(at(mover))), Pick("to", OFF, msg("off the map"))]

    def make(pairs: Named) -> Plain:
        return {"sail": {mover: goal if goal == OFF else int(goal) for mover, goal in pairs}}

    def said(body: Plain) -> Named:
        goals = table(body)
        names = {who: who if who in g.markers else read_unit(g, who, side) for who in goals}
        return [(names[who], OFF if goal == OFF else place_word(g, goal)) for who, goal in goals.items()]

    pairs = Pairs(("unit", "to"), lambda _: picker(g).units("unit", able), ends, make, said, read)
    return sole("sail", pairs, read, verbs)


def searches(
    g: State,
    verbs: Sequence[str],
    goals: Sequence[str],
    able: Callable[[int], Sequence[str]],
    hidden: Sequence[int],
    dice: Callable[[str, int], tuple[int, int, int]],
    read: Read,
) -> Form:
    """[PW-SRC-03] A task force and who searches for it, with the dice that find it; hidden aircraft to be shown.

    `able`: who may search a hex; `dice`: the highest die for level 3, 2 and 1, -1 for never.
    """

    def searchers(taken: Taken) -> list[Pick]:
        place = g.markers[taken.one("target")].at
        return [_searcher(g, u, dice(u, place)) for u in able(place)]

    def make(taken: Taken) -> Plain:
        return {"search": {taken.one("target"): taken.one("by")}}

    def said(body: Plain) -> Said:
        unit, marker = read({"search": body})
        return {"target": [marker], "by": [unit]}

    def shown(taken: Taken) -> Plain:
        return {verbs[1]: int(taken.one("to"))}

    fields = (picker(g).field("target", goals), Field("by", searchers))
    hexes = Field("to", lambda _: picker(g).places("to", hidden))
    reveal = Fields((hexes,), shown, lambda body: {"to": [place_word(g, body)]}, read)
    return Verbs(read, verbs, {"search": Fields(fields, make, said, read), verbs[1]: reveal}, bare=("search",))


def _searcher(g: State, unit: str, dice: tuple[int, int, int]) -> Pick:
    told = msg("die for level 3, 2, 1: {dice}", dice=", ".join(str(n) if n >= 0 else "-" for n in dice))
    (pick,) = picker(g).units("by", [unit])
    return Pick("by", unit, pick.name, pick.at, cost=told)


def bombardments(g: State, side: str, verbs: Sequence[str], ships: Sequence[str], targets: Sequence[str], read: Read) -> Form:
    """Ships, each with what it fires at."""

    def ends(ship: str, done: Named) -> list[Pick]:
        return [Pick("target", t, target_named(t)) for t in targets]

    def said(body: Plain) -> Named:
        aims: dict[str, str] = read({"bombard": body})
        return [*aims.items()]

    pairs = Pairs(
        ("unit", "target"), lambda _: picker(g).units("unit", ships), ends, lambda p: {"bombard": dict(p)}, said, read
    )
    return sole("bombard", pairs, read, verbs)


def broadsides(
    g: State,
    verbs: Sequence[str],
    shooters: Sequence[str],
    prey: Sequence[str],
    able: Callable[[str, str], Sequence[str]],
    aims: Callable[[Plain], Named],
    read: Read,
) -> Form:
    """[PW-NAV-03] Ships, each with its target and what it fires with; or all that can at one target.

    `able`: what a ship can fire with at a target, most first; `aims`: the pairs of an order.
    """

    def ends(ship: str, done: Named) -> list[Pick]:
        ways = {how: [t for t in prey if how in able(ship, t)] for how in SHOTS}
        return [
            Pick("target", f"{t}{BY}{how}", target_named(t), cost=SHOTS[how], leads=("attack",))
            for how, targets in ways.items()
            for t in targets
        ]

    def make(pairs: Named) -> Plain:
        return {verbs[0]: {ship: _aim(aim) for ship, aim in pairs}}

    whole = {f"at {t}": {s: _aim(f"{t}{BY}{able(s, t)[0]}") for s in shooters if able(s, t)} for t in prey}
    words = {f"at {t}": msg("all that can fire at {target}", target=target_named(t)) for t in prey if whole[f"at {t}"]}
    firing = [s for s in shooters if any(able(s, t) for t in prey)]
    pairs = Pairs(("unit", "target"), lambda _: picker(g).units("unit", firing), ends, make, aims, read, trusted=True)
    return Verbs(read, verbs, {verbs[0]: Worded(verbs[0], words, pairs, read, whole)}, bare=verbs[:1])


def _aim(word: str) -> Plain:
    target, _, how = word.rpartition(BY)
    return {"at": target, "with": how}


def ranges(g: State, bands: Sequence[str], withdraw: str, ways: Sequence[int], read: Read) -> Form:
    """[PW-NAV-06] [PW-NAV-07] A range, or the hex to which all ships withdraw."""

    def said(body: Plain) -> Said:
        return {"to": [place_word(g, table(body, [withdraw])[withdraw])]}

    told: Mapping[str, Message] = {band: range_named(band) for band in bands}
    field = Field("to", lambda _: picker(g).places("to", ways, "retreat"))
    leave = Fields((field,), lambda taken: {"bid": {withdraw: int(taken.one("to"))}}, said, read)
    return worded("bid", told, leave, read)


# -- task forces -------------------------------------------------------------------------------------------------------


PARTS = {"with": "core", "by": "screen"}  # slot -> the part of a task force that it fills


def organizations(
    g: State, side: str, verbs: Sequence[str], markers: Markers, ships: Sequence[str], fits: Fits, read: Read
) -> Form:
    """Every ship has to be in a part. `fits`: they may be one task force."""
    return sole("organize", Organizing(g, side, markers, ships, fits, read), read, verbs)


class Organizing(Taking, Struct, frozen=True):
    """The gesture."""

    g: State
    side: str
    markers: Markers
    ships: Sequence[str]
    fits: Fits
    read: Read

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """Ships that are in no part yet, another marker, and the order once all of them have one."""
        return ahead(self._now, chosen)

    def _now(self, chosen: tuple[Chosen, ...]) -> Step:
        if not {c.slot for c in chosen} <= {"word", *PARTS}:
            return Step()
        forces, named = _forces(chosen), [c.value for c in chosen]
        left = [s for s in self.ships if s not in named]
        last = forces[next(reversed(forces))] if forces else {}
        others = self.markers([*forces])
        more = others if left and (not last or last["core"]) and self._are_held(left, len(others)) else []
        room = len(last["core"]) - len(last["screen"]) if last else 0
        slots = [] if not last or last["screen"] else ["with"]
        slots += ["by"] if room and self._may_screen(left, room, len(others)) else []
        able = [s for s in left if self.fits([*last["core"], *last["screen"], s])] if last else []
        picks = (p for slot in slots for p in picker(self.g).units(slot, able))
        order: Plain = {"organize": {m: {part: [*ships] for part, ships in parts.items()} for m, parts in forces.items()}}
        now = finished(self.read, order) if forces and not left else Step()
        told = msg("ships without a task force: {n}", n=len(left))
        return replace(now, picks=(*picks, *(Pick("word", m, verbatim(m)) for m in more)), budget=told)

    def _may_screen(self, left: Sequence[str], room: int, forces: int) -> bool:
        """So many task forces hold what the screen does not take."""
        large = [s for s in left if self.g.counter(s).capital]
        small = [s for s in left if s not in large]
        return any(self._are_held([*large[n:], *small[room - n :]], forces) for n in range(room + 1))

    def _are_held(self, ships: Sequence[str], forces: int) -> bool:
        """They hold them all."""
        for _ in range(forces):
            group: list[str] = []
            for ship in ships:
                group += [ship] if self.fits([*group, ship]) else []
            ships = [s for s in ships if s not in group]
        return not ships

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        parts = {marker: table(part) for marker, part in table(body).items()}
        return tuple(c for marker, part in parts.items() for c in self._picks_of(marker, part))

    def _picks_of(self, marker: str, part: Mapping[str, Plain]) -> Iterator[Chosen]:
        yield Chosen("word", marker)
        for slot, key in PARTS.items():
            for ship in read_units(self.g, part[key], self.side) if part.get(key) else []:
                yield Chosen(slot, ship)


def _forces(chosen: Sequence[Chosen]) -> dict[str, dict[str, list[str]]]:
    """Markers with the ships of their parts, as orders have them."""
    found: dict[str, dict[str, list[str]]] = {}
    for one in chosen:
        if one.slot == "word":
            found[one.value] = {part: [] for part in PARTS.values()}
        elif found:
            found[next(reversed(found))][PARTS[one.slot]].append(one.value)
    return found


# -- troops ------------------------------------------------------------------------------------------------------------


def land_moves(
    g: State, side: str, verbs: Sequence[str], able: Callable[[], list[str]], cost: Cost, allowance: int, read: Read
) -> Form:
    """The form of a land phase."""
    places, units = picker(g).stack(able)

    def gesture(verb: str, field: Field, value: Callable[[Taken], Plain], values: Callable[[Plain], list[str]]) -> Fields:
        def said(body: Plain) -> Said:
            who, what = entry(body)
            unit = read_unit(g, who, side)
            return {"at": [where(g, unit)], "unit": [unit], field.slot: values(what)}

        return Fields((places, units, field), lambda taken: {verb: {taken.one("unit"): value(taken)}}, said, read)

    def spent(taken: Taken) -> tuple[int, int]:
        """Where the march has come, and what it has cost."""
        unit, points = taken.one("unit"), 0
        at = g.units[unit].at
        for step in map(int, taken.all("to")):
            points, at = points + (cost(unit, at, step) or 0), step
        return at, points

    def steps(taken: Taken) -> list[Pick]:
        at, points = spent(taken)
        prices = ((n, cost(taken.one("unit"), at, n)) for n in g.board.marches(at))
        return [picker(g).place("to", n, msg("movement points: {n}", n=points + p)) for n, p in prices if p is not None]

    def told(taken: Taken) -> Message:
        used = spent(taken)[1] if taken.all("unit") else 0
        return msg("movement points: {n} of {most}", n=used, most=allowance)

    march = gesture(
        "move",
        Field("to", steps, most=MANY),
        lambda t: [int(h) for h in t.all("to")],
        lambda what: [hex_word(h) for h in read_places(g, what)],
    )
    ships = Field("by", lambda taken: picker(g).units("by", g.ships(side, g.units[taken.one("unit")].at)))
    beach = Field("to", lambda taken: [picker(g).place("to", g.units[taken.one("unit")].at, leads=("land",))])
    gestures = {
        "move": Fields(march.fields, march.make, march.said, read, told),
        "embark": gesture("embark", ships, lambda t: t.one("by"), lambda what: [read_unit(g, what, side)]),
        "debark": gesture("debark", beach, lambda t: int(t.one("to")), lambda what: [place_word(g, what)]),
        "leave": Fields((places, units), lambda t: {"leave": t.one("unit")}, lambda body: _leaver(g, side, body), read),
    }
    return Verbs(read, verbs, gestures, bare=("move", "embark", "debark"))


def departures(g: State, side: str, fighting: Sequence[str], read: Read) -> Fields:
    """[PW-DEA-02] Troops that leave a battle together, for a neighbour or for a ship in their hex."""

    def ends(taken: Taken) -> list[Pick]:
        at = g.units[taken.all("unit")[0]].at
        return [
            *(picker(g).place("to", n, leads=("retreat",)) for n in g.board.near(at)),
            *picker(g).units("to", g.ships(side, at)),
        ]

    def make(taken: Taken) -> Plain:
        to = taken.one("to")
        return {"disengage": {"units": [*taken.all("unit")], "to": to if to in g.units else int(to)}}

    def said(body: Plain) -> Said:
        units, goal, ship = read({"disengage": body})[1]
        return {"unit": units, "to": [ship or hex_word(goal)]}

    return Fields((picker(g).field("unit", fighting, most=MANY), Field("to", ends)), make, said, read)


def _leaver(g: State, side: str, body: Plain) -> Said:
    unit = read_unit(g, next(iter(body)) if isinstance(body, dict) and body else body, side)
    return {"at": [where(g, unit)], "unit": [unit]}
