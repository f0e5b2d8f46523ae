"""[17.11] The Allied answer to the second card of 7 December 1941."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.events.offensives import BattleDeclared, Committed, UnitsActivated
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.reaction.special import additions
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, offensive
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place
from pbem.kernel.wording import msg

FORCE_Z = "bb-force-z"


def first_strike_response(g: State) -> Flow[None]:
    """[17.11] Force Z meets a fleet off Malaya; Allied air units in reach join the battles."""
    o = offensive(g)
    fleets = sorted({g.pieces[u].at for u in o.units if g.counter(u).kind == "naval"})
    malaya = [h for h in fleets if g.board.hexes[h].region == "Malaya" and g.board.hexes[h].coastal]
    if malaya and g.pieces[FORCE_Z].box == "map":
        place = yield from choose_place(
            g.board.place_index, ALLIES, "force z", "17.11", msg("where Force Z meets the enemy"), malaya
        )
        emit(g, UnitsActivated(ALLIES, (FORCE_Z,), "17.11"))
        emit(g, Placed(FORCE_Z, place, "map", "17.11"))
        if place not in o.battles:
            emit(g, BattleDeclared(place, True, "17.11"))
    for unit in [u for u in g.on_map(ALLIES) if g.counter(u).kind == "air" and not g.battle_hex(g.pieces[u].at)]:
        yield from _joins(g, unit)
    yield from additions(g)


def _joins(g: State, unit: str) -> Flow[None]:
    """Second printing: every air unit in range joins; first edition: one that is adjacent may join or begin a battle."""
    o = offensive(g)
    at, counter = g.pieces[unit].at, g.counter(unit)
    if g.second:
        open_to = [h for h in o.battles if distance(at, h) <= counter.reach]
    else:
        near = [n for n in g.board.near[at] if n]
        open_to = [h for h in near if h in o.battles or g.mine_at(JAPAN, h)]
    place = yield from choose_place(
        g.board.place_index,
        ALLIES,
        "air battle",
        "17.11",
        msg("{unit} joins a battle: where?", unit=counter.name),
        open_to,
        none=not g.second,
    )
    if not place:
        return
    if place not in o.battles:
        emit(g, BattleDeclared(place, True, "17.11"))
    emit(g, UnitsActivated(ALLIES, (unit,), "17.11"))
    emit(g, Committed(unit, place, False, "17.11"))
