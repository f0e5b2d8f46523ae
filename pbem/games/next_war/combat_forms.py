"""[9.0] A Combat Segment pick by pick: the target, then attackers with odds and column as they join; support; advances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.games.next_war.orders import read_unit
from pbem.games.next_war.picks import (
    hex_of,
    hex_word,
    known,
    line_of,
    numbers,
    own_units,
    place_pick,
    unit_picks,
)
from pbem.games.next_war.state import FOE, Fight, State
from pbem.games.next_war.strength import odds_of, shifted, shifts, total_drm
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs
from pbem.kernel.questions import NONE
from pbem.kernel.wording import NO_WORDS, Message, msg, signed

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
    gestures = {
        "attack": _attack(g, side, read, judge, able),
        "land": _land(g, side, read),
        "beachhead": Fields(
            (Field("to", lambda _: [place_pick(g, "to", h) for h in beaches]),),
            lambda taken: {"beachhead": taken.one("to")},
            lambda body: {"to": [hex_word(g, body)]},
            read,
        ),
    }
    return Verbs(read, verbs, gestures, bare=("attack",), line=line_of(read))


def _attack(g: State, side: str, read: Read, judge: Judge, able: Able) -> Fields:
    def targets(taken: Taken) -> list[Pick]:
        return [place_pick(g, "target", h, leads=("attack",)) for h in able]

    def attackers(taken: Taken) -> list[Pick]:
        return unit_picks(g, "unit", able.get(hex_of(g, taken.one("target")), ()))

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"units": [*taken.all("unit")], "at": taken.one("target")}
        return {"attack": {**body, "lead": taken.one("by")} if taken.one("by") else body}

    def told(taken: Taken) -> Message:
        order = make(taken)
        assert isinstance(order, dict)
        return prospect(g, judge(order["attack"])) if taken.all("unit") else NO_WORDS

    def said(body: Plain) -> Said:
        f = known(body, ("at", "lead"))
        lead = [read_unit(g, f["lead"], side)] if "lead" in f else []
        return {"target": [hex_word(g, f.get("at"))], "unit": own_units(g, side, f.get("units")), "by": lead}

    fields = (
        Field("target", targets),
        Field("unit", attackers, most=MANY, grey=True),
        Field("by", lambda taken: unit_picks(g, "by", taken.all("unit")), 0),
    )
    return Fields(fields, make, said, read, told)


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


def _land(g: State, side: str, read: Read) -> Fields:
    """[8.5.8.1] Marines before an empty Beach."""

    def waiting(taken: Taken) -> list[Pick]:
        return unit_picks(g, "unit", (u for u, beach in g.poised.items() if not g.ground(FOE[side], beach)))

    def said(body: Plain) -> Said:
        return {"unit": own_units(g, side, body)}

    return Fields((Field("unit", waiting, most=MANY),), lambda taken: {"land": [*taken.all("unit")]}, said, read)


# -- support ---------------------------------------------------------------------------------------------------------------


def supports(g: State, side: str, air: int, helos: Sequence[str], ships: Sequence[str], read: Read) -> Form:
    """[9.2.4] Air Points, helicopters, ships; nothing picked is none."""

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {}
        if taken.one("number"):
            body["air"] = int(taken.one("number"))
        for key, slot in (("helos", "with"), ("ships", "by")):
            if taken.all(slot):
                body[key] = [*taken.all(slot)]
        return {"support": body or NONE}

    def said(body: Plain) -> Said:
        if body in (NONE, None):
            return {}
        f = known(body, ("air", "helos", "ships"))
        number = [str(f["air"])] if str(f.get("air", 0)) != "0" else []
        flying = own_units(g, side, f["helos"]) if "helos" in f else []
        return {"number": number, "with": flying, "by": own_units(g, side, f["ships"]) if "ships" in f else []}

    fields = (
        Field("number", lambda _: numbers(air), 0),
        Field("with", lambda _: unit_picks(g, "with", helos), 0, MANY),
        Field("by", lambda _: unit_picks(g, "by", ships), 0, MANY),
    )
    return Verbs(read, ("support",), {"support": Fields(fields, make, said, read)}, line=line_of(read))


# -- advances --------------------------------------------------------------------------------------------------------------


def advances(g: State, side: str, entering: Sequence[str], beyond: Callable[[str], Sequence[int]], read: Read) -> Form:
    """[9.9] Who advances, and who of them goes on to which hex; nothing picked is none."""

    def goers(taken: Taken) -> list[Pick]:
        return unit_picks(g, "with", (u for u in taken.all("unit") if beyond(u)))

    def ends(taken: Taken) -> list[Pick]:
        hexes = dict.fromkeys(h for u in taken.all("with") for h in beyond(u))
        return [place_pick(g, "to", h) for h in hexes]

    def make(taken: Taken) -> Plain:
        if not taken.all("unit"):
            return {"advance": NONE}
        body: dict[str, Plain] = {"units": [*taken.all("unit")]}
        if taken.all("with"):
            body["then"] = [*taken.all("with")]
        return {"advance": {**body, "to": taken.one("to")} if taken.one("to") else body}

    def said(body: Plain) -> Said:
        if body == NONE:
            return {}
        f = known(body if not isinstance(body, list) else {"units": body}, ("then", "to"))
        going = own_units(g, side, f["then"]) if "then" in f else []
        to = [hex_word(g, f["to"])] if "to" in f else []
        return {"unit": own_units(g, side, f.get("units")), "with": going, "to": to}

    fields = (
        Field("unit", lambda _: unit_picks(g, "unit", entering), 0, MANY),
        Field("with", goers, 0, MANY, trusted=True),
        Field("to", ends, 0),
    )
    return Verbs(read, ("advance",), {"advance": Fields(fields, make, said, read)}, line=line_of(read))
