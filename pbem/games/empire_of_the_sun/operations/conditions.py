"""[7.24] [8.21] [5.31] Whether a declaration stands as a whole: battle hexes, ships at sea, the conditions of the event."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import OAHU, TOKYO, distance
from pbem.games.empire_of_the_sun.cards import japan_in_alaska
from pbem.games.empire_of_the_sun.labels import of_card, places
from pbem.games.empire_of_the_sun.operations.battle_hexes import Declaration, must_fight
from pbem.games.empire_of_the_sun.state import ALLIES, LANDINGS, Activated, State, offensive
from pbem.kernel.orders import illegal
from pbem.kernel.wording import NO_WORDS, Message, msg


def check_declaration(g: State, so_far: Declaration) -> None:
    """[7.24] [8.21] The whole: one battle hex for an operations card, ships where they may be, the event's own conditions."""
    o = offensive(g)
    hexes = sorted({*so_far.battles, *must_fight(g)})
    if not o.event and len(hexes) > 1:
        raise illegal(
            msg("battle hexes: {things}", things=places(g, hexes)), "7.24", msg("an operations card allows one battle hex")
        )
    if any(g.board.hexes[h].region == "IChina" for h in hexes):
        raise illegal(msg("no battle in the interior of China"), "7.24")
    for unit, entry in o.units.items():
        if g.counter(unit).kind == "naval" and g.pieces[unit].box == "map":
            _check_ship(g, so_far, hexes, unit, entry)
    _check_event(g, hexes)


def _check_ship(g: State, so_far: Declaration, hexes: list[int], unit: str, entry: Activated) -> None:
    """[8.21] Where a ship may end: port, battle, beside a fighting or covering carrier, at an own landing."""
    o = offensive(g)
    at = g.pieces[unit].at
    assigned = so_far.assigned()
    if g.friendly_port(o.side, at) or at in hexes or unit in assigned:
        return
    landings = [g.pieces[u].at for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].box == "map"]
    stacked = any(u in assigned for u in g.mine_at(o.side, at, "naval") if u in o.units)
    if g.counter(unit).carrier:
        near = any(distance(at, h) <= g.counter(unit).range for h in landings)
        if g.second and not _covers_empty_landing(g, at, unit, landings):
            why = msg("{unit} at sea has to fight in a battle or cover a landing", unit=g.counter(unit).name)
            raise illegal(why, "7.24")
        if near:
            return
    if at in landings or stacked or _with_carrier(g, unit, at, landings):
        return
    why = msg("{unit} may not end its move in {place}", unit=g.counter(unit).name, place=g.board.name(at))
    raise illegal(why, "8.21", msg("a friendly port, or a battle"))


def _covers_empty_landing(g: State, at: int, unit: str, landings: list[int]) -> bool:
    """A landing in friendly or empty land has nothing to fight over; then standing by counts as cover."""
    return any(distance(at, h) <= g.counter(unit).range for h in landings)


def _with_carrier(g: State, unit: str, at: int, landings: list[int]) -> bool:
    o = offensive(g)
    decks = [u for u in g.mine_at(o.side, at, "naval") if u in o.units and g.counter(u).carrier and u != unit]
    return any(distance(at, h) <= g.counter(u).range for u in decks for h in landings)


def _check_event(g: State, hexes: list[int]) -> None:
    """[5.31] The conditions of the event on battle hexes and landings; who activates nothing has spent the card."""
    o = offensive(g)
    card = g.board.cards[o.card]
    if not o.event or not o.units:
        return
    if card.data.get("special") == "operation-z" and OAHU not in hexes:
        raise illegal(msg("Operation Z has to make Oahu a battle hex"), "17.11")
    if card.data.get("landing") == "tokyo-10" and not _lands_near_tokyo(g):
        raise illegal(of_card(card, msg("a landing within 10 hexes of Tokyo is needed")), "5.31")
    reason = _battle_condition(g, str(card.data.get("battles", "")), hexes)
    if reason:
        raise illegal(of_card(card, reason), "5.31")


def _lands_near_tokyo(g: State) -> bool:
    return any(a.mode in LANDINGS and distance(g.pieces[u].at, TOKYO) <= 10 for u, a in offensive(g).units.items())


def _battle_condition(g: State, wanted: str, hexes: list[int]) -> Message:
    board = g.board.hexes
    match wanted:
        case "one-hex-islands":
            return (
                NO_WORDS if all(board[h].one_hex_island for h in hexes) else msg("every battle has to be on a one-hex island")
            )
        case "japanese-islands":
            landed = [h for h in hexes if board[h].region == "Japan" and g.mine_at(ALLIES, h, "ground")]
            return NO_WORDS if landed else msg("a battle with ground units in the home islands is needed")
        case "philippines":
            return (
                NO_WORDS
                if any(board[h].region == "Philippines" for h in hexes)
                else msg("a battle in the Philippines is needed")
            )
        case "aleutians-if-japanese":
            fights = any(board[h].region == "Alaska" for h in hexes)
            return NO_WORDS if fights or not japan_in_alaska(g) else msg("a battle in the Aleutians is needed")
    return NO_WORDS
