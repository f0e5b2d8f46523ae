"""[8.45] to [8.47] Amphibious assaults: who lands where, by which way and in whose ships."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.board import PORT_MORESBY
from pbem.games.empire_of_the_sun.events.offensives import BargesUsed, Moved, ReactionShipping
from pbem.games.empire_of_the_sun.events.strategy import ShippingUsed
from pbem.games.empire_of_the_sun.movement.limits import asp_left, may_stand, naval_allowance
from pbem.games.empire_of_the_sun.movement.sea import sea_path
from pbem.games.empire_of_the_sun.movement.stacks import stack_moved
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, LANDINGS, State, offensive
from pbem.games.empire_of_the_sun.supply import hostile
from pbem.kernel.events import Event
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def assault(g: State, side: str, route: Route, reaction: bool) -> list[Event]:
    """[8.45] Amphibious assault, with the fleet that escorts it in the same stack."""
    ground = [u for u in route.units if g.counter(u).kind == "ground"]
    fleet = [u for u in route.units if g.counter(u).kind == "naval"]
    if not ground or len(ground) + len(fleet) != len(route.units):
        raise illegal(msg("an assault is made by ground units and their escort"), "8.45")
    for unit in ground:
        _check_lander(g, unit, route)
    _check_beach(g, side, route, ground)
    path = _assault_path(g, side, route, fleet)
    if reaction and not g.battle_hex(route.to):
        raise illegal(msg("reacting units move only to a battle hex"), "7.26")
    mode, ships = _lift(g, side, route, ground, fleet, reaction, path)
    events = stack_moved(g, route, dict.fromkeys(route.units, path), mode, "8.45")
    return _with_shipping(g, side, events, ground, mode, ships, reaction)


def _check_lander(g: State, unit: str, route: Route) -> None:
    counter = g.counter(unit)
    if not counter.lands:
        raise illegal(msg("{unit} cannot make an amphibious assault", unit=counter.name), "8.45")
    reason = may_stand(g, unit, route.to)
    if reason:
        raise illegal(reason, "8.41")
    if not g.board.hexes[g.pieces[unit].at].coastal:
        raise illegal(msg("{unit} is not on a coast", unit=counter.name), "8.45")


def _check_beach(g: State, side: str, route: Route, ground: Sequence[str]) -> None:
    here = g.board.hexes[route.to]
    if not here.coastal or (here.terrain == "mountain" and route.to != PORT_MORESBY):
        raise illegal(msg("{place} cannot be assaulted from the sea", place=g.board.name(route.to)), "8.45")
    held = g.holds(JAPAN, route.to) and g.occupied(JAPAN, route.to)
    army = [u for u in ground if g.counter(u).nation == "us" and g.counter(u).service == "army"]
    if army and held and here.one_hex_island and not _marines_ashore(g, route.to) and not _army_may_land(g):
        raise illegal(msg("US Army units land on a held one-hex island only after Marines"), "8.45")


def _marines_ashore(g: State, place: int) -> bool:
    """[8.45] D: Marines landed there by an earlier order [MARINES-FIRST]."""
    o = offensive(g)
    active = {**o.units, **o.reactors}
    landed = [u for u in g.mine_at(ALLIES, place, "ground") if u in active and active[u].mode in LANDINGS]
    return any(g.counter(u).marine for u in landed)


def _army_may_land(g: State) -> bool:
    o = g.offensive
    return o is not None and o.event and bool(g.board.cards[o.card].data.get("army_islands"))


def _assault_path(g: State, side: str, route: Route, fleet: Sequence[str]) -> tuple[int, ...]:
    """[8.45] B: no un-neutralised zone unless a carrier sails along; no enemy fleet unless escorted."""
    carrier = any(g.counter(u).carrier for u in fleet)
    closed = frozenset() if carrier else hostile(g, side)
    start = g.pieces[route.units[0]].at
    if start in closed:
        why = msg("{place} is in an enemy zone of influence: no assault leaves it", place=g.board.name(start))
        raise illegal(why, "8.45")
    ships = {g.pieces[u].at for u in g.on_map(FOE[side]) if g.counter(u).kind == "naval"} if not fleet else set()
    allowance = naval_allowance(g)
    path = sea_path(g, start, [*route.via, route.to], allowance, closed | ships)
    if path is None:
        to = g.board.name(route.to)
        why = msg("{place} is out of reach outside enemy zones and fleets; movement allowance: {n}", place=to, n=allowance)
        raise illegal(why, "8.45", msg("with a carrier in the stack zones bar nothing"))
    return path


def barges_carry(g: State, side: str, units: Sequence[str]) -> bool:
    """[8.47] Barges are there for these units, wherever they go: one unit of Japan, once, in an offensive of value 3."""
    o = offensive(g)
    is_one = len(units) == 1 and g.counter(units[0]).kind == "ground"
    return side == JAPAN and g.barges == "on" and o.ops == 3 and not o.barge and is_one


def _lift(
    g: State, side: str, route: Route, ground: Sequence[str], fleet: Sequence[str], reaction: bool, path: Sequence[int]
) -> tuple[str, dict[str, str]]:
    """[8.46] [8.47] How the troops travel: by shipping points, on warships, or on barges."""
    if route.way == "organic":
        ships = [u for u in fleet if g.counter(u).organic]
        if not all(g.counter(u).organic for u in ground) or len(ships) < len(ground):
            raise illegal(msg("each brigade needs a CA, CL or APD of its own in the stack"), "8.46")
        return "organic", dict(zip(ground, ships, strict=False))
    if route.way == "barge":
        if offensive(g).barge:
            raise illegal(msg("the barges have been used in this offensive"), "8.47")
        if reaction or len(path) != 2 or not barges_carry(g, side, [*ground, *fleet]):
            why = msg("barges carry one unit across one sea hexside in an offensive of operations value 3")
            raise illegal(why, "8.47")
        return "barge", {}
    return "assault", {}


def _with_shipping(
    g: State, side: str, events: list[Event], ground: Sequence[str], mode: str, ships: dict[str, str], reaction: bool
) -> list[Event]:
    o = offensive(g)
    found: list[Event] = []
    total = 0
    for event in events:
        if isinstance(event, Moved):
            lifted = event.unit in ground
            cost = g.asp_cost(event.unit) if lifted and mode == "assault" else 0
            total += cost
            kind = mode if lifted else "sea"
            event = Moved(event.unit, event.path, kind, event.rule, event.came_from, ship=ships.get(event.unit, ""), asp=cost)
        found.append(event)
    if total > asp_left(g, side):
        raise illegal(
            msg("shipping points that the assault needs: {n}", n=total), "10.3", msg("left: {n}", n=asp_left(g, side))
        )
    if reaction and g.second and o.reaction_asp + total > 1:
        raise illegal(msg("one shipping point at most in reaction"), "8.45")
    card = g.board.cards[o.counter] if reaction and o.counter else None
    if total and card is not None and card.data.get("no_asp"):
        raise illegal(msg("this card allows no shipping points: {card}", card=card.told), "5.32")
    if total:
        found.append(ShippingUsed(side, g.asp_used[side] + total, "10.3"))
    if reaction and total:
        found.append(ReactionShipping(o.reaction_asp + total))
    if mode == "barge":
        found.append(BargesUsed())
    return found
