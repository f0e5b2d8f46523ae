"""[PW-BID-01] [PW-CMD-04] [PW-ACT-03] [PW-AIR-01] An operation pick by pick: bids, allocations with what is left, activations
with their price; missions: what kind, where, over which hexes, who flies, whom they drop; targets and landings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.nouns import SPOKEN, target_named
from pbem.games.pacific_war.orders import month_word, read_month, read_places, read_unit, read_units, unit_parts
from pbem.games.pacific_war.picks import base_picks, base_value, base_word, hex_word, picker, place_word
from pbem.games.pacific_war.records import MOST_RESERVED
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.terms import month
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Lead, Pick, Read, verdict
from pbem.kernel.gathering import Counts, Lists, Pairs
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, Verbs, Worded, sole, table
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim

RESERVE, RELEASE, RETURN, DISPERSE = "reserve", "release", "return", "disperse"
MOVES = (RELEASE, RETURN, DISPERSE)  # what headquarters do beside getting points
Moves = Mapping[str, tuple[Message, int]]  # word and name -> how it is told, command points
Further = Callable[[str, Sequence[str]], Sequence[str]]
Seen = Callable[[int], bool]  # something in a hex that a mission may fly to
Far = Callable[[str, str, int], bool]  # kind of mission, unit, hexes
KINDS = {
    "strike": msg("strike"),
    "superiority": msg("superiority"),
    "transfer": msg("transfer"),
    "paradrop": msg("paradrop"),
    "patrol": msg("patrol"),
}


class Purse(Struct, frozen=True):
    """What an activation has to go with: what units cost, what a headquarters can spend, how long it may last."""

    price: Callable[[str, Sequence[str], int], tuple[int, int]]  # headquarters, units, days: activation and command points
    most: Callable[[str], int]
    lengths: Sequence[int] = ()


def activations(
    g: State,
    side: str,
    verbs: Sequence[str],
    hqs: Sequence[str],
    units: Callable[[str], Sequence[str]],
    name: Callable[[Plain], str],
    purse: Purse,
    read: Read,
) -> Form:
    """A headquarters, those of its `units` that can be paid for together (the others with the reason), how long."""

    def told(taken: Taken) -> Message:
        if not taken.one("hq"):
            return NO_WORDS
        days = int(taken.one("number") or min(purse.lengths, default=14))
        points, price = purse.price(taken.one("hq"), taken.all("unit"), days)
        most = purse.most(taken.one("hq"))
        return msg("command points: {price} of {most}; activation points: {points}", price=price, most=most, points=points)

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"hq": taken.one("hq"), "units": [*taken.all("unit")]}
        return {"activate": {**body, "days": int(taken.one("number"))} if taken.one("number") else body}

    def said(body: Plain) -> Said:
        f = table(body, ("hq", "units"), ("days",))
        named = [u for part in unit_parts(g, f["units"]) for u in read_units(g, [part], side)]
        return {"hq": [name(f["hq"])], "unit": named, "number": [str(f["days"])] if "days" in f else []}

    fields = (
        picker(g).field("hq", hqs),
        Field("unit", lambda taken: picker(g).units("unit", units(taken.one("hq"))), most=MANY, grey=True),
        Field("number", lambda _: [Pick("number", str(n), msg("days: {n}", n=n)) for n in purse.lengths], 0),
    )
    return Verbs(read, verbs, {"activate": Fields(fields, make, said, read, told)})


def bidding(verb: str, least: int, most: int, read: Read) -> Form:
    """[PW-BID-01] A number between the least and the most."""

    def said(body: Plain) -> Said:
        return {"number": [str(read_number(body, least, most, "PW-BID-01"))]}

    numbers = [Pick("number", str(n), verbatim(str(n))) for n in range(least, most + 1)]
    gesture = Fields((Field("number", lambda _: numbers),), lambda taken: {verb: int(taken.one("number"))}, said, read)
    return sole(verb, gesture, read)


def allocations(
    hqs: Sequence[str], months: Sequence[int], total: int, moves: Moves, name: Callable[[Plain], str], read: Read
) -> Form:
    """[PW-CMD-04] [PW-CMD-05] [PW-HQ-01] Points for each headquarters, and kept for a later month, while some are left.

    `moves`: headquarters that may return or disperse, or get the reserve of this month, with what it costs.
    """

    def spent(taken: Mapping[str, int]) -> int:
        return sum(n if thing not in moves else moves[thing][1] for thing, n in taken.items())

    def offers(taken: Mapping[str, int]) -> list[Pick]:
        left = total - spent(taken)
        later = {m: f"{RESERVE} {m}" for m in months}
        able = [m for m in months if later[m] in taken] or months
        most = {m: min(left, MOST_RESERVED - taken.get(later[m], 0)) for m in able}
        kept = [Pick("unit", later[m], msg("kept for {month}", month=month(m)), most=n) for m, n in most.items() if n > 0]
        ways = [Pick("unit", m, told, cost=_price(n)) for m, (told, n) in moves.items() if m not in taken and n <= left]
        return [*([*(Pick("unit", h, verbatim(h), most=left) for h in hqs), *kept] if left > 0 else []), *ways]

    def make(taken: Mapping[str, int]) -> Plain:
        body: dict[str, Plain] = {h: n for h, n in taken.items() if h not in moves and not h.startswith(RESERVE)}
        for thing, points in taken.items():
            if thing in moves:
                word, hq = thing.split(" ", 1)
                body[word] = hq if word == RELEASE else [*(x for w, x in _split(taken) if w == word)]
            elif thing.startswith(RESERVE):
                body[RESERVE] = {"month": month_word(int(thing.removeprefix(RESERVE))), "points": points}
        return {"allocate": body}

    def said(body: Plain) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for key, value in table(body).items():
            if key in MOVES:
                found |= {f"{key} {name(hq)}": 1 for hq in (value if isinstance(value, list) else [value])}
                continue
            row = value if isinstance(value, dict) else {"points": value}
            thing = f"{RESERVE} {read_month(row.get('month'), months, 'PW-CMD-05')}" if key == RESERVE else name(key)
            found[thing] = read_number(row.get("points"), 0, total, "PW-CMD-04")
        return found

    def told(taken: Mapping[str, int]) -> Message:
        return msg("command points left: {n} of {total}", n=total - spent(taken), total=total)

    return sole("allocate", Counts(offers, make, said, read, told), read)


def journeys(moves: Moves, verbs: Sequence[str], read: Read) -> Form:
    """[PW-HQ-01] Headquarters that return for points, and those that disperse."""

    def make(taken: Taken) -> Plain:
        pairs = _split(dict.fromkeys(taken.all("hq"), 1))
        named = {word: [hq for way, hq in pairs if way == word] for word in (RETURN, DISPERSE)}
        return {"allocate": {word: [*those] for word, those in named.items() if those}}

    def said(body: Plain) -> Said:
        plan = read({"allocate": body})
        return {"hq": [*(f"{RETURN} {hq}" for hq in plan.returns), *(f"{DISPERSE} {hq}" for hq in plan.disperse)]}

    field = Field("hq", lambda _: [Pick("hq", m, told, cost=_price(n)) for m, (told, n) in moves.items()], most=MANY)
    return sole("allocate", Fields((field,), make, said, read), read, verbs)


def _split(taken: Mapping[str, int]) -> list[tuple[str, str]]:
    return [(word, hq) for word, _, hq in (thing.partition(" ") for thing in taken) if word in MOVES]


def _price(points: int) -> Message:
    return msg("command points: {n}", n=points) if points else NO_WORDS


# -- missions -----------------------------------------------------------------------------------------------------------


def missions(
    g: State,
    side: str,
    verbs: Sequence[str],
    crews: Mapping[str, Sequence[str]],
    ready: Sequence[str],
    seen: Seen,
    far: Far,
    read: Read,
) -> Form:
    """`crews`: kinds of missions, each with units that may fly it; `ready`: units that may fly any."""
    start = {u: g.waves.get(u, g.units[u].at) for u in ready}

    def reaches(taken: Taken, unit: str, *way: int) -> bool:
        return far(taken.one("word"), unit, sum(map(distance, (start[unit], *way), way)))

    def goals(taken: Taken) -> list[Pick]:
        kind = taken.one("word")
        able = (h for h in _goals(g, side, kind, seen) if any(reaches(taken, u, h) for u in crews[kind]))
        leads: tuple[Lead, ...] = ("attack",) if kind in ("strike", "superiority", "paradrop") else ()
        return picker(g).places("target", able, *leads)

    def flyers(taken: Taken) -> list[Pick]:
        return picker(g).units("unit", (u for u in ready if reaches(taken, u, int(taken.one("target")))))

    def stops(taken: Taken) -> list[Pick]:
        crew, goal, over = crews[taken.one("word")], int(taken.one("target")), [int(h) for h in taken.all("via")]
        bases = dict.fromkeys(start[u] for u in ready if start[u] != goal)
        return picker(g).places("via", (h for h in bases if any(reaches(taken, u, *over, h, goal) for u in crew)))

    def troops(taken: Taken) -> list[Pick]:
        bases = dict.fromkeys(start[u] for u in taken.all("unit")) if taken.one("word") == "paradrop" else ()
        return [p for h in bases for p in picker(g).units("with", g.paratroops(side, h))]

    fields = (
        Field("word", lambda _: [Pick("word", k, KINDS[k]) for k in crews if k in KINDS]),
        Field("target", goals),
        *(Field("via", stops, 0, MANY), Field("unit", flyers, most=MANY, grey=True), Field("with", troops, 0, MANY)),
    )
    gesture = Fields(fields, _order, lambda body: _said(g, side, body, [*crews]), read, judge=_in_part(g, side, start, read))
    return Verbs(read, verbs, {"mission": gesture})


def _in_part(g: State, side: str, start: Mapping[str, int], read: Read) -> Read:
    """Of a drop that has no troops yet, what is wrong whoever they are."""

    def judge(order: Plain) -> object:
        body = order["mission"] if isinstance(order, dict) else None
        if not isinstance(body, dict) or "paradrop" not in body or "drops" in body or not isinstance(body["units"], list):
            return read(order)
        bases = dict.fromkeys(start[str(u)] for u in body["units"])
        each = [verdict(read, [{"mission": {**body, "drops": [t]}}]) for h in bases for t in g.paratroops(side, h)]
        if all(each):
            raise Rejected(each[0] if each else verdict(read, [order]))
        return None

    return judge


def aims(g: State, units: Sequence[str], able: Further, judge: Callable[[Plain], Mapping[str, Sequence[str]]]) -> Form:
    """[PW-AIR-14] Each unit with its targets. `able`: what one may attack besides others; `judge`: the order."""

    def items(unit: str, there: Sequence[str]) -> list[Pick]:
        return [Pick("target", t, target_named(t)) for t in able(unit, there)]

    def make(named: Mapping[str, Sequence[str]]) -> Plain:
        return {"targets": {unit: [*targets] for unit, targets in named.items()}}

    lists = Lists(
        ("unit", "target"),
        lambda: picker(g).units("unit", units),
        items,
        make,
        lambda body: judge({"targets": body}),
        judge,
    )
    return sole("targets", lists, judge)


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
    kind = next((k for k in kinds if k in table(body)), "")
    f = table(body, (kind,), ("units", "via", "drops"))
    via = [hex_word(h) for h in read_places(g, f["via"])] if "via" in f else []
    cargo = read_units(g, f["drops"], side) if "drops" in f else []
    units = read_units(g, f.get("units"), side)
    return {"word": [kind], "target": [place_word(g, f[kind])], "via": via, "unit": units, "with": cargo}


def touchdowns(g: State, side: str, verbs: Sequence[str], reach: Mapping[str, Sequence[str]], read: Read) -> Form:
    """[PW-AIR-17] [PW-AIR-16] Aircraft in the air, each with its base, the others home; or the way that all fly on."""

    def make(pairs: Sequence[tuple[str, str]]) -> Plain:
        return {"landing": {unit: base_value(base) for unit, base in pairs}}

    def said(body: Plain) -> list[tuple[str, str]]:
        return [(read_unit(g, who, side), base_word(g, side, where)) for who, where in table(body).items()]

    units = Pairs(
        ("unit", "to"),
        lambda _: picker(g).units("unit", reach),
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
    return picker(g).places("to", (h for h in near if not verdict(read, [{"fly_on": [*stops, h]}])))
