"""Terms of the Next War series as messages: sides, phases, segments, terrain, kinds of moves, what is asked."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.next_war.state import ALLIED, OPPOSED, State
from pbem.kernel.wording import Argument, Message, Term, counted, msg

SIDES = {ALLIED: msg("Allied"), OPPOSED: msg("Non-Allied"), "": msg("nobody"), "nobody": msg("nobody")}
PHASES = {
    "": msg("Set-up"),
    "Weather Phase": msg("Weather Phase"),
    "Supply Phase": msg("Supply Phase"),
    "Initiative/Air/Naval Phase": msg("Initiative/Air/Naval Phase"),
    "Reorganization Phase": msg("Reorganization Phase"),
    "Reinforcement and Replacement Phase": msg("Reinforcement and Replacement Phase"),
    "Victory Determination Phase": msg("Victory Determination Phase"),
}
SEGMENTS = {
    ("movement", "initiative"): msg("Initiative Movement Segment"),
    ("combat", "initiative"): msg("Initiative Combat Segment"),
    ("movement", "elite"): msg("Elite Reaction Movement Segment"),
    ("combat", "elite"): msg("Elite Reaction Combat Segment"),
    ("movement", "exploitation"): msg("Exploitation Movement Segment"),
    ("combat", "exploitation"): msg("Exploitation Combat Segment"),
    ("movement", "reaction"): msg("Reaction Movement Segment"),
    ("combat", "reaction"): msg("Reaction Combat Segment"),
    ("movement", "basic"): msg("Basic Movement Segment"),
    ("combat", "basic"): msg("Basic Combat Segment"),
}
SPOKEN = {  # words of some orders, as a player says them
    "support: air": counted("{n} Air Point", "{n} Air Points"),
    "support: helos": msg("helicopters"),
    "support: ships": msg("ships"),
    "attack: lead": msg("led by"),
    "lift: base": msg("base"),
}
CLEARS = msg("and clears")
ESCORT = counted("escort of {n} Air Point", "escort of {n} Air Points")
WEATHERS = {"clear": msg("Clear"), "overcast": msg("Overcast"), "storm": msg("Storm")}
AIR_LEVELS = (msg("Contested"), msg("Advantage"), msg("Superiority"), msg("Supremacy"))
TERRAIN = {
    "flat": msg("Flat"),
    "flat_woods": msg("Flat Woods"),
    "rough": msg("Rough"),
    "rough_woods": msg("Rough Woods"),
    "highland": msg("Highland"),
    "highland_woods": msg("Highland Woods"),
    "marsh": msg("Marsh"),
    "mountain": msg("Mountain"),
    "high_mountain": msg("High Mountain"),
    "urban": msg("Urban"),
    "sea": msg("Sea"),
}
MOBILITY = {
    "leg": msg("Leg"),
    "li": msg("Light Infantry"),
    "mtn": msg("mountain infantry"),
    "mot": msg("motorized"),
    "mech": msg("mechanized"),
}
HOW = {
    "march": msg("march"),
    "retreat": msg("retreat"),
    "airmobile retreat": msg("airmobile retreat"),
    "air transport": msg("air transport"),
    "after landing": msg("march after landing"),
    "paradrop": msg("airborne assault"),
    "airmobile": msg("airmobile movement"),
    "advance": msg("advance after combat"),
    "assault": msg("amphibious assault"),
    "sea transport": msg("sea transport"),
    "disembark": msg("landing over a beachhead"),
}
BOXES = {
    "due": msg("reinforcements due"),
    "eliminated": msg("eliminated units"),
    "removed": msg("out of the game"),
}
ASKED = {
    "movement": msg("movement: a march, another kind of move, or done"),
    "combat": msg("an attack, or done"),
    "defend": msg("who leads the defense"),
    "support": msg("support of this combat: Air Points, helicopters, ships"),
    "stand": msg("try to ignore the retreat"),
    "failed": msg("retreat, or lose a step"),
    "retreat": msg("retreat paths"),
    "lose": msg("the unit that loses a step"),
    "advance": msg("advance after combat"),
    "withdraw": msg("where a ship withdraws to"),
    "flee": msg("where helicopters flee to"),
    "shelter": msg("where a ship takes shelter from the storm"),
    "sweep": msg("mine clearing"),
    "lead-clearing": msg("who leads the clearing of a hex"),
    "clearing-loss": msg("the unit that loses a step in the clearing"),
    "arrive": msg("where a reinforcement arrives"),
    "replacements": msg("use of replacement points"),
    "weather": msg("the weather of this turn"),
    "throw": msg("throw for Automatic Victory"),
}

VICTORY = {
    "draw": msg("draw"),
    "marginal": msg("marginal victory"),
    "substantive": msg("substantive victory"),
    "overwhelming": msg("overwhelming victory"),
    "decisive": msg("decisive victory"),
    "automatic": msg("Automatic Victory"),
}


def side_term(side: str) -> Term:
    """A side in the label of a die."""
    return Term(side, SIDES[side])


def place(g: State, hex: int) -> str:
    """A hex as players name it: `Orno (0605)`. Names of the map stay as they are printed."""
    return g.board.name(hex)


def area(g: State, box: str) -> Argument:
    """A sea area or box by its name."""
    return g.board.areas[box].name if box in g.board.areas else BOXES.get(box, box)


def where(g: State, at: int, box: str, aboard: str = "") -> Argument:
    """A place of any kind."""
    if aboard:
        return msg("aboard {ship}", ship=g.counter(aboard).name)
    return place(g, at) if at else area(g, box)


def unit(g: State, id: str) -> Message:
    """One unit by its printed name."""
    return Message(g.counter(id).name, {"n": 1})


def gone(g: State, ids: Iterable[str]) -> tuple[Message, ...]:
    """Units in a list of losses; each stands there for the steps that it lost before."""
    return tuple(Message(g.counter(id).name, {"n": 1, "unit": id, "end": ""}) for id in ids)


def units(g: State, ids: Iterable[str]) -> tuple[Message, ...]:
    """Several units by name."""
    return tuple(unit(g, id) for id in ids)


def combat(g: State, hex: int) -> Message:
    """Heading of a combat."""
    return msg("Combat: {place}", place=place(g, hex))


def block_of(g: State) -> Message | None:
    """The combat that something belongs to while one is being resolved."""
    return combat(g, g.fight.target) if g.fight is not None else None


def labels_of(g: State, *places: int) -> tuple[str, ...]:
    """The labels of those places that are hexes."""
    return tuple(g.board.hexes[p].label for p in places if p in g.board.hexes)
