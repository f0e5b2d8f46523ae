"""[8.43] [9.5] Ground units that leave: out of the enemy's way during his move, or beaten after a battle."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.battle.participants import ground_units, landed
from pbem.games.empire_of_the_sun.deployment import AIR_GROUND_LIMIT, stack_size
from pbem.games.empire_of_the_sun.events.offensives import TurnedBack
from pbem.games.empire_of_the_sun.events.units import Controlled, Returned
from pbem.games.empire_of_the_sun.labels import places, unread, written
from pbem.games.empire_of_the_sun.losses import eliminate
from pbem.games.empire_of_the_sun.movement.limits import may_stand
from pbem.games.empire_of_the_sun.orders import Route, read_place, read_units, split_order
from pbem.games.empire_of_the_sun.phase_forms import disengagements
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, possible, unreadable
from pbem.kernel.questions import NONE, choose_place
from pbem.kernel.wording import msg


def disengage(g: State, route: Route) -> Flow[None]:
    """[8.43] Ground units stronger than all that have come may step aside at once; the mover may then go on."""
    o = offensive(g)
    owner, place = FOE[o.side], route.to
    there = g.mine_at(o.side, place, "ground")
    came_from = {o.units[u].came_from for u in there if u in o.units}
    entering = sum(g.attack(u) for u in there)
    here = g.mine_at(owner, place, "ground")
    exits = _exits(g, owner, place, here, came_from)
    if not exits or sum(g.attack(u) for u in here) <= entering or g.intrinsic(place):
        return
    leaving = yield _ask_disengage(g, owner, place, here, exits, entering)
    if leaving is None:
        return
    units, to = leaving
    for unit in units:
        emit(g, Returned(unit, (place, to), "8.43"))
    if not g.mine_at(owner, place) and g.holds(owner, place):
        emit(g, Controlled(place, o.side, "6.5"))
    if g.holds(o.side, to):
        emit(g, Controlled(to, owner, "6.5"))


def _exits(g: State, owner: str, place: int, units: list[str], came_from: set[int]) -> list[int]:
    foe = FOE[owner]
    return [
        n
        for n in g.board.by_land[place]
        if n not in came_from and not g.mine_at(foe, n) and not g.battle_hex(n) and any(not may_stand(g, u, n) for u in units)
    ]


def _ask_disengage(g: State, owner: str, place: int, here: list[str], exits: list[int], entering: int) -> Ask:
    def read(plain: Plain) -> tuple[list[str], int] | None:
        _, body = split_order(plain, ("disengage",))
        if body == NONE:
            return None
        names, _, to_name = str(body).rpartition(" to ")
        if not names:
            raise unreadable(unread("disengage", body), written("disengage: UNITS to HEX", "disengage: none"))
        units = list(here) if names.strip() == "all" else read_units(g, names)
        to = read_place(g, to_name)
        if to not in exits:
            raise illegal(msg("{place} is no way out", place=g.board.name(to)), "8.43", possible(places(g, exits)))
        for unit in units:
            if unit not in here or may_stand(g, unit, to):
                raise illegal(msg("{unit} cannot go to {place}", unit=g.counter(unit).name, place=g.board.name(to)), "8.43")
        if not g.second and sum(g.attack(u) for u in units) <= entering:
            raise illegal(msg("those who leave have to be stronger than those who came"), "8.43")
        return units, to

    def policy(wanted: Plain) -> Plain:
        if wanted in (NONE, "never"):
            return {"disengage": NONE}
        for item in wanted if isinstance(wanted, list) else [wanted]:
            place_wanted = read_place(g, item)
            if place_wanted in exits:
                return {"disengage": f"all to {place_wanted:04}"}
        return None

    def options() -> list[Plain]:
        ways: list[Plain] = [{"disengage": f"all to {h:04}"} for h in exits if not any(may_stand(g, u, h) for u in here)]
        return [{"disengage": NONE}, *ways]

    return Ask(
        owner,
        "disengage",
        "8.43",
        msg("enemy ground units enter {place}: leave?", place=g.board.name(place)),
        read,
        ("disengage",),
        scope=f"hex:{place}",
        facts={"hex": place, "enemy": entering, "own": sum(g.attack(u) for u in here)},
        options=options,
        policy=policy,
        form=lambda: disengagements(g, here, exits, read),
    )


# -- after a ground battle -------------------------------------------------------------------------------------------


def attacker_retreats(g: State, place: int) -> None:
    """[9.5] Overland units go back where they came from, those from the sea wait for post-battle movement."""
    o = offensive(g)
    for unit in ground_units(g, o.side, place):
        entry = o.units[unit]
        if landed(g, unit):
            emit(g, TurnedBack(unit, True, "9.5"))
            continue
        back = entry.came_from
        if back and not g.mine_at(FOE[o.side], back) and not may_stand(g, unit, back):
            emit(g, Returned(unit, (place, back), "9.5"))
        else:
            eliminate(g, unit, "9.5")


def defender_retreats(g: State, place: int) -> Flow[None]:
    """[9.5] The active player moves each beaten unit to an adjacent hex; from one-hex islands there is no retreat."""
    o = offensive(g)
    owner = FOE[o.side]
    for unit in g.mine_at(owner, place, "ground"):
        hexes = retreat_hexes(g, unit, place)
        if not hexes:
            eliminate(g, unit, "9.5")
            continue
        prompt = msg("{unit} retreats from {place}: where to?", unit=g.counter(unit).name, place=g.board.name(place))
        to = yield from choose_place(g.board.place_index, o.side, "retreat", "9.5", prompt, hexes)
        emit(g, Returned(unit, (place, to), "9.5"))
        if g.holds(o.side, to):
            emit(g, Controlled(to, owner, "6.5"))


def retreat_hexes(g: State, unit: str, place: int) -> list[int]:
    """[9.5] Named locations of its own side first, else any hex without active units, off their ways in, within stacking."""
    o = offensive(g)
    owner = FOE[o.side]
    if g.board.hexes[place].one_hex_island:
        return []
    ways_in = {a.came_from for u, a in o.units.items() if g.pieces[u].at == place and a.mode == "land"}
    open_to = [
        n
        for n in g.board.by_land[place]
        if n not in ways_in
        and not g.mine_at(o.side, n)
        and not may_stand(g, unit, n)
        and stack_size(g, [*g.mine_at(owner, n), unit]) <= AIR_GROUND_LIMIT
    ]
    own = [n for n in open_to if g.holds(owner, n) and (g.board.hexes[n].named if g.second else g.board.hexes[n].base)]
    return own or open_to
