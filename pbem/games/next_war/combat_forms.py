"""[9.0, 7.5.2, 11.0, 6.5.1.2] A Combat Segment pick by pick: the target, then attackers with odds and column as they join;
support; advances; retreats. Smaller questions of other segments: mines, replacements, where helicopters flee to, bridges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem.games.next_war.bridges import read_bridge
from pbem.games.next_war.orders import fields as cut
from pbem.games.next_war.orders import read_places, read_unit
from pbem.games.next_war.picks import Notation, hex_of, hex_word, known, label, numbers, own_units, picker
from pbem.games.next_war.state import FOE, Fight, State
from pbem.games.next_war.strength import odds_of, shifted, shifts, total_drm
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, sole
from pbem.kernel.questions import NONE
from pbem.kernel.wording import NO_WORDS, Message, linked, msg, signed

if TYPE_CHECKING:
    from pbem.games.next_war.retreat import Way

Judge = Callable[[Plain], Fight]  # the body of an attack
Able = Mapping[int, Sequence[str]]  # targets with the units that can attack them


def attacks(
    g: State,
    side: str,
    verbs: Sequence[str],
    read: Read,
    judge: Judge,
    able: Able,
    beaches: Sequence[int],
) -> Form:
    """The form of a Combat Segment. `beaches`: where a Beachhead can be put."""
    orders = Notation(g, side, read)

    def waiting(_: Taken) -> list[Pick]:
        """[8.5.8.1] Marines before an empty Beach."""
        return picker(g).units("unit", (u for u, beach in g.poised.items() if not g.ground(FOE[side], beach)))

    gestures = {
        "attack": _attack(orders, judge, able),
        "land": orders.order("land", [Field("unit", waiting, most=MANY)], {"unit": ""}),
        "beachhead": orders.order("beachhead", [Field("to", lambda _: picker(g).places("to", beaches))], {"to": ""}),
    }
    return orders.form(verbs, gestures, ["attack"])


def _attack(orders: Notation, judge: Judge, able: Able) -> Fields:
    g = orders.g

    def attackers(taken: Taken) -> list[Pick]:
        return picker(g).units("unit", able.get(hex_of(g, taken.one("target")), ()))

    def told(taken: Taken) -> Message:
        order = found.make(taken)
        assert isinstance(order, dict)
        return prospect(g, judge(order["attack"])) if taken.all("unit") else NO_WORDS

    fields = (
        Field("target", lambda _: picker(g).places("target", able, "attack")),
        Field("unit", attackers, most=MANY, grey=True),
        Field("by", lambda taken: picker(g).units("by", taken.all("unit")), 0),
    )
    found = orders.order("attack", fields, {"unit": "units", "target": "at", "by": "lead"}, told)
    return found


def prospect(g: State, fight: Fight) -> Message:
    """Odds, column and modifier of an attack without support, as if the best unit of the defense led it."""
    foe = FOE[fight.side]
    fight.defenders = [u for u in g.ground(foe, fight.target) if g.refugees.get(u) != fight.target]
    if fight.defenders:
        fight.defender_lead = max(fight.defenders, key=lambda u: (g.values(u).er, g.steps(u), u))
    found = odds_of(g, fight)
    return msg(
        "attack {attack}, defense {defense}: {ratio}, column {column}, after shifts {shifted}; modifier before support: {drm}",
        attack=found.attack,
        defense=found.defense,
        ratio=found.ratio,
        column=found.column,
        shifted=shifted(g, fight, found.column, shifts(g, fight)),
        drm=signed(total_drm(g, fight)),
    )


# -- support, advances, smaller questions ----------------------------------------------------------------------------------


def supports(g: State, side: str, air: int, helos: Sequence[str], ships: Sequence[str], read: Read) -> Form:
    """[9.2.4] Air Points, helicopters, ships; nothing picked is none."""
    orders = Notation(g, side, read)
    fields = (
        Field("number", lambda _: numbers(air), 0),
        picker(g).field("with", helos, 0, MANY),
        picker(g).field("by", ships, 0, MANY),
    )
    words = {"number": "air", "with": "helos", "by": "ships"}
    return orders.form(["support"], {"support": orders.order("support", fields, words)})


def advances(g: State, side: str, entering: Sequence[str], beyond: Callable[[str], Sequence[int]], read: Read) -> Form:
    """[9.9] Who advances, and who of them goes on to which hex; nothing picked is none."""
    orders = Notation(g, side, read)

    def goers(taken: Taken) -> list[Pick]:
        return picker(g).units("with", (u for u in taken.all("unit") if beyond(u)))

    def ends(taken: Taken) -> list[Pick]:
        return picker(g).places("to", dict.fromkeys(h for u in taken.all("with") for h in beyond(u)))

    fields = (
        picker(g).field("unit", entering, 0, MANY),
        Field("with", goers, 0, MANY, trusted=True),
        Field("to", ends, 0),
    )
    return orders.form(["advance"], {"advance": orders.order("advance", fields, {"unit": "units", "with": "then", "to": "to"})})


def sweeps(g: State, verbs: Sequence[str], mines: Sequence[int], most: int, read: Read) -> Form:
    """[7.5.2] Mine markers; nothing picked is none."""
    orders = Notation(g, "", read)
    field = Field("to", lambda _: picker(g).places("to", mines), 0, most)
    return orders.form(verbs, {"sweep": orders.order("sweep", [field], {"to": ""})}, ["sweep"])


def flees(g: State, bases: Sequence[int], may_stay: bool, escort: int, read: Read) -> Form:
    """[6.5.1.2] A base, with or without escort; nothing picked: the helicopter stays, where it may."""

    def make(taken: Taken) -> Plain:
        if not taken.one("to"):
            return {"flee": NONE}
        body: dict[str, Plain] = {"to": taken.one("to")}
        return {"flee": {**body, "escort": int(taken.one("number"))} if taken.one("number") else taken.one("to")}

    def said(body: Plain) -> Said:
        if body == NONE:
            return {}
        f = known(body, ("to", "escort")) if isinstance(body, str | dict) else {"to": body}
        number = [str(f["escort"])] if str(f.get("escort", 0)) != "0" else []
        return {"to": [hex_word(g, f["to"] if "to" in f else f.get("units"))], "number": number}

    fields = (
        Field("to", lambda _: picker(g).places("to", bases, "base"), 0 if may_stay else 1),
        Field("number", lambda taken: numbers(escort) if taken.one("to") else (), 0),
    )
    return Notation(g, "", read).form(["flee"], {"flee": Fields(fields, make, said, read)})


def replacements(
    g: State,
    side: str,
    verbs: Sequence[str],
    wanting: Mapping[str, int],
    places: Callable[[str], Sequence[int]],
    read: Read,
) -> Form:
    """[11.0] Units that recover a step where they stand, eliminated ones that come back, and where.

    `wanting`: what each costs in Replacement Points.
    """
    left = [msg("{nation} {n}", nation=n, n=g.replacements[n]) for n in g.p["sides"][side]["nations"] if g.replacements.get(n)]

    def budget(_: Taken) -> Message:
        return msg("Replacement Points: {left}", left=linked(", ", *left)) if left else NO_WORDS

    def priced(there: bool) -> list[Pick]:
        picks = picker(g).units("unit", (u for u in wanting if bool(g.pieces[u].at) == there))
        return [replace(p, cost=msg("Replacement Points: {left}", left=wanting[p.value])) for p in picks]

    orders, ends = Notation(g, side, read), Field("to", lambda taken: picker(g).places("to", places(taken.one("unit"))))
    lost = Field("unit", lambda _: priced(False))
    gestures = {
        "recover": orders.order("recover", [Field("unit", lambda _: priced(True))], {"unit": ""}, budget),
        "rebuild": orders.order("rebuild", [lost, ends], {"unit": "units", "to": "at"}, budget),
    }
    return orders.form(verbs, gestures)


def bridges(orders: Notation) -> Fields:
    """[SOP] A unit, the hex across, what is done."""
    g, side = orders.g, orders.side

    def across(place: int) -> list[int]:
        sides = ((n, g.board.side(place, n)) for n in g.board.near[place])
        return [n for n, s in sides if s.road and (s.river or s.water)]

    def said(body: Plain) -> Said:
        action, a, b = read_bridge(g, side, body)
        (unit, *_) = own_units(g, side, cut(body, ("by", "at", "to"))["by"])
        at = g.pieces[unit].at
        return {"at": [label(g, at)], "unit": [unit], "to": [label(g, b if at == a else a)], "word": [action]}

    ground = [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard]
    deeds = (Pick("word", "destroy", msg("destroy the bridge")), Pick("word", "repair", msg("repair the bridge")))
    fields = (
        picker(g).stack(lambda: (u for u in ground if across(g.pieces[u].at)))[0],
        Field("unit", lambda taken: picker(g).units("unit", g.ground(side, hex_of(g, taken.one("at"))))),
        Field("to", lambda taken: picker(g).places("to", across(hex_of(g, taken.one("at"))))),
        Field("word", lambda _: deeds),
    )
    words = {"word": "units", "unit": "by", "at": "at", "to": "to"}
    return replace(orders.order("bridge", fields, words), said=said)


# -- retreats -----------------------------------------------------------------------------------------------------------


AIR = "air "  # before the base in a pick of a flight


def retreats(g: State, side: str, ways: Sequence[Way], read: Read) -> Form:
    """The form of the retreat of one unit."""
    ground = [w.path for w in ways if not w.air and not w.ship]

    def ends(_: Taken) -> list[Pick]:
        flights = [picker(g).place("to", w.path[-1], msg("by air"), ("retreat",)) for w in ways if w.air]
        return [
            *picker(g).places("to", dict.fromkeys(p[-1] for p in ground), "retreat"),
            *(Pick(p.slot, AIR + p.value, p.name, p.at, cost=p.cost, leads=p.leads) for p in flights),
            *picker(g).units("to", (w.ship for w in ways if w.ship)),
        ]

    def between(taken: Taken) -> list[Pick]:
        goal = hex_of(g, taken.one("to"))
        paths = [p for p in ground if p[-1] == goal]
        return picker(g).places("via", dict.fromkeys(h for p in paths for h in p[1:-1]))

    def make(taken: Taken) -> Plain:
        to, via = taken.one("to"), taken.all("via")
        if to.startswith(AIR):
            return {"retreat": {"to": to.removeprefix(AIR), "by": "air"}}
        if not hex_of(g, to):
            return {"retreat": {"on": to}}
        return {"retreat": {"to": to, "via": [*via]} if via else {"to": to}}

    def said(body: Plain) -> Said:
        f = known(body, ("to", "via", "on", "by"))
        if "on" in f:
            return {"to": [read_unit(g, f["on"], side)]}
        to = hex_word(g, f.get("to"))
        via = [label(g, h) for h in read_places(g, f["via"])] if "via" in f else []
        return {"to": [AIR + to if f.get("by") == "air" else to], "via": via}

    gesture = Fields((Field("to", ends), Field("via", between, 0, MANY)), make, said, read)
    return sole("retreat", gesture, read)
