"""Small decisions pick by pick: the use of a card with its HQ, hexes of a special reaction, who bombs, who steps aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from pbem.games.empire_of_the_sun.labels import ROUTES
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.picks import place_pick, place_word, unit_picks, units_of
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, Verbs, Worded
from pbem.kernel.questions import NONE
from pbem.kernel.wording import Message, msg

USES = {
    "operations": msg("An offensive with its operations value, led by an HQ."),
    "event": msg("What the card says; an offensive is led by an HQ."),
    "china": msg("A China offensive."),
    "withdraw": msg("An HQ leaves the map."),
    "return": msg("An HQ comes back from the turn track into a port."),
    "air": msg("An air unit leaves the map until the next turn."),
    "route": msg("A transport route is built."),
    "rivalry": msg("The rivalry of your services ends."),
    "discard": msg("The card has no use."),
}
ALL = "all"


# -- the use of a card -------------------------------------------------------------------------------------------------


def uses(
    g: State,
    verbs: Sequence[str],
    leaders: Sequence[str],
    of_event: Sequence[str] | None,
    back: Mapping[str, Sequence[int]],
    wings: Sequence[str],
    read: Read,
) -> Form:
    """[5.0] A use of the card that lies open, then its HQ. `of_event`: who may lead the event; None: nobody is named.

    `leaders`: HQs on the map; `back`: those on the turn track with their ports; `wings`: air units on the map.
    """

    def led(verb: str, units: Sequence[str], slot: str = "hq") -> Fields:
        def make(taken: Taken) -> Plain:
            return {verb: taken.one(slot)}

        field = Field(slot, lambda _: unit_picks(g, slot, units))
        return Fields((field,), make, lambda body: {slot: [read_unit(g, body)]}, read)

    routes = Field("word", lambda _: [Pick("word", r, ROUTES[r]) for r in ROUTES])
    gestures: dict[str, Gesture] = {verb: _alone(verb, read) for verb in ("china", "rivalry", "discard")}
    gestures["operations"] = led("operations", leaders)
    gestures["event"] = _alone("event", read) if of_event is None else led("event", of_event)
    gestures["withdraw"] = led("withdraw", leaders)
    gestures["return"] = _return(g, back, read)
    gestures["air"] = led("air", wings, "unit")
    gestures["route"] = Fields((routes,), partial(_bare, "route"), lambda body: {"word": [str(body).strip().lower()]}, read)
    return Verbs(read, verbs, gestures, says=USES)


def _alone(verb: str, read: Read) -> Fields:
    """A verb that is the whole order, offered while it is legal."""
    return Fields((), lambda taken: verb, lambda body: {}, read)


def _bare(verb: str, taken: Taken) -> Plain:
    return {verb: taken.one("word")}


def _return(g: State, back: Mapping[str, Sequence[int]], read: Read) -> Fields:
    """[6.15] An HQ and its port."""

    def ports(taken: Taken) -> list[Pick]:
        return [place_pick(g, "to", p, leads=("base",)) for p in back[taken.one("hq")]]

    def make(taken: Taken) -> Plain:
        return {"return": f"{taken.one('hq')} at {taken.one('to')}"}

    def said(body: Plain) -> Said:
        name, _, port = str(body).partition(" at ")
        return {"hq": [read_unit(g, name.strip())], "to": [place_word(g, port.strip())]}

    hqs = Field("hq", lambda _: unit_picks(g, "hq", (u for u in back if back[u])))
    return Fields((hqs, Field("to", ports)), make, said, read)


# -- some of a few -----------------------------------------------------------------------------------------------------


def specials(g: State, hexes: Sequence[int], read: Read) -> Form:
    """[7.27] The landings against which one reacts."""

    def said(body: Plain) -> Said:
        parts: Sequence[Plain] = body if isinstance(body, list) else [p for p in str(body).split(",") if p.strip()]
        return {"to": [place_word(g, part) for part in parts]}

    field = Field("to", lambda _: [place_pick(g, "to", h, leads=("attack",)) for h in hexes], most=MANY)
    gesture = Fields((field,), lambda taken: {"special": ", ".join(taken.all("to"))}, said, read)
    return _worded("special", {ALL: msg("against all of them"), NONE: msg("against none of them")}, gesture, read)


def bombings(g: State, ready: Sequence[str], read: Read) -> Form:
    """[12.31] The B-29s that bomb Japan."""
    field = Field("unit", lambda _: unit_picks(g, "unit", ready), most=MANY)
    gesture = Fields((field,), lambda taken: {"bomb": [*taken.all("unit")]}, lambda body: {"unit": units_of(g, body)}, read)
    return _worded("bomb", {ALL: msg("all of them"), NONE: msg("none of them")}, gesture, read)


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
    return _worded("transfer", {NONE: msg("no transfer")}, Fields((saved, Field("with", takers)), make, said, read), read)


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
    return _worded("disengage", {NONE: msg("stay and fight")}, gesture, read)


def _worded(verb: str, words: Mapping[str, Message], gesture: Fields, read: Read) -> Form:
    return Verbs(read, (verb,), {verb: Worded(verb, words, gesture, read)}, bare=(verb,))
