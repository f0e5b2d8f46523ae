"""Battles pick by pick, and what comes before and after: ways home, reinforcements, replacements, emergency moves, bombing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.games.empire_of_the_sun.battle.salvoes import Salvo
from pbem.games.empire_of_the_sun.battle.strengths import GARRISON, defense
from pbem.games.empire_of_the_sun.labels import spoken
from pbem.games.empire_of_the_sun.labels import unit as unit_name
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.picks import ALL, CHINA, hex_word, place_pick, place_word, stack, unit_picks, units_of, where
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Counts
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs, Worded, worded
from pbem.kernel.questions import NONE
from pbem.kernel.wording import Message, msg

Places = Callable[[str], Sequence[int]]  # where a unit can go


# -- ways home -----------------------------------------------------------------------------------------------------


def returns(g: State, verbs: Sequence[str], home: str, waiting: Sequence[str], ends: Places, read: Read) -> Form:
    """[9.6] Units of a place and the base to which all of them may go; or all of them home."""

    def to(taken: Taken) -> list[Pick]:
        first, *others = (ends(u) for u in taken.all("unit"))
        return [place_pick(g, "to", h, leads=("base",)) for h in first if all(h in more for more in others)]

    def make(taken: Taken) -> Plain:
        return {"return": f"{', '.join(taken.all('unit'))} to {taken.one('to')}"}

    def said(body: Plain) -> Said:
        names, _, place = str(body).rpartition(" to ")
        units = units_of(g, names)
        return {"at": [where(g, units[0])], "unit": units, "to": [place_word(g, place)]}

    fields = (*stack(g, lambda: waiting, MANY), Field("to", to))
    gesture = Worded("return", spoken("return", home), Fields(fields, make, said, read), read)
    return Verbs(read, verbs, {"return": gesture}, bare=("return",))


def sailings(g: State, verbs: Sequence[str], waiting: Sequence[str], havens: Places, read: Read) -> Form:
    """[17.11] A fleet and its haven."""
    fields = (*stack(g, lambda: waiting, 1), Field("to", lambda taken: _places(g, havens(taken.one("unit")))))
    return Verbs(read, verbs, {"sail": Fields(fields, _to("sail", "to"), _said(g, "to", True), read)}, bare=("sail",))


# -- units that come in --------------------------------------------------------------------------------------------


def placements(g: State, verbs: Sequence[str], waiting: Sequence[str], places: Places, read: Read) -> Form:
    """[10.11] A unit that comes in and where; those without a place wait."""
    able = [u for u in waiting if places(u)]
    fields = (
        Field("unit", lambda _: unit_picks(g, "unit", able)),
        Field("to", lambda taken: _places(g, places(taken.one("unit")))),
    )
    return Verbs(read, verbs, {"place": Fields(fields, _to("place", "at"), _said(g, "at", False), read)}, bare=("place",))


def replacements(g: State, verbs: Sequence[str], able: Mapping[str, Sequence[int]], read: Read) -> Form:
    """[11.0] Reduced units that get a step; eliminated ones that come back, where, and at full strength or not."""

    def rebuilt(taken: Taken) -> Plain:
        full = " full" if taken.one("word") else ""
        return {"rebuild": f"{taken.one('unit')} at {_written(taken.one('to'))}{full}"}

    def said(body: Plain) -> Said:
        text = str(body)
        found = _said(g, "at", False)(text.strip().removesuffix(" full"))
        return {**found, "word": ["full"] if text.rstrip().endswith(" full") else []}

    replace = Fields(
        (Field("unit", lambda _: unit_picks(g, "unit", (u for u in able if not able[u]))),),
        lambda taken: {"replace": taken.one("unit")},
        lambda body: {"unit": [read_unit(g, body)]},
        read,
    )
    fields = (
        Field("unit", lambda _: unit_picks(g, "unit", (u for u in able if able[u]))),
        Field("to", lambda taken: _places(g, able[taken.one("unit")])),
        Field("word", lambda _: [Pick("word", "full", msg("at full strength"))], 0),
    )
    return Verbs(read, verbs, {"replace": replace, "rebuild": Fields(fields, rebuilt, said, read)}, bare=("replace",))


def _places(g: State, places: Sequence[int]) -> list[Pick]:
    return [place_pick(g, "to", h, leads=("base",)) for h in places]


def _written(word: str) -> str:
    return "china box" if word == CHINA else word


def _to(verb: str, between: str) -> Callable[[Taken], Plain]:
    """`UNIT to HEX`, `UNIT at HEX`."""
    return lambda taken: {verb: f"{taken.one('unit')} {between} {_written(taken.one('to'))}"}


def _said(g: State, between: str, stands: bool) -> Callable[[Plain], Said]:
    """The same back; `stands`: with the place where the unit stands."""

    def said(body: Plain) -> Said:
        name, _, place = str(body).rpartition(f" {between} ")
        unit = read_unit(g, name.strip())
        return {"at": [where(g, unit)] if stands else [], "unit": [unit], "to": [place_word(g, place)]}

    return said


# -- bombing -------------------------------------------------------------------------------------------------------


def bombings(g: State, ready: Sequence[str], read: Read) -> Form:
    """[12.31] The B-29s that bomb Japan."""
    field = Field("unit", lambda _: unit_picks(g, "unit", ready), most=MANY)
    gesture = Fields((field,), lambda taken: {"bomb": [*taken.all("unit")]}, lambda body: {"unit": units_of(g, body)}, read)
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
    return Verbs(read, ("hits",), {"hits": gesture}, bare=("hits",))


def transfers(g: State, pairs: Sequence[tuple[str, str]], read: Read) -> Form:
    """[9.2] The carrier that is saved, then the one that takes its step."""

    def takers(taken: Taken) -> list[Pick]:
        return unit_picks(g, "with", (take for take, save in pairs if save == taken.one("unit")))

    def make(taken: Taken) -> Plain:
        return {"transfer": f"{taken.one('with')} for {taken.one('unit')}"}

    def said(body: Plain) -> Said:
        take, _, save = str(body).partition(" for ")
        return {"unit": [read_unit(g, save.strip())], "with": [read_unit(g, take.strip())]}

    saved = Field("unit", lambda _: unit_picks(g, "unit", dict.fromkeys(save for _, save in pairs)))
    return worded("transfer", spoken("transfer", NONE), Fields((saved, Field("with", takers)), make, said, read), read)


def disengagements(g: State, here: Sequence[str], exits: Sequence[int], read: Read) -> Form:
    """[8.43] Units that step aside, then the hex; or all of them, the hex clicked at once."""

    def make(taken: Taken) -> Plain:
        return {"disengage": f"{', '.join(taken.all('unit')) or ALL} to {taken.one('to')}"}

    def said(body: Plain) -> Said:
        listed, _, place = str(body).rpartition(" to ")
        return {"unit": [] if listed.strip() == ALL else units_of(g, listed), "to": [place_word(g, place)]}

    units = Field("unit", lambda _: unit_picks(g, "unit", here), 0, MANY)
    ends = Field("to", lambda _: [place_pick(g, "to", h, leads=("retreat",)) for h in exits])
    gesture = Fields((units, ends), make, said, read)
    return worded("disengage", spoken("disengage", NONE), gesture, read)


def specials(g: State, hexes: Sequence[int], read: Read) -> Form:
    """[7.27] The landings against which one reacts."""

    def said(body: Plain) -> Said:
        parts: Sequence[Plain] = body if isinstance(body, list) else [p for p in str(body).split(",") if p.strip()]
        return {"to": [place_word(g, part) for part in parts]}

    field = Field("to", lambda _: [place_pick(g, "to", h, leads=("attack",)) for h in hexes], most=MANY)
    gesture = Fields((field,), lambda taken: {"special": ", ".join(taken.all("to"))}, said, read)
    return worded("special", spoken("special", ALL, NONE), gesture, read)
