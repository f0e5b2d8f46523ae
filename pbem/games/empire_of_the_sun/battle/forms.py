"""Battles pick by pick: hits, the step that carriers exchange, who steps aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.games.empire_of_the_sun.battle.salvoes import Salvo
from pbem.games.empire_of_the_sun.battle.strengths import GARRISON, defense
from pbem.games.empire_of_the_sun.labels import unit as unit_name
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.picks import ALL, hex_word, place_pick, place_word, unit_picks, units_of, where
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Counts
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs, worded
from pbem.kernel.questions import NONE
from pbem.kernel.wording import Message, msg

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
    return worded("transfer", {NONE: msg("no transfer")}, Fields((saved, Field("with", takers)), make, said, read), read)


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
    return worded("disengage", {NONE: msg("stay and fight")}, gesture, read)
