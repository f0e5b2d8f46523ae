"""[5.0] The use of a card pick by pick, with the HQ that leads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pbem.games.empire_of_the_sun.activation import efficiency
from pbem.games.empire_of_the_sun.labels import ROUTES
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.picks import place_pick, place_word, unit_picks
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import Field, Fields, Gesture, Said, Taken, Verbs
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


def uses(
    g: State,
    verbs: Sequence[str],
    leaders: Sequence[str],
    of_event: Sequence[str] | None,
    bases: Mapping[str, Callable[[str], int]],
    back: Mapping[str, Sequence[int]],
    wings: Sequence[str],
    read: Read,
) -> Form:
    """[5.0] A use of the card that lies open, then its HQ. `of_event`: who may lead the event; None: nobody is named.

    `bases`: of a use that begins an offensive, the units that each HQ activates beside its efficiency [6.11].
    `leaders`: HQs on the map; `back`: those on the turn track with their ports; `wings`: air units on the map.
    """

    def led(verb: str, units: Sequence[str], slot: str = "hq") -> Fields:
        def make(taken: Taken) -> Plain:
            return {verb: taken.one(slot)}

        def offers(_: Taken) -> list[Pick]:
            picks = unit_picks(g, slot, units)
            return [replace(p, cost=_reach(g, p.value, bases[verb])) for p in picks] if verb in bases else picks

        return Fields((Field(slot, offers),), make, lambda body: {slot: [read_unit(g, body)]}, read)

    routes = Field("word", lambda _: [Pick("word", r, ROUTES[r]) for r in ROUTES])
    gestures: dict[str, Gesture] = {verb: _alone(verb, read) for verb in ("china", "rivalry", "discard")}
    gestures["operations"] = led("operations", leaders)
    gestures["event"] = _alone("event", read) if of_event is None else led("event", of_event)
    gestures["withdraw"] = led("withdraw", leaders)
    gestures["return"] = _return(g, back, read)
    gestures["air"] = led("air", wings, "unit")
    gestures["route"] = Fields((routes,), partial(_bare, "route"), lambda body: {"word": [str(body).strip().lower()]}, read)
    return Verbs(read, verbs, gestures, says=USES)


def _reach(g: State, hq: str, base: Callable[[str], int]) -> Message:
    """[6.11] How many units an HQ activates, and from how far."""
    return msg("up to {n} units, command range {range}", n=base(hq) + efficiency(g, hq, ()), range=g.counter(hq).command)


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
