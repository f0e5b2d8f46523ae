"""[7.5.2, 11.0, 6.5.1.2] Smaller questions pick by pick: mines to clear, replacements, where helicopters flee to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.next_war.orders import read_places, read_unit
from pbem.games.next_war.picks import hex_word, known, label, line_of, numbers, place_pick, unit_picks
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import Field, Fields, Said, Taken, Verbs
from pbem.kernel.questions import NONE


def sweeps(g: State, verbs: Sequence[str], mines: Sequence[int], most: int, read: Read) -> Form:
    """[7.5.2] Mine markers; nothing picked is none."""

    def said(body: Plain) -> Said:
        return {} if body == NONE else {"to": [label(g, h) for h in read_places(g, body)]}

    field = Field("to", lambda _: [place_pick(g, "to", h) for h in mines], 0, most)
    gesture = Fields((field,), lambda taken: {"sweep": [*taken.all("to")] or NONE}, said, read)
    return Verbs(read, verbs, {"sweep": gesture}, bare=("sweep",), line=line_of(read))


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
        Field("to", lambda _: [place_pick(g, "to", h, leads=("base",)) for h in bases], 0 if may_stay else 1),
        Field("number", lambda taken: numbers(escort) if taken.one("to") else (), 0),
    )
    return Verbs(read, ("flee",), {"flee": Fields(fields, make, said, read)}, line=line_of(read))


def replacements(
    g: State, side: str, verbs: Sequence[str], wanting: Sequence[str], places: Callable[[str], Sequence[int]], read: Read
) -> Form:
    """[11.0] Units that recover a step where they stand, eliminated ones that come back, and where."""

    def on_map(taken: Taken) -> list[Pick]:
        return unit_picks(g, "unit", (u for u in wanting if g.pieces[u].at))

    def gone(taken: Taken) -> list[Pick]:
        return unit_picks(g, "unit", (u for u in wanting if not g.pieces[u].at))

    def recovering(body: Plain) -> Said:
        return {"unit": [read_unit(g, body, side)]}

    def rebuilt(body: Plain) -> Said:
        f = known(body, ("at",))
        return {"unit": [read_unit(g, f.get("units"), side)], "to": [hex_word(g, f.get("at"))]}

    recover = Fields((Field("unit", on_map),), lambda taken: {"recover": taken.one("unit")}, recovering, read)
    rebuild = Fields(
        (Field("unit", gone), Field("to", lambda taken: [place_pick(g, "to", h) for h in places(taken.one("unit"))])),
        lambda taken: {"rebuild": {"units": taken.one("unit"), "at": taken.one("to")}},
        rebuilt,
        read,
    )
    return Verbs(read, verbs, {"recover": recover, "rebuild": rebuild}, line=line_of(read))
