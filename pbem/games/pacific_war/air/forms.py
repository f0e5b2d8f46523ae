"""[PW-AIR-01] A mission pick by pick: what kind, where, over which hexes, who flies, whom they drop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.nouns import SPOKEN, target_named
from pbem.games.pacific_war.orders import misread, read_places, read_unit, read_units
from pbem.games.pacific_war.picks import base_picks, base_value, base_word, hex_word, place_pick, place_word, unit_picks
from pbem.games.pacific_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Lead, Pick, Read, verdict
from pbem.kernel.gathering import Lists, Pairs
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, Verbs, Worded, sole
from pbem.kernel.wording import msg

Seen = Callable[[int], bool]  # something in a hex that a mission may fly to
KINDS = {
    "strike": msg("strike"),
    "superiority": msg("superiority"),
    "transfer": msg("transfer"),
    "paradrop": msg("paradrop"),
    "patrol": msg("patrol"),
}


def missions(
    g: State,
    side: str,
    verbs: Sequence[str],
    kinds: Sequence[str],
    ready: Sequence[str],
    seen: Seen,
    read: Read,
) -> Form:
    """`ready`: units that may fly."""
    start = {u: g.waves.get(u, g.units[u].at) for u in ready}

    def flown(kind: str) -> bool:
        return kind != "patrol" or g.options.get("fighter-patrol") == "yes"

    def reaches(unit: str, goal: int) -> bool:
        return distance(start[unit], goal) <= g.counter(unit).range

    def goals(taken: Taken) -> list[Pick]:
        able = (h for h in _goals(g, side, taken.one("word"), seen) if any(reaches(u, h) for u in ready))
        leads: tuple[Lead, ...] = ("attack",) if taken.one("word") in ("strike", "superiority", "paradrop") else ()
        return [place_pick(g, "target", h, leads=leads) for h in able]

    def flyers(taken: Taken) -> list[Pick]:
        goal = int(taken.one("target"))
        return [p for p in unit_picks(g, "unit", ready) if reaches(p.value, goal)]

    def stops(taken: Taken) -> list[Pick]:
        bases = dict.fromkeys(start[u] for u in ready if reaches(u, int(taken.one("target"))))
        return [place_pick(g, "via", h) for h in bases if hex_word(h) != taken.one("target")]

    def troops(taken: Taken) -> list[Pick]:
        bases = dict.fromkeys(start[u] for u in taken.all("unit")) if taken.one("word") == "paradrop" else ()
        return [p for h in bases for p in unit_picks(g, "with", g.here(side, h, "ground")) if _drops(g, p.value)]

    def judge(order: Plain) -> object:
        """A drop that has not got its troops yet may still get them."""
        body = order["mission"] if isinstance(order, dict) else None
        return None if isinstance(body, dict) and "paradrop" in body and "drops" not in body else read(order)

    fields = (
        Field("word", lambda _: [Pick("word", k, KINDS[k]) for k in kinds if k in KINDS and flown(k)]),
        Field("target", goals),
        *(Field("via", stops, 0, MANY), Field("unit", flyers, most=MANY, grey=True), Field("with", troops, 0, MANY)),
    )
    gesture = Fields(fields, _order, lambda body: _said(g, side, body, kinds), read, judge=judge)
    return Verbs(read, verbs, {"mission": gesture})


def aims(
    g: State, units: Sequence[str], able: Callable[[str], Sequence[str]], judge: Callable[[Plain], Mapping[str, Sequence[str]]]
) -> Form:
    """[PW-AIR-14] Each unit with its targets. `able`: what one may attack; `judge`: the order."""

    def items(unit: str, there: Sequence[str]) -> list[Pick]:
        return [Pick("target", t, target_named(t)) for t in able(unit)]

    def make(named: Mapping[str, Sequence[str]]) -> Plain:
        return {"targets": {unit: [*targets] for unit, targets in named.items()}}

    lists = Lists(
        ("unit", "target"),
        lambda: unit_picks(g, "unit", units),
        items,
        make,
        lambda body: judge({"targets": body}),
        judge,
    )
    return sole("targets", lists, judge)


def _drops(g: State, unit: str) -> bool:
    return g.counter(unit).type == "airborne"


def _goals(g: State, side: str, kind: str, seen: Seen) -> Iterable[int]:
    """Hexes that a kind of mission may fly to; more than are legal."""
    if kind == "transfer":
        decks = (g.units[u].at for u in g.on_map(side, "naval") if g.is_carrier(u))
        return dict.fromkeys([*(h for h, b in g.airfields.items() if b.side == side), *decks])
    if kind == "patrol":
        return dict.fromkeys(h for u in g.on_map(side, "air") for h in g.board.within(g.units[u].at, g.counter(u).range // 2))
    foe = FOE[side]
    bases = [h for held in (g.airfields, g.ports, g.osbs, g.works) for h, b in held.items() if b.side == foe]
    fleets = [m.at for m in g.markers.values() if m.side == foe and m.detected]
    there = dict.fromkeys([*(g.units[u].at for u in g.on_map(foe)), *fleets, *bases, *g.forces.get(foe, ())])
    return [h for h in there if kind == "paradrop" or seen(h)]


def _order(taken: Taken) -> Plain:
    body: dict[str, Plain] = {taken.one("word"): int(taken.one("target")), "units": [*taken.all("unit")]}
    if taken.all("via"):
        body["via"] = [int(h) for h in taken.all("via")]
    if taken.all("with"):
        body["drops"] = [*taken.all("with")]
    return {"mission": body}


def _said(g: State, side: str, body: Plain, kinds: Sequence[str]) -> Said:
    """One flight; several of them, and where an open transfer ends, are left to the text. Raises Rejected."""
    named = [k for k in kinds if isinstance(body, dict) and k in body]
    if not isinstance(body, dict) or len(named) != 1 or not set(body) <= {named[0], "units", "via", "drops"}:
        raise misread("mission", body, "mission: {strike: 2860, units: [CAD1, CAD2]}")
    via = [hex_word(h) for h in read_places(g, body["via"])] if "via" in body else []
    cargo = read_units(g, body["drops"], side) if "drops" in body else []
    units = read_units(g, body.get("units"), side)
    return {"word": named, "target": [place_word(g, body[named[0]])], "via": via, "unit": units, "with": cargo}


def touchdowns(g: State, side: str, verbs: Sequence[str], reach: Mapping[str, Sequence[str]], read: Read) -> Form:
    """[PW-AIR-17] [PW-AIR-16] Aircraft in the air, each with its base, the others home; or the way that all fly on."""

    def make(pairs: Sequence[tuple[str, str]]) -> Plain:
        return {"landing": {unit: base_value(base) for unit, base in pairs}}

    def said(body: Plain) -> list[tuple[str, str]]:
        if not isinstance(body, dict):
            raise misread("landing", body, "landing: home", "landing: {unit: base}")
        return [(read_unit(g, who, side), base_word(g, side, where)) for who, where in body.items()]

    units = Pairs(
        ("unit", "to"),
        lambda _: unit_picks(g, "unit", reach),
        lambda unit, _: base_picks(g, reach[unit]),
        make,
        said,
        read,
    )
    way = Fields(
        (Field("to", lambda taken: _onward(g, taken, reach, read), most=MANY, trusted=True),),
        lambda taken: {"fly_on": [int(h) for h in taken.all("to")]},
        lambda body: {"to": [hex_word(h) for h in read_places(g, body)]},
        read,
    )
    home = Worded("landing", {"home": SPOKEN["landing: home"]}, units, read)
    gestures: dict[str, Gesture] = {"landing": home, "fly_on": way}
    return Verbs(read, verbs, {v: gestures[v] for v in verbs}, bare=("landing",))


def _onward(g: State, taken: Taken, reach: Mapping[str, Sequence[str]], read: Read) -> list[Pick]:
    stops: list[Plain] = [int(h) for h in taken.all("to")]
    bases = dict.fromkeys(b for able in reach.values() for b in able)
    near = dict.fromkeys(int(b) if b[0].isdigit() else g.units[b].at for b in bases)
    return [place_pick(g, "to", h) for h in near if not verdict(read, [{"fly_on": [*stops, h]}])]
