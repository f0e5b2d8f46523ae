"""Battles pick by pick, and what comes before and after: ways home, reinforcements, replacements, emergency moves, bombing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.games.empire_of_the_sun.battle.salvoes import Salvo
from pbem.games.empire_of_the_sun.battle.strengths import GARRISON, defense
from pbem.games.empire_of_the_sun.labels import spoken
from pbem.games.empire_of_the_sun.labels import unit as unit_name
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.picks import (
    ALL,
    hex_word,
    phrased,
    place_picks,
    place_word,
    stack,
    unit_picks,
    units_field,
    units_of,
    where,
)
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Counts
from pbem.kernel.picking import MANY, Field, Said, Taken, Verbs, Worded, only, sole, worded
from pbem.kernel.questions import NONE
from pbem.kernel.wording import Message, msg

Places = Callable[[str], Sequence[int]]  # where a unit can go
TO = ("unit", "to")


# -- ways home -----------------------------------------------------------------------------------------------------


def returns(g: State, verbs: Sequence[str], home: str, waiting: Sequence[str], ends: Places, read: Read) -> Form:
    """[9.6] Units of a place and the base to which all of them may go; or all of them home."""

    def to(taken: Taken) -> list[Pick]:
        first, *others = (ends(u) for u in taken.all("unit"))
        return place_picks(g, "to", (h for h in first if all(h in more for more in others)), "base")

    fields = (*stack(g, lambda: waiting, MANY), Field("to", to))
    gesture = Worded("return", spoken("return", home), phrased(g, "return", "to", TO, fields, read), read)
    return sole("return", gesture, read, verbs)


def sailings(g: State, verbs: Sequence[str], waiting: Sequence[str], havens: Places, read: Read) -> Form:
    """[17.11] A fleet and its haven."""
    fields = (*stack(g, lambda: waiting, 1), _ends(g, havens))
    return sole("sail", phrased(g, "sail", "to", TO, fields, read), read, verbs)


def _ends(g: State, places: Places) -> Field:
    return Field("to", lambda taken: place_picks(g, "to", places(taken.one("unit")), "base"))


# -- units that come in --------------------------------------------------------------------------------------------


def placements(g: State, verbs: Sequence[str], waiting: Sequence[str], places: Places, read: Read) -> Form:
    """[10.11] A unit that comes in and where; those without a place wait."""
    fields = (units_field(g, "unit", [u for u in waiting if places(u)]), _ends(g, places))
    return sole("place", phrased(g, "place", "at", TO, fields, read), read, verbs)


def replacements(g: State, verbs: Sequence[str], able: Mapping[str, Sequence[int]], read: Read) -> Form:
    """[11.0] Reduced units that get a step; eliminated ones that come back, where, and at full strength or not."""

    def make(taken: Taken) -> Plain:
        order = back.make(taken)
        return {"rebuild": f"{order['rebuild']} full"} if taken.one("word") and isinstance(order, dict) else order

    def said(body: Plain) -> Said:
        text = str(body).strip()
        return {**back.said(text.removesuffix(" full")), "word": ["full"] if text.endswith(" full") else []}

    fields = (
        units_field(g, "unit", [u for u in able if able[u]]),
        _ends(g, lambda unit: able[unit]),
        Field("word", lambda _: [Pick("word", "full", msg("at full strength"))], 0),
    )
    back = phrased(g, "rebuild", "at", TO, fields, read)
    reduced = units_field(g, "unit", [u for u in able if not able[u]])
    gestures = {
        "replace": only("replace", reduced, lambda body: [read_unit(g, body)], read),
        "rebuild": replace(back, make=make, said=said),
    }
    return Verbs(read, verbs, gestures, bare=("replace",))


# -- bombing -------------------------------------------------------------------------------------------------------


def bombings(g: State, ready: Sequence[str], read: Read) -> Form:
    """[12.31] The B-29s that bomb Japan."""
    gesture = only("bomb", units_field(g, "unit", ready, most=MANY), lambda body: units_of(g, body), read)
    return worded("bomb", spoken("bomb", ALL, NONE), gesture, read)


# -- battles ------------------------------------------------------------------------------------------------------------


GARRISON_STEP = 12  # [13.76] hits
Losses = Mapping[str, int]


def hits(g: State, salvo: Salvo, losses_of: Callable[[Plain], Losses], read: Read) -> Form:
    """[9.2] Steps of the units that can be hit, while hits are left."""

    def cost(losses: Losses) -> int:
        return sum(n * (GARRISON_STEP if u == GARRISON else defense(g, u, salvo.kind)) for u, n in losses.items())

    def offers(taken: Losses) -> list[Pick]:
        left, found = salvo.hits - cost(taken), []
        for unit in salvo.targets:
            most = min(g.steps(unit) - taken.get(unit, 0), left // max(1, defense(g, unit, salvo.kind)))
            price = msg("hits: {n}", n=defense(g, unit, salvo.kind))
            found += [Pick("unit", unit, unit_name(g, unit), where(g, unit), most, price)] if most > 0 else []
        most = min(salvo.garrison - taken.get(GARRISON, 0), left // GARRISON_STEP)
        there = hex_word(salvo.place)
        found += [Pick("unit", GARRISON, msg("garrison"), there, most, msg("hits: {n}", n=GARRISON_STEP))] if most > 0 else []
        return found

    def told(taken: Losses) -> Message:
        return msg("hits used: {n} of {most}", n=cost(taken), most=salvo.hits)

    gesture = Counts(offers, lambda taken: {"hits": {**taken} or NONE}, losses_of, read, told)
    return sole("hits", gesture, read)


def transfers(g: State, pairs: Sequence[tuple[str, str]], read: Read) -> Form:
    """[9.2] The carrier that is saved, then the one that takes its step."""

    def takers(taken: Taken) -> list[Pick]:
        return unit_picks(g, "with", (take for take, save in pairs if save == taken.one("unit")))

    fields = (units_field(g, "unit", dict.fromkeys(save for _, save in pairs)), Field("with", takers))
    gesture = phrased(g, "transfer", "for", ("with", "unit"), fields, read)
    return worded("transfer", spoken("transfer", NONE), gesture, read)


def disengagements(g: State, here: Sequence[str], exits: Sequence[int], read: Read) -> Form:
    """[8.43] Units that step aside, then the hex; or all of them, the hex clicked at once."""
    ends = Field("to", lambda _: place_picks(g, "to", exits, "retreat"))
    gesture = phrased(g, "disengage", "to", TO, (units_field(g, "unit", here, 0, MANY), ends), read)
    return worded("disengage", spoken("disengage", NONE), gesture, read)


def specials(g: State, hexes: Sequence[int], read: Read) -> Form:
    """[7.27] The landings against which one reacts."""

    def said(body: Plain) -> list[str]:
        parts: Sequence[Plain] = body if isinstance(body, list) else [p for p in str(body).split(",") if p.strip()]
        return [place_word(g, part) for part in parts]

    gesture = only("special", Field("to", lambda _: place_picks(g, "to", hexes, "attack"), most=MANY), said, read)
    joined = replace(gesture, make=lambda taken: {"special": ", ".join(taken.all("to"))})
    return worded("special", spoken("special", ALL, NONE), joined, read)
