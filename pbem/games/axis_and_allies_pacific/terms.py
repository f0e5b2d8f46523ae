"""The nouns of Pacific 1940: powers, units, phases, places, and what is asked."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.axis_and_allies_pacific.board import Board
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.wording import Argument, Message, Term, counted, msg, times

OWNERS = {
    "japan": msg("Japan"),
    "united-states": msg("United States"),
    "china": msg("China"),
    "united-kingdom": msg("United Kingdom"),
    "anzac": msg("ANZAC"),
    "netherlands": msg("Netherlands"),
    "france": msg("France"),
    "soviet-union": msg("Soviet Union"),
    "neutral": msg("neutral garrison"),
    "the garrison's": msg("neutral garrison"),
    "none": msg("nobody"),
    "nobody": msg("nobody"),
}
SIDES = {"axis": msg("Axis"), "allies": msg("Allies"), "": msg("neutral")}
PHASES = {
    "purchase": msg("Purchase and Repair Units"),
    "combat-move": msg("Combat Move"),
    "conduct-combat": msg("Conduct Combat"),
    "noncombat-move": msg("Noncombat Move"),
    "mobilize": msg("Mobilize New Units"),
    "collect-income": msg("Collect Income"),
}
THINGS = {
    "infantry": counted("{n} infantry", "{n} infantry"),
    "mechanized-infantry": counted("{n} mechanized infantry", "{n} mechanized infantry"),
    "artillery": counted("{n} artillery", "{n} artillery"),
    "tank": counted("{n} tank", "{n} tanks"),
    "aa-gun": counted("{n} AA gun", "{n} AA guns"),
    "fighter": counted("{n} fighter", "{n} fighters"),
    "tactical-bomber": counted("{n} tactical bomber", "{n} tactical bombers"),
    "strategic-bomber": counted("{n} strategic bomber", "{n} strategic bombers"),
    "submarine": counted("{n} submarine", "{n} submarines"),
    "transport": counted("{n} transport", "{n} transports"),
    "destroyer": counted("{n} destroyer", "{n} destroyers"),
    "cruiser": counted("{n} cruiser", "{n} cruisers"),
    "aircraft-carrier": counted("{n} aircraft carrier", "{n} aircraft carriers"),
    "battleship": counted("{n} battleship", "{n} battleships"),
    "air-base": counted("{n} air base", "{n} air bases"),
    "naval-base": counted("{n} naval base", "{n} naval bases"),
    "minor-ic": counted("{n} minor industrial complex", "{n} minor industrial complexes"),
    "major-ic": counted("{n} major industrial complex", "{n} major industrial complexes"),
    "ic-upgrade": counted("{n} upgrade to a major industrial complex", "{n} upgrades to major industrial complexes"),
}
MARKED = {  # what an order names of a type: these and no others
    "loaded transport": counted("{n} loaded transport", "{n} loaded transports"),
    "empty transport": counted("{n} empty transport", "{n} empty transports"),
    "damaged aircraft-carrier": counted("{n} damaged aircraft carrier", "{n} damaged aircraft carriers"),
    "damaged battleship": counted("{n} damaged battleship", "{n} damaged battleships"),
    "hit aircraft-carrier": counted("{n} hit on an aircraft carrier", "{n} hits on aircraft carriers"),
    "hit battleship": counted("{n} hit on a battleship", "{n} hits on battleships"),
}
ASKED = {
    "purchase": msg("buy units and repair facilities"),
    "combat-move": msg("combat moves"),
    "battle": msg("which battle comes next"),
    "submarines": msg("submarines: strike or submerge"),
    "casualties": msg("casualties"),
    "consent-losses": msg("casualties of an ally"),
    "retreat": msg("press the attack or retreat"),
    "escape": msg("where transports without escort go"),
    "bombard": msg("shore bombardment"),
    "kamikaze": msg("kamikaze attacks"),
    "scramble": msg("scramble aircraft"),
    "intercept": msg("fighters that intercept the raid"),
    "bomb-targets": msg("targets of the bombers"),
    "noncombat-move": msg("noncombat moves"),
    "land-stranded": msg("where stranded aircraft land"),
    "mobilize": msg("where new units are placed"),
    "raid-convoy": msg("convoy attack"),
    "us-entry": msg("the United States' entry into the war"),
}


def place(g: State, space: str) -> Message:
    """Land by the name that is printed on the map, or its translation; a sea zone by its number."""
    return place_on(g.board, space)


def place_on(board: Board, space: str) -> Message:
    """The same, from the board alone."""
    known: Message | None = board.terms.get(space)
    if known is None:
        known = board.terms[space] = _named(board, space)
    return known


def _named(board: Board, space: str) -> Message:
    if space in board.zones:
        return msg("sea zone {number}", number=int(space.removeprefix("sz-")))
    return Message(board.name(space))


def place_term(g: State, space: str) -> Term:
    """A space as records spell it, by its printed name, and as it is read."""
    return Term(g.board.name(space), place(g, space))


def power_term(name: str) -> Term:
    """A power as records spell it, and as it is read."""
    return Term(name, OWNERS[name])


def places(g: State, spaces: Iterable[str]) -> tuple[Message, ...]:
    """Spaces by their names."""
    return tuple(place(g, space) for space in spaces)


def some(kind: str, n: int = 1) -> Message:
    """Things of a type."""
    return times(THINGS[kind], n)


def example(order: str) -> Message:
    """How such an order is written."""
    return msg("for example {example}", example=order)


def one_of(choices: Argument) -> Message:
    """What may be chosen."""
    return msg("one of: {choices}", choices=choices)


def one(kind: str) -> tuple[Message, ...]:
    """One thing of a type."""
    return (THINGS[kind],)


def block_of(g: State, space: str) -> Message | None:
    """The battle that something in Conduct Combat belongs to."""
    return battle(place(g, space)) if g.phase == "conduct-combat" else None


def battle(where: Message) -> Message:
    """Heading of a battle."""
    return msg("Battle: {place}", place=where)


def raid(where: Message) -> Message:
    """Heading of a raid."""
    return msg("Strategic bombing raid: {place}", place=where)
