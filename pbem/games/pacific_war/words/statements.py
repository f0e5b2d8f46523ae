"""What a player states about his hidden forces, in words that can be translated."""

from __future__ import annotations

from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import Stated
from pbem.kernel.wording import Argument, Message, Told, msg

FOLLOWED = ("report", "contents", "condition", "force", "harassment")  # the events that follow say it
YES, NO, NOTHING = msg("yes"), msg("no"), msg("nothing")


def told_statement(g: State, x: Stated) -> Told | None:
    """A statement in words; None where an event tells what was stated."""
    if x.kind in FOLLOWED:
        return None
    if x.value is True:
        return Told("orders", msg("{about}", about=x.about), x.rule)
    return Told("orders", msg("{about}: {value}", about=x.about, value=_value(g, x.kind, x.value)), x.rule)


def _mustered(g: State, value: dict[str, Plain]) -> Message:
    """[PW-ACT-02] What everybody sees of an activation in secret."""
    places = value.get("fleets")
    fleets = tuple(g.board.name(h) for h in places if isinstance(h, int)) if isinstance(places, list) else ()
    args: dict[str, Argument] = {key: str(value.get(key)) for key in ("hq", "points", "price")}
    args |= {"fleets": fleets or NOTHING, "ashore": YES if value.get("ashore") is True else NO}
    words = msg("{hq}, {points} activation points for {price}; task forces in {fleets}; behind Force markers: {ashore}")
    return Message(words.id, args)


def _value(g: State, kind: str, value: Plain) -> Argument:
    if isinstance(value, bool):
        return YES if value else NO
    if kind == "muster" and isinstance(value, dict) and value:
        return _mustered(g, value)
    if kind == "pool" and isinstance(value, dict) and value.get("pool"):
        return (str(value["pool"]), msg("steps {n}", n=str(value.get("steps"))))
    if isinstance(value, dict):
        return tuple(f"{part} {said}" for part, said in value.items()) or NOTHING
    if isinstance(value, list):
        hexes = kind in ("forces", "hexes", "full")
        return tuple(g.board.name(h) if hexes and isinstance(h, int) else str(h) for h in value) or NOTHING
    return str(value) or NOTHING
