"""What an answer gives up in Empire of the Sun: activated units, flyers, shipping points, escorts, supply, an event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.empire_of_the_sun.cards import why_no_event
from pbem.games.empire_of_the_sun.labels import units as all_named
from pbem.games.empire_of_the_sun.movement.limits import asp_left
from pbem.games.empire_of_the_sun.operations.battle_hexes import in_range, must_fight
from pbem.games.empire_of_the_sun.picks import hex_word
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import LANDINGS, State, offensive
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.kernel.consequences import Consequence, by_place, some
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.wording import Argument, msg


def consequences(before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
    """Of `done` with moves, battles or replacements, and of the use of a card: the state before it, and how far it led."""
    if isinstance(ask, Commit):
        return []
    match ask.kind:
        case "use":
            return [*_event_not_used(before, after, str(ask.facts["card"]))]
        case "move":
            return [*_not_moved(before), *_no_escort(before), *_shipping_left(before)]
        case "battle":
            return [*_idle_flyers(before, after), *_out_of_supply(after)]
        case "replacements":
            return [*_points_left(ask)]
    return []


def _some(g: State, units: Sequence[str]) -> Argument:
    return some(units, lambda first: all_named(g, first))


def _by_place(g: State, units: Sequence[str]) -> dict[int, list[str]]:
    return by_place(units, lambda unit: g.pieces[unit].at)


# -- the card ----------------------------------------------------------------------------------------------------------


def _event_not_used(before: State, after: State, card_id: str) -> Iterator[Consequence]:
    """[5.31] A card that could have been played as its event was used otherwise."""
    card, o = before.board.cards[card_id], after.offensive
    as_event = card_id in after.out_of_play[card.side] or (o is not None and o.card == card_id and o.event)
    as_operations = o is not None and o.card == card_id and not o.event
    if not as_event and (as_operations or card_id in after.discards[card.side]) and not why_no_event(before, card):
        told = msg("the event of this card is not played: {card}", card=card.told)
        yield Consequence("unspent", told, "5.31", chosen=as_operations)


# -- moves -------------------------------------------------------------------------------------------------------------


def _not_moved(g: State) -> Iterator[Consequence]:
    """[7.23] Ships and troops that were activated, have not moved and stand in no battle."""
    fights = must_fight(g)
    waiting = [u for u, a in offensive(g).units.items() if not a.mode and g.pieces[u].box == "map"]
    units = [u for u in waiting if g.counter(u).kind != "air" and g.pieces[u].at not in fights]
    for place, there in _by_place(g, units).items():
        told = msg("{place}, activated and not moved: {units}", place=g.board.name(place), units=_some(g, there))
        yield Consequence("idle", told, "7.23", hex_word(place))


def _no_escort(g: State) -> Iterator[Consequence]:
    """[8.45] Landings where no activated ship lies."""
    o = offensive(g)
    landed = [u for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].box == "map"]
    for place, units in _by_place(g, landed).items():
        if not any(g.pieces[u].at == place and g.counter(u).kind == "naval" for u in o.units):
            told = msg("{place}, a landing without a ship: {units}", place=g.board.name(place), units=_some(g, units))
            yield Consequence("exposed", told, "8.45", hex_word(place))


def _shipping_left(g: State) -> Iterator[Consequence]:
    """[10.3] Shipping points that troops which have not moved could use."""
    o = offensive(g)
    landers = [u for u, a in o.units.items() if not a.mode and g.counter(u).kind == "ground" and g.counter(u).lands]
    left = asp_left(g, o.side)
    if landers and left:
        told = msg("shipping points left: {n}; not landed: {units}", n=left, units=_some(g, landers))
        yield Consequence("unspent", told, "10.3")


# -- battles -----------------------------------------------------------------------------------------------------------


def _idle_flyers(before: State, after: State) -> Iterator[Consequence]:
    """[9.11] Air units and carriers without a battle that reach one of the battle hexes."""
    o = after.offensive
    if o is None:
        return
    fights = must_fight(before)
    free = [u for u, a in o.units.items() if not a.battle and not a.cover and after.pieces[u].box == "map"]
    outside = [u for u in free if before.counter(u).flies and before.pieces[u].at not in fights]
    for place in o.battles:
        units = [u for u in outside if in_range(before, u, place)]
        if units:
            there, names = before.board.name(place), _some(before, units)
            told = msg("{place}, in range and not in the battle: {units}", place=there, units=names)
            yield Consequence("idle", told, "9.11", hex_word(place))


def _out_of_supply(g: State) -> Iterator[Consequence]:
    """[6.21] Activated units that would be out of supply where they stand once the offensive is over."""
    if g.offensive is None:
        return
    later = rehearse(g)
    later.offensive = None
    later.forget()
    units = [u for u in g.offensive.units if g.pieces[u].box == "map" and not supplied(later, u)]
    for place, there in _by_place(g, units).items():
        told = msg("{place}, out of supply after the offensive: {units}", place=g.board.name(place), units=_some(g, there))
        yield Consequence("exposed", told, "6.21", hex_word(place))


# -- replacements ------------------------------------------------------------------------------------------------------


def _points_left(ask: Ask) -> Iterator[Consequence]:
    """[11.0] Points with which a unit could still be helped: the question is asked only while there is one."""
    left = sum(n for n in ask.facts.values() if isinstance(n, int))
    if left:
        yield Consequence("unspent", msg("replacement points left: {n}", n=left), ask.rule)
