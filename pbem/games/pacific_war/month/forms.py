"""[PW-MER-01] [PW-RNF-01] [PW-STB] [PW-NRP] [PW-RPL] [PW-STR-01] What comes between operations pick by pick: steps to and from
escorts and submarines, points bought, bombers and their raids, yards; shipping from port to port, replacements, divisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.pacific_war.nouns import SPOKEN
from pbem.games.pacific_war.orders import read_unit, read_units
from pbem.games.pacific_war.picks import base_picks, base_value, base_word, each, hex_word, picker, place_word, where
from pbem.games.pacific_war.secret.pools import told_pools
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.units.dispersal import free_children, is_parent, present_children
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read, verdict
from pbem.kernel.gathering import Counts
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, Verbs, entry, sole
from pbem.kernel.questions import DONE, NONE
from pbem.kernel.wording import Message, msg, times, verbatim

Placed = tuple[str, int, int]  # unit, hex (0: it is on the map), steps
IN, BACK, RECALL = " in ", "withdraw ", "recall"
OFF = "0"  # the hex of bombers that withdraw
MOST_STEPS = 6


def numbers(most: int) -> list[Pick]:
    """From one to so many."""
    return [Pick("number", str(n), verbatim(str(n))) for n in range(1, most + 1)]


def _steps(unit: str, place: int, steps: Plain) -> Plain:
    """Steps for a unit as orders have them: a new one needs its hex."""
    return {unit: {"at": place, "steps": steps} if place else steps}


# -- escorts -----------------------------------------------------------------------------------------------------------


class Fleet(Struct, frozen=True):
    """Destroyers on the map, those that may come new, harbours for these."""

    there: Sequence[str]
    spare: Sequence[str]
    harbours: Sequence[int]


def escorts(g: State, verbs: tuple[str, str, str], fleet: Fleet, read: Read) -> Form:
    """[PW-MER-01] A destroyer and how many of its steps; back to a unit where it lies, or as a new one in a harbour."""
    to, back, _ = verbs

    def stands(verb: str, unit: str, place: int = 0) -> bool:
        return not verdict(read, [{verb: _steps(unit, place, 1)}])

    def able(verb: str) -> Iterator[Pick]:
        yield from picker(g).units("unit", [u for u in fleet.there if stands(verb, u)])
        if verb == back and fleet.harbours:
            yield from picker(g).units("unit", [u for u in fleet.spare if stands(verb, u, fleet.harbours[0])])

    def ends(taken: Taken) -> list[Pick]:
        there = taken.one("unit") in fleet.there
        return [picker(g).place("to", h) for h in ([g.units[taken.one("unit")].at] if there else fleet.harbours)]

    def make(verb: str) -> Callable[[Taken], Plain]:
        def order(taken: Taken) -> Plain:
            unit = taken.one("unit")
            place = 0 if unit in fleet.there else int(taken.one("to"))
            return {verb: _steps(unit, place, int(taken.one("number")))}

        return order

    def said(verb: str) -> Callable[[Plain], Said]:
        def parts(body: Plain) -> Said:
            _, (unit, place, steps) = read({verb: body})
            at = [] if verb == to else [hex_word(place or g.units[unit].at)]
            return {"unit": [unit], "to": at, "number": [str(steps)]}

        return parts

    number = Field("number", lambda _: numbers(MOST_STEPS))
    first = {v: Field("unit", lambda _, v=v: able(v)) for v in (to, back)}  # type: ignore[misc]
    gestures = {
        to: Fields((first[to], number), make(to), said(to), read),
        back: Fields((first[back], Field("to", ends), number), make(back), said(back), read),
    }
    return Verbs(read, verbs, gestures, bare=(to,))


# -- submarines --------------------------------------------------------------------------------------------------------


class Boats(Struct, frozen=True):
    """Submarines with room for steps, new ones with harbours, those that may leave, steps that may come back; new steps."""

    room: Mapping[str, int]
    spare: Mapping[str, int]
    harbours: Sequence[int]
    leaving: Mapping[str, int]
    harassing: int
    new: int


def _more(taken: Mapping[str, int], left: int, thing: str, told: Message, at: str, room: int) -> Pick:
    """More steps of a thing, as far as it has room for them."""
    return Pick("unit", thing, told, at, min(room - taken.get(thing, 0), left))


def boats(g: State, boats: Boats, fleet_of: Callable[[Plain], Sequence[Placed]], read: Read) -> Form:
    """[PW-RNF-01] New steps for submarines; steps that leave them to harass, or come back from that."""

    def placed(taken: Mapping[str, int]) -> int:
        return sum(n for thing, n in taken.items() if thing != RECALL and not thing.startswith(BACK))

    def offers(taken: Mapping[str, int]) -> list[Pick]:
        left = boats.new + taken.get(RECALL, 0) - placed(taken)
        backs = any(thing.startswith(BACK) for thing in taken)
        holds = sum(boats.room.values()) + (sum(boats.spare.values()) if boats.harbours else 0) - boats.new
        picks, more = list[Pick](), partial(_more, taken, left)
        if not backs:
            picks += [more(u, verbatim(u), where(g, u), n) for u, n in boats.room.items()]
            picks += [
                more(f"{u}{IN}{h:04d}", msg("{unit}, new in {place}", unit=u, place=g.board.name(h)), hex_word(h), n)
                for u, n in boats.spare.items()
                for h in boats.harbours
                if all(t == f"{u}{IN}{h:04d}" for t in taken if t.startswith(u + IN))
            ]
            picks += [_more(taken, holds, RECALL, msg("back from harassment"), "", min(boats.harassing, holds))]
        if not taken or backs:
            picks += [
                _more(taken, n, BACK + u, msg("{unit} goes to harass merchants", unit=u), where(g, u), n)
                for u, n in boats.leaving.items()
            ]
        return [p for p in picks if p.most > 0]

    def make(taken: Mapping[str, int]) -> Plain:
        fleet: dict[str, Plain] = {}
        for thing, n in taken.items():
            if thing != RECALL and not thing.startswith(BACK):
                unit, new, place = thing.partition(IN)
                fleet[unit] = {"at": int(place), "steps": n} if new else n
        leave = {thing.removeprefix(BACK): n for thing, n in taken.items() if thing.startswith(BACK)}
        back = {RECALL: taken[RECALL]} if RECALL in taken else {}
        body: dict[str, Plain] = {**({"fleet": fleet} if fleet else {}), **({"withdraw": {**leave}} if leave else {}), **back}
        return {"submarines": body or NONE}

    def said(body: Plain) -> Mapping[str, int]:
        named = body if isinstance(body, dict) else {}
        found = {f"{u}{IN}{h:04d}" if h else u: n for u, h, n in fleet_of(body)}
        plan = read({"submarines": body})
        found |= {BACK + u: n for u, n in plan.withdrawn.items()}
        return {**({RECALL: plan.recalled} if RECALL in named else {}), **found}

    def told(taken: Mapping[str, int]) -> Message:
        return msg("steps placed: {n} of {most}", n=placed(taken), most=boats.new + taken.get(RECALL, 0))

    return sole("submarines", Counts(offers, make, said, read, told), read)


# -- points ------------------------------------------------------------------------------------------------------------


def purchases(hqs: Mapping[str, int], read: Read) -> Form:
    """[PW-RNF-01] A headquarters, and how many merchant shipping points it pays for, up to so many."""

    def said(body: Plain) -> Said:
        hq, n = read({"buy": body})
        return {"hq": [hq], "number": [str(n)]}

    fields = (
        Field("hq", lambda _: [Pick("hq", h, verbatim(h)) for h in hqs]),
        Field("number", lambda taken: numbers(hqs[taken.one("hq")])),
    )
    gesture = Fields(fields, lambda taken: {"buy": {taken.one("hq"): int(taken.one("number"))}}, said, read)
    return sole("buy", gesture, read, ("buy", DONE))


# -- strategic bombers ---------------------------------------------------------------------------------------------------


def raids(g: State, verbs: Sequence[str], groups: Mapping[str, int], targets: Sequence[int], read: Read) -> Form:
    """[PW-STB-03] Points of one group or both, and the hexes that they bomb."""

    def flying(taken: Taken) -> list[Pick]:
        out = [thing.split(" ")[0] for thing in taken.all("by")]
        rows = [(group, n) for group, most in groups.items() if group not in out for n in range(most, 0, -1)]
        return [Pick("by", f"{group} {n}", msg("{group} group, points: {n}", group=group, n=n)) for group, n in rows]

    def make(taken: Taken) -> Plain:
        used: dict[str, Plain] = {thing.split(" ")[0]: int(thing.split(" ")[1]) for thing in taken.all("by")}
        return {"raid": {**used, "targets": [int(h) for h in taken.all("target")]}}

    def said(body: Plain) -> Said:
        used, hexes = read({"raid": body})
        return {"by": [f"{group} {n}" for group, n in used.items()], "target": [hex_word(h) for h in hexes]}

    aims = Field("target", lambda _: picker(g).places("target", targets, "attack"), most=MANY)
    gesture = Fields((Field("by", flying, most=2, trusted=True), aims), make, said, read)
    return Verbs(read, verbs, {"raid": gesture})


class Means(Struct, frozen=True):
    """What a side has for its strategic orders: groups, airfields, transports that lack steps, who pays, Kamikazes to raise."""

    groups: Sequence[str]
    fields: Sequence[int]
    transports: Sequence[str]
    hqs: Sequence[str]
    kamikazes: Sequence[str]


def strategic_forms(g: State, side: str, verbs: Sequence[str], means: Means, read: Read) -> Form:
    """[PW-STB-02] [PW-NRP-05] [PW-AIR-22] Bombers and their base, a transport and who pays, Kamikazes with base and steps."""

    def bases(_: Taken) -> Iterator[Pick]:
        yield from (picker(g).place("to", h, leads=("base",)) for h in means.fields)
        yield Pick("to", OFF, msg("withdraws"), leads=("retreat",))

    def flown(body: Plain) -> Said:
        _, group, place = read({"bombers": body})
        return {"unit": [group], "to": [OFF if place == OFF else hex_word(int(place))]}

    def paid(body: Plain) -> Said:
        _, unit, hq = read({"transports": body})
        return {"unit": [unit], "hq": [hq]}

    def raised(body: Plain) -> Said:
        _, unit, place, steps = read({"kamikaze": body})
        return {"unit": [unit], "to": [hex_word(int(place))], "number": [steps]}

    def kamikaze(taken: Taken) -> Plain:
        return {"kamikaze": {"unit": taken.one("unit"), "at": int(taken.one("to")), "steps": int(taken.one("number"))}}

    to_groups = picker(g).field("unit", means.groups)
    found = {
        "bombers": Fields(
            (to_groups, Field("to", bases)), lambda t: {"bombers": {t.one("unit"): int(t.one("to"))}}, flown, read
        ),
        "transports": Fields(
            (
                picker(g).field("unit", means.transports),
                picker(g).field("hq", means.hqs),
            ),
            lambda t: {"transports": {"unit": t.one("unit"), "hq": t.one("hq")}},
            paid,
            read,
        ),
        "kamikaze": Fields(
            (
                picker(g).field("unit", means.kamikazes),
                Field("to", lambda _: picker(g).places("to", means.fields, "base")),
                Field("number", lambda _: numbers(MOST_STEPS)),
            ),
            kamikaze,
            raised,
            read,
        ),
    }
    able = [v for v in verbs if v in found or v == DONE or not verdict(read, [v])]
    return Verbs(read, able, found)


# -- yards -------------------------------------------------------------------------------------------------------------


def yards(g: State, side: str, verbs: Sequence[str], ships: Sequence[Sequence[str]], read: Read) -> Form:
    """[PW-NRP-01] [PW-NRP-04] A ship that a yard mends or converts; a ship that takes steps, who gives them, how many.

    `ships`: those to be mended, those that lack steps, those to be converted.
    """

    mended, short, converted = ships

    def one(verb: str, able: Sequence[str]) -> Fields:
        field = picker(g).field("unit", able)
        return Fields((field,), lambda t: {verb: t.one("unit")}, lambda body: {"unit": [read_unit(g, body, side)]}, read)

    def able(unit: str) -> list[str]:
        return [s for s in g.ships(side, g.units[unit].at) if not verdict(read, [_passed(s, unit, 1)])]

    def said(body: Plain) -> Said:
        taker, giver, n = read({"recombine": body})
        return {"unit": [taker], "by": [giver], "number": [str(n)]}

    fields = (
        Field("unit", lambda _: picker(g).units("unit", [u for u in short if able(u)])),
        Field("by", lambda taken: picker(g).units("by", able(taken.one("unit")))),
        Field("number", lambda _: numbers(MOST_STEPS)),
    )
    recombine = Fields(fields, lambda t: _passed(t.one("by"), t.one("unit"), int(t.one("number"))), said, read)
    gestures = {"repair": one("repair", mended), "recombine": recombine, "convert": one("convert", converted)}
    return Verbs(read, verbs, gestures, bare=("repair",))


def _passed(giver: str, taker: str, steps: int) -> Plain:
    return {"recombine": {"from": giver, "to": taker, "steps": steps}}


# -- between operations -------------------------------------------------------------------------------------------------


ONE_CARRIER_STEP = 1


def shipments(
    g: State,
    side: str,
    units: Callable[[], Iterable[str]],
    ports: Callable[[], Sequence[int]],
    verbs: Sequence[str],
    read: Read,
) -> Form:
    """[PW-STR-01] A unit in a port, and the port where it goes."""

    def ends(unit: str) -> list[Pick]:
        return picker(g).places("to", (h for h in ports() if h != g.units[unit].at), "base")

    ship = each(g, side, "ship", units, ends, read, word=lambda what: place_word(g, what))
    return Verbs(read, verbs, {"ship": ship} if "ship" in verbs else {}, bare=("ship",) if "ship" in verbs else ())


def refits(
    g: State,
    side: str,
    verbs: Sequence[str],
    short: Callable[[], Sequence[str]],
    lost: Callable[[], Mapping[str, Sequence[str]]],
    most: int,
    read: Read,
) -> Form:
    """[PW-RPL-02] [PW-RPL-03] [PW-DSP-01] Steps for units that are `short`, up to `most`; units that come back and their bases;
    divisions.
    """

    def numbers(_: str) -> list[Pick]:
        return [Pick("to", str(n), times(SPOKEN["replace: {n}"], n)) for n in range(1, most + 1)]

    def back(taken: str) -> Plain:
        base = base_value(taken)
        return base if isinstance(base, int) else {"at": base, "steps": ONE_CARRIER_STEP}

    def base(what: Plain) -> str:
        return base_word(g, side, what["at"] if isinstance(what, dict) and what.get("steps") == ONE_CARRIER_STEP else what)

    rebuild = each(g, side, "rebuild", lost, lambda unit: base_picks(g, lost()[unit]), read, back, base, met=False)
    found: dict[str, Gesture] = {
        "replace": replace(each(g, side, "replace", short, numbers, read), budget=lambda _: told_pools(g, side)),
        "rebuild": replace(rebuild, budget=lambda _: told_pools(g, side)),
        "break_down": _division(g, side, "break_down", free_children, read),
        "recombine": _division(g, side, "recombine", present_children, read),
    }
    return Verbs(read, verbs, {v: found[v] for v in verbs if v in found})


def _division(g: State, side: str, verb: str, parts: Callable[[State, str], Sequence[str]], read: Read) -> Fields:
    """A division where it stands, and the units that leave or join it."""

    def able() -> list[str]:
        return [u for u in g.on_map(side, "ground") if is_parent(g.counter(u)) and not g.units[u].aboard and parts(g, u)]

    def said(body: Plain) -> Said:
        who, what = entry(body)
        return {"unit": [read_unit(g, who, side)], "with": read_units(g, what, side)}

    fields = (
        Field("unit", lambda _: picker(g).units("unit", able())),
        Field("with", lambda taken: picker(g).units("with", parts(g, taken.one("unit"))), most=MANY),
    )

    def make(taken: Taken) -> Plain:
        return {verb: {taken.one("unit"): [*taken.all("with")]}}

    return Fields(fields, make, said, read)
